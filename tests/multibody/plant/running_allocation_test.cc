// Allocations of a run that is under way: steps whose contacts come and go,
// every output read, error-controlled steps, and the plant's own queries.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/multibody/plant/plant_models.h"
#include "tests/support/allocation_guard.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"

namespace wyvern::multibody {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using wyvern::test::AllocationGuard;
using Approximation = DiscreteContactApproximation;

int64_t CountIn(const std::function<void()>& call) {
  const AllocationGuard guard;
  call();
  return guard.count();
}

// Boxes that fall on one another and over.
class FallingBoxes : public test::ContactScene {
 public:
  explicit FallingBoxes(Approximation approximation)
      : ContactScene(2e-3, approximation) {
    std::vector<const RigidBody<double>*> boxes;
    for (int i = 0; i < 6; ++i) {
      boxes.push_back(&AddBox("box" + std::to_string(i), 1, 0.2));
    }
    Finish();
    for (int i = 0; i < 6; ++i) {
      Place(*boxes[i], {0.07 * std::sin(5.0 * i), 0.07 * std::cos(3.0 * i),
                        0.2 + 0.25 * i});
    }
  }
};

// Boxes, balls, cylinders, capsules and ellipsoids that fall on one another.
class FallingShapes : public test::ContactScene {
 public:
  static constexpr int kBodies = 32;

