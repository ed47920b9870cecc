// Mechanisms that pass a configuration where branches of motion cross stay on
// their branch. The double four-bar is from the IFToMM's library of
// computational benchmark problems for multibody dynamics.
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace singular_passages_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using math::RotationMatrixd;
using systems::Context;
using test::MakeInertia;

enum class Closure { kBall, kJoint };
using Projection = ConstraintProjection;

// Three uprights at x = 0, 1 and 2 turn about y, with two couplers on their
// tips. All bars are slender rods of 1 m and 1 kg, and are collinear twice per
// turn. The angle a of the uprights from the vertical is that of a pendulum:
//   3 a'' = 3.5 g sin(a),   energy 1.5 a'^2 + 3.5 g cos(a).
struct DoubleFourBar {
  static constexpr double kGravity = 9.81;
  // Place of the tip after 10 s, for a = 0 and a' = 1 at first, by quadrature.
  static constexpr double kTipX = 0.32845811154, kTipZ = 0.94451853818;

  explicit DoubleFourBar(double time_step, Closure closure,
                         Projection projection = Projection::kNone,
                         const RotationMatrixd& R_WM = {})
      : plant(time_step) {
    const Vector3d z = Vector3d::UnitZ(), x = Vector3d::UnitX();
    for (int i = 0; i < 3; ++i) {
      uprights.push_back(&plant.AddRigidBody(
          "upright" + std::to_string(i), MakeInertia(1, 0.5 * z, 1.0 / 12)));
      hinges.push_back(&plant.AddJoint<RevoluteJoint>(
          "base" + std::to_string(i), plant.world_body(),
          RigidTransformd(R_WM, R_WM * (i * x)), *uprights[i], {},
          Vector3d::UnitY()));
    }
    for (int i = 0; i < 2; ++i) {
      const auto& coupler = plant.AddRigidBody(
          "coupler" + std::to_string(i), MakeInertia(1, 0.5 * x, 1.0 / 12));
      plant.AddJoint<RevoluteJoint>("tip" + std::to_string(i), *uprights[i],
                                    RigidTransformd(z), coupler, {},
                                    Vector3d::UnitY());
      if (closure == Closure::kBall) {
        plant.AddBallConstraint(coupler, x, *uprights[i + 1], z);
      } else {
        plant.AddJoint<RevoluteJoint>("loop" + std::to_string(i), coupler,
                                      RigidTransformd(x), *uprights[i + 1],
                                      RigidTransformd(z), Vector3d::UnitY());
      }
    }
    plant.mutable_gravity_field().set_gravity_vector(R_WM * (-kGravity * z));
    if (time_step == 0) plant.set_constraint_projection(projection);
    plant.Finalize();
    context = plant.CreateDefaultContext();
  }

  // Sets a motion that all uprights share: couplers, and joints of loops, turn
  // back.
  void SetMotion(double angle, double rate) {
    for (JointIndex i : plant.GetJointIndices()) {
      const auto* hinge =
          dynamic_cast<const RevoluteJoint<double>*>(&plant.get_joint(i));
      if (hinge == nullptr) continue;
      const double sign = hinge->name().starts_with("tip") ? -1 : 1;
      hinge->set_angle(context.get(), sign * angle);
      hinge->set_angular_rate(context.get(), sign * rate);
    }
  }

  // Returns the distance of the first upright's tip from the exact one.
  double CalcTipError(const Context<double>& at) const {
    const double angle = hinges[0]->get_angle(at);
    return std::hypot(std::sin(angle) - kTipX, std::cos(angle) - kTipZ);
  }
  double CalcEnergyError(const Context<double>& at) const {
    return plant.CalcKineticEnergy(at) + plant.CalcPotentialEnergy(at) -
           (1.5 + 3.5 * kGravity);
  }

  MultibodyPlant<double> plant;
  std::vector<const RigidBody<double>*> uprights;
  std::vector<const RevoluteJoint<double>*> hinges;  // Of uprights.
  std::unique_ptr<Context<double>> context;
};

struct Method {
  const char* scheme;
  std::vector<double> accuracies;
};

