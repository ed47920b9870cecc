// Kernels give the same bits on registers of four numbers and of two. The
// registers are chosen when a program starts, so this program starts itself
// anew.
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/multibody/step/random_contact.h"
#include "tests/support/random_numbers.h"
#include "wyvern/multibody/kernels/delassus_blocks.h"
#include "wyvern/multibody/kernels/packs.h"
#include "wyvern/multibody/kernels/short_vectors.h"
#include "wyvern/multibody/kernels/six_by_six.h"
#include "wyvern/multibody/step/block_cholesky.h"
#include "wyvern/multibody/step/laws/contact_batch.h"

namespace wyvern::multibody::internal {
namespace register_bits_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

constexpr char kFileVariable[] = "WYVERN_REGISTER_BITS_FILE";

class Recorder {
 public:
  explicit Recorder(int seed) : random_(seed) {}
  // Entries of many magnitudes.
  MatrixXd Random(int rows, int columns) {
    const double scale = std::pow(10, random_.Integer(-6, 6));
    return MatrixXd(scale * random_.Matrix(rows, columns));
  }
  MatrixXd RandomPositive(int size) {
    const MatrixXd A = Random(size, size);
    return A * A.transpose() + MatrixXd::Identity(size, size);
  }
  void Record(const MatrixXd& x) {
    values_.insert(values_.end(), x.data(), x.data() + x.size());
  }
  test::RandomNumbers& random() { return random_; }
  const std::vector<double>& values() const { return values_; }

