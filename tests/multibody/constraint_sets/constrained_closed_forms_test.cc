// Constrained motions whose accelerations, forces and impulses are known.
#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/multibody/tree/planar_joint.h"

namespace wyvern::multibody {
namespace {

using math::RigidTransform;
using math::RotationMatrix;
using systems::Context;
using test::MakeInertia;
using wyvern::test::Near;

constexpr double kGravity = 9.81;

// A point mass that slides along x and z, kept at a distance from the origin.
template <typename T>
class Rod final : public Constraint<T> {
 public:
  explicit Rod(double length) : Constraint<T>(1, "rod"), length_(length) {}

 private:
  using Plant = internal::MultibodyTreeSystem<T>;
  void DoCalcPositionError(const Plant& plant, const Context<T>& context,
                           Eigen::Ref<VectorX<T>> error) const override {
    error[0] = plant.PositionsOf(context).norm() - length_;
  }
  void DoCalcJacobian(const Plant& plant, const Context<T>& context,
                      Eigen::Ref<MatrixX<T>> G) const override {
    const auto q = plant.PositionsOf(context);
    G = q.transpose() / q.norm();
  }
  void DoCalcGamma(const Plant& plant, const Context<T>& context,
                   Eigen::Ref<VectorX<T>> gamma) const override {
    const VectorX<T> q = plant.PositionsOf(context);
    const VectorX<T> v = plant.VelocitiesOf(context);
    const T along = q.dot(v) / q.norm();
    gamma[0] = -(v.squaredNorm() - along * along) / q.norm();
  }
  double length_;
};

TEST(ConstrainedClosedForms, PointOnARodIsAPendulum) {
  MultibodyPlant<double> plant(0.0);
  const auto& carrier = plant.AddRigidBody("carrier");
  const auto& bob =
      plant.AddRigidBody("bob", MakeInertia(2, Vector3<double>::Zero(), 0.1));
  plant.AddJoint<PrismaticJoint>("x", plant.world_body(), {}, carrier, {},
                                 Vector3<double>::UnitX());
  plant.AddJoint<PrismaticJoint>("z", carrier, {}, bob, {},
                                 Vector3<double>::UnitZ());
  plant.Finalize();
  ConstraintSet<double> set;
  set.AddCustomConstraint(std::make_shared<Rod<double>>(1.5));
  set.Bind(plant);
  auto context = plant.CreateDefaultContext();
  const double angle = 0.4, rate = 1.7, l = 1.5;
  const Vector2<double> out(std::sin(angle), -std::cos(angle));
  const Vector2<double> along(std::cos(angle), std::sin(angle));
  plant.SetPositions(context.get(), l * out);
  plant.SetVelocities(context.get(), rate * l * along);
  VectorX<double> vdot(2), error(1);
  const VectorX<double> tau = VectorX<double>::Zero(2);
  for (auto* f : {&ForwardDynamicsConstraintsDirect<double>,
                  &ForwardDynamicsConstraintsRangeSpaceSparse<double>,
                  &ForwardDynamicsConstraintsNullSpace<double>}) {
    f(plant, *context, tau, &set, &vdot, nullptr);
    const Vector2<double> expected =
        -kGravity * std::sin(angle) * along - rate * rate * l * out;
    EXPECT_TRUE(Near(vdot, expected, 1e-13));
    // The tension: its direction is inward.
    EXPECT_NEAR(set.force()[0],
                -2 * (kGravity * std::cos(angle) + rate * rate * l), 1e-12);
  }
  CalcConstraintsPositionError<double>(plant, *context, &set, &error);
  EXPECT_NEAR(error[0], 0, 1e-15);
}

// A free rod of mass m and length l along x, its end at the origin.
struct FreeRod {
  static constexpr double kMass = 3;
  static constexpr double kLength = 0.8;
  static constexpr double kMoment = kMass * kLength * kLength / 12;

  FreeRod() {
    body = &plant.AddRigidBody("rod", MakeInertia(kMass, {0, 0, 0}, kMoment));
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetFreeBodyPose(
        context.get(), *body,
        RigidTransform<double>(Vector3<double>(kLength / 2, 0, 0)));
  }
  Vector3<double> End() const { return {-kLength / 2, 0, 0}; }

