#include "wyvern/systems/controllers/pid_compensator.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/demultiplexer.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/linear/linear_system.h"
#include "wyvern/systems/primitives/sine.h"

namespace wyvern::systems::controllers {
namespace pid_compensator_test {

using Complex = std::complex<double>;
using Eigen::VectorXd;

PidSettings Full() {
  return {.kp = 2,
          .ki = 3,
          .kd = 0.7,
          .derivative_bandwidth = 15,
          .proportional_weight = 0.8,
          .derivative_weight = 0.3};
}

// Transfer functions from the reference and the measurement with 1/s -> q and
// the derivative's filter N / (1 + N q).
Complex FromReference(const PidSettings& s, Complex q) {
  const Complex d = s.derivative_bandwidth / (1.0 + s.derivative_bandwidth * q);
  return s.kp * s.proportional_weight + s.ki * q +
         s.kd * d * s.derivative_weight;
}
Complex FromMeasurement(const PidSettings& s, Complex q) {
  const Complex d = s.derivative_bandwidth / (1.0 + s.derivative_bandwidth * q);
  return -(s.kp + s.ki * q + s.kd * d);
}

TEST(PidCompensator, ContinuousHasItsTransferFunction) {
  const PidSettings settings = Full();
  const PidCompensator<double> pid(settings);
  // By columns, from the block itself: derivatives and output are linear.
  const auto context = pid.CreateDefaultContext();
  Eigen::Matrix2d A, B;
  Eigen::RowVector2d C, D;
  for (int j = 0; j < 4; ++j) {
    const Eigen::Vector4d unit = Eigen::Vector4d::Unit(j);
    context->SetContinuousState(unit.head(2));
    pid.get_input_port(0).FixValue(context.get(), unit[2]);
    pid.get_input_port(1).FixValue(context.get(), unit[3]);
    const VectorXd dx = pid.EvalTimeDerivatives(*context).CopyToVector();
    const double y = pid.get_output_port().Eval(*context)[0];
    (j < 2 ? A : B).col(j % 2) = dx;
    (j < 2 ? C : D)[j % 2] = y;
  }
  for (const Complex s : {Complex(0, 1), Complex(0.3, -20), Complex(5, 2)}) {
    const Eigen::Matrix2cd pencil =
        s * Eigen::Matrix2cd::Identity() - A.cast<Complex>();
    const Eigen::RowVector2cd h =
        C.cast<Complex>() * pencil.inverse() * B.cast<Complex>() +
        D.cast<Complex>();
    EXPECT_LT(std::abs(h[0] - FromReference(settings, 1.0 / s)), 1e-10);
    EXPECT_LT(std::abs(h[1] - FromMeasurement(settings, 1.0 / s)), 1e-10);
  }
}

// With inputs of the form Re(c z^k) and the state of the particular solution,
// the output is Re(H(z) c z^k). After many periods the start is forgotten but
// for a constant of the integral, which is taken away at the first sample.
TEST(PidCompensator, SampledHasItsTransferFunction) {
  for (const PidMethod method :
       {PidMethod::kForwardEuler, PidMethod::kBackwardEuler,
        PidMethod::kTustin}) {
    PidSettings settings = Full();
    settings.period = 0.05;
    settings.method = method;
    const double h = settings.period;
    const PidCompensator<double> pid(settings);
    const auto context = pid.CreateDefaultContext();
    const Complex z = std::polar(1.0, 0.4);
    const Complex q = method == PidMethod::kForwardEuler ? h / (z - 1.0)
                      : method == PidMethod::kBackwardEuler
                          ? h * z / (z - 1.0)
                          : h * (z + 1.0) / (2.0 * (z - 1.0));
    const Complex response =
        FromReference(settings, q) + 2.0 * FromMeasurement(settings, q);
    double offset = 0;
    for (int k = 0; k < 400; ++k) {
      const Complex input = std::pow(z, k);
      pid.get_input_port(0).FixValue(context.get(), input.real());
      pid.get_input_port(1).FixValue(context.get(), 2 * input.real());
      context->SetDiscreteState(
          pid.EvalUniquePeriodicDiscreteUpdate(*context).value(0));
      const double y = pid.get_output_port().Eval(*context)[0];
      const double wanted = (response * input).real();
      if (k == 300) offset = y - wanted;
      if (k > 300) {
        ASSERT_NEAR(y - offset, wanted, 1e-10) << k;
      }
    }
  }
}

// A loop with a lag that cannot reach the reference at once: the integral must
// be bounded while the output is at its limit.
double Overshoot(AntiWindup anti_windup, double period) {
  PidSettings settings{.kp = 4, .ki = 4, .lower = -1.2, .upper = 1.2};
  settings.anti_windup = anti_windup;
  settings.back_calculation = 2;
  settings.period = period;
  DiagramBuilder<double> builder;
  auto* pid = builder.AddSystem<PidCompensator<double>>(settings);
  auto* plant = builder.AddSystem<FirstOrderLowPassFilter<double>>(3.0);
  auto* reference = builder.AddSystem<ConstantVectorSource<double>>(1.0);
  builder.Connect(reference->get_output_port(),
                  pid->get_input_port_reference());
  builder.Connect(plant->get_output_port(), pid->get_input_port_measurement());
  builder.Cascade(*pid, *plant);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  double peak = 0;
  simulator.set_monitor([&](const Context<double>& root) {
    const auto& context = plant->GetMyContextFromRoot(root);
    peak = std::max(peak, plant->get_output_port().Eval(context)[0]);
    return EventStatus::Succeeded();
  });
  simulator.AdvanceTo(60);
  const auto& context = plant->GetMyContextFromRoot(simulator.get_context());
  EXPECT_NEAR(plant->get_output_port().Eval(context)[0], 1, 1e-3);
  return peak - 1;
}

TEST(PidCompensator, AntiWindupBoundsTheOvershoot) {
  for (const double period : {0.0, 0.02}) {
    const double without = Overshoot(AntiWindup::kNone, period);
    EXPECT_GT(without, 0.1);
    EXPECT_LT(Overshoot(AntiWindup::kClamping, period), 0.2 * without);
    EXPECT_LT(Overshoot(AntiWindup::kBackCalculation, period), 0.2 * without);
  }
}

// While saturated, dI/dt = ki e + kb (u - v) with constant e: v goes to
// u + ki e / kb as exp(-kb t).
TEST(PidCompensator, BackCalculationSettlesInClosedForm) {
  PidSettings settings{.ki = 3, .upper = 1};
  settings.anti_windup = AntiWindup::kBackCalculation;
  settings.back_calculation = 2;
  const PidCompensator<double> pid(settings);
  Simulator<double> simulator(pid);
  auto& context = simulator.get_mutable_context();
  pid.get_input_port(0).FixValue(&context, 2.0);
  pid.get_input_port(1).FixValue(&context, 0.0);
  context.get_mutable_continuous_state_vector()[0] = 1;  // at the limit
  simulator.get_mutable_integrator().set_target_accuracy(1e-10);
  simulator.AdvanceTo(0.7);
  EXPECT_NEAR(context.get_continuous_state_vector()[0],
              1 + 3 * (1 - std::exp(-2 * 0.7)), 1e-8);
  EXPECT_EQ(pid.get_output_port().Eval(context)[0], 1);
}

TEST(PidCompensator, StartsAndChangesGainsWithoutABump) {
  for (const double period : {0.0, 0.1}) {
    PidSettings settings = Full();
    settings.period = period;
    settings.has_feedforward_port = true;
    const PidCompensator<double> pid(settings, 2);
    const auto context = pid.CreateDefaultContext();
    pid.get_input_port_reference().FixValue(context.get(),
                                            Eigen::Vector2d(1, -2));
    pid.get_input_port_measurement().FixValue(context.get(),
                                              Eigen::Vector2d(0.4, 3));
    pid.get_input_port_feedforward().FixValue(context.get(),
                                              Eigen::Vector2d(7, 8));
    // The control that the next sample gives, or the present one.
    const auto control = [&]() -> VectorXd {
      if (period == 0) return pid.get_output_port().Eval(*context);
      return pid.EvalUniquePeriodicDiscreteUpdate(*context).value(0).tail(2);
    };
    const Eigen::Vector2d wanted(0.3, -0.6);
    pid.Start(context.get(), wanted);
    EXPECT_LT((control() - wanted).norm(), 1e-14);
    EXPECT_LT((pid.get_output_port().Eval(*context) - wanted).norm(), 1e-14);
    pid.ChangeGains(context.get(), 20, 0.1, 5);
    EXPECT_LT((control() - wanted).norm(), 1e-12);
    EXPECT_EQ(context->get_numeric_parameter(0)[2], 5);
  }
}

// At constant inputs and without an integral, the output stays where it was: a
// new kd must not excite the filter.
TEST(PidCompensator, ANewDerivativeGainMovesNothingAtRest) {
  for (const double old_kd : {0.0, 0.7}) {
    for (const double period : {0.0, 0.1}) {
      PidSettings settings = Full();
      settings.ki = 0;
      settings.kd = old_kd;
      settings.period = period;
      const PidCompensator<double> pid(settings);
      const auto context = pid.CreateDefaultContext();
      pid.get_input_port_reference().FixValue(context.get(), 1.0);
      pid.get_input_port_measurement().FixValue(context.get(), 0.4);
      pid.Start(context.get(), VectorXd::Constant(1, 0.3));
      pid.ChangeGains(context.get(), 2, 0, 5);
      if (period == 0) {
        EXPECT_LT(pid.EvalTimeDerivatives(*context).CopyToVector().norm(),
                  1e-12);
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        context->SetDiscreteState(
            pid.EvalUniquePeriodicDiscreteUpdate(*context).value(0));
        EXPECT_NEAR(pid.get_output_port().Eval(*context)[0], 0.3, 1e-12);
      }
    }
  }
}

TEST(PidCompensator, SampledHoldsItsOutputBetweenSamples) {
  PidSettings settings{.kp = 3};
  settings.period = 0.25;
  DiagramBuilder<double> builder;
  auto* pid = builder.AddSystem<PidCompensator<double>>(settings);
  auto* reference = builder.AddSystem<Sine<double>>(1, 1, 0, 1);
  auto* zero = builder.AddSystem<ConstantVectorSource<double>>(0.0);
  builder.Connect(reference->get_output_port(0), pid->get_input_port(0));
  builder.Connect(zero->get_output_port(), pid->get_input_port(1));
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.AdvanceTo(0.6);
  EXPECT_EQ(pid->get_output_port().Eval(
                pid->GetMyContextFromRoot(simulator.get_context()))[0],
            3 * std::sin(0.5));
}

// The output follows the reference at once by kp b + kd N c, unless it is at a
// limit.
TEST(PidCompensator, HasTheDerivativesOfItsOutput) {
  PidSettings settings = Full();
  settings.upper = 100;
  const auto pid =
      System<double>::ToAutoDiffXd(PidCompensator<double>(settings));
  const auto context = pid->CreateDefaultContext();
  pid->get_input_port(1).FixValue(context.get(), VectorX<AutoDiffXd>::Zero(1));
  for (const double r : {0.5, 1e3}) {
    pid->get_input_port(0).FixValue(
        context.get(), VectorX<AutoDiffXd>::Constant(1, AutoDiffXd(r, 1, 0)));
    const AutoDiffXd& u = pid->get_output_port().Eval(*context)[0];
    const double slope = u.derivatives().size() > 0 ? u.derivatives()[0] : 0;
    EXPECT_NEAR(slope, r < 1 ? 2 * 0.8 + 0.7 * 15 * 0.3 : 0, 1e-13);
  }
}

TEST(PidCompensator, RefusesBadSettings) {
  const auto refused = [](auto change, const char* message) {
    PidSettings settings = Full();
    change(&settings);
    EXPECT_THROWS_MESSAGE(PidCompensator<double>{settings}, std::logic_error,
                          message);
  };
  refused([](auto* s) { s->kp = NAN; }, "kp is nan");
  refused([](auto* s) { s->ki = INFINITY; }, "ki is inf");
  refused([](auto* s) { s->derivative_bandwidth = 0; },
          "derivative_bandwidth is 0");
  refused([](auto* s) { s->lower = 1, s->upper = -1; },
          "lower = 1 is above upper = -1");
  refused([](auto* s) { s->upper = NAN; }, "upper is nan");
  refused([](auto* s) { s->period = -1; }, "period is -1");
  refused([](auto* s) { s->back_calculation = -1; }, "back_calculation is -1");
  refused(
      [](auto* s) {
        s->period = 1;
        s->method = PidMethod::kForwardEuler;
      },
      "is unstable with the forward Euler method");
  refused(
      [](auto* s) {
        s->period = 1;
        s->anti_windup = AntiWindup::kBackCalculation;
        s->back_calculation = 2;
      },
      "back_calculation = 2 1/s is unstable with the period 1 s");
  PidSettings limited = Full();
  limited.upper = 1;
  const PidCompensator<double> pid(limited);
  const auto context = pid.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(pid.Start(context.get(), VectorXd::Constant(1, 1.5)),
                        std::logic_error, "control is 1.5");
  EXPECT_THROWS_MESSAGE(pid.Start(context.get(), Eigen::Vector2d(1, 2)),
                        std::logic_error, "control has size 2");
  EXPECT_THROWS_MESSAGE(pid.ChangeGains(context.get(), NAN, 0, 0),
                        std::logic_error, "kp is nan");
}

// The cascade of docs/how_to/control.md. With exact feed-forward the error e of
// a slide that starts at rest solves e'' + 20 e' + 120 e = 0, where e'(0) is 1.
TEST(PidCompensator, TheErrorOfACascadeDoesNotDependOnItsReference) {
  DiagramBuilder<double> builder;
  auto* slide = builder.AddSystem<LinearSystem>(Eigen::Matrix2d{{0, 1}, {0, 0}},
                                                Eigen::Vector2d(0, 0.5),
                                                Eigen::Matrix2d::Identity());
  auto* motion = builder.AddSystem<Demultiplexer>(2);
  auto* reference = builder.AddSystem<Sine>(0.5, 2.0, 0.0, 1);
  auto* mass = builder.AddSystem<Gain>(2.0, 1);
  auto* position = builder.AddSystem<PidCompensator>(
      PidSettings{.kp = 6, .has_feedforward_port = true});
  auto* velocity = builder.AddSystem<PidCompensator>(PidSettings{
      .kp = 40, .lower = -50, .upper = 50, .has_feedforward_port = true});
  builder.Connect(*slide, *motion);
  builder.Connect(reference->get_output_port(0),
                  position->get_input_port_reference());
  builder.Connect(reference->get_output_port(1),
                  position->get_input_port_feedforward());
  builder.Connect(motion->get_output_port(0),
                  position->get_input_port_measurement());
  builder.Connect(position->get_output_port(),
                  velocity->get_input_port_reference());
  builder.Connect(motion->get_output_port(1),
                  velocity->get_input_port_measurement());
  builder.Connect(reference->get_output_port(2), mass->get_input_port());
  builder.Connect(mass->get_output_port(),
                  velocity->get_input_port_feedforward());
  builder.Connect(velocity->get_output_port(), slide->get_input_port());
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  simulator.get_mutable_integrator().set_target_accuracy(1e-10);
  const double w = std::sqrt(20.0);
  for (const double t : {0.05, 0.2, 0.5, 3.0}) {
    simulator.AdvanceTo(t);
    const double e = std::exp(-10 * t) * std::sin(w * t) / w;
    EXPECT_NEAR(simulator.get_context().get_continuous_state_vector()[0],
                0.5 * std::sin(2 * t) - e, 1e-9)
        << t;
  }
}

}  // namespace pid_compensator_test
}  // namespace wyvern::systems::controllers
