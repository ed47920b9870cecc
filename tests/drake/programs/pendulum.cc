// A damped pendulum as a System of one's own: motion, linearization, log.
#include <cmath>
#include <memory>

#include "drake/common/default_scalars.h"
#include "drake/common/drake_assert.h"
#include "drake/common/drake_copyable.h"
#include "drake/systems/analysis/simulator.h"
#include "drake/systems/framework/diagram_builder.h"
#include "drake/systems/framework/leaf_system.h"
#include "drake/systems/primitives/constant_vector_source.h"
#include "drake/systems/primitives/linear_system.h"
#include "drake/systems/primitives/vector_log_sink.h"
#include "figures.h"

namespace pendulum {

using drake::Vector1d;
using drake::systems::BasicVector;
using drake::systems::Context;
using drake::systems::ContinuousState;
using Eigen::Vector2d;

/* Input: torque; output and state: angle and rate; parameters: mass, length,
damping, gravity. */
template <typename T>
class PendulumPlant final : public drake::systems::LeafSystem<T> {
 public:
  DRAKE_NO_COPY_NO_MOVE_NO_ASSIGN(PendulumPlant);

  PendulumPlant()
      : drake::systems::LeafSystem<T>(
            drake::systems::SystemTypeTag<PendulumPlant>{}) {
    this->DeclareNumericParameter(
        BasicVector<T>(drake::Vector4<T>(1.0, 0.5, 0.1, 9.81)));
    this->DeclareVectorInputPort("tau", 1);
    auto state = this->DeclareContinuousState(1, 1, 0);
    this->DeclareStateOutputPort("state", state);
  }
  template <typename U>
  explicit PendulumPlant(const PendulumPlant<U>&) : PendulumPlant() {}

  T CalcTotalEnergy(const Context<T>& context) const {
    using std::cos;
    const auto& x = context.get_continuous_state_vector();
    const auto& p = this->GetParameters(context);
    const T speed = p[1] * x[1];
    return p[0] * speed * speed / 2.0 - p[0] * p[3] * p[1] * cos(x[0]);
  }

 private:
  const BasicVector<T>& GetParameters(const Context<T>& context) const {
    return this->template GetNumericParameter<BasicVector>(context, 0);
  }

  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    using std::sin;
    DRAKE_DEMAND(derivatives != nullptr);
    const auto& x = context.get_continuous_state_vector();
    const auto& p = GetParameters(context);
    const T& tau = this->get_input_port().Eval(context)[0];
    auto& xdot = derivatives->get_mutable_vector();
    xdot.SetAtIndex(0, x.GetAtIndex(1));
    xdot.SetAtIndex(1, (tau - p[0] * p[3] * p[1] * sin(x[0]) - p[2] * x[1]) /
                           (p[0] * p[1] * p[1]));
  }
};

int DoMain() {
  drake::systems::DiagramBuilder<double> builder;
  auto source =
      builder.AddSystem<drake::systems::ConstantVectorSource<double>>(0.4);
  source->set_name("tau");
  auto plant = builder.AddSystem<PendulumPlant<double>>();
  plant->set_name("pendulum");
  builder.Connect(source->get_output_port(), plant->get_input_port());
  auto logger = LogVectorOutput(plant->get_output_port(), &builder, 0.5);
  auto diagram = builder.Build();

  drake::systems::Simulator<double> simulator(*diagram);
  Context<double>& context = simulator.get_mutable_context();
  Context<double>& plant_context =
      diagram->GetMutableSubsystemContext(*plant, &context);
  plant_context.get_mutable_continuous_state_vector().SetFromVector(
      Vector2d(1.2, -0.3));
  simulator.get_mutable_integrator().set_target_accuracy(1e-10);
  simulator.Initialize();
  simulator.AdvanceTo(3.0);

  const auto& log = logger->FindLog(context);
  PrintFigures("times", log.sample_times().transpose());
  PrintFigures("states", log.data());
  PrintFigures("energy", Vector1d(plant->CalcTotalEnergy(plant_context)));

  auto upright = plant->CreateDefaultContext();
  upright->SetContinuousState(Vector2d(M_PI, 0));
  plant->get_input_port().FixValue(upright.get(), 0.0);
  const auto linear = drake::systems::Linearize(*plant, *upright);
  PrintFigures("A", linear->A());
  PrintFigures("B", linear->B());
  return 0;
}

}  // namespace pendulum

DRAKE_DEFINE_CLASS_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_NONSYMBOLIC_SCALARS(
    class pendulum::PendulumPlant);

int main() { return pendulum::DoMain(); }
