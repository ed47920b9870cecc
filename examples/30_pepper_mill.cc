// A pepper mill stands on a soft pad, and another presses on its head and turns
// it by friction on a disc of contact; at one point it would have no arm.
//
//    | pad |  turns     disc of even pressure, force N: up to 2/3 mu N R
//    [mill ]            torque of its grinder: damping times rate
//    | pad |  stands    where that is more, the pad slips
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using math::RigidTransformd;
using Inertia = SpatialInertia<double>;
constexpr double R = 0.03, kMu = 0.8, kDamping = 0.2;  // m, N m s
constexpr double kRate = 2, kMass = 0.2;               // Of the pad: rad/s, kg.
// How hard it presses, N, and for how long, s.
constexpr double kGrips[][2] = {{40, 0.4}, {10, 0.4}, {15, 0.4}, {40, 0.4}};

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.001);
  plant.set_stiction_tolerance(1e-4 /* m/s */);
  geometry::ProximityProperties soft;
  geometry::AddContactMaterial(20 /* s/m */, {},
                               CoulombFriction<double>(kMu, kMu), &soft);
  geometry::ProximityProperties hard(soft);
  geometry::AddCompliantHydroelasticProperties(R / 2, 1e6 /* Pa */, &soft);
  geometry::AddRigidHydroelasticProperties(R / 8, &hard);
  const geometry::Cylinder mill(R, 0.1), pad(1.5 * R, R);
  const Vector3d z(0, 0, 1);
  const auto at = [&z](double h) { return RigidTransformd(h * z); };
  const auto add = [&](const char* name) -> const RigidBody<double>& {
    const auto& part = plant.AddRigidBody(
        name, Inertia::SolidCylinderWithMass(kMass, R, 0.1, z));
    plant.RegisterCollisionGeometry(part, {}, mill, name, hard);
    return part;
  };
  const auto& body = add("body");
  plant.SetDefaultFreeBodyPose(body, at(0.05));
  const auto& grinder = plant.AddJoint<RevoluteJoint>(
      "grinder", body, at(0.05), add("head"), at(-0.05), z, kDamping);
  plant.RegisterCollisionGeometry(plant.world_body(), at(-R / 2), pad, "stand",
                                  soft);
  const auto& arm = plant.AddRigidBody("arm", Inertia::PointMass(kMass, {}));
  const auto& top = plant.AddRigidBody(  // A flywheel.
      "top", Inertia::MakeFromCentralInertia(kMass, {}, {1e3, 1e3, 1e3}));
  plant.RegisterCollisionGeometry(top, {}, pad, "pad", soft);
  const auto& down = plant.AddJoint<PrismaticJoint>(
      "press", plant.world_body(), at(0.2 + R / 2), arm, {}, -z);
  plant.AddJointActuator("press", down);
  const auto& turn = plant.AddJoint<RevoluteJoint>("turn", arm, {}, top, {}, z);
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  turn.set_angular_rate(&context, kRate);
  fmt::print("press [N]  until [s]  turned [rad]  closed form\n");
  double law = 0, time = 0, worst = 0;
  for (const auto& [press, duration] : kGrips) {
    plant.get_actuation_input_port().FixValue(
        &context, Vector1d(press - 2 * kMass * 9.81));
    simulator.AdvanceTo(time += duration);
    law += duration * std::min(kRate, 2.0 / 3 * kMu * press * R / kDamping);
    const double turned = grinder.get_angle(context);
    fmt::print("{:9.1f} {:10.1f} {:13.3f} {:12.3f}\n", press, time, turned,
               law);
    worst = std::max(worst, std::abs(turned - law));
  }
  return worst < 0.02 * law ? EXIT_SUCCESS : EXIT_FAILURE;
}
