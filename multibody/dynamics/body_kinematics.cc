#include "wyvern/multibody/dynamics/body_kinematics.h"

#include <type_traits>

#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/multibody/kernels/pose_columns.h"
#include "wyvern/systems/common/default_scalars.h"

/* With r = p_OQ and the node's screws V = (w, v_O), A = (alpha, dv_O/dt):
  v_Q = v_O + w x r,   a_Q = dv_O/dt + alpha x r + w x v_Q. */

namespace wyvern::multibody::dynamics {
namespace {

// Whether the product with it may be left out, as for most free bodies; not
// where it may have derivatives.
template <typename T>
EIGEN_STRONG_INLINE bool IsIdentity(const Pose<T>& X) {
  if constexpr (std::is_same_v<T, double>) {
    return X.R(1, 1) == 1 && X.R(2, 2) == 1 && X.p[2] == 0 && X.p[1] == 0 &&
           X.p[0] == 0 && X.R == Matrix3<T>::Identity();
  } else {
    return false;
  }
}

// *X_WB = X_WN X_NB.
template <typename T>
EIGEN_STRONG_INLINE void PlaceBody(const Pose<T>& X_WN, const Pose<T>& X_NB,
                                   Pose<T>* X_WB) {
  if (IsIdentity(X_NB)) {
    *X_WB = X_WN;
    return;
  }
  const internal::PoseColumns<T> N(X_WN);
  internal::PoseColumns<T> B = N;
  B.x = N.Times(X_NB.R.data());
  B.y = N.Times(X_NB.R.data() + 3);
  B.z = N.Times(X_NB.R.data() + 6);
  B.p += N.Times(X_NB.p.data());
  B.Store(X_WB);
}

}  // namespace

template <typename T>
Pose<T> CalcBodyPose(const Model& model, const ModelParameters<T>& parameters,
                     const PositionKinematics<T>& positions,
                     MobodArgument body) {
  Pose<T> X_WB;
  PlaceBody<T>(positions.X_WN[model.bodies[body].node], parameters.X_NB[body],
               &X_WB);
  return X_WB;
}

template <typename T>
void CalcBodyPoses(const Model& model, const ModelParameters<T>& parameters,
                   const PositionKinematics<T>& positions,
                   std::vector<Pose<T>>* X_WB) {
  internal::RunBest<T>([&] {
    for (int i = 0; i < model.num_bodies(); ++i) {
      PlaceBody<T>(positions.X_WN[model.bodies[i].node], parameters.X_NB[i],
                   &(*X_WB)[i]);
    }
  });
}

template <typename T>
Vector6<T> CalcPointVelocity(const Model& model,
                             const PositionKinematics<T>& positions,
                             const VelocityKinematics<T>& velocities,
                             MobodArgument body, const Vector3<T>& p_WQ) {
  const NodeIndex node = model.bodies[body].node;
  if (node == 0) return Vector6<T>::Zero();
  const Vector3<T> r = p_WQ - positions.p_WO[model.nodes[node].tree];
  Vector6<T> V = velocities.V[node];
  const Vector3<T> w = V.template head<3>();
  V.template tail<3>() += w.cross(r);
  return V;
}

template <typename T>
void CalcBodyVelocities(const Model& model, const std::vector<Pose<T>>& X_WB,
                        const PositionKinematics<T>& positions,
                        const VelocityKinematics<T>& velocities,
                        std::vector<Vector6<T>>* V_WB) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    (*V_WB)[i] = CalcPointVelocity(model, positions, velocities, i, X_WB[i].p);
  }
}

template <typename T>
Vector6<T> CalcPointAcceleration(const Model& model,
                                 const PositionKinematics<T>& positions,
                                 const VelocityKinematics<T>& velocities,
                                 const std::vector<Vector6<T>>& A,
                                 MobodArgument body, const Vector3<T>& p_WQ) {
  const NodeIndex node = model.bodies[body].node;
  if (node == 0) return Vector6<T>::Zero();
  const Vector3<T> r = p_WQ - positions.p_WO[model.nodes[node].tree];
  const Vector3<T> w = velocities.V[node].template head<3>();
  const Vector3<T> v_Q = velocities.V[node].template tail<3>() + w.cross(r);
  Vector6<T> result = A[node];
  const Vector3<T> alpha = result.template head<3>();
  result.template tail<3>() += alpha.cross(r) + w.cross(v_Q);
  return result;
}

template <typename T>
void CalcBodyAccelerations(const Model& model, const std::vector<Pose<T>>& X_WB,
                           const PositionKinematics<T>& positions,
                           const VelocityKinematics<T>& velocities,
                           const std::vector<Vector6<T>>& A,
                           std::vector<Vector6<T>>* A_WB) {
  for (int i = 0; i < model.num_bodies(); ++i) {
    (*A_WB)[i] =
        CalcPointAcceleration(model, positions, velocities, A, i, X_WB[i].p);
  }
}

#define WYVERN_INSTANTIATE(T)                                           \
  template decltype(CalcBodyPose<T>) CalcBodyPose<T>;                   \
  template decltype(CalcBodyPoses<T>) CalcBodyPoses<T>;                 \
  template decltype(CalcPointVelocity<T>) CalcPointVelocity<T>;         \
  template decltype(CalcBodyVelocities<T>) CalcBodyVelocities<T>;       \
  template decltype(CalcPointAcceleration<T>) CalcPointAcceleration<T>; \
  template decltype(CalcBodyAccelerations<T>) CalcBodyAccelerations<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
