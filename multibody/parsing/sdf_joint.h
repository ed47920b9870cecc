#pragma once

#include <functional>
#include <optional>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/parsing/parsed_model.h"
#include "wyvern/multibody/parsing/sdf_element.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** Reads a <joint>: all but its links, frames and axes, which are up to the
caller. Sets `actuator` if the joint has one: one degree of freedom and an
effort limit, if any, that is not 0. Warns of what a joint of its type does not
have.
@throws std::runtime_error "file:line: ..." if it is not valid or of a type that
is not supported. */
ParsedJoint ReadSdfJoint(const SdfElement& element,
                         std::optional<ParsedActuator>* actuator,
                         WarningLog* log);

/** Sets the axis of a joint of one degree of freedom.
@param read_axis gives <axis> (0) and <axis2> (1) in the joint's frame J.
@returns R_JF, which turns J so that its axes are those that the joint's type
wants. @throws std::runtime_error if an axis has no direction, or those of a
universal joint are not perpendicular. */
math::RotationMatrix<double> SetSdfAxes(
    const SdfElement& element,
    const std::function<Vector3<double>(int)>& read_axis, ParsedJoint* joint);

/** Reads a <drake:joint>, which is planar: between the frames that the caller
finds by the names in <drake:parent> and <drake:child>. */
ParsedJoint ReadSdfExtensionJoint(const SdfElement& element, WarningLog* log);

}  // namespace wyvern::multibody::internal
