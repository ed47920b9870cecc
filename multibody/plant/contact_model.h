#pragma once

namespace wyvern::multibody {

/** Geometry of a contact between two bodies. */
enum class ContactModel {
  kHydroelastic,  ///< On surfaces of equal pressure.
  kPoint,         ///< Compliant points.
  /** Surfaces where a pair of geometries can have them, else points. */
  kHydroelasticWithFallback,
  /** Older names of the same models. */
  kHydroelasticsOnly = kHydroelastic,
  kPointContactOnly = kPoint,
};

/** How a discrete plant advances through contact. */
enum class DiscreteContactSolver { kTamsi, kSap };

/** Approximations that make the step with contact a convex problem; see
multibody/step/README.md. The first is solved to the fixed point of the
lagged normal forces, so that the step is implicit in all of them. */
enum class DiscreteContactApproximation { kTamsi, kSap, kSimilar, kLagged };

}  // namespace wyvern::multibody
