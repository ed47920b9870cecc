#include "wyvern/systems/common/value_serialization.h"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <stdexcept>
#include <typeindex>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/systems/common/nice_type_name.h"

/* Below are the bytes of plain things: a number as it is in memory, a string or
a matrix as its sizes and then its elements. Above is one table for the
process, under a lock, that knows for each type how to write, read and make
it. A value is written as the name of its type and then its content, so that
a reader can refuse another type or make a value of the right one. No reader
allocates by a size that it was told, since the stream may be hostile.
Functions are copied out of the table and called without the lock, for they
may read further values. */

namespace wyvern {

static_assert(std::endian::native == std::endian::little,
              "values are written as they are in memory, little end first");

namespace internal {
void ReadBytes(void* to, size_t size, std::istream* stream) {
  stream->read(static_cast<char*>(to), static_cast<std::streamsize>(size));
  if (!*stream) {
    throw std::runtime_error(
        "ReadBinary(): the stream ends before the value does; it has been "
        "truncated or is not what was written.");
  }
}

int64_t ReadSize(std::istream* stream) {
  int64_t size{};
  ReadBinary(&size, stream);
  if (size < 0) {
    throw std::runtime_error(fmt::format(
        "ReadBinary(): the stream gives the size {}, which must not be "
        "negative; it is not what was written.",
        size));
  }
  return size;
}
}  // namespace internal

namespace {
// A hostile size must not make us allocate: memory grows as bytes arrive.
constexpr int64_t kChunk = 1 << 16;
}  // namespace

using internal::ReadSize;

SavedIds& SavedIds::Of(std::istream* stream) {
  auto* values = dynamic_cast<SavedValueStream*>(stream);
  if (values == nullptr) {
    throw std::logic_error(
        "ValueSerialization: the value holds ids, which can only be read by "
        "LoadContext(), with what they name.");
  }
  return values->ids();
}

void SavedIds::ThrowUnknown(int64_t saved) {
  throw std::runtime_error(
      fmt::format("ValueSerialization: the id {} was saved without what it "
                  "names; save the Context of the whole Diagram.",
                  saved));
}

void WriteBinary(const std::string& value, std::ostream* stream) {
  WriteBinary(static_cast<int64_t>(value.size()), stream);
  stream->write(value.data(), static_cast<std::streamsize>(value.size()));
}

void ReadBinary(bool* value, std::istream* stream) {
  uint8_t byte{};
  ReadBinary(&byte, stream);
  if (byte > 1) {
    throw std::runtime_error(fmt::format(
        "ReadBinary(): the stream gives {} where true (1) or false (0) is "
        "wanted; it is damaged or is not what was written.",
        byte));
  }
  *value = byte == 1;
}

void ReadBinary(std::string* value, std::istream* stream) {
  const int64_t size = ReadSize(stream);
  value->clear();
  while (static_cast<int64_t>(value->size()) < size) {
    const size_t start = value->size();
    value->resize(start + std::min<int64_t>(kChunk, size - start));
    internal::ReadBytes(value->data() + start, value->size() - start, stream);
  }
}

void WriteBinary(const Eigen::Ref<const Eigen::MatrixXd>& value,
                 std::ostream* stream) {
  WriteBinary(static_cast<int64_t>(value.rows()), stream);
  WriteBinary(static_cast<int64_t>(value.cols()), stream);
  for (int j = 0; j < value.cols(); ++j) {
    for (int i = 0; i < value.rows(); ++i) WriteBinary(value(i, j), stream);
  }
}

void ReadBinary(Eigen::MatrixXd* value, std::istream* stream) {
  const int64_t rows = ReadSize(stream);
  const int64_t cols = ReadSize(stream);
  std::vector<double> elements;
  for (int64_t j = 0; j < cols; ++j) {
    for (int64_t i = 0; i < rows; ++i) {
      ReadBinary(&elements.emplace_back(), stream);
    }
    if (rows == 0) break;
  }
  if (rows > 0 && cols > 0) {
    *value = Eigen::Map<const Eigen::MatrixXd>(elements.data(), rows, cols);
  } else if (std::max(rows, cols) <= kChunk) {
    value->resize(rows, cols);
  } else {
    throw std::runtime_error(fmt::format(
        "ReadBinary(): the stream gives an empty matrix of {}x{}; it is not "
        "what was written.",
        rows, cols));
  }
}

void ReadBinary(Eigen::VectorXd* value, std::istream* stream) {
  Eigen::MatrixXd matrix;
  ReadBinary(&matrix, stream);
  if (matrix.cols() != 1) {
    throw std::runtime_error(fmt::format(
        "ReadBinary(): the stream gives a {}x{} matrix for a vector; it is not "
        "what was written.",
        matrix.rows(), matrix.cols()));
  }
  *value = matrix;
}

struct ValueSerialization::Table {
  std::mutex mutex;
  std::map<std::type_index, Functions> functions;

