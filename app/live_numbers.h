#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "wyvern/app/scenario.h"
#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/diagram.h"

namespace wyvern::geometry {
template <typename T>
class SceneGraph;
}  // namespace wyvern::geometry

namespace wyvern::multibody {
template <typename T>
class MultibodyPlant;
}  // namespace wyvern::multibody

namespace wyvern::app {

/** A number of a scenario that can change while the scenario runs. */
struct LiveNumber {
  /** Name for people, with the unit: "arm::hand mass [kg]". */
  std::string name;
  /** Value in the Context when it was found. */
  double value{};
  /** Sets the number in the Context of the whole Diagram.
  @throws std::logic_error if the value is not valid, such as a mass of -1. */
  std::function<void(double value, systems::Context<double>* root)> set;
};

/** Returns the axis of "gravity[0]", "gravity[1]" or "gravity[2]"; null for
another path. */
std::optional<int> FindGravityAxis(std::string_view path);

/** Returns the number at a path of the scenario, such as "gravity[2]",
"model_parameters.arm.bodies.hand.mass" or "blocks.feedback.k[0]"; null if
numbers of that kind only count at the start of a run.
@param diagram of a ScenarioSimulation; it must outlive the result.
@param root its Context.
@throws std::logic_error if a path of model_parameters has no such model, body,
joint or number, naming the nearest name. */
std::optional<LiveNumber> FindLiveNumber(
    const std::string& path, const systems::Diagram<double>& diagram,
    const systems::Context<double>& root);

/** Sets the numbers of `model_parameters` in the Context of the whole Diagram.
@throws std::logic_error as FindLiveNumber() and its setter. */
void ApplyModelParameters(const Scenario& scenario,
                          const systems::Diagram<double>& diagram,
                          systems::Context<double>* root);

}  // namespace wyvern::app
