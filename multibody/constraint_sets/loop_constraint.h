#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wyvern/multibody/constraint_sets/body_pair_constraint.h"

namespace wyvern::multibody {

/** Frame S on the successor and frame P on the predecessor do not move apart
along axes (a_w; a_v) that are fixed in P, a row for each:

  e = a_w · e_w + a_v · p_PS_P.

What e_w is, by what the a_w of a group span, is with internal::LoopAxes. Where
P and S coincide but for a free turn, ė = a · V_PS_P. Of one axis of rotation
alone that is what G v is everywhere, and no position error has this rate: that
kept is of the twist, as of a constant-velocity joint, and the two agree where S
is turned about a_w alone, or not at all.

A multiplier is the wrench a on S, [N m; N], at So, and its opposite on P on the
same line. */
template <typename T>
class LoopConstraint final : public BodyPairConstraint<T> {
 public:
  /** For ConstraintSet::AddLoopConstraint(); axes are added afterwards. */
  LoopConstraint(BodyIndex predecessor, BodyIndex successor,
                 const math::RigidTransform<double>& X_AP,
                 const math::RigidTransform<double>& X_BS, std::string name,
                 std::optional<int> user_id)
      : BodyPairConstraint<T>(ConstraintType::kLoop, predecessor, successor,
                              std::move(name), user_id),
        X_AP_(X_AP),
        X_BS_(X_BS) {}

  /** Pose of P in the predecessor's frame. */
  const math::RigidTransform<double>& X_AP() const { return X_AP_; }
  /** Pose of S in the successor's frame. */
  const math::RigidTransform<double>& X_BS() const { return X_BS_; }
  /** Axes (a_w; a_v) in P, one for each row. */
  const std::vector<Vector6<double>>& axes() const { return loop_.axes(); }
  /** For one more axis between the same frames. */
  void AddAxis(const Vector6<double>& axis_P, const std::string& name) {
    loop_.Add(axis_P);
    this->AddRow(name);
  }

 private:
  internal::HolonomicConstraint MakeRows() const final {
    internal::HolonomicConstraint rows;
    rows.kind = internal::HolonomicConstraint::Kind::kLoop;
    rows.X_AP = {X_AP_.rotation().matrix(), X_AP_.translation()};
    rows.X_BQ = {X_BS_.rotation().matrix(), X_BS_.translation()};
    rows.loop = &loop_;
    return rows;
  }

  math::RigidTransform<double> X_AP_;
  math::RigidTransform<double> X_BS_;
  internal::LoopAxes loop_;
};

}  // namespace wyvern::multibody
