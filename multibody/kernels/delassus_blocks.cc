#include "wyvern/multibody/kernels/delassus_blocks.h"

#include <algorithm>

#include <Eigen/LU>

#include "wyvern/multibody/kernels/packs.h"

namespace wyvern::multibody::internal {

namespace {

[[gnu::always_inline]] inline void AddGram(int rows, int num_packs,
                                           const double* X, double* W) {
  for (int i = 0; i < 4 * num_packs; ++i) {
    for (int j = i / 4 * 4; j < 4 * num_packs; j += 4) {
      double* to = W + i * kDelassusStride + j;
      Pack4 sum, x;
      Load(to, &sum);
      for (int k = 0; k < rows; ++k) {
        const double* row = X + k * kDelassusStride;
        Load(row + j, &x);
        sum += row[i] * x;
      }
      Store(sum, to);
    }
  }
}

// A Block3 in registers.
struct LoadedBlock3 {
  Pack4 column[3];

  [[gnu::always_inline]] explicit LoadedBlock3(const Block3& from) {
    for (int k = 0; k < 3; ++k) Load(from.data() + 4 * k, &column[k]);
  }
  // y += sign A x
  [[gnu::always_inline]] void AddProduct(double sign, const double* x,
                                         Pack4* y) const {
    for (int k = 0; k < 3; ++k) *y += (sign * x[k]) * column[k];
  }
};

[[gnu::always_inline]] inline void SolveBlocks(int n, const Block3* G,
                                               const double* W, Block3* blocks,
                                               double* x) {
  const auto at = [&](int i, int j) -> Block3& {
    return blocks[i * kMaxRowContacts + j];
  };
  // I + G W
  for (int i = 0; i < n; ++i) {
    const LoadedBlock3 G_i(G[i]);
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < 3; ++k) {
        Pack4 to{};
        G_i.AddProduct(1, W + (3 * j + k) * kDelassusStride + 3 * i, &to);
        Store(to, at(i, j).col(k).data());
      }
    }
    for (int k = 0; k < 3; ++k) at(i, i)(k, k) += 1;
  }
  double y[kMaxRowContacts][4];
  for (int i = 0; i < n; ++i) {
    std::copy_n(x + 3 * i, 3, y[i]);
    y[i][3] = 0;
  }
  // Elimination, with the inverses of pivots on the diagonal.
  for (int k = 0; k < n; ++k) {
    Block3& pivot = at(k, k);
    pivot.topRows<3>() = pivot.topRows<3>().inverse().eval();
    for (int i = k + 1; i < n; ++i) {
      Block3 L_values;
      for (int c = 0; c < 3; ++c) {
        Pack4 to{};
        LoadedBlock3(at(i, k)).AddProduct(1, pivot.col(c).data(), &to);
        Store(to, L_values.col(c).data());
      }
      const LoadedBlock3 L(L_values);
      for (int j = k + 1; j < n; ++j) {
        for (int c = 0; c < 3; ++c) {
          Pack4 to;
          Load(at(i, j).col(c).data(), &to);
          L.AddProduct(-1, at(k, j).col(c).data(), &to);
          Store(to, at(i, j).col(c).data());
        }
      }
      Pack4 y_i;
      Load(y[i], &y_i);
      L.AddProduct(-1, y[k], &y_i);
      Store(y_i, y[i]);
    }
  }
  // Back substitution.
  for (int k = n - 1; k >= 0; --k) {
    Pack4 rest;
    Load(y[k], &rest);
    for (int j = k + 1; j < n; ++j) {
      LoadedBlock3(at(k, j)).AddProduct(-1, y[j], &rest);
    }
    Store(rest, y[k]);
    Pack4 to{};
    LoadedBlock3(at(k, k)).AddProduct(1, y[k], &to);
    Store(to, y[k]);
    std::copy_n(y[k], 3, x + 3 * k);
  }
}

}  // namespace

void AddGramMatrix(int rows, int num_packs, const double* X, double* W) {
  RunBest(WYVERN_KERNEL(AddGram), rows, num_packs, X, W);
}

void SolveDelassusBlocks(int n, const Block3* G, const double* W,
                         Block3* blocks, double* x) {
  RunBest(WYVERN_KERNEL(SolveBlocks), n, G, W, blocks, x);
}

}  // namespace wyvern::multibody::internal
