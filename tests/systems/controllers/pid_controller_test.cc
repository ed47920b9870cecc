#include "wyvern/systems/controllers/pid_controller.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::systems::controllers {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

const Vector2d kp(1, 2);
const Vector2d ki(3, 4);
const Vector2d kd(5, 6);
const Vector4d x(0.1, 0.2, 0.3, 0.4);
const Vector4d x_d(1, 3, 5, 7);
const Vector2d integral(10, 20);

std::unique_ptr<Context<double>> MakeContext(const PidController<double>& pid,
                                             const VectorXd& state) {
  auto context = pid.CreateDefaultContext();
  pid.get_input_port_estimated_state().FixValue(context.get(), state);
  pid.get_input_port_desired_state().FixValue(context.get(), x_d);
  pid.set_integral_value(context.get(), integral);
  return context;
}

Vector2d Control(const Vector4d& error) {
  return kp.cwiseProduct(error.head<2>()) + kd.cwiseProduct(error.tail<2>()) +
         ki.cwiseProduct(integral);
}

TEST(PidController, ObeysItsFormula) {
  const PidController<double> pid(kp, ki, kd);
  auto context = MakeContext(pid, x);
  EXPECT_TRUE(test::Near(pid.get_output_port_control().Eval(*context),
                         Control(x_d - x), 1e-14));
  EXPECT_TRUE(test::Near(pid.EvalTimeDerivatives(*context).CopyToVector(),
                         (x_d - x).head<2>(), 0));
}

TEST(PidController, ATunableOneHasItsGainsInTheContext) {
  PidController<double> pid(kp, ki, kd);
  pid.MakeTunable();
  EXPECT_THROWS_MESSAGE(pid.MakeTunable(), std::logic_error, "already");
  auto context = MakeContext(pid, x);
  const auto& control = pid.get_output_port_control();
  EXPECT_TRUE(test::Near(control.Eval(*context), Control(x_d - x), 1e-14));
  // Twice each gain in turn: the control changes by what that one gives.
  const Vector4d error = x_d - x;
  const Vector2d parts[3] = {kp.cwiseProduct(error.head<2>()),
                             ki.cwiseProduct(integral),
                             kd.cwiseProduct(error.tail<2>())};
  const Vector2d gains[3] = {kp, ki, kd};
  for (int i = 0; i < 3; ++i) {
    auto& parameter = context->get_mutable_numeric_parameter(i);
    parameter.SetFromVector(2 * gains[i]);
    EXPECT_TRUE(
        test::Near(control.Eval(*context), Control(error) + parts[i], 1e-13));
    parameter.SetFromVector(gains[i]);
  }
  const auto twin = pid.ToAutoDiffXd();
  EXPECT_EQ(twin->CreateDefaultContext()->num_numeric_parameter_groups(), 3);
}

TEST(PidController, ProjectsTheState) {
  MatrixXd P = MatrixXd::Zero(4, 6);
  P << 1, 2, 0, 0, 0, 0,  //
      0, 0, 3, 0, 0, 0,   //
      0, 0, 0, 4, 0, 0,   //
      0, 0, 0, 0, 5, 6;
  const PidController<double> pid(P, kp, ki, kd);
  const VectorXd state = VectorXd::LinSpaced(6, 1, 6);
  auto context = MakeContext(pid, state);
  EXPECT_TRUE(test::Near(pid.get_output_port_control().Eval(*context),
                         Control(x_d - P * state), 1e-12));
}

TEST(PidController, ProjectsTheControl) {
  const MatrixXd P = MatrixXd::Identity(4, 4);
  const MatrixXd P_u{{1, 2}, {3, 4}, {5, 6}};
  const PidController<double> pid(P, P_u, kp, ki, kd);
  auto context = MakeContext(pid, x);
  EXPECT_TRUE(test::Near(pid.get_output_port_control().Eval(*context),
                         P_u * Control(x_d - x), 1e-12));
}

TEST(PidController, TheIntegralStartsAtZero) {
  const PidController<double> pid(kp, ki, kd);
  const auto context = pid.CreateDefaultContext();
  EXPECT_EQ(context->get_continuous_state_vector().CopyToVector(),
            Vector2d(0, 0));
  EXPECT_EQ(context->get_continuous_state().num_z(), 2);
}

