#pragma once

#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

class SystemBase;

/** Base of input and output ports: a name, an index, a kind of data, a size,
and the System to which the port belongs. */
class PortBase {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PortBase);
  virtual ~PortBase() = default;

  /** The name, unique among ports of one direction of the System. */
  const std::string& get_name() const { return name_; }
  /** Vector-valued or abstract-valued. */
  PortDataType get_data_type() const { return data_type_; }
  /** The number of elements of a vector-valued port; 0 if abstract-valued. */
  int size() const { return size_; }
  /** The ticket to depend on this port with. */
  DependencyTicket ticket() const { return ticket_; }
  /** "InputPort[1] (u1) of System ::diagram::gain (Gain<double>)". */
  std::string GetFullDescription() const;
  /** A note to users that the port is going away. */
  void set_deprecation(std::optional<std::string> deprecation) {
    deprecation_ = std::move(deprecation);
  }
  /** The note of set_deprecation(), or empty. */
  const std::optional<std::string>& get_deprecation() const {
    return deprecation_;
  }

  /** @name Units
  Optional tags such as "rad" or "N m", one for each element of a vector. An
  empty text says nothing. DiagramBuilder refuses to connect elements whose tags
  differ as texts, so write symbols of the SI with one space between factors, as
  in "kg m/s^2".
  @{ */
  /** Tags all elements alike.
  @throws std::logic_error if the port is abstract-valued. */
  void set_unit(const std::string& unit);
  /** Tags each element; an empty list removes all tags.
  @throws std::logic_error if the port is abstract-valued, or the list has
  another size than the port. */
  void set_units(std::vector<std::string> units);
  /** The tags by element; empty if the port has none. */
  const std::vector<std::string>& units() const { return units_; }
  /** "rad" if all elements have this tag, "rad, rad/s" if tags differ, where
  "-" stands for no tag, and "" without tags. */
  std::string DescribeUnits() const;
  /** @} */

  /** @throws std::logic_error saying that the port's `value` was read as a
  `wanted`. */
  [[noreturn]] void ThrowWrongType(const AbstractValue& value,
                                   const std::type_info& wanted) const;

 protected:
  PortBase(const char* kind, SystemBase* owning_system, std::string name,
           int index, DependencyTicket ticket, PortDataType data_type,
           int size);

  int get_int_index() const { return index_; }
  /** Returns the value of an Eval().
  @throws std::logic_error if there is none. */
  template <typename ValueType>
  const ValueType& RequireType(const ValueType* found,
                               const AbstractValue& value) const {
    if (found == nullptr) [[unlikely]] {
      ThrowWrongType(value, typeid(ValueType));
    }
    return *found;
  }
  const SystemBase& get_system_base() const { return *owning_system_; }
  /** The id of the System that the port belongs to. */
  internal::SystemId get_system_id() const { return system_id_; }

 private:
  const internal::SystemId system_id_;
  const char* const kind_;
  SystemBase* const owning_system_;
  const int index_;
  const DependencyTicket ticket_;
  const PortDataType data_type_;
  const int size_;
  const std::string name_;
  std::optional<std::string> deprecation_;
  std::vector<std::string> units_;
};

}  // namespace wyvern::systems
