#include "wyvern/multibody/dynamics/velocity_kinematics.h"

#include "wyvern/multibody/dynamics/dispatch_by_dof.h"
#include "wyvern/multibody/dynamics/free_base.h"
#include "wyvern/multibody/dynamics/mobilizers/visit_mobilizer.h"
#include "wyvern/multibody/dynamics/screw_algebra.h"
#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/systems/common/default_scalars.h"

/* Outward, for node N on its parent P:
  V_N = V_P + H v,   A_N = A_P + H v̇ + Ḣ v,
  Ḣ v = V_N x (H v) + (what the mobilizer adds: CalcBias()).
H v is carried by F, which moves by V_P; V_N x H v is the same, as H v is their
difference. For a reversed joint the screws are minus those of a motion of F
in N, N now carrying them, and the mobilizer's part, which is quadratic in H,
changes its sign. */

namespace wyvern::multibody::dynamics {
namespace {

template <typename T>
Vector6<T> MobilizerBias(const Model::Node& node,
                         const NodeConstants<T>& constants,
                         const PositionKinematics<T>& positions, int index,
                         const T* v) {
  Vector6<T> bias = Vector6<T>::Zero();
  VisitMobilizer<T>(node.type, [&]<typename Mobilizer>(Mobilizer) {
    if constexpr (Mobilizer::kHasBias) {
      const T* H = positions.H.data() + 6 * node.v_start;
      const Vector3<T>& p_WO = positions.p_WO[node.tree];
      if (node.is_reversed) {
        const Vector3<T> p_WF = positions.X_WN[node.parent] * constants.p_PF;
        bias = -Mobilizer::CalcBias(H, v, p_WF - p_WO);
      } else {
        bias = Mobilizer::CalcBias(H, v, positions.X_WN[index].p - p_WO);
      }
    }
  });
  return bias;
}

}  // namespace

template <typename T>
VelocityKinematics<T>::VelocityKinematics(const Model& model)
    : V(model.num_nodes(), Vector6<T>::Zero()),
      bias(model.num_nodes(), Vector6<T>::Zero()) {}

template <typename T>
void CalcVelocityKinematics(const Model& model,
                            const ModelParameters<T>& parameters,
                            const PositionKinematics<T>& positions,
                            const Eigen::Ref<const VectorX<T>>& v,
                            VelocityKinematics<T>* result) {
  internal::RunBest<T>([&] {
    for (int i = 1; i < model.num_nodes(); ++i) {
      const Model::Node& node = model.nodes[i];
      const T* const H = positions.H.data() + 6 * node.v_start;
      const T* const v_i = v.data() + node.v_start;
      Vector6<T> Hv = Vector6<T>::Zero();
      DispatchByDof<T>(node.nv, [&](auto nv) {
        if constexpr (nv == 6) {
          if (IsFreeBase(node)) return FreeBaseTimes<T>(H, v_i, &Hv);
        }
        for (int r = 0; r < 6; ++r) {
          Hv[r] = H[r] * v_i[0];
          for (int k = 1; k < NvOf<nv>(node); ++k) {
            Hv[r] += H[6 * k + r] * v_i[k];
          }
        }
      });
      const Vector6<T>& V_P = result->V[node.parent];
      Vector6<T>& V = result->V[i];
      for (int r = 0; r < 6; ++r) V[r] = V_P[r] + Hv[r];
      CrossMotion<T>(V, Hv, &result->bias[i]);
      if (node.nv > 1) {
        result->bias[i] +=
            MobilizerBias(node, parameters.nodes[i], positions, i, v_i);
      }
    }
  });
}

template <typename T>
void CalcAccelerationKinematics(const Model& model,
                                const PositionKinematics<T>& positions,
                                const VelocityKinematics<T>& velocities,
                                const Eigen::Ref<const VectorX<T>>& vdot,
                                std::vector<Vector6<T>>* A) {
  (*A)[0].setZero();
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    DispatchByDof<T>(node.nv, [&](auto nv) {
      const int k = node.v_start, n = NvOf<nv>(node);
      (*A)[i] = (*A)[node.parent] + velocities.bias[i] +
                NodeColumns<nv, T>(positions.H, k, n) *
                    vdot.template segment<nv>(k, n);
    });
  }
}

template <typename T>
void CalcBiasAccelerations(const Model& model,
                           const VelocityKinematics<T>& velocities,
                           std::vector<Vector6<T>>* A) {
  (*A)[0].setZero();
  for (int i = 1; i < model.num_nodes(); ++i) {
    (*A)[i] = (*A)[model.nodes[i].parent] + velocities.bias[i];
  }
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(struct VelocityKinematics);

#define WYVERN_INSTANTIATE(T)                                             \
  template decltype(CalcVelocityKinematics<T>) CalcVelocityKinematics<T>; \
  template decltype(CalcAccelerationKinematics<T>)                        \
      CalcAccelerationKinematics<T>;                                      \
  template decltype(CalcBiasAccelerations<T>) CalcBiasAccelerations<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
