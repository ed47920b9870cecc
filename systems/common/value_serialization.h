#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "wyvern/systems/common/value.h"

namespace wyvern {

/** @file
Values written to a stream and read back, bit for bit.

Numbers are stored as they are in memory, little end first. Every reader throws
std::runtime_error if the stream ends early or holds what cannot be: a file may
be truncated or hostile. */

/** Writes a number or bool as its bytes. */
template <typename N>
requires(std::is_arithmetic_v<N>) void WriteBinary(const N& value,
                                                   std::ostream* stream) {
  stream->write(reinterpret_cast<const char*>(&value), sizeof(N));
}
void WriteBinary(const std::string& value, std::ostream* stream);
void WriteBinary(const Eigen::Ref<const Eigen::MatrixXd>& value,
                 std::ostream* stream);

namespace internal {
void ReadBytes(void* to, size_t size, std::istream* stream);
int64_t ReadSize(std::istream* stream);
}  // namespace internal

/** Reads what WriteBinary() wrote. */
template <typename N>
requires(std::is_arithmetic_v<N>) void ReadBinary(N* value,
                                                  std::istream* stream) {
  internal::ReadBytes(value, sizeof(N), stream);
}
/** Also refuses bytes that are neither true nor false. */
void ReadBinary(bool* value, std::istream* stream);
void ReadBinary(std::string* value, std::istream* stream);
/** Resizes `value`. */
void ReadBinary(Eigen::MatrixXd* value, std::istream* stream);
void ReadBinary(Eigen::VectorXd* value, std::istream* stream);

/** Elements one after another, each by WriteBinary() or `write`. */
template <typename V, typename Write>
void WriteBinary(const std::vector<V>& values, std::ostream* stream,
                 Write&& write) {
  WriteBinary(static_cast<int64_t>(values.size()), stream);
  for (const V& value : values) write(value, stream);
}
/** `read` returns the next element. Memory grows as elements arrive. */
template <typename V, typename Read>
void ReadBinary(std::vector<V>* values, std::istream* stream, Read&& read) {
  const int64_t size = internal::ReadSize(stream);
  values->clear();
  for (int64_t i = 0; i < size; ++i) values->push_back(read(stream));
}

/** Ids are numbers that hold in one process, for one object. Who owns what they
name says here, when saved values are read, what each is called now; readers of
other values that hold ids ask. Since a value may come before the one that owns
what it names, all values are read twice. */
class SavedIds {
 public:
  /** Returns the ids of values that LoadContext() reads.
  @throws std::logic_error if `stream` is another. */
  static SavedIds& Of(std::istream* stream);

  /** Says what the id `saved` is called now. */
  template <typename Id>
  void Add(int64_t saved, Id id) {
    Table<Id>()[saved] = id;
  }
  /** Null if nobody said. */
  template <typename Id>
  const Id* Find(int64_t saved) {
    const auto found = Table<Id>().find(saved);
    return found == Table<Id>().end() ? nullptr : &found->second;
  }
  /** The id that `saved` is called now; invalid for 0.
  @throws std::runtime_error in the last reading if nobody said. */
  template <typename Id>
  Id Get(int64_t saved) {
    if (saved == 0) return Id{};
    const Id* id = Find<Id>(saved);
    if (id == nullptr && is_last_reading_) ThrowUnknown(saved);
    return id == nullptr ? Id{} : *id;
  }
  /** From now on, every id must be known. */
  void StartLastReading() { is_last_reading_ = true; }

 private:
  [[noreturn]] static void ThrowUnknown(int64_t saved);
  template <typename Id>
  std::map<int64_t, Id>& Table() {
    std::any& table = tables_[typeid(Id)];
    if (!table.has_value()) table = std::map<int64_t, Id>();
    return std::any_cast<std::map<int64_t, Id>&>(table);
  }
  std::map<std::type_index, std::any> tables_;
  bool is_last_reading_{false};
};

/** Stream from which LoadContext() reads values. */
class SavedValueStream final : public std::istringstream {
 public:
  using std::istringstream::istringstream;
  /** The ids of the values in this stream. */
  SavedIds& ids() { return ids_; }

 private:
  SavedIds ids_;
};

/** Writes an Identifier. */
template <typename Id>
void WriteId(Id id, std::ostream* stream) {
  WriteBinary(id.get_value(), stream);
}
/** Reads what WriteId() wrote; equal saved ids become equal new ones. */
template <typename Id>
Id ReadId(std::istream* stream) {
  int64_t saved{};
  ReadBinary(&saved, stream);
  return SavedIds::Of(stream).Get<Id>(saved);
}

/** How values of abstract states, parameters and inputs are written and read,
by type. Known from the start: bool, int, int64_t, double, std::string,
Eigen::VectorXd and Eigen::MatrixXd; other types of the library are known once
there is a System that uses them. Thread-safe. */
class ValueSerialization {
 public:
  /** Adds or replaces a type V.
  @throws std::logic_error if a function is empty. */
  template <typename V>
  static void Register(
      std::function<void(const V& value, std::ostream* stream)> write,
      std::function<void(V* value, std::istream* stream)> read) {
    const bool is_complete = write != nullptr && read != nullptr;
    Functions functions{
        .write =
            [write = std::move(write)](const AbstractValue& value,
                                       std::ostream* stream) {
              write(value.get_value<V>(), stream);
            },
        .read =
            [read = std::move(read)](AbstractValue* value,
                                     std::istream* stream) {
              read(&value->get_mutable_value<V>(), stream);
            },
        .make = nullptr,
        .type_name = {}};
    if constexpr (std::is_default_constructible_v<V>) {
      functions.make = [] { return AbstractValue::Make<V>(); };
    }
    RegisterFunctions(typeid(V), is_complete, std::move(functions));
  }

  /** Writes the name of the type, and the value.
  @throws std::logic_error if the type is not known, naming it. */
  static void Write(const AbstractValue& value, std::ostream* stream);
  /** Reads into `value`.
  @throws std::runtime_error if another type was written, naming both. */
  static void Read(AbstractValue* value, std::istream* stream);
  /** Reads what was written into a new value.
  @throws std::runtime_error if the type is not known, or has no default
  constructor, naming it. */
  static std::unique_ptr<AbstractValue> ReadNew(std::istream* stream);

 private:
  using WriteFunction =
      std::function<void(const AbstractValue&, std::ostream*)>;
  using ReadFunction = std::function<void(AbstractValue*, std::istream*)>;
  struct Functions {
    WriteFunction write;
    ReadFunction read;
    std::function<std::unique_ptr<AbstractValue>()> make;
    std::string type_name;
  };
  struct Table;
  static Table& table();
  static Functions Find(const AbstractValue& value);
  static void RegisterFunctions(const std::type_info& type, bool is_complete,
                                Functions functions);
};

}  // namespace wyvern
