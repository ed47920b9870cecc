#include "wyvern/systems/primitives/random_source.h"

#include <cmath>
#include <memory>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "tests/systems/primitives/periodic_update.h"
#include "wyvern/systems/common/sealed_record.h"
#include "wyvern/systems/framework/context_serialization.h"
#include "wyvern/systems/primitives/linear_transform_density.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double kInterval = 0.1;

class RandomSourceMoments : public testing::TestWithParam<RandomDistribution> {
};

// 4 x 10^4 draws: an estimate of the mean is off by 0.005 (one standard
// deviation, with variance 1), of the variance by at most 0.015 (kurtosis 9 of
// the exponential distribution); 5 standard deviations are allowed.
TEST_P(RandomSourceMoments, AreThoseOfTheDistribution) {
  const RandomSource<double> source(GetParam(), 40000, kInterval);
  const auto context = source.CreateDefaultContext();
  const VectorXd y = source.get_output_port().Eval(*context);
  const double mean = y.mean();
  const double variance = (y.array() - mean).square().mean();
  const bool is_uniform = GetParam() == RandomDistribution::kUniform;
  const bool is_gaussian = GetParam() == RandomDistribution::kGaussian;
  EXPECT_NEAR(mean, is_uniform ? 0.5 : is_gaussian ? 0 : 1, 5 * 0.005);
  EXPECT_NEAR(variance, is_uniform ? 1.0 / 12 : 1, 5 * 0.015);
  EXPECT_GE(y.minCoeff(), is_gaussian ? -INFINITY : 0);
  EXPECT_LT(y.maxCoeff(), is_uniform ? 1 : INFINITY);
}

INSTANTIATE_TEST_SUITE_P(Distribution, RandomSourceMoments,
                         testing::Values(RandomDistribution::kUniform,
                                         RandomDistribution::kGaussian,
                                         RandomDistribution::kExponential));

TEST(RandomSource, DrawsAnewAtEachUpdateAndHoldsInBetween) {
  const RandomSource<double> source(RandomDistribution::kGaussian, 2,
                                    kInterval);
  auto context = source.CreateDefaultContext();
  const VectorXd first = source.get_output_port().Eval(*context);
  context->SetTime(0.01);
  EXPECT_EQ(source.get_output_port().Eval(*context), first);
  test::DoPeriodicUpdates(source, context.get());
  EXPECT_NE(source.get_output_port().Eval(*context), first);
}

TEST(RandomSource, SourcesDifferAndTheSameSeedRepeats) {
  RandomSource<double> a(RandomDistribution::kGaussian, 2, kInterval);
  RandomSource<double> b(RandomDistribution::kGaussian, 2, kInterval);
  auto value = [](const RandomSource<double>& source) {
    return VectorXd(
        source.get_output_port().Eval(*source.CreateDefaultContext()));
  };
  EXPECT_NE(value(a), value(b));
  EXPECT_EQ(value(a), value(a));
  a.set_fixed_seed(7);
  b.set_fixed_seed(7);
  EXPECT_EQ(value(a), value(b));
  EXPECT_EQ(a.get_seed(*a.CreateDefaultContext()), 7);
  EXPECT_EQ(a.get_fixed_seed(), 7);
}

TEST(RandomSource, ACopiedContextGoesOnWithTheSameNumbers) {
  const RandomSource<double> source(RandomDistribution::kGaussian, 3,
                                    kInterval);
  auto context = source.CreateDefaultContext();
  test::DoPeriodicUpdates(source, context.get());
  auto copy = context->Clone();
  test::DoPeriodicUpdates(source, context.get());
  test::DoPeriodicUpdates(source, copy.get());
  EXPECT_EQ(source.get_output_port().Eval(*context),
            source.get_output_port().Eval(*copy));
}

