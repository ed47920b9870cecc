// A gripper with soft bubbles for finger tips lifts a rigid box: each bubble is
// fixed to a finger that moves, and clings to the box by friction.
//   |o)  [#]  (o|    fingers along x push with kp (qd - q)
#include <cmath>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "examples/support/servo_gripper.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double kSize = 0.06, kMass = 0.3;       // Of the box, m, kg.
constexpr double kRadius = 0.03, kDensity = 200;  // Of a bubble, m, kg/m³.
constexpr double kGap = 0.002, kSqueeze = 0.012, kLift = 0.15;  // m
constexpr double kReach = kSize / 2 + kGap + kRadius;

static math::RigidTransformd At(double x, double z) {
  return math::RigidTransformd(Vector3d(x, 0, z));
}

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.005);
  const CoulombFriction<double> friction(0.8, 0.8);
  plant.RegisterCollisionGeometry(plant.world_body(), At(0, -0.5),
                                  geometry::Box(1, 1, 1), "floor", friction);
  const auto& box = plant.AddRigidBody(
      "box", SpatialInertia<double>::SolidCubeWithMass(kMass, kSize));
  plant.RegisterCollisionGeometry(box, {}, geometry::Box(kSize, kSize, kSize),
                                  "box", friction);
  plant.SetDefaultFreeBodyPose(box, At(0, kSize / 2));
  const examples::ServoGripper gripper(
      kReach, kSize / 2, {.p = 2e4, .d = 300, .effort = 100},
      {.p = 1500, .d = 60, .effort = 20}, &plant);
  fem::DeformableBodyConfig<double> rubber;
  rubber.set_youngs_modulus(5e4);
  rubber.set_poissons_ratio(0.4);
  rubber.set_mass_density(kDensity);
  rubber.set_stiffness_damping_coefficient(0.02);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  for (const int i : {0, 1}) {
    const double side = i == 0 ? 1 : -1, x = side * kReach;
    auto shape = std::make_unique<geometry::GeometryInstance>(
        At(x, kSize / 2), geometry::Sphere(kRadius),
        fmt::format("bubble {}", i));
    geometry::ProximityProperties touch;
    geometry::AddContactMaterial({}, {}, friction, &touch);
    shape->set_proximity_properties(touch);
    const auto id =
        model.RegisterDeformableBody(std::move(shape), rubber, 0.015);
    // A finger's origin is the middle of its bubble, whose outer half it holds.
    model.AddFixedConstraint(id, *gripper.fingers()[i], {},
                             geometry::Box(2 * kRadius, 0.1, 0.1),
                             At(side * 1.1 * kRadius, 0));
  }
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  gripper.CloseAndRise(kGap + kSqueeze, kLift, &simulator);
  const auto& context = plant.GetMyContextFromRoot(simulator.get_context());
  const double rise =
      plant.EvalBodyPoseInWorld(context, box).translation().z() - kSize / 2;
  double mass = kMass;  // And of the bubbles.
  for (DeformableBodyIndex i(0); i < model.num_bodies(); ++i) {
    mass += kDensity *
            scene_graph.model_inspector()
                .GetReferenceMesh(model.GetGeometryId(model.GetBodyId(i)))
                ->CalcVolume();
  }
  const double carried = gripper.CalcLoad(kLift, context);
  fmt::print("risen by {:.1f} mm; the hand carries {:.4f} N of {:.4f} N\n",
             1e3 * rise, carried, 9.81 * mass);
  const bool balances = std::abs(carried / (9.81 * mass) - 1) < 1e-3;
  return rise > 0.95 * kLift && balances ? EXIT_SUCCESS : EXIT_FAILURE;
}
