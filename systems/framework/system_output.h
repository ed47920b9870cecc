#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

/** One value per output port of a System, for System::CalcOutput(). A bad index
throws std::out_of_range. */
template <typename T>
class SystemOutput {
 public:
  /** Number of output ports. */
  int num_ports() const { return static_cast<int>(values_.size()); }
  /** The value of a port of either kind. */
  const AbstractValue* get_data(int index) const { return At(index); }
  /** The value of a vector-valued port; null if it is abstract-valued. */
  const BasicVector<T>* get_vector_data(int index) const {
    return At(index)->template maybe_get_value<BasicVector<T>>();
  }
  /** Mutable variant of get_data(). */
  AbstractValue* GetMutableData(int index) { return At(index); }
  /** Mutable variant of get_vector_data(). */
  BasicVector<T>* GetMutableVectorData(int index) {
    return At(index)->template maybe_get_mutable_value<BasicVector<T>>();
  }
  /** The id of the System that this was made for. */
  internal::SystemId get_system_id() const { return system_id_; }

 private:
  template <typename>
  friend class System;
  AbstractValue* At(int index) const {
    if (index < 0 || index >= num_ports()) {
      throw std::out_of_range("SystemOutput: the value of output port " +
                              std::to_string(index) +
                              " was asked for; there are " +
                              std::to_string(num_ports()) + " ports.");
    }
    return values_[index].get();
  }

  std::vector<std::unique_ptr<AbstractValue>> values_;
  internal::SystemId system_id_;
};

}  // namespace wyvern::systems
