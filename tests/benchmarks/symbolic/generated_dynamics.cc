// Equations of motion of two arms of seven joints: as code of one robot, by the
// kernels of multibody/dynamics and by Pinocchio, if it is given. Before
// anything is timed, all must agree. One arm is that of examples/models,
// without its tool, whose links are round about their joints; the other is the
// iiwa 14.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "tests/benchmarks/multibody/description_plant.h"
#include "tests/benchmarks/multibody/dynamics_engine.h"
#include "wyvern/multibody/symbolic/dynamics_code.h"

namespace wyvern::bench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kNumSamples = 64;

// Writes the robot's code, has it compiled as programs are, and calls it.
class GeneratedCode final : public DynamicsEngine {
 public:
  GeneratedCode(const ModelDescription& description,
                const std::vector<Sample>& samples)
      : samples_(samples),
        M_(description.num_v(), description.num_v()),
        x_(description.num_v()) {
    multibody::MultibodyPlant<double> plant(0.0);
    AddBodies(description, &plant);
    const auto code = multibody::GenerateDynamicsCode(plant);
    char folder[] = "/tmp/wyvern_benchmark_XXXXXX";
    const std::string path = std::string(mkdtemp(folder)) + "/robot";
    std::ofstream(path + ".h") << code.header;
    std::ofstream(path + ".c") << code.source;
    const std::string command =
        "cc -O3 -shared -fPIC -o " + path + ".so " + path + ".c -lm";
    if (std::system(command.c_str()) != 0) std::abort();
    void* const library = dlopen((path + ".so").c_str(), RTLD_NOW);
    if (library == nullptr) std::abort();
    std::filesystem::remove_all(folder);
    const auto get = [library](const char* name, auto* function) {
      *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(
          dlsym(library, name));
    };
    get("robot_mass_matrix", &mass_matrix_);
    get("robot_inverse_dynamics", &inverse_dynamics_);
    get("robot_forward_dynamics", &forward_dynamics_);
  }

  std::string name() const override { return "generated"; }
  void Calc(Quantity quantity, int i) override {
    const Sample& s = samples_[i];
    const double *const q = s.joint_q.data(), *const v = s.v.data();
    if (quantity == Quantity::kMassMatrix) {
      mass_matrix_(q, M_.data());
    } else if (quantity == Quantity::kInverseDynamics) {
      inverse_dynamics_(q, v, s.vdot.data(), x_.data());
    } else {
      forward_dynamics_(q, v, s.tau.data(), x_.data());
    }
  }
  MatrixXd Result(Quantity quantity, int) const override {
    if (quantity == Quantity::kMassMatrix) return M_;
    return x_;
  }

 private:
  const std::vector<Sample> samples_;
  MatrixXd M_;
  VectorXd x_;
  void (*mass_matrix_)(const double*, double*){};
  void (*inverse_dynamics_)(const double*, const double*, const double*,
                            double*){};
  void (*forward_dynamics_)(const double*, const double*, const double*,
                            double*){};
};

ModelDescription MakeArm() {
  struct Link {
    double position;
    Eigen::Vector3d axis;
    double mass, com, Ixx, Izz;
  };
  const Eigen::Vector3d y(0, 1, 0), z(0, 0, 1);
  const Link links[] = {{0.16, z, 4.3, 0.09, 0.0223141, 0.0099416},
                        {0.18, y, 3.7, 0.11, 0.018479, 0.0071114},
                        {0.22, z, 2.9, 0.09, 0.0119403, 0.0045472},
                        {0.2, -y, 2.6, 0.09, 0.0104243, 0.0035152},
                        {0.2, z, 2.0, 0.09, 0.00772467, 0.002116},
                        {0.19, -y, 1.3, 0.03, 0.00160333, 0.00104},
                        {0.07, z, 0.42, 0.025, 0.00016352, 0.00021504}};
  ModelDescription model{"arm", {}};
  for (const Link& link : links) {
    BodyDescription body;
    body.parent = static_cast<int>(model.bodies.size()) - 1;
    body.position = {0, 0, link.position};
    body.axis = link.axis;
    body.mass = link.mass;
    body.com = {0, 0, link.com};
    body.inertia.diagonal() << link.Ixx, link.Ixx, link.Izz;
    model.bodies.push_back(body);
  }
  return model;
}

// All who compute the equations of a model.
class Engines {
 public:
  explicit Engines(const ModelDescription& model)
      : samples_(MakeSamples(model, kNumSamples)) {
    engines_.push_back(std::make_unique<GeneratedCode>(model, samples_));
    engines_.push_back(MakeWyvernEngine(model, samples_));
#ifdef WYVERN_BENCH_PINOCCHIO
    for (auto& engine : MakePinocchioEngines(model, samples_)) {
      engines_.push_back(std::move(engine));
    }
#endif
    for (const Quantity quantity :
         {Quantity::kMassMatrix, Quantity::kInverseDynamics,
          Quantity::kForwardDynamics}) {
      RequireAgreement(quantity);
    }
  }

  DynamicsEngine* Find(const std::string& name, Quantity quantity) const {
    for (const auto& engine : engines_) {
      if (engine->name() == name && engine->has(quantity)) return engine.get();
    }
    return nullptr;
  }

 private:
  void RequireAgreement(Quantity quantity) const {
    for (const auto& engine : engines_) {
      if (!engine->has(quantity)) continue;
      for (int i = 0; i < kNumSamples; ++i) {
        engine->Calc(quantity, i);
        engines_[0]->Calc(quantity, i);
        const MatrixXd wanted = engines_[0]->Result(quantity, i);
        const MatrixXd given = engine->Result(quantity, i);
        if ((given - wanted).norm() < 1e-9 * (1 + wanted.norm())) continue;
        std::cerr << engine->name() << " differs from the generated code.\n";
        std::abort();
      }
    }
  }

  const std::vector<Sample> samples_;  // Engines refer to them.
  std::vector<std::unique_ptr<DynamicsEngine>> engines_;
};

// Made when the first is timed: Pinocchio has globals that must be there.
const Engines& EnginesOf(bool is_iiwa) {
  static const Engines arm(MakeArm()), iiwa(MakeIiwa14());
  return is_iiwa ? iiwa : arm;
}

const bool kRegistered = [] {
  const std::pair<const char*, Quantity> rows[] = {
      {"MassMatrix", Quantity::kMassMatrix},
      {"InverseDynamics", Quantity::kInverseDynamics},
      {"ForwardDynamics", Quantity::kForwardDynamics}};
  for (const bool is_iiwa : {false, true}) {
    for (const auto& [what, quantity] : rows) {
      for (const char* name :
           {"generated", "wyvern", "pinocchio", "pinocchio_local"}) {
        benchmark::RegisterBenchmark(
            (std::string(is_iiwa ? "Robot/Iiwa14" : "Robot/Arm") + what + "/" +
             name)
                .c_str(),
            [is_iiwa, quantity = quantity, name](benchmark::State& state) {
              auto* const engine = EnginesOf(is_iiwa).Find(name, quantity);
              if (engine == nullptr) return state.SkipWithError("not there");
              int i = 0;
              for (auto _ : state) {
                engine->Calc(quantity, i++ % kNumSamples);
                benchmark::ClobberMemory();
              }
            });
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace wyvern::bench
