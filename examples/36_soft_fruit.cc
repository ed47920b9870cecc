// A rigid gripper lifts a soft fruit: its fingers dent it, and friction on the
// dents carries its weight.
//       | hand, along z
//   +---+---+
//   ||( o )||    fingers along x push with kp (qd - q)
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "examples/support/contact_scene.h"
#include "examples/support/servo_slider.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using Inertia = SpatialInertia<double>;

constexpr double kRadius = 0.04, kDensity = 1000;  // m, kg/m³
constexpr double kGravity = 9.81, kStep = 0.005;   // m/s², s
constexpr double kBodyMass = 0.2;  // Of the hand, and of a finger, kg.
constexpr double kGap = 0.005, kSqueeze = 0.015, kLift = 0.15;  // m
constexpr examples::Servo kHand{.p = 2e4, .d = 300, .effort = 100};
constexpr examples::Servo kFinger{.p = 800, .d = 40, .effort = 20};

static math::RigidTransformd At(double x, double z) {
  return math::RigidTransformd(Vector3d(x, 0, z));
}

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, kStep);
  const CoulombFriction<double> friction(0.8, 0.8);
  plant.RegisterCollisionGeometry(plant.world_body(), At(0, -0.5),
                                  geometry::Box(1, 1, 1), "floor", friction);
  const auto M_hand = Inertia::SolidCubeWithMass(kBodyMass, 0.05);
  const auto& hand =
      examples::AddServoSlider("hand", plant.world_body(), At(0, kRadius),
                               Vector3d::UnitZ(), M_hand, kHand, &plant);
  for (const double side : {1.0, -1.0}) {
    const auto& finger = examples::AddServoSlider(
        side < 0 ? "left" : "right", hand, At(side * (kRadius + kGap), 0),
        Vector3d(-side, 0, 0), M_hand, kFinger, &plant);
    plant.RegisterCollisionGeometry(finger, At(side * 0.01, 0),
                                    geometry::Box(0.02, 0.05, 0.05),
                                    finger.name(), friction);
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
  const DeformableBodyId fruit =
      plant.mutable_deformable_model().RegisterDeformableBody(std::move(shape),
                                                              flesh, 0.02);
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  const DeformableModel<double>& model = plant.deformable_model();
  const auto center = [&] {
    return Vector3d(model.GetPositions(context, fruit).rowwise().mean());
  };
  const auto width = [&] {
    const Eigen::Matrix3Xd p = model.GetPositions(context, fruit);
    return p.row(0).maxCoeff() - p.row(0).minCoeff();
  };
  const auto hold = [&](double rise, double squeeze) {
    Vector6<double> x = Vector6<double>::Zero();
    x.head<3>() << rise, kGap + squeeze, kGap + squeeze;
    plant.get_desired_state_input_port(hand.model_instance())
        .FixValue(&context, x);
  };
  const double start = center().z(), round = width();
  for (int i = 0; i <= 50; ++i) {  // Close in 0.5 s,
    hold(0, kSqueeze * i / 50);
    simulator.AdvanceTo(0.01 * i);
  }
  fmt::print("squeezed from {:.1f} to {:.1f} mm\n", 1e3 * round, 1e3 * width());
  for (int i = 0; i <= 100; ++i) {  // then lift for 1 s.
    hold(kLift * i / 100, kSqueeze);
    simulator.AdvanceTo(0.5 + 0.01 * i);
  }
  simulator.AdvanceTo(2.5);
  const double rise = center().z() - start;
  // Beyond the weight of the gripper the hand's motor carries that of the
  // fruit.
  const double sag = kLift - plant.GetPositions(context)[0];
  const double carried = kHand.p * sag - 3 * kBodyMass * kGravity;
  const double volume = scene_graph.model_inspector()
                            .GetReferenceMesh(model.GetGeometryId(fruit))
                            ->CalcVolume();
  const double weight = kDensity * volume * kGravity;
  fmt::print(
      "the fruit has risen by {:.1f} mm; the hand carries {:.4f} N of\n"
      "its {:.4f} N\n",
      1e3 * rise, carried, weight);
  return rise > 0.97 * kLift && std::abs(carried - weight) < 1e-3 * weight
             ? EXIT_SUCCESS
             : EXIT_FAILURE;
}
