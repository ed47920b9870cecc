#include "wyvern/multibody/dynamics/reaction_forces.h"

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/systems/common/default_scalars.h"

/* Newton and Euler for body B about Bo, with c = p_BoBcm and I = I_BBo in W:
  f = m (a_Bo + alpha x c + w x (w x c)),
  t = I alpha + w x I w + m c x a_Bo.
Less what is applied, plus what B passes on to the bodies outboard of it, this
is what comes in through B's own mobilizer. O(bodies); allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

// (t about Bo, f) that the body's acceleration takes, less gravity's share.
template <typename T>
Vector6<T> RequiredForce(const BodyParameters<T>& B, const Matrix3<T>& R_WB,
                         const Vector3<T>& w, const Vector6<T>& A_WB,
                         const Vector3<T>& gravity) {
  const Vector3<T> alpha = A_WB.template head<3>();
  const Vector3<T> a = A_WB.template tail<3>() - gravity;
  const Vector3<T> mc = R_WB * (B.mass * B.p_BoBcm_B);
  const Vector3<T> w_B = R_WB.transpose() * w;
  const Vector3<T> alpha_B = R_WB.transpose() * alpha;
  const Vector3<T> Iw_B = B.I_BBo_B * w_B;
  const Vector3<T> wxmc = w.cross(mc);
  Vector6<T> F;
  F.template head<3>() =
      R_WB * (B.I_BBo_B * alpha_B + w_B.cross(Iw_B)) + mc.cross(a);
  F.template tail<3>() = B.mass * a + alpha.cross(mc) + w.cross(wxmc);
  return F;
}

}  // namespace

template <typename T>
void CalcReactionForces(const Model& model,
                        const ModelParameters<T>& parameters,
                        const PositionKinematics<T>& positions,
                        const VelocityKinematics<T>& velocities,
                        const std::vector<Vector6<T>>& A,
                        std::span<const Vector6<T>> F_BBo_W, Gravity gravity,
                        std::vector<Vector6<T>>* F_BMo_W) {
  std::vector<Vector6<T>>& F = *F_BMo_W;
  for (Vector6<T>& force : F) force.setZero();
  for (int i = model.num_bodies() - 1; i > 0; --i) {
    const Model::Body& body = model.bodies[i];
    const BodyParameters<T>& B = parameters.bodies[i];
    const Pose<T> X_WB = CalcBodyPose(model, parameters, positions, i);
    const Vector3<T> w = velocities.V[body.node].template head<3>();
    const Vector6<T> A_WB =
        CalcPointAcceleration(model, positions, velocities, A, i, X_WB.p);
    const bool falls = gravity == Gravity::kOn && B.gravity_enabled;
    const Vector3<T> g =
        falls ? parameters.gravity : Vector3<T>(Vector3<T>::Zero());
    // F[i] holds what the outboard bodies take, about this Bo.
    F[i] += RequiredForce<T>(B, X_WB.R, w, A_WB, g);
    if (!F_BBo_W.empty()) F[i] -= F_BBo_W[i];
    if (body.parent > 0) {
      const Pose<T> X_WP =
          CalcBodyPose(model, parameters, positions, body.parent);
      const Vector3<T> f = F[i].template tail<3>();
      const Vector3<T> p_PoBo_W = X_WB.p - X_WP.p;
      F[body.parent] += F[i];
      F[body.parent].template head<3>() += p_PoBo_W.cross(f);
    }
    const Vector3<T> p_BoMo_W = X_WB.R * B.X_BM.p;
    const Vector3<T> f = F[i].template tail<3>();
    F[i].template head<3>() -= p_BoMo_W.cross(f);
  }
}

#define WYVERN_INSTANTIATE(T) \
  template decltype(CalcReactionForces<T>) CalcReactionForces<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
