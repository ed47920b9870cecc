#include "wyvern/multibody/constraints/row_paths.h"

#include <algorithm>
#include <type_traits>

#include "wyvern/multibody/algorithms/visit_nv.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::engine {
namespace {

// Rows worked on at once.
template <typename T>
constexpr int kWidth = std::is_same_v<T, double> ? 8 : 1;

// f by component, a row after another.
template <typename T>
struct Forces {
  T f[6][kWidth<T>];
};

// Takes rows [first, first + count) from a node to the world; without factors,
// the forces go on as they are.
template <typename T>
void WalkInward(const Model& model, const PositionKinematics<T>& positions,
                const ArticulatedInertias<T>* articulated, int node, int first,
                int count, Forces<T>* forces, MatrixX<T>* W) {
  constexpr int kW = kWidth<T>;
  auto& f = forces->f;
  for (; node > 0; node = model.nodes[node].parent) {
    const Model::Node& n = model.nodes[node];
    VisitNv<T>(n.nv, [&](auto nv) {
      T w[kMaxNv<nv>][kW];
      for (int k = 0; k < NvOf<nv>(n); ++k) {
        const T* const H = positions.H.data() + 6 * (n.v_start + k);
        for (int r = 0; r < kW; ++r) {
          w[k][r] = (H[0] * f[0][r] + H[1] * f[1][r] + H[2] * f[2][r]) +
                    (H[3] * f[3][r] + H[4] * f[4][r] + H[5] * f[5][r]);
        }
        T* const column = &(*W)(first, n.v_start + k);
        for (int r = 0; r < count; ++r) column[r] += w[k][r];
      }
      if (n.parent == 0 || articulated == nullptr) return;
      for (int k = 0; k < NvOf<nv>(n); ++k) {
        T x[kW];
        for (int r = 0; r < kW; ++r) x[r] = T(0);
        for (int l = 0; l < NvOf<nv>(n); ++l) {
          const T& d = articulated->D_inverse(k, n.v_start + l);
          for (int r = 0; r < kW; ++r) x[r] += d * w[l][r];
        }
        const T* const U = articulated->U.data() + 6 * (n.v_start + k);
        for (int c = 0; c < 6; ++c) {
          for (int r = 0; r < kW; ++r) f[c][r] -= U[c] * x[r];
        }
      }
    });
  }
}

template <typename T>
void WalkAll(const Model& model, const PositionKinematics<T>& positions,
             const ArticulatedInertias<T>* articulated, const RowPaths& paths,
             const Matrix6X<T>& F, MatrixX<T>* W) {
  for (const RowPaths::Bundle& bundle : paths.bundles()) {
    const Vector3<T>& o = positions.p_WO[model.nodes[bundle.node].tree];
    for (int from = 0; from < bundle.count; from += kWidth<T>) {
      const int count = std::min(kWidth<T>, bundle.count - from);
      const int first = bundle.first + from;
      Forces<T> forces;
      for (int r = 0; r < kWidth<T>; ++r) {
        const bool is_there = r < count;
        const T* const F_r = F.data() + 6 * (first + (is_there ? r : 0));
        const double sign = is_there ? bundle.sign : 0.0;
        forces.f[0][r] = sign * (F_r[0] - (o[1] * F_r[5] - o[2] * F_r[4]));
        forces.f[1][r] = sign * (F_r[1] - (o[2] * F_r[3] - o[0] * F_r[5]));
        forces.f[2][r] = sign * (F_r[2] - (o[0] * F_r[4] - o[1] * F_r[3]));
        for (int c = 3; c < 6; ++c) forces.f[c][r] = sign * F_r[c];
      }
      WalkInward<T>(model, positions, articulated, bundle.node, first, count,
                    &forces, W);
    }
  }
}

}  // namespace

RowPaths::RowPaths(const Model& model, std::span<const Vector2<int>> nodes) {
  const int nc = static_cast<int>(nodes.size());
  std::vector<Piece> of_v(model.num_v);
  for (int side = 0; side < 2; ++side) {
    for (int r = 0; r < nc; ++r) {
      const int node = nodes[r][side];
      if (node == 0) continue;
      if (r > 0 && nodes[r - 1][side] == node) {
        ++bundles_.back().count;
      } else {
        bundles_.push_back({node, r, 1, side == 0 ? 1.0 : -1.0});
      }
      for (int i = node; i > 0; i = model.nodes[i].parent) {
        const Model::Node& n = model.nodes[i];
        for (int k = n.v_start; k < n.v_start + n.nv; ++k) {
          const bool is_new = of_v[k].last == 0;
          of_v[k].first = is_new ? r : std::min(of_v[k].first, r);
          of_v[k].last = std::max(of_v[k].last, r + 1);
        }
      }
    }
  }
  for (int k = 0; k < model.num_v; ++k) {
    const Piece& own = of_v[k];
    if (own.last == 0) continue;
    const bool goes_on = !pieces_.empty() && pieces_.back().end == k &&
                         pieces_.back().first == own.first &&
                         pieces_.back().last == own.last;
    if (goes_on) {
      ++pieces_.back().end;
    } else {
      pieces_.push_back({k, k + 1, own.first, own.last});
    }
  }
}

template <typename T>
void AddRowsOnPaths(const Model& model, const PositionKinematics<T>& positions,
                    const RowPaths& paths, const Matrix6X<T>& F,
                    MatrixX<T>* G) {
  WalkAll<T>(model, positions, nullptr, paths, F, G);
}

template <typename T>
void CalcFactoredRowsOnPaths(const Model& model,
                             const PositionKinematics<T>& positions,
                             const ArticulatedInertias<T>& articulated,
                             const RowPaths& paths, const Matrix6X<T>& F,
                             MatrixX<T>* W) {
  W->setZero();
  WalkAll<T>(model, positions, &articulated, paths, F, W);
}

#define WYVERN_INSTANTIATE(T)                                              \
  template void AddRowsOnPaths(const Model&, const PositionKinematics<T>&, \
                               const RowPaths&, const Matrix6X<T>&,        \
                               MatrixX<T>*);                               \
  template void CalcFactoredRowsOnPaths(                                   \
      const Model&, const PositionKinematics<T>&,                          \
      const ArticulatedInertias<T>&, const RowPaths&, const Matrix6X<T>&,  \
      MatrixX<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
