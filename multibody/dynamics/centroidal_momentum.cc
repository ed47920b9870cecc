#include "wyvern/multibody/dynamics/centroidal_momentum.h"

#include "wyvern/multibody/dynamics/screw_algebra.h"
#include "wyvern/systems/common/default_scalars.h"

/* Orin, Goswami and Lee, "Centroidal dynamics of a humanoid robot", Autonomous
Robots 2013. A unit of velocity k of node i moves all outboard of i as one body
with the momentum I_composite H_k. As C moves along the linear momentum, the
rate of h about it is the sum of moments and forces on the bodies; v̇ = 0 takes
sum of I Ḣ v + V x* I V. O(bodies); allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

// A momentum, or a force, about C, from that about the O of a tree.
template <typename T>
Vector6<T> ShiftToC(const PositionKinematics<T>& positions, int tree,
                    const Vector3<T>& p_WC, const Vector6<T>& L) {
  const Vector3<T> r = p_WC - positions.p_WO[tree];
  const Vector3<T> l = L.template tail<3>();
  Vector6<T> result = L;
  result.template head<3>() -= r.cross(l);
  return result;
}

}  // namespace

template <typename T>
void CalcCentroidalMomentumMatrix(
    const Model& model, const PositionKinematics<T>& positions,
    const std::vector<RigidInertia<T>>& composites, const Vector3<T>& p_WC,
    Eigen::Ref<Matrix6X<T>> A) {
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    for (int k = node.v_start; k < node.v_start + node.nv; ++k) {
      A.col(k) = ShiftToC<T>(positions, node.tree, p_WC,
                             composites[i] * (positions.H.data() + 6 * k));
    }
  }
}

template <typename T>
Vector6<T> CalcCentroidalMomentum(const Model& model,
                                  const PositionKinematics<T>& positions,
                                  const std::vector<RigidInertia<T>>& inertias,
                                  const VelocityKinematics<T>& velocities,
                                  const Vector3<T>& p_WC) {
  Vector6<T> h = Vector6<T>::Zero();
  for (int i = 1; i < model.num_nodes(); ++i) {
    h += ShiftToC<T>(positions, model.nodes[i].tree, p_WC,
                     inertias[i] * velocities.V[i]);
  }
  return h;
}

template <typename T>
Vector6<T> CalcCentroidalMomentumBias(
    const Model& model, const PositionKinematics<T>& positions,
    const std::vector<RigidInertia<T>>& inertias,
    const VelocityKinematics<T>& velocities, const Vector3<T>& p_WC,
    std::vector<Vector6<T>>* A_bias) {
  CalcBiasAccelerations(model, velocities, A_bias);
  const Vector3<T> no_gravity = Vector3<T>::Zero();
  Vector6<T> sum = Vector6<T>::Zero();
  for (int i = 1; i < model.num_nodes(); ++i) {
    Vector6<T> F;
    CalcRequiredForce<T>(inertias[i], velocities.V[i], (*A_bias)[i], no_gravity,
                         &F);
    sum += ShiftToC<T>(positions, model.nodes[i].tree, p_WC, F);
  }
  return sum;
}

#define WYVERN_INSTANTIATE(T)                                             \
  template decltype(CalcCentroidalMomentumMatrix<T>)                      \
      CalcCentroidalMomentumMatrix<T>;                                    \
  template decltype(CalcCentroidalMomentum<T>) CalcCentroidalMomentum<T>; \
  template decltype(CalcCentroidalMomentumBias<T>)                        \
      CalcCentroidalMomentumBias<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
