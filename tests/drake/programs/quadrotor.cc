// A quadrotor as Drake's examples write it, inside namespace drake, hovering by
// the regulator of its linearization.
#include <cmath>
#include <memory>

#include "drake/common/default_scalars.h"
#include "drake/math/roll_pitch_yaw.h"
#include "drake/math/rotation_matrix.h"
#include "drake/systems/analysis/simulator.h"
#include "drake/systems/controllers/linear_quadratic_regulator.h"
#include "drake/systems/framework/diagram_builder.h"
#include "drake/systems/framework/leaf_system.h"
#include "figures.h"

namespace drake {
namespace examples {
namespace quadrotor {

/* State: position in the world, roll, pitch, yaw, and their rates. */
template <typename T>
class QuadrotorPlant final : public systems::LeafSystem<T> {
 public:
  QuadrotorPlant()
      : systems::LeafSystem<T>(systems::SystemTypeTag<QuadrotorPlant>{}) {
    this->DeclareVectorInputPort("propeller_force", 4);
    const auto state_index = this->DeclareContinuousState(12);
    this->DeclareStateOutputPort("state", state_index);
  }
  template <typename U>
  explicit QuadrotorPlant(const QuadrotorPlant<U>&) : QuadrotorPlant() {}

  static constexpr double m = 0.775, g = 9.81, L = 0.15, kM = 0.0245;

 private:
  void DoCalcTimeDerivatives(
      const systems::Context<T>& context,
      systems::ContinuousState<T>* derivatives) const final {
    const VectorX<T> state =
        context.get_continuous_state_vector().CopyToVector();
    const Vector4<T> u = this->get_input_port().Eval(context);
    const Eigen::Vector3d I(0.0015, 0.0025, 0.0035);

    const math::RollPitchYaw<T> rpy(state.template segment<3>(3));
    const math::RotationMatrix<T> R_WB(rpy);
    const Vector3<T> F(T(0), T(0), u.sum());
    const Vector3<T> tau(L * (u(1) - u(3)), L * (u(2) - u(0)),
                         kM * (u(0) - u(1) + u(2) - u(3)));
    const Vector3<T> a_W = Vector3<T>(T(0), T(0), T(-g)) + (R_WB * F) / T(m);

    const Vector3<T> rpyDt = state.template tail<3>();
    const Vector3<T> w_B = rpy.CalcAngularVelocityInChildFromRpyDt(rpyDt);
    const Vector3<T> wIw = w_B.cross((I.cast<T>().cwiseProduct(w_B)).eval());
    const Vector3<T> alpha_B = (tau - wIw).cwiseQuotient(I.cast<T>());
    const Vector3<T> rpyDDt =
        rpy.CalcRpyDDtFromAngularAccelInChild(rpyDt, alpha_B);

    VectorX<T> xdot(12);
    xdot << state.template tail<6>(), a_W, rpyDDt;
    derivatives->SetFromVector(xdot);
  }
};

int do_main() {
  using Plant = QuadrotorPlant<double>;
  systems::DiagramBuilder<double> builder;
  auto plant = builder.AddSystem<Plant>();

  auto hover = plant->CreateDefaultContext();
  hover->SetContinuousState(Eigen::VectorXd::Zero(12));
  plant->get_input_port().FixValue(
      hover.get(), Eigen::Vector4d::Constant(Plant::m * Plant::g / 4).eval());
  Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(12, 12);
  Q.topLeftCorner(6, 6) *= 10;
  const Eigen::MatrixXd R = Eigen::MatrixXd::Identity(4, 4);
  auto controller = builder.AddSystem(
      systems::controllers::LinearQuadraticRegulator(*plant, *hover, Q, R));
  builder.Connect(plant->get_output_port(0), controller->get_input_port());
  builder.Connect(controller->get_output_port(), plant->get_input_port(0));
  PrintFigures("minus_K", controller->D());

  auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  simulator.get_mutable_integrator().set_target_accuracy(1e-9);
  Eigen::VectorXd x0(12);
  x0 << 1, -0.5, 0.3, 0.1, -0.2, 0.4, 0, 0.2, -0.1, 0.3, 0, -0.5;
  auto& context = simulator.get_mutable_context();
  diagram->GetMutableSubsystemContext(*plant, &context).SetContinuousState(x0);
  simulator.Initialize();
  const auto& state = context.get_continuous_state_vector();
  simulator.AdvanceTo(0.5);
  PrintFigures("state_0.5", state.CopyToVector());
  simulator.AdvanceTo(2);
  PrintFigures("state_2", state.CopyToVector());
  return 0;
}

}  // namespace quadrotor
}  // namespace examples
}  // namespace drake

DRAKE_DEFINE_CLASS_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_NONSYMBOLIC_SCALARS(
    class ::drake::examples::quadrotor::QuadrotorPlant);

int main() { return drake::examples::quadrotor::do_main(); }
