#pragma once

#include <memory>
#include <vector>

#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::systems {

/** One value per output port of a System, for System::CalcOutput(). */
template <typename T>
class SystemOutput {
 public:
  int num_ports() const { return static_cast<int>(values_.size()); }
  const AbstractValue* get_data(int index) const {
    return values_.at(index).get();
  }
  /** The value of a vector-valued port; null if it is abstract-valued. */
  const BasicVector<T>* get_vector_data(int index) const {
    return values_.at(index)->template maybe_get_value<BasicVector<T>>();
  }
  AbstractValue* GetMutableData(int index) { return values_.at(index).get(); }
  BasicVector<T>* GetMutableVectorData(int index) {
    return values_.at(index)
        ->template maybe_get_mutable_value<BasicVector<T>>();
  }
  internal::SystemId get_system_id() const { return system_id_; }

 private:
  template <typename>
  friend class System;
  std::vector<std::unique_ptr<AbstractValue>> values_;
  internal::SystemId system_id_;
};

}  // namespace wyvern::systems
