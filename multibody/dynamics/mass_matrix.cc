#include "wyvern/multibody/dynamics/mass_matrix.h"

#include <algorithm>

#include "wyvern/multibody/dynamics/free_base.h"
#include "wyvern/multibody/dynamics/screw_algebra.h"
#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/systems/common/default_scalars.h"

/* Composite rigid bodies (Featherstone, 2008, table 6.2). In world axes about
one point a force needs no transformation on its way to the ancestors:
  F_k = I_composite H_k,   M_kj = F_kᵀ H_j for every k at or outboard of j.
In depth-first order those k are a contiguous piece of column j, so the F are
kept by component; what is below the piece belongs to other branches and is 0.
Until they are due, the block's last six columns hold the F. The upper triangle
is the lower's mirror image. Many columns are made some at a time, strip by
strip, each mirrored at once, so that what a strip reads and writes stays in the
first cache however long the chain is. A free body's block has a kernel of its
own, of fixed size; one with short branches goes from each node inwards instead,
and takes what the free base's axes leave of F. O(bodies * depth), and O(nv²)
for zeros and mirror; allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

// column[k] = F_kᵀ h for k in [begin, end), with component r of F_k at F[r][k].
template <typename T>
void MultiplyRows(const T* const* F, const T* h, int begin, int end,
                  T* __restrict column) {
  const T *const f0 = F[0], *const f1 = F[1], *const f2 = F[2];
  const T *const f3 = F[3], *const f4 = F[4], *const f5 = F[5];
  const T h0 = h[0], h1 = h[1], h2 = h[2], h3 = h[3], h4 = h[4], h5 = h[5];
  for (int k = begin; k < end; ++k) {
    column[k] = f0[k] * h0 + f1[k] * h1 + f2[k] * h2 +
                (f3[k] * h3 + f4[k] * h4 + f5[k] * h5);
  }
}

// M(j, k) = M(k, j) for j in [j_begin, j_end), j < k, k in [k_begin, k_end).
template <typename T>
void MirrorEntries(int j_begin, int j_end, int k_begin, int k_end,
                   Eigen::Ref<MatrixX<T>> M) {
  for (int k = k_begin; k < k_end; ++k) {
    for (int j = j_begin; j < std::min(j_end, k); ++j) M(j, k) = M(k, j);
  }
}

// Variant by tiles that fit in registers; k_begin is j_begin or beyond j_end.
template <typename T>
void Mirror(int j_begin, int j_end, int k_begin, int k_end,
            Eigen::Ref<MatrixX<T>> M) {
  constexpr int kTile = 4;
  using Tile = Eigen::Matrix<T, kTile, kTile>;
  const int j_whole = j_begin + (j_end - j_begin) / kTile * kTile;
  int k = k_begin;
  for (; k + kTile <= k_end; k += kTile) {
    const int below = std::min(j_whole, k);
    for (int j = j_begin; j < below; j += kTile) {
      const Tile tile = M.template block<kTile, kTile>(k, j);
      M.template block<kTile, kTile>(j, k) = tile.transpose();
    }
    MirrorEntries<T>(below, j_end, k, k + kTile, M);
  }
  MirrorEntries<T>(j_begin, j_end, k, k_end, M);
}

// Mass matrix of a free base alone (free_base.h), e_k in the first three rows
// of H:
//   M = [E'I E, [E'h]; -[E'h], m 1].
template <typename T>
void CalcFreeBlock(const RigidInertia<T>& inertia, const T* H,
                   Eigen::Ref<MatrixX<T>> M) {
  const auto axis = [H](int k) {
    return Eigen::Map<const Vector3<T>>(H + 6 * k);
  };
  T* const columns[] = {&M(0, 0), &M(0, 1), &M(0, 2),
                        &M(0, 3), &M(0, 4), &M(0, 5)};
  const auto set = [&columns](int i, int j, const T& value) {
    columns[j][i] = columns[i][j] = value;
  };
  const Vector3<T>& h = inertia.h;
  const T zero(0);
  for (int k = 0; k < 3; ++k) {
    const auto e = axis(k);
    const Vector3<T> I_e(
        inertia.xx * e[0] + inertia.xy * e[1] + inertia.xz * e[2],
        inertia.xy * e[0] + inertia.yy * e[1] + inertia.yz * e[2],
        inertia.xz * e[0] + inertia.yz * e[1] + inertia.zz * e[2]);
    for (int j = 0; j <= k; ++j) set(j, k, axis(j).dot(I_e));
    const T s = e.dot(h);
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    set(i, 3 + j, -s);
    set(j, 3 + i, s);
    set(k, 3 + k, zero);
    set(3 + i, 3 + j, zero);
    set(3 + k, 3 + k, inertia.mass);
  }
}

// Whether few pairs of velocities outboard of a free base are on one path.
bool HasShortBranches(const Model& model, const Model::Tree& tree) {
  constexpr int kShort = 8;
  int num_pairs = 0;
  for (int i = tree.base_node + 1; i < model.nodes[tree.base_node].subtree_end;
       ++i) {
    num_pairs += model.nodes[i].nv * model.nodes[i].subtree_nv;
  }
  return num_pairs <= kShort * tree.nv;
}

// Mass matrix of a free base that carries other bodies: M_kj on the path of
// each k, and zeros between.
template <typename T>
void CalcBranchedBlock(const Model& model, const Model::Tree& tree, const T* H,
                       const std::vector<RigidInertia<T>>& composites,
                       Eigen::Ref<MatrixX<T>> M) {
  const Eigen::Index stride = M.outerStride();
  const Model::Node& base = model.nodes[tree.base_node];
  CalcFreeBlock<T>(composites[tree.base_node], H,
                   M.template topLeftCorner<6, 6>());
  for (int i = tree.base_node + 1; i < base.subtree_end; ++i) {
    const Model::Node& node = model.nodes[i];
    const int begin = node.v_start - tree.v_start;
    for (int k = begin; k < begin + node.nv; ++k) {
      const Vector6<T> F = composites[i] * (H + 6 * k);
      T* const column = &M(0, k);
      T* const row = &M(k, 0);
      const auto set = [column, row, stride](int j, const T& value) {
        column[j] = row[stride * j] = value;
      };
      const auto add = [&](int j) { set(j, Dot<T>(H + 6 * j, F)); };
      int next = begin;  // What is inboard of it is still to be written.
      const auto add_zeros = [&](int first) {
        for (int j = first; j < next; ++j) set(j, T(0));
      };
      for (int j = begin; j <= k; ++j) add(j);
      for (int p = node.parent; p != tree.base_node;) {
        const Model::Node& inboard = model.nodes[p];
        const int first = inboard.v_start - tree.v_start;
        add_zeros(first + inboard.nv);
        for (int j = first; j < first + inboard.nv; ++j) add(j);
        next = first;
        p = inboard.parent;
      }
      add_zeros(base.nv);
      T of_base[6];
      FreeBaseTransposeTimes<T>(H, F, of_base);
      for (int j = 0; j < 6; ++j) set(j, of_base[j]);
    }
  }
}

// A tree's block of M.
template <typename T>
void CalcBlock(const Model& model, const Model::Tree& tree, const T* H,
               const std::vector<RigidInertia<T>>& composites,
               Eigen::Ref<MatrixX<T>> M) {
  constexpr int kTail = 6, kSmall = 100, kColumns = 32, kStrip = 64;
  const int nv = tree.nv;
  const int tail_start = std::max(0, nv - kTail);
  // The last six columns need no F but their own: those are kept apart.
  T tail[6][kTail];
  T* F[6];
  const T* tail_F[6];
  for (int r = 0; r < 6; ++r) {
    F[r] = nv > kTail ? &M(0, tail_start + r) : tail[r];
    tail_F[r] = tail[r];
  }
  for (int k = 0; k < nv; ++k) {
    const int node = model.node_of_v[tree.v_start + k];
    const Vector6<T> F_k = composites[node] * (H + 6 * k);
    for (int r = 0; r < 6; ++r) {
      F[r][k] = F_k[r];
      if (k >= tail_start) tail[r][k - tail_start] = F_k[r];
    }
  }
  // Rows [begin, end) of column j, below the diagonal; F_k is F[r][k - shift].
  const auto fill = [&](const T* const* F_r, int shift, int j, int begin,
                        int end) {
    const Model::Node& node = model.nodes[model.node_of_v[tree.v_start + j]];
    const int subtree_end = node.v_start - tree.v_start + node.subtree_nv;
    const int last = std::clamp(subtree_end, begin, end);
    MultiplyRows<T>(F_r, H + 6 * j, begin - shift, last - shift, &M(shift, j));
    for (int k = last; k < end; ++k) M(k, j) = 0;
  };
  int mirrored = 0;
  if (nv <= kSmall) {
    for (int j = 0; j < tail_start; ++j) fill(F, 0, j, j, nv);
  } else {
    mirrored = tail_start;
    for (int j_begin = 0; j_begin < tail_start; j_begin += kColumns) {
      const int j_end = std::min(j_begin + kColumns, tail_start);
      for (int begin = j_begin; begin < nv; begin += kStrip) {
        const int end = std::min(begin + kStrip, nv);
        for (int j = j_begin; j < j_end; ++j) {
          fill(F, 0, j, std::max(begin, j), end);
        }
        // It overwrites F where no later strip or block reads it.
        Mirror<T>(j_begin, j_end, begin, end, M);
      }
    }
  }
  for (int j = tail_start; j < nv; ++j) fill(tail_F, tail_start, j, j, nv);
  Mirror<T>(mirrored, nv, mirrored, nv, M);
}

}  // namespace

template <typename T>
void CalcTreeMassMatrix(const Model& model,
                        const ModelParameters<T>& parameters,
                        const PositionKinematics<T>& positions,
                        const std::vector<RigidInertia<T>>& composites,
                        int tree, Eigen::Ref<MatrixX<T>> M) {
  const Model::Tree& extent = model.trees[tree];
  const T* const H = positions.H.data() + 6 * extent.v_start;
  const bool is_free = IsFreeBase(model.nodes[extent.base_node]);
  if (is_free && extent.nv == 6) {
    internal::RunBest<T>(
        [&] { CalcFreeBlock<T>(composites[extent.base_node], H, M); });
  } else if (is_free && HasShortBranches(model, extent)) {
    internal::RunBest<T>(
        [&] { CalcBranchedBlock<T>(model, extent, H, composites, M); });
  } else {
    CalcBlock<T>(model, extent, H, composites, M);
  }
  if (parameters.has_reflected_inertia) {
    M.diagonal() +=
        parameters.reflected_inertia.segment(extent.v_start, extent.nv);
  }
}

template <typename T>
void CalcMassMatrix(const Model& model, const ModelParameters<T>& parameters,
                    const PositionKinematics<T>& positions,
                    const std::vector<RigidInertia<T>>& composites,
                    Eigen::Ref<MatrixX<T>> M) {
  if (model.num_trees() > 1) M.setZero();
  for (int t = 0; t < model.num_trees(); ++t) {
    const Model::Tree& tree = model.trees[t];
    CalcTreeMassMatrix<T>(
        model, parameters, positions, composites, t,
        M.block(tree.v_start, tree.v_start, tree.nv, tree.nv));
  }
}

template <typename T>
void CalcMassMatrixViaInverseDynamics(const Motion<T>& at_rest,
                                      InverseDynamicsScratch<T>* scratch,
                                      VectorX<T>* vdot,
                                      Eigen::Ref<MatrixX<T>> M) {
  vdot->setZero();
  for (int k = 0; k < at_rest.model.num_v; ++k) {
    (*vdot)[k] = 1;
    CalcInverseDynamics<T>(at_rest, *vdot, {}, Gravity::kOff, scratch,
                           M.col(k));
    (*vdot)[k] = 0;
  }
}

#define WYVERN_INSTANTIATE(T)                                     \
  template decltype(CalcTreeMassMatrix<T>) CalcTreeMassMatrix<T>; \
  template decltype(CalcMassMatrix<T>) CalcMassMatrix<T>;         \
  template decltype(CalcMassMatrixViaInverseDynamics<T>)          \
      CalcMassMatrixViaInverseDynamics<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
