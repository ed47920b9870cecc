#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

namespace wyvern::bench {

/** A body and its inboard joint, as every engine is told of it. */
struct BodyDescription {
  int parent{-1};  // Index of the inboard body; -1 for the world.
  char type{'R'};  // F: free, R: revolute, P: prismatic.
  Eigen::Vector3d axis{0, 0, 1};
  Eigen::Vector3d position{0, 0, 0};  // Of the joint's frame in the parent's;
  Eigen::Matrix3d rotation{Eigen::Matrix3d::Identity()};  // body frame is it.
  double mass{};
  Eigen::Vector3d com{0, 0, 0};
  Eigen::Matrix3d inertia{Eigen::Matrix3d::Zero()};  // About the com.
};

/** Bodies, each after its parent; only the first may be free. */
struct ModelDescription {
  std::string name;
  std::vector<BodyDescription> bodies;
  bool is_floating() const { return bodies.front().type == 'F'; }
};

/** An arm of seven revolute joints on the world. */
ModelDescription MakeArm();
/** A floating trunk with two legs of six joints, two arms of seven, and a head
of two. */
ModelDescription MakeHumanoid();
/** A line per body: parent, type, axis (3), position (3), rotation (9, by row),
mass, com (3), inertia about it (xx xy yy xz yz zz), name.
@throws std::runtime_error if the file cannot be read. */
ModelDescription ReadModelFile(const std::string& path);

/** A state, accelerations and generalized forces: the same for every engine.
One entry per joint in the order of the bodies; a free base has its own. */
struct Sample {
  Eigen::Vector4d base_quaternion;  // w x y z.
  Eigen::Vector3d base_position;
  Eigen::VectorXd q, v, vdot, tau;  // Of the one-axis joints.
};
std::vector<Sample> MakeSamples(const ModelDescription& model, int count);

}  // namespace wyvern::bench
