#include "wyvern/multibody/constraints/loop_constraint.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

/* In P, with w = w_PS_P and a constant. With q = (s, u) the quaternion of R_PS,
  x = 2 a·u,    ẋ = g·w,  g = s a + u x a,    ẍ = g·ẇ - |w|² a·u / 2.
With n in P and m = R_PS n in S, the error without turns about n is
  x = f(c) b·m,  b = a x n,  c = n·m,  f = sqrt(2 / (1 + c)),
and of y = d·m for a d fixed in P: ẏ = w·(m x d), ÿ = ẇ·(m x d) + d·w x (w x m).
About one axis alone it is not ẋ that is kept at 0, but a·w, of rate a·ẇ.
ẇ in P is that of (w_S - w_P) in W, less w_P x (w_S - w_P).
For shifts y = a·r, r = p_PS_W, a = R_WP a_P:
  ẏ = a·(ṙ - w_P x r),  ÿ = a·r̈ + 2 (w_P x a)·ṙ + r·(α_P x a + w_P x (w_P x a)).
*/

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using math::RigidTransform;
using systems::Context;

template <typename T>
struct LoopConstraint<T>::Frames {
  Matrix3<T> R_WP;
  Matrix3<T> R_PS;
  Vector3<T> p_WP;
  Vector3<T> p_WS;
  T s;  // The quaternion of R_PS.
  Vector3<T> u;
};

// x along a, its gradient g, and what is left of its second derivative.
template <typename T>
struct LoopConstraint<T>::TurnRow {
  T x;
  Vector3<T> g;
  // Of planes alone: f, its derivatives, and the two products.
  T f, df, ddf, y, c;
  Vector3<T> b, m, n;
};

template <typename T>
LoopConstraint<T>::LoopConstraint(BodyIndex predecessor, BodyIndex successor,
                                  const RigidTransform<double>& X_AP,
                                  const RigidTransform<double>& X_BS,
                                  std::string name, std::optional<int> user_id)
    : BodyPairConstraint<T>(ConstraintType::kLoop, predecessor, successor,
                            std::move(name), user_id),
      X_AP_(X_AP),
      X_BS_(X_BS) {}

template <typename T>
void LoopConstraint<T>::AddAxis(const Vector6<double>& axis_P,
                                const std::string& name) {
  constexpr double kSine = 1e-8;
  axes_.push_back(axis_P);
  this->AddRow(name);
  const Vector3<double> turn = axis_P.head<3>();
  if (turn.norm() == 0) return;
  const Vector3<double> a = turn.normalized();
  if (num_turns_ == 0) {
    first_turn_ = a;
    num_turns_ = 1;
  } else if (num_turns_ == 1) {
    const Vector3<double> n = first_turn_.cross(a);
    if (n.norm() <= kSine) return;
    free_turn_ = n.normalized();
    num_turns_ = 2;
  } else if (std::abs(a.dot(free_turn_)) > kSine) {
    num_turns_ = 3;
  }
}

template <typename T>
typename LoopConstraint<T>::Frames LoopConstraint<T>::CalcFrames(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context) const {
  const auto& X_WB = plant.EvalPositions(context).X_WB;
  const auto& A = X_WB[plant.tree().model_body(this->predecessor())];
  const auto& B = X_WB[plant.tree().model_body(this->successor())];
  Frames frames;
  frames.R_WP = A.R * X_AP_.rotation().matrix().template cast<T>();
  frames.p_WP = A * Vector3<T>(X_AP_.translation().template cast<T>());
  frames.p_WS = B * Vector3<T>(X_BS_.translation().template cast<T>());
  if (num_turns_ == 0) return frames;
  const Matrix3<T> R_WS = B.R * X_BS_.rotation().matrix().template cast<T>();
  frames.R_PS = frames.R_WP.transpose() * R_WS;
  const Eigen::Quaternion<T> q =
      math::RotationMatrix<T>::MakeUnchecked(frames.R_PS).ToQuaternion();
  const double sign = q.w() < 0 ? -1 : 1;
  frames.s = sign * q.w();
  frames.u = sign * q.vec();
  return frames;
}

