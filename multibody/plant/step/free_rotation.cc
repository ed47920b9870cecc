#include "wyvern/multibody/plant/step/free_rotation.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "wyvern/geometry/math/cross_product.h"
#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* The inertia about the centre of mass and w, both in W when the step begins,
stand for those in the axes of the body, which only turn with them. Newton's
method finds w1 (Advance); what it and the origin's velocity have beyond what
-dt M^-1 C v0 gives is added to v0 (CalcBeyondFirstOrder). */

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

// A body that turns by less in a step has terms beyond first order that are
// round-off, [rad].
constexpr double kLeastTurn = 1e-8;
// Newton's method converges for any inertia if a part turns by this [rad]: by
// the triangle inequality |I^-1 (w x I w)| <= |w|^2.
constexpr double kPartTurn = 0.5;
constexpr int kMaxParts = 64;
constexpr int kMaxNewtonSteps = 8;
// Tolerance of torques, relative to momentum.
constexpr double kTorqueTolerance = 1e-14;
// Tolerance after which one more Newton step, which squares the error, leaves
// only rounding; derivatives are one step behind.
template <typename T>
constexpr double kNearlyDone =
    std::is_same_v<T, double> ? 1e-7 : kTorqueTolerance;

template <typename T>
double Norm(const Vector3<T>& x) {
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    largest = std::max(largest, std::abs(ToDouble(x[i])));
  }
  return largest;
}

// Returns w1 = 2 wm - w0 of the midpoint rule
// I (wm - w0) + dt/2 wm x I wm = 0. Newton's method for wm starts from an
// explicit half step.
template <typename T>
Vector3<T> Advance(const Matrix3<T>& I, const Matrix3<T>& I_inverse,
                   const Vector3<T>& w0, double dt) {
  Vector3<T> w = w0 - (dt / 2) * (I_inverse * w0.cross(I * w0));
  bool is_last = false;
  for (int i = 0; i < kMaxNewtonSteps && !is_last; ++i) {
    const Vector3<T> L = I * w;
    const Vector3<T> residual = I * (w - w0) + (dt / 2) * w.cross(L);
    const Matrix3<T> slope =
        I + (dt / 2) * (math::VectorToSkewSymmetric(w) * I -
                        math::VectorToSkewSymmetric(L));
    is_last = Norm<T>(residual) <= kNearlyDone<T> * Norm<T>(L);
    w -= slope.inverse() * residual;
  }
  return 2 * w - w0;
}

// Integrates the rotation in parts of at most kPartTurn each. Returns w0 if
// there would be more than kMaxParts.
template <typename T>
Vector3<T> AdvanceInParts(const Matrix3<T>& I, const Matrix3<T>& I_inverse,
                          const Vector3<T>& w0, double dt) {
  const double parts = std::ceil(dt * Norm<T>(w0) / kPartTurn);
  if (!(parts <= kMaxParts)) return w0;
  Vector3<T> w = w0;
  for (int i = 0; i < parts; ++i) w = Advance<T>(I, I_inverse, w, dt / parts);
  return w;
}

// Returns R p - p, where R is the rotation by the quaternion (1, dt w / 2),
// normalized: the step of quaternions.
template <typename T>
Vector3<T> ChangeByTurn(const Vector3<T>& w, double dt, const Vector3<T>& p) {
  const Vector3<T> u = (dt / 2) * w;
  const Vector3<T> u_p = u.cross(p);
  return (2.0 / (1.0 + u.squaredNorm())) * (u_p + u.cross(u_p));
}

bool TurnsFreely(const dynamics::Model::Node& node) {
  return !node.has_children && !node.is_reversed &&
         dynamics::TraitsOf(node.type).rotates_freely;
}

// Returns the change of a freely turning body's v in a step, beyond first
// order.
template <typename T>
Vector6<T> CalcBeyondFirstOrder(const dynamics::RigidInertia<T>& M,
                                const Vector3<T>& w0, bool is_floating,
                                double dt) {
  Vector6<T> change = Vector6<T>::Zero();
  Vector3<T> p = Vector3<T>::Zero();  // From the centre of mass to Mo.
  Matrix3<T> I;
  I << M.xx, M.xy, M.xz, M.xy, M.yy, M.yz, M.xz, M.yz, M.zz;
  if (is_floating) {
    p = -M.h / M.mass;
    I += M.mass * math::VectorToSkewSymmetric(p) *
         math::VectorToSkewSymmetric(p);
  }
  const Vector3<T> L = I * w0;
  const Vector3<T> dL = dt * w0.cross(L);
  Vector3<T> w1 = w0;
  // A body that turns about a principal axis keeps w, but not its derivatives.
  if (!std::is_same_v<T, double> ||
      Norm<T>(dL) > kTorqueTolerance * Norm<T>(L)) {
    const Matrix3<T> I_inverse = I.inverse();
    w1 = AdvanceInParts<T>(I, I_inverse, w0, dt);
    change.template head<3>() = w1 - w0 + I_inverse * dL;
  }
  if (!is_floating || Norm<T>(M.h) == 0) return change;
  change.template tail<3>() = change.template head<3>().cross(p) +
                              w1.cross(ChangeByTurn<T>(w1, dt, p)) -
                              dt * w0.cross(w0.cross(p));
  return change;
}

}  // namespace

template <typename T>
void CalcFreeVelocities(const MultibodyTreeSystem<T>& core,
                        const Context<T>& context, double dt,
                        const std::vector<bool>& is_locked,
                        VectorX<T>* v_star) {
  *v_star = core.VelocitiesOf(context);
  for (const dynamics::Model::Tree& tree : core.model().trees) {
    const dynamics::Model::Node& node = core.model().nodes[tree.base_node];
    if (!TurnsFreely(node) || is_locked[node.v_start]) continue;
    const auto& V = core.EvalVelocities(context).nodes.V[tree.base_node];
    const Vector3<T> w0 = V.template head<3>();
    if (!(dt * Norm<T>(w0) > kLeastTurn)) continue;
    const Vector6<T> change =
        CalcBeyondFirstOrder<T>(core.EvalInertias(context)[tree.base_node], w0,
                                dynamics::TraitsOf(node.type).translates, dt);
    // v is in the axes of F, which the screws of a base are along.
    const auto R_WF =
        core.EvalNodePositions(context).H.template block<3, 3>(0, node.v_start);
    for (int i = 0; i < node.nv; i += 3) {
      v_star->template segment<3>(node.v_start + i) +=
          R_WF.transpose() * change.template segment<3>(i);
    }
  }
}

#define WYVERN_INSTANTIATE(T) \
  template decltype(CalcFreeVelocities<T>) CalcFreeVelocities<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
