// AutoDiffXd beside Eigen::AutoDiffScalar<VectorXd>, the usual choice: the same
// template computes with each. The argument is the number of derivatives.
#include <benchmark/benchmark.h>
#include <Eigen/Dense>
#include <unsupported/Eigen/AutoDiff>

#include "wyvern/systems/common/autodiff.h"

namespace wyvern {
namespace {

using Ours = AutoDiffXd;
using Eigens = Eigen::AutoDiffScalar<Eigen::VectorXd>;

template <typename A>
A Variable(double value, int size) {
  return A(value, Eigen::VectorXd(Eigen::VectorXd::Constant(size, value)));
}

// The tip of a planar arm of seven links: sums of sines of sums of angles.
template <typename A>
void TrigChain(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  Eigen::Matrix<A, 7, 1> q;
  for (int i = 0; i < 7; ++i) q[i] = A(0.1 * i, size, i % size);
  using std::cos, std::sin;
  for (auto _ : state) {
    A angle(0.0), x = Variable<A>(0, size), y = x;
    angle = q[0];
    for (int i = 0; i < 7; ++i) {
      if (i > 0) angle += q[i];
      x += 0.3 * cos(angle);
      y += 0.3 * sin(angle);
    }
    A reach = x * x + y * y;
    benchmark::DoNotOptimize(reach.derivatives().data());
  }
}

template <typename A>
void MatrixProduct(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  Eigen::Matrix<A, 6, 6> a, b, c;
  for (int i = 0; i < 36; ++i) {
    a(i) = Variable<A>(i, size);
    b(i) = Variable<A>(1 - i, size);
  }
  for (auto _ : state) {
    c.noalias() = a * b;
    benchmark::DoNotOptimize(c.data());
  }
}

// A rotation applied to a vector, over and over.
template <typename A>
void Rotations(benchmark::State& state) {
  const int size = static_cast<int>(state.range(0));
  Eigen::Matrix<A, 3, 3> R;
  Eigen::Matrix<A, 3, 1> p;
  for (int i = 0; i < 9; ++i) R(i) = Variable<A>(0.1 * i, size);
  for (int i = 0; i < 3; ++i) p(i) = Variable<A>(i, size);
  for (auto _ : state) {
    Eigen::Matrix<A, 3, 1> r = R * p;
    r += p;
    benchmark::DoNotOptimize(r.data());
  }
}

#define SIZES ->Arg(2)->Arg(7)->Arg(8)->Arg(14)->Arg(17)->Arg(40)
#define BOTH(name)                      \
  BENCHMARK_TEMPLATE(name, Ours) SIZES; \
  BENCHMARK_TEMPLATE(name, Eigens) SIZES
BOTH(TrigChain);
BOTH(MatrixProduct);
BOTH(Rotations);

}  // namespace
}  // namespace wyvern
