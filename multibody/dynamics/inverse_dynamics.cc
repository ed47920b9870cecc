#include "wyvern/multibody/dynamics/inverse_dynamics.h"

#include "wyvern/multibody/dynamics/dispatch_by_dof.h"
#include "wyvern/multibody/dynamics/free_base.h"
#include "wyvern/multibody/dynamics/screw_algebra.h"
#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/systems/common/default_scalars.h"

/* Recursive Newton-Euler (Featherstone, 2008, table 5.1), in world axes.
Outward: A_N = A_P + H v̇ + Ḣ v. Each node needs the force
  I A + V x* (I V) - F_gravity - F_applied;
inward these add up to what crosses each mobilizer, F_N, and
  tau = Hᵀ F_N + reflected inertia * v̇.
Limit: v̇ = v = 0 leaves -g(q). O(bodies); allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

// Inward: sums scratch->F towards the world and projects on H.
template <typename T>
void Project(const Configuration<T>& at, std::vector<Vector6<T>>* F,
             Eigen::Ref<VectorX<T>>* tau) {
  for (int i = at.model.num_nodes() - 1; i > 0; --i) {
    const Model::Node& node = at.model.nodes[i];
    DispatchByDof<T>(node.nv, [&](auto nv) {
      const T* const H = at.positions.H.data() + 6 * node.v_start;
      T* const tau_i = tau->data() + node.v_start;
      if constexpr (nv == 6) {
        if (IsFreeBase(node)) {
          return FreeBaseTransposeTimes<T>(H, (*F)[i], tau_i);
        }
      }
      TransposeTimes<T>(H, (*F)[i], NvOf<nv>(node), tau_i);
    });
    if (node.parent > 0) (*F)[node.parent] += (*F)[i];
  }
}

// Outward's second half: scratch->F from scratch->A.
template <typename T>
void CalcRequiredForces(const Motion<T>& motion, const Vector3<T>& gravity,
                        InverseDynamicsScratch<T>* scratch) {
  internal::RunBest<T>([&] {
    for (int i = 1; i < motion.model.num_nodes(); ++i) {
      CalcRequiredForce<T>(motion.inertias[i], motion.velocities.V[i],
                           scratch->A[i], gravity, &scratch->F[i]);
    }
  });
}

}  // namespace

template <typename T>
InverseDynamicsScratch<T>::InverseDynamicsScratch(const Model& model)
    : A(model.num_nodes(), Vector6<T>::Zero()),
      F(model.num_nodes(), Vector6<T>::Zero()) {}

template <typename T>
void CalcInverseDynamics(const Motion<T>& motion,
                         const Eigen::Ref<const VectorX<T>>& vdot,
                         std::span<const Vector6<T>> F, Gravity gravity,
                         InverseDynamicsScratch<T>* scratch,
                         Eigen::Ref<VectorX<T>> tau) {
  const Model& model = motion.model;
  const ModelParameters<T>& parameters = motion.parameters;
  const bool is_bias = vdot.size() == 0;
  if (is_bias) {
    CalcBiasAccelerations(model, motion.velocities, &scratch->A);
  } else {
    CalcAccelerationKinematics<T>(model, motion.positions, motion.velocities,
                                  vdot, &scratch->A);
  }
  const Vector3<T> zero = Vector3<T>::Zero();
  const bool falls = gravity == Gravity::kOn;
  const bool is_uniform = parameters.gravity_is_uniform;
  CalcRequiredForces<T>(motion, falls && is_uniform ? parameters.gravity : zero,
                        scratch);
  if (falls && !is_uniform) {
    for (int i = 1; i < model.num_nodes(); ++i) {
      scratch->F[i] -= CalcGravityForce(model, parameters, motion.positions,
                                        motion.inertias, i);
    }
  }
  if (!F.empty()) {
    for (int i = 1; i < model.num_nodes(); ++i) scratch->F[i] -= F[i];
  }
  Project<T>(motion, &scratch->F, &tau);
  if (parameters.has_reflected_inertia && !is_bias) {
    tau += parameters.reflected_inertia.cwiseProduct(vdot);
  }
}

template <typename T>
void CalcBiasTerm(const Motion<T>& motion, InverseDynamicsScratch<T>* scratch,
                  Eigen::Ref<VectorX<T>> Cv) {
  CalcBiasAccelerations(motion.model, motion.velocities, &scratch->A);
  CalcRequiredForces<T>(motion, Vector3<T>::Zero(), scratch);
  Project<T>(motion, &scratch->F, &Cv);
}

template <typename T>
void CalcGravityGeneralizedForces(const Configuration<T>& at,
                                  InverseDynamicsScratch<T>* scratch,
                                  Eigen::Ref<VectorX<T>> g) {
  for (int i = 1; i < at.model.num_nodes(); ++i) {
    scratch->F[i] =
        CalcGravityForce(at.model, at.parameters, at.positions, at.inertias, i);
  }
  Project<T>(at, &scratch->F, &g);
}

template <typename T>
void CalcDampingForces(const ModelParameters<T>& parameters,
                       const Eigen::Ref<const VectorX<T>>& v,
                       Eigen::Ref<VectorX<T>> tau) {
  if (parameters.damping.size() == 0) {
    tau.setZero();
  } else {
    tau = -parameters.damping.cwiseProduct(v);
  }
}

#define WYVERN_INSTANTIATE(T)                                       \
  template struct InverseDynamicsScratch<T>;                        \
  template decltype(CalcInverseDynamics<T>) CalcInverseDynamics<T>; \
  template decltype(CalcBiasTerm<T>) CalcBiasTerm<T>;               \
  template decltype(CalcGravityGeneralizedForces<T>)                \
      CalcGravityGeneralizedForces<T>;                              \
  template decltype(CalcDampingForces<T>) CalcDampingForces<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
