#include "wyvern/multibody/parsing/urdf_builder.h"

#include <memory>

#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"

namespace wyvern::multibody::internal {

namespace {

/** Adds the parts of one model to a plant. */
class UrdfBuilder {
 public:
  UrdfBuilder(const std::string& name, MultibodyPlant<double>* plant)
      : plant_(*plant), instance_(plant->AddModelInstance(name)) {}

  ModelInstanceIndex instance() const { return instance_; }

  void AddLink(const UrdfLink& link) {
    plant_.AddRigidBody(link.name, instance_, link.M_BBo_B);
  }

  void AddJoint(const UrdfJoint& joint) {
    const Frame<double>& F = AddOffsetFrame(
        joint.name + "_parent", BodyFrame(joint.parent), joint.X_PF);
    // A joint belongs to the model instance of its frame M.
    const Frame<double>& M =
        joint.child == kUrdfWorld
            ? AddOffsetFrame(joint.name + "_child", plant_.world_frame(), {})
            : BodyFrame(joint.child);
    switch (joint.type) {
      case UrdfJointType::kFixed:
        plant_.AddJoint(std::make_unique<WeldJoint<double>>(
            joint.name, F, M, math::RigidTransform<double>()));
        return;
      case UrdfJointType::kRevolute:
        AddOneDofJoint<RevoluteJoint>(joint, F, M);
        return;
      case UrdfJointType::kPrismatic:
        AddOneDofJoint<PrismaticJoint>(joint, F, M);
        return;
      case UrdfJointType::kFloating:
        plant_.AddJoint(std::make_unique<QuaternionFloatingJoint<double>>(
            joint.name, F, M));
        return;
    }
  }

  void AddFrame(const UrdfFrame& frame) {
    AddOffsetFrame(frame.name, BodyFrame(frame.link), frame.X_LF);
  }

  void AddActuator(const UrdfActuator& actuator) {
    const JointActuatorIndex index =
        plant_
            .AddJointActuator(actuator.name,
                              plant_.GetJointByName(actuator.joint, instance_),
                              actuator.effort_limit)
            .index();
    JointActuator<double>& added = plant_.get_mutable_joint_actuator(index);
    added.set_default_rotor_inertia(actuator.rotor_inertia);
    added.set_default_gear_ratio(actuator.gear_ratio);
    if (actuator.gains.has_value()) {
      added.set_controller_gains(
          {.p = actuator.gains->p, .d = actuator.gains->d});
    }
  }

 private:
  const Frame<double>& BodyFrame(const std::string& link) const {
    if (link == kUrdfWorld) return plant_.world_frame();
    return plant_.GetBodyByName(link, instance_).body_frame();
  }

  const Frame<double>& AddOffsetFrame(
      const std::string& name, const Frame<double>& parent,
      const math::RigidTransform<double>& X_PF) {
    return plant_.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
        name, parent, X_PF, instance_));
  }

  template <template <typename> class JointType>
  void AddOneDofJoint(const UrdfJoint& joint, const Frame<double>& F,
                      const Frame<double>& M) {
    const JointIndex index = plant_
                                 .AddJoint(std::make_unique<JointType<double>>(
                                     joint.name, F, M, joint.axis, joint.lower,
                                     joint.upper, joint.damping))
                                 .index();
    Joint<double>& added = plant_.get_mutable_joint(index);
    const auto one = [](double x) { return VectorX<double>::Constant(1, x); };
    added.set_velocity_limits(one(-joint.velocity), one(joint.velocity));
    added.set_acceleration_limits(one(-joint.acceleration),
                                  one(joint.acceleration));
  }

  MultibodyPlant<double>& plant_;
  const ModelInstanceIndex instance_;
};

}  // namespace

ModelInstanceIndex AddUrdfToPlant(const UrdfModel& model,
                                  const std::string& name,
                                  MultibodyPlant<double>* plant) {
  UrdfBuilder builder(name, plant);
  for (const UrdfLink& link : model.links) builder.AddLink(link);
  for (const UrdfJoint& joint : model.joints) builder.AddJoint(joint);
  for (const UrdfFrame& frame : model.frames) builder.AddFrame(frame);
  for (const UrdfActuator& actuator : model.actuators) {
    builder.AddActuator(actuator);
  }
  return builder.instance();
}

}  // namespace wyvern::multibody::internal
