#include "wyvern/multibody/parsing/joint_builder.h"

#include <memory>

#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/screw_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"

namespace wyvern::multibody::internal {

namespace {

std::unique_ptr<Joint<double>> MakeJoint(const ParsedJoint& joint,
                                         const Frame<double>& F,
                                         const Frame<double>& M) {
  const double damping = joint.damping[0];
  switch (joint.type) {
    case ParsedJointType::kFixed:
      return std::make_unique<WeldJoint<double>>(
          joint.name, F, M, math::RigidTransform<double>());
    case ParsedJointType::kRevolute:
      return std::make_unique<RevoluteJoint<double>>(
          joint.name, F, M, joint.axis, joint.lower, joint.upper, damping);
    case ParsedJointType::kPrismatic:
      return std::make_unique<PrismaticJoint<double>>(
          joint.name, F, M, joint.axis, joint.lower, joint.upper, damping);
    case ParsedJointType::kScrew:
      return std::make_unique<ScrewJoint<double>>(joint.name, F, M, joint.axis,
                                                  joint.screw_pitch, damping);
    case ParsedJointType::kBall:
      return std::make_unique<BallRpyJoint<double>>(joint.name, F, M, damping);
    case ParsedJointType::kQuaternionBall:
      return std::make_unique<QuaternionBallJoint<double>>(joint.name, F, M,
                                                           damping);
    case ParsedJointType::kUniversal:
      return std::make_unique<UniversalJoint<double>>(joint.name, F, M,
                                                      damping);
    case ParsedJointType::kPlanar:
      return std::make_unique<PlanarJoint<double>>(joint.name, F, M,
                                                   joint.damping);
    case ParsedJointType::kFloating:
      break;
  }
  return std::make_unique<QuaternionFloatingJoint<double>>(joint.name, F, M,
                                                           damping, damping);
}

}  // namespace

JointIndex AddJointToPlant(const ParsedJoint& joint, const Frame<double>& F,
                           const Frame<double>& M,
                           MultibodyPlant<double>* plant) {
  const JointIndex index = plant->AddJoint(MakeJoint(joint, F, M)).index();
  Joint<double>& added = plant->get_mutable_joint(index);
  if (joint.friction > 0) {
    added.set_default_friction_vector(
        VectorX<double>::Constant(added.num_velocities(), joint.friction));
  }
  if (joint.armature > 0) {
    added.set_default_armature_vector(
        VectorX<double>::Constant(added.num_velocities(), joint.armature));
  }
  if (joint.default_positions.has_value()) {
    added.set_default_positions(*joint.default_positions);
  }
  if (added.num_velocities() != 1) return index;
  const auto one = [](double x) { return VectorX<double>::Constant(1, x); };
  if (joint.type == ParsedJointType::kScrew) {
    added.set_position_limits(one(joint.lower), one(joint.upper));
  }
  added.set_velocity_limits(one(-joint.velocity), one(joint.velocity));
  added.set_acceleration_limits(one(-joint.acceleration),
                                one(joint.acceleration));
  return index;
}

}  // namespace wyvern::multibody::internal
