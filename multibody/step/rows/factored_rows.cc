#include "wyvern/multibody/step/rows/factored_rows.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "wyvern/multibody/dynamics/dispatch_by_dof.h"
#include "wyvern/multibody/step/rows/add_columns.h"
#include "wyvern/systems/common/default_scalars.h"

/* The inward pass of articulated bodies (forward_dynamics.cc) takes entries w
of a row and a force f on a node to a row of J L⁻ᵀ, from the node to the world:
  w += Hᵀ f,   f_P = f - U D⁻¹ w.
Without factors f goes on as it is, and w is the row of J. The walks from a
row's two nodes go in turn, the one of the larger number first, so that they
meet where their paths do and are one from there on. What is locked has D⁻¹ = 0:
it hands f on as it is. Rows of one pair of nodes are walked side by side.
Limit: one body that moves freely, w = Hᵀ f and J M⁻¹ Jᵀ = f'(H D⁻¹ Hᵀ) f. */

namespace wyvern::multibody::internal {
namespace {

// Forces of kWidth rows: f[c][r] is component c of row r.
template <typename T, int kWidth>
struct Forces {
  T f[6][kWidth];
};

// Writes columns [first, first + count) of F times sign, shifted from Wo to the
// point o at rest; 0 to the rest of the width.
template <typename T, int kWidth>
void SetForces(const Eigen::Ref<const Matrix6X<T>>& F, int first, int count,
               double sign, const Vector3<T>& o, Forces<T, kWidth>* forces) {
  auto& f = forces->f;
  for (int r = 0; r < kWidth; ++r) {
    const bool is_there = r < count;
    const T* const F_r =
        F.data() + (first + (is_there ? r : 0)) * F.outerStride();
    const double s = is_there ? sign : 0.0;
    f[0][r] = s * (F_r[0] - (o[1] * F_r[5] - o[2] * F_r[4]));
    f[1][r] = s * (F_r[1] - (o[2] * F_r[3] - o[0] * F_r[5]));
    f[2][r] = s * (F_r[2] - (o[0] * F_r[4] - o[1] * F_r[3]));
    for (int c = 3; c < 6; ++c) f[c][r] = s * F_r[c];
  }
}

template <typename T>
struct Factors {
  const dynamics::ArticulatedInertias<T>& articulated;
  const std::vector<bool>& is_locked;
};

// Where a bundle's rows are written: entry (0, 0) is that of its first row and
// of velocity v_start.
template <typename T>
struct Target {
  T* W;
  Eigen::Index ld;
  int v_start;
};

// One node of a walk.
template <typename T, int kWidth>
void Pass(const dynamics::Model::Node& n,
          const dynamics::PositionKinematics<T>& positions,
          const Factors<T>* factors, int count, const Target<T>& target,
          Forces<T, kWidth>* forces) {
  auto& f = forces->f;
  T* const W = target.W + (n.v_start - target.v_start) * target.ld;
  if (factors != nullptr && factors->is_locked[n.v_start]) {
    for (int k = 0; k < n.nv; ++k) {
      std::fill(W + k * target.ld, W + k * target.ld + count, T(0));
    }
    return;
  }
  dynamics::DispatchByDof<T>(n.nv, [&](auto nv) {
    T w[dynamics::kMaxNv<nv>][kWidth];
    for (int k = 0; k < dynamics::NvOf<nv>(n); ++k) {
      const T* const H = positions.H.data() + 6 * (n.v_start + k);
      for (int r = 0; r < kWidth; ++r) {
        w[k][r] = (H[0] * f[0][r] + H[1] * f[1][r] + H[2] * f[2][r]) +
                  (H[3] * f[3][r] + H[4] * f[4][r] + H[5] * f[5][r]);
      }
      T* const column = W + k * target.ld;
      for (int r = 0; r < count; ++r) column[r] = w[k][r] += column[r];
    }
    if (n.parent == 0 || factors == nullptr) return;
    const dynamics::ArticulatedInertias<T>& articulated = factors->articulated;
    for (int k = 0; k < dynamics::NvOf<nv>(n); ++k) {
      T x[kWidth];
      for (int r = 0; r < kWidth; ++r) x[r] = T(0);
      for (int l = 0; l < dynamics::NvOf<nv>(n); ++l) {
        const T& d = articulated.D_inverse(k, n.v_start + l);
        for (int r = 0; r < kWidth; ++r) x[r] += d * w[l][r];
      }
      const T* const U = articulated.U.data() + 6 * (n.v_start + k);
      for (int c = 0; c < 6; ++c) {
        for (int r = 0; r < kWidth; ++r) f[c][r] -= U[c] * x[r];
      }
    }
  });
}

// Computes rows [first, first + count) of a bundle: carries its unit forces
// from its nodes along their paths to the world.
template <int kWidth, typename T>
void Walk(const dynamics::Model& model,
          const dynamics::PositionKinematics<T>& positions,
          const Factors<T>* factors, const Vector2<int>& nodes, double sign,
          const Eigen::Ref<const Matrix6X<T>>& F, int first, int count,
          const Target<T>& target) {
  Forces<T, kWidth> forces[2];
  for (int side = 0; side < 2; ++side) {
    if (nodes[side] == 0) continue;
    SetForces<T, kWidth>(F, first, count, side == 0 ? sign : -sign,
                         positions.p_WO[model.nodes[nodes[side]].tree],
                         &forces[side]);
  }
  Forces<T, kWidth>*a = &forces[0], *b = &forces[1];
  int node_a = nodes[0], node_b = nodes[1];
  while (node_a > 0 || node_b > 0) {
    if (node_a == node_b) {
      for (int c = 0; c < 6; ++c) {
        for (int r = 0; r < kWidth; ++r) a->f[c][r] += b->f[c][r];
      }
      node_b = 0;
    } else if (node_a < node_b) {
      std::swap(node_a, node_b);
      std::swap(a, b);
    }
    const dynamics::Model::Node& node = model.nodes[node_a];
    Pass<T, kWidth>(node, positions, factors, count, target, a);
    node_a = node.parent;
  }
}

// Computes the rows in as few compile-time widths as suffice.
template <typename T>
void WalkAll(const dynamics::Model& model,
             const dynamics::PositionKinematics<T>& positions,
             const Factors<T>* factors, const Vector2<int>& nodes, double sign,
             const Eigen::Ref<const Matrix6X<T>>& F, int first, int count,
             Target<T> target) {
  const int last = first + count;
  const auto walk = [&](auto width) {
    const int n = std::min<int>(width, last - first);
    Walk<decltype(width)::value>(model, positions, factors, nodes, sign, F,
                                 first, n, target);
    first += n;
    target.W += n;
  };
  while (first < last) {
    if (last - first == 1 || !std::is_same_v<T, double>) {
      walk(std::integral_constant<int, 1>{});
    } else if constexpr (std::is_same_v<T, double>) {
      if (last - first <= 4) {
        walk(std::integral_constant<int, 4>{});
      } else {
        walk(std::integral_constant<int, 8>{});
      }
    }
  }
}

}  // namespace

template <typename T>
void AddJacobianRows(const dynamics::Model& model,
                     const dynamics::PositionKinematics<T>& positions,
                     dynamics::MobodIndex body,
                     const Eigen::Ref<const Matrix6X<T>>& F, double sign,
                     int v_start, Eigen::Ref<MatrixX<T>> J) {
  const Vector2<int> nodes(model.bodies[body].node, 0);
  WalkAll<T>(model, positions, nullptr, nodes, sign, F, 0,
             static_cast<int>(F.cols()), {J.data(), J.outerStride(), v_start});
}

template <typename T>
void AddJacobianRows(const dynamics::Model& model,
                     const dynamics::PositionKinematics<T>& positions,
                     const RowPattern& pattern,
                     const Eigen::Ref<const Matrix6X<T>>& F, MatrixX<T>* J) {
  for (const RowPattern::Bundle& bundle : pattern.bundles()) {
    WalkAll<T>(model, positions, nullptr, bundle.nodes, 1, F, bundle.first,
               bundle.count, {J->data() + bundle.first, J->rows(), 0});
  }
}

template <typename T>
void FactoredRows<T>::Reserve(int num_rows, int num_v) {
  if (W_.cols() == num_v && W_.rows() >= num_rows) return;
  W_.resize(num_rows, num_v);
  X_.resize(num_rows, num_v);
}

template <typename T>
void FactoredRows<T>::Factorize(
    const dynamics::Model& model,
    const dynamics::PositionKinematics<T>& positions,
    const dynamics::ArticulatedInertias<T>& articulated,
    const std::vector<bool>& is_locked, const RowPattern& pattern,
    const Eigen::Ref<const Matrix6X<T>>& F, std::span<const RowEntry> entries) {
  Reserve(pattern.num_rows(), model.num_v);
  for (const RowPattern::Piece& piece : pattern.pieces()) {
    W_.block(piece.first, piece.start, piece.last - piece.first,
             piece.end - piece.start)
        .setZero();
  }
  for (const RowEntry& entry : entries) {
    W_(entry.row, entry.velocity) += entry.value;
  }
  const Factors<T> factors{articulated, is_locked};
  for (const RowPattern::Bundle& bundle : pattern.bundles()) {
    WalkAll<T>(model, positions, &factors, bundle.nodes, 1, F, bundle.first,
               bundle.count, {W_.data() + bundle.first, W_.rows(), 0});
  }
  CalcInversePivots(model, articulated, pattern);
}

template <typename T>
void FactoredRows<T>::CalcInversePivots(
    const dynamics::Model& model,
    const dynamics::ArticulatedInertias<T>& articulated,
    const RowPattern& pattern) {
  for (const RowPattern::Piece& piece : pattern.pieces()) {
    const int rows = piece.last - piece.first;
    for (int k = piece.start; k < piece.end; ++k) {
      const dynamics::Model::Node& node = model.nodes[model.node_of_v[k]];
      T* const x = &X_(piece.first, k);
      if (node.nv == 1) {
        const T& d = articulated.D_inverse(0, k);
        const T* const w = &W_(piece.first, k);
        for (int r = 0; r < rows; ++r) x[r] = d * w[r];
        continue;
      }
      std::fill(x, x + rows, T(0));
      AddColumns<1, T>(&W_(piece.first, node.v_start), W_.rows(),
                       &articulated.D_inverse(0, k), 1, node.nv, rows, x);
    }
  }
}

template <typename T>
void FactoredRows<T>::CalcProducts(const RowPattern& pattern,
                                   MatrixX<T>* K) const {
  K->topLeftCorner(pattern.num_rows(), pattern.num_rows()).setZero();
  for (const RowPattern::Piece& piece : pattern.pieces()) {
    for (int j = piece.first; j < piece.last; ++j) {
      AddColumns<1, T>(&W_(j, piece.start), W_.rows(), &X_(j, piece.start),
                       X_.rows(), piece.end - piece.start, piece.last - j,
                       &(*K)(j, j));
    }
  }
}

template <typename T>
void FactoredRows<T>::CalcValues(const RowPattern& pattern, const VectorX<T>& u,
                                 Eigen::Ref<VectorX<T>> values) const {
  values.setZero();
  for (const RowPattern::Piece& piece : pattern.pieces()) {
    AddColumns<1, T>(&W_(piece.first, piece.start), W_.rows(), &u[piece.start],
                     1, piece.end - piece.start, piece.last - piece.first,
                     &values[piece.first]);
  }
}

template <typename T>
void FactoredRows<T>::AddResponse(const RowPattern& pattern,
                                  const Eigen::Ref<const VectorX<T>>& lambda,
                                  VectorX<T>* u) const {
  for (const RowPattern::Piece& piece : pattern.pieces()) {
    for (int k = piece.start; k < piece.end; ++k) {
      T sum = 0;
      for (int r = piece.first; r < piece.last; ++r) {
        sum += X_(r, k) * lambda[r];
      }
      (*u)[k] += sum;
    }
  }
}

#define WYVERN_INSTANTIATE(T)                                                  \
  template void AddJacobianRows(                                               \
      const dynamics::Model&, const dynamics::PositionKinematics<T>&,          \
      dynamics::MobodIndex, const Eigen::Ref<const Matrix6X<T>>&, double, int, \
      Eigen::Ref<MatrixX<T>>);                                                 \
  template void AddJacobianRows(                                               \
      const dynamics::Model&, const dynamics::PositionKinematics<T>&,          \
      const RowPattern&, const Eigen::Ref<const Matrix6X<T>>&, MatrixX<T>*);   \
  template class FactoredRows<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
