// Two soft pads hold a plate beside its centre of mass. Discs of contact bear
// its torque as well as its weight, which two points could not: the plate turns
// as soon as the grip is loose enough, and stops when it is firm again.
//
//      pad | pad       friction of a disc of even pressure under a force N:
//       -->|<--        torque up to 2/3 mu N R
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using math::RigidTransformd;
using Inertia = SpatialInertia<double>;
constexpr double R = 0.02, kMu = 0.8, kMass = 0.3, kArm = 0.08;   // m, kg
constexpr double kTorque = 9.81 * kMass * kArm;                   // N m
constexpr double kLeastGrip = kTorque / (2 * 2.0 / 3 * kMu * R);  // N
// The grip in multiples of the least, and for how long, s.
constexpr double kGrips[][2] = {{2, 0.3}, {0.5, 0.15}, {3, 0.35}};

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.001);
  plant.set_stiction_tolerance(1e-4 /* m/s */);
  geometry::ProximityProperties soft;
  geometry::AddContactMaterial(5 /* s/m */, {},
                               CoulombFriction<double>(kMu, kMu), &soft);
  geometry::ProximityProperties hard(soft);
  geometry::AddCompliantHydroelasticProperties(R / 8, 1e6 /* Pa */, &soft);
  geometry::AddRigidHydroelasticProperties(&hard);
  const auto& plate = plant.AddRigidBody(
      "plate", Inertia::SolidBoxWithMass(kMass, 0.01, 0.3, 0.05));
  plant.RegisterCollisionGeometry(plate, {}, geometry::Box(0.01, 0.3, 0.05),
                                  "plate", hard);
  plant.SetDefaultFreeBodyPose(plate, RigidTransformd(Vector3d(0, kArm, 0)));
  const auto along_x = math::RotationMatrixd::MakeYRotation(M_PI / 2);
  for (const double side : {-1.0, 1.0}) {
    const char* name = side < 0 ? "left" : "right";
    const auto& pad =
        plant.AddRigidBody(name, Inertia::SolidCubeWithMass(0.1, R));
    plant.RegisterCollisionGeometry(pad, RigidTransformd(along_x),
                                    geometry::Cylinder(R, R), name, soft);
    const RigidTransformd X_WJ(Vector3d(side * (R + 0.01) / 2, 0, 0));
    plant.AddJointActuator(name, plant.AddJoint<PrismaticJoint>(
                                     name, plant.world_body(), X_WJ, pad, {},
                                     Vector3d(-side, 0, 0), -0.1, 0.1, 50));
  }
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  fmt::print("grip [N]  until [s]  turned [rad]  closed form\n");
  const double inertia = kMass * (kArm * kArm + (0.3 * 0.3 + 0.05 * 0.05) / 12);
  double angle = 0, rate = 0, time = 0, worst = 0;
  for (const auto& [firmness, duration] : kGrips) {
    const Eigen::Vector2d grip =
        Eigen::Vector2d::Constant(firmness * kLeastGrip);
    plant.get_actuation_input_port().FixValue(&context, grip);
    for (double t = 0; t < duration; t += 1e-5) {  // Friction never pushes.
      const double torque = kTorque * (std::cos(angle) - firmness);
      rate = std::max(0.0, rate + 1e-5 * torque / inertia);
      angle += 1e-5 * rate;
    }
    simulator.AdvanceTo(time += duration);
    const auto& X_WP = plant.EvalBodyPoseInWorld(context, plate);
    const double turned = std::asin(-X_WP.rotation().matrix()(2, 1));
    fmt::print("{:8.1f} {:10.2f} {:13.3f} {:12.3f}\n", grip[0], time, turned,
               angle);
    worst = std::max(worst, std::abs(turned - angle));
  }
  return worst < 0.1 * angle ? EXIT_SUCCESS : EXIT_FAILURE;
}
