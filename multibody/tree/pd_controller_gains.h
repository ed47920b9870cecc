#pragma once

namespace wyvern::multibody {

/** Gains of a joint actuator's PD controller, non-negative and finite. */
struct PdControllerGains {
  /** Proportional gain: [N/m] or [N·m/rad]. */
  double p{0.0};
  /** Derivative gain: [N·s/m] or [N·m·s/rad]. */
  double d{0.0};
};

}  // namespace wyvern::multibody
