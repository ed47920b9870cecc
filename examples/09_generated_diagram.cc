// A diagram that a program generates: 100 filters at five rates, each fed
// through a gain by another filter.
//
//        +------+    +---------------------------------+
//   ..-->| gain |--->| x[n+1] = a x[n] + u, every h ms |--> to other gains
//        +------+    +---------------------------------+
#include <array>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/plotting/write_file.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/linear/linear_system.h"

using namespace wyvern::systems;  // NOLINT(build/namespaces)
using Eigen::VectorXd;

struct Unit {
  double a{}, gain{};  // |a| + |gain| = 1 keeps all within [-1, 1].
  int period_ms{}, source{};
};

std::vector<Unit> Generate(int size) {
  std::mt19937 random;
  std::vector<Unit> units(size);
  for (Unit& unit : units) {
    unit.a = 0.3 + 0.5 * (random() / 4294967296.0);
    unit.gain = (random() % 2 == 0 ? 1 : -1) * (1 - unit.a);
    unit.period_ms = std::array{1, 2, 4, 5, 10}[random() % 5];
    unit.source = static_cast<int>(random() % size);
  }
  return units;
}

VectorXd Simulate(const std::vector<Unit>& units, double seconds) {
  DiagramBuilder<double> builder;
  std::vector<System<double>*> gains, filters;
  const Eigen::MatrixXd one{{1.0}};
  for (const Unit& unit : units) {
    gains.push_back(builder.AddSystem<Gain<double>>(unit.gain, 1));
    auto* filter = builder.AddSystem<LinearSystem<double>>(
        unit.a * one, one, one, 0 * one, 1e-3 * unit.period_ms);
    filter->configure_default_state(VectorXd::Ones(1));
    filters.push_back(filter);
  }
  for (int k = 0; k < std::ssize(units); ++k) {
    builder.Connect(*filters[units[k].source], *gains[k]);
    builder.Connect(*gains[k], *filters[k]);
  }
  const auto diagram = builder.Build();
  wyvern::plotting::WriteFile("diagram.dot", diagram->GetGraphvizString());
  Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(seconds);
  const auto& state = simulator.get_context().get_discrete_state();
  return VectorXd::NullaryExpr(state.num_groups(),
                               [&](int k) { return state.value(k)[0]; });
}

int main() {
  const auto units = Generate(100);
  const VectorXd x = Simulate(units, 2.0);
  const bool same_bits = x == Simulate(units, 2.0);
  VectorXd expected = VectorXd::Ones(x.size()), next;
  for (int ms = 0; ms < 2000; ++ms, expected = next) {
    next = expected;  // Updates at one time see what was before all of them.
    for (int k = 0; k < std::ssize(units); ++k) {
      const Unit& unit = units[k];
      if (ms % unit.period_ms != 0) continue;
      next[k] = unit.a * expected[k] + unit.gain * expected[unit.source];
    }
  }
  const double error = (x - expected).lpNorm<Eigen::Infinity>();
  fmt::print("{} blocks, 2 s: off the recursion by {:.1e}; second run {}\n",
             2 * units.size(), error, same_bits ? "the same" : "different");
  return same_bits && error < 1e-12 ? 0 : 1;
}
