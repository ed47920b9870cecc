#include "wyvern/app/report_plots.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "wyvern/app/element_units.h"

/* A joint's coordinates are split where the unit changes: a free body has a
plot of its quaternion, which has no unit, and one of its place in m. Titles
are the joints' names, with the model's name if several models have joints. */

namespace wyvern::app {

using multibody::Joint;
using multibody::JointActuator;
using multibody::MultibodyPlant;
using plotting::Plot;

namespace {

constexpr int kPlotWidth = 340;
constexpr int kPlotHeight = 210;

Plot MakePlot(const std::string& title, const std::string& unit) {
  return {.title = title,
          .x_label = "time [s]",
          .y_label = unit.empty() ? "" : "[" + unit + "]",
          .width = kPlotWidth,
          .height = kPlotHeight};
}

bool HasSeveralModels(const MultibodyPlant<double>& plant) {
  std::set<multibody::ModelInstanceIndex> models;
  for (const auto index : plant.GetJointIndices()) {
    const Joint<double>& joint = plant.get_joint(index);
    if (joint.num_velocities() > 0) models.insert(joint.model_instance());
  }
  return models.size() > 1;
}

template <typename Element>
std::string TitleOf(const MultibodyPlant<double>& plant, const Element& element,
                    bool with_model) {
  if (!with_model) return element.name();
  return fmt::format("{}::{}",
                     plant.GetModelInstanceName(element.model_instance()),
                     element.name());
}

// Name, unit and row of a coordinate of a joint.
struct Coordinate {
  std::string unit;
  std::string suffix;
  int row{};
};

// Adds a plot for each stretch of coordinates with the same unit.
void AddCoordinates(const std::string& title, const char* quantity,
                    const std::vector<Coordinate>& coordinates,
                    const VectorX<double>& times, const MatrixX<double>& rows,
                    std::vector<Plot>* plots) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const auto& [unit, suffix, row] = coordinates[i];
    if (i == 0 || unit != coordinates[i - 1].unit) {
      plots->push_back(
          MakePlot(unit.empty() ? title + " (quaternion)" : title, unit));
    }
    auto& series = plots->back().series;
    series.push_back({.label = coordinates.size() == 1 ? quantity : suffix,
                      .x = times,
                      .y = rows.row(row),
                      .color = static_cast<int>(series.size())});
  }
}

// Length of the beginning that all names have in common, up to a separator.
std::size_t CommonLength(const std::vector<std::string>& names) {
  if (names.size() < 2) return 0;
  std::size_t length = names[0].size();
  for (const std::string& name : names) {
    const auto [end, other] = std::ranges::mismatch(
        names[0].begin(),
        names[0].begin() + static_cast<std::ptrdiff_t>(length), name.begin(),
        name.end());
    length = static_cast<std::size_t>(end - names[0].begin());
  }
  const std::size_t last = names[0].substr(0, length).find_last_of("_/.:");
  return last == std::string::npos ? 0 : last + 1;
}

}  // namespace

std::vector<Plot> PlotPositions(const MultibodyPlant<double>& plant,
                                const VectorX<double>& times,
                                const MatrixX<double>& positions) {
  std::vector<Plot> plots;
  const bool with_model = HasSeveralModels(plant);
  for (const auto index : plant.GetJointIndices()) {
    const Joint<double>& joint = plant.get_joint(index);
    std::vector<Coordinate> coordinates;
    for (int i = 0; i < joint.num_positions(); ++i) {
      coordinates.push_back({GetPositionUnit(joint, i),
                             joint.position_suffix(i),
                             joint.position_start() + i});
    }
    AddCoordinates(TitleOf(plant, joint, with_model), "position", coordinates,
                   times, positions, &plots);
  }
  return plots;
}