  MultibodyPlant<double> plant{0.0};
  const RigidBody<double>* body{};
  std::unique_ptr<Context<double>> context;
};

TEST(ConstrainedClosedForms, RodHeldAtOneEndWeighsAQuarterThere) {
  FreeRod rod;
  ConstraintSet<double> set;
  set.AddContactConstraint(*rod.body, rod.End(), {0, 0, 5}, "end");
  set.Bind(rod.plant);
  VectorX<double> vdot(6);
  for (auto* f : {&ForwardDynamicsConstraintsDirect<double>,
                  &ForwardDynamicsContactsKokkevis<double>}) {
    f(rod.plant, *rod.context, VectorX<double>::Zero(6), &set, &vdot, nullptr);
    EXPECT_NEAR(set.force()[0], FreeRod::kMass * kGravity / 4, 1e-12);
    // About y, and of the middle.
    EXPECT_NEAR(vdot[1], 1.5 * kGravity / FreeRod::kLength, 1e-12);
    EXPECT_NEAR(vdot[5], -0.75 * kGravity, 1e-12);
  }
}

TEST(ConstrainedClosedForms, FallingRodThatHitsWithOneEndLosesAQuarter) {
  FreeRod rod;
  VectorX<double> v = VectorX<double>::Zero(6), after(6);
  v[5] = -2;
  rod.plant.SetVelocities(rod.context.get(), v);
  ConstraintSet<double> set;
  set.AddContactConstraint(*rod.body, rod.End(), {0, 0, 1}, "end");
  set.Bind(rod.plant);
  for (auto* f : {&ComputeConstraintImpulsesDirect<double>,
                  &ComputeConstraintImpulsesRangeSpaceSparse<double>,
                  &ComputeConstraintImpulsesNullSpace<double>}) {
    f(rod.plant, *rod.context, &set, &after);
    EXPECT_NEAR(set.impulse()[0], -FreeRod::kMass * 2 / 4, 1e-12);
    EXPECT_NEAR(after[5], -1.5, 1e-12);
    EXPECT_NEAR(after[1], 1.5 * 2 / FreeRod::kLength, 1e-12);
  }
  std::vector<BodyIndex> bodies;
  std::vector<RigidTransform<double>> frames;
  std::vector<SpatialForce<double>> impulses;
  set.CalcImpulses(0, rod.plant, *rod.context, &bodies, &frames, &impulses);
  ASSERT_EQ(impulses.size(), 2);
  EXPECT_EQ(bodies[0], rod.body->index());
  EXPECT_EQ(bodies[1], world_index());
  EXPECT_TRUE(Near(frames[0].translation(), rod.End(), 1e-15));
  EXPECT_TRUE(
      Near(impulses[0].translational(), Vector3<double>(0, 0, 1.5), 1e-12));
  EXPECT_TRUE(
      Near(impulses[1].translational(), Vector3<double>(0, 0, -1.5), 1e-12));
}

TEST(ConstrainedClosedForms, ReboundIsTheVelocityThatWasAskedFor) {
  FreeRod rod;
  VectorX<double> v = VectorX<double>::Zero(6), after(6);
  v[5] = -2;
  rod.plant.SetVelocities(rod.context.get(), v);
  ConstraintSet<double> set;
  set.AddContactConstraint(*rod.body, {0, 0, 0}, {0, 0, 1});
  set.Bind(rod.plant);
  set.SetVPlus(Vector<double, 1>(0.5 * 2));  // Restitution of one half.
  ComputeConstraintImpulsesDirect<double>(rod.plant, *rod.context, &set,
                                          &after);
  EXPECT_NEAR(after[5], 1, 1e-12);
  EXPECT_NEAR(set.impulse()[0], -FreeRod::kMass * 3, 1e-12);
}

// Free of the world but for a loop that is a hinge about y at the origin.
TEST(ConstrainedClosedForms, FreeRodOnAHingeOfLoopConstraintsIsAPendulum) {
  FreeRod rod;
  ConstraintSet<double> set;
  const RigidTransform<double> X_BS(rod.End());
  for (int i : {0, 2, 3, 4, 5}) {
    set.AddLoopConstraint(rod.plant.world_body(), *rod.body, {}, X_BS,
                          Vector6<double>::Unit(i), true, 0.1, "hinge");
  }
  EXPECT_EQ(set.num_groups(), 1);
  set.Bind(rod.plant);
  // Hanging at an angle, and turning.
  const double angle = 2.0, rate = -1.3, l = FreeRod::kLength;
  const auto R = RotationMatrix<double>::MakeYRotation(angle);
  const Vector3<double> middle = R * Vector3<double>(l / 2, 0, 0);
  rod.plant.SetFreeBodyPose(rod.context.get(), *rod.body,
                            RigidTransform<double>(R, middle));
  VectorX<double> v(6), vdot(6), error(5);
  const Vector3<double> w(0, rate, 0);
  v << w, w.cross(middle);
  rod.plant.SetVelocities(rod.context.get(), v);
  CalcConstraintsPositionError<double>(rod.plant, *rod.context, &set, &error);
  EXPECT_TRUE(Near(error, VectorX<double>::Zero(5), 1e-14));
  ForwardDynamicsConstraintsNullSpace<double>(
      rod.plant, *rod.context, VectorX<double>::Zero(6), &set, &vdot);
  // Turning about y lowers the rod's x end: torque m g l/2 cos(angle).
  const double alpha = 1.5 * kGravity / l * std::cos(angle);
  EXPECT_TRUE(Near(vdot.head<3>(), Vector3<double>(0, alpha, 0), 1e-12));
  const Vector3<double> a = vdot.tail<3>();
  EXPECT_TRUE(Near(
      a, Vector3<double>(0, alpha, 0).cross(middle) + w.cross(w.cross(middle)),
      1e-12));
  // Load on the hinge.
  std::vector<BodyIndex> bodies;
  std::vector<RigidTransform<double>> frames;
  std::vector<SpatialForce<double>> forces;
  set.CalcForces(0, rod.plant, *rod.context, &bodies, &frames, &forces, true);
  const Vector3<double> f =
      FreeRod::kMass * (a + Vector3<double>(0, 0, kGravity));
  EXPECT_TRUE(Near(forces[1].translational(), f, 1e-11));
  EXPECT_TRUE(Near(forces[0].translational(), -f, 1e-11));
  EXPECT_TRUE(Near(forces[1].rotational(), Vector3<double>::Zero(), 1e-11));
}

TEST(ConstrainedClosedForms, FourFeetOfATableShareItsWeight) {
  MultibodyPlant<double> plant(0.0);
  const auto& table =
      plant.AddRigidBody("table", MakeInertia(8, {0, 0, 0.7}, 0.5));
  plant.Finalize();
  auto context = plant.CreateDefaultContext();
  ConstraintSet<double> set;
  for (double x : {-0.5, 0.5}) {
    for (double y : {-0.3, 0.3}) {
      for (int i = 2; i >= 0; --i) {
        set.AddContactConstraint(table, {x, y, 0}, Vector3<double>::Unit(i));
      }
    }
  }
  set.Bind(plant);
  VectorX<double> vdot(6);
  for (auto* f : {&ForwardDynamicsConstraintsDirect<double>,
                  &ForwardDynamicsConstraintsRangeSpaceSparse<double>,
                  &ForwardDynamicsConstraintsNullSpace<double>,
                  &ForwardDynamicsContactsKokkevis<double>}) {
    f(plant, *context, VectorX<double>::Zero(6), &set, &vdot, nullptr);
    EXPECT_TRUE(Near(vdot, VectorX<double>::Zero(6), 1e-12));
    EXPECT_EQ(set.dependent_rows().size(), 6);
    for (int foot = 0; foot < 4; ++foot) {
      EXPECT_NEAR(set.force()[3 * foot], 2 * kGravity, 1e-10);
      EXPECT_NEAR(set.force()[3 * foot + 1], 0, 1e-10);
    }
  }
}

TEST(ConstrainedClosedForms, ImpactsThatContradictOneAnotherAreRefused) {
  FreeRod rod;
  ConstraintSet<double> set;
  set.AddContactConstraint(*rod.body, rod.End(), {0, 0, 1}, "left");
  set.AddContactConstraint(*rod.body, -rod.End(), {0, 0, 1}, "right");
  set.AddContactConstraint(*rod.body, {0, 0, 0}, {0, 0, 1}, "middle");
  set.AddContactConstraint(*rod.body, {0, 0, 0}, {1, 0, 0}, "aside");
  set.Bind(rod.plant);
  VectorX<double> after(6);
  const auto impulses = {&ComputeConstraintImpulsesDirect<double>,
                         &ComputeConstraintImpulsesRangeSpaceSparse<double>,
                         &ComputeConstraintImpulsesNullSpace<double>};
  // Ends at 1 m/s and 2 m/s: the middle at 1.5 m/s, and at nothing else.
  set.SetVPlus(Vector4<double>(1, 2, 1.5, 0));
  for (auto* f : impulses) {
    f(rod.plant, *rod.context, &set, &after);
    EXPECT_NEAR(after[5], 1.5, 1e-12);
    ASSERT_EQ(set.dependent_rows().size(), 1);
    EXPECT_EQ(set.dependent_rows()[0], 2);
  }
  set.SetVPlus(Vector4<double>(1, 2, 1.4, 0));
  for (auto* f : impulses) {
    EXPECT_THROWS_MESSAGE(
        f(rod.plant, *rod.context, &set, &after), std::runtime_error,
        "row 0 of 'left', row 1 of 'right', row 2 of 'middle'.");
  }
}

TEST(ConstrainedClosedForms, OppositeHingeAxesAreRefused) {
  FreeRod rod;
  ConstraintSet<double> set;
  for (int i : {0, 1}) {
    set.AddLoopConstraint(
        rod.plant.world_body(), *rod.body,
        RigidTransform<double>(RotationMatrix<double>::MakeXRotation(M_PI),
                               Vector3<double>::Zero()),
        {}, Vector6<double>::Unit(i), false, 0.1, "upside_down");
  }
  set.Bind(rod.plant);
  VectorX<double> error(2);
  EXPECT_THROWS_MESSAGE(CalcConstraintsPositionError<double>(
                            rod.plant, *rod.context, &set, &error),
                        std::runtime_error, "'upside_down'");
}

}  // namespace
}  // namespace wyvern::multibody
