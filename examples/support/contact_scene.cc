#include "examples/support/contact_scene.h"

#include <cmath>

#include <fmt/format.h>

namespace wyvern::examples {

using Eigen::Vector3d;
using geometry::Box;
using multibody::ContactResults;
using multibody::CoulombFriction;
using multibody::MultibodyPlant;
using multibody::RigidBody;
using Inertia = multibody::SpatialInertia<double>;

void AddFloor(const CoulombFriction<double>& friction,
              MultibodyPlant<double>* plant) {
  plant->RegisterCollisionGeometry(plant->world_body(), {},
                                   geometry::HalfSpace(), "floor", friction);
}

void AddBin(double half, double height, const CoulombFriction<double>& friction,
            MultibodyPlant<double>* plant) {
  constexpr double kThickness = 1;  // [m]
  AddFloor(friction, plant);
  for (int i = 0; i < 4; ++i) {
    const double x[] = {1, 0, -1, 0}, y[] = {0, 1, 0, -1};
    const double length = 2 * (half + kThickness);
    plant->RegisterCollisionGeometry(
        plant->world_body(),
        math::RigidTransformd((half + kThickness / 2) *
                              Vector3d(x[i], y[i], 0)),
        Box(x[i] == 0 ? length : kThickness, y[i] == 0 ? length : kThickness,
            2 * height),
        fmt::format("wall{}", i), friction);
  }
}

const RigidBody<double>& AddMixedShape(int i, double mass, double r,
                                       const CoulombFriction<double>& friction,
                                       MultibodyPlant<double>* plant) {
  const auto add = [&](const Inertia& M_BBo_B,
                       const geometry::Shape& shape) -> auto& {
    const auto name = fmt::format("body{}", i);
    const auto& body = plant->AddRigidBody(name, M_BBo_B);
    plant->RegisterCollisionGeometry(body, {}, shape, name, friction);
    return body;
  };
  const Vector3d z = Vector3d::UnitZ();
  switch (i % 5) {
    case 0:
      return add(Inertia::SolidSphereWithMass(mass, r), geometry::Sphere(r));
    case 1:
      return add(Inertia::SolidCubeWithMass(mass, 2 * r),
                 Box(2 * r, 2 * r, 2 * r));
    case 2:
      return add(Inertia::SolidCylinderWithMass(mass, r, 2 * r, z),
                 geometry::Cylinder(r, 2 * r));
    case 3:
      return add(Inertia::SolidCapsuleWithMass(mass, r / 2, 2 * r, z),
                 geometry::Capsule(r / 2, 2 * r));
    default:
      return add(Inertia::SolidEllipsoidWithMass(mass, r, r, r / 2),
                 geometry::Ellipsoid(r, r, r / 2));
  }
}

Vector3d CalcContactForce(const MultibodyPlant<double>& plant,
                          const systems::Context<double>& plant_context,
                          const RigidBody<double>& body) {
  Vector3d sum = Vector3d::Zero();
  for (const auto& contact : plant.get_contact_results_output_port()
                                 .Eval<ContactResults<double>>(plant_context)
                                 .point_pairs()) {
    // contact_force() is what acts on body B.
    if (contact.bodyB_index() == body.index()) sum += contact.contact_force();
    if (contact.bodyA_index() == body.index()) sum -= contact.contact_force();
  }
  return sum;
}

}  // namespace wyvern::examples
