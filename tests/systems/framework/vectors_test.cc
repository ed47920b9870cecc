#include <cmath>
#include <memory>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/subvector.h"
#include "wyvern/systems/framework/supervector.h"

namespace wyvern::systems {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using ::wyvern::test::Near;

template <typename T>
class Named : public BasicVector<T> {
 public:
  Named() : BasicVector<T>(2) {}
  void GetElementBounds(VectorXd* lower, VectorXd* upper) const final {
    *lower = Vector2d(-1, -INFINITY);
    *upper = Vector2d(1, 0);
  }

 private:
  Named<T>* DoClone() const override { return new Named<T>; }
};

class Forgetful final : public Named<double> {};

template <typename T>
class VectorsOfScalar : public ::testing::Test {};
using Scalars = ::testing::Types<double, AutoDiffXd>;
TYPED_TEST_SUITE(VectorsOfScalar, Scalars);

TYPED_TEST(VectorsOfScalar, BasicVectorTakesElementsInEveryForm) {
  using T = TypeParam;
  const Vector3d expected(1, 2, 3);
  const BasicVector<T> from_list{T(1), T(2), T(3)};
  const BasicVector<T> from_eigen(VectorX<T>(expected.cast<T>()));
  const auto made = BasicVector<T>::Make(1.0, 2.0, 3.0);
  const auto made_from_list = BasicVector<T>::Make({T(1), T(2), T(3)});
  EXPECT_TRUE(Near(ToDouble(from_list.value()), expected));
  EXPECT_TRUE(Near(ToDouble(from_eigen.value()), expected));
  EXPECT_TRUE(Near(ToDouble(made->value()), expected));
  EXPECT_TRUE(Near(ToDouble(made_from_list->value()), expected));
}

TYPED_TEST(VectorsOfScalar, SupervectorWritesThrough) {
  using T = TypeParam;
  BasicVector<T> a{T(1), T(2)};
  BasicVector<T> b{T(3)};
  Supervector<T> both({&a, &b});
  both.SetFromVector(Vector3d(4, 5, 6).cast<T>());
  both[1] += T(1);
  EXPECT_EQ(ToDouble(a[1]), 6);
  EXPECT_EQ(ToDouble(b[0]), 6);
}

// Runs of one length, long ones first and long ones last.
TEST(Supervector, FindsElementsOfRunsOfAnyLength) {
  for (const std::vector<int>& sizes : std::vector<std::vector<int>>{
           {2, 2, 2}, {7, 1, 1, 1}, {1, 1, 1, 7}, {1, 0, 5, 0, 2}}) {
    std::vector<std::unique_ptr<BasicVector<double>>> parts;
    std::vector<VectorBase<double>*> pointers;
    double next = 0;
    for (const int size : sizes) {
      parts.push_back(std::make_unique<BasicVector<double>>(size));
      pointers.push_back(parts.back().get());
      for (int i = 0; i < size; ++i) (*parts.back())[i] = next++;
    }
    const Supervector<double> all(pointers);
    ASSERT_EQ(all.size(), next);
    for (int i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], i);
  }
}

TEST(BasicVector, StartsAsNaN) {
  const BasicVector<double> x(2);
  EXPECT_TRUE(std::isnan(x[0]) && std::isnan(x[1]));
  EXPECT_EQ(BasicVector<double>().size(), 0);
}

TEST(BasicVector, RejectsANegativeSize) {
  EXPECT_THROWS_MESSAGE(BasicVector<double>(-1), std::logic_error,
                        "size is -1; it must be at least 0");
}

TEST(BasicVector, ReadsAndWritesTheWholeValue) {
  BasicVector<double> x(2);
  x.set_value(Vector2d(1, 2));
  EXPECT_EQ(x.get_value(), Vector2d(1, 2));
  x.get_mutable_value() << 3, 4;
  EXPECT_EQ(x.CopyToVector(), Vector2d(3, 4));
  x.SetFromVector(Vector2d(5, 6));
  EXPECT_EQ(x.value(), Vector2d(5, 6));
  x.SetZero();
  EXPECT_EQ(x.value(), Vector2d::Zero());
}

