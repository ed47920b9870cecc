#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "drake/common/cond.h"
#include "drake/common/default_scalars.h"
#include "drake/common/drake_assert.h"
#include "drake/common/drake_bool.h"
#include "drake/common/drake_copyable.h"
#include "drake/common/drake_deprecated.h"
#include "drake/common/drake_throw.h"
#include "drake/common/dummy_value.h"
#include "drake/common/find_resource.h"
#include "drake/common/fmt.h"
#include "drake/common/fmt_eigen.h"
#include "drake/common/fmt_ostream.h"
#include "drake/common/hash.h"
#include "drake/common/is_approx_equal_abstol.h"
#include "drake/common/name_value.h"
#include "drake/common/never_destroyed.h"
#include "drake/common/overloaded.h"
#include "drake/common/pointer_cast.h"
#include "drake/common/scope_exit.h"
#include "drake/common/text_logging.h"
#include "drake/common/timer.h"
#include "drake/common/type_safe_index.h"
#include "drake/common/unused.h"
#include "drake/common/yaml/yaml_io.h"
#include "tests/support/expect_throws.h"
#include "wyvern/systems/symbolic/formula.h"

namespace a_users {

template <typename T>
class Block {
 public:
  DRAKE_NO_COPY_NO_MOVE_NO_ASSIGN(Block);
  Block() = default;
  T Twice(T x) const { return x + x; }
};

template <typename T>
T Half(const T& x) {
  return x / 2.0;
}
DRAKE_DEFINE_FUNCTION_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_SCALARS((&Half<T>));

/** Fails wherever it is asked. */
template <typename T>
class Failing {
 public:
  explicit Failing(bool well) { DRAKE_DEMAND(well); }
  std::vector<T> Do(const std::map<int, T>&) const {
    DRAKE_THROW_UNLESS(1 > 2);
    return {};
  }
  bool operator()(int) const { DRAKE_UNREACHABLE(); }
  void InLambda() const {
    const auto lambda = [](T) { DRAKE_DEMAND(false); };
    lambda(T{});
  }
};

class Shape {
 public:
  virtual ~Shape() = default;
};
class Disk : public Shape {};

struct Point {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(DRAKE_NVP(x));
    a->Visit(DRAKE_NVP(name));
  }
  template <class HashAlgorithm>
  friend void hash_append(HashAlgorithm& hasher, const Point& p) noexcept {
    using drake::hash_append;
    hash_append(hasher, p.x);
    hash_append(hasher, p.name);
  }
  bool operator==(const Point&) const = default;

  double x{};
  std::string name;
};

void CheckPositive(double x, int size) { DRAKE_THROW_UNLESS(x > 0, x, size); }

}  // namespace a_users

DRAKE_FORMATTER_AS(, a_users, Point, p, p.name)
DRAKE_DECLARE_CLASS_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_SCALARS(
    class a_users::Block);
DRAKE_DEFINE_CLASS_TEMPLATE_INSTANTIATIONS_ON_DEFAULT_SCALARS(
    class a_users::Block);

