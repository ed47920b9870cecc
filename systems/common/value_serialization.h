#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <type_traits>

#include <Eigen/Core>

#include "wyvern/systems/common/value.h"

namespace wyvern {

/** @file Values written to a stream and read back, bit for bit.

Numbers are stored as they are in memory, little end first. Every reader throws
std::runtime_error if the stream ends early or holds what cannot be: a file may
be truncated or hostile. */

/** Writes a number, enumeration or bool as its bytes. */
template <typename N>
requires(std::is_arithmetic_v<N> ||
         std::is_enum_v<N>) void WriteBinary(const N& value,
                                             std::ostream* stream) {
  stream->write(reinterpret_cast<const char*>(&value), sizeof(N));
}
void WriteBinary(const std::string& value, std::ostream* stream);
void WriteBinary(const Eigen::Ref<const Eigen::MatrixXd>& value,
                 std::ostream* stream);

namespace internal {
void ReadBytes(void* to, size_t size, std::istream* stream);
}  // namespace internal

template <typename N>
requires(std::is_arithmetic_v<N> ||
         std::is_enum_v<N>) void ReadBinary(N* value, std::istream* stream) {
  internal::ReadBytes(value, sizeof(N), stream);
}
void ReadBinary(std::string* value, std::istream* stream);
/** Resizes `value`. */
void ReadBinary(Eigen::MatrixXd* value, std::istream* stream);
void ReadBinary(Eigen::VectorXd* value, std::istream* stream);

/** How values of abstract states, parameters and inputs are written and read,
by type. Known from the start: bool, int, int64_t, double, std::string,
Eigen::VectorXd and Eigen::MatrixXd. Thread-safe. */
class ValueSerialization {
 public:
  /** Adds or replaces a type V.
  @throws std::logic_error if a function is empty. */
  template <typename V>
  static void Register(
      std::function<void(const V& value, std::ostream* stream)> write,
      std::function<void(V* value, std::istream* stream)> read) {
    const bool is_complete = write != nullptr && read != nullptr;
    RegisterFunctions(
        typeid(V), is_complete,
        [write = std::move(write)](const AbstractValue& value,
                                   std::ostream* stream) {
          write(value.get_value<V>(), stream);
        },
        [read = std::move(read)](AbstractValue* value, std::istream* stream) {
          read(&value->get_mutable_value<V>(), stream);
        });
  }

  /** @throws std::logic_error if the type is not known, naming it. */
  static void Write(const AbstractValue& value, std::ostream* stream);
  /** Reads into `value`, which is of the type that was written. */
  static void Read(AbstractValue* value, std::istream* stream);

 private:
  using WriteFunction =
      std::function<void(const AbstractValue&, std::ostream*)>;
  using ReadFunction = std::function<void(AbstractValue*, std::istream*)>;
  struct Functions {
    WriteFunction write;
    ReadFunction read;
  };
  struct Table;
  static Table& table();
  static Functions Find(const AbstractValue& value);
  static void RegisterFunctions(const std::type_info& type, bool is_complete,
                                WriteFunction write, ReadFunction read);
};

}  // namespace wyvern
