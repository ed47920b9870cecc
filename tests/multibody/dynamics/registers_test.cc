// Kernels that choose wide registers at a program's start leave the bits that
// narrow ones leave: this program, started anew with narrow ones, says so.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/multibody/dynamics/random_model.h"
#include "wyvern/multibody/dynamics/forward_dynamics_derivatives.h"
#include "wyvern/multibody/dynamics/inverse_dynamics_derivatives.h"
#include "wyvern/multibody/dynamics/mass_matrix_inverse.h"
#include "wyvern/multibody/dynamics/newton_euler.h"

namespace wyvern::multibody::dynamics {
namespace registers_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::Computed;
using test::Random;
using test::RandomSystem;

// A figure that any bit of M changes (FNV-1a).
std::string Digest(const MatrixXd& M) {
  std::uint64_t digest = 0xcbf29ce484222325;
  for (const double& x : M.reshaped()) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof(bits));
    digest = (digest ^ bits) * 0x100000001b3;
  }
  return fmt::format("{:016x}", digest);
}

// A line for each result.
std::string CalcAll(const std::string& name, Computed<double>* at,
                    Random* random) {
  const Model& model = at->model;
  const int n = model.num_v;
  std::string lines;
  const auto add = [&](const char* result, const MatrixXd& value) {
    lines += fmt::format("{} {} {}\n", name, result, Digest(value));
  };
  const VectorXd vdot = random->Numbers(n);
  const VectorXd tau = at->InverseDynamics(vdot);
  add("tau", tau);
  NewtonEulerScratch<double> newton_euler(model);
  VectorXd tau_from_state(n);
  for (const Gravity gravity : {Gravity::kOn, Gravity::kOff}) {
    CalcInverseDynamicsFromState<double>(model, at->parameters, at->q, at->v,
                                         vdot, gravity, &newton_euler,
                                         tau_from_state);
    add("tau from state", tau_from_state);
  }
  add("M", at->MassMatrix());
  add("vdot", at->ForwardDynamics(tau));
  MatrixXd a = MatrixXd::Zero(n, n), b = a, c = a;
  MassMatrixInverseScratch<double> columns(model);
  CalcMassMatrixInverse<double>(model, at->positions, at->articulated, &columns,
                                a);
  add("inverse of M", a);
  std::vector<DeadLoad<double>> loads(model.num_nodes());
  for (DeadLoad<double>& load : loads) {
    load.F = random->Numbers(6);
    load.S = random->Numbers(9).reshaped(3, 3);
  }
  InverseDynamicsDerivativesScratch<double> inverse(model);
  CalcInverseDynamicsDerivatives<double>(at->motion(), at->v, vdot, loads,
                                         Gravity::kOn, &inverse, {a, b, c});
  add("dtau/dq", a);
  add("dtau/dv", b);
  add("dtau/dvdot", c);
  ForwardDynamicsDerivativesScratch<double> forward(model);
  CalcForwardDynamicsDerivatives<double>(
      at->motion(), at->v, vdot, random->Numbers(n), loads, Gravity::kOn,
      at->articulated, &forward, {a, b, c});
  add("dvdot/dq", a);
  add("dvdot/dv", b);
  add("dvdot/dtau", c);
  return lines;
}

// Random forests with every motion, and a chain whose paths are long.
std::string CalcAll() {
  std::string lines;
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomSystem system(seed, 2 + 3 * seed);
    lines += CalcAll(fmt::format("forest {}", seed), &system.computed,
                     &system.random);
  }
  Random random(1);
  LinkJointGraph graph;
  for (int link = 1; link <= 60; ++link) {
    graph.AddLink();
    graph.AddJoint(link % 7 == 6 ? link - 2 : link - 1, link);
  }
  const Model model = MakeModel(SpanningForest(graph),
                                [](int) { return MobilizerType::kRevolute; });
  ModelParameters<double> parameters(model);
  for (int i = 1; i < model.num_bodies(); ++i) {
    parameters.bodies[i] = test::RandomBody(&random);
  }
  parameters.gravity = {0, 0, -9.81};
  parameters.Compile(model);
  Computed<double> chain(model, parameters, random.Numbers(model.num_q),
                         random.Numbers(model.num_v));
  return lines + CalcAll("chain", &chain, &random);
}

TEST(Registers, PrintTheirBits) {
  const std::string lines = CalcAll();
  EXPECT_EQ(lines, CalcAll());
  std::fputs(lines.c_str(), stdout);
}

TEST(Registers, NarrowOnesGiveTheBitsOfThoseInUse) {
  std::array<char, 4096> path{};
  if (readlink("/proc/self/exe", path.data(), path.size() - 1) <= 0) {
    GTEST_SKIP() << "the program's own file is not known here";
  }
  const std::string command =
      std::string("WYVERN_REGISTERS=narrow '") + path.data() +
      "' --gtest_filter=Registers.PrintTheirBits | grep -E '^(forest|chain)'";
  std::FILE* const child = popen(command.c_str(), "r");
  ASSERT_NE(child, nullptr);
  std::string lines;
  std::array<char, 4096> part;
  while (std::fgets(part.data(), part.size(), child) != nullptr) {
    lines += part.data();
  }
  EXPECT_EQ(pclose(child), 0);
  EXPECT_EQ(lines, CalcAll());
}

}  // namespace registers_test
}  // namespace wyvern::multibody::dynamics