namespace {

using a_users::CheckPositive;
using a_users::Disk;
using a_users::Point;
using a_users::Shape;

TEST(DrakeSupport, AFailedCheckThrowsAndSaysWhatWhereAndWithWhichValues) {
  EXPECT_NO_THROW(CheckPositive(1, 2));
  EXPECT_THROWS_MESSAGE(
      CheckPositive(-1.5, 2), std::logic_error,
      "CheckPositive(): condition 'x > 0' failed with x, size = -1.5, 2; ");
  EXPECT_THROWS_MESSAGE(CheckPositive(-1.5, 2), std::logic_error,
                        "drake_support_test.cc:");
  EXPECT_THROWS_MESSAGE(DRAKE_DEMAND(1 > 2), std::logic_error,
                        "condition '1 > 2' failed; ");
  EXPECT_THROWS_MESSAGE(DRAKE_UNREACHABLE(), std::logic_error, "reached");
}

TEST(DrakeSupport, AFormulaWithVariablesIsNotEvaluatedByACheck) {
  const wyvern::symbolic::Variable x("x");
  EXPECT_NO_THROW(DRAKE_DEMAND(x > 0));
  EXPECT_NO_THROW(DRAKE_THROW_UNLESS(x > 0));
  EXPECT_NO_THROW(DRAKE_ASSERT(x > 0));
  const wyvern::symbolic::Expression one(1);
  EXPECT_THROW(DRAKE_DEMAND(one > 2), std::logic_error);
}

TEST(DrakeSupport, AFailedCheckNamesItsFunctionInFull) {
  using a_users::Failing;
  EXPECT_THROWS_MESSAGE(Failing<double>(false), std::logic_error,
                        ">::Failing(): condition 'well'");
  const Failing<std::vector<int>> failing(true);
  EXPECT_THROWS_MESSAGE(failing.Do({}), std::logic_error,
                        ">::Do(): condition '1 > 2'");
  EXPECT_THROWS_MESSAGE(failing(3), std::logic_error,
                        ">::operator()(): a statement was reached");
  EXPECT_THROWS_MESSAGE(failing.InLambda(), std::logic_error,
                        "a_users::Failing<");
  EXPECT_THROWS_MESSAGE(CheckPositive(-1.5, 2), std::logic_error,
                        "a_users::CheckPositive(): ");
}

TEST(DrakeSupport, AssertsAreOnWithoutNdebug) {
  const auto assert_it = [](bool is_true) { DRAKE_ASSERT(is_true); };
  EXPECT_NO_THROW(assert_it(true));
  if (drake::kDrakeAssertIsArmed) {
    EXPECT_THROW(assert_it(false), std::logic_error);
  } else {
    EXPECT_NO_THROW(assert_it(false));
  }
  EXPECT_NE(drake::kDrakeAssertIsArmed, drake::kDrakeAssertIsDisarmed);
  int count = 0;
  const auto run = [&count] { ++count; };
  DRAKE_ASSERT_VOID(run());
  EXPECT_EQ(count, drake::kDrakeAssertIsArmed ? 1 : 0);
}

TEST(DrakeSupport, PredicatesOnMatricesAreBool) {
  static_assert(std::is_same_v<drake::boolean<double>, bool>);
  static_assert(std::is_same_v<drake::boolean<drake::AutoDiffXd>, bool>);
  static_assert(drake::scalar_predicate<double>::is_bool);
  const Eigen::Vector3d x(1, 2, 3);
  const auto is_big = [](double value) { return value > 2.5; };
  EXPECT_TRUE(drake::any_of(x, is_big));
  EXPECT_FALSE(drake::all_of(x, is_big));
  EXPECT_FALSE(drake::none_of(x, is_big));
  EXPECT_TRUE(drake::all((x.array() > 0).matrix()));
  EXPECT_TRUE(drake::any((x.array() > 2).matrix()));
  EXPECT_TRUE(drake::none((x.array() > 3).matrix()));
}

TEST(DrakeSupport, ChoicesAreExpressionsOfAnyScalar) {
  EXPECT_EQ(drake::cond(false, 1.0, true, 2.0, 3.0), 2.0);
  EXPECT_EQ(drake::cond(false, 1.0, false, 2.0, 3.0), 3.0);
  const drake::AutoDiffXd x(2.0, 1, 0);
  EXPECT_EQ(drake::if_then_else(true, x, drake::AutoDiffXd(1)).value(), 2.0);
}

TEST(DrakeSupport, FormatsReadAsDocumented) {
  EXPECT_EQ(drake::fmt_debug_string("a\"\n\\"), R"("a\"\n\\")");
  EXPECT_EQ(drake::fmt_floating_point(2.0), "2.0");
  EXPECT_EQ(drake::fmt_floating_point(0.25), "0.25");
  EXPECT_EQ(fmt::format("{}", drake::fmt_eigen(Eigen::Matrix2d::Identity())),
            "1 0\n0 1");
  EXPECT_EQ(fmt::format("{}", drake::fmt_streamed(std::string("s"))), "s");
  EXPECT_EQ(fmt::format(drake::fmt_runtime("{}"), Point{1, "p"}), "p");
}

TEST(DrakeSupport, TheLogDropsWhatIsBelowItsLevel) {
  const std::string before = drake::logging::set_log_level("warn");
  testing::internal::CaptureStderr();
  drake::log()->info("not {}", "shown");
  drake::log()->warn("x = {}", 1.5);
  drake::log()->error(std::string("{} is no format here"));
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text, "[warn] x = 1.5\n[err] {} is no format here\n");
  EXPECT_EQ(drake::logging::set_log_level(before), "warn");
  EXPECT_EQ(drake::logging::set_log_level("unchanged"), before);
  EXPECT_THROWS_MESSAGE(drake::logging::set_log_level("loud"),
                        std::runtime_error, "no level 'loud'");
}