template <typename T>
typename LoopConstraint<T>::TurnRow LoopConstraint<T>::CalcTurn(
    const Frames& frames, const Vector3<T>& a) const {
  using std::sqrt;
  TurnRow row;
  if (num_turns_ != 2) {
    row.x = 2.0 * a.dot(frames.u);
    row.g = frames.s * a + frames.u.cross(a);
    return row;
  }
  row.n = free_turn_.template cast<T>();
  row.m = frames.R_PS * row.n;
  row.b = a.cross(row.n);
  row.c = row.n.dot(row.m);
  row.y = row.b.dot(row.m);
  if (!(row.c > -1 + 1e-12)) {
    throw std::runtime_error(fmt::format(
        "LoopConstraint '{}': the axes that its two frames may turn about "
        "point in opposite directions, so that there is no way back; start "
        "from another configuration.",
        this->name()));
  }
  row.f = sqrt(2.0 / (1.0 + row.c));
  row.df = -row.f / (2.0 * (1.0 + row.c));
  row.ddf = -1.5 * row.df / (1.0 + row.c);
  row.x = row.f * row.y;
  row.g = row.f * row.m.cross(row.b) + row.df * row.y * row.m.cross(row.n);
  return row;
}

template <typename T>
void LoopConstraint<T>::DoCalcPositionError(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    Eigen::Ref<VectorX<T>> error) const {
  const Frames frames = CalcFrames(plant, context);
  const Vector3<T> p_PS = frames.R_WP.transpose() * (frames.p_WS - frames.p_WP);
  for (int r = 0; r < this->size(); ++r) {
    error[r] = p_PS.dot(axes_[r].template tail<3>().template cast<T>());
    if (axes_[r].template head<3>().isZero(0)) continue;
    error[r] +=
        CalcTurn(frames, axes_[r].template head<3>().template cast<T>()).x;
  }
}

template <typename T>
void LoopConstraint<T>::DoCalcUnitForces(const MultibodyTreeSystem<T>& plant,
                                         const Context<T>& context,
                                         Eigen::Ref<Matrix6X<T>> F) const {
  CalcRowForces(CalcFrames(plant, context), /* of_positions */ false, F);
}

template <typename T>
void LoopConstraint<T>::DoCalcPositionUnitForces(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    Eigen::Ref<Matrix6X<T>> F) const {
  CalcRowForces(CalcFrames(plant, context), /* of_positions */ true, F);
}

template <typename T>
void LoopConstraint<T>::CalcRowForces(const Frames& frames, bool of_positions,
                                      Eigen::Ref<Matrix6X<T>> F) const {
  for (int r = 0; r < this->size(); ++r) {
    const Vector3<T> f =
        frames.R_WP * axes_[r].template tail<3>().template cast<T>();
    F.col(r).template head<3>() = frames.p_WS.cross(f);
    F.col(r).template tail<3>() = f;
    if (axes_[r].template head<3>().isZero(0)) continue;
    const Vector3<T> a = axes_[r].template head<3>().template cast<T>();
    F.col(r).template head<3>() +=
        frames.R_WP *
        (num_turns_ == 1 && !of_positions ? a : CalcTurn(frames, a).g);
  }
}

