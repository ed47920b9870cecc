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
/** Numbers the input ports of a System. */
using InputPortIndex = TypeSafeIndex<class InputPortTag>;
/** Numbers the output ports of a System. */
using OutputPortIndex = TypeSafeIndex<class OutputPortTag>;
/** Names something a computation can depend on; see SystemBase. */
using DependencyTicket = TypeSafeIndex<class DependencyTag>;
/** Numbers the entries of a cache. */
using CacheIndex = TypeSafeIndex<class CacheTag>;
/** A System has at most one vector of continuous state, number 0. */
using ContinuousStateIndex = TypeSafeIndex<class ContinuousStateTag>;
/** Numbers the groups of discrete state. */
using DiscreteStateIndex = TypeSafeIndex<class DiscreteStateTag>;
/** Numbers the abstract state variables. */
using AbstractStateIndex = TypeSafeIndex<class AbstractStateTag>;
/** Numbers the groups of numeric parameters. */
using NumericParameterIndex = TypeSafeIndex<class NumericParameterTag>;
/** Numbers the abstract parameters. */
using AbstractParameterIndex = TypeSafeIndex<class AbstractParameterTag>;
/** Numbers the constraints of a System. */
using SystemConstraintIndex = TypeSafeIndex<class SystemConstraintTag>;

/** Type of a port's value: a BasicVector, or an AbstractValue of any type. */
enum PortDataType {
  kVectorValued = 0,
  kAbstractValued = 1,
};

/** Given in place of a name: the framework makes one, such as "u0". */
struct UseDefaultName {};
/** The only value of UseDefaultName. */
constexpr UseDefaultName kUseDefaultName = {};

/** True if `value` asks for the default name. */
inline bool operator==(const std::variant<std::string, UseDefaultName>& value,
                       const UseDefaultName&) {
  return std::holds_alternative<UseDefaultName>(value);
}

/** A port chosen by rule instead of by index. */
enum class InputPortSelection { kNoInput = -1, kUseFirstInputIfItExists = -2 };
/** An output port chosen by rule instead of by index. */
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
