#pragma once

namespace wyvern::multibody {

/** What a contact between two geometries is made of. */
enum class ContactModel {
  kHydroelastic,  ///< Pressure fields; not available yet.
  kPoint,         ///< Compliant points.
  /** Pressure fields where both geometries have them, else points. As long as
  the former are not available: points. */
  kHydroelasticWithFallback,
};

/** How a discrete plant advances through contact. */
enum class DiscreteContactSolver { kTamsi, kSap };

/** What makes the step with contact a convex problem; see
multibody/contact/README.md. The first is solved to the fixed point of the
lagged normal forces, so that the step is implicit in all of them. */
enum class DiscreteContactApproximation { kTamsi, kSap, kSimilar, kLagged };

}  // namespace wyvern::multibody
