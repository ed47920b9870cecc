// A mechanism that starts at rest where branches of its motion cross is named
// at the start. Mechanisms that are regular, or redundant everywhere, are not.
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/linkages.h"
#include "tests/multibody/plant/plant_models.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace crossing_branches_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using math::RotationMatrixd;
using test::AddBar;
using test::FourBar;

const Vector3d kZero = Vector3d::Zero(), kX = Vector3d::UnitX(),
               kZ = Vector3d::UnitZ();

enum class Closure { kBall, kWeld, kJoint };

// Bars with hinges about z by default, set to angles [rad] by joint.
struct Linkage {
  explicit Linkage(double time_step) : plant(time_step) {}

  const RigidBody<double>& Bar(const std::string& name, double length) {
    return AddBar(&plant, name, length);
  }
  void Hinge(const RigidBody<double>& parent, const Vector3d& p_parent,
             const RigidBody<double>& child, double angle = 0,
             const Vector3d& p_child = kZero, const Vector3d& axis = kZ) {
    hinges.push_back(&plant.AddJoint<RevoluteJoint>(
        "hinge" + std::to_string(hinges.size()), parent,
        RigidTransformd(p_parent), child, RigidTransformd(p_child), axis));
    angles.push_back(angle);
  }
  void Close(Closure closure, const RigidBody<double>& A, const Vector3d& p_A,
             const RigidBody<double>& B, const Vector3d& p_B,
             double angle = 0) {
    if (closure == Closure::kBall) plant.AddBallConstraint(A, p_A, B, p_B);
    if (closure == Closure::kWeld) {
      plant.AddWeldConstraint(A, RigidTransformd(p_A), B, RigidTransformd(p_B));
    }
    if (closure == Closure::kJoint) Hinge(A, p_A, B, angle, p_B);
  }
  // Returns the warnings at the start of a simulation.
  std::string Warnings(double rate = 0) {
    plant.Finalize();
    systems::Simulator<double> simulator(plant);
    auto& context = simulator.get_mutable_context();
    for (std::size_t i = 0; i < hinges.size(); ++i) {
      hinges[i]->set_angle(&context, angles[i]);
      hinges[i]->set_angular_rate(&context, i == 0 ? rate : 0);
    }
    if (slide != nullptr) slide->set_translation(&context, slide_position);
    EXPECT_LT(plant.CalcConstraintErrors(context).norm(), 1e-9);
    std::string text;
    simulator.set_warning_handler(
        [&text](const std::string& warning) { text += warning + "\n"; });
    simulator.Initialize();
    return text;
  }
  MultibodyPlant<double> plant;
  std::vector<const RevoluteJoint<double>*> hinges;
  std::vector<double> angles;
  const PrismaticJoint<double>* slide{};
  double slide_position{};
};

// Cranks of length 1 on a ground of `number` - 1 bars of length 1, joined by as
// many couplers. At the angle 0 all bars are collinear.
void AddCranks(Linkage* m, int number, double angle, Closure closure) {
  std::vector<const RigidBody<double>*> cranks;
  for (int i = 0; i < number; ++i) {
    cranks.push_back(&m->Bar("crank" + std::to_string(i), 1));
    m->Hinge(m->plant.world_body(), i * kX, *cranks[i], angle);
  }
  for (int i = 0; i + 1 < number; ++i) {
    const auto& coupler = m->Bar("coupler" + std::to_string(i), 1);
    m->Hinge(*cranks[i], kX, coupler, -angle);
    m->Close(closure, coupler, kX, *cranks[i + 1], kX, angle);
  }
}

// A crank of length r and a rod of length l that ends on a slide along x.
void AddSliderCrank(Linkage* m, double r, double l, double angle) {
  const double rod = std::asin(r * std::sin(angle) / l);
  const auto& crank = m->Bar("crank", r);
  const auto& coupler = m->Bar("rod", l);
  m->Hinge(m->plant.world_body(), kZero, crank, angle);
  m->Hinge(crank, r * kX, coupler, -rod - angle);
  const auto& piston = m->Bar("piston", 0.1);
  m->slide = &m->plant.AddJoint<PrismaticJoint>("slide", m->plant.world_body(),
                                                {}, piston, {}, kX);
  m->slide_position = r * std::cos(angle) + l * std::cos(rod);
  m->Close(Closure::kBall, coupler, l * kX, piston, kZero);
}