TEST(BasicVector, RejectsAWrongSize) {
  BasicVector<double> x(2);
  EXPECT_THROWS_MESSAGE(x.set_value(Vector3d::Zero()), std::logic_error,
                        "BasicVector<double>::set_value(): the vector given "
                        "has 3 elements; this vector has 2 elements");
  EXPECT_THROWS_MESSAGE(x.SetFromVector(Vector3d::Zero()), std::logic_error,
                        "SetFromVector");
  EXPECT_THROWS_MESSAGE(x.SetFrom(BasicVector<double>(1)), std::logic_error,
                        "SetFrom");
  EXPECT_THROWS_MESSAGE(x += BasicVector<double>(1), std::logic_error,
                        "PlusEqScaled");
  VectorXd out(3);
  EXPECT_THROWS_MESSAGE(x.CopyToPreSizedVector(&out), std::logic_error,
                        "CopyToPreSizedVector");
  EXPECT_THROWS_MESSAGE(x.ScaleAndAddToVector(1, &out), std::logic_error,
                        "ScaleAndAddToVector");
  EXPECT_THROWS_MESSAGE(x.ScaleAndAddToVector(1, nullptr), std::logic_error,
                        "null");
}

TEST(BasicVector, CheckedAccessRejectsABadIndex) {
  BasicVector<double> x{1, 2};
  x.SetAtIndex(1, 5);
  EXPECT_EQ(x.GetAtIndex(1), 5);
  EXPECT_THROWS_MESSAGE(x.GetAtIndex(2), std::out_of_range,
                        "element 2 was asked for; the vector has 2");
  EXPECT_THROWS_MESSAGE(x.SetAtIndex(-1, 0), std::out_of_range, "element -1");
  EXPECT_EQ(x[1], 5);
  EXPECT_THROWS_MESSAGE(x[2], std::out_of_range, "element 2 was asked for");
  EXPECT_THROWS_MESSAGE(x[-1] = 3, std::out_of_range, "element -1");
  const BasicVector<double>& fixed = x;
  EXPECT_THROWS_MESSAGE(fixed[1000000000], std::out_of_range, "1000000000");
}

TEST(BasicVector, CloneKeepsTypeAndValues) {
  Named<double> x;
  x.set_value(Vector2d(1, 2));
  const auto clone = x.Clone();
  EXPECT_NE(dynamic_cast<const Named<double>*>(clone.get()), nullptr);
  EXPECT_EQ(clone->value(), Vector2d(1, 2));
}

TEST(BasicVector, CloneRejectsAClassThatForgotDoClone) {
  EXPECT_THROWS_MESSAGE(Forgetful().Clone(), std::logic_error,
                        "override DoClone()");
}

TEST(BasicVector, PromisesNoBoundsUnlessDerived) {
  VectorXd lower(1), upper(1);
  BasicVector<double>(2).GetElementBounds(&lower, &upper);
  EXPECT_EQ(lower.size() + upper.size(), 0);
  Named<double>().GetElementBounds(&lower, &upper);
  EXPECT_EQ(upper, Vector2d(1, 0));
}

TEST(VectorBase, Prints) {
  std::ostringstream out;
  out << BasicVector<double>{1, 2.5};
  EXPECT_EQ(out.str(), "[1, 2.5]");
}

TEST(VectorBase, AddsScaledVectorsOfAnyStorage) {
  BasicVector<double> a{1, 2, 3};
  BasicVector<double> b{10, 20}, c{30};
  const Supervector<double> bc({&b, &c});
  a.PlusEqScaled({{2.0, bc}, {1.0, a}});
  EXPECT_EQ(a.value(), Vector3d(42, 84, 126));
  a -= bc;
  a += bc;
  EXPECT_EQ(a.value(), Vector3d(42, 84, 126));
  a.PlusEqScaled(-1, bc);
  EXPECT_EQ(a.value(), Vector3d(32, 64, 96));
  VectorXd sum = Vector3d(1, 1, 1);
  bc.ScaleAndAddToVector(0.1, &sum);
  EXPECT_TRUE(Near(sum, Vector3d(2, 3, 4), 1e-15));  // One rounding each.
}

