#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_geom.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Reads the springs, dampers and limits of fixed tendons; their other effects
are read by the actuators. @throws std::runtime_error "file:line: ..." at a
tendon that is not valid, or that acts along a path in space, which is not
modelled. */
void ReadMjcfTendons(const MjcfDocument& document, const MjcfContext& context,
                     const MjcfTree& tree, ParsedModel* model);

/** A joint of one degree of freedom, and how much of a force on a tendon, or on
the joint itself, moves it. */
struct MjcfPull {
  const MjcfMovement* moved{};
  double coefficient{1};
  /** Whether the tendon has more joints, all tied to this one. */
  bool is_shared{false};
};

/** Returns the joint that the fixed tendon `name` pulls. If the tendon has
several joints, `model` must tie them to the first joint by couplers. A force on
one joint that does the same work then has the same effect.
@throws std::runtime_error "file:line: ..." at `actuator`, if there is no such
tendon or its joints move apart. */
MjcfPull FindMjcfPull(const MjcfElement& actuator, const std::string& name,
                      const MjcfDocument& document, const MjcfTree& tree,
                      const ParsedModel& model);

/** The joint of that name. @throws std::runtime_error "file:line: ..." at
`element` if it is not there or has not one degree of freedom. */
const MjcfMovement& RequireMjcfJoint(const MjcfElement& element,
                                     const std::string& name,
                                     const MjcfTree& tree);

}  // namespace wyvern::multibody::internal
