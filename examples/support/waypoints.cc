// A file is read line by line, so that each error has its line. Columns are
// then brought from the file's order into the actuators' order. A spline goes
// farther than its way-points, so that limits are checked on a fine grid of the
// spline, not at the way-points.

#include "examples/support/waypoints.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wyvern::examples {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using multibody::Joint;
using multibody::JointActuatorIndex;
using multibody::MultibodyPlant;
using trajectories::PiecewisePolynomial;

namespace {

std::string Trimmed(const std::string& text) {
  const char* blank = " \t\r";
  const size_t first = text.find_first_not_of(blank);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::vector<std::string> SplitAtCommas(const std::string& line) {
  std::vector<std::string> cells;
  size_t start = 0;
  while (true) {
    const size_t comma = line.find(',', start);
    cells.push_back(Trimmed(line.substr(start, comma - start)));
    if (comma == std::string::npos) return cells;
    start = comma + 1;
  }
}

std::optional<double> ParseFinite(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool whole = !text.empty() && end == text.c_str() + text.size();
  return whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Reads one file; knows the line it is at.
class WaypointReader {
 public:
  explicit WaypointReader(const std::filesystem::path& path)
      : path_(path.string()), file_(path) {
    std::error_code ignored;
    if (!file_ || std::filesystem::is_directory(path, ignored)) {
      throw std::runtime_error(fmt::format(
          "ReadWaypoints(): cannot read '{}'; give a CSV file of way-points.",
          path_));
    }
  }

  Waypoints Read() {
    ReadHeader();
    while (NextLine()) ReadWaypoint();
    if (times_.size() < 2) {
      Fail(fmt::format("there are {} way-points; give at least two",
                       times_.size()));
    }
    Waypoints waypoints{path_, joints_, {}, {}};
    waypoints.times = Eigen::Map<VectorXd>(times_.data(), times_.size());
    waypoints.positions =
        Eigen::Map<MatrixXd>(positions_.data(), joints_.size(), times_.size());
    return waypoints;
  }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}:{}: {}.", path_, line_, what));
  }

  // Moves on to the next line that has anything; its cells are then in cells_.
  bool NextLine() {
    for (std::string text; std::getline(file_, text);) {
      ++line_;
      text = Trimmed(text.substr(0, text.find('#')));
      if (text.empty()) continue;
      cells_ = SplitAtCommas(text);
      return true;
    }
    return false;
  }

  void ReadHeader() {
    if (!NextLine()) Fail("the file is empty; give a line 'time, joint, ...'");
    if (cells_.front() != "time" || cells_.size() < 2) {
      Fail(fmt::format("the first line is '{}'; give 'time, joint, ...'",
                       fmt::join(cells_, ", ")));
    }
    joints_.assign(cells_.begin() + 1, cells_.end());
    std::vector<std::string> sorted = joints_;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      Fail(fmt::format("joint '{}' has two columns; give it one", *twice));
    }
  }

  void ReadWaypoint() {
    if (cells_.size() != joints_.size() + 1) {
      Fail(fmt::format("there are {} values; give {}, as in the first line",
                       cells_.size(), joints_.size() + 1));
    }
    for (size_t i = 0; i < cells_.size(); ++i) {
      const std::optional<double> value = ParseFinite(cells_[i]);
      if (!value) {
        Fail(fmt::format("'{}' is not a finite number", cells_[i]));
      }
      (i == 0 ? times_ : positions_).push_back(*value);
    }
    const double before = times_.size() > 1 ? times_[times_.size() - 2] : -1.0;
    if (times_.size() == 1 ? times_[0] != 0.0 : times_.back() <= before) {
      Fail(fmt::format(
          "time {} s does not follow; times start at 0 and increase",
          times_.back()));
    }
  }

  const std::string path_;
  std::ifstream file_;
  int line_{};
  std::vector<std::string> cells_;
  std::vector<std::string> joints_;
  std::vector<double> times_;
  // Way-point after way-point.
  std::vector<double> positions_;
};

// The actuator's place among all that the named joint has, or an error.
int FindActuator(const std::string& joint, const std::string& source,
                 const MultibodyPlant<double>& plant) {
  std::vector<std::string> names;
  for (const JointActuatorIndex actuator : plant.GetJointActuatorIndices()) {
    names.push_back(JointOf(plant, actuator).name());
    if (names.back() == joint) return static_cast<int>(names.size()) - 1;
  }
  throw std::runtime_error(fmt::format(
      "{}: the way-points move joint '{}', but {}; name some of: {}.", source,
      joint,
      plant.HasJointNamed(joint) ? "it has no actuator"
                                 : "the robot has no such joint",
      fmt::join(names, ", ")));
}

// Throws if the trajectory leaves a joint's limits anywhere on a fine grid.
void RequireLimits(const PiecewisePolynomial<double>& trajectory,
                   const std::string& source,
                   const MultibodyPlant<double>& plant) {
  const auto check = [&](double t, const Joint<double>& joint, const char* what,
                         double value, double low, double high) {
    const double slack = 1e-9 * (1.0 + std::abs(value));
    if (value >= low - slack && value <= high + slack) return;
    throw std::runtime_error(fmt::format(
        "{}: at {:.3f} s the spline asks a {} of {:.4g} of joint '{}', outside "
        "its limits [{:.4g}, {:.4g}]; move or delay the way-points.",
        source, t, what, value, joint.name(), low, high));
  };
  constexpr int kSamples = 1000;
  for (int k = 0; k <= kSamples; ++k) {
    const double t = trajectory.end_time() * k / kSamples;
    const MatrixXd q = trajectory.value(t);
    const MatrixXd v = trajectory.EvalDerivative(t, 1);
    int row = 0;
    for (const JointActuatorIndex actuator : plant.GetJointActuatorIndices()) {
      const Joint<double>& joint = JointOf(plant, actuator);
      check(t, joint, "position", q(row), joint.position_lower_limits()[0],
            joint.position_upper_limits()[0]);
      check(t, joint, "velocity", v(row), joint.velocity_lower_limits()[0],
            joint.velocity_upper_limits()[0]);
      ++row;
    }
  }
}

}  // namespace

const Joint<double>& JointOf(const MultibodyPlant<double>& plant,
                             JointActuatorIndex actuator) {
  return plant.get_joint_actuator(actuator).joint();
}

Waypoints ReadWaypoints(const std::filesystem::path& file) {
  return WaypointReader(file).Read();
}

PiecewisePolynomial<double> MakeTrajectory(
    const Waypoints& waypoints, const MultibodyPlant<double>& plant) {
  const int n = plant.num_actuators();
  const VectorXd home = plant.GetDefaultPositions();
  MatrixXd positions(n, waypoints.times.size());
  int row = 0;
  for (const JointActuatorIndex actuator : plant.GetJointActuatorIndices()) {
    const int start = JointOf(plant, actuator).position_start();
    positions.row(row++).setConstant(home[start]);
  }
  for (size_t i = 0; i < waypoints.joints.size(); ++i) {
    const int actuator =
        FindActuator(waypoints.joints[i], waypoints.source, plant);
    positions.row(actuator) = waypoints.positions.row(i);
  }
  const VectorXd rest = VectorXd::Zero(n);
  auto trajectory =
      PiecewisePolynomial<double>::CubicWithContinuousSecondDerivatives(
          waypoints.times, positions, rest, rest);
  RequireLimits(trajectory, waypoints.source, plant);
  return trajectory;
}

}  // namespace wyvern::examples