TEST(VectorBase, CopiesBetweenDifferentLayouts) {
  BasicVector<double> a{1}, b{2, 3}, c{4, 5}, d{6};
  Supervector<double> left({&a, &b});
  const Supervector<double> right({&c, &d});
  left.SetFrom(right);
  EXPECT_EQ(left.CopyToVector(), Vector3d(4, 5, 6));
  EXPECT_EQ(b.value(), Vector2d(5, 6));
  left.SetZero();
  EXPECT_EQ(b.value(), Vector2d::Zero());
}

TEST(Subvector, SeesAndWritesItsElementsOnly) {
  BasicVector<double> x{1, 2, 3, 4};
  Subvector<double> middle(&x, 1, 2);
  EXPECT_EQ(middle.size(), 2);
  EXPECT_EQ(middle.CopyToVector(), Vector2d(2, 3));
  middle.SetZero();
  EXPECT_EQ(x.value(), Eigen::Vector4d(1, 0, 0, 4));
  EXPECT_EQ(middle.ContiguousFrom(1).size(), 1u);
  EXPECT_THROWS_MESSAGE(middle.GetAtIndex(2), std::out_of_range, "element 2");
  EXPECT_THROWS_MESSAGE(middle[2], std::out_of_range, "element 2");
}

TEST(Subvector, RejectsElementsThatAreNotThere) {
  BasicVector<double> x(3);
  EXPECT_THROWS_MESSAGE(Subvector<double>(&x, 2, 2), std::out_of_range,
                        "2 elements from element 2 on");
  EXPECT_THROWS_MESSAGE(Subvector<double>(&x, -1, 2), std::out_of_range,
                        "from element -1");
  EXPECT_THROWS_MESSAGE(Subvector<double>(&x, 1, -1), std::out_of_range,
                        "-1 elements");
  EXPECT_THROWS_MESSAGE(Subvector<double>(nullptr, 0, 0), std::logic_error,
                        "null");
}

TEST(Supervector, SeesThroughNestingAndEmptyParts) {
  BasicVector<double> a{1, 2}, none(0), b{3, 4, 5};
  Subvector<double> tail(&b, 1, 2);
  Supervector<double> inner({&none, &a, &none});
  Supervector<double> all({&inner, &tail, &none});
  EXPECT_EQ(all.CopyToVector(), Eigen::Vector4d(1, 2, 4, 5));
  EXPECT_EQ(all[1], 2);
  EXPECT_EQ(all[2], 4);
  all.GetAtIndex(3) = 9;
  EXPECT_EQ(b[2], 9);
  EXPECT_EQ(all.ContiguousFrom(0).size(), 2u);
  EXPECT_THROWS_MESSAGE(all.GetAtIndex(4), std::out_of_range, "element 4");
  EXPECT_THROWS_MESSAGE(all[4], std::out_of_range, "element 4");
  EXPECT_EQ(Supervector<double>({}).size(), 0);
}

TEST(Supervector, RejectsANullPart) {
  BasicVector<double> a(1);
  EXPECT_THROWS_MESSAGE(Supervector<double>({&a, nullptr}), std::logic_error,
                        "vector 1 is null; it must be an object");
}

TEST(VectorBase, SettingAndAddingAllocatesNothing) {
  BasicVector<double> a(20), b(30), x(50);
  Supervector<double> ab({&a, &b});
  Subvector<double> part(&ab, 10, 30);
  const VectorXd ones = VectorXd::Ones(50);
  VectorXd out(50);
  const ::wyvern::test::AllocationGuard guard;
  x.SetFromVector(ones);
  ab.SetFrom(x);
  ab.PlusEqScaled(2.0, x);
  ab.CopyToPreSizedVector(&out);
  ab.ScaleAndAddToVector(2.0, &out);
  part.SetZero();
  x.get_mutable_value() = ones;
  x.set_value(out);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(out.sum(), 450);
}

}  // namespace
}  // namespace wyvern::systems
