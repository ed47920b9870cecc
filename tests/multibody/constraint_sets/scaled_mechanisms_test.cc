// Each test compares a mechanism with a copy of another size: lengths are
// scaled by s, masses by s³ and times by sqrt(s) under the same gravity. Scales
// are powers of 4, so that similar mechanisms differ only in exponents:
// decisions, and even bits, are the same.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using test::MakeInertia;

// Some 6e-5, 1 and 1e3.
constexpr double kScales[] = {1.0 / 16384, 1, 1024};

// Bars of length s in a chain from the world, on hinges about y.
struct ScaledChain {
  ScaledChain(double time_step, double scale)
      : s(scale), plant(time_step * std::sqrt(scale)) {}
  const RigidBody<double>& Bar(const std::string& name, double length) {
    const double m = length * s * s * s;
    return plant.AddRigidBody(name,
                              MakeInertia(m, Vector3d(length * s / 2, 0, 0),
                                          m * length * s * length * s / 12));
  }
  const RigidBody<double>& Link(const RigidBody<double>& parent, double x,
                                double angle = 0) {
    const std::string name = fmt::format("link{}", hinges.size());
    const auto& bar = Bar(name, 1);
    hinges.push_back(&plant.AddJoint<RevoluteJoint>(
        name, parent, RigidTransformd(Vector3d(x * s, 0, 0)), bar, {},
        Vector3d::UnitY()));
    angles.push_back(angle);
    return bar;
  }
  const PrismaticJoint<double>& Slider(const std::string& name,
                                       const Vector3d& axis) {
    return plant.AddJoint<PrismaticJoint>(name, plant.world_body(), {},
                                          Bar(name, 0.1), {}, axis);
  }
  void Tie(const RigidBody<double>& body, const Vector3d& p_WQ) {
    plant.AddBallConstraint(body, Vector3d(s, 0, 0), plant.world_body(),
                            s * p_WQ);
  }
  void Start() {
    plant.set_constraint_stabilization_time(0.1 * std::sqrt(s));
    plant.Finalize();
    simulator = std::make_unique<systems::Simulator<double>>(plant);
    auto& context = simulator->get_mutable_context();
    for (std::size_t i = 0; i < hinges.size(); ++i) {
      hinges[i]->set_angle(&context, angles[i]);
    }
    simulator->get_mutable_integrator().set_maximum_step_size(0.1 *
                                                              std::sqrt(s));
    simulator->set_warning_handler(
        [this](const std::string& warning) { warnings += warning; });
  }
  void Run(double time) { simulator->AdvanceTo(time * std::sqrt(s)); }

  double s;
  MultibodyPlant<double> plant;
  std::vector<const RevoluteJoint<double>*> hinges;
  std::vector<double> angles;
  std::unique_ptr<systems::Simulator<double>> simulator;
  std::string warnings;
};

// The anchor is 1 % too far away.
TEST(ScaledMechanisms, AConstraintOutOfReachIsNamedAtAnySize) {
  for (const double s : kScales) {
    for (const double time_step : {0.0, 1e-3}) {
      SCOPED_TRACE(fmt::format("scale {}, step {}", s, time_step));
      ScaledChain m(time_step, s);
      const auto& link0 = m.Link(m.plant.world_body(), 0, 0.3);
      m.Tie(m.Link(link0, 1, 0.8), Vector3d(2.02, 0, 0));
      m.Start();
      EXPECT_THROWS_MESSAGE(m.Run(1), std::runtime_error,
                            "demand what no motion gives, or contradict "
                            "others: ball between 'link1' and 'world'");
    }
  }
}

// The gap of 1e-5 closes, and is within the drift of any simulation.
TEST(ScaledMechanisms, ASmallGapClosesAtAnySize) {
  for (const double s : kScales) {
    for (const double time_step : {0.0, 1e-3}) {
      SCOPED_TRACE(fmt::format("scale {}, step {}", s, time_step));
      ScaledChain m(time_step, s);
      const auto& link0 = m.Link(m.plant.world_body(), 0, 0.3);
      m.Tie(m.Link(link0, 1, 0.8),
            Vector3d(std::cos(0.3) + std::cos(1.1) + 1e-5, 0,
                     -std::sin(0.3) - std::sin(1.1)));
      m.Start();
      m.Run(0.5);
      EXPECT_LT(m.plant.CalcConstraintErrors(m.simulator->get_context())
                    .lpNorm<Eigen::Infinity>(),
                1e-6 * s);
    }
  }
}

