#include "wyvern/multibody/constraints/velocity_chains.h"

#include <algorithm>
#include <cmath>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::engine {
namespace {

// to[i] -= factor * from[i].
template <typename T>
inline void Subtract(const T* from, const T& factor, int begin, int end,
                     T* __restrict to) {
  for (int i = begin; i < end; ++i) to[i] -= factor * from[i];
}

}  // namespace

VelocityChains::VelocityChains(const Model& model) : model_(&model) {
  first_.assign(1, 0);
  for (int k = 0; k < model.num_v; ++k) {
    std::vector<Piece> outward;  // From the velocity to the world.
    int node = model.node_of_v[k];
    int end = k;
    while (node > 0) {
      const int start = model.nodes[node].v_start;
      if (end > start) {
        if (!outward.empty() && outward.back().start == end) {
          outward.back().start = start;
        } else {
          outward.push_back({start, end});
        }
      }
      node = model.nodes[node].parent;
      if (node > 0) end = model.nodes[node].v_start + model.nodes[node].nv;
    }
    pieces_.insert(pieces_.end(), outward.rbegin(), outward.rend());
    first_.push_back(static_cast<int>(pieces_.size()));
  }
}

template <typename T>
bool FactorizeLtl(const VelocityChains& chains, MatrixX<T>* U) {
  using std::sqrt;
  const Eigen::Index ld = U->rows();
  T* const data = U->data();
  for (int k = chains.num_v() - 1; k >= 0; --k) {
    T* const column = data + k * ld;
    if (!(column[k] > 0)) return false;
    column[k] = sqrt(column[k]);
    const T inverse = 1.0 / column[k];
    const auto inboard = chains.inboard(k);
    for (const auto& piece : inboard) {
      for (int i = piece.start; i < piece.end; ++i) column[i] *= inverse;
    }
    for (size_t p = 0; p < inboard.size(); ++p) {
      for (int i = inboard[p].start; i < inboard[p].end; ++i) {
        T* const to = data + i * ld;
        const T factor = column[i];
        for (size_t o = 0; o < p; ++o) {
          Subtract<T>(column, factor, inboard[o].start, inboard[o].end, to);
        }
        Subtract<T>(column, factor, inboard[p].start, i + 1, to);
      }
    }
  }
  return true;
}

template <typename T>
void SolveLtlFromRight(const VelocityChains& chains, const MatrixX<T>& U,
                       Eigen::Ref<MatrixX<T>> B) {
  const int rows = static_cast<int>(B.rows());
  for (int k = chains.num_v() - 1; k >= 0; --k) {
    T* const column = &B(0, k);
    if (std::all_of(column, column + rows, [](const T& x) { return x == 0; })) {
      continue;
    }
    const T inverse = 1.0 / U(k, k);
    for (int r = 0; r < rows; ++r) column[r] *= inverse;
    for (const auto& piece : chains.inboard(k)) {
      for (int i = piece.start; i < piece.end; ++i) {
        Subtract<T>(column, U(i, k), 0, rows, &B(0, i));
      }
    }
  }
}

template <typename T>
void SolveLtlLower(const VelocityChains& chains, const MatrixX<T>& U,
                   Eigen::Ref<VectorX<T>> x) {
  for (int k = 0; k < chains.num_v(); ++k) {
    T sum = x[k];
    for (const auto& piece : chains.inboard(k)) {
      for (int i = piece.start; i < piece.end; ++i) sum -= U(i, k) * x[i];
    }
    x[k] = sum / U(k, k);
  }
}

#define WYVERN_INSTANTIATE(T)                                               \
  template bool FactorizeLtl(const VelocityChains&, MatrixX<T>*);           \
  template void SolveLtlFromRight(const VelocityChains&, const MatrixX<T>&, \
                                  Eigen::Ref<MatrixX<T>>);                  \
  template void SolveLtlLower(const VelocityChains&, const MatrixX<T>&,     \
                              Eigen::Ref<VectorX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
