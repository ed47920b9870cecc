// Times accelerations of a humanoid of 38 degrees of freedom with 6, 12 and 24
// contact constraints (six to a foot or hand: at one point along x, y, z, at a
// second along y, z, at a third along z), from q, v and tau on, by each method;
// Pinocchio's constraintDynamics() beside them if it was built in.
//   constraints_benchmark [Google Benchmark's options]
// Before that, all results are compared: printed is the largest difference to
// the direct method's, relative to the largest entry.
#include <cstdio>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "tests/benchmarks/constraints/constrained_engine.h"
#include "tests/benchmarks/multibody/description_plant.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"

namespace wyvern::bench {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using multibody::BodyIndex;
using multibody::ConstraintSet;
using multibody::MultibodyPlant;

constexpr int kSamples = 64;

using ForwardDynamics =
    decltype(&multibody::ForwardDynamicsConstraintsDirect<double>);
struct Method {
  const char* name;
  ForwardDynamics calc;
};
constexpr Method kMethods[] = {
    {"direct", &multibody::ForwardDynamicsConstraintsDirect<double>},
    {"range_space",
     &multibody::ForwardDynamicsConstraintsRangeSpaceSparse<double>},
    {"null_space", &multibody::ForwardDynamicsConstraintsNullSpace<double>},
    {"kokkevis", &multibody::ForwardDynamicsContactsKokkevis<double>}};

ConstraintSet<double> MakeContacts(const std::vector<int>& bodies) {
  ConstraintSet<double> set;
  const Vector3d points[3] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}};
  for (int index : bodies) {
    const BodyIndex body(index + 1);
    for (int p = 0; p < 3; ++p) {
      for (int axis = p; axis < 3; ++axis) {
        set.AddContactConstraint(body, points[p], Vector3d::Unit(axis));
      }
    }
  }
  return set;
}

class Wyvern final : public ConstrainedEngine {
 public:
  Wyvern(Method method, const ModelDescription& description,
         const std::vector<int>& bodies, const std::vector<Sample>& samples)
      : method_(method), samples_(samples), plant_(0.0) {
    AddBodies(description, &plant_);
    set_ = MakeContacts(bodies);
    set_.Bind(plant_);
    context_ = plant_.CreateDefaultContext();
    for (const Sample& sample : samples) {
      x_.push_back(MakeState(description, sample));
    }
    vdot_.resize(plant_.num_velocities());
  }

  void Calc(int i) override {
    plant_.SetPositionsAndVelocities(context_.get(), x_[i]);
    method_.calc(plant_, *context_, samples_[i].tau, &set_, &vdot_, nullptr);
  }
  VectorXd Result(int) const override { return vdot_; }

 private:
  Method method_;
  const std::vector<Sample>& samples_;
  MultibodyPlant<double> plant_;
  ConstraintSet<double> set_;
  std::unique_ptr<systems::Context<double>> context_;
  std::vector<VectorXd> x_;
  VectorXd vdot_;
};

struct Case {
  std::string name;
  std::vector<Sample> samples;
  std::vector<std::pair<std::string, std::unique_ptr<ConstrainedEngine>>>
      engines;
};

// Velocities that meet the constraints, so that turning bodies do not matter.
void MeetConstraints(const ModelDescription& description,
                     const std::vector<int>& bodies,
                     std::vector<Sample>* samples) {
  MultibodyPlant<double> plant(0.0);
  AddBodies(description, &plant);
  ConstraintSet<double> set = MakeContacts(bodies);
  set.Bind(plant);
  auto context = plant.CreateDefaultContext();
  for (Sample& sample : *samples) {
    plant.SetPositionsAndVelocities(context.get(),
                                    MakeState(description, sample));
    multibody::ComputeConstraintImpulsesDirect<double>(plant, *context, &set,
                                                       &sample.v);
  }
}

std::unique_ptr<Case> MakeCase(const std::vector<int>& bodies) {
  const ModelDescription description = MakeHumanoid();
  auto result = std::make_unique<Case>();
  result->name = std::to_string(6 * bodies.size());
  result->samples = MakeSamples(description, kSamples);
  MeetConstraints(description, bodies, &result->samples);
  for (const Method& method : kMethods) {
    result->engines.emplace_back(
        method.name,
        std::make_unique<Wyvern>(method, description, bodies, result->samples));
  }
#ifdef WYVERN_BENCH_PINOCCHIO
  result->engines.emplace_back(
      "pinocchio",
      MakePinocchioConstraints(description, bodies, result->samples));
#endif
  return result;
}

void Compare(const Case& one) {
  for (const auto& [name, engine] : one.engines) {
    double difference = 0;
    for (int i = 0; i < kSamples; ++i) {
      one.engines[0].second->Calc(i);
      engine->Calc(i);
      const VectorXd wanted = one.engines[0].second->Result(i);
      const VectorXd error = engine->Result(i) - wanted;
      difference = std::max(difference, error.lpNorm<Eigen::Infinity>() /
                                            wanted.lpNorm<Eigen::Infinity>());
    }
    std::fprintf(stderr, "%-3s %-12s differs by %.1e\n", one.name.c_str(),
                 name.c_str(), difference);
  }
}

void Register(const Case& one) {
  for (const auto& [name, engine] : one.engines) {
    benchmark::RegisterBenchmark((one.name + "/" + name).c_str(),
                                 [e = engine.get()](benchmark::State& state) {
                                   int i = 0;
                                   for (auto _ : state) {
                                     e->Calc(i);
                                     benchmark::ClobberMemory();
                                     i = (i + 1) % kSamples;
                                   }
                                 });
  }
}

}  // namespace
}  // namespace wyvern::bench

int main(int argc, char** argv) {
  using namespace wyvern::bench;  // NOLINT
  benchmark::Initialize(&argc, argv);
  // Bodies of MakeHumanoid(): the feet, then the hands.
  constexpr int kLeftFoot = 6, kRightFoot = 12, kLeftHand = 22, kRightHand = 30;
  std::vector<std::unique_ptr<Case>> cases;
  for (const std::vector<int>& bodies :
       {std::vector<int>{kLeftFoot},
        {kLeftFoot, kRightFoot},
        {kLeftFoot, kRightFoot, kLeftHand, kRightHand}}) {
    cases.push_back(MakeCase(bodies));
    Compare(*cases.back());
    Register(*cases.back());
  }
  benchmark::RunSpecifiedBenchmarks();
}
