#include "wyvern/multibody/algorithms/mass_matrix_inverse.h"

#include <algorithm>

#include "wyvern/multibody/algorithms/screw_algebra.h"
#include "wyvern/multibody/algorithms/visit_nv.h"
#include "wyvern/systems/common/default_scalars.h"

/* Carpentier, "Analytical inverse of the joint space inertia matrix", 2018.
The articulated-body factorization gives node i, with j its ancestors,
  v̇_i = D_i⁻¹ u_i - sum over j of L_ij v̇_j,   L_ij = D_i⁻¹ U_iᵀ H_j,
so M = Lᵀ D L with L_ii = 1 and M⁻¹ = K D⁻¹ Kᵀ, K = L⁻¹, which has entries only
where L has. Inward, K by columns: K_·j = e_j - sum over c outboard of K_·c
L_cj. Outward, M⁻¹ by columns: row i of L M⁻¹ = D⁻¹ Kᵀ. Limit: one body, D⁻¹.
Allocates nothing. */

namespace wyvern::multibody::engine {
namespace {

// Rows of U D⁻¹ of a node's velocities.
template <int nv, typename T>
void CalcUD(const ArticulatedInertias<T>& articulated, int k, MatrixX<T>* U_D) {
  if constexpr (nv == 1) {
    const T& D_inverse = articulated.D_inverse(0, k);
    for (int i = 0; i < 6; ++i) {
      (*U_D)(k, i) = articulated.U(i, k) * D_inverse;
    }
  } else {
    const Eigen::Matrix<T, 6, nv> x =
        articulated.U.template middleCols<nv>(k) *
        articulated.D_inverse.template block<nv, nv>(0, k);
    for (int i = 0; i < 6; ++i) {
      for (int l = 0; l < nv; ++l) (*U_D)(k + l, i) = x(i, l);
    }
  }
}

// L_·j below its node, rows [first, end).
template <typename T>
void CalcColumnOfL(const T* H, const MatrixX<T>& U_D, int first, int end,
                   T* L_j) {
  const Eigen::Index ld = U_D.rows();
  for (int b = first; b < end; b += kLanes<T>) {
    const T* const row = U_D.data() + b;
    Lanes<T> x = Load<T>(row) * H[0];
    for (int i = 1; i < 6; ++i) x += Load<T>(row + i * ld) * H[i];
    StoreFirst<T>(x, end - b, L_j + b);
  }
}

// K_·j below its node, from the columns outboard.
template <typename T>
void CalcColumnOfK(const Model& model, int first, int end, const T* L_j,
                   const MatrixX<T>& K, T* K_j) {
  std::fill(K_j + first, K_j + end, T(0));
  for (int c = first; c < end; ++c) {
    const Model::Node& node = model.nodes[model.node_of_v[c]];
    const T weight = -L_j[c];
    const T* const K_c = K.data() + c * K.rows();
    const int node_end = node.v_start + node.subtree_nv;
    for (int b = c; b < node_end; b += kLanes<T>) {
      const Lanes<T> sum = Load<T>(K_j + b) + Load<T>(K_c + b) * weight;
      StoreFirst<T>(sum, node_end - b, K_j + b);
    }
  }
}

}  // namespace

template <typename T>
MassMatrixInverseScratch<T>::MassMatrixInverseScratch(const Model& model)
    : U_D(MatrixX<T>::Zero(PaddedSize<T>(model.num_v), 6)),
      L(MatrixX<T>::Zero(U_D.rows(), model.num_v)),
      K(MatrixX<T>::Identity(U_D.rows(), model.num_v)),
      inverse(MatrixX<T>::Zero(U_D.rows(), model.num_v)),
      terms(model.num_v) {}

template <typename T>
void CalcPaddedMassMatrixInverse(const Model& model,
                                 const PositionKinematics<T>& positions,
                                 const ArticulatedInertias<T>& articulated,
                                 MassMatrixInverseScratch<T>* scratch) {
  auto& [U_D, L, K, inverse, terms] = *scratch;
  const Eigen::Index ld = L.rows();
  for (int i = model.num_nodes() - 1; i > 0; --i) {
    const Model::Node& node = model.nodes[i];
    VisitNv(node.nv,
            [&](auto nv) { CalcUD<nv, T>(articulated, node.v_start, &U_D); });
    const int first = node.v_start + node.nv;
    const int end = node.v_start + node.subtree_nv;
    for (int j = node.v_start; j < first; ++j) {
      T* const L_j = L.data() + j * ld;
      CalcColumnOfL<T>(positions.H.data() + 6 * j, U_D, first, end, L_j);
      CalcColumnOfK<T>(model, first, end, L_j, K, K.data() + j * ld);
    }
  }
  for (int i = 1; i < model.num_nodes(); ++i) {
    const Model::Node& node = model.nodes[i];
    const int k = node.v_start;
    for (int j = k; j < k + node.nv; ++j) {
      int count = 0;
      for (int l = 0; l < node.nv; ++l) {
        terms[count++] = {K.data() + (k + l) * ld,
                          {articulated.D_inverse(l, j)}};
      }
      for (int p = node.parent; p > 0; p = model.nodes[p].parent) {
        const int start = model.nodes[p].v_start;
        for (int c = start; c < start + model.nodes[p].nv; ++c) {
          terms[count++] = {inverse.data() + c * ld, {-L(j, c)}};
        }
      }
      T* const to = inverse.data() + j * ld;
      CombineColumns<1, T>(terms.data(), count, j, model.num_v, &to);
      for (int b = j + 1; b < model.num_v; ++b) inverse(j, b) = to[b];
    }
  }
}

template <typename T>
void CalcMassMatrixInverse(const Model& model,
                           const PositionKinematics<T>& positions,
                           const ArticulatedInertias<T>& articulated,
                           MassMatrixInverseScratch<T>* scratch,
                           Eigen::Ref<MatrixX<T>> M_inverse) {
  CalcPaddedMassMatrixInverse(model, positions, articulated, scratch);
  M_inverse = scratch->inverse.topRows(model.num_v);
}

#define WYVERN_INSTANTIATE(T)                                      \
  template struct MassMatrixInverseScratch<T>;                     \
  template void CalcMassMatrixInverse(                             \
      const Model&, const PositionKinematics<T>&,                  \
      const ArticulatedInertias<T>&, MassMatrixInverseScratch<T>*, \
      Eigen::Ref<MatrixX<T>>);                                     \
  template void CalcPaddedMassMatrixInverse(                       \
      const Model&, const PositionKinematics<T>&,                  \
      const ArticulatedInertias<T>&, MassMatrixInverseScratch<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
