// Times inverse dynamics, mass matrix, forward dynamics, Jacobians and the
// derivatives of both dynamics, each from q and v on, that is, kinematics
// included; Pinocchio's beside them if it was built in (see CMakeLists.txt).
//   multibody_benchmark [Google Benchmark's options] [model file...]
// Before that, all engines' results are compared: printed is the largest
// difference to the first engine's, relative to the largest entry.
#include <cstdio>
#include <memory>

#include <benchmark/benchmark.h>

#include "tests/benchmarks/multibody/dynamics_engine.h"

namespace wyvern::bench {
namespace {

using Eigen::MatrixXd;
using Engines = std::vector<std::unique_ptr<DynamicsEngine>>;

constexpr int kSamples = 64;

struct NamedQuantity {
  Quantity quantity;
  const char* name;
};
constexpr NamedQuantity kQuantities[] = {
    {Quantity::kInverseDynamics, "inverse_dynamics"},
    {Quantity::kWeightlessInverseDynamics, "weightless_inverse_dynamics"},
    {Quantity::kMassMatrix, "mass_matrix"},
    {Quantity::kForwardDynamics, "forward_dynamics"},
    {Quantity::kJacobians, "jacobians"},
    {Quantity::kInverseDynamicsDerivatives, "d_inverse_dynamics"},
    {Quantity::kForwardDynamicsDerivatives, "d_forward_dynamics"}};

struct Case {
  ModelDescription description;
  std::vector<Sample> samples;
  Engines engines;
};

std::unique_ptr<Case> MakeCase(const ModelDescription& description) {
  auto result = std::make_unique<Case>();
  result->description = description;
  result->samples = MakeSamples(description, kSamples);
  const auto& samples = result->samples;
  Engines& engines = result->engines;
  engines.push_back(MakeWyvernEngine(description, samples));
  engines.push_back(MakeWyvernPlant(description, samples));
#ifdef WYVERN_BENCH_PINOCCHIO
  for (auto& engine : MakePinocchioEngines(description, samples)) {
    engines.push_back(std::move(engine));
  }
#endif
  return result;
}

double MaxDifference(NamedQuantity quantity, DynamicsEngine* a,
                     DynamicsEngine* b) {
  double difference = 0;
  for (int i = 0; i < kSamples; ++i) {
    a->Calc(quantity.quantity, i);
    b->Calc(quantity.quantity, i);
    const MatrixXd wanted = a->Result(quantity.quantity, i);
    const MatrixXd error = b->Result(quantity.quantity, i) - wanted;
    difference = std::max(difference, error.lpNorm<Eigen::Infinity>() /
                                          wanted.lpNorm<Eigen::Infinity>());
  }
  return difference;
}

void Compare(const Case& one) {
  for (const NamedQuantity& quantity : kQuantities) {
    for (const auto& engine : one.engines) {
      if (engine == one.engines[0] || !engine->has(quantity.quantity)) continue;
      std::fprintf(stderr, "%-12s %-18s %-16s differs by %.1e\n",
                   one.description.name.c_str(), quantity.name,
                   engine->name().c_str(),
                   MaxDifference(quantity, one.engines[0].get(), engine.get()));
    }
  }
}

void Register(const Case& one) {
  for (const NamedQuantity& quantity : kQuantities) {
    for (const auto& engine : one.engines) {
      if (!engine->has(quantity.quantity)) continue;
      benchmark::RegisterBenchmark(
          (one.description.name + "/" + quantity.name + "/" + engine->name())
              .c_str(),
          [engine = engine.get(), quantity](benchmark::State& state) {
            int i = 0;
            for (auto _ : state) {
              engine->Calc(quantity.quantity, i);
              benchmark::ClobberMemory();
              i = (i + 1) % kSamples;
            }
          });
    }
  }
}

}  // namespace
}  // namespace wyvern::bench

int main(int argc, char** argv) {
  using namespace wyvern::bench;  // NOLINT
  benchmark::Initialize(&argc, argv);
  std::vector<ModelDescription> models{MakeIiwa14(), MakeBiped(),
                                       MakeHumanoid()};
  for (int n : {10, 30, 100, 300}) models.push_back(MakeChain(n));
  for (int i = 1; i < argc; ++i) models.push_back(ReadModelFile(argv[i]));
  std::vector<std::unique_ptr<Case>> cases;
  for (const ModelDescription& model : models) {
    cases.push_back(MakeCase(model));
    Compare(*cases.back());
    Register(*cases.back());
  }
  benchmark::RunSpecifiedBenchmarks();
}