// A step that cannot close the loop takes a joint a long way.
TEST(ScaledMechanisms, AStepThatIsTooLongIsNamedAtAnySize) {
  for (const double s : kScales) {
    SCOPED_TRACE(fmt::format("scale {}", s));
    ScaledChain m(1e-2, s);
    const auto& link0 = m.Link(m.plant.world_body(), 0, 0.3);
    const auto& link1 = m.Link(link0, 1, 0.8);
    m.Tie(m.Link(link1, 1, 0.5), Vector3d(0.1, 0, 0));
    m.Start();
    EXPECT_THROWS_MESSAGE(m.Run(3), std::runtime_error,
                          "does not reduce the error of the ball between "
                          "'link2' and 'world'");
  }
}

// A parallelogram whose bars are collinear, and one whose cranks stand at 1
// rad.
TEST(ScaledMechanisms, CrossingBranchesAreNamedAtAnySize) {
  for (const double s : kScales) {
    for (const double angle : {0.0, 1.0}) {
      SCOPED_TRACE(fmt::format("scale {}, angle {}", s, angle));
      ScaledChain m(0, s);
      const auto& crank = m.Link(m.plant.world_body(), 0, angle);
      const auto& coupler = m.Link(crank, 1, -angle);
      const auto& other = m.Link(m.plant.world_body(), 1, angle);
      const Vector3d end(s, 0, 0);
      m.plant.AddBallConstraint(coupler, end, other, end);
      m.Start();
      m.simulator->Initialize();
      EXPECT_EQ(
          m.warnings.find("branches of its motion cross") != std::string::npos,
          angle == 0)
          << m.warnings;
    }
  }
}

// A crank and a rod of equal lengths, folded, with the rod's end on a slider.
TEST(ScaledMechanisms, CrossingBranchesOfSlidersAreNamedAtAnySize) {
  for (const double s : kScales) {
    for (const double angle : {M_PI / 2, 1.0}) {
      SCOPED_TRACE(fmt::format("scale {}, angle {}", s, angle));
      ScaledChain m(0, s);
      const auto& piston = m.Slider("piston", Vector3d::UnitX());
      const auto& crank = m.Link(m.plant.world_body(), 0, angle);
      const auto& rod = m.Link(crank, 1, -2 * angle);
      m.plant.AddBallConstraint(rod, Vector3d(s, 0, 0), piston.child_body(),
                                Vector3d::Zero());
      m.Start();
      auto& context = m.simulator->get_mutable_context();
      piston.set_translation(&context, 2 * s * std::cos(angle));
      m.simulator->Initialize();
      EXPECT_EQ(
          m.warnings.find("branches of its motion cross") != std::string::npos,
          angle != 1)
          << m.warnings;
    }
  }
}

TEST(ScaledMechanisms, ProjectionsMeetConstraintsToRoundingAtAnySize) {
  for (const double s : kScales) {
    SCOPED_TRACE(fmt::format("scale {}", s));
    ScaledChain m(0, s);
    const auto& link0 = m.Link(m.plant.world_body(), 0, 0.3);
    m.Tie(m.Link(link0, 1, 0.8), Vector3d(1.2, 0, -0.9));
    m.Start();
    auto& context = m.simulator->get_mutable_context();
    m.plant.ProjectOntoConstraints(&context);
    EXPECT_LT(m.plant.CalcConstraintErrors(context).lpNorm<Eigen::Infinity>(),
              1e-11 * s);
    // A mechanism a million times its length away from the world's origin
    // rounds its positions there.
    ScaledChain far(0, s);
    const auto& bar = far.Link(far.plant.world_body(), 1e6, 0.3);
    far.Tie(far.Link(bar, 1, 0.8), Vector3d(1e6 + 1.2, 0, -0.9));
    far.Start();
    auto& far_context = far.simulator->get_mutable_context();
    far.plant.ProjectOntoConstraints(&far_context);
    EXPECT_LT(
        far.plant.CalcConstraintErrors(far_context).lpNorm<Eigen::Infinity>(),
        1e-8 * s);
  }
}

// Positions 1e16 lengths away round to several lengths. The anchor is 14
// lengths out of reach, which is less than a bound that grew with the rounding.
TEST(ScaledMechanisms, ProjectionsOfPositionsWithoutDigitsFail) {
  for (const double s : kScales) {
    SCOPED_TRACE(fmt::format("scale {}", s));
    ScaledChain m(0, s);
    const auto& bar = m.Link(m.plant.world_body(), 1e16, 0.3);
    m.Tie(m.Link(bar, 1, 0.8), Vector3d(1e16 + 16, 0, 0));
    m.Start();
    EXPECT_THROWS_MESSAGE(
        m.plant.ProjectOntoConstraints(&m.simulator->get_mutable_context()),
        std::runtime_error, "no positions were found");
  }
}

