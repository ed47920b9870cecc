#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "wyvern/multibody/plant/constraint_projection.h"
#include "wyvern/multibody/plant/constraint_specs.h"
#include "wyvern/multibody/step/rows/holonomic_constraint.h"
#include "wyvern/systems/framework/framework_common.h"

namespace wyvern::multibody::internal {

/** A plant's constraints: as users gave them, and compiled. */
struct ConstraintRegistry {
  /** A constraint as the step takes it. */
  struct Compiled {
    MultibodyConstraintId id;
    HolonomicConstraint constraint;
    /** Infinite for a rigid one, [N/m]. */
    double stiffness{std::numeric_limits<double>::infinity()};
    double damping{};
    /** For messages. */
    std::string name;
    /** The first of its rows among those of all constraints. */
    int first_row{};

    bool is_rigid() const { return !std::isfinite(stiffness); }
  };

  /** Stabilization time of a continuous plant, [s]: errors decay as
  (1 + t / this) exp(-t / this). Infinite: no stabilization. */
  double stabilization_time{0.1};
  ConstraintProjection projection{ConstraintProjection::kNone};

  std::map<MultibodyConstraintId, CouplerConstraintSpec> couplers;
  std::map<MultibodyConstraintId, DistanceConstraintSpec> distances;
  std::map<MultibodyConstraintId, BallConstraintSpec> balls;
  std::map<MultibodyConstraintId, WeldConstraintSpec> welds;

  // From Finalize() on.
  /** In the order of ids, which is that in which they were added. */
  std::vector<Compiled> compiled;
  /** A parameter with one entry for each: 1 if it is active, 0 if not. */
  systems::NumericParameterIndex is_active;
  /** Number of rows of all constraints. */
  int num_rows{};

  int size() const {
    return static_cast<int>(couplers.size() + distances.size() + balls.size() +
                            welds.size());
  }
  /** Returns the ids of all constraints, in the order in which they were added.
   */
  std::vector<MultibodyConstraintId> ids() const;
  /** @returns whether there was one. */
  bool Remove(MultibodyConstraintId id);
};

}  // namespace wyvern::multibody::internal