// Tests ten passages, and their error of motion.
void ExpectExactTip(Closure closure, Projection projection,
                    const Method& method, const RotationMatrixd& R_WM = {}) {
  for (const double accuracy : method.accuracies) {
    SCOPED_TRACE(fmt::format("{} at {}", method.scheme, accuracy));
    DoubleFourBar m(0, closure, projection, R_WM);
    m.SetMotion(0, 1);
    systems::Simulator<double> simulator(m.plant, std::move(m.context));
    systems::SimulatorConfig config;
    config.integration_scheme = method.scheme;
    config.accuracy = accuracy;
    systems::ApplySimulatorConfig(config, &simulator);
    simulator.AdvanceTo(10);
    const auto& context = simulator.get_context();
    // Ten seconds are five turns of a pendulum, which leaves its upper rest
    // slowly.
    EXPECT_LT(m.CalcTipError(context), 500 * accuracy);
    EXPECT_LT(std::abs(m.CalcEnergyError(context)), 500 * accuracy);
  }
}

class SingularPassages
    : public ::testing::TestWithParam<std::tuple<Closure, Projection>> {
 protected:
  void Expect(const Method& method) {
    const auto [closure, projection] = GetParam();
    ExpectExactTip(closure, projection, method);
  }
};

TEST_P(SingularPassages, KeepTheirBranchByTheDefaultIntegrator) {
  Expect({"runge_kutta3", {1e-5, 3e-6, 1e-6, 3e-7, 1e-7}});
}

TEST_P(SingularPassages, KeepTheirBranchByRungeKutta5) {
  Expect({"runge_kutta5", {1e-6, 1e-7, 1e-8, 1e-9}});
}

TEST_P(SingularPassages, KeepTheirBranchByFehlberg78) {
  Expect({"fehlberg78", {1e-6, 1e-7, 1e-8}});
}

TEST_P(SingularPassages, KeepTheirBranchByRadau5) {
  Expect({"radau5", {1e-6, 1e-7, 1e-8}});
}

INSTANTIATE_TEST_SUITE_P(
    DoubleFourBars, SingularPassages,
    ::testing::Combine(::testing::Values(Closure::kBall, Closure::kJoint),
                       ::testing::Values(Projection::kNone,
                                         Projection::kEveryStep)));

// In this case no row of a ball is along the bars.
TEST(SingularPassage, KeepsItsBranchInAnyPlane) {
  const RotationMatrixd R_WM(math::RollPitchYawd(0.4, -0.7, 1.1));
  for (const Closure closure : {Closure::kBall, Closure::kJoint}) {
    ExpectExactTip(closure, Projection::kNone,
                   {"runge_kutta5", {1e-7, 1e-8, 1e-9}}, R_WM);
  }
}

// The first passage comes after 0.71 s.
TEST(SingularPassage, AllocatesNothing) {
  DoubleFourBar m(0, Closure::kBall);
  m.SetMotion(0, 1);
  systems::Simulator<double> simulator(m.plant, std::move(m.context));
  simulator.reset_integrator<systems::RungeKutta3Integrator<double>>();
  simulator.get_mutable_integrator().set_fixed_step_mode(true);
  simulator.get_mutable_integrator().set_maximum_step_size(1e-3);
  simulator.Initialize();
  simulator.AdvanceTo(0.01);
  const wyvern::test::AllocationGuard guard;
  simulator.AdvanceTo(0.8);
  EXPECT_EQ(guard.count(), 0);
}

// Sets the uprights' rates where all bars are collinear; couplers turn with the
// tips.
void SetRatesAtCrossing(DoubleFourBar* m, const Vector3d& rates) {
  m->SetMotion(M_PI / 2, 0);
  for (int i = 0; i < 3; ++i) {
    m->hinges[i]->set_angular_rate(m->context.get(), rates[i]);
  }
}

// An upright may stop there, or continue with the others.
TEST(SingularPassage, SaysThatVelocitiesOnNoBranchCannotGoOn) {
  const auto evaluate = [](const Vector3d& rates) {
    DoubleFourBar m(0, Closure::kBall);
    SetRatesAtCrossing(&m, rates);
    for (int i = 0; i < 2; ++i) {
      m.plant.GetJointByName<RevoluteJoint>("tip" + std::to_string(i))
          .set_angular_rate(m.context.get(), rates[i + 1] - 2 * rates[i]);
    }
    EXPECT_LT(m.plant.CalcConstraintVelocities(*m.context).norm(), 1e-14);
    m.plant.EvalTimeDerivatives(*m.context);
  };
  EXPECT_NO_THROW(evaluate(Vector3d(1, 1, 1)));
  EXPECT_NO_THROW(evaluate(Vector3d(0, 1, 1)));
  EXPECT_THROWS_MESSAGE(evaluate(Vector3d(0.5, 1, 1)), std::runtime_error,
                        "ball between 'coupler0' and 'upright1'");
}

