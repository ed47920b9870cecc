#include "wyvern/multibody/dynamics/topology/link_joint_graph.h"

#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::multibody::dynamics {

int LinkJointGraph::AddJoint(int parent_link, int child_link) {
  for (int link : {parent_link, child_link}) {
    if (link < 0 || link >= num_links_) {
      throw std::out_of_range(fmt::format(
          "LinkJointGraph::AddJoint(): there is no link {}; links are in "
          "[0, {}). Call AddLink() first.",
          link, num_links_));
    }
  }
  if (parent_link == child_link) {
    throw std::logic_error(fmt::format(
        "LinkJointGraph::AddJoint(): joint {} would join link {} to itself; a "
        "joint needs two different links.",
        num_joints(), parent_link));
  }
  joints_.push_back({parent_link, child_link});
  return num_joints() - 1;
}

}  // namespace wyvern::multibody::dynamics
