// A ball that bounces: a witness function, and a reset of the state.
#include <cmath>
#include <memory>
#include <vector>

#include <gflags/gflags.h>

#include "drake/common/drake_throw.h"
#include "drake/common/text_logging.h"
#include "drake/systems/analysis/simulator.h"
#include "drake/systems/analysis/simulator_gflags.h"
#include "drake/systems/framework/leaf_system.h"
#include "figures.h"

DEFINE_double(restitution, 0.8, "Ratio of the speeds after and before.");

namespace drake {
namespace bouncing_ball {

using systems::Context;
using systems::ContinuousState;
using systems::State;
using systems::UnrestrictedUpdateEvent;
using systems::WitnessFunction;

template <typename T>
class BouncingBall final : public systems::LeafSystem<T> {
 public:
  explicit BouncingBall(double restitution) : restitution_(restitution) {
    DRAKE_THROW_UNLESS(restitution >= 0 && restitution <= 1, restitution);
    this->DeclareContinuousState(1, 1, 1);
    signed_distance_ = this->MakeWitnessFunction(
        "Signed distance",
        systems::WitnessFunctionDirection::kPositiveThenNonPositive,
        &BouncingBall::CalcSignedDistance, &BouncingBall::Bounce);
  }

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    const auto& state = context.get_continuous_state();
    auto& vector = derivatives->get_mutable_vector();
    vector.SetAtIndex(0, state.get_generalized_velocity()[0]);
    vector.SetAtIndex(1, T(-9.81));
    vector.SetAtIndex(2, T(0.0));
  }
  void DoGetWitnessFunctions(
      const Context<T>&,
      std::vector<const WitnessFunction<T>*>* witnesses) const final {
    witnesses->push_back(signed_distance_.get());
  }
  T CalcSignedDistance(const Context<T>& context) const {
    return context.get_continuous_state().get_generalized_position()[0];
  }
  void Bounce(const Context<T>& context, const UnrestrictedUpdateEvent<T>&,
              State<T>* next_state) const {
    auto& vector =
        next_state->get_mutable_continuous_state().get_mutable_vector();
    vector.SetAtIndex(0, T(0.0));
    vector.SetAtIndex(1,
                      -restitution_ * context.get_continuous_state_vector()[1]);
    vector.SetAtIndex(2, vector.GetAtIndex(2) + 1.0);  // Bounces so far.
  }

  const double restitution_;
  std::unique_ptr<WitnessFunction<T>> signed_distance_;
};

int DoMain(int argc, char* argv[]) {
  FLAGS_simulator_accuracy = 1e-9;
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  logging::set_log_level("warn");
  drake::log()->info("restitution {}", FLAGS_restitution);

  const BouncingBall<double> ball(FLAGS_restitution);
  auto simulator = systems::MakeSimulatorFromGflags(ball);
  simulator->get_mutable_context().SetContinuousState(
      Eigen::Vector3d(10.0, 0.0, 0.0));
  simulator->get_mutable_context().SetAccuracy(1e-9);
  simulator->Initialize();
  for (const char* name : {"state_2", "state_4", "state_6", "state_8"}) {
    simulator->AdvanceTo(name[6] - '0');
    PrintFigures(
        name,
        simulator->get_context().get_continuous_state_vector().CopyToVector());
  }
  return 0;
}

}  // namespace bouncing_ball
}  // namespace drake

int main(int argc, char* argv[]) {
  return drake::bouncing_ball::DoMain(argc, argv);
}
