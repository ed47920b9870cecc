// Times inverse dynamics, mass matrix and forward dynamics, each from q and v
// on, that is, kinematics included.
//   multibody_benchmark [Google Benchmark's options] [model file...]
// `check` is a figure of the first sample's result: equal for equal work.
#include <memory>

#include <benchmark/benchmark.h>

#include "tests/benchmarks/multibody/model_description.h"
#include "wyvern/multibody/algorithms/forward_dynamics.h"
#include "wyvern/multibody/algorithms/inverse_dynamics.h"
#include "wyvern/multibody/algorithms/mass_matrix.h"

namespace wyvern::bench {

namespace {

using Eigen::VectorXd;
using namespace multibody::engine;  // NOLINT

constexpr int kSamples = 64;

class WyvernBench {
 public:
  explicit WyvernBench(const ModelDescription& description)
      : model_(MakeStructure(description)),
        parameters_(MakeParameters(model_, description)),
        positions_(model_),
        velocities_(model_),
        inertias_(model_.num_nodes()),
        composites_(model_.num_nodes()),
        articulated_(model_),
        scratch_(model_),
        A_(model_.num_nodes()),
        result_(model_.num_v),
        M_(model_.num_v, model_.num_v) {
    const int base = description.is_floating() ? 1 : 0;
    const int joints = static_cast<int>(description.bodies.size()) - base;
    for (const Sample& sample : MakeSamples(description, kSamples)) {
      VectorXd q(model_.num_q);
      VectorXd v = VectorXd::Zero(model_.num_v);
      VectorXd vdot = v, tau = v;
      if (description.is_floating()) {
        q.head<7>() << sample.base_quaternion, sample.base_position;
      }
      for (int j = 0; j < joints; ++j) {
        const auto& body = model_.bodies[model_.body_of_link[j + 1 + base]];
        q[body.q_start] = sample.q[j];
        v[body.v_start] = sample.v[j];
        vdot[body.v_start] = sample.vdot[j];
        tau[body.v_start] = sample.tau[j];
      }
      q_.push_back(q);
      v_.push_back(v);
      vdot_.push_back(vdot);
      tau_.push_back(tau);
    }
    num_joints_ = joints;
  }

  void InverseDynamics(int i) {
    Kinematics(i);
    CalcInverseDynamics<double>(model_, parameters_, positions_, inertias_,
                                velocities_, vdot_[i], {}, Gravity::kOn,
                                &scratch_, result_);
  }
  void MassMatrix(int i) {
    CalcPositionKinematics<double>(model_, parameters_, q_[i], &positions_);
    CalcInertiasInWorld<double>(model_, parameters_, positions_, &inertias_);
    CalcCompositeInertias<double>(model_, inertias_, &composites_);
    CalcMassMatrix<double>(model_, parameters_, positions_, composites_, M_);
  }
  void ForwardDynamics(int i) {
    Kinematics(i);
    CalcArticulatedInertias<double>(model_, parameters_, positions_, inertias_,
                                    none_, &articulated_);
    CalcForwardDynamics<double>(model_, parameters_, positions_, inertias_,
                                velocities_, tau_[i], {}, Gravity::kOn,
                                &articulated_, &A_, result_);
  }
  // Sums over the one-axis joints: the same in any order of them.
  double CheckResult() const { return result_.tail(num_joints_).sum(); }
  double CheckMassMatrix() const {
    return M_.diagonal().tail(num_joints_).sum();
  }

 private:
  static Model MakeStructure(const ModelDescription& description) {
    LinkJointGraph graph;
    for (const BodyDescription& body : description.bodies) {
      graph.AddJoint(body.parent + 1, graph.AddLink());
    }
    return MakeModel(SpanningForest(graph), [&](int joint) {
      const char type = description.bodies[joint].type;
      return type == 'F'   ? MobilizerType::kQuaternionFloating
             : type == 'R' ? MobilizerType::kRevolute
                           : MobilizerType::kPrismatic;
    });
  }
  static ModelParameters<double> MakeParameters(
      const Model& model, const ModelDescription& description) {
    ModelParameters<double> parameters(model);
    for (size_t i = 0; i < description.bodies.size(); ++i) {
      const BodyDescription& from = description.bodies[i];
      BodyParameters<double>& to = parameters.bodies[model.body_of_link[i + 1]];
      to.X_PF = {from.rotation, from.position};
      if (from.type != 'F') to.axis = from.axis.normalized();
      to.mass = from.mass;
      to.p_BoBcm_B = from.com;
      to.I_BBo_B = from.inertia + from.mass * (from.com.squaredNorm() *
                                                   Eigen::Matrix3d::Identity() -
                                               from.com * from.com.transpose());
    }
    parameters.gravity = {0, 0, -9.81};
    parameters.Compile(model);
    return parameters;
  }
  void Kinematics(int i) {
    CalcPositionKinematics<double>(model_, parameters_, q_[i], &positions_);
    CalcVelocityKinematics<double>(model_, parameters_, positions_, v_[i],
                                   &velocities_);
    CalcInertiasInWorld<double>(model_, parameters_, positions_, &inertias_);
  }

  int num_joints_{};
  Model model_;
  ModelParameters<double> parameters_;
  PositionKinematics<double> positions_;
  VelocityKinematics<double> velocities_;
  std::vector<RigidInertia<double>> inertias_, composites_;
  ArticulatedInertias<double> articulated_;
  InverseDynamicsScratch<double> scratch_;
  std::vector<Vector6<double>> A_;
  VectorXd none_, result_;
  Eigen::MatrixXd M_;
  std::vector<VectorXd> q_, v_, vdot_, tau_;
};

void Register(const ModelDescription& description) {
  const auto bench = std::make_shared<WyvernBench>(description);
  using Call = void (WyvernBench::*)(int);
  using Check = double (WyvernBench::*)() const;
  const auto add = [&](const std::string& what, Call call, Check check) {
    benchmark::RegisterBenchmark(
        (description.name + "/" + what + "/wyvern").c_str(),
        [bench, call, check](benchmark::State& state) {
          (bench.get()->*call)(0);
          state.counters["check"] = (bench.get()->*check)();
          int i = 0;
          for (auto _ : state) {
            (bench.get()->*call)(i);
            benchmark::ClobberMemory();
            i = (i + 1) % kSamples;
          }
        });
  };
  add("inverse_dynamics", &WyvernBench::InverseDynamics,
      &WyvernBench::CheckResult);
  add("mass_matrix", &WyvernBench::MassMatrix, &WyvernBench::CheckMassMatrix);
  add("forward_dynamics", &WyvernBench::ForwardDynamics,
      &WyvernBench::CheckResult);
}

}  // namespace
}  // namespace wyvern::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  wyvern::bench::Register(wyvern::bench::MakeArm());
  wyvern::bench::Register(wyvern::bench::MakeHumanoid());
  for (int i = 1; i < argc; ++i) {
    wyvern::bench::Register(wyvern::bench::ReadModelFile(argv[i]));
  }
  benchmark::RunSpecifiedBenchmarks();
}
