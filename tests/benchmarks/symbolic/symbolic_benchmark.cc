// Expressions: a polynomial is multiplied out, differentiated, evaluated and
// sorted; the acrobot's equations are derived, differentiated and evaluated.
// drake_symbolic.py does the same in Drake.
#include <benchmark/benchmark.h>

#include "wyvern/multibody/symbolic/symbolic_dynamics.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/systems/symbolic/algebra/polynomial.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern {
namespace {

using symbolic::Environment;
using symbolic::Expression;
using symbolic::Variable;

// (1 + x0 + 2 x1 + 3 x2 + 4 x3)^8, of 495 terms.
struct Power {
  Power() {
    Expression base(1);
    for (int i = 0; i < 4; ++i) base += (i + 1) * x[i];
    power = pow(base, 8);
    expanded = power.Expand();
    for (int i = 0; i < 4; ++i) values.insert(x[i], 0.1 * (i + 1));
  }
  const VectorX<Variable> x = symbolic::MakeVectorContinuousVariable(4, "x");
  Expression power, expanded;
  Environment values;
};

void BM_PolynomialExpand(benchmark::State& state) {
  const Power p;
  for (auto _ : state) benchmark::DoNotOptimize(p.power.Expand());
}
BENCHMARK(BM_PolynomialExpand);

void BM_PolynomialDifferentiate(benchmark::State& state) {
  const Power p;
  for (auto _ : state) {
    benchmark::DoNotOptimize(p.expanded.Differentiate(p.x[0]));
  }
}
BENCHMARK(BM_PolynomialDifferentiate);

void BM_PolynomialEvaluate(benchmark::State& state) {
  const Power p;
  for (auto _ : state) benchmark::DoNotOptimize(p.expanded.Evaluate(p.values));
}
BENCHMARK(BM_PolynomialEvaluate);

void BM_PolynomialDecompose(benchmark::State& state) {
  const Power p;
  for (auto _ : state) {
    benchmark::DoNotOptimize(symbolic::Polynomial(p.expanded));
  }
}
BENCHMARK(BM_PolynomialDecompose);

struct Acrobot {
  Acrobot() : plant(0.0) {
    using multibody::SpatialInertia;
    const auto inertia = SpatialInertia<double>::SolidSphereWithMass(1.0, 0.5);
    const auto& upper = plant.AddRigidBody("upper", inertia);
    const auto& lower = plant.AddRigidBody("lower", inertia);
    plant.AddJoint<multibody::RevoluteJoint>("shoulder", plant.world_body(), {},
                                             upper, {},
                                             Eigen::Vector3d::UnitY());
    plant.AddJoint<multibody::RevoluteJoint>(
        "elbow", upper, math::RigidTransformd(Eigen::Vector3d(0, 0, -1)), lower,
        {}, Eigen::Vector3d::UnitY());
    plant.Finalize();
    dynamics = std::make_unique<multibody::SymbolicDynamics>(plant);
    x.resize(4);
    x << dynamics->q(), dynamics->v();
    terms.resize(6);
    const MatrixX<Expression> M = dynamics->CalcMassMatrix();
    terms << M.reshaped(), dynamics->CalcBiasTerm();
    for (int i = 0; i < 4; ++i) values.insert(x[i], 0.1 * (i + 1));
  }
  multibody::MultibodyPlant<double> plant;
  std::unique_ptr<multibody::SymbolicDynamics> dynamics;
  VectorX<Variable> x;
  VectorX<Expression> terms;
  Environment values;
};

void BM_AcrobotBuild(benchmark::State& state) {
  const Acrobot acrobot;
  for (auto _ : state) {
    benchmark::DoNotOptimize(acrobot.dynamics->CalcMassMatrix());
    benchmark::DoNotOptimize(acrobot.dynamics->CalcBiasTerm());
  }
}
BENCHMARK(BM_AcrobotBuild);

void BM_AcrobotDifferentiate(benchmark::State& state) {
  const Acrobot acrobot;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Jacobian(acrobot.terms, acrobot.x));
  }
}
BENCHMARK(BM_AcrobotDifferentiate);

void BM_AcrobotEvaluate(benchmark::State& state) {
  const Acrobot acrobot;
  for (auto _ : state) {
    benchmark::DoNotOptimize(Evaluate(acrobot.terms, acrobot.values));
  }
}
BENCHMARK(BM_AcrobotEvaluate);

}  // namespace
}  // namespace wyvern

BENCHMARK_MAIN();
