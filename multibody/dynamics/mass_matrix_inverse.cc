#include "wyvern/multibody/dynamics/mass_matrix_inverse.h"

#include <algorithm>

#include "wyvern/multibody/dynamics/dispatch_by_dof.h"
#include "wyvern/systems/common/default_scalars.h"

/* SolveMassMatrix() of forward_dynamics.h for a panel of columns at once. With
u a node's rows of the right-hand sides,
  inward   u -= Hᵀ Z,  Z_P += Z + (U D⁻¹) u,  x = D⁻¹ u,
  outward  x -= (U D⁻¹)ᵀ Y_P,  Y = Y_P + H x:
24 multiplications an entry. As nodes are depth first, Z and Y stay in
registers along a chain; only at a fork, a node with a child that is not the
next one, are they put down. In column k of M⁻¹ (Carpentier, "Analytical
inverse of the joint space inertia matrix", 2018) forces are 0 but inboard of
k, and rows beyond k are those of later columns, transposed. Limit: one body,
D⁻¹. Allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

constexpr int kPacks = 4;
template <typename T>
constexpr int kHalf = kPanelColumns<T> / 2;

// A number for each column of the panel.
template <typename L>
struct Entry {
  L lanes[kPacks];
};
template <typename L>
struct Screw {
  Entry<L> entries[6];
};

template <typename L, typename T>
EIGEN_ALWAYS_INLINE void LoadEntry(const T* from, Entry<L>* entry) {
#pragma GCC unroll 4
  for (int p = 0; p < kPacks; ++p) {
    internal::Load(from + p * internal::kPackSize<T>, &entry->lanes[p]);
  }
}

template <typename L, typename T>
EIGEN_ALWAYS_INLINE void StoreEntry(const Entry<L>& entry, T* to) {
#pragma GCC unroll 4
  for (int p = 0; p < kPacks; ++p)
    internal::Store(entry.lanes[p], to + p * internal::kPackSize<T>);
}

template <typename L>
EIGEN_ALWAYS_INLINE void SetToZero(Screw<L>* screw) {
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
#pragma GCC unroll 4
    for (int p = 0; p < kPacks; ++p)
      internal::SetZero(&screw->entries[i].lanes[p]);
  }
}

// A screw in scratch is a matrix, a column of which is an entry.
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void LoadScrew(const T* from, Screw<L>* screw) {
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
    LoadEntry(from + i * kPanelColumns<T>, &screw->entries[i]);
  }
}

template <typename L, typename T>
EIGEN_ALWAYS_INLINE void StoreScrew(const Screw<L>& screw, T* to) {
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
    StoreEntry(screw.entries[i], to + i * kPanelColumns<T>);
  }
}

// to += the screw in scratch.
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void AddScrew(const T* from, Screw<L>* to) {
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
    Entry<L> entry;
    LoadEntry(from + i * kPanelColumns<T>, &entry);
#pragma GCC unroll 4
    for (int p = 0; p < kPacks; ++p) to->entries[i].lanes[p] += entry.lanes[p];
  }
}

// x -= screwᵀ S.
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void SubtractDot(const T* screw, const Screw<L>& S,
                                     Entry<L>* x) {
  const auto& s = S.entries;
#pragma GCC unroll 4
  for (int p = 0; p < kPacks; ++p) {
    L a = x->lanes[p] - s[0].lanes[p] * screw[0];
    L b = s[1].lanes[p] * screw[1];
    a -= s[2].lanes[p] * screw[2];
    b += s[3].lanes[p] * screw[3];
    a -= s[4].lanes[p] * screw[4];
    b += s[5].lanes[p] * screw[5];
    x->lanes[p] = a - b;
  }
}

// S += screw x.
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void AddTimes(const T* screw, const Entry<L>& x,
                                  Screw<L>* S) {
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i) {
#pragma GCC unroll 4
    for (int p = 0; p < kPacks; ++p) {
      S->entries[i].lanes[p] += x.lanes[p] * screw[i];
    }
  }
}

// x = D⁻¹ x of a node.
template <int max_nv, typename L, typename T>
EIGEN_ALWAYS_INLINE void ScaleByInverse(const T* D_inverse, int n,
                                        Entry<L>* x) {
  for (int p = 0; p < kPacks; ++p) {
    L u[max_nv];
    for (int l = 0; l < n; ++l) u[l] = x[l].lanes[p];
    for (int l = 0; l < n; ++l) {
      L sum = u[0] * D_inverse[6 * l];
      for (int m = 1; m < n; ++m) sum += u[m] * D_inverse[6 * l + m];
      x[l].lanes[p] = sum;
    }
  }
}

// From the node `last` to the base of its tree.
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void RunInward(const Model& model,
                                   const PositionKinematics<T>& positions,
                                   const ArticulatedInertias<T>& articulated,
                                   int base, int last,
                                   MassMatrixInverseScratch<T>* scratch) {
  Screw<L> Z;
  SetToZero(&Z);
  for (int i = last; i >= base; --i) {
    const Model::Node& node = model.nodes[i];
    if (scratch->is_fork[i]) {
      AddScrew(scratch->screws[i].data(), &Z);
      scratch->screws[i].setZero();
    }
    DispatchByDof<T>(
        node.nv, [&](auto nv) __attribute__((always_inline)) {
          const int k = node.v_start, n = NvOf<nv>(node);
          Entry<L> x[kMaxNv<nv>];
          for (int l = 0; l < n; ++l) {
            LoadEntry(scratch->x.col(k + l).data(), &x[l]);
            SubtractDot(positions.H.data() + 6 * (k + l), Z, &x[l]);
          }
          for (int l = 0; l < n; ++l) {
            AddTimes(scratch->U_D.data() + 6 * (k + l), x[l], &Z);
          }
          ScaleByInverse<kMaxNv<nv>>(articulated.D_inverse.data() + 6 * k, n,
                                     x);
          for (int l = 0; l < n; ++l) {
            StoreEntry(x[l], scratch->x.col(k + l).data());
          }
        });
    if (node.parent > 0 && node.parent != i - 1) {
      T* const at_fork = scratch->screws[node.parent].data();
      AddScrew(at_fork, &Z);
      StoreScrew(Z, at_fork);
      SetToZero(&Z);
    }
  }
}

// From the base of a tree to the node `last`.
template <typename L, typename T>
EIGEN_ALWAYS_INLINE void RunOutward(const Model& model,
                                    const PositionKinematics<T>& positions,
                                    int base, int last,
                                    MassMatrixInverseScratch<T>* scratch) {
  Screw<L> Y;
  SetToZero(&Y);
  for (int i = base; i <= last; ++i) {
    const Model::Node& node = model.nodes[i];
    if (node.parent > 0 && node.parent != i - 1) {
      LoadScrew(scratch->screws[node.parent].data(), &Y);
    }
    DispatchByDof<T>(
        node.nv, [&](auto nv) __attribute__((always_inline)) {
          const int k = node.v_start, n = NvOf<nv>(node);
          Entry<L> x[kMaxNv<nv>];
          for (int l = 0; l < n; ++l) {
            LoadEntry(scratch->x.col(k + l).data(), &x[l]);
            SubtractDot(scratch->U_D.data() + 6 * (k + l), Y, &x[l]);
            StoreEntry(x[l], scratch->x.col(k + l).data());
          }
          for (int l = 0; l < n; ++l) {
            AddTimes(positions.H.data() + 6 * (k + l), x[l], &Y);
          }
        });
    if (scratch->is_fork[i]) StoreScrew(Y, scratch->screws[i].data());
  }
  for (int i = base; i <= last; ++i) {
    if (scratch->is_fork[i]) scratch->screws[i].setZero();
  }
}

// From the node `last` to the base of its tree, and back.
template <typename T>
void Run(const Model& model, const PositionKinematics<T>& positions,
         const ArticulatedInertias<T>& articulated, int base, int last,
         MassMatrixInverseScratch<T>* scratch) {
  internal::RunBestPacks<T>([&]<typename L>() __attribute__((always_inline)) {
    RunInward<L>(model, positions, articulated, base, last, scratch);
    RunOutward<L>(model, positions, base, last, scratch);
  });
}

template <typename T>
void CalcUD(const Model& model, const ArticulatedInertias<T>& articulated,
            const Model::Tree& tree, Matrix6X<T>* U_D) {
  for (int i = tree.base_node; i < tree.end_node; ++i) {
    const Model::Node& node = model.nodes[i];
    DispatchByDof<T>(node.nv, [&](auto nv) {
      const int k = node.v_start, n = NvOf<nv>(node);
      NodeColumns<nv, T>(U_D, k, n).noalias() =
          NodeColumns<nv, T>(articulated.U, k, n) *
          NodeBlock<nv, T>(articulated.D_inverse, k, n);
    });
  }
}

// Columns [first, first + count) of B, negated, and 0 up to half a panel.
template <typename T>
void LoadHalf(const ColumnsIn<T>& B, int first, int count, int begin, int end,
              int half, MassMatrixInverseScratch<T>* scratch) {
  const T* const from = B.data + first * B.stride;
  for (int k = begin; k < end; ++k) {
    T* const row = &scratch->x(half * kHalf<T>, k);
    if (count == kHalf<T>) {
      for (int l = 0; l < kHalf<T>; ++l) row[l] = -from[l * B.stride + k];
    } else {
      for (int l = 0; l < kHalf<T>; ++l) {
        row[l] = l < count ? -from[l * B.stride + k] : T(0);
      }
    }
  }
}

template <typename T>
void StoreHalf(const MassMatrixInverseScratch<T>& scratch, int first, int count,
               int begin, int end, int half, const ColumnsOut<T>& X) {
  for (int l = 0; l < count; ++l) {
    T* const to = X.data + (first + l) * X.stride;
    for (int k = begin; k < end; ++k) {
      to[k] = scratch.x(half * kHalf<T> + l, k);
    }
  }
}

// Each panel's rows up to its own, and by symmetry its columns.
template <typename T>
void CalcTreeInverse(const Model& model, const PositionKinematics<T>& positions,
                     const ArticulatedInertias<T>& articulated,
                     const Model::Tree& tree,
                     MassMatrixInverseScratch<T>* scratch,
                     Eigen::Ref<MatrixX<T>>* M_inverse) {
  const int end = tree.v_start + tree.nv;
  MatrixX<T>& x = scratch->x;
  for (int first = tree.v_start; first < end; first += kPanelColumns<T>) {
    const int count = std::min(kPanelColumns<T>, end - first);
    const int last = model.node_of_v[first + count - 1];
    const int rows_end = model.nodes[last].v_start + model.nodes[last].nv;
    x.middleCols(tree.v_start, rows_end - tree.v_start).setZero();
    for (int l = 0; l < count; ++l) x(l, first + l) = T(1);
    Run<T>(model, positions, articulated, tree.base_node, last, scratch);
    for (int k = tree.v_start; k < first + count; ++k) {
      for (int l = std::max(0, k - first); l < count; ++l) {
        (*M_inverse)(first + l, k) = x(l, k);
        (*M_inverse)(k, first + l) = x(l, k);
      }
    }
  }
}

}  // namespace

template <typename T>
MassMatrixInverseScratch<T>::MassMatrixInverseScratch(const Model& model)
    : U_D(Matrix6X<T>::Zero(6, model.num_v)),
      x(MatrixX<T>::Zero(kPanelColumns<T>, model.num_v)),
      screws(model.num_nodes()),
      is_fork(model.num_nodes(), false) {
  for (auto& screw : screws) screw.setZero();
  for (int i = 1; i < model.num_nodes(); ++i) {
    const int parent = model.nodes[i].parent;
    if (parent > 0 && parent != i - 1) is_fork[parent] = true;
  }
}

template <typename T>
void SolveMassMatrixColumns(const Model& model,
                            const PositionKinematics<T>& positions,
                            const ArticulatedInertias<T>& articulated,
                            const Model::Tree& tree, const ColumnsIn<T> (&B)[2],
                            MassMatrixInverseScratch<T>* scratch,
                            const ColumnsOut<T> (&X)[2]) {
  const int begin = tree.v_start, end = begin + tree.nv;
  CalcUD<T>(model, articulated, tree, &scratch->U_D);
  for (int first = begin; first < end; first += kHalf<T>) {
    const int count = std::min(kHalf<T>, end - first);
    for (int half = 0; half < 2; ++half) {
      LoadHalf<T>(B[half], first, count, begin, end, half, scratch);
    }
    Run<T>(model, positions, articulated, tree.base_node, tree.end_node - 1,
           scratch);
    for (int half = 0; half < 2; ++half) {
      StoreHalf<T>(*scratch, first, count, begin, end, half, X[half]);
    }
  }
}

template <typename T>
void CalcMassMatrixInverse(const Model& model,
                           const PositionKinematics<T>& positions,
                           const ArticulatedInertias<T>& articulated,
                           MassMatrixInverseScratch<T>* scratch,
                           Eigen::Ref<MatrixX<T>> M_inverse) {
  if (model.num_trees() > 1) M_inverse.setZero();
  for (const Model::Tree& tree : model.trees) {
    CalcUD<T>(model, articulated, tree, &scratch->U_D);
    CalcTreeInverse<T>(model, positions, articulated, tree, scratch,
                       &M_inverse);
  }
}

#define WYVERN_INSTANTIATE(T)                                             \
  template struct MassMatrixInverseScratch<T>;                            \
  template decltype(SolveMassMatrixColumns<T>) SolveMassMatrixColumns<T>; \
  template decltype(CalcMassMatrixInverse<T>) CalcMassMatrixInverse<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