  FallingShapes() : ContactScene(2e-3) {
    const geometry::Box box(0.1, 0.08, 0.06);
    const geometry::Sphere ball(0.04);
    const geometry::Cylinder cylinder(0.04, 0.07);
    const geometry::Capsule capsule(0.03, 0.06);
    const geometry::Ellipsoid ellipsoid(0.05, 0.04, 0.03);
    const geometry::Shape* const shapes[] = {&box, &ball, &cylinder, &capsule,
                                             &ellipsoid};
    std::vector<const RigidBody<double>*> bodies;
    for (int i = 0; i < kBodies; ++i) {
      bodies.push_back(&Add("body" + std::to_string(i),
                            MakeInertia(0.2, Vector3d::Zero(), 2e-4),
                            *shapes[i % 5]));
    }
    Finish();
    for (int i = 0; i < kBodies; ++i) {
      Place(*bodies[i], {0.05 * std::sin(5.0 * i), 0.05 * std::cos(3.0 * i),
                         0.06 + 0.04 * i});
    }
  }
};

// A ball on the ground with an arm on a hinge.
class BallWithArm : public test::ContactScene {
 public:
  explicit BallWithArm(double time_step) : ContactScene(time_step) {
    const auto& ball = AddBall("ball", 1, 0.1);
    plant->AddJoint<RevoluteJoint>("hinge", ball, {}, AddBall("arm", 1, 0.05),
                                   RigidTransformd(Vector3d(0, 0, -0.3)),
                                   Vector3d(0, 1, 0));
    Finish();
    Place(ball, {0, 0, 0.0999});
  }
};

class RunningAllocation : public testing::Test {
 protected:
  void SetUp() override {
    if (!AllocationGuard::is_active()) GTEST_SKIP() << "malloc is not counted";
  }
};

TEST_F(RunningAllocation, StepsWhoseContactsComeAndGo) {
  for (const Approximation approximation :
       {Approximation::kTamsi, Approximation::kSap, Approximation::kSimilar,
        Approximation::kLagged}) {
    FallingBoxes scene(approximation);
    int most = 0, changes = 0, before = 0;
    int64_t beyond = 0, later = 0;
    for (int i = 1; i <= 1000; ++i) {
      const int64_t count =
          CountIn([&] { scene.simulator->AdvanceTo(2e-3 * i); });
      const int n = scene.Results().num_point_pair_contacts();
      changes += n != before;
      (n > most || i == 1 ? beyond : later) += count;
      before = n;
      most = std::max(most, n);
    }
    EXPECT_GT(changes, 20);
    EXPECT_GT(beyond, 0);
    // Pairs and islands grow to sizes of their own.
    EXPECT_LT(later, 100) << most << " contacts at most";
  }
}

// A plant that has computed a motion once has memory for all of it: contacts,
// their pairs and islands, and the factors of these.
TEST_F(RunningAllocation, NothingWhileAMotionWithContactsIsRepeated) {
  FallingShapes scene;
  systems::Context<double>& root = scene.simulator->get_mutable_context();
  const auto start = root.Clone();
  int64_t counts[2] = {};
  int changes = 0, most = 0;
  for (int64_t& count : counts) {
    root.SetTimeStateAndParametersFrom(*start);
    scene.simulator->Initialize();
    int before = 0;
    for (int i = 1; i <= 300; ++i) {
      count += CountIn([&] { scene.simulator->AdvanceTo(2e-3 * i); });
      const int n = scene.Results().num_point_pair_contacts();
      changes += n != before;
      before = n;
      most = std::max(most, n);
    }
  }
  EXPECT_GE(most, 30);
  EXPECT_GT(changes, 100);
  EXPECT_GT(counts[0], 0);
  EXPECT_EQ(counts[1], 0);
}

TEST_F(RunningAllocation, EveryOutputRead) {
  for (const double time_step : {1e-3, 0.0}) {
    BallWithArm scene(time_step);
    for (int i = 1; i <= 10; ++i) {
      scene.simulator->AdvanceTo(0.01 * i);
      for (systems::OutputPortIndex k(0); k < scene.plant->num_output_ports();
           ++k) {
        const auto& port = scene.plant->get_output_port(k);
        const int64_t count =
            CountIn([&] { port.template Eval<AbstractValue>(*scene.context); });
        if (i > 1) {
          EXPECT_EQ(count, 0) << port.get_name() << time_step;
        }
      }
    }
  }
}

TEST_F(RunningAllocation, ErrorControlledSteps) {
  BallWithArm scene(0);
  auto& integrator =
      scene.simulator
          ->reset_integrator<systems::RungeKutta3Integrator<double>>();
  integrator.set_maximum_step_size(0.01);
  scene.simulator->AdvanceTo(0.1);
  const auto steps = integrator.get_num_steps_taken();
  EXPECT_EQ(CountIn([&] { scene.simulator->AdvanceTo(0.3); }), 0);
  EXPECT_GT(integrator.get_num_steps_taken(), steps + 10);
}

TEST_F(RunningAllocation, Queries) {
  BallWithArm scene(1e-3);
  const auto& plant = *scene.plant;
  auto& context = *scene.context;
  const auto& ball = plant.GetBodyByName("ball");
  const auto& arm = plant.GetBodyByName("arm");
  const auto& B = arm.body_frame();
  const auto& A = ball.body_frame();
  const auto& W = plant.world_frame();
  const int nv = plant.num_velocities();
  VectorXd v = VectorXd::Zero(nv), q(plant.num_positions());
  MatrixXd M(nv, nv), J3k(6, nv), J6(6, nv);
  Matrix3Xd J3(3, nv);
  MatrixXd points = MatrixXd::Ones(3, 2), result(3, 2);
  constexpr auto of_v = JacobianWrtVariable::kV;
  using Query = std::pair<const char*, std::function<void()>>;
  const std::vector<Query> queries = {
      {"mass", [&] { plant.CalcTotalMass(context); }},
      {"centre of mass",
       [&] { plant.CalcCenterOfMassPositionInWorld(context); }},
      {"its velocity",
       [&] { plant.CalcCenterOfMassTranslationalVelocityInWorld(context); }},
      {"momentum",
       [&] {
         plant.CalcSpatialMomentumInWorldAboutPoint(context, Vector3d::Zero());
       }},
      {"kinetic energy", [&] { plant.CalcKineticEnergy(context); }},
      {"potential energy", [&] { plant.CalcPotentialEnergy(context); }},
      {"M", [&] { plant.CalcMassMatrix(context, &M); }},
      {"C v", [&] { plant.CalcBiasTerm(context, &v); }},
      {"J of a body",
       [&] {
         plant.CalcJacobianSpatialVelocity(context, of_v, B, Vector3d::Zero(),
                                           A, B, &J6);
       }},
      {"J of rotation",
       [&] { plant.CalcJacobianAngularVelocity(context, of_v, B, A, B, &J3); }},
      {"J of points",
       [&] {
         plant.CalcJacobianTranslationalVelocity(
             context, of_v, B, points.leftCols<2>(), A, W, &J3k);
       }},
      {"J of the centre of mass",
       [&] {
         plant.CalcJacobianCenterOfMassTranslationalVelocity(context, of_v, A,
                                                             B, &J3);
       }},
      {"points",
       [&] { plant.CalcPointsPositions(context, B, points, A, &result); }},
      {"q̇", [&] { plant.MapVelocityToQDot(context, v, &q); }},
      {"v", [&] { plant.MapQDotToVelocity(context, q, &v); }},
  };
  for (const auto& [name, query] : queries) {
    query();
    context.NoteContinuousStateChange();
    EXPECT_EQ(CountIn(query), 0) << name;
  }
}

}  // namespace
}  // namespace wyvern::multibody
