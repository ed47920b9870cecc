// Uses a Wyvern that was built for double alone: a simulation runs, and what
// needs AutoDiffXd throws and says how to get it.
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

// x' = -x.
template <typename T>
class Decay final : public wyvern::systems::LeafSystem<T> {
 public:
  Decay()
      : wyvern::systems::LeafSystem<T>(
            wyvern::systems::SystemTypeTag<Decay>{}) {
    const auto x = this->DeclareContinuousState(1);
    this->DeclareStateOutputPort("x", x);
  }

  template <typename U>
  explicit Decay(const Decay<U>&) : Decay() {}

 private:
  void DoCalcTimeDerivatives(
      const wyvern::systems::Context<T>& context,
      wyvern::systems::ContinuousState<T>* derivatives) const final {
    (*derivatives)[0] = -context.get_continuous_state_vector()[0];
  }
};

// True if `call` throws and the message names the build's option.
template <typename Call>
bool Refuses(const char* name, Call&& call) {
  std::string said = "nothing";
  try {
    call();
  } catch (const std::exception& error) {
    said = error.what();
  }
  std::printf("%s: %s\n", name, said.c_str());
  return said.find("WYVERN_AUTODIFF") != std::string::npos;
}

int main() {
  wyvern::systems::DiagramBuilder<double> builder;
  builder.AddSystem<Decay<double>>();
  const auto diagram = builder.Build();
  wyvern::systems::Simulator<double> simulator(*diagram);
  simulator.get_mutable_context().SetContinuousState(
      Eigen::VectorXd::Constant(1, 1.0));
  simulator.AdvanceTo(1.0);
  const double x = simulator.get_context().get_continuous_state_vector()[0];
  std::printf("x(1) = %.6f, exp(-1) = %.6f\n", x, std::exp(-1.0));
  const bool decays = std::abs(x - std::exp(-1.0)) < 1e-3;
  const bool converts =
      Refuses("ToAutoDiffXd", [&] { diagram->ToAutoDiffXd(); });
  const bool clones = Refuses("Clone", [&] { diagram->Clone(); });
  return decays && converts && clones ? 0 : 1;
}
