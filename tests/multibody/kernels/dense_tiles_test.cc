#include "wyvern/multibody/kernels/dense_tiles.h"

#include <cmath>
#include <cstddef>

#include <sys/mman.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "tests/support/near.h"

namespace wyvern::multibody::internal {
namespace {

using wyvern::test::Near;

// Rows of a larger matrix that a product leaves alone.
constexpr int kRowsBelow = 8;

// A matrix before a page of memory that must not be read.
class GuardedMatrix {
 public:
  explicit GuardedMatrix(const Eigen::MatrixXd& values)
      : page_(sysconf(_SC_PAGESIZE)),
        bytes_((values.size() * sizeof(double) / page_ + 2) * page_),
        memory_(static_cast<char*>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    char* const end = memory_ + bytes_ - page_;
    EXPECT_EQ(mprotect(end, page_, PROT_NONE), 0);
    data_ = reinterpret_cast<double*>(end) - values.size();
    Eigen::Map<Eigen::MatrixXd>(data_, values.rows(), values.cols()) = values;
  }
  ~GuardedMatrix() { munmap(memory_, bytes_); }
  GuardedMatrix(const GuardedMatrix&) = delete;
  GuardedMatrix& operator=(const GuardedMatrix&) = delete;
  double* data() { return data_; }

 private:
  const std::size_t page_;
  const std::size_t bytes_;
  char* const memory_;
  double* data_{};
};

TEST(DenseTiles, NothingBeyondTheMatricesIsRead) {
  for (const int m : {1, 3, 5, 8, 13}) {
    for (const int n : {1, 4, 6, 7}) {
      const Eigen::MatrixXd A = Eigen::MatrixXd::Random(m, 10);
      const Eigen::MatrixXd B = Eigen::MatrixXd::Random(n, 10);
      GuardedMatrix a(A), b(B), c(Eigen::MatrixXd::Zero(m, n));
      SubtractProduct(m, n, 10, a.data(), m, b.data(), n, c.data(), m, false);
      EXPECT_TRUE(Near(Eigen::Map<Eigen::MatrixXd>(c.data(), m, n),
                       -A * B.transpose(), 1e-14));
    }
  }
}

TEST(DenseTiles, ProductsOfAnySizeAreThoseOfEigen) {
  for (const int m : {1, 3, 4, 9, 16, 99, 200}) {
    for (const int n : {1, 3, 6, 9, 100}) {
      for (const int k : {1, 3, 97}) {
        const Eigen::MatrixXd A = Eigen::MatrixXd::Random(m + kRowsBelow, k);
        const Eigen::MatrixXd B = Eigen::MatrixXd::Random(n + kRowsBelow, k);
        Eigen::MatrixXd C = Eigen::MatrixXd::Random(m + 2, n);
        Eigen::MatrixXd expected = C;
        expected.topRows(m) -= A.topRows(m) * B.topRows(n).transpose();
        SubtractProduct(m, n, k, A.data(), m + kRowsBelow, B.data(),
                        n + kRowsBelow, C.data(), m + 2, false);
        EXPECT_TRUE(Near(C, expected, 1e-13 * k)) << m << " " << n << " " << k;
      }
    }
  }
}

TEST(DenseTiles, APanelIsFactoredAsEigenDoes) {
  for (const int n : {3, 6, 9, 96, 99, 195}) {
    const int m = n + 31;
    const Eigen::MatrixXd R = Eigen::MatrixXd::Random(n, n);
    Eigen::MatrixXd panel = Eigen::MatrixXd::Random(m + kRowsBelow, n);
    panel.topRows(n) = R * R.transpose() + Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd L = panel.topRows(n).llt().matrixL();
    const Eigen::MatrixXd below =
        L.triangularView<Eigen::Lower>()
            .solve(panel.middleRows(n, 31).transpose())
            .transpose();
    ASSERT_TRUE(FactorPanel(m, n, panel.data(), m + kRowsBelow));
    Eigen::MatrixXd top = panel.topRows(n).triangularView<Eigen::Lower>();
    top.diagonal() = top.diagonal().cwiseInverse();
    EXPECT_TRUE(Near(top, L, 1e-11 * L.norm())) << n;
    EXPECT_TRUE(Near(panel.middleRows(n, 31), below, 1e-10 * below.norm()));
  }
}

TEST(DenseTiles, APivotThatIsTooSmallIsFound) {
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(24, 24);
  for (const double bad : {-1.0, 0.0, std::nan(""), 1e-300}) {
    Eigen::MatrixXd B(24 + kRowsBelow, 24);
    B.topRows(24) = A;
    B(17, 17) = bad;
    EXPECT_EQ(FactorPanel(24, 24, B.data(), 24 + kRowsBelow), bad > 0);
  }
  const Eigen::VectorXd least = Eigen::VectorXd::Constant(24, 1.5);
  Eigen::MatrixXd B(24 + kRowsBelow, 24);
  B.topRows(24) = A;
  EXPECT_FALSE(FactorPanel(24, 24, B.data(), 24 + kRowsBelow, least.data()));
}

TEST(DenseTiles, ThreadsChangeNoBits) {
  const int n = 300, m = 700;
  const Eigen::MatrixXd R = Eigen::MatrixXd::Random(n, n);
  Eigen::MatrixXd panel = Eigen::MatrixXd::Random(m + kRowsBelow, n);
  panel.topRows(n) = R * R.transpose() + Eigen::MatrixXd::Identity(n, n);
  Eigen::MatrixXd alone = panel;
  ASSERT_TRUE(FactorPanel(m, n, alone.data(), m + kRowsBelow));
  wyvern::internal::WorkerThreads workers(3);
  ASSERT_TRUE(
      FactorPanel(m, n, panel.data(), m + kRowsBelow, nullptr, &workers));
  for (int j = 0; j < n; ++j) {
    EXPECT_EQ(alone.col(j).segment(j, m - j), panel.col(j).segment(j, m - j));
  }
}

}  // namespace
}  // namespace wyvern::multibody::internal
