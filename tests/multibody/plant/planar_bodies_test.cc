// Bodies of planar models: a moment about one axis alone, as no solid has.
#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::multibody {
namespace planar_bodies_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using wyvern::test::Near;

constexpr double m = 0.7, l = 0.4, I = 0.03, g = 9.81;

// In the x-y plane: mass m at (l, 0, 0), and I about z there.
SpatialInertia<double> MakePlanar(double Ixx = 0, double Iyy = 0) {
  const auto G = RotationalInertia<double>::MakeFromMomentsAndProductsOfInertia(
      Ixx / m, l * l + Iyy / m, l * l + I / m, 0, 0, 0,
      /* skip_validity_check */ true);
  return SpatialInertia<double>(m, Vector3d(l, 0, 0), UnitInertia<double>(G),
                                /* skip_validity_check */ true);
}

TEST(PlanarBodies, SwingAsPlanarMechanicsSays) {
  MultibodyPlant<double> plant(0);
  plant.mutable_gravity_field().set_gravity_vector({0, -g, 0});
  const RigidBody<double>* parent = &plant.world_body();
  for (const char* name : {"upper", "lower"}) {
    const auto& link = plant.AddRigidBody(name, MakePlanar());
    const double x = parent == &plant.world_body() ? 0 : 2 * l;
    plant.AddJoint<RevoluteJoint>(
        name, *parent, math::RigidTransform<double>(Vector3d(x, 0, 0)), link,
        {}, Vector3d::UnitZ());
    parent = &link;
  }
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const double a = 0.3, b = 0.9;  // The second, from the first.
  plant.SetPositions(context.get(), Eigen::Vector2d(a, b));
  // Closed form for rods of length 2 l with masses m at their middles.
  const double c = std::cos(b), r = 2 * l;
  MatrixX<double> M(2, 2), expected(2, 2);
  plant.CalcMassMatrix(*context, &M);
  const double second = I + m * l * l;
  expected << 2 * I + m * (l * l + r * r + l * l + 2 * r * l * c),
      second + m * r * l * c, second + m * r * l * c, second;
  EXPECT_TRUE(Near(M, expected, 1e-15));
  const VectorXd tau = plant.CalcGravityGeneralizedForces(*context);
  EXPECT_NEAR(tau[1], -m * g * l * std::cos(a + b), 1e-14);
  const VectorXd vdot =
      plant.EvalTimeDerivatives(*context).CopyToVector().tail(2);
  EXPECT_TRUE(Near(vdot, M.inverse() * tau, 1e-12));
}

TEST(PlanarBodies, OtherInertiasThatNoBodyHasAreRefused) {
  MultibodyPlant<double> plant(0);
  const auto& body = plant.AddRigidBody("flat", MakePlanar());
  const std::string what = "the spatial inertia of body 'bad' is not physical";
  EXPECT_THROWS_MESSAGE(plant.AddRigidBody("bad", MakePlanar(0.01)),
                        std::logic_error, what);
  EXPECT_THROWS_MESSAGE(plant.AddRigidBody("bad", MakePlanar(0, -0.001)),
                        std::logic_error, what);
  EXPECT_THROWS_MESSAGE(plant.AddRigidBody("bad", MakePlanar(-0.001, -0.001)),
                        std::logic_error, what);
  plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, body, {},
                                Vector3d::UnitZ());
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  body.SetSpatialInertiaInBodyFrame(context.get(), MakePlanar());
  EXPECT_TRUE(
      Near(body.CalcSpatialInertiaInBodyFrame(*context).CopyToFullMatrix6(),
           MakePlanar().CopyToFullMatrix6(), 1e-15));
  EXPECT_THROWS_MESSAGE(
      body.SetSpatialInertiaInBodyFrame(context.get(), MakePlanar(0.01)),
      std::logic_error, "'flat'");
}

}  // namespace planar_bodies_test
}  // namespace wyvern::multibody
