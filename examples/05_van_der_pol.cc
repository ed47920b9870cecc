// Van der Pol's oscillator, so stiff that explicit methods crawl.
//
//      x                                        x'' = mu (1 - x^2) x' - x
//    2 |\__          ______           mu = 1000: crawls for hundreds of
//      |   \__      |      \__        seconds, then jumps within a few
//      +------+-----+---------+--> t  milliseconds.
//   -2 |      |_____/         |
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace systems = wyvern::systems;
using Eigen::Vector2d;

namespace {

constexpr double kMu = 1000;  // 1/s

class VanDerPol final : public systems::LeafSystem<double> {
 public:
  VanDerPol() {
    DeclareContinuousState(
        systems::BasicVector<double>(Eigen::VectorXd(Vector2d(2, 0))), 1, 1, 0);
  }

 private:
  void DoCalcTimeDerivatives(
      const systems::Context<double>& context,
      systems::ContinuousState<double>* xdot) const final {
    const auto& x = context.get_continuous_state_vector();
    xdot->get_mutable_vector()[0] = x[1];
    xdot->get_mutable_vector()[1] = kMu * (1 - x[0] * x[0]) * x[1] - x[0];
  }
};

// How far from the published solution this scheme ends at 2000 s.
double Solve(const char* scheme, double accuracy, double end,
             const Vector2d& expected) {
  const VanDerPol system;
  systems::Simulator<double> simulator(system);
  systems::SimulatorConfig config;
  config.integration_scheme = scheme;
  config.max_step_size = 100;  // s
  config.accuracy = accuracy;
  ApplySimulatorConfig(config, &simulator);
  simulator.AdvanceTo(end);
  const Eigen::VectorXd x =
      simulator.get_context().get_continuous_state_vector().CopyToVector();
  const double error = (x - expected).cwiseAbs().maxCoeff();
  const auto& integrator = simulator.get_integrator();
  fmt::print(
      "{:15} {:8.0e} {:6.0f} s {:9} steps {:9} derivatives   x off by {:.1e}\n",
      scheme, accuracy, end, integrator.get_num_steps_taken(),
      integrator.get_num_derivative_evaluations(), error);
  return error;
}

}  // namespace

int main() {
  // F. Mazzia, C. Magherini, Test Set for IVP Solvers, release 2.4, 2008:
  // problem VDPOL, in the time scale of mu = 1000.
  const Vector2d expected(1.706167732170469, -0.8928097010248257e-3);
  double worst = 0;
  for (const char* scheme : {"radau5", "rosenbrock4", "radau3"}) {
    worst = std::max(worst, Solve(scheme, 1e-7, 2000, expected));
  }
  const double explicit_error = Solve("runge_kutta3", 1e-6, 2000, expected);
  return worst < 1e-4 && explicit_error < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