TEST(PidController, EvaluationAllocatesNothing) {
  if (!test::AllocationGuard::is_active())
    GTEST_SKIP() << "malloc is not counted";
  const PidController<double> pid(kp, ki, kd);
  auto context = MakeContext(pid, x);
  pid.get_output_port_control().Eval(*context);
  pid.EvalTimeDerivatives(*context);
  const VectorXd value = integral;
  const test::AllocationGuard guard;
  pid.set_integral_value(context.get(), value);
  pid.get_output_port_control().Eval(*context);
  pid.EvalTimeDerivatives(*context);
  EXPECT_EQ(guard.count(), 0);
}

TEST(PidController, DerivativesOfTheControlAreTheGains) {
  const PidController<double> pid(kp, ki, kd);
  const auto converted = System<double>::ToAutoDiffXd(pid);
  auto context = converted->CreateDefaultContext();
  VectorX<AutoDiffXd> state(4);
  for (int i = 0; i < 4; ++i) state[i] = AutoDiffXd(x[i], 4, i);
  converted->get_input_port_estimated_state().FixValue(context.get(), state);
  converted->get_input_port_desired_state().FixValue(
      context.get(), VectorX<AutoDiffXd>(x_d.cast<AutoDiffXd>()));
  const VectorX<AutoDiffXd>& u =
      converted->get_output_port_control().Eval(*context);
  EXPECT_EQ(u[1].derivatives(), Vector4d(0, -kp[1], 0, -kd[1]));
}

TEST(PidController, TellsItsGains) {
  const PidController<double> pid(kp, ki, Vector2d(7, 7));
  EXPECT_EQ(pid.get_Kp_vector(), kp);
  EXPECT_EQ(pid.get_Ki_vector(), ki);
  EXPECT_EQ(pid.get_Kd_vector(), Vector2d(7, 7));
  EXPECT_EQ(pid.get_Kd_singleton(), 7);
  EXPECT_THROWS_MESSAGE(pid.get_Kp_singleton(), std::logic_error,
                        "use get_Kp_vector().");
  EXPECT_THROWS_MESSAGE(pid.get_Ki_singleton(), std::logic_error,
                        "use get_Ki_vector().");
}

TEST(PidController, RefusesGainsThatDoNotFit) {
  EXPECT_THROWS_MESSAGE(PidController<double>(kp, Vector3d::Zero(), kd),
                        std::logic_error, "ki has size 3");
  EXPECT_THROWS_MESSAGE(PidController<double>(kp, ki, Vector3d::Zero()),
                        std::logic_error, "kd has size 3");
  EXPECT_THROWS_MESSAGE(PidController<double>(Vector2d(1, NAN), ki, kd),
                        std::logic_error, "kp[1] is nan");
  EXPECT_THROWS_MESSAGE(PidController<double>(MatrixXd::Zero(3, 4), kp, ki, kd),
                        std::logic_error,
                        "state_projection is 3 x 4; it must be 4 x 4.");
  EXPECT_THROWS_MESSAGE(PidController<double>(MatrixXd::Zero(4, 4),
                                              MatrixXd::Zero(2, 3), kp, ki, kd),
                        std::logic_error,
                        "output_projection is 2 x 3; it must be 2 x 2.");
}

TEST(PidController, RefusesAnIntegralOfAWrongSize) {
  const PidController<double> pid(kp, ki, kd);
  auto context = pid.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(pid.set_integral_value(context.get(), Vector3d::Zero()),
                        std::logic_error,
                        "value has size 3; it must have size 2.");
}

TEST(PidController, ReportsAControlThatOverflows) {
  const PidController<double> pid(Vector2d(1e300, 1), ki, kd);
  auto context = MakeContext(pid, Vector4d(-1e10, 0, 0, 0));
  EXPECT_THROWS_MESSAGE(pid.get_output_port_control().Eval(*context),
                        std::runtime_error,
                        "PidController<double>): element 0 of its output "
                        "overflows to inf");
}

}  // namespace
}  // namespace wyvern::systems::controllers