 private:
  test::RandomNumbers random_;
  std::vector<double> values_;
};

void RecordSixBySix(Recorder* r) {
  const int height = r->random().Integer(6, 30);
  MatrixXd panel(height, 6);
  panel.topRows(6) = r->RandomPositive(6);
  panel.bottomRows(height - 6) = r->Random(height - 6, 6);
  EXPECT_TRUE(FactorSixPanel(height, panel.data()));
  panel.topRows(6).triangularView<Eigen::StrictlyUpper>().setZero();
  const MatrixXd from = r->Random(20, 6);
  MatrixXd to = r->Random(11, 6);
  SubtractSixProduct(from.data() + 13, from.data() + 7, 20, to.data() + 3, 11);
  const MatrixXd J = r->Random(3, 6), x = r->Random(6, 1), g = r->Random(3, 1);
  MatrixXd v = r->Random(3, 1), tau = r->Random(6, 1);
  MultiplySixColumns(J.data(), x.data(), v.data());
  AddSixTransposed(J.data(), g.data(), tau.data());
  for (const MatrixXd& y : {panel, to, v, tau}) r->Record(y);
}

template <int R>
void RecordHessians(Recorder* r) {
  const MatrixXd G = r->RandomPositive(6);
  const MatrixXd J0 = r->Random(R, 6), J1 = r->Random(R, 6);
  MatrixXd H = r->Random(7, 6), H0 = r->Random(9, 6), H1 = r->Random(6, 6);
  MatrixXd mixed = r->Random(14, 6);
  AddSixHessian<R>(G.data(), J0.data(), {H.data(), 7});
  const double* const J[] = {J0.data(), J1.data()};
  const Block6 blocks[] = {{H0.data(), 9}, {H1.data(), 6}};
  AddSixHessians<R>(G.data(), J, blocks, {mixed.data() + 8, 14},
                    r->random().Integer(0, 1));
  // Entries below the diagonal have no meaning.
  for (MatrixXd* x : {&H, &H0, &H1}) {
    x->topRows(6).triangularView<Eigen::StrictlyLower>().setZero();
  }
  for (const MatrixXd& y : {H, H0, H1, mixed}) r->Record(y);
}

void RecordBranches(Recorder* r) {
  const int size = r->random().Integer(1, 24),
            below = r->random().Integer(0, 6);
  const int height = size + below;
  BranchPattern pattern;
  pattern.Set(std::vector<int>{size}, {});
  VectorXd panel = VectorXd::Zero(height * size + kBranchesSlack);
  Eigen::Map<MatrixXd> matrix(panel.data(), height, size);
  matrix.topRows(size) = r->RandomPositive(size);
  matrix.bottomRows(below) = r->Random(below, size);
  matrix.topRows(size).triangularView<Eigen::StrictlyLower>().setZero();
  EXPECT_TRUE(FactorBranches(pattern, 0, size, height, panel.data()));
  matrix.topRows(size).triangularView<Eigen::StrictlyLower>().setZero();
  r->Record(panel);
  const MatrixXd A = r->Random(height, size), x = r->Random(size, 1);
  VectorXd y(height);
  MultiplyColumns(height, size, A.data(), height, x.data(), y.data());
  r->Record(y);
}

void RecordColumns(Recorder* r) {
  const int size = r->random().Integer(1, 20),
            packs = r->random().Integer(1, 3);
  std::vector<int> parents;
  for (int i = 0; i < size; ++i) {
    parents.push_back(r->random().Integer(-1, i - 1));
  }
  BlockCholesky cholesky;
  cholesky.Analyze(std::vector<int>{size}, std::vector<char>{1}, {}, parents);
  MatrixXd H = MatrixXd::Identity(size, size);
  for (int j = 0; j < size; ++j) {  // A sum over paths.
    VectorXd x = VectorXd::Zero(size);
    for (int i = j; i >= 0; i = parents[i]) x[i] = r->random().Uniform(-1, 1);
    H += x * x.transpose();
  }
  cholesky.StartBlock(0, H.data());
  EXPECT_TRUE(cholesky.Factor(0));
  MatrixXd X = r->Random(4 * packs, size);
  cholesky.SolveForward(0, packs, 4 * packs, X.data());
  r->Record(X);
}

void RecordDelassus(Recorder* r) {
  const int n = r->random().Integer(1, kMaxRowContacts), packs = 3 * n / 4 + 1;
  const MatrixXd X = r->random().Matrix(kDelassusStride, 30);
  MatrixXd W = MatrixXd::Zero(kDelassusStride, kDelassusStride);
  AddGramMatrix(30, packs, X.data(), W.data());
  W.triangularView<Eigen::StrictlyUpper>() = W.transpose();
  std::vector<Block3> G(n), blocks(kMaxRowContacts * kMaxRowContacts);
  for (Block3& block : G) {
    block.setZero();
    block.topRows<3>() = r->RandomPositive(3);
  }
  VectorXd x = r->random().Matrix(3 * n, 1);
  SolveDelassusBlocks(n, G.data(), W.data(), blocks.data(), x.data());
  r->Record(W.topLeftCorner(3 * n, 3 * n));
  r->Record(x);
}

void RecordBatch(Recorder* r) {
  const int size = r->random().Integer(0, 9);
  ContactBatch batch;
  for (int i = 0; i < size; ++i) {
    const auto kind =
        static_cast<test::RandomContactLaw::Kind>(r->random().Integer(1, 2));
    batch.Add(test::RandomContact(kind, &r->random()), 3 * i);
  }
  const MatrixXd v = r->random().Matrix(3 * size, 1);
  const MatrixXd dv = r->random().Matrix(3 * size, 1);
  VectorXd g = v, g_2 = v;
  Eigen::Vector2d line(0, 0);
  batch.ResetFrictionDirections(v.data(), r->random().Integer(0, 1));
  batch.StartLine(v.data(), dv.data());
  batch.AddAlong(0.7, &line[0], &line[1]);
  batch.UpdateFrictionDirections(0.7);
  batch.CalcImpulses(v.data(), g.data());
  batch.CalcSlopes(v.data(), g_2.data());
  for (const MatrixXd& y : {MatrixXd(g), MatrixXd(g_2), MatrixXd(line)}) {
    r->Record(y);
  }
  for (int i = 0; i < size; ++i) {
    Eigen::Matrix3d G;
    batch.GetSlopes(i, &G);
    r->Record(G);
  }
}

std::vector<double> RecordAll() {
  std::vector<double> all;
  for (int seed = 0; seed < 200; ++seed) {
    Recorder recorder(seed);
    RecordSixBySix(&recorder);
    RecordHessians<3>(&recorder);
    RecordHessians<6>(&recorder);
    RecordBranches(&recorder);
    RecordColumns(&recorder);
    RecordDelassus(&recorder);
    RecordBatch(&recorder);
    const std::vector<double>& values = recorder.values();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

TEST(RegisterBits, AreWrittenToAFileThatIsAskedFor) {
  const char* const path = std::getenv(kFileVariable);
  if (path == nullptr) GTEST_SKIP() << kFileVariable << " is not set";
  EXPECT_FALSE(kHasWideRegisters);
  const std::vector<double> values = RecordAll();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(double)));
  EXPECT_TRUE(file.good());
}

TEST(RegisterBits, AreTheSameOnRegistersOfTwoNumbers) {
  if (!kHasWideRegisters) {
    GTEST_SKIP() << "the processor has no AVX2, or it is switched off";
  }
  std::array<char, 4096> program{};
  if (readlink("/proc/self/exe", program.data(), program.size() - 1) <= 0) {
    GTEST_SKIP() << "the program's own file is not known here";
  }
  const std::string path =
      ::testing::TempDir() + "wyvern_register_bits_" + std::to_string(getpid());
  const std::string command =
      "WYVERN_REGISTERS=narrow " + std::string(kFileVariable) + "='" + path +
      "' '" + program.data() +
      "' --gtest_filter=RegisterBits.AreWritten* > /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream file(path, std::ios::binary);
  const std::string narrow((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
  std::filesystem::remove(path);
  const std::vector<double> wide = RecordAll();
  ASSERT_EQ(narrow.size(), wide.size() * sizeof(double));
  EXPECT_EQ(std::memcmp(narrow.data(), wide.data(), narrow.size()), 0);
}

}  // namespace register_bits_test
}  // namespace wyvern::multibody::internal
