#pragma once

/** @file
Names shared by the whole dataflow framework: index types, the two
kinds of port, and how a port asks for a default name or is selected. */

#include <string>
#include <variant>

#include "wyvern/systems/common/identifier.h"
#include "wyvern/systems/common/type_safe_index.h"

namespace wyvern::systems {

/** Numbers the subsystems of a Diagram. */
using SubsystemIndex = TypeSafeIndex<class SubsystemTag>;
using InputPortIndex = TypeSafeIndex<class InputPortTag>;
using OutputPortIndex = TypeSafeIndex<class OutputPortTag>;
/** Names something a computation can depend on; see SystemBase. */
using DependencyTicket = TypeSafeIndex<class DependencyTag>;
using CacheIndex = TypeSafeIndex<class CacheTag>;
/** A System has at most one vector of continuous state, number 0. */
using ContinuousStateIndex = TypeSafeIndex<class ContinuousStateTag>;
using DiscreteStateIndex = TypeSafeIndex<class DiscreteStateTag>;
using AbstractStateIndex = TypeSafeIndex<class AbstractStateTag>;
using NumericParameterIndex = TypeSafeIndex<class NumericParameterTag>;
using AbstractParameterIndex = TypeSafeIndex<class AbstractParameterTag>;
using SystemConstraintIndex = TypeSafeIndex<class SystemConstraintTag>;

/** Type of a port's value: a BasicVector, or an AbstractValue of any type. */
enum PortDataType {
  kVectorValued = 0,
  kAbstractValued = 1,
};

/** Given in place of a name: the framework makes one, such as "u0". */
struct UseDefaultName {};
constexpr UseDefaultName kUseDefaultName = {};

/** True if `value` asks for the default name. */
inline bool operator==(const std::variant<std::string, UseDefaultName>& value,
                       const UseDefaultName&) {
  return std::holds_alternative<UseDefaultName>(value);
}

/** A port chosen by rule instead of by index. */
enum class InputPortSelection { kNoInput = -1, kUseFirstInputIfItExists = -2 };
enum class OutputPortSelection {
  kNoOutput = -1,
  kUseFirstOutputIfItExists = -2
};

namespace internal {
/** Says which System a Context, or a part of one, was made for. */
using SystemId = Identifier<class SystemIdTag>;
/** The size of a vector port that takes the size of what it is connected to. */
enum PortSize { kAutoSize = -1 };
}  // namespace internal

}  // namespace wyvern::systems
