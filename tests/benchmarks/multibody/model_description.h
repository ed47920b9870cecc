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

/** Bodies depth first; only the first may be free. */
struct ModelDescription {
  std::string name;
  std::vector<BodyDescription> bodies;
  bool is_floating() const { return bodies.front().type == 'F'; }
  /** Joints of one axis: all but a free base. */
  int num_joints() const {
    return static_cast<int>(bodies.size()) - (is_floating() ? 1 : 0);
  }
  int num_v() const { return num_joints() + (is_floating() ? 6 : 0); }
};

/** KUKA's iiwa 14: seven revolute joints on the world. */
ModelDescription MakeIiwa14();
/** 22 degrees of freedom: a floating trunk, two legs of six joints, two arms
of two. */
ModelDescription MakeBiped();
/** 38 degrees of freedom: a floating pelvis, two legs of six joints, a torso
of two; on it two arms of seven with a gripper each, and a head of two. */
ModelDescription MakeHumanoid();
/** `n` revolute joints in a row, about x, y, z in turn. */
ModelDescription MakeChain(int n);
/** A line per body: parent, type, axis (3), position (3), rotation (9, by row),
mass, com (3), inertia about it (xx xy yy xz yz zz), name.
@throws std::runtime_error if the file cannot be read. */
ModelDescription ReadModelFile(const std::string& path);

/** A state, accelerations and generalized forces: the same for every engine.
v, vdot and tau are Wyvern's: a free base's are six, its angular and linear
velocity in the axes of the world. */
struct Sample {
  Eigen::Vector4d base_quaternion;  // w x y z.
  Eigen::Vector3d base_position;
  Eigen::VectorXd joint_q;  // Of the one-axis joints.
  Eigen::VectorXd v, vdot, tau;
};
std::vector<Sample> MakeSamples(const ModelDescription& model, int count);

}  // namespace wyvern::bench