std::vector<Plot> PlotVelocities(const MultibodyPlant<double>& plant,
                                 const VectorX<double>& times,
                                 const MatrixX<double>& velocities) {
  std::vector<Plot> plots;
  const bool with_model = HasSeveralModels(plant);
  for (const auto index : plant.GetJointIndices()) {
    const Joint<double>& joint = plant.get_joint(index);
    std::vector<Coordinate> coordinates;
    for (int i = 0; i < joint.num_velocities(); ++i) {
      coordinates.push_back({GetVelocityUnit(joint, i),
                             joint.velocity_suffix(i),
                             joint.velocity_start() + i});
    }
    AddCoordinates(TitleOf(plant, joint, with_model), "velocity", coordinates,
                   times, velocities, &plots);
  }
  return plots;
}

std::vector<Plot> PlotEfforts(const MultibodyPlant<double>& plant,
                              const VectorX<double>& times,
                              const MatrixX<double>& efforts) {
  std::vector<Plot> plots;
  const bool with_model = HasSeveralModels(plant);
  for (const auto index : plant.GetJointActuatorIndices()) {
    const JointActuator<double>& actuator = plant.get_joint_actuator(index);
    std::vector<Coordinate> coordinates;
    for (int i = 0; i < actuator.num_inputs(); ++i) {
      coordinates.push_back({GetEffortUnit(actuator), fmt::format("[{}]", i),
                             actuator.input_start() + i});
    }
    AddCoordinates(TitleOf(plant, actuator, with_model), "effort", coordinates,
                   times, efforts, &plots);
  }
  return plots;
}

std::vector<Plot> PlotElements(const std::string& title,
                               const VectorX<double>& times,
                               const MatrixX<double>& values,
                               const std::vector<std::string>& names,
                               const std::vector<std::string>& units) {
  std::vector<Plot> plots;
  const std::size_t common = CommonLength(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_new =
        i == 0 || units[i] != units[i - 1] ||
        plots.back().series.size() == plotting::kNumSeriesColors;
    if (is_new) plots.push_back(MakePlot(title, units[i]));
    auto& series = plots.back().series;
    series.push_back({.label = names[i].substr(common),
                      .x = times,
                      .y = values.row(static_cast<Eigen::Index>(i)),
                      .color = static_cast<int>(series.size())});
  }
  return plots;
}

Plot PlotEnergy(const MultibodyPlant<double>& plant,
                const VectorX<double>& times, const MatrixX<double>& states,
                const MatrixX<double>& efforts) {
  const auto context = plant.CreateDefaultContext();
  const bool has_efforts = efforts.rows() > 0 && efforts.cols() == times.size();
  VectorX<double> kinetic(times.size()), potential(times.size());
  VectorX<double> power = VectorX<double>::Zero(times.size());
  for (Eigen::Index k = 0; k < times.size(); ++k) {
    plant.SetPositionsAndVelocities(context.get(), states.col(k));
    kinetic[k] = plant.EvalKineticEnergy(*context);
    potential[k] = plant.EvalPotentialEnergy(*context);
    if (!has_efforts) continue;
    power[k] = states.col(k)
                   .tail(plant.num_velocities())
                   .dot(plant.CalcActuationMatrix(*context) * efforts.col(k));
  }
  if (times.size() > 0) potential.array() -= potential[0];
  Plot plot{.title = "Energy",
            .x_label = "time [s]",
            .y_label = "[J]",
            .series = {{"kinetic", times, kinetic, 0},
                       {"potential, from its start", times, potential, 2},
                       {"sum", times, kinetic + potential, 1}},
            .width = 1060,
            .height = 280};
  if (!has_efforts) return plot;
  VectorX<double> work = VectorX<double>::Zero(times.size());
  for (Eigen::Index k = 1; k < times.size(); ++k) {
    work[k] = work[k - 1] +
              0.5 * (power[k - 1] + power[k]) * (times[k] - times[k - 1]);
  }
  plot.series.push_back({"work of the actuators", times, work, 3});
  return plot;
}

}  // namespace wyvern::app
