#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/topology/indexes.h"
#include "wyvern/multibody/dynamics/topology/link_joint_graph.h"

namespace wyvern::multibody::dynamics {

/** A graph whose loops are cut. A joint at which it is cut has its child end on
a new link, the shadow of the child (its parent end, of the parent, if the child
is the world). A shadow is to share the mass of its primary link, and a
constraint is to weld them together. */
struct CutGraph {
  /** A link that was added in place of a joint's end. */
  struct Shadow {
    /** The new link. */
    LinkIndex link{};
    /** The link whose mass it shares. */
    LinkIndex primary_link{};
    /** The joint that was cut. */
    int joint{};
  };
  /** The links and joints there were, under their numbers, then the shadows. */
  LinkJointGraph graph;
  /** In the order of the joints that were given. */
  std::vector<Shadow> shadows;
};

/** @param joints Say SpanningForest::loop_joints(): cut at those a graph is a
forest. @throws std::out_of_range if there is no such joint. */
CutGraph CutAtJoints(const LinkJointGraph& graph,
                     const std::vector<int>& joints);

}  // namespace wyvern::multibody::dynamics
