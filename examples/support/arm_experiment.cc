#include "examples/support/arm_experiment.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "examples/support/arm_model.h"
#include "examples/support/feed_forward.h"
#include "examples/support/waypoints.h"

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

Actuate WhatToActuate(const ArmOptions& options) {
  return options.actuate_all ? Actuate::kAll : Actuate::kAsTheFileSays;
}

std::unique_ptr<MultibodyPlant<double>> LoadModel(
    const ArmOptions& options, std::vector<std::string>* remarks) {
  auto model = LoadArm(options.urdf, 0.0, WhatToActuate(options), remarks);
  model->Finalize();
  return model;
}

Waypoints ChooseWaypoints(const ArmOptions& options,
                          const MultibodyPlant<double>& model) {
  if (!options.waypoints.empty()) return ReadWaypoints(options.waypoints);
  if (options.urdf == ArmOptions{}.urdf) {
    return ReadWaypoints(WYVERN_MODELS_DIR "/arm_waypoints.csv");
  }
  return MakeTour(model);
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

ArmExperiment::ArmExperiment(const ArmOptions& options)
    : model_(LoadModel(options, &remarks_)) {
  DiagramBuilder<double> builder;
  const Desired desired = AddWaypoints(options, &builder);
  AddPlant(options, &builder);
  const auto* feed_forward =
      builder.AddNamedSystem<FeedForward>("feed-forward", *model_);
  builder.Connect(desired.state->get_output_port(),
                  plant_->get_desired_state_input_port(robot_));
  builder.Connect(desired.motion->get_output_port(),
                  feed_forward->GetInputPort("desired"));
  builder.Connect(plant_->get_state_output_port(),
                  feed_forward->GetInputPort("state"));
  builder.Connect(feed_forward->get_output_port(),
                  plant_->get_actuation_input_port());
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

ArmExperiment::Desired ArmExperiment::AddWaypoints(
    const ArmOptions& options, DiagramBuilder<double>* builder) {
  const auto trajectory =
      MakeTrajectory(ChooseWaypoints(options, *model_), *model_);
  end_time_ = options.time.value_or(trajectory.end_time());
  const VectorXd start = trajectory.value(0.0);
  initial_positions_ = model_->GetDefaultPositions();
  int row = 0;
  for (const JointActuatorIndex actuator : model_->GetJointActuatorIndices()) {
    initial_positions_[JointOf(*model_, actuator).position_start()] =
        start[row++];
  }
  for (const auto& [id, spec] : model_->get_coupler_constraint_specs()) {
    initial_positions_[model_->get_joint(spec.joint0_index).position_start()] =
        spec.gear_ratio *
            initial_positions_[model_->get_joint(spec.joint1_index)
                                   .position_start()] +
        spec.offset;
  }
  return {builder->AddNamedSystem<TrajectorySource<double>>("way-points",
                                                            trajectory, 1),
          builder->AddNamedSystem<TrajectorySource<double>>("desired motion",
                                                            trajectory, 2)};
}

void ArmExperiment::AddPlant(const ArmOptions& options,
                             DiagramBuilder<double>* builder) {
  plant_ = builder->AddNamedSystem(
      "plant",
      LoadArm(options.urdf, options.time_step, WhatToActuate(options)));
  AddPdControl(*model_, initial_positions_, options.bandwidth, plant_);
  plant_->Finalize();
  robot_ = plant_->get_joint_actuator(plant_->GetJointActuatorIndices().front())
               .model_instance();
}

void ArmExperiment::AdvanceTo(double t) {
  const auto start = std::chrono::steady_clock::now();
  simulator_->AdvanceTo(t);
  wall_time_ +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
}

void ArmExperiment::LogEnergies(const MatrixXd& states, ArmLog* log) const {
  const auto context = model_->CreateDefaultContext();
  log->kinetic_energy.resize(states.cols());
  log->potential_energy.resize(states.cols());
  for (int k = 0; k < states.cols(); ++k) {
    model_->SetPositionsAndVelocities(context.get(), states.col(k));
    log->kinetic_energy[k] = model_->EvalKineticEnergy(*context);
    log->potential_energy[k] = model_->EvalPotentialEnergy(*context);
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
  log.simulated_time = context.get_time();
  log.num_steps = simulator_->get_num_unrestricted_updates();
  log.wall_time = wall_time_;
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
