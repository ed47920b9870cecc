#include "examples/support/desired_motion.h"

#include "examples/support/waypoints.h"

namespace wyvern::examples {

using multibody::MultibodyPlant;
using systems::BasicVector;
using systems::Context;

DesiredMotion::DesiredMotion(const MultibodyPlant<double>& plant)
    : num_positions_(plant.num_positions()) {
  for (const auto actuator : plant.GetJointActuatorIndices()) {
    velocities_.push_back(JointOf(plant, actuator).velocity_start());
  }
  DeclareVectorInputPort("state", plant.num_multibody_states());
  DeclareVectorInputPort("desired", 3 * plant.num_actuators());
  DeclareVectorOutputPort("state", plant.num_multibody_states(),
                          &DesiredMotion::CalcState);
  DeclareVectorOutputPort("acceleration", plant.num_velocities(),
                          &DesiredMotion::CalcAcceleration,
                          {GetInputPort("desired").ticket()});
}

void DesiredMotion::CalcState(const Context<double>& context,
                              BasicVector<double>* state) const {
  const Eigen::VectorXd& desired = GetInputPort("desired").Eval(context);
  state->SetFromVector(GetInputPort("state").Eval(context));
  const int n = static_cast<int>(velocities_.size());
  for (int i = 0; i < n; ++i) {
    (*state)[num_positions_ + velocities_[i]] = desired[n + i];
  }
}

void DesiredMotion::CalcAcceleration(const Context<double>& context,
                                     BasicVector<double>* acceleration) const {
  const Eigen::VectorXd& desired = GetInputPort("desired").Eval(context);
  acceleration->SetZero();
  const int n = static_cast<int>(velocities_.size());
  for (int i = 0; i < n; ++i) {
    (*acceleration)[velocities_[i]] = desired[2 * n + i];
  }
}

}  // namespace wyvern::examples
