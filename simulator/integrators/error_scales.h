#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "wyvern/systems/framework/system.h"

namespace wyvern::systems::internal {

/** The error that error control allows in each element of a continuous state
x = [q; v; z]. By default an element's error e in a step may be

    |e| <= a min(1, max(S / 10, 100 S^2) + 100 dS),                       (1)

with the accuracy a and the scale S of the element's group. So errors of groups
of scale 0.1 or more are absolute, and errors of groups of scale 1e-3 or less
are relative to the scale. A group is the q or the v of one leaf System, or one
element of z. Its scale is the largest magnitude that an element of the group
has had since Initialize(), the end of the step included; dS is its growth in
the step. A signal that grows from zero has no scale yet; dS makes its relative
errors, all together, at most 100 a. The scale of v is at least that of q of the
same System, per second. The scale of an element of z is at least 1e-2 of the
largest element of z of the same System. The bound (1) is also at most S / 10,
which counts for accuracies of 0.01 and more, and at least 1e-15 max(1, W),
where W is the largest magnitude in the whole state, but never above a. Steps
below 1e-7 of the longest one have the bound a: a state whose derivative jumps
when it is zero has errors as large as itself in a step of any size.

If an element has tolerances r, c of its own, relative and absolute, its error
may be

    |e| <= c + r max(|x0|, |x1|)                                          (2)

in a step from x0 to x1 (Hairer, Norsett, Wanner, Solving ODEs I, II.4, eq.
4.10). Without c, c is 1e-3 r times the largest magnitude that the element has
had, and the bound is at least 1e-15 max(1, W). Allocates nothing between calls
of Initialize(). */
template <typename T>
class ErrorScales {
 public:
  /** Forgets the groups: every scale is 1 from now on. */
  void SetOnes(int num_q, int num_v, int num_z);
  /** Finds the groups of elements in `context`, starts their scales from its
  state, and resolves the tolerances.
  @throws std::logic_error if both tolerances of an element are 0, or those of a
  System have another size, or the System is not within `system`. */
  void Initialize(const System<T>& system, const Context<T>& context);

  /** @name Tolerances
  A later call overrides an earlier one where both name an element.
  @{ */
  enum class Kind { kRelative, kAbsolute };
  /** One call that set tolerances of `part`, or of the whole System if null:
  one number for all of its elements, or one for each of its [q; v; z]. */
  struct Setting {
    Kind kind{};
    const System<T>* part{};
    Eigen::VectorXd values;
  };
  /** Adds a setting; Initialize() or Resolve() puts it in force. */
  void AddTolerance(Kind kind, const System<T>* part, Eigen::VectorXd values);
  void RemoveLastTolerance() { settings_.pop_back(); }
  void ClearTolerances() { settings_.clear(); }
  const std::vector<Setting>& settings() const { return settings_; }
  /** Puts the tolerances in force.
  @throws std::logic_error as Initialize() does. */
  void Resolve(const System<T>& system, const Context<T>& context);
  /** The tolerance of each element, NaN where it has none; sized by
  Initialize(). */
  const Eigen::VectorXd& tolerances(Kind kind) const {
    return kind == Kind::kRelative ? relative_ : absolute_;
  }
  /** True if an element has tolerances of its own. */
  bool has_tolerances() const { return !settings_.empty(); }
  /** The size below which element `j` of the state's vector is small beside
  the errors that its own tolerances allow: c / r, at most 1; 1 without
  tolerances. Differences of derivatives are as long for an element that is
  smaller. */
  double CalcLeastSize(int j) const;
  /** @} */

  /** Prepares a step of size `h` [s] from x0, whose derivative is xdot0; no
  step is above `longest` [s]. A group that has been zero so far takes the
  change xdot0 h for its scale. */
  void StartStep(double accuracy, const VectorX<T>& x0, const VectorX<T>& xdot0,
                 double h, double longest);
  /** Adds the end of the step to the scales, for the error of this step. */
  void ReachEnd(const VectorX<T>& x1);
  /** Keeps the magnitudes of the step for the following ones. */
  void AcceptStep() { largest_ = sizes_; }

  /** The error of element i, of weight `weight`, is divided by this number
  before it is compared with the accuracy. */
  double CalcUnit(int i, double weight) const {
    return has_own_[i] ? units_[i] : ScaleWithWeight(units_[i], weight);
  }
  /** Overload for the position change along velocity k. */
  double CalcPositionUnit(int k, double weight) const {
    return ScaleWithWeight(position_units_[k], weight);
  }
  /** Whether position element i is measured as it is, because its System has
  no velocities or its positions have tolerances. */
  bool is_measured_alone(int i) const { return measures_alone_[i]; }
  /** Whether the position change along velocity k is measured. */
  bool is_measured_by_velocity(int k) const { return measures_by_velocity_[k]; }
  /** Whether any position change along a velocity is measured. */
  bool measures_by_velocity() const { return measures_any_by_velocity_; }

  /** The largest magnitude of each element since Initialize(). A run that is
  saved or taken back goes on from here. */
  const Eigen::VectorXd& largest() const { return largest_; }
  void set_largest(const Eigen::VectorXd& largest) { largest_ = largest; }

 private:
  // A weight above 1 magnifies an element to a unit of its own.
  static double ScaleWithWeight(double scale, double weight) {
    const double magnified = weight > 1 ? weight * scale : scale;
    return magnified < 1 ? magnified : 1.0;
  }
  void FindGroups(const Context<T>& context);
  void ChoosePositions();
  // Scales of the groups from sizes_.
  void CalcGroupScales();
  // Units from the scales of the groups at the start of the step and now.
  void CalcUnits();
  double CalcOwnTolerance(int i, double least) const;

  int num_q_{0};
  int num_v_{0};
  std::vector<Setting> settings_;
  Eigen::VectorXd relative_;
  Eigen::VectorXd absolute_;

  // Group of each element of x: 2 l and 2 l + 1 are q and v of leaf l; those of
  // z follow, one for each. After the n groups, the leaf of each element of z.
  std::vector<int> group_;
  int num_leaves_{0};
  Eigen::VectorXd scale_;
  Eigen::VectorXd start_scale_;

  double accuracy_{1};
  Eigen::VectorXd largest_;
  // Magnitudes that count in the step at work: largest_ and the step's states.
  Eigen::VectorXd sizes_;
  // Magnitudes in the states of the step alone.
  Eigen::VectorXd step_sizes_;
  Eigen::VectorXd units_;
  Eigen::VectorXd position_units_;
  std::vector<uint8_t> has_own_;
  std::vector<uint8_t> measures_alone_;
  std::vector<uint8_t> measures_by_velocity_;
  bool measures_any_by_velocity_{false};
  bool is_shortest_{false};
};

}  // namespace wyvern::systems::internal
