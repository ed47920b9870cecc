#pragma once

#include <string>

#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/systems/common/name_value.h"

namespace wyvern::visualization {

/** Selects what ApplyVisualizationConfig() adds to a diagram. */
struct VisualizationConfig {
  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(lcm_bus));
    a->Visit(WYVERN_NVP(publish_period));
    a->Visit(WYVERN_NVP(publish_illustration));
    a->Visit(WYVERN_NVP(default_illustration_color));
    a->Visit(WYVERN_NVP(publish_proximity));
    a->Visit(WYVERN_NVP(default_proximity_color));
    a->Visit(WYVERN_NVP(initial_proximity_alpha));
    a->Visit(WYVERN_NVP(publish_contacts));
    a->Visit(WYVERN_NVP(publish_inertia));
    a->Visit(WYVERN_NVP(publish_frames));
    a->Visit(WYVERN_NVP(enable_meshcat_creation));
    a->Visit(WYVERN_NVP(delete_on_initialization_event));
    a->Visit(WYVERN_NVP(enable_alpha_sliders));
  }

  /** Not used: there is no LCM. */
  std::string lcm_bus{"default"};
  double publish_period{1.0 / 64};  // [s]
  /** Publish the illustration geometry at "/wyvern/illustration". */
  bool publish_illustration{true};
  /** Colour of illustration geometry that has none. */
  geometry::Rgba default_illustration_color{0.9, 0.9, 0.9};
  /** Publish the proximity geometry at "/wyvern/proximity", hidden at first. */
  bool publish_proximity{true};
  /** Colour of proximity geometry that has none. */
  geometry::Rgba default_proximity_color{0.8, 0, 0, 1.0};
  /** Opacity of that colour, from 0 to 1. */
  double initial_proximity_alpha{0.5};
  /** Forces of contact, at "/wyvern/contact_forces". */
  bool publish_contacts{true};
  /** Ellipsoids with the bodies' inertias, at "/wyvern/inertia"; hidden. */
  bool publish_inertia{true};
  /** Axes of all frames, and names of bodies, at "/wyvern/frames"; hidden. */
  bool publish_frames{true};
  /** Whether to make a Viewer if none is given. */
  bool enable_meshcat_creation{true};
  /** True: removes what was drawn when a simulation is initialized. */
  bool delete_on_initialization_event{true};
  /** True: adds a slider of opacity to the page. */
  bool enable_alpha_sliders{false};
};

}  // namespace wyvern::visualization
