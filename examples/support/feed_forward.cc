#include "examples/support/feed_forward.h"

#include <algorithm>

namespace wyvern::examples {

using multibody::MultibodyPlant;
using systems::BasicVector;
using systems::Context;
using systems::InputPortIndex;

namespace {

// Below it friction is proportional to the velocity, rad/s or m/s.
constexpr double kSlow = 1e-3;

}  // namespace

FeedForward::FeedForward(const MultibodyPlant<double>& model)
    : model_(model), friction_(model.num_actuators()) {
  int actuator = 0;
  for (const auto index : model.GetJointActuatorIndices()) {
    const auto& joint = model.get_joint_actuator(index).joint();
    friction_[actuator] = joint.default_friction_vector()[0];
    driven_.push_back({actuator, joint.velocity_start(), 1.0});
    for (const auto& [id, spec] : model.get_coupler_constraint_specs()) {
      if (spec.joint1_index != joint.index()) continue;
      driven_.push_back({actuator,
                         model.get_joint(spec.joint0_index).velocity_start(),
                         spec.gear_ratio});
    }
    ++actuator;
  }
  DeclareVectorInputPort("state", model.num_multibody_states());
  DeclareVectorInputPort("desired", 3 * model.num_actuators());
  model_context_ =
      &DeclareCacheEntry("model context", *model.CreateDefaultContext(),
                         &FeedForward::UpdateModelContext,
                         {input_port_ticket(InputPortIndex(0)),
                          input_port_ticket(InputPortIndex(1))});
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.num_velocities());
  torques_ = &DeclareCacheEntry(
      "torques", Room{multibody::MultibodyForces<double>(model), zero, zero},
      &FeedForward::CalcTorques,
      {model_context_->ticket(), input_port_ticket(InputPortIndex(1))});
  DeclareVectorOutputPort(
      "actuation", model.num_actuators(), &FeedForward::CalcActuation,
      {torques_->ticket(), input_port_ticket(InputPortIndex(1))});
}

void FeedForward::UpdateModelContext(const Context<double>& context,
                                     Context<double>* model_context) const {
  const Eigen::VectorXd& desired = get_input_port(1).Eval(context);
  model_.SetPositionsAndVelocities(model_context,
                                   get_input_port(0).Eval(context));
  auto& x = model_context->get_mutable_continuous_state_vector();
  for (const Driven& d : driven_) {
    x[model_.num_positions() + d.velocity] =
        d.ratio * desired[model_.num_actuators() + d.actuator];
  }
}

void FeedForward::CalcTorques(const Context<double>& context,
                              Room* room) const {
  const auto& model_context = model_context_->Eval<Context<double>>(context);
  const Eigen::VectorXd& desired = get_input_port(1).Eval(context);
  for (const Driven& d : driven_) {
    room->vdot[d.velocity] =
        d.ratio * desired[2 * model_.num_actuators() + d.actuator];
  }
  using multibody::engine::Gravity;
  model_.CalcForceElementsContribution(model_context, &room->forces,
                                       Gravity::kOff);
  model_.CalcInverseDynamics(model_context, room->vdot, room->forces,
                             &room->tau, Gravity::kOn);
}

void FeedForward::CalcActuation(const Context<double>& context,
                                BasicVector<double>* actuation) const {
  const Room& room = torques_->Eval<Room>(context);
  const Eigen::VectorXd& desired = get_input_port(1).Eval(context);
  const int n = model_.num_actuators();
  for (int i = 0; i < n; ++i) {
    const double v = desired[n + i];
    (*actuation)[i] = friction_[i] * std::clamp(v / kSlow, -1.0, 1.0);
  }
  for (const Driven& d : driven_) {
    (*actuation)[d.actuator] += d.ratio * room.tau[d.velocity];
  }
}

}  // namespace wyvern::examples
