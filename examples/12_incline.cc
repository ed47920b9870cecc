// Blocks on a slope, on either side of the friction cone.
//
//        [A]            A: mu = 0.5 > tan(a): sticks
//     .-'   [B]         B: mu = 0.3 < tan(a): slides with g (sin a - mu cos a)
//  .-' a = 22 deg '-.
#include <cmath>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double kGravity = 9.81;  // m/s^2
constexpr double kSize = 0.1;      // m
constexpr double kMass = 1;        // kg
const double kAngle = 22 * std::acos(-1.0) / 180;

const RigidBody<double>& AddBlock(MultibodyPlant<double>* plant,
                                  const std::string& name, double mu) {
  const auto& block = plant->AddRigidBody(
      name, SpatialInertia<double>::SolidCubeWithMass(kMass, kSize));
  plant->RegisterCollisionGeometry(block, {},
                                   geometry::Box(kSize, kSize, kSize), name,
                                   CoulombFriction<double>(mu, mu));
  return block;
}

int main() {
  systems::DiagramBuilder<double> builder;
  MultibodyPlant<double>& plant =
      AddMultibodyPlantSceneGraph(&builder, 0.001 /* time step, s */).plant;
  // A pair's friction is 2 mu nu / (mu + nu): the block's own for equal ones.
  plant.RegisterCollisionGeometry(plant.world_body(), {}, geometry::HalfSpace(),
                                  "slope", CoulombFriction<double>(0.4, 0.4));
  const auto& A = AddBlock(&plant, "A", 2.0 / 3);  // 0.5 on the slope.
  const auto& B = AddBlock(&plant, "B", 0.24);     // 0.3 on the slope.
  plant.mutable_gravity_field().set_gravity_vector(
      kGravity * Vector3d(std::sin(kAngle), 0, -std::cos(kAngle)));
  plant.Finalize();
  const auto diagram = builder.Build();

  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  const auto place = [&](const RigidBody<double>& block, double y) {
    plant.SetFreeBodyPose(
        &context, block,
        math::RigidTransformd(Vector3d(0, y, kSize / 2 - 2e-4)));
  };
  place(A, 0);
  place(B, 1);
  const double settle = 0.5, slide = 1.0;  // s
  const auto speed = [&](const RigidBody<double>& block) {
    return plant.EvalBodySpatialVelocityInWorld(context, block)
        .translational()
        .x();
  };
  simulator.AdvanceTo(settle);
  const double before = speed(B);
  simulator.AdvanceTo(settle + slide);
  const double acceleration = (speed(B) - before) / slide;
  const double expected =
      kGravity * (std::sin(kAngle) - 0.3 * std::cos(kAngle));

  fmt::print("A creeps at {:.2e} m/s; stiction tolerance {:.0e} m/s\n",
             speed(A), plant.stiction_tolerance());
  fmt::print("B accelerates at {:.5f} m/s^2, in closed form {:.5f}\n",
             acceleration, expected);
  const bool is_right = std::abs(speed(A)) < 2 * plant.stiction_tolerance() &&
                        std::abs(acceleration - expected) < 1e-3 * expected;
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
