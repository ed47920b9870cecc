// A gripper with PD fingers that lifts a box.
//
//       | hand, along z
//   +---+---+
//   ||#box#||    fingers along x push with kp (qd - q); friction holds the box
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "examples/support/contact_scene.h"
#include "examples/support/servo_slider.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using Inertia = SpatialInertia<double>;

constexpr double kSize = 0.06, kMass = 0.3, kWeight = 9.81 * kMass;  // m, kg, N
constexpr double kGap = 0.01, kSqueeze = 0.01, kLift = 0.2;          // m
constexpr examples::Servo kHand{.p = 2e4, .d = 300, .effort = 100};
constexpr examples::Servo kFinger{.p = 1000, .d = 40, .effort = 20};

static math::RigidTransformd At(double x, double z) {
  return math::RigidTransformd(Vector3d(x, 0, z));
}

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.001);
  const CoulombFriction<double> friction(0.6, 0.6);
  examples::AddFloor(friction, &plant);
  const auto& box =
      plant.AddRigidBody("box", Inertia::SolidCubeWithMass(kMass, kSize));
  plant.RegisterCollisionGeometry(box, {}, geometry::Box(kSize, kSize, kSize),
                                  "box", friction);
  plant.SetDefaultFreeBodyPose(box, At(0, kSize / 2));
  const auto M_hand = Inertia::SolidCubeWithMass(0.2 /* kg */, 0.05);
  const auto& hand =
      examples::AddServoSlider("hand", plant.world_body(), At(0, kSize / 2),
                               Vector3d::UnitZ(), M_hand, kHand, &plant);
  const RigidBody<double>* finger{};
  for (const double side : {1.0, -1.0}) {
    finger = &examples::AddServoSlider(
        side < 0 ? "left" : "right", hand, At(side * (kSize / 2 + kGap), 0),
        Vector3d(-side, 0, 0), M_hand, kFinger, &plant);
    plant.RegisterCollisionGeometry(*finger, At(side * 0.01, 0),
                                    geometry::Box(0.02, 0.02, 0.02),
                                    finger->name(), friction);
  }
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  for (int i = 0; i <= 100; ++i) {  // Close in 0.5 s, then lift for 1 s.
    Vector6<double> x = Vector6<double>::Zero();
    x.head<3>() << kLift * i / 100, kGap + kSqueeze, kGap + kSqueeze;
    plant.get_desired_state_input_port(box.model_instance())
        .FixValue(&context, x);
    simulator.AdvanceTo(0.5 + 0.01 * i);
  }
  simulator.AdvanceTo(2.0);
  const Vector3d f = examples::CalcContactForce(plant, context, *finger);
  const double spring =
      kFinger.p * (kGap + kSqueeze - plant.GetPositions(context)[2]);
  const double rise =
      plant.EvalBodyPoseInWorld(context, box).translation().z() - kSize / 2;
  fmt::print("the box has risen by {:.4f} m\n", rise);
  fmt::print(
      "it pushes a finger by {:.4f} N, its spring by {:.4f} N; and down\n"
      "by {:.4f} N, half of it weighs {:.4f} N\n",
      -f.x(), spring, -f.z(), kWeight / 2);
  const bool holds = rise > 0.99 * kLift &&
                     std::abs(-f.x() / spring - 1) < 1e-3 &&
                     std::abs(-2 * f.z() / kWeight - 1) < 1e-3;
  return holds ? EXIT_SUCCESS : EXIT_FAILURE;
}
