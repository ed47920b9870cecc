#include "wyvern/systems/primitives/linear/filters.h"

#include <cmath>
#include <complex>
#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <Eigen/LU>

#include "tests/support/expect_throws.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/first_order_hold.h"
#include "wyvern/systems/primitives/waveform_source.h"

namespace wyvern::systems {
namespace filters_test {

using Complex = std::complex<double>;
using Eigen::VectorXd;

// C (s - A)^-1 B + D, which is H(s).
Complex Response(const LinearSystem<double>& system, const Complex& s) {
  const Eigen::Index n = system.A().rows();
  Complex result = system.D()(0, 0);
  if (n == 0) return result;
  const Eigen::MatrixXcd pencil =
      s * Eigen::MatrixXcd::Identity(n, n) - system.A().cast<Complex>();
  const Eigen::VectorXcd x =
      pencil.partialPivLu().solve(system.B().cast<Complex>());
  return result + (system.C().cast<Complex>() * x)(0, 0);
}

Complex Polynomial(const VectorXd& p, const Complex& s) {
  Complex result = 0;
  for (double coefficient : p) result = result * s + coefficient;
  return result;
}

const std::vector<Complex> kPoints{
    {0.3, 0.7}, {0, 2}, {1.5, -0.4}, {-0.2, 30}, {200, 100}};

void ExpectIs(const LinearSystem<double>& system,
              const std::function<Complex(Complex)>& wanted,
              double tolerance = 1e-12) {
  for (const Complex& s : kPoints) {
    const Complex h = wanted(s);
    EXPECT_LT(std::abs(Response(system, s) - h), tolerance * std::abs(h)) << s;
  }
}

TEST(Filters, TransferFunctionsAreRealized) {
  const VectorXd b{{2, -1, 3, 0.5}};
  const VectorXd a{{4, 8, 300, 20}};
  const auto system = MakeTransferFunctionBlock(b, a);
  ExpectIs(*system,
           [&](Complex s) { return Polynomial(b, s) / Polynomial(a, s); });
  ExpectIs(*MakeTransferFunctionBlock(b.tail(2), a, 0.1), [&](Complex z) {
    return Polynomial(b.tail(2), z) / Polynomial(a, z);
  });
  ExpectIs(*MakeTransferFunctionBlock(VectorXd::Constant(1, 6),
                                      VectorXd::Constant(1, 2)),
           [](Complex) { return Complex(3); });
}

// Poles at the frequency 1e3 rad/s, where coefficients go up to 1e24.
TEST(Filters, ZerosAndPolesOfHighOrderStayAccurate) {
  std::vector<Complex> poles;
  for (int k = 1; k <= 4; ++k) {
    const Complex p = std::polar(1000.0, M_PI * (8 + 2 * k - 1) / 16);
    poles.push_back(p);
    poles.push_back(std::conj(p));
  }
  const std::vector<Complex> zeros{{-3, 4}, {-3, -4}, {-7, 0}};
  const auto system = MakeZeroPoleBlock(zeros, poles, 5);
  ExpectIs(
      *system,
      [&](Complex s) {
        Complex result = 5;
        for (const Complex& z : zeros) result *= s - z;
        for (const Complex& p : poles) result /= s - p;
        return result;
      },
      1e-11);
  // A pair of zeros over real poles.
  ExpectIs(*MakeZeroPoleBlock({{0, 1}, {0, -1}}, {-1, -2, -3}, 2),
           [](Complex s) {
             return 2.0 * (s * s + 1.0) / ((s + 1.0) * (s + 2.0) * (s + 3.0));
           });
}

TEST(Filters, HaveTheirTransferFunctions) {
  ExpectIs(*MakeFilteredDerivative(0.2),
           [](Complex s) { return s / (1.0 + 0.2 * s); });
  ExpectIs(*MakeSecondOrderLowPass(3, 0.4),
           [](Complex s) { return 9.0 / (s * s + 2 * 0.4 * 3 * s + 9.0); });
  ExpectIs(*MakeNotch(3, 0.1), [](Complex s) {
    return (s * s + 9.0) / (s * s + 2 * 0.1 * 3 * s + 9.0);
  });
  ExpectIs(*MakeLeadLag(2, 0.5, 0.1),
           [](Complex s) { return 2.0 * (1.0 + 0.5 * s) / (1.0 + 0.1 * s); });
  ExpectIs(*MakeFirFilter(VectorXd{{1, 2, 3}}, 0.1),
           [](Complex z) { return 1.0 + 2.0 / z + 3.0 / (z * z); });
  ExpectIs(*MakeMovingAverage(3, 0.1),
           [](Complex z) { return (1.0 + 1.0 / z + 1.0 / (z * z)) / 3.0; });
  ExpectIs(*MakeIirFilter(VectorXd{{2, 1}}, VectorXd{{1, -0.5, 0.06}}, 0.1),
           [](Complex z) {
             return (2.0 + 1.0 / z) / (1.0 - 0.5 / z + 0.06 / (z * z));
           });
}

TEST(Filters, RefuseWhatIsNotProperOrNotReal) {
  const VectorXd one = VectorXd::Ones(1);
  EXPECT_THROWS_MESSAGE(MakeTransferFunctionBlock(VectorXd{{1, 0}}, one),
                        std::logic_error,
                        "the numerator has degree 1 and the denominator 0");
  EXPECT_THROWS_MESSAGE(MakeTransferFunctionBlock(one, VectorXd{{0, 1}}),
                        std::logic_error, "denominator[0] is 0");
  EXPECT_THROWS_MESSAGE(MakeTransferFunctionBlock(one, VectorXd{{1, NAN}}),
                        std::logic_error, "denominator[1] is nan");
  EXPECT_THROWS_MESSAGE(MakeTransferFunctionBlock(one, one, -1),
                        std::logic_error, "time_period is -1");
  EXPECT_THROWS_MESSAGE(MakeZeroPoleBlock({-1.0}, {}, 1), std::logic_error,
                        "there are 1 zeros and 0 poles");
  EXPECT_THROWS_MESSAGE(MakeZeroPoleBlock({}, {{-1, 2}, {-1, -3}}, 1),
                        std::logic_error, "lacks its conjugate");
  EXPECT_THROWS_MESSAGE(MakeFilteredDerivative(0), std::logic_error,
                        "time_constant is 0");
  EXPECT_THROWS_MESSAGE(MakeNotch(1, 0), std::logic_error, "ratio is 0");
  EXPECT_THROWS_MESSAGE(MakeSecondOrderLowPass(-1), std::logic_error,
                        "corner_frequency is -1");
  EXPECT_THROWS_MESSAGE(MakeLeadLag(1, 1, 0), std::logic_error,
                        "lag_time is 0");
  EXPECT_THROWS_MESSAGE(MakeMovingAverage(0, 1), std::logic_error,
                        "num_samples is 0");
  EXPECT_THROWS_MESSAGE(MakeIirFilter(one, VectorXd(), 0.1), std::logic_error,
                        "denominator is empty");
  EXPECT_THROWS_MESSAGE(MakeFirFilter(one, 0), std::logic_error,
                        "time_period is 0");
}

// A line is continued without error after two samples.
TEST(FirstOrderHold, ContinuesLines) {
  DiagramBuilder<double> builder;
  auto* ramp =
      builder.AddSystem<WaveformSource<double>>(Waveform::Ramp(-1, 3, 2));
  auto* hold = builder.AddSystem<FirstOrderHold<double>>(0.25);
  builder.Cascade(*ramp, *hold);
  const auto diagram = builder.Build();
  Simulator<double> simulator(*diagram);
  const auto at = [&](double time) {
    simulator.AdvanceTo(time);
    return hold->get_output_port().Eval(
        hold->GetMyContextFromRoot(simulator.get_context()))[0];
  };
  EXPECT_EQ(at(0.2), 5);
  EXPECT_NEAR(at(0.4), 5 + 3 * 0.4, 1e-14);
  EXPECT_NEAR(at(1.1), 5 + 3 * 1.1, 1e-14);
  EXPECT_THROWS_MESSAGE(FirstOrderHold<double>(0), std::logic_error,
                        "period is 0");
}

}  // namespace filters_test
}  // namespace wyvern::systems