template <typename T>
void LoopConstraint<T>::DoCalcGammaFromBias(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const std::vector<Vector6<T>>& A_bias, Eigen::Ref<VectorX<T>> gamma) const {
  const Frames frames = CalcFrames(plant, context);
  const auto& positions = plant.EvalNodePositions(context);
  const auto& velocities = plant.EvalVelocities(context).nodes;
  const engine::MobodIndex body_P =
      plant.tree().model_body(this->predecessor());
  const engine::MobodIndex body_S = plant.tree().model_body(this->successor());
  const auto velocity = [&](engine::MobodIndex body, const Vector3<T>& p) {
    return engine::CalcPointVelocity<T>(plant.model(), positions, velocities,
                                        body, p);
  };
  const auto acceleration = [&](engine::MobodIndex body, const Vector3<T>& p) {
    return engine::CalcPointAcceleration<T>(plant.model(), positions,
                                            velocities, A_bias, body, p);
  };
  const Vector6<T> V_P = velocity(body_P, frames.p_WP);
  const Vector6<T> A_P = acceleration(body_P, frames.p_WP);
  const Vector6<T> V = velocity(body_S, frames.p_WS) - V_P;
  const Vector6<T> A = acceleration(body_S, frames.p_WS) - A_P;
  const Vector3<T> w_P = V_P.template head<3>();
  const Vector3<T> alpha_P = A_P.template head<3>();
  const Vector3<T> w_W = V.template head<3>();
  const Vector3<T> w = frames.R_WP.transpose() * w_W;
  const Vector3<T> wdot = frames.R_WP.transpose() *
                          (Vector3<T>(A.template head<3>()) - w_P.cross(w_W));
  const Vector3<T> p = frames.p_WS - frames.p_WP;
  for (int r = 0; r < this->size(); ++r) {
    const Vector3<T> f =
        frames.R_WP * axes_[r].template tail<3>().template cast<T>();
    const Vector3<T> w_f = w_P.cross(f);
    T bias = f.dot(A.template tail<3>()) + 2.0 * w_f.dot(V.template tail<3>()) +
             p.dot(alpha_P.cross(f) + w_P.cross(w_f));
    if (!axes_[r].template head<3>().isZero(0)) {
      const Vector3<T> a = axes_[r].template head<3>().template cast<T>();
      const TurnRow row = CalcTurn(frames, a);
      bias += num_turns_ == 1 ? T(a.dot(wdot)) : T(row.g.dot(wdot));
      if (num_turns_ == 3) {
        bias -= 0.5 * w.squaredNorm() * a.dot(frames.u);
      } else if (num_turns_ == 2) {
        const Vector3<T> w_w_m = w.cross(w.cross(row.m));
        const T cdot = w.dot(row.m.cross(row.n));
        const T ydot = w.dot(row.m.cross(row.b));
        bias += row.f * row.b.dot(w_w_m) + row.df * row.y * row.n.dot(w_w_m) +
                2.0 * row.df * cdot * ydot + row.ddf * cdot * cdot * row.y;
      }
    }
    gamma[r] = -bias;
  }
}

template <typename T>
void LoopConstraint<T>::DoCalcSpatialForces(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& multipliers, bool in_world,
    std::vector<BodyIndex>* bodies, std::vector<RigidTransform<T>>* frames,
    std::vector<SpatialForce<T>>* forces) const {
  Matrix6X<T> F(6, this->size());
  DoCalcUnitForces(plant, context, F);
  const SpatialForce<T> F_S_Wo(Vector6<T>(F * multipliers));
  const auto positions = plant.EvalPositions(context);
  const auto push = [&](BodyIndex body, const RigidTransform<double>& X_BF,
                        const SpatialForce<T>& F_Wo) {
    const RigidTransform<T> X_WF =
        plant.BodyPose(positions, body) * X_BF.template cast<T>();
    const SpatialForce<T> F_W = F_Wo.Shift(X_WF.translation());
    bodies->push_back(in_world ? world_index() : body);
    if (in_world) {
      frames->emplace_back(X_WF.translation());
      forces->push_back(F_W);
      return;
    }
    const auto R_FW = X_WF.rotation().transpose();
    frames->push_back(X_BF.template cast<T>());
    forces->emplace_back(R_FW * F_W.rotational(), R_FW * F_W.translational());
  };
  push(this->predecessor(), X_AP_,
       SpatialForce<T>(Vector6<T>(-F_S_Wo.get_coeffs())));
  push(this->successor(), X_BS_, F_S_Wo);
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::LoopConstraint);

}  // namespace wyvern::multibody