TEST(DrakeSupport, AResourceIsFoundInTheFoldersOfTheEnvironment) {
  const auto root =
      std::filesystem::path(testing::TempDir()) / "wyvern_find_resource_test";
  std::filesystem::create_directories(root / "drake/models");
  std::ofstream(root / "drake/models/a.urdf") << "<robot/>";
  setenv("WYVERN_RESOURCE_PATH", ("/nowhere:" + root.string()).c_str(), 1);
  EXPECT_EQ(drake::FindResourceOrThrow("drake/models/a.urdf"),
            (root / "drake/models/a.urdf").string());
  EXPECT_THROWS_MESSAGE(drake::FindResourceOrThrow("drake/models/b.urdf"),
                        std::runtime_error, "set DRAKE_RESOURCE_ROOT or");
  EXPECT_THROWS_MESSAGE(drake::FindResourceOrThrow("/etc/passwd"),
                        std::runtime_error, "give a relative one");
  unsetenv("WYVERN_RESOURCE_PATH");
  EXPECT_FALSE(drake::FindResource("drake/models/a.urdf")
                   .get_absolute_path()
                   .has_value());
  std::filesystem::remove_all(root);
}

TEST(DrakeSupport, EqualObjectsHashAlikeAndUnequalOnesDoNot) {
  const drake::DefaultHash hash;
  EXPECT_EQ(hash(0.0), hash(-0.0));
  EXPECT_NE(hash(std::string("ab")), hash(std::string("ba")));
  using Strings = std::vector<std::string>;
  EXPECT_NE(hash(Strings{"a", "b"}), hash(Strings{"ab"}));
  EXPECT_NE(hash(std::optional<int>()), hash(std::optional<int>(0)));
  using Index = drake::TypeSafeIndex<class AnyTag>;
  EXPECT_NE(hash(Index(1)), hash(Index(2)));
  EXPECT_EQ(hash(std::map<int, double>{{1, 2.0}}),
            hash(std::map<int, double>{{1, 2.0}}));
  std::unordered_set<Point, drake::DefaultHash> points{{1, "a"}, {2, "b"}};
  EXPECT_EQ(points.count({2, "b"}), 1u);
  EXPECT_EQ(points.count({2, "c"}), 0u);
}

TEST(DrakeSupport, PointersAreCastWithWhatTheyOwn) {
  std::unique_ptr<Shape> shape = std::make_unique<Disk>();
  EXPECT_EQ(drake::dynamic_pointer_cast<Disk>(std::make_unique<Shape>()),
            nullptr);
  auto disk = drake::dynamic_pointer_cast_or_throw<Disk>(std::move(shape));
  EXPECT_NE(disk, nullptr);
  EXPECT_EQ(shape, nullptr);
  Shape other;
  EXPECT_THROWS_MESSAGE(drake::dynamic_pointer_cast_or_throw<Disk>(&other),
                        std::logic_error, "give a a_users::Disk");
  std::unique_ptr<Shape> again = std::move(disk);
  EXPECT_NE(drake::static_pointer_cast<Disk>(std::move(again)), nullptr);
}

TEST(DrakeSupport, SmallToolsDoWhatTheirNamesSay) {
  EXPECT_TRUE(std::isnan(drake::dummy_value<double>::get()));
  EXPECT_EQ(drake::dummy_value<int>::get(), 0);
  static const drake::never_destroyed<std::string> text("kept");
  EXPECT_EQ(text.access(), "kept");
  int count = 0;
  {
    drake::ScopeExit guard([&count] { ++count; });
    drake::ScopeExit disarmed([&count] { ++count; });
    disarmed.Disarm();
  }
  EXPECT_EQ(count, 1);
  const std::variant<int, std::string> value = 3;
  EXPECT_EQ(std::visit(drake::overloaded{[](int) { return 1; },
                                         [](const std::string&) { return 2; }},
                       value),
            1);
  EXPECT_TRUE(drake::is_approx_equal_abstol(Eigen::Vector2d(1, 2),
                                            Eigen::Vector2d(1, 2.1), 0.2));
  EXPECT_FALSE(drake::is_approx_equal_abstol(Eigen::Vector2d(1, 2),
                                             Eigen::Vector2d(1, 2.3), 0.2));
  drake::SteadyTimer timer;
  EXPECT_GE(timer.Tick(), 0.0);
  drake::unused(count, timer);
}

TEST(DrakeSupport, AStructWithDrakesMacroIsReadAndWritten) {
  const auto p = drake::yaml::LoadYamlString<Point>("{x: 2, name: here}");
  EXPECT_EQ(p, (Point{2, "here"}));
  EXPECT_EQ(drake::yaml::SaveYamlString(p), "x: 2.0\nname: here\n");
}

}  // namespace
