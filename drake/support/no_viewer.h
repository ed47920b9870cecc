#pragma once

/** @file
What stands in for a viewer over LCM, which there is not. */

#include <mutex>
#include <string>

#include "wyvern/drake/text_logging.h"
#include "wyvern/geometry/scene_graph/query_object.h"
#include "wyvern/systems/common/value.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::drake_support {

/** Says on the log, the first time alone, that nothing will be shown. */
inline void SayThereIsNoViewer() {
  static std::once_flag once;
  std::call_once(once, [] {
    log()->warn(
        "Wyvern has no LCM: a DrakeVisualizer does nothing. Meshcat shows the "
        "scene.");
  });
}

/** A System with the input port of a visualizer, which shows nothing. */
template <typename T>
class VisualizerWithoutViewer : public systems::LeafSystem<T> {
 public:
  const systems::InputPort<T>& query_object_input_port() const {
    return this->get_input_port(0);
  }

 protected:
  explicit VisualizerWithoutViewer(systems::SystemScalarConverter converter)
      : systems::LeafSystem<T>(std::move(converter)) {
    SayThereIsNoViewer();
    this->DeclareAbstractInputPort("query_object",
                                   Value<geometry::QueryObject<T>>{});
  }
};

}  // namespace wyvern::drake_support