// Bricard's (1897) loop of six joints, with links of 1 m and twists of 90 and
// -90 degrees in turn. Its axes always have rank 5, so that it moves although
// six joints usually do not. Joints 0, 2 and 4 have one angle a, the others b:
//   (1 + cos a) (1 + cos b) = 1,
// a closed curve about (0, 0), whose links are flat where an angle is 0.
struct Bricard {
  explicit Bricard(double time_step) : plant(time_step) {
    const auto twist = [](int i) {
      return RigidTransformd(
          RotationMatrixd::MakeXRotation(i % 2 == 0 ? M_PI / 2 : -M_PI / 2),
          Vector3d::UnitX());
    };
    const RigidBody<double>* parent = &plant.world_body();
    RigidTransformd X_LF;
    for (int i = 0; i < 5; ++i) {
      const std::string name = "link" + std::to_string(i);
      const auto& link = plant.AddRigidBody(
          name, SpatialInertia<double>::SolidBoxWithMass(1, 0.3, 0.1, 0.1));
      joints.push_back(&plant.AddJoint<RevoluteJoint>(name, *parent, X_LF, link,
                                                      {}, Vector3d::UnitZ()));
      parent = &link;
      X_LF = twist(i);
    }
    // The world is the sixth link.
    joints.push_back(&plant.AddJoint<RevoluteJoint>("last", plant.world_body(),
                                                    twist(5).inverse(), *parent,
                                                    X_LF, -Vector3d::UnitZ()));
    plant.mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    plant.Finalize();
    context = plant.CreateDefaultContext();
    for (int i = 0; i < 6; ++i) {
      joints[i]->set_angle(context.get(), M_PI / 2);
      joints[i]->set_angular_rate(context.get(), i % 2 == 0 ? 2 : -2);
    }
  }

  // Returns how far all angles are from the curve.
  double CalcErrorOfCurve(const Context<double>& at) const {
    double error = 0;
    for (int i = 0; i < 6; ++i) {
      const double a = joints[i]->get_angle(at);
      const double b = joints[(i + 1) % 6]->get_angle(at);
      error =
          std::max(error, std::abs((1 + std::cos(a)) * (1 + std::cos(b)) - 1));
    }
    return error;
  }

  MultibodyPlant<double> plant;
  std::vector<const RevoluteJoint<double>*> joints;
  std::unique_ptr<Context<double>> context;
};

// Without gravity the mechanism goes round its curve for ever. The flat poses
// are passed with the velocity before them.
void ExpectRounds(double time_step, const Method& method, double accuracy,
                  double bound) {
  SCOPED_TRACE(
      fmt::format("{} at {}, step {}", method.scheme, accuracy, time_step));
  Bricard m(time_step);
  const double energy = m.plant.CalcKineticEnergy(*m.context);
  systems::Simulator<double> simulator(m.plant, std::move(m.context));
  systems::SimulatorConfig config;
  config.integration_scheme = method.scheme;
  config.accuracy = accuracy;
  systems::ApplySimulatorConfig(config, &simulator);
  const auto& context = simulator.get_context();
  double turned = 0, before = M_PI / 4;
  for (int i = 1; i <= 500; ++i) {
    simulator.AdvanceTo(0.02 * i);
    const double now = std::atan2(m.joints[1]->get_angle(context),
                                  m.joints[0]->get_angle(context));
    const double step = std::remainder(now - before, 2 * M_PI);
    EXPECT_LT(step, 0) << context.get_time();
    turned += step;
    before = now;
    EXPECT_LT(m.CalcErrorOfCurve(context), bound) << context.get_time();
    EXPECT_NEAR(m.plant.CalcKineticEnergy(context), energy, bound * energy)
        << context.get_time();
    if (testing::Test::HasFailure()) return;
  }
  // Each round passes four flat poses.
  EXPECT_LT(turned, -2 * M_PI);
}

TEST(BricardsLoop, GoesRoundItsCurveInContinuousTime) {
  for (const Method& method :
       {Method{"runge_kutta3", {1e-4, 1e-6}},
        Method{"runge_kutta5", {1e-6, 1e-9}},
        Method{"fehlberg78", {1e-6, 1e-8}}, Method{"radau5", {1e-6, 1e-8}}}) {
    for (const double accuracy : method.accuracies) {
      ExpectRounds(0, method, accuracy, 500 * accuracy);
    }
  }
}

TEST(BricardsLoop, GoesRoundItsCurveInSteps) {
  for (const double time_step : {1e-3, 1e-4}) {
    ExpectRounds(time_step, {"runge_kutta3", {}}, 1e-4, 100 * time_step);
  }
}

}  // namespace singular_passages_test
}  // namespace wyvern::multibody
