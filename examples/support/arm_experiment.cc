// The constructor wires the diagram: way-points give the desired state of the
// actuators' PD control, and inverse dynamics give the feed-forward. The
// feed-forward is calculated at the measured q, by the plant itself. Three logs
// of one period are cut into rows by joint afterwards. A row of desired or
// torque is an actuator's, one of the state is at the joint's place in q and v.

#include "examples/support/arm_experiment.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "examples/support/arm_model.h"
#include "examples/support/desired_motion.h"
#include "examples/support/tour.h"
#include "examples/support/waypoints.h"
#include "wyvern/multibody/control/inverse_dynamics.h"
#include "wyvern/simulator/simulator_print_stats.h"
#include "wyvern/systems/primitives/sparse_matrix_gain.h"

namespace wyvern::examples {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using multibody::JointActuatorIndex;
using multibody::MultibodyPlant;
using systems::DiagramBuilder;
using systems::Simulator;
using systems::TrajectorySource;

namespace {

constexpr double kLogPeriod = 0.01;

Waypoints ChooseWaypoints(const ArmOptions& options,
                          const MultibodyPlant<double>& plant,
                          std::vector<std::string>* remarks) {
  if (!options.waypoints.empty()) return ReadWaypoints(options.waypoints);
  if (options.urdf == ArmOptions{}.urdf) {
    return ReadWaypoints(WYVERN_MODELS_DIR "/arm_waypoints.csv");
  }
  return MakeTour(plant, remarks);
}

}  // namespace

double JointLog::MaxError() const {
  return (position - desired).lpNorm<Eigen::Infinity>();
}

double JointLog::RmsError() const {
  return (position - desired).norm() /
         std::sqrt(static_cast<double>(position.size()));
}

double JointLog::PeakTorque() const { return torque.lpNorm<Eigen::Infinity>(); }

std::string JointLog::ExplainFailure(double bound) const {
  if (MaxError() <= bound) return {};
  if (friction >= effort_limit) {
    return "friction: its dry friction is no less than its effort limit";
  }
  if (PeakTorque() >= 0.999 * effort_limit) {
    return "saturated: its effort limit is reached";
  }
  // Where PD control pulls no harder than dry friction holds.
  if (friction > 0.5 * kp * MaxError()) {
    return "friction: PD control is weaker than the joint's dry friction";
  }
  if (position.minCoeff() <= lower_limit ||
      position.maxCoeff() >= upper_limit) {
    return "limit: it reaches its position limit";
  }
  if (has_loops) {
    return "loop: the robot's loops may not let it move so";
  }
  return "too soft: a higher --bandwidth holds it closer";
}

const JointLog& ArmLog::WorstTracker() const {
  return *std::max_element(joints.begin(), joints.end(),
                           [](const JointLog& a, const JointLog& b) {
                             return a.MaxError() < b.MaxError();
                           });
}

const JointLog& ArmLog::MostLoaded() const {
  return *std::max_element(joints.begin(), joints.end(),
                           [](const JointLog& a, const JointLog& b) {
                             return a.PeakTorque() / a.effort_limit <
                                    b.PeakTorque() / b.effort_limit;
                           });
}

VectorXd ArmLog::NetWork() const {
  VectorXd power = VectorXd::Zero(time.size());
  for (const JointLog& joint : joints) {
    power.array() += joint.torque.array() * joint.velocity.array() -
                     joint.damping * joint.velocity.array().square();
  }
  VectorXd work = VectorXd::Zero(time.size());
  for (int k = 1; k < time.size(); ++k) {
    work[k] =
        work[k - 1] + 0.5 * (power[k - 1] + power[k]) * (time[k] - time[k - 1]);
  }
  return work;
}

ArmExperiment::ArmExperiment(const ArmOptions& options) {
  DiagramBuilder<double> builder;
  AddPlant(options, &builder);
  const Desired desired = AddWaypoints(options, &builder);
  AddPdControl(initial_positions_, options.bandwidth, plant_);
  AddFeedForward(desired, &builder);
  builder.Connect(desired.state->get_output_port(),
                  plant_->get_desired_state_input_port(robot_));
  desired_log_ =
      LogVectorOutput(desired.state->get_output_port(), &builder, kLogPeriod);
  state_log_ =
      LogVectorOutput(plant_->get_state_output_port(), &builder, kLogPeriod);
  torque_log_ = LogVectorOutput(plant_->get_net_actuation_output_port(),
                                &builder, kLogPeriod);
  diagram_ = builder.Build();
  simulator_ = std::make_unique<Simulator<double>>(*diagram_);
  plant_->SetPositions(
      &plant_->GetMyMutableContextFromRoot(&simulator_->get_mutable_context()),
      initial_positions_);
  simulator_->Initialize();
}

ArmExperiment::~ArmExperiment() = default;

void ArmExperiment::AddPlant(const ArmOptions& options,
                             DiagramBuilder<double>* builder) {
  plant_ = builder->AddNamedSystem(
      "plant",
      LoadArm(options.urdf, options.time_step,
              options.actuate_all ? Actuate::kAll : Actuate::kAsTheFileSays,
              &remarks_));
  plant_->Finalize();
  robot_ = plant_->get_joint_actuator(plant_->GetJointActuatorIndices().front())
               .model_instance();
}

ArmExperiment::Desired ArmExperiment::AddWaypoints(
    const ArmOptions& options, DiagramBuilder<double>* builder) {
  const auto trajectory =
      MakeTrajectory(ChooseWaypoints(options, *plant_, &remarks_), *plant_);
  end_time_ = options.time.value_or(trajectory.end_time());
  initial_positions_ = CompletePositions(*plant_, trajectory.value(0.0));
  return {builder->AddNamedSystem<TrajectorySource<double>>("way-points",
                                                            trajectory, 1),
          builder->AddNamedSystem<TrajectorySource<double>>("desired motion",
                                                            trajectory, 2)};
}

// The controller's model of the robot is the plant itself.
void ArmExperiment::AddFeedForward(const Desired& desired,
                                   DiagramBuilder<double>* builder) {
  const auto* motion =
      builder->AddNamedSystem<DesiredMotion>("motion at q", *plant_);
  const auto* dynamics = builder->AddNamedSystem(
      "feed-forward",
      std::make_unique<systems::controllers::InverseDynamics<double>>(plant_));
  const auto* actuation =
      builder->AddNamedSystem<systems::SparseMatrixGain<double>>(
          "actuation", plant_->MakeActuationMatrixPseudoinverse());
  builder->Connect(plant_->get_state_output_port(),
                   motion->GetInputPort("state"));
  builder->Connect(desired.motion->get_output_port(),
                   motion->GetInputPort("desired"));
  builder->Connect(motion->GetOutputPort("state"),
                   dynamics->get_input_port_estimated_state());
  builder->Connect(motion->GetOutputPort("acceleration"),
                   dynamics->get_input_port_desired_acceleration());
  builder->Connect(dynamics->get_output_port_generalized_force(),
                   actuation->get_input_port());
  builder->Connect(actuation->get_output_port(),
                   plant_->get_actuation_input_port());
}

void ArmExperiment::AdvanceTo(double t) {
  const auto start = std::chrono::steady_clock::now();
  simulator_->AdvanceTo(t);
  wall_time_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
}

void ArmExperiment::LogEnergies(const MatrixXd& states, ArmLog* log) const {
  const auto context = plant_->CreateDefaultContext();
  log->kinetic_energy.resize(states.cols());
  log->potential_energy.resize(states.cols());
  for (int k = 0; k < states.cols(); ++k) {
    plant_->SetPositionsAndVelocities(context.get(), states.col(k));
    log->kinetic_energy[k] = plant_->EvalKineticEnergy(*context);
    log->potential_energy[k] = plant_->EvalPotentialEnergy(*context);
  }
}

ArmLog ArmExperiment::MakeLog() const {
  const auto& context = simulator_->get_context();
  const MatrixXd states = state_log_->FindLog(context).data();
  const MatrixXd desired = desired_log_->FindLog(context).data();
  const MatrixXd torques = torque_log_->FindLog(context).data();
  ArmLog log;
  log.robot = plant_->GetModelInstanceName(robot_);
  log.time_step = plant_->time_step();
  log.time = state_log_->FindLog(context).sample_times();
  log.positions = states.topRows(plant_->num_positions());
  log.simulated_time = context.get_time();
  log.num_steps = simulator_->get_num_unrestricted_updates();
  log.wall_time = wall_time_;
  log.statistics = systems::CollectStatistics(*simulator_);
  log.remarks = remarks_;
  int row = 0;
  for (const JointActuatorIndex index : plant_->GetJointActuatorIndices()) {
    const auto& joint = JointOf(*plant_, index);
    JointLog entry;
    entry.name = joint.name();
    entry.position = states.row(joint.position_start());
    entry.velocity =
        states.row(plant_->num_positions() + joint.velocity_start());
    entry.desired = desired.row(row);
    entry.torque = torques.row(row);
    entry.effort_limit = plant_->get_joint_actuator(index).effort_limit();
    entry.slides = joint.type_name() == "prismatic";
    entry.has_loops = CountLoops(*plant_) > 0;
    entry.damping = joint.default_damping_vector()[0];
    entry.friction = joint.default_friction_vector()[0];
    entry.lower_limit = joint.position_lower_limits()[0];
    entry.upper_limit = joint.position_upper_limits()[0];
    const auto& gains =
        plant_->get_joint_actuator(index).get_controller_gains();
    entry.kp = gains.p;
    entry.kd = gains.d;
    log.joints.push_back(std::move(entry));
    ++row;
  }
  LogEnergies(states, &log);
  return log;
}

}  // namespace wyvern::examples
