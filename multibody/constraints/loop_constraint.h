#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/constraints/body_pair_constraint.h"

namespace wyvern::multibody {

/** Frame S on the successor and frame P on the predecessor do not move apart
along axes (a_w; a_v) that are fixed in P, a row for each:

  e = a_w · e_w + a_v · p_PS_P.

e_w is the rotation from P to S, 2 sin(angle / 2) times its axis. If the a_w of
a group span a plane, S may turn about its normal n, and e_w is taken from n in
P to n in S instead, without that turn. Where P and S coincide but for the free
turn, ė = a · V_PS_P.

If they span a line, S may turn about two axes, but has no angular velocity
along a_w: that of G v is a_w · w_PS_P, everywhere. No position error has this
rate: that kept is of the twist, as of a constant-velocity joint, with e_w as
above, and the two agree where S is turned about a_w alone, or not at all.

A multiplier is the wrench a on S, [N m; N], at So, and its opposite on P on the
same line. */
template <typename T>
class LoopConstraint final : public BodyPairConstraint<T> {
 public:
  LoopConstraint(BodyIndex predecessor, BodyIndex successor,
                 const math::RigidTransform<double>& X_AP,
                 const math::RigidTransform<double>& X_BS, std::string name,
                 std::optional<int> user_id);

  const math::RigidTransform<double>& X_AP() const { return X_AP_; }
  const math::RigidTransform<double>& X_BS() const { return X_BS_; }
  const std::vector<Vector6<double>>& axes() const { return axes_; }
  /** For one more axis between the same frames. */
  void AddAxis(const Vector6<double>& axis_P, const std::string& name);

 private:
  struct Frames;
  struct TurnRow;
  Frames CalcFrames(const internal::MultibodyTreeSystem<T>& plant,
                    const systems::Context<T>& context) const;
  TurnRow CalcTurn(const Frames& frames, const Vector3<T>& a) const;

  void DoCalcPositionError(const internal::MultibodyTreeSystem<T>& plant,
                           const systems::Context<T>& context,
                           Eigen::Ref<VectorX<T>> error) const override;
  void DoCalcUnitForces(const internal::MultibodyTreeSystem<T>& plant,
                        const systems::Context<T>& context,
                        Eigen::Ref<Matrix6X<T>> F) const override;
  void DoCalcPositionUnitForces(const internal::MultibodyTreeSystem<T>& plant,
                                const systems::Context<T>& context,
                                Eigen::Ref<Matrix6X<T>> F) const override;
  void CalcRowForces(const Frames& frames, bool of_positions,
                     Eigen::Ref<Matrix6X<T>> F) const;
  void DoCalcGammaFromBias(const internal::MultibodyTreeSystem<T>& plant,
                           const systems::Context<T>& context,
                           const std::vector<Vector6<T>>& A_bias,
                           Eigen::Ref<VectorX<T>> gamma) const override;
  void DoCalcSpatialForces(const internal::MultibodyTreeSystem<T>& plant,
                           const systems::Context<T>& context,
                           const Eigen::Ref<const VectorX<T>>& multipliers,
                           bool in_world, std::vector<BodyIndex>* bodies,
                           std::vector<math::RigidTransform<T>>* frames,
                           std::vector<SpatialForce<T>>* forces) const override;

  math::RigidTransform<double> X_AP_;
  math::RigidTransform<double> X_BS_;
  std::vector<Vector6<double>> axes_;
  // The plane of the axes of rotation, if they span one: its normal.
  int num_turns_{0};
  Vector3<double> first_turn_{Vector3<double>::Zero()};
  Vector3<double> free_turn_{Vector3<double>::Zero()};
};

}  // namespace wyvern::multibody
