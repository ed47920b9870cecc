// A rigid gripper lifts a soft fruit: its fingers dent it, and friction on the
// dents carries its weight.
//       | hand, along z
//   +---+---+
//   ||( o )||    fingers along x push with kp (qd - q)
#include <cmath>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "examples/support/servo_gripper.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double kRadius = 0.04, kDensity = 1000;               // m, kg/m³
constexpr double kGap = 0.005, kSqueeze = 0.015, kLift = 0.15;  // m

static math::RigidTransformd At(double x, double z) {
  return math::RigidTransformd(Vector3d(x, 0, z));
}

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.005);
  const CoulombFriction<double> friction(0.8, 0.8);
  plant.RegisterCollisionGeometry(plant.world_body(), At(0, -0.5),
                                  geometry::Box(1, 1, 1), "floor", friction);
  const examples::ServoGripper gripper(
      kRadius + kGap, kRadius, {.p = 2e4, .d = 300, .effort = 100},
      {.p = 800, .d = 40, .effort = 20}, &plant);
  for (const int i : {0, 1}) {
    plant.RegisterCollisionGeometry(
        *gripper.fingers()[i], At(i == 0 ? 0.01 : -0.01, 0),
        geometry::Box(0.02, 0.05, 0.05), fmt::format("tip {}", i), friction);
  }
  auto shape = std::make_unique<geometry::GeometryInstance>(
      At(0, kRadius + 1e-3), geometry::Sphere(kRadius), "fruit");
  geometry::ProximityProperties touch;
  geometry::AddContactMaterial({}, {}, friction, &touch);
  shape->set_proximity_properties(touch);
  fem::DeformableBodyConfig<double> flesh;
  flesh.set_youngs_modulus(1e5);
  flesh.set_poissons_ratio(0.4);
  flesh.set_mass_density(kDensity);
  flesh.set_stiffness_damping_coefficient(0.02);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  const auto fruit =
      model.RegisterDeformableBody(std::move(shape), flesh, 0.02);
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  const auto height = [&] {
    return model.GetPositions(context, fruit).row(2).mean();
  };
  const double start = height();
  gripper.CloseAndRise(kGap + kSqueeze, kLift, &simulator);
  const double rise = height() - start;
  const double carried = gripper.CalcLoad(kLift, context);
  const double weight = 9.81 * kDensity *
                        scene_graph.model_inspector()
                            .GetReferenceMesh(model.GetGeometryId(fruit))
                            ->CalcVolume();
  fmt::print("risen by {:.1f} mm; the hand carries {:.4f} N of {:.4f} N\n",
             1e3 * rise, carried, weight);
  const bool holds =
      rise > 0.97 * kLift && std::abs(carried - weight) < 1e-3 * weight;
  return holds ? EXIT_SUCCESS : EXIT_FAILURE;
}
