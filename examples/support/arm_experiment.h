#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "examples/support/arm_options.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/statistics_group.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/trajectory_source.h"
#include "wyvern/systems/primitives/vector_log_sink.h"

namespace wyvern::examples {

/// Log of one actuated joint; a value per logged time.
struct JointLog {
  std::string name;
  Eigen::VectorXd position;
  Eigen::VectorXd desired;
  Eigen::VectorXd velocity;
  Eigen::VectorXd torque;
  double effort_limit{};
  double damping{};
  /// Dry friction, position limits, PD gains.
  double friction{};
  double lower_limit{};
  double upper_limit{};
  double kp{};
  double kd{};
  /// Whether the robot has loops, which may hold the joint.
  bool has_loops{};
  /// Slides, in m and N, rather than turns, in rad and N m.
  bool slides{};

  /// The largest and the root mean square deviation from the desired position.
  double MaxError() const;
  double RmsError() const;
  double PeakTorque() const;
  /// Why it strays by more than `bound`, in a few words; empty if it does not.
  std::string ExplainFailure(double bound) const;
};

/// Log of the arm; units m, rad, s, N, N m, J.
struct ArmLog {
  std::string robot;
  Eigen::VectorXd time;
  std::vector<JointLog> joints;
  /// All of the plant's, a column for each time.
  Eigen::MatrixXd positions;
  Eigen::VectorXd kinetic_energy;
  Eigen::VectorXd potential_energy;
  double time_step{};
  double simulated_time{};
  int64_t num_steps{};
  double wall_time{};
  /// Counters of the simulation.
  std::vector<systems::StatisticsGroup> statistics;
  /// Warnings about the robot's file, and what was done about them.
  std::vector<std::string> remarks;

  /// The joint that strays farthest, and the one closest to its torque limit.
  const JointLog& WorstTracker() const;
  const JointLog& MostLoaded() const;

  /// Work that the actuators did since the start less what joint damping took,
  /// by the trapezoidal rule: what the mechanical energy should have gained.
  Eigen::VectorXd NetWork() const;
};

/// The diagram of 03_arm_tracking.cc and its simulation.
class ArmExperiment {
 public:
  /// Loads the robot and the way-points, wires the diagram and puts the arm at
  /// rest where the trajectory starts.
  explicit ArmExperiment(const ArmOptions& options);
  ~ArmExperiment();

  /// When the trajectory ends, or the time asked for, s.
  double end_time() const { return end_time_; }

  /// Simulates up to time t, logging every 10 ms.
  void AdvanceTo(double t);

  /// Returns the log of the simulation so far.
  ArmLog MakeLog() const;

  /// The diagram in the dot language, with the rate of each block.
  std::string Draw() const { return diagram_->GetGraphvizString(); }

  /// Warnings about the robot's file, and what was done about them.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  // The way-points' source, with velocities, and another with accelerations
  // too.
  struct Desired {
    systems::TrajectorySource<double>* state{};
    systems::TrajectorySource<double>* motion{};
  };
  void AddPlant(const ArmOptions& options,
                systems::DiagramBuilder<double>* builder);
  Desired AddWaypoints(const ArmOptions& options,
                       systems::DiagramBuilder<double>* builder);
  void AddFeedForward(const Desired& desired,
                      systems::DiagramBuilder<double>* builder);
  void LogEnergies(const Eigen::MatrixXd& states, ArmLog* log) const;

  std::vector<std::string> remarks_;
  multibody::MultibodyPlant<double>* plant_{};
  multibody::ModelInstanceIndex robot_;
  Eigen::VectorXd initial_positions_;
  double end_time_{};
  systems::VectorLogSink<double>* desired_log_{};
  systems::VectorLogSink<double>* state_log_{};
  systems::VectorLogSink<double>* torque_log_{};
  std::unique_ptr<systems::Diagram<double>> diagram_;
  std::unique_ptr<systems::Simulator<double>> simulator_;
  double wall_time_{};
};

}  // namespace wyvern::examples
