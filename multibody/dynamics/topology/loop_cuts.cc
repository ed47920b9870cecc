#include "wyvern/multibody/dynamics/topology/loop_cuts.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::multibody::dynamics {

CutGraph CutAtJoints(const LinkJointGraph& graph,
                     const std::vector<int>& joints) {
  CutGraph result;
  std::vector<LinkJointGraph::Joint> ends = graph.joints();
  while (result.graph.num_links() < graph.num_links()) result.graph.AddLink();
  for (int joint : joints) {
    if (joint < 0 || joint >= graph.num_joints()) {
      throw std::out_of_range(fmt::format(
          "CutAtJoints(): there is no joint {}; joints are in [0, {}).", joint,
          graph.num_joints()));
    }
    int& end = ends[joint].child_link != 0 ? ends[joint].child_link
                                           : ends[joint].parent_link;
    const int shadow = result.graph.AddLink();
    result.shadows.push_back({LinkIndex(shadow), LinkIndex(end), joint});
    end = shadow;
  }
  for (const auto& [parent, child] : ends) {
    result.graph.AddJoint(parent, child);
  }
  return result;
}

}  // namespace wyvern::multibody::dynamics
