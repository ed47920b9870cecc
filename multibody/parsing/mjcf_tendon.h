#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_geom.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Reads the springs, dampers and limits of tendons, and the paths of spatial
ones that actuators pull; other effects of fixed tendons are read by the
actuators.
@throws std::runtime_error "file:line: ..." at a tendon that is not valid, or
has a part that is not modelled. */
void ReadMjcfTendons(const MjcfDocument& document, const MjcfContext& context,
                     const MjcfTree& tree, ParsedModel* model);

/** A joint of one degree of freedom, and how much of a force on a tendon, or on
the joint itself, moves it; or the joints of a fixed tendon; or a spatial
tendon. */
struct MjcfPull {
  /** Null for several joints that move apart. */
  const MjcfMovement* moved{};
  double coefficient{1};
  /** Whether the tendon has more joints, all tied to this one. */
  bool is_shared{false};
  /** The joints that move apart. */
  std::vector<ParsedTendonTerm> terms{};
  /** The spatial tendon; null for joints. */
  const ParsedTendon* path{};
};

/** Returns the spatial tendon `name` of `model`, or the joint that the fixed
tendon `name` pulls, or its joints. If the
couplers of `model` tie all joints to the first one, a force on that joint that
does the same work has the same effect.
@throws std::runtime_error "file:line: ..." at `actuator` if there is no such
tendon, or at a joint of the tendon that is not valid. */
MjcfPull FindMjcfPull(const MjcfElement& actuator, const std::string& name,
                      const MjcfDocument& document, const MjcfTree& tree,
                      const ParsedModel& model);

/** Returns the joints of the fixed tendon `name`.
@throws std::runtime_error "file:line: ..." at `element` if there is no such
tendon, or at a joint of the tendon that is not valid. */
std::vector<ParsedTendonTerm> RequireMjcfTendon(const MjcfElement& element,
                                                const std::string& name,
                                                const MjcfDocument& document,
                                                const MjcfTree& tree);

/** Throws unless the joints are in at most two trees of bodies; a row of a step
has no more. @param what the element with the row, such as "a limited tendon".
@throws std::runtime_error "file:line: ..." at `element`. */
void RequireTwoTrees(const MjcfElement& element, std::string_view what,
                     const MjcfTree& tree,
                     const std::vector<ParsedTendonTerm>& terms);

/** Overload for the bodies of a path. */
void RequireTwoTrees(const MjcfElement& element, std::string_view what,
                     const MjcfTree& tree,
                     const std::vector<ParsedTendonSegment>& segments);

/** The joint of that name. @throws std::runtime_error "file:line: ..." at
`element` if it is not there or has not one degree of freedom. */
const MjcfMovement& RequireMjcfJoint(const MjcfElement& element,
                                     const std::string& name,
                                     const MjcfTree& tree);

}  // namespace wyvern::multibody::internal
