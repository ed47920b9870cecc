// The manners of a tour are tried from the one liked best on; the first whose
// torques by inverse dynamics, at 41 times, stay within a share of all effort
// limits is taken. Joints that friction holds have no say. Time is stretched
// for all joints at once, by the one that would be too fast.

#include "examples/support/tour.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wyvern/multibody/control/inverse_dynamics.h"

namespace wyvern::examples {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using multibody::Joint;
using multibody::JointActuatorIndex;
using multibody::MultibodyPlant;

namespace {

// Share of its effort limit that a tour may ask of an actuator.
constexpr double kShareOfEffort = 0.9;

// How a tour may differ from the one that is liked best.
struct Manner {
  bool about_defaults{};
  double shortness{1.0};
  double slowness{1.0};
};
constexpr Manner kManners[] = {{false, 1, 1}, {true, 1, 1},  {false, 1, 2},
                               {true, 1, 2},  {false, 2, 2}, {true, 2, 2},
                               {false, 4, 2}, {true, 4, 2}};

bool IsStuck(const Joint<double>& joint, double effort_limit) {
  return joint.default_friction_vector()[0] >= effort_limit;
}

Waypoints MakeTourIn(const Manner& manner,
                     const MultibodyPlant<double>& plant) {
  const int n = plant.num_actuators();
  const VectorXd home = plant.GetDefaultPositions();
  Waypoints tour{"tour of the joints' ranges", {}, {}, MatrixXd(n, 5)};
  // Neighbouring joints move in opposite directions, then each other way round.
  const Eigen::RowVectorXd pattern{{0.0, 1.0, -1.0, 0.5, 0.0}};
  double slowest = 1.0;
  int row = 0;
  for (const JointActuatorIndex actuator : plant.GetJointActuatorIndices()) {
    const Joint<double>& joint = JointOf(plant, actuator);
    // Use the part of 2 pi nearest to 0 if the range is unbounded or far from
    // 0.
    const double least = joint.position_lower_limits()[0];
    const double most = joint.position_upper_limits()[0];
    const double low = std::max(least, std::min(-M_PI, most - 2 * M_PI));
    const double high = std::min(most, std::max(M_PI, least + 2 * M_PI));
    const double fastest = 0.5 * joint.velocity_upper_limits()[0];
    // A joint that cannot or may not move stays.
    const bool moves =
        fastest > 0 &&
        !IsStuck(joint, plant.get_joint_actuator(actuator).effort_limit());
    const double reach = moves ? 0.2 * (high - low) / manner.shortness : 0.0;
    const double swing = row % 2 == 0 ? reach : -reach;
    // The spline goes a little farther than its way-points.
    const double margin = 1.1 * reach;
    const double center = manner.about_defaults
                              ? std::clamp(home[joint.position_start()],
                                           low + margin, high - margin)
                              : 0.5 * (low + high);
    tour.joints.push_back(joint.name());
    tour.positions.row(row) = (swing * pattern).array() + center;
    // A cubic between rests 2|swing| apart peaks at 1.5 times its mean speed.
    if (reach > 0) slowest = std::max(slowest, 2.0 * reach * 1.5 / fastest);
    ++row;
  }
  tour.times = VectorXd::LinSpaced(5, 0.0, 4.0 * slowest * manner.slowness);
  return tour;
}

// Whether the effort limits allow the tour.
bool IsAllowed(const Waypoints& tour, const MultibodyPlant<double>& plant) {
  const auto trajectory = MakeTrajectory(tour, plant);
  const systems::controllers::InverseDynamics<double> dynamics(&plant);
  const auto context = dynamics.CreateDefaultContext();
  const auto to_actuation = plant.MakeActuationMatrixPseudoinverse();
  VectorXd x = VectorXd::Zero(plant.num_multibody_states());
  VectorXd vdot = VectorXd::Zero(plant.num_velocities());
  constexpr int kSamples = 40;
  for (int k = 0; k <= kSamples; ++k) {
    const double t = trajectory.end_time() * k / kSamples;
    x.head(plant.num_positions()) =
        CompletePositions(plant, trajectory.value(t));
    const VectorXd v = trajectory.EvalDerivative(t, 1);
    const VectorXd a = trajectory.EvalDerivative(t, 2);
    int row = 0;
    for (const JointActuatorIndex actuator : plant.GetJointActuatorIndices()) {
      const int start = JointOf(plant, actuator).velocity_start();
      x[plant.num_positions() + start] = v[row];
      vdot[start] = a[row++];
    }
    dynamics.get_input_port_estimated_state().FixValue(context.get(), x);
    dynamics.get_input_port_desired_acceleration().FixValue(context.get(),
                                                            vdot);
    const VectorXd u =
        to_actuation *
        dynamics.get_output_port_generalized_force().Eval(*context);
    row = 0;
    for (const JointActuatorIndex index : plant.GetJointActuatorIndices()) {
      const auto& actuator = plant.get_joint_actuator(index);
      const double limit = actuator.effort_limit();
      const double effort = std::abs(u[row++]);
      if (IsStuck(actuator.joint(), limit)) continue;
      if (effort > kShareOfEffort * limit) return false;
    }
  }
  return true;
}

}  // namespace

int CountLoops(const MultibodyPlant<double>& plant) {
  // In a tree each body but the world has one joint.
  return plant.num_joints() - (plant.num_bodies() - 1) +
         plant.num_constraints() - plant.num_coupler_constraints();
}

VectorXd CompletePositions(const MultibodyPlant<double>& plant,
                           const VectorXd& actuated) {
  VectorXd q = plant.GetDefaultPositions();
  int row = 0;
  for (const JointActuatorIndex actuator : plant.GetJointActuatorIndices()) {
    q[JointOf(plant, actuator).position_start()] = actuated[row++];
  }
  for (const auto& [id, spec] : plant.get_coupler_constraint_specs()) {
    q[plant.get_joint(spec.joint0_index).position_start()] =
        spec.gear_ratio *
            q[plant.get_joint(spec.joint1_index).position_start()] +
        spec.offset;
  }
  return q;
}

Waypoints MakeTour(const MultibodyPlant<double>& plant,
                   std::vector<std::string>* remarks) {
  for (const JointActuatorIndex index : plant.GetJointActuatorIndices()) {
    const auto& actuator = plant.get_joint_actuator(index);
    if (!IsStuck(actuator.joint(), actuator.effort_limit())) continue;
    remarks->push_back(fmt::format(
        "joint '{}' stays where it is: its dry friction, {:g}, is "
        "no less than its effort limit, {:g}.",
        actuator.joint().name(), actuator.joint().default_friction_vector()[0],
        actuator.effort_limit()));
  }
  const int num_loops = CountLoops(plant);
  if (num_loops > 0) {
    remarks->push_back(fmt::format(
        "the robot has {} loops: the tour moves its joints as if these were "
        "cut, which they cannot follow; give --waypoints that they can.",
        num_loops));
  }
  for (const Manner& manner : kManners) {
    const Waypoints tour = MakeTourIn(manner, plant);
    if (!IsAllowed(tour, plant)) continue;
    if (&manner != kManners) {
      remarks->push_back(fmt::format(
          "the tour is about the joints' {}, {:g} times as far and {:g} times "
          "as fast as is usual: the effort limits allow no more.",
          manner.about_defaults ? "default positions" : "middle positions",
          1 / manner.shortness, 1 / manner.slowness));
    }
    return tour;
  }
  remarks->push_back(
      "the effort limits are less than what any tour asks, by the model.");
  return MakeTourIn(kManners[0], plant);
}

}  // namespace wyvern::examples
