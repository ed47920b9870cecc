#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "wyvern/multibody/fem/block_matrix.h"
#include "wyvern/systems/common/worker_threads.h"

namespace wyvern::multibody::fem::internal {

/** The Cholesky factor of a symmetric positive definite matrix of 3 x 3 blocks
of a mesh. Vertices are eliminated by nested dissection of the mesh's geometry;
columns of the factor with the same rows below are one dense panel, so that
nearly all arithmetic is on tiles in registers. Vertices may be kept for the
end, and then the matrix that the others leave to them, the Schur complement, is
had for nothing. The same input gives the same bits; memory is kept. */
class BlockCholesky3 {
 public:
  /** Makes a factorization of the pattern, which must outlive it. */
  explicit BlockCholesky3(const BlockPattern* pattern);

  /** Chooses the order and finds where the factor is not zero. Does nothing,
  and allocates nothing, if its arguments are those of the last call.
  @param is_fixed vertices whose rows and columns are left out
  @param last vertices to be eliminated after all others, none of them fixed */
  void Analyze(std::span<const char> is_fixed, std::span<const int> last);

  /** Factors A, given by the blocks of the pattern.
  @param workers threads that may help, or null; they change no bits
  @returns false if it is not positive definite, to rounding. */
  bool Factor(std::span<const Block> A,
              wyvern::internal::WorkerThreads* workers = nullptr);
  /** x = A^-1 b, with 0 for fixed vertices. */
  void Solve(const VectorX<double>& b, VectorX<double>* x);
  /** Schur complement of the last vertices, A_22 - A_21 A_11^-1 A_12, in the
  order in which they were given, for the last factor. The upper triangle is not
  written. */
  const MatrixX<double>& schur_complement() const { return schur_; }

  /** Returns the number of stored 3 x 3 blocks of the factor. */
  int num_factor_blocks() const { return num_factor_blocks_; }

 private:
  // Columns first ... end - 1 of the factor, by places, and the rows that they
  // have in common: their own, and then those below.
  struct Panel {
    int first{}, end{};
    int row{}, num_rows{};  // In rows_.
    int update{}, num_updates{};
    std::int64_t value{};  // In values_.
    int width() const { return 3 * (end - first); }
    int height() const { return 3 * num_rows; }
  };
  // Update of a later panel by an earlier one: its rows from `row` on, times
  // its rows before `end`, which are columns of the later one.
  struct Update {
    int panel{};
    int row{}, end{};
  };

  // Scratch memory of a thread: each block's row in the present panel, and a
  // product.
  struct Memory {
    std::vector<int> where;
    std::vector<double> product;
  };

  void FindParents();
  void Postorder();
  void CountRows();
  void MakePanels();
  void FindRows();
  void FindUpdates();
  void FindSubtrees();
  bool FactorOne(const Panel& panel, std::span<const Block> A, Memory* memory,
                 wyvern::internal::WorkerThreads* workers);
  void Assemble(const Panel& panel, std::span<const Block> A, int* where);
  void ApplyUpdate(const Update& update, const Panel& to, const int* where,
                   int begin, int end, double* product);

  const BlockPattern* pattern_;
  std::vector<char> is_fixed_;
  std::vector<int> last_;
  bool is_analyzed_{};
  std::vector<int> order_;  // Vertices by their places in the elimination.
  std::vector<int> place_;  // -1 for those that are fixed.
  int num_inner_{};         // How many are not last.
  std::vector<Panel> panels_;
  std::vector<int> rows_;  // Places.
  std::vector<Update> updates_;
  std::vector<double> values_;
  int num_factor_blocks_{};
  MatrixX<double> schur_;
  // First panels and ends of subtrees that threads share.
  std::vector<std::pair<int, int>> subtrees_;
  std::vector<Memory> memory_{1};
  std::int64_t product_size_{};
  VectorX<double> y_, below_, least_;

  // Memory of the analysis, by place.
  std::vector<int> parent_, ancestor_, count_, panel_of_, mark_, next_, stack_;
  std::vector<double> work_;
  std::vector<int> num_in_subtrees_;
};

}  // namespace wyvern::multibody::fem::internal
