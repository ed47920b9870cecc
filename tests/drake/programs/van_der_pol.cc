// Van der Pol's oscillator as a VectorSystem, and its derivatives by AutoDiff.
#include <cmath>

#include "drake/common/autodiff.h"
#include "drake/common/eigen_types.h"
#include "drake/common/extract_double.h"
#include "drake/math/autodiff.h"
#include "drake/math/autodiff_gradient.h"
#include "drake/systems/analysis/runge_kutta3_integrator.h"
#include "drake/systems/analysis/simulator.h"
#include "drake/systems/framework/vector_system.h"
#include "figures.h"

namespace van_der_pol {

using drake::AutoDiffXd;
using drake::systems::Context;
using Eigen::Vector2d;

template <typename T>
class VanDerPol final : public drake::systems::VectorSystem<T> {
 public:
  explicit VanDerPol(double mu)
      : drake::systems::VectorSystem<T>(
            drake::systems::SystemTypeTag<VanDerPol>{}, 0, 2),
        mu_(mu) {
    this->DeclareContinuousState(2);
  }
  template <typename U>
  explicit VanDerPol(const VanDerPol<U>& other) : VanDerPol(other.mu()) {}

  double mu() const { return mu_; }

 private:
  void DoCalcVectorTimeDerivatives(
      const Context<T>&, const Eigen::VectorBlock<const drake::VectorX<T>>&,
      const Eigen::VectorBlock<const drake::VectorX<T>>& state,
      Eigen::VectorBlock<drake::VectorX<T>>* derivatives) const final {
    const T& q = state[0];
    const T& v = state[1];
    *derivatives << v, -mu_ * (q * q - 1.0) * v - q;
  }
  void DoCalcVectorOutput(
      const Context<T>&, const Eigen::VectorBlock<const drake::VectorX<T>>&,
      const Eigen::VectorBlock<const drake::VectorX<T>>& state,
      Eigen::VectorBlock<drake::VectorX<T>>* output) const final {
    *output = state;
  }

  const double mu_;
};

int DoMain() {
  const VanDerPol<double> system(1.5);
  drake::systems::Simulator<double> simulator(system);
  simulator.reset_integrator<drake::systems::RungeKutta3Integrator<double>>();
  simulator.get_mutable_integrator().set_maximum_step_size(0.05);
  simulator.get_mutable_integrator().set_target_accuracy(1e-9);
  simulator.get_mutable_context().SetContinuousState(Vector2d(0.5, 0));
  for (const double t : {1.0, 5.0, 10.0}) {
    simulator.AdvanceTo(t);
    PrintFigures(
        t < 2   ? "state_1"
        : t < 6 ? "state_5"
                : "state_10",
        simulator.get_context().get_continuous_state_vector().CopyToVector());
  }

  const auto autodiff = system.ToAutoDiffXd();
  auto context = autodiff->CreateDefaultContext();
  context->SetContinuousState(
      drake::math::InitializeAutoDiff(Vector2d(0.7, -1.1)));
  const drake::VectorX<AutoDiffXd> xdot =
      autodiff->EvalTimeDerivatives(*context).CopyToVector();
  PrintFigures("xdot", drake::math::ExtractValue(xdot));
  PrintFigures("gradient", drake::math::ExtractGradient(xdot));
  return 0;
}

}  // namespace van_der_pol

int main() { return van_der_pol::DoMain(); }
