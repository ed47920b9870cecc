#include "wyvern/systems/common/value.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"

namespace wyvern {
namespace {

struct Point {
  Point() = default;
  Point(int x_in, int y_in) : x(x_in), y(y_in) {}
  int x{7};
  int y{};
};

// Can not be copied, only cloned; abstract.
class Shape {
 public:
  virtual ~Shape() = default;
  Shape(const Shape&) = delete;
  void operator=(const Shape&) = delete;
  virtual std::unique_ptr<Shape> Clone() const = 0;
  virtual int corners() const = 0;

 protected:
  Shape() = default;
};

class Polygon final : public Shape {
 public:
  explicit Polygon(int corners) : corners_(corners) {}
  std::unique_ptr<Shape> Clone() const final {
    return std::make_unique<Polygon>(corners_);
  }
  int corners() const final { return corners_; }

 private:
  int corners_;
};

TEST(Value, NumbersStartAtZero) {
  EXPECT_EQ(Value<int>().get_value(), 0);
  EXPECT_EQ(Value<double>().get_value(), 0.0);
}

TEST(Value, HoldsACopyOfWhatItIsGiven) {
  std::string text = "abc";
  const Value<std::string> value(text);
  text = "changed";
  EXPECT_EQ(value.get_value(), "abc");
}

TEST(Value, ConstructsItsObjectFromArguments) {
  const Value<Point> point(1, 2);
  EXPECT_EQ(point.get_value().x, 1);
  EXPECT_EQ(point.get_value().y, 2);
  const Value<std::string> text("literal");
  EXPECT_EQ(text.get_value(), "literal");
}

TEST(Value, TakesACopyableObjectFromAUniquePtr) {
  const Value<Point> value(std::make_unique<Point>(3, 4));
  EXPECT_EQ(value.get_value().y, 4);
}

TEST(Value, RejectsANullPointer) {
  EXPECT_THROWS_MESSAGE(Value<Point>(std::unique_ptr<Point>{}),
                        std::logic_error, "is null; pass an object");
}

TEST(Value, CloneOfAnAbstractBaseKeepsTheDerivedType) {
  const Value<Shape> value(std::unique_ptr<Shape>(new Polygon(5)));
  const std::unique_ptr<AbstractValue> clone = value.Clone();
  EXPECT_EQ(clone->get_value<Shape>().corners(), 5);
  EXPECT_NE(&clone->get_value<Shape>(), &value.get_value());
  EXPECT_EQ(clone->type_info(), typeid(Polygon));
  EXPECT_EQ(clone->static_type_info(), typeid(Shape));
}

TEST(Value, SetValueOfACloneableTypeClones) {
  Value<Shape> value(std::unique_ptr<Shape>(new Polygon(5)));
  value.set_value(Polygon(6));
  EXPECT_EQ(value.get_value().corners(), 6);
}

TEST(AbstractValue, MakeHoldsADefaultOrACopy) {
  EXPECT_EQ(AbstractValue::Make<Point>()->get_value<Point>().x, 7);
  EXPECT_EQ(AbstractValue::Make(3.5)->get_value<double>(), 3.5);
  EXPECT_EQ(AbstractValue::Make<std::string>("s")->get_value<std::string>(),
            "s");
}

TEST(AbstractValue, WritesThroughTheMutableReference) {
  const auto value = AbstractValue::Make(1);
  value->get_mutable_value<int>() = 2;
  EXPECT_EQ(value->get_value<int>(), 2);
  value->set_value<int>(3);
  EXPECT_EQ(value->get_value<int>(), 3);
}

TEST(AbstractValue, ReadingAsAnotherTypeNamesBothTypes) {
  const auto value = AbstractValue::Make<std::string>("x");
  EXPECT_THROWS_MESSAGE(value->get_value<int>(), std::logic_error,
                        "of type 'std::string' was read or set as type 'int'");
  EXPECT_THROWS_MESSAGE(value->get_mutable_value<double>(), std::logic_error,
                        "as type 'double'");
  EXPECT_THROWS_MESSAGE(value->set_value<int>(1), std::logic_error,
                        "as type 'int'");
}

TEST(AbstractValue, WrongTypeMessageNamesTheDynamicTypeToo) {
  const Value<Shape> value(std::unique_ptr<Shape>(new Polygon(5)));
  const AbstractValue& abstract = value;
  EXPECT_THROWS_MESSAGE(abstract.get_value<int>(), std::logic_error,
                        "Polygon'");
}

TEST(AbstractValue, MaybeGetValueIsNullForAnotherType) {
  const auto value = AbstractValue::Make(2);
  EXPECT_EQ(value->maybe_get_value<double>(), nullptr);
  EXPECT_EQ(*value->maybe_get_value<int>(), 2);
  *value->maybe_get_mutable_value<int>() = 5;
  EXPECT_EQ(value->get_value<int>(), 5);
  EXPECT_EQ(value->maybe_get_mutable_value<char>(), nullptr);
}

TEST(AbstractValue, SetFromCopiesAndRejectsAnotherType) {
  const auto value = AbstractValue::Make(2);
  value->SetFrom(*AbstractValue::Make(9));
  EXPECT_EQ(value->get_value<int>(), 9);
  EXPECT_THROWS_MESSAGE(value->SetFrom(*AbstractValue::Make(9.0)),
                        std::logic_error, "read or set as type 'int'");
}

TEST(AbstractValue, CloneIsIndependent) {
  const auto value = AbstractValue::Make(std::vector<int>{1, 2});
  const auto clone = value->Clone();
  value->get_mutable_value<std::vector<int>>()[0] = 8;
  EXPECT_EQ(clone->get_value<std::vector<int>>(), (std::vector<int>{1, 2}));
}

TEST(AbstractValue, NamesItsType) {
  EXPECT_EQ(AbstractValue::Make(std::vector<int>{})->GetNiceTypeName(),
            "std::vector<int>");
}

TEST(AbstractValue, AccessAllocatesNothing) {
  const auto value = AbstractValue::Make(2);
  const auto other = AbstractValue::Make(3);
  const test::AllocationGuard guard;
  value->set_value<int>(value->get_value<int>() + 1);
  value->SetFrom(*other);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace wyvern
