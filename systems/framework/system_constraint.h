#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/framework/context.h"

namespace wyvern::systems {

template <typename T>
class System;

/** Computes the value of a constraint from a Context. */
template <typename T>
using ContextConstraintCalc =
    std::function<void(const Context<T>&, VectorX<T>* value)>;
/** Computes the value of a constraint from a System and its Context. */
template <typename T>
using SystemConstraintCalc =
    std::function<void(const System<T>&, const Context<T>&, VectorX<T>* value)>;

/** Type of a constraint. */
enum class SystemConstraintType {
  kEquality,    ///< The value is zero.
  kInequality,  ///< lower <= value <= upper.
};

/** Bounds of a constraint; an element without a bound has +-infinity. */
class SystemConstraintBounds final {
 public:
  /** No elements: an equality constraint of size zero. */
  SystemConstraintBounds() : SystemConstraintBounds(0, 0) {}
  /** `size` equations value = 0. @throws std::logic_error if negative. */
  static SystemConstraintBounds Equality(int size) {
    return SystemConstraintBounds(size, 0);
  }
  /** lower <= value <= upper; one may be empty (no such bounds).
  @throws std::logic_error if both are empty, the sizes differ, a bound is NaN,
  or a lower bound exceeds its upper bound. */
  SystemConstraintBounds(const std::optional<Eigen::VectorXd>& lower,
                         const std::optional<Eigen::VectorXd>& upper);

  /** Number of elements of the constraint's value. */
  int size() const { return static_cast<int>(lower_.size()); }
  /** Equality or inequality. */
  SystemConstraintType type() const { return type_; }
  /** Lower bounds, size() elements; zeros for an equality. */
  const Eigen::VectorXd& lower() const { return lower_; }
  /** Upper bounds, size() elements; zeros for an equality. */
  const Eigen::VectorXd& upper() const { return upper_; }

 private:
  SystemConstraintBounds(int size, double value);
  void RequireOrderedBounds();

  SystemConstraintType type_;
  Eigen::VectorXd lower_;
  Eigen::VectorXd upper_;
};

/** A condition on a System's Context that the System's author or user states:
bounds on a vector function. Nothing enforces it; CheckSatisfied() tells. */
template <typename T>
class SystemConstraint final {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SystemConstraint);
  /** Makes a constraint on `system`, which must outlive it.
  @throws std::logic_error if `calc` is empty. */
  SystemConstraint(const System<T>* system, ContextConstraintCalc<T> calc,
                   SystemConstraintBounds bounds, std::string description);
  /** Overload for a function that takes the System too, so that a copy of the
  System can use it. */
  SystemConstraint(const System<T>* system, SystemConstraintCalc<T> calc,
                   SystemConstraintBounds bounds, std::string description);

  /** A constraint of size zero, always satisfied. */
  SystemConstraint(const System<T>* system, std::string description)
      : SystemConstraint(
            system, [](const Context<T>&, VectorX<T>*) {}, {},
            std::move(description)) {}

  /** Computes the value, resized to size(). */
  void Calc(const Context<T>& context, VectorX<T>* value) const;
  /** True if every element is within its bounds, give or take `tol`. */
  bool CheckSatisfied(const Context<T>& context, double tol) const;

  /** The System that the constraint is about. */
  const System<T>& get_system() const { return *system_; }
  /** The bounds on the value. */
  const SystemConstraintBounds& bounds() const { return bounds_; }
  /** Lower bounds, size() elements. */
  const Eigen::VectorXd& lower_bound() const { return bounds_.lower(); }
  /** Upper bounds, size() elements. */
  const Eigen::VectorXd& upper_bound() const { return bounds_.upper(); }
  /** Number of elements of the value. */
  int size() const { return bounds_.size(); }
  /** Equality or inequality. */
  SystemConstraintType type() const { return bounds_.type(); }
  /** True if the value must be zero. */
  bool is_equality_constraint() const {
    return type() == SystemConstraintType::kEquality;
  }
  /** The description that was given to the constructor. */
  const std::string& description() const { return description_; }

 private:
  const System<T>* const system_;
  const SystemConstraintBounds bounds_;
  const SystemConstraintCalc<T> calc_;
  const std::string description_;
};

/** A constraint that a user adds to a System from outside, for every scalar. */
class ExternalSystemConstraint final {
 public:
  /** No function and no elements, to be assigned to. */
  ExternalSystemConstraint() = default;
  /** Takes a function for each scalar. Calculating the constraint of a System
  whose scalar has none throws std::logic_error. */
  ExternalSystemConstraint(
      std::string description, SystemConstraintBounds bounds,
      SystemConstraintCalc<double> calc_double,
      SystemConstraintCalc<AutoDiffXd> calc_autodiff = {},
      SystemConstraintCalc<symbolic::Expression> calc_expression = {})
      : description_(std::move(description)),
        bounds_(std::move(bounds)),
        calc_double_(std::move(calc_double)),
        calc_autodiff_(std::move(calc_autodiff)),
        calc_expression_(std::move(calc_expression)) {}

  /** One function for every scalar: `calc(system, context, &value)` for
  System<T>, Context<T> and VectorX<T> of any T; of Expression, too, in a
  program that links wyvern::symbolic. */
  template <typename GenericSystemConstraintCalc,
            bool for_symbolic = kForSymbolic>
  static ExternalSystemConstraint MakeForAllScalars(
      std::string description, SystemConstraintBounds bounds,
      GenericSystemConstraintCalc calc) {
    if constexpr (for_symbolic) {
      return ExternalSystemConstraint(std::move(description), std::move(bounds),
                                      calc, calc, calc);
    } else {
      return MakeForNonsymbolicScalars(std::move(description),
                                       std::move(bounds), std::move(calc));
    }
  }
  /** Overload without Expression. */
  template <typename GenericSystemConstraintCalc>
  static ExternalSystemConstraint MakeForNonsymbolicScalars(
      std::string description, SystemConstraintBounds bounds,
      GenericSystemConstraintCalc calc) {
    return ExternalSystemConstraint(std::move(description), std::move(bounds),
                                    calc, calc);
  }

  /** The description that was given to the constructor. */
  const std::string& description() const { return description_; }
  /** The bounds on the value. */
  const SystemConstraintBounds& bounds() const { return bounds_; }
  /** The function for scalar T, empty if none was given. */
  template <typename T>
  const SystemConstraintCalc<T>& get_calc() const {
    if constexpr (std::is_same_v<T, double>) {
      return calc_double_;
    } else if constexpr (std::is_same_v<T, symbolic::Expression>) {
      return calc_expression_;
    } else {
      return calc_autodiff_;
    }
  }

 private:
  std::string description_;
  SystemConstraintBounds bounds_;
  SystemConstraintCalc<double> calc_double_;
  SystemConstraintCalc<AutoDiffXd> calc_autodiff_;
  SystemConstraintCalc<symbolic::Expression> calc_expression_;
};

}  // namespace wyvern::systems