TEST(RandomSource, ASavedContextGoesOnWithTheSameNumbers) {
  const RandomSource<double> source(RandomDistribution::kGaussian, 3,
                                    kInterval);
  auto context = source.CreateDefaultContext();
  test::DoPeriodicUpdates(source, context.get());
  std::stringstream stream;
  SaveContext(*context, &stream);
  auto loaded = source.CreateDefaultContext();
  LoadContext(&stream, loaded.get());
  test::DoPeriodicUpdates(source, context.get());
  test::DoPeriodicUpdates(source, loaded.get());
  EXPECT_EQ(source.get_output_port().Eval(*context),
            source.get_output_port().Eval(*loaded));
}

// The file says that it is whole, and is not what a generator writes.
TEST(RandomSource, AStateThatIsNoGeneratorsIsRefused) {
  const RandomSource<double> source(RandomDistribution::kGaussian, 3,
                                    kInterval);
  auto context = source.CreateDefaultContext();
  std::stringstream stream;
  SaveContext(*context, &stream);
  constexpr char kKind[] = "Context";
  constexpr int kVersion = 7;
  std::string content =
      wyvern::internal::ReadSealed("here", kKind, kVersion, &stream);
  // The generator's state is the only text of digits and spaces.
  const std::size_t state = content.find(' ', content.size() / 2);
  ASSERT_NE(state, std::string::npos);
  content[state + 1] = 'x';
  std::stringstream broken;
  wyvern::internal::WriteSealed(kKind, kVersion, content, &broken);
  EXPECT_THROWS_MESSAGE(LoadContext(&broken, context.get()), std::runtime_error,
                        "does not hold the state of a random generator");
}

TEST(RandomSource, ARandomContextHasASeedFromTheGenerator) {
  RandomSource<double> source(RandomDistribution::kGaussian, 1, kInterval);
  auto context = source.CreateDefaultContext();
  RandomGenerator generator(3);
  source.SetRandomContext(context.get(), &generator);
  const auto seed = source.get_seed(*context);
  source.SetRandomContext(context.get(), &generator);
  EXPECT_NE(source.get_seed(*context), seed);
  source.set_fixed_seed(11);
  source.SetRandomContext(context.get(), &generator);
  EXPECT_EQ(source.get_seed(*context), 11);
}

TEST(RandomSource, ScalarConversionKeepsTheNumbers) {
  const RandomSource<double> source(RandomDistribution::kUniform, 2, kInterval);
  const auto context = source.CreateDefaultContext();
  const auto converted = source.ToAutoDiffXd();
  const auto converted_context = converted->CreateDefaultContext();
  EXPECT_EQ(converted->get_output_port(0).Eval(*converted_context)[1].value(),
            source.get_output_port().Eval(*context)[1]);
}

TEST(RandomSource, RefusesBadArguments) {
  EXPECT_THROWS_MESSAGE(
      RandomSource<double>(RandomDistribution::kUniform, 0, kInterval),
      std::logic_error, "num_outputs is 0");
  EXPECT_THROWS_MESSAGE(
      RandomSource<double>(RandomDistribution::kUniform, 1, 0),
      std::logic_error, "sampling_interval_sec is 0");
}

TEST(AddRandomInputs, FeedsTheRandomPortsThatNothingFeeds) {
  DiagramBuilder<double> builder;
  using Block = LinearTransformDensity<double>;
  auto* fed = builder.AddSystem<Block>(RandomDistribution::kUniform, 2, 2);
  auto* exported = builder.AddSystem<Block>(RandomDistribution::kUniform, 2, 2);
  builder.ExportInput(exported->get_input_port_w_in());
  EXPECT_EQ(AddRandomInputs(kInterval, &builder), 1);
  EXPECT_EQ(AddRandomInputs(kInterval, &builder), 0);
  const auto diagram = builder.Build();
  const auto context = diagram->CreateDefaultContext();
  const VectorXd w =
      fed->get_input_port_w_in().Eval(fed->GetMyContextFromRoot(*context));
  EXPECT_GT(w.minCoeff(), 0);
  EXPECT_LT(w.maxCoeff(), 1);
  DiagramBuilder<double>* none = nullptr;
  EXPECT_THROWS_MESSAGE(AddRandomInputs(kInterval, none), std::logic_error,
                        "builder is null");
}

}  // namespace
}  // namespace wyvern::systems
