// Uses wyvern::framework alone: a block of the user's own and the simulator.
#include <cmath>
#include <cstdio>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

// x' = -x.
class Decay final : public wyvern::systems::LeafSystem<double> {
 public:
  Decay() {
    const auto x = DeclareContinuousState(1);
    DeclareStateOutputPort("x", x);
  }

 private:
  void DoCalcTimeDerivatives(
      const wyvern::systems::Context<double>& context,
      wyvern::systems::ContinuousState<double>* derivatives) const final {
    (*derivatives)[0] = -context.get_continuous_state_vector()[0];
  }
};

int main() {
  wyvern::systems::DiagramBuilder<double> builder;
  builder.AddSystem<Decay>();
  const auto diagram = builder.Build();
  wyvern::systems::Simulator<double> simulator(*diagram);
  simulator.get_mutable_context().SetContinuousState(
      Eigen::VectorXd::Constant(1, 1.0));
  simulator.AdvanceTo(1.0);
  const double x = simulator.get_context().get_continuous_state_vector()[0];
  std::printf("x(1) = %.6f, exp(-1) = %.6f\n", x, std::exp(-1.0));
  return std::abs(x - std::exp(-1.0)) < 1e-3 ? 0 : 1;
}
