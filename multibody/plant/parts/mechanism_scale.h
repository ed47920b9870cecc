#pragma once

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/dynamics/length_scale.h"
#include "wyvern/multibody/plant/parts/constraint_registry.h"
#include "wyvern/multibody/step/rows/constraint_rows.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

/** The units of a plant with constraints: 1 rad for angles, the length of its
longest link or rod for lengths, and the time in which it falls. Errors, motions
and speeds in these units are called relative. Bounds on relative quantities
give the same decisions for a mechanism of any size. */
class MechanismScale {
 public:
  template <typename T>
  MechanismScale(const MultibodyTreeSystem<T>& core,
                 const systems::Context<T>& context,
                 const ConstraintRegistry& registry)
      : model_(core.model()) {
    const auto& parameters = core.EvalModelParameters(context);
    length_ = std::max(dynamics::CalcLengthScale<T>(model_, parameters),
                       LongestIn(registry));
    if (!(length_ > 0)) length_ = 1;
    constexpr double kGravity = 9.81;  // [m/s^2]
    const double gravity = ToDouble(T(parameters.gravity.squaredNorm()));
    time_ = std::sqrt(length_ / (gravity > 0 ? std::sqrt(gravity) : kGravity));
  }

  double length() const { return length_; }  // [m]
  double time() const { return time_; }      // [s]

  /** Returns the unit of a displacement along a velocity. */
  double of_velocity(int v) const {
    return dynamics::UnitOfVelocity(model_, v, length_);
  }
  /** Returns the unit of an error. */
  double of_error(const HolonomicConstraint& constraint, int row) const {
    using Constraint = HolonomicConstraint;
    if (constraint.kind == Constraint::Kind::kCoupler) {
      return of_velocity(constraint.v[0]);
    }
    const bool is_weld = constraint.kind == Constraint::Kind::kWeld;
    return is_weld && row < 3 ? 1 : length_;
  }

  /** Returns the largest relative entry of a constraint's errors. NaN counts as
  large. */
  template <typename Errors>
  double LargestOf(const HolonomicConstraint& constraint,
                   const Errors& errors) const {
    double largest = 0;
    for (int i = 0; i < errors.size(); ++i) {
      const double e = std::abs(ToDouble(errors[i])) / of_error(constraint, i);
      if (!(e <= largest)) largest = e;
    }
    return largest;
  }
  /** Calls visit(row, unit) for each row. */
  template <typename T, typename Visit>
  void VisitRows(const ConstraintRows<T>& rows, Visit&& visit) const {
    for (int i = 0; i < rows.num_constraints(); ++i) {
      const auto& constraint = rows.constraint(i);
      for (int k = 0; k < constraint.num_rows(); ++k) {
        visit(rows.first_row(i) + k, of_error(constraint, k));
      }
    }
  }
  /** Returns the largest relative entry of `values`, which have the units of
  the rows' errors, or rates of them. NaN counts as large. */
  template <typename T, typename Values>
  double LargestOf(const ConstraintRows<T>& rows, const Values& values) const {
    double largest = 0;
    VisitRows(rows, [&](int row, double unit) {
      const double e = std::abs(ToDouble(values[row])) / unit;
      if (!(e <= largest)) largest = e;
    });
    return largest;
  }
  template <typename T>
  double LargestError(const ConstraintRows<T>& rows) const {
    return LargestOf(rows, rows.errors());
  }
  /** Returns the largest relative entry of displacements or speeds, by
  velocity. */
  template <typename T>
  double LargestMove(const VectorX<T>& dv) const {
    double largest = 0;
    for (int i = 0; i < dv.size(); ++i) {
      largest = std::max(largest, std::abs(ToDouble(dv[i])) / of_velocity(i));
    }
    return largest;
  }
  /** Returns the largest relative entry of positions, or differences of them.
  NaN counts as large. */
  template <typename T>
  double LargestPosition(const VectorX<T>& q) const {
    double largest = 0;
    for (const dynamics::Model::Node& node : model_.nodes) {
      const auto& traits = dynamics::TraitsOf(node.type);
      for (int k = 0; k < traits.nq; ++k) {
        const int rate = traits.rate_of_position[k];
        const double unit = rate == dynamics::kNoVelocity
                                ? 1
                                : of_velocity(node.v_start + rate);
        const double size = std::abs(ToDouble(q[node.q_start + k])) / unit;
        if (!(size <= largest)) largest = size;
      }
    }
    return largest;
  }

 private:
  // Returns the longest distance of constraints, between the points of one or
  // from a point to its moving body's origin, [m].
  double LongestIn(const ConstraintRegistry& registry) const {
    double longest = 0;
    for (const auto& compiled : registry.compiled) {
      const HolonomicConstraint& c = compiled.constraint;
      if (c.kind == HolonomicConstraint::Kind::kCoupler) continue;
      longest = std::max(longest, c.distance);
      if (model_.bodies[c.body_A].node != 0) {
        longest = std::max(longest, c.X_AP.p.norm());
      }
      if (model_.bodies[c.body_B].node != 0) {
        longest = std::max(longest, c.X_BQ.p.norm());
      }
    }
    return longest;
  }

  const dynamics::Model& model_;
  double length_{};
  double time_{};
};

}  // namespace wyvern::multibody::internal
