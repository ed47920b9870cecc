#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/multibody/plant/contact_results.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody {

/** How a ContactVisualizer draws. */
struct ContactVisualizerParams {
  double publish_period{1.0 / 64};  // [s]
  /** Colour of forces at points. */
  geometry::Rgba default_color{0.93, 0.35, 0.12, 1.0};
  /** Colour of forces on surfaces. */
  geometry::Rgba hydro_force_color{0.93, 0.35, 0.12, 1.0};
  /** Colour of moments on surfaces. */
  geometry::Rgba hydro_moment_color{0.55, 0.3, 0.85, 1.0};
  /** The path that everything is below. */
  std::string prefix{"contact_forces"};
  /** True: removes what was drawn when a simulation is initialized. */
  bool delete_on_initialization_event{true};
  /** Smaller forces are not drawn [N]. */
  double force_threshold{0.01};
  /** An arrow of one metre is that many newtons, */
  double newtons_per_meter{10};
  /** or newton metres. */
  double newton_meters_per_meter{1};
  /** The width of arrows, in pixels. */
  double line_width{3};
};

/** Shows in a Viewer where and how hard bodies touch: an arrow for each force,
on the body that can move if the other one is anchored, and each surface of
contact, coloured by its pressure from blue (none) to red (the largest in view).
A recording that the Viewer makes has an event, "foot touches ground", where two
bodies begin to touch; when they part and touch again within a quarter of a
second that is none.

Input port: `contact_results`. */
template <typename T>
class ContactVisualizer final : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ContactVisualizer);

  /** Makes a System that draws contact forces in `viewer`.
  @throws std::logic_error if `viewer` is null, or a length, period or scale
  is not positive. */
  explicit ContactVisualizer(std::shared_ptr<geometry::Viewer> viewer,
                             ContactVisualizerParams params = {});
  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit ContactVisualizer(const ContactVisualizer<U>& other)
      : ContactVisualizer(other.viewer_, other.params_) {
    body_names_ = other.body_names_;
    body_of_ = other.body_of_;
    is_anchored_ = other.is_anchored_;
  }

  /** Adds one to a diagram, connected to the plant's contact results. Only one
  that was added so knows the names of bodies and which of them are anchored,
  and marks events. */
  static ContactVisualizer<T>& AddToBuilder(
      systems::DiagramBuilder<T>* builder, const MultibodyPlant<T>& plant,
      std::shared_ptr<geometry::Viewer> viewer,
      ContactVisualizerParams params = {});

  /** The port `contact_results`. */
  const systems::InputPort<T>& contact_results_input_port() const {
    return this->get_input_port(0);
  }

  /** Takes what is drawn away. */
  void Delete() const;

 private:
  template <typename U>
  friend class ContactVisualizer;

  systems::EventStatus OnInitialization(const systems::Context<T>&) const;
  systems::EventStatus Show(const systems::Context<T>& context) const;
  void ShowPoints(const ContactResults<T>& results, double time) const;
  void ShowSurfaces(const ContactResults<T>& results, double time) const;
  void MarkTouches(const ContactResults<T>& results, double time) const;
  bool IsAnchored(int body) const;
  void SetArrows(const std::string& name, double time,
                 const Eigen::Matrix3Xd& start, const Eigen::Matrix3Xd& arrows,
                 const geometry::Rgba& color) const;

  const std::shared_ptr<geometry::Viewer> viewer_;
  const ContactVisualizerParams params_;
  // Paths drawn now: nothing is sent while there is none and was none.
  mutable std::set<std::string> drawn_;

  // Names of bodies by BodyIndex, and the bodies of geometries.
  std::vector<std::string> body_names_;
  std::unordered_map<geometry::GeometryId, int> body_of_;
  std::vector<bool> is_anchored_;  // By BodyIndex.
  // When each pair of bodies touched last.
  mutable std::map<std::pair<int, int>, double> touched_;
};

}  // namespace wyvern::multibody