  template <typename V>
  void Add() {
    functions[typeid(V)] = {
        [](const AbstractValue& value, std::ostream* stream) {
          WriteBinary(value.get_value<V>(), stream);
        },
        [](AbstractValue* value, std::istream* stream) {
          ReadBinary(&value->get_mutable_value<V>(), stream);
        },
        [] { return AbstractValue::Make<V>(); }, NiceTypeName::Get<V>()};
  }
  Table() {
    Add<bool>();
    Add<int>();
    Add<int64_t>();
    Add<double>();
    Add<std::string>();
    Add<Eigen::VectorXd>();
    Add<Eigen::MatrixXd>();
  }
};

ValueSerialization::Table& ValueSerialization::table() {
  static Table table;
  return table;
}

void ValueSerialization::RegisterFunctions(const std::type_info& type,
                                           bool is_complete,
                                           Functions functions) {
  if (!is_complete) {
    throw std::logic_error(fmt::format(
        "ValueSerialization::Register(): a function for {} is empty; give one "
        "to write and one to read.",
        NiceTypeName::Get(type)));
  }
  const std::lock_guard lock(table().mutex);
  functions.type_name = NiceTypeName::Get(type);
  table().functions[type] = std::move(functions);
}

ValueSerialization::Functions ValueSerialization::Find(
    const AbstractValue& value) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().functions.find(value.static_type_info());
  if (found == table().functions.end()) {
    throw std::logic_error(fmt::format(
        "ValueSerialization: nothing is known of how to write or read a {}; "
        "call ValueSerialization::Register() for it first.",
        value.GetNiceTypeName()));
  }
  return found->second;
}

void ValueSerialization::Write(const AbstractValue& value,
                               std::ostream* stream) {
  const Functions functions = Find(value);
  WriteBinary(functions.type_name, stream);
  functions.write(value, stream);
}

void ValueSerialization::Read(AbstractValue* value, std::istream* stream) {
  const Functions functions = Find(*value);
  std::string name;
  ReadBinary(&name, stream);
  if (name != functions.type_name) {
    throw std::runtime_error(fmt::format(
        "ValueSerialization: the stream has a value of type {} where a {} was "
        "wanted; it was written by another model.",
        name, functions.type_name));
  }
  functions.read(value, stream);
}

std::unique_ptr<AbstractValue> ValueSerialization::ReadNew(
    std::istream* stream) {
  std::string name;
  ReadBinary(&name, stream);
  Functions functions;
  {
    const std::lock_guard lock(table().mutex);
    for (const auto& [type, known] : table().functions) {
      if (known.type_name == name) functions = known;
    }
  }
  if (functions.make == nullptr) {
    throw std::runtime_error(fmt::format(
        "ValueSerialization: a value of type {} was written, {}.", name,
        functions.read == nullptr
            ? "which is not known here; call ValueSerialization::Register() "
              "for it first"
            : "which cannot be made anew for lack of a default constructor; "
              "give the Context a value of that type before loading"));
  }
  std::unique_ptr<AbstractValue> value = functions.make();
  functions.read(value.get(), stream);
  return value;
}

}  // namespace wyvern
