// Trajectories as YAML, in the form of Drake's documents. The texts of
// PiecewisePolynomials are those of pydrake 1.51.
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/systems/trajectories/bspline_trajectory.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"
#include "wyvern/systems/yaml/yaml_io.h"

namespace wyvern::yaml {
namespace {

using Bspline = trajectories::BsplineTrajectory<double>;
using PPoly = trajectories::PiecewisePolynomial<double>;

template <typename Trajectory>
void ExpectRoundTrip(const Trajectory& original) {
  const auto copy = LoadYamlString<Trajectory>(SaveYamlString(original));
  ASSERT_EQ(copy.rows(), original.rows());
  ASSERT_EQ(copy.cols(), original.cols());
  EXPECT_EQ(copy.start_time(), original.start_time());
  EXPECT_EQ(copy.end_time(), original.end_time());
  for (const double t : {-1.0, 0.1, 0.5, 0.9, 1.3, 2.0, 3.0}) {
    EXPECT_EQ(copy.value(t), original.value(t)) << t;
    EXPECT_EQ(copy.EvalDerivative(t, 1), original.EvalDerivative(t, 1)) << t;
  }
}

TEST(YamlTrajectories, ADocumentOfDrakeHasItsValues) {
  const auto p = LoadYamlString<PPoly>(R"""(
breaks: [0.0, 1.0, 2.5]
polynomials:
- - - [1.0, 1.4, 0.20000000000000018, -0.6000000000000001]
  - - [0.0, -2.7333333333333334, 2.466666666666667, -0.7333333333333334]
- - - [2.0, 0.0, 0.0, 0.0]
  - - [-1.0, 0.0, 2.7111111111111104, -0.32592592592592556]
)""");
  EXPECT_EQ(p.get_number_of_segments(), 2);
  EXPECT_TRUE(p.value(1.7).isApprox(Eigen::Vector2d(2, 0.21665185), 1e-8));
  const auto matrix = LoadYamlString<PPoly>(R"""(
breaks: [0.0, 1.0]
polynomials:
- - - [1.0, 0.0]
    - [2.0, 0.0]
    - [3.0, 0.0]
  - - [4.0, 0.0]
    - [5.0, 0.0]
    - [6.0, 2.0]
)""");
  EXPECT_EQ(matrix.value(0.5), (Eigen::MatrixXd{{1, 2, 3}, {4, 5, 7}}));
}

TEST(YamlTrajectories, PiecewisePolynomialsComeBackAsTheyWere) {
  const std::vector<double> breaks{0, 0.5, 2};
  const Eigen::MatrixXd a{{1, 2, 3}, {4, -5, 0.1}};
  ExpectRoundTrip(PPoly::FirstOrderHold(breaks, {a, 2 * a, -a}));
  ExpectRoundTrip(PPoly::ZeroOrderHold(breaks, {a, 2 * a, -a}));
  ExpectRoundTrip(PPoly::CubicShapePreserving(breaks, {a, 2 * a, -a}));
  ExpectRoundTrip(PPoly(a));  // Constant over all time.
  EXPECT_TRUE(LoadYamlString<PPoly>(SaveYamlString(PPoly())).empty());
}

TEST(YamlTrajectories, ElementsMayHaveListsOfAnyLength) {
  const auto p = LoadYamlString<PPoly>(
      "{breaks: [0, 1, 2], polynomials: [[[[1, 2, 3]], [[]]], [[[4]], [[5, "
      "6]]]]}");
  EXPECT_EQ(p.value(0.5), Eigen::Vector2d(2.75, 0));
  EXPECT_EQ(p.value(1.5), Eigen::Vector2d(4, 8));
}

TEST(YamlTrajectories, BsplinesComeBackAsTheyWere) {
  const Eigen::MatrixXd a{{1, 2}, {4, -5}};
  const Bspline clamped(math::BsplineBasis<double>(3, 4),
                        {a, 2 * a, -a, 0.3 * a});
  ExpectRoundTrip(clamped);
  EXPECT_EQ(LoadYamlString<Bspline>(SaveYamlString(clamped)), clamped);
  EXPECT_EQ(LoadYamlString<Bspline>(SaveYamlString(Bspline())), Bspline());
  const auto line = LoadYamlString<Bspline>(R"""(
basis:
  order: 2
  knots: [0, 0, 1, 3, 3]
control_points:
- [[1]]
- [[2]]
- [[6]]
)""");
  EXPECT_EQ(line.value(2)(0), 4);
}

struct Motion {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(path));
    a->Visit(WYVERN_NVP(curve));
  }
  PPoly path;
  std::map<std::string, Bspline> curve;
};

TEST(YamlTrajectories, AreFieldsOfOtherTypes) {
  Motion motion;
  motion.path = PPoly(Eigen::Vector2d(1, 2));
  motion.curve["a"] =
      Bspline(math::BsplineBasis<double>(2, 2),
              {Eigen::Matrix2d::Zero(), Eigen::Matrix2d::Identity()});
  const auto copy = LoadYamlString<Motion>(SaveYamlString(motion));
  EXPECT_EQ(copy.path.value(5), Eigen::Vector2d(1, 2));
  EXPECT_EQ(copy.curve.at("a"), motion.curve["a"]);
}

template <typename Trajectory, typename Error = std::logic_error>
void ExpectRefused(const std::string& text, const std::string& message) {
  EXPECT_THROWS_MESSAGE(LoadYamlString<Trajectory>(text), Error, message);
}

TEST(YamlTrajectories, RefusesWhatDoesNotFit) {
  ExpectRefused<PPoly>("{breaks: [0, 1], polynomials: [[[[1]], [[1], [2]]]]}",
                       "a row of segment 0 has 2 columns");
  ExpectRefused<PPoly>(
      "{breaks: [0, 1, 2], polynomials: [[[[1]]], [[[1]], [[1]]]]}",
      "segment 1 has 2 rows and segment 0 has 1");
  ExpectRefused<PPoly>("{breaks: [0, 1, 2], polynomials: [[[[1]]]]}",
                       "3 breaks and 1 segments");
  ExpectRefused<PPoly>("{breaks: [1, 0], polynomials: [[[[1]]]]}",
                       "times that increase");
  ExpectRefused<PPoly>("{breaks: [0, 1], polynomials: [[[[.nan]]]]}",
                       "must be finite");
  ExpectRefused<PPoly, std::runtime_error>("{breaks: [0, 1]}", "polynomials");
  ExpectRefused<Bspline>(
      "{basis: {order: 2, knots: [0, 0, 1, 1]}, control_points: [[[1]]]}",
      "1 control points");
  ExpectRefused<Bspline>(
      "{basis: {order: 2, knots: [0, 0, 1, 1]}, control_points: [[[1]], [[1, "
      "2]]]}",
      "all must have one shape");
  ExpectRefused<Bspline>(
      "{basis: {order: 2, knots: [0, 1, 0, 1]}, control_points: [[[1]], "
      "[[2]]]}",
      "non-decreasing order");
}

}  // namespace
}  // namespace wyvern::yaml
