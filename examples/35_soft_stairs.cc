// A soft block tumbles down three steps and comes to rest on the ground, which
// then carries its weight.
//  [ ]->
//  ############
//  ##################_____________
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double kSide = 0.1, kDensity = 500;  // m, kg/m³
constexpr double kRise = 0.1, kTread = 0.2;    // Of a step, m.
constexpr double kFloorMass = 10, kGravity = 9.81;

int main() {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.005);
  const CoulombFriction<double> friction(0.3, 0.3);
  for (int i = 1; i <= 3; ++i) {
    const double length = (4 - i) * kTread;
    plant.RegisterCollisionGeometry(
        plant.world_body(),
        math::RigidTransformd(Vector3d(length / 2, 0, (i - 0.5) * kRise)),
        geometry::Box(length, 1, kRise), fmt::format("step {}", i), friction);
  }
  // A floor of its own, whose weld says what it carries.
  const RigidBody<double>& floor = plant.AddRigidBody(
      "floor", SpatialInertia<double>::SolidCubeWithMass(kFloorMass, 1));
  plant.RegisterCollisionGeometry(floor, {}, geometry::Box(6, 6, 1), "floor",
                                  friction);
  const auto& weld =
      plant.WeldFrames(plant.world_frame(), floor.body_frame(),
                       math::RigidTransformd(Vector3d(0, 0, -0.5)));
  auto block = std::make_unique<geometry::GeometryInstance>(
      math::RigidTransformd(Vector3d(0.1, 0, 3 * kRise + kSide / 2)),
      geometry::Box(kSide, kSide, kSide), "block");
  geometry::ProximityProperties touch;
  geometry::AddContactMaterial({}, {}, friction, &touch);
  block->set_proximity_properties(touch);
  fem::DeformableBodyConfig<double> foam;
  foam.set_youngs_modulus(5e4);
  foam.set_poissons_ratio(0.3);
  foam.set_mass_density(kDensity);
  foam.set_stiffness_damping_coefficient(0.01);
  const DeformableBodyId id =
      plant.mutable_deformable_model().RegisterDeformableBody(std::move(block),
                                                              foam, 0.05);
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  const DeformableModel<double>& model = plant.deformable_model();
  auto v = model.GetVelocities(context, id);
  v.row(0).setConstant(2);  // At 1.5 friction may stop it on a step.
  model.SetVelocities(&context, id, v);
  for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0, 4.0}) {
    simulator.AdvanceTo(t);
    const Vector3d p = model.GetPositions(context, id).rowwise().mean();
    fmt::print("t = {:.2f} s: x = {:.3f} m, z = {:.3f} m\n", t, p.x(), p.z());
  }
  const auto& forces = plant.get_reaction_forces_output_port()
                           .Eval<std::vector<SpatialForce<double>>>(context);
  const double carried =
      forces[weld.ordinal()].translational().z() - kFloorMass * kGravity;
  const double weight = kDensity * kSide * kSide * kSide * kGravity;
  fmt::print("the floor carries {:.4f} N of {:.4f} N\n", carried, weight);
  return std::abs(carried - weight) < 1e-3 * weight ? EXIT_SUCCESS
                                                    : EXIT_FAILURE;
}
