#include "wyvern/multibody/constraint_sets/velocity_chains.h"

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/step/rows/add_columns.h"
#include "wyvern/systems/common/default_scalars.h"

/* M = LᵀL is made from the last velocity to the first: row k of L, then what it
takes off the rows of the velocities inboard of k, which are all that it enters
(Featherstone 2008, table 6.3). Velocities in a chain have the same ones
inboard, but for each other: such a block is worked on at once, its square
first, and what is inboard comes in contiguous pieces of columns. */

namespace wyvern::multibody::internal {
namespace {

using Block = VelocityChains::Block;
using Piece = VelocityChains::Piece;

// Factorizes the square of a block in place: the same elimination, restricted
// to the block's own velocities. Returns false if it is not positive definite.
template <typename T>
bool FactorizeBlock(const Block& block, MatrixX<T>* U) {
  using std::sqrt;
  for (int k = block.end - 1; k >= block.start; --k) {
    T* const column = &(*U)(0, k);
    if (!(column[k] > 0)) return false;
    column[k] = sqrt(column[k]);
    const T inverse = 1.0 / column[k];
    for (int i = block.start; i < k; ++i) column[i] *= inverse;
    for (int i = block.start; i < k; ++i) {
      AddColumns<-1, T>(column + block.start, 0, column + i, 0, 1,
                        i + 1 - block.start, &(*U)(block.start, i));
    }
  }
  return true;
}

}  // namespace

VelocityChains::VelocityChains(const dynamics::Model& model) : model_(&model) {
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
    const bool goes_on = k > 0 && !outward.empty() && outward[0].end == k;
    if (goes_on) {
      ++blocks_.back().end;
    } else {
      blocks_.push_back({k, k + 1});
    }
  }
}

template <typename T>
bool FactorizeLtl(const VelocityChains& chains, MatrixX<T>* U) {
  const Eigen::Index ld = U->rows();
  const auto& blocks = chains.blocks();
  for (int b = static_cast<int>(blocks.size()) - 1; b >= 0; --b) {
    const auto [start, end] = blocks[b];
    if (!FactorizeBlock<T>(blocks[b], U)) return false;
    const auto inboard = chains.inboard(start);
    for (const Piece& piece : inboard) {
      const int n = piece.end - piece.start;
      for (int k = end - 1; k >= start; --k) {
        T* const to = &(*U)(piece.start, k);
        AddColumns<-1, T>(to + ld, ld, &(*U)(k, k) + ld, ld, end - 1 - k, n,
                          to);
        const T inverse = 1.0 / (*U)(k, k);
        for (int i = 0; i < n; ++i) to[i] *= inverse;
      }
    }
    for (size_t p = 0; p < inboard.size(); ++p) {
      for (int i = inboard[p].start; i < inboard[p].end; ++i) {
        for (size_t o = 0; o <= p; ++o) {
          const int from = inboard[o].start;
          const int n = (o < p ? inboard[o].end : i + 1) - from;
          AddColumns<-1, T>(&(*U)(from, start), ld, &(*U)(i, start), ld,
                            end - start, n, &(*U)(from, i));
        }
      }
    }
  }
  return true;
}

template <typename T>
void SolveLtlFromRight(const VelocityChains& chains, const MatrixX<T>& U,
                       Eigen::Ref<MatrixX<T>> B) {
  const Eigen::Index ld = U.rows(), ldb = B.outerStride();
  const auto& blocks = chains.blocks();
  for (int b = static_cast<int>(blocks.size()) - 1; b >= 0; --b) {
    const auto [start, end] = blocks[b];
    // The rows that are not 0 throughout the block.
    const auto is_zero_row = [&, s = start, e = end](int r) {
      for (int k = s; k < e; ++k) {
        if (!IsZero(B(r, k))) return false;
      }
      return true;
    };
    int first = 0, last = static_cast<int>(B.rows());
    while (first < last && is_zero_row(first)) ++first;
    while (first < last && is_zero_row(last - 1)) --last;
    const int rows = last - first;
    if (rows == 0) continue;
    for (int k = end - 1; k >= start; --k) {
      T* const to = &B(first, k);
      AddColumns<-1, T>(to + ldb, ldb, &U(k, k) + ld, ld, end - 1 - k, rows,
                        to);
      const T inverse = 1.0 / U(k, k);
      for (int r = 0; r < rows; ++r) to[r] *= inverse;
    }
    for (const Piece& piece : chains.inboard(start)) {
      for (int i = piece.start; i < piece.end; ++i) {
        AddColumns<-1, T>(&B(first, start), ldb, &U(i, start), ld, end - start,
                          rows, &B(first, i));
      }
    }
  }
}

template <typename T>
void SolveLtlUpper(const VelocityChains& chains, const MatrixX<T>& U,
                   Eigen::Ref<VectorX<T>> x) {
  for (int k = chains.num_v() - 1; k >= 0; --k) {
    const T x_k = x[k] / U(k, k);
    x[k] = x_k;
    for (const Piece& piece : chains.inboard(k)) {
      for (int i = piece.start; i < piece.end; ++i) x[i] -= U(i, k) * x_k;
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
  template void SolveLtlUpper(const VelocityChains&, const MatrixX<T>&,     \
                              Eigen::Ref<VectorX<T>>);                      \
  template void SolveLtlLower(const VelocityChains&, const MatrixX<T>&,     \
                              Eigen::Ref<VectorX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