// A chain on a slider along x has its elbow on another along z, and its tip at
// a point. Some of the guesses need kicks, which move sliders by lengths of the
// mechanism's own.
TEST(ScaledMechanisms, AssemblyIsTheSameAtAnySize) {
  int most_iterations = 0;
  for (int guess = 0; guess < 8; ++guess) {
    VectorXd first;
    for (const double s : kScales) {
      SCOPED_TRACE(fmt::format("guess {}, scale {}", guess, s));
      ScaledChain m(0, s);
      const auto& x = m.Slider("x", Vector3d::UnitX());
      const auto& z = m.Slider("z", Vector3d::UnitZ());
      const auto& link0 = m.Link(x.child_body(), 0);
      const auto& link1 = m.Link(link0, 1);
      const RigidTransformd X_end(Vector3d(s, 0, 0));
      ConstraintSet<double> set;
      for (const int axis : {3, 5}) {
        const Vector6<double> along = Vector6<double>::Unit(axis);
        set.AddLoopConstraint(z.child_body(), link0, {}, X_end, along);
        set.AddLoopConstraint(m.plant.world_body(), link1,
                              RigidTransformd(Vector3d(0.8 * s, 0, 0.4 * s)),
                              X_end, along);
      }
      m.plant.Finalize();
      set.Bind(m.plant);
      const auto context = m.plant.CreateDefaultContext();
      // The sliders' positions are the first and the last.
      const Eigen::Vector4d q0(0.3 * guess * s, 0.8 * guess, 2 - 0.9 * guess,
                               (1 - 0.5 * guess) * s);
      m.plant.SetPositions(context.get(), q0);
      VectorXd q(4);
      AssemblyReport report;
      EXPECT_TRUE(
          CalcAssemblyQ<double>(m.plant, *context, &set, &q,
                                Eigen::Vector4d(1 / (s * s), 1, 1, 1 / (s * s)),
                                1e-12 * s, 100, &report));
      q[0] /= s;
      q[3] /= s;
      most_iterations = std::max(most_iterations, report.num_iterations);
      const VectorXd now =
          (VectorXd(6) << q, report.error_norm / s, report.num_iterations)
              .finished();
      if (first.size() == 0) first = now;
      EXPECT_TRUE(wyvern::test::Near(now, first));
    }
  }
  EXPECT_GT(most_iterations, 20);
}

// The guess is where no small move of the link lowers the error of its height,
// so that only a kick helps. It moves the slider by lengths of the link.
TEST(ScaledMechanisms, KicksOfAssemblyAreTheSameAtAnySize) {
  VectorXd first;
  for (const double s : kScales) {
    SCOPED_TRACE(fmt::format("scale {}", s));
    ScaledChain m(0, s);
    const auto& x = m.Slider("x", Vector3d::UnitX());
    const auto& link = m.Link(x.child_body(), 0);
    ConstraintSet<double> set;
    for (const int axis : {3, 5}) {
      set.AddLoopConstraint(m.plant.world_body(), link,
                            RigidTransformd(Vector3d(0.3 * s, 0, 0.5 * s)),
                            RigidTransformd(Vector3d(s, 0, 0)),
                            Vector6<double>::Unit(axis));
    }
    m.plant.Finalize();
    set.Bind(m.plant);
    const auto context = m.plant.CreateDefaultContext();
    m.plant.SetPositions(context.get(), Eigen::Vector2d(0.3 * s, M_PI / 2));
    VectorXd q(2);
    AssemblyReport report;
    EXPECT_TRUE(CalcAssemblyQ<double>(m.plant, *context, &set, &q,
                                      Eigen::Vector2d(1 / (s * s), 1),
                                      1e-12 * s, 100, &report));
    EXPECT_NEAR(std::sin(q[1]), -0.5, 1e-14);
    EXPECT_NEAR(q[0] / s, 0.3 - std::cos(q[1]), 1e-14);
    const Vector3d now(q[0] / s, q[1], report.num_iterations);
    if (first.size() == 0) first = now;
    EXPECT_TRUE(wyvern::test::Near(now, first));
  }
}

}  // namespace
}  // namespace wyvern::multibody
