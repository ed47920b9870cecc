#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody::meshcat {

/** Sliders in a Viewer's page for the positions of a plant, one each, named
"<joint>" or "<joint>_<suffix>", after "<model instance>_" where two would have
one name.

Output port: `positions` (nq), in the order of MultibodyPlant::GetPositions(),
each as its slider says; as it was given, until somebody moves its slider. It is
what the sliders are at the moment of each evaluation: put a ZeroOrderHold
behind it where several readers must agree. */
template <typename T>
class JointSliders final : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(JointSliders);

  /** Nothing, one number for all, or one for each position. */
  using Numbers = std::variant<std::monostate, double, Eigen::VectorXd>;

  /** Adds the sliders. `plant` is finalized and outlives this.
  @param initial_value where they begin; the plant's default positions if none.
  @param lower_limit,upper_limit bounds [m, rad], -10 and 10 if none; those of
    joints hold too.
  @param step the least move [m, rad], 0.01 if none.
  @param decrement_keycodes,increment_keycodes keys that move them, for each
    position, "" for none, or empty; see Viewer::AddSlider().
  @throws std::logic_error if a pointer is null, the plant is not finalized, a
  size is wrong, a number is not finite, a lower limit exceeds an upper one, or
  a step is not positive. */
  JointSliders(std::shared_ptr<geometry::Viewer> meshcat,
               const MultibodyPlant<T>* plant,
               std::optional<Eigen::VectorXd> initial_value = {},
               Numbers lower_limit = {}, Numbers upper_limit = {},
               Numbers step = {},
               std::vector<std::string> decrement_keycodes = {},
               std::vector<std::string> increment_keycodes = {});
  /** Removes the sliders, as Delete(). */
  ~JointSliders() override;

  /** Removes the sliders; the output is the initial value from now on. */
  void Delete();

  /** Publishes `diagram` with the plant at the sliders' positions, whenever
  they change, until somebody presses the page's button "Stop JointSliders" or
  `timeout` [s] is over; without one it waits for that button for ever.
  @returns the plant's positions then.
  @throws std::logic_error unless `diagram` is a root and has both the plant and
  this, or if `timeout` is negative. */
  Eigen::VectorXd Run(const systems::Diagram<T>& diagram,
                      std::optional<double> timeout = {},
                      std::string stop_button_keycode = "Escape") const;

  /** Moves the sliders to `q`, which becomes the initial value.
  @throws std::logic_error if the size is wrong or a number is not finite. */
  void SetPositions(const Eigen::VectorXd& q);

 private:
  Eigen::VectorXd Read() const;
  void CalcPositions(const systems::Context<T>& context,
                     systems::BasicVector<T>* positions) const;

  const std::shared_ptr<geometry::Viewer> viewer_;
  const MultibodyPlant<T>* const plant_;
  std::vector<std::string> names_;  // None once they are deleted.
  Eigen::VectorXd initial_;
  Eigen::VectorXd set_;  // What a slider says that nobody has moved.
};

}  // namespace wyvern::multibody::meshcat
