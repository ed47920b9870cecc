#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::geometry {

/** Parameters of a ViewerScope. */
struct ViewerScopeParams {
  /** By default "<system>/<port>". */
  std::string name;
  /** A name for each element; by default their numbers. */
  std::vector<std::string> elements;
  /** Unit that the page shows; empty for none. */
  std::string unit;
  double publish_period{1.0 / 64};  // [s]
};

/** Plots a vector signal in a Viewer's page, as it comes:
@code
auto viewer = std::make_shared<Viewer>();
DiagramBuilder<double> builder;
auto* sine = builder.AddSystem<Sine<double>>(1.0, 2.0, 0.0, 1);
ViewerScope<double>::AddToBuilder(&builder, sine->get_output_port(0), viewer);
@endcode
Input port: `signal`. As of a ViewerVisualizer, what it sent is no part of the
Context. */
template <typename T>
class ViewerScope final : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ViewerScope);

  /** Makes a scope for `size` numbers, which are drawn in `viewer`.
  @throws std::logic_error if the viewer is null, the name is empty, the
  period is not positive, or there are names for another number of elements. */
  ViewerScope(std::shared_ptr<Viewer> viewer, int size,
              ViewerScopeParams params);
  /** Scalar-converting copy constructor; both plot in one Viewer. */
  template <typename U>
  explicit ViewerScope(const ViewerScope<U>& other)
      : ViewerScope(other.viewer_, other.size_, other.params_) {}

  /** Adds one to a diagram, connected to a port.
  @throws std::logic_error also if the port's values are no vectors. */
  static ViewerScope<T>& AddToBuilder(systems::DiagramBuilder<T>* builder,
                                      const systems::OutputPort<T>& port,
                                      std::shared_ptr<Viewer> viewer,
                                      ViewerScopeParams params = {});

 private:
  template <typename U>
  friend class ViewerScope;

  systems::EventStatus Show(const systems::Context<T>& context) const;

  const std::shared_ptr<Viewer> viewer_;
  const int size_;
  const ViewerScopeParams params_;
};

}  // namespace wyvern::geometry
