// Expressions: a polynomial is multiplied out, differentiated, evaluated and
// sorted; equations of the acrobot and of an arm of four joints are derived,
// differentiated and evaluated. drake_symbolic.py does the same in Drake.
#include <benchmark/benchmark.h>

#include "tests/benchmarks/multibody/description_plant.h"
#include "tests/benchmarks/multibody/model_description.h"
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

using Plant = multibody::MultibodyPlant<double>;

void AddAcrobot(Plant* plant) {
  using multibody::SpatialInertia;
  const auto inertia = SpatialInertia<double>::SolidSphereWithMass(1.0, 0.5);
  const auto& upper = plant->AddRigidBody("upper", inertia);
  const auto& lower = plant->AddRigidBody("lower", inertia);
  plant->AddJoint<multibody::RevoluteJoint>(
      "shoulder", plant->world_body(), {}, upper, {}, Eigen::Vector3d::UnitY());
  plant->AddJoint<multibody::RevoluteJoint>(
      "elbow", upper, math::RigidTransformd(Eigen::Vector3d(0, 0, -1)), lower,
      {}, Eigen::Vector3d::UnitY());
  plant->Finalize();
}

// The first four joints of the iiwa 14, with what they carry.
void AddArm(Plant* plant) {
  bench::ModelDescription model = bench::MakeIiwa14();
  model.bodies.resize(4);
  bench::AddBodies(model, plant);
}

// M and C v of a robot, by its q and v.
struct Equations {
  explicit Equations(void (*add)(Plant*)) : plant(0.0) {
    add(&plant);
    dynamics = std::make_unique<multibody::SymbolicDynamics>(plant);
    const int n = plant.num_velocities();
    x.resize(2 * n);
    x << dynamics->q(), dynamics->v();
    terms.resize(n * n + n);
    const MatrixX<Expression> M = dynamics->CalcMassMatrix();
    terms << M.reshaped(), dynamics->CalcBiasTerm();
    for (int i = 0; i < 2 * n; ++i) values.insert(x[i], 0.1 * (i + 1));
  }
  Plant plant;
  std::unique_ptr<multibody::SymbolicDynamics> dynamics;
  VectorX<Variable> x;
  VectorX<Expression> terms;
  Environment values;
};

void BM_Build(benchmark::State& state, void (*add)(Plant*)) {
  const Equations robot(add);
  for (auto _ : state) {
    benchmark::DoNotOptimize(robot.dynamics->CalcMassMatrix());
    benchmark::DoNotOptimize(robot.dynamics->CalcBiasTerm());
  }
}

void BM_Differentiate(benchmark::State& state, void (*add)(Plant*)) {
  const Equations robot(add);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Jacobian(robot.terms, robot.x));
  }
}

// By the q and v of the last joint alone.
void BM_DifferentiateByLast(benchmark::State& state, void (*add)(Plant*)) {
  const Equations robot(add);
  const int n = robot.plant.num_velocities();
  const Vector2<Variable> last(robot.x[n - 1], robot.x[2 * n - 1]);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Jacobian(robot.terms, last));
  }
}

void BM_Evaluate(benchmark::State& state, void (*add)(Plant*)) {
  const Equations robot(add);
  for (auto _ : state) {
    benchmark::DoNotOptimize(Evaluate(robot.terms, robot.values));
  }
}

BENCHMARK_CAPTURE(BM_Build, Acrobot, &AddAcrobot)->Name("BM_AcrobotBuild");
BENCHMARK_CAPTURE(BM_Differentiate, Acrobot, &AddAcrobot)
    ->Name("BM_AcrobotDifferentiate");
BENCHMARK_CAPTURE(BM_Evaluate, Acrobot, &AddAcrobot)
    ->Name("BM_AcrobotEvaluate");
BENCHMARK_CAPTURE(BM_Build, Arm, &AddArm)->Name("BM_Arm4Build");
BENCHMARK_CAPTURE(BM_Differentiate, Arm, &AddArm)->Name("BM_Arm4Differentiate");
BENCHMARK_CAPTURE(BM_DifferentiateByLast, Arm, &AddArm)
    ->Name("BM_Arm4DifferentiateByLast");
BENCHMARK_CAPTURE(BM_Evaluate, Arm, &AddArm)->Name("BM_Arm4Evaluate");

}  // namespace
}  // namespace wyvern

BENCHMARK_MAIN();
