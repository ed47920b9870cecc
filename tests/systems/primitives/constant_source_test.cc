#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/primitives/constant_value_source.h"
#include "wyvern/systems/primitives/constant_vector_source.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;

template <typename T>
class NamedVector final : public BasicVector<T> {
 public:
  NamedVector() : BasicVector<T>(2) { this->SetZero(); }

 private:
  NamedVector<T>* DoClone() const final { return new NamedVector<T>; }
};

TEST(ConstantVectorSource, GivesItsValue) {
  const ConstantVectorSource<double> source(Vector2d(1, 2));
  const auto context = source.CreateDefaultContext();
  EXPECT_EQ(source.get_output_port().Eval(*context), Vector2d(1, 2));
  const ConstantVectorSource<double> scalar(3.0);
  const auto scalar_context = scalar.CreateDefaultContext();
  EXPECT_EQ(scalar.get_output_port().Eval(*scalar_context)[0], 3);
}

TEST(ConstantVectorSource, HasAValueOfItsOwnInEachContext) {
  ConstantVectorSource<double> source(Vector2d(1, 2));
  const auto a = source.CreateDefaultContext();
  const auto b = source.CreateDefaultContext();
  EXPECT_EQ(source.get_output_port().Eval(*a), Vector2d(1, 2));
  source.get_mutable_source_value(a.get()).SetFromVector(Vector2d(3, 4));
  EXPECT_EQ(source.get_output_port().Eval(*a), Vector2d(3, 4));
  EXPECT_EQ(source.get_source_value(*a).value(), Vector2d(3, 4));
  EXPECT_EQ(source.get_output_port().Eval(*b), Vector2d(1, 2));
}

TEST(ConstantVectorSource, KeepsTheSubtypeOnItsPort) {
  const ConstantVectorSource<double> source{NamedVector<double>()};
  const auto context = source.CreateDefaultContext();
  EXPECT_NO_THROW(source.get_output_port().Eval<NamedVector<double>>(*context));
}

TEST(ConstantVectorSource, RefusesAValueThatIsNotFinite) {
  EXPECT_THROWS_MESSAGE(ConstantVectorSource<double>(Vector2d(0, NAN)),
                        std::logic_error, "source_value[1] is nan");
}

TEST(ConstantVectorSource, RefusesTheContextOfAnother) {
  const ConstantVectorSource<double> source(1.0);
  const ConstantVectorSource<double> other(1.0);
  const auto context = other.CreateDefaultContext();
  EXPECT_THROW(source.get_source_value(*context), std::logic_error);
}

TEST(ConstantValueSource, GivesACopyOfItsValue) {
  Value<std::string> value("wing");
  const ConstantValueSource<double> source(value);
  value.get_mutable_value() = "tail";
  const auto context = source.CreateDefaultContext();
  EXPECT_EQ(source.get_output_port().Eval<std::string>(*context), "wing");
}

TEST(ConstantValueSource, KeepsItsValueOnScalarConversion) {
  const ConstantValueSource<double> source(Value<std::string>("wing"));
  const auto converted = source.ToAutoDiffXd();
  const auto context = converted->CreateDefaultContext();
  EXPECT_EQ(converted->get_output_port().Eval<std::string>(*context), "wing");
}

}  // namespace
}  // namespace wyvern::systems
