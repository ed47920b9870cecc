// A gripper with soft bubbles for finger tips lifts a rigid box: each bubble is
// fixed to a finger that moves, and clings to the box by friction.
//         | hand, along z
//   +-----+-----+
//   |o)  [#]  (o|    fingers along x push with kp (qd - q)
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "examples/support/servo_slider.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using Inertia = SpatialInertia<double>;

constexpr double kSize = 0.06, kMass = 0.3;       // Of the box, m, kg.
constexpr double kRadius = 0.03;                  // Of a bubble, m.
constexpr double kDensity = 200;                  // kg/m³
constexpr double kGravity = 9.81, kStep = 0.005;  // m/s², s
constexpr double kBodyMass = 0.2;  // Of the hand, and of a finger, kg.
constexpr double kGap = 0.002, kSqueeze = 0.012, kLift = 0.15;  // m
constexpr examples::Servo kHand{.p = 2e4, .d = 300, .effort = 100};
constexpr examples::Servo kFinger{.p = 1500, .d = 60, .effort = 20};

static math::RigidTransformd At(double x, double z) {
  return math::RigidTransformd(Vector3d(x, 0, z));
}

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, kStep);
  const CoulombFriction<double> friction(0.8, 0.8);
  plant.RegisterCollisionGeometry(plant.world_body(), At(0, -0.5),
                                  geometry::Box(1, 1, 1), "floor", friction);
  const auto& box =
      plant.AddRigidBody("box", Inertia::SolidCubeWithMass(kMass, kSize));
  plant.RegisterCollisionGeometry(box, {}, geometry::Box(kSize, kSize, kSize),
                                  "box", friction);
  plant.SetDefaultFreeBodyPose(box, At(0, kSize / 2));
  const auto M_hand = Inertia::SolidCubeWithMass(kBodyMass, 0.05);
  const auto& hand =
      examples::AddServoSlider("hand", plant.world_body(), At(0, kSize / 2),
                               Vector3d::UnitZ(), M_hand, kHand, &plant);
  fem::DeformableBodyConfig<double> rubber;
  rubber.set_youngs_modulus(5e4);
  rubber.set_poissons_ratio(0.4);
  rubber.set_mass_density(kDensity);
  rubber.set_stiffness_damping_coefficient(0.02);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  std::vector<DeformableBodyId> bubbles;
  for (const double side : {1.0, -1.0}) {
    // A finger's origin is the middle of its bubble.
    const double x = side * (kSize / 2 + kGap + kRadius);
    const auto& finger = examples::AddServoSlider(
        side < 0 ? "left" : "right", hand, At(x, 0), Vector3d(-side, 0, 0),
        M_hand, kFinger, &plant);
    auto bubble = std::make_unique<geometry::GeometryInstance>(
        At(x, kSize / 2), geometry::Sphere(kRadius),
        fmt::format("{} bubble", finger.name()));
    geometry::ProximityProperties touch;
    geometry::AddContactMaterial({}, {}, friction, &touch);
    bubble->set_proximity_properties(touch);
    bubbles.push_back(
        model.RegisterDeformableBody(std::move(bubble), rubber, 0.015));
    // Its outer half sits in the finger.
    model.AddFixedConstraint(
        bubbles.back(), finger, At(-x, -kSize / 2),
        geometry::Box(2 * kRadius, 4 * kRadius, 4 * kRadius),
        At(side * 1.1 * kRadius, 0));
  }
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  const auto hold = [&](double rise, double squeeze) {
    Vector6<double> x = Vector6<double>::Zero();
    x.head<3>() << rise, squeeze, squeeze;
    plant.get_desired_state_input_port(hand.model_instance())
        .FixValue(&context, x);
  };
  for (int i = 0; i <= 50; ++i) {  // Close in 0.5 s,
    hold(0, kGap + kSqueeze * i / 50);
    simulator.AdvanceTo(0.01 * i);
  }
  for (int i = 0; i <= 100; ++i) {  // then lift for 1 s.
    hold(kLift * i / 100, kGap + kSqueeze);
    simulator.AdvanceTo(0.5 + 0.01 * i);
  }
  simulator.AdvanceTo(2.5);
  const auto rise_of = [&](const RigidBody<double>& body) {
    return plant.EvalBodyPoseInWorld(context, body).translation().z() -
           kSize / 2;
  };
  const double rise = rise_of(box);
  // What the hand's motor carries beyond the gripper, bubbles and all.
  double volume = 0;
  for (const DeformableBodyId bubble : bubbles) {
    volume += scene_graph.model_inspector()
                  .GetReferenceMesh(model.GetGeometryId(bubble))
                  ->CalcVolume();
  }
  const double gripper = 3 * kBodyMass + kDensity * volume;
  const double sag = kLift - rise_of(hand);
  const double carried = kHand.p * sag - gripper * kGravity;
  const double weight = kMass * kGravity;
  fmt::print(
      "the box has risen by {:.1f} mm; the hand carries {:.4f} N of "
      "its {:.4f} N\n",
      1e3 * rise, carried, weight);
  return rise > 0.95 * kLift && std::abs(carried - weight) < 1e-3 * weight
             ? EXIT_SUCCESS
             : EXIT_FAILURE;
}