// A Bennett linkage: opposite links are equal, a sin(beta) = b sin(alpha).
// Hinges have axes that are skew, and the loop is overconstrained.
void AddBennett(Linkage* m, double theta) {
  const double alpha = 0.5, beta = 1.1, a = 1;
  const double b = a * std::sin(beta) / std::sin(alpha);
  // tan(theta / 2) tan(phi / 2) = sin((alpha+beta)/2) / sin((beta-alpha)/2).
  const double k = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  const double phi = 2 * std::atan(k / std::tan(theta / 2));
  const double twists[] = {alpha, beta, alpha, beta};
  const double lengths[] = {a, b, a, b}, turns[] = {theta, phi, -theta, -phi};
  const RigidBody<double>* last = &m->plant.world_body();
  for (int i = 0; i < 4; ++i) {
    // Link i: turn about z, then move along x and twist about it.
    const auto& link = m->Bar("link" + std::to_string(i), lengths[i]);
    const RigidTransformd X_PF =
        i == 0 ? RigidTransformd()
               : RigidTransformd(RotationMatrixd::MakeXRotation(twists[i - 1]),
                                 lengths[i - 1] * kX);
    m->hinges.push_back(&m->plant.AddJoint<RevoluteJoint>(
        "hinge" + std::to_string(i), *last, X_PF, link, {}, kZ));
    m->angles.push_back(turns[i]);
    last = &link;
  }
  m->plant.AddWeldConstraint(
      *last, RigidTransformd(RotationMatrixd::MakeXRotation(beta), b * kX),
      m->plant.world_body(), {});
}

struct Mechanism {
  std::string name;
  std::function<void(Linkage*)> add;
  std::string wanted{};  // Empty: no warning.
};

void ExpectWarnings(const Mechanism& mechanism) {
  for (const double time_step : {0.0, 1e-3}) {
    SCOPED_TRACE(mechanism.name + ", step " + std::to_string(time_step));
    Linkage m(time_step);
    mechanism.add(&m);
    const std::string text = m.Warnings();
    if (mechanism.wanted.empty()) {
      EXPECT_EQ(text, "");
      continue;
    }
    EXPECT_NE(text.find("branches of its motion cross"), text.npos) << text;
    EXPECT_NE(text.find(mechanism.wanted), text.npos) << text;
    EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
  }
}

TEST(CrossingBranches, AreNamedAtRest) {
  for (const Closure closure : {Closure::kBall, Closure::kJoint}) {
    const std::string of = closure == Closure::kBall
                               ? "ball between 'coupler0' and 'crank1'"
                               : "loop that joint";
    for (const int number : {2, 3, 4}) {
      for (const double angle : {0.0, M_PI}) {
        ExpectWarnings(
            {"Flat" + std::to_string(number),
             [=](Linkage* m) { AddCranks(m, number, angle, closure); }, of});
      }
    }
  }
  ExpectWarnings({"FoldedSliderCrank",
                  [](Linkage* m) { AddSliderCrank(m, 1, 1, M_PI / 2); },
                  "ball between 'rod' and 'piston'"});
}

TEST(CrossingBranches, AreNoneWhereAMechanismIsRegularOrAlwaysRedundant) {
  for (const double angle : {0.3, 1.0, M_PI / 2, 2.0}) {
    for (const Closure closure : {Closure::kBall, Closure::kJoint}) {
      for (const int number : {2, 3, 4}) {
        ExpectWarnings({"Cranks" + std::to_string(number), [=](Linkage* m) {
                          AddCranks(m, number, angle, closure);
                        }});
      }
    }
    ExpectWarnings(
        {"SliderCrank", [=](Linkage* m) { AddSliderCrank(m, 0.5, 1, angle); }});
    ExpectWarnings({"Bennett", [=](Linkage* m) { AddBennett(m, angle); }});
  }
}

// At a dead centre the piston stands, but the crank turns on.
TEST(CrossingBranches, AreNoneAtADeadCentre) {
  for (const double angle : {0.0, M_PI}) {
    ExpectWarnings(
        {"DeadCentre", [=](Linkage* m) { AddSliderCrank(m, 0.5, 1, angle); }});
  }
}

// A stretched arm between fixed points can only shake.
TEST(CrossingBranches, AreNoneWhereNothingMoves) {
  ExpectWarnings({"Stretched", [](Linkage* m) {
                    const auto& one = m->Bar("one", 1);
                    const auto& other = m->Bar("other", 1);
                    m->Hinge(m->plant.world_body(), kZero, one);
                    m->Hinge(one, kX, other);
                    m->Close(Closure::kBall, other, kX, m->plant.world_body(),
                             2 * kX);
                  }});
}

// Velocities determine the branch.
TEST(CrossingBranches, AreNoneInMotion) {
  Linkage m(0);
  AddCranks(&m, 2, 0, Closure::kBall);
  EXPECT_EQ(m.Warnings(1), "");
}

TEST(CrossingBranches, AreNoneForTheFourBarsOfOtherTests) {
  for (const auto closure : {FourBar::Closure::kBall, FourBar::Closure::kWeld,
                             FourBar::Closure::kJoint}) {
    for (const double time_step : {0.0, 1e-3}) {
      for (double theta = 0.1; theta < 6; theta += 0.5) {
        FourBar m(time_step, closure);
        m.SetAngles(theta);
        EXPECT_EQ(m.plant.DescribeDifficulties(*m.context), "");
      }
    }
  }
}

}  // namespace crossing_branches_test
}  // namespace wyvern::multibody
