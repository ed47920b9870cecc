// Balls on an inclined plane: one rolls, and one slides as it is slippery.
#include <cmath>

#include "drake/geometry/proximity_properties.h"
#include "drake/geometry/scene_graph.h"
#include "drake/math/rigid_transform.h"
#include "drake/multibody/plant/contact_results.h"
#include "drake/multibody/plant/multibody_plant.h"
#include "drake/multibody/plant/multibody_plant_config_functions.h"
#include "drake/multibody/tree/rigid_body.h"
#include "drake/systems/analysis/simulator.h"
#include "drake/systems/framework/diagram_builder.h"
#include "figures.h"

namespace inclined_plane {

using drake::math::RigidTransformd;
using drake::math::RotationMatrixd;
using drake::multibody::CoulombFriction;
using drake::multibody::SpatialInertia;
using drake::multibody::UnitInertia;
using Eigen::Vector3d;

constexpr double kRadius = 0.05, kMass = 0.3, kSlope = 0.3;

drake::geometry::ProximityProperties MakeSurface(double friction) {
  drake::geometry::ProximityProperties surface;
  drake::geometry::AddContactMaterial(
      {} /* dissipation */, 1e5 /* N/m */,
      CoulombFriction<double>(friction, friction), &surface);
  surface.AddProperty("material", "relaxation_time", 0.02);
  return surface;
}

int DoMain() {
  drake::systems::DiagramBuilder<double> builder;
  drake::multibody::MultibodyPlantConfig config;
  config.time_step = 1e-3;
  config.discrete_contact_approximation = "sap";
  config.contact_model = "point";
  auto [plant, scene_graph] =
      drake::multibody::AddMultibodyPlant(config, &builder);

  const RigidTransformd X_WP(RotationMatrixd::MakeYRotation(kSlope));
  plant.RegisterCollisionGeometry(plant.world_body(), X_WP,
                                  drake::geometry::HalfSpace(), "plane",
                                  MakeSurface(0.5));
  const SpatialInertia<double> M_B(kMass, Vector3d::Zero(),
                                   UnitInertia<double>::SolidSphere(kRadius));
  for (const auto& [name, friction] :
       {std::pair{"grippy", 0.5}, std::pair{"slippery", 0.02}}) {
    const auto& body = plant.AddRigidBody(name, M_B);
    plant.RegisterCollisionGeometry(body, RigidTransformd(),
                                    drake::geometry::Sphere(kRadius), name,
                                    MakeSurface(friction));
  }
  plant.Finalize();
  const auto diagram = builder.Build();

  drake::systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  // A little into the plane: rounding is not to say whether they touch.
  for (const char* name : {"grippy", "slippery"}) {
    const double y = name[0] == 'g' ? 0.5 : -0.5;
    plant.SetFreeBodyPose(
        &context, plant.GetBodyByName(name),
        X_WP * RigidTransformd(Vector3d(0, y, kRadius - 1e-5)));
  }
  simulator.AdvanceTo(1.0);
  for (const char* name : {"grippy", "slippery"}) {
    const auto& body = plant.GetBodyByName(name);
    PrintFigures(name[0] == 'g' ? "grippy_position" : "slippery_position",
                 plant.EvalBodyPoseInWorld(context, body).translation());
    PrintFigures(
        name[0] == 'g' ? "grippy_velocity" : "slippery_velocity",
        plant.EvalBodySpatialVelocityInWorld(context, body).get_coeffs());
  }
  const auto& contacts =
      plant.get_contact_results_output_port()
          .Eval<drake::multibody::ContactResults<double>>(context);
  Vector3d force = Vector3d::Zero();
  for (int i = 0; i < contacts.num_point_pair_contacts(); ++i) {
    const auto& info = contacts.point_pair_contact_info(i);
    // On the plane, whichever of the two it is.
    const bool plane_is_b = info.bodyB_index() == plant.world_body().index();
    force += (plane_is_b ? 1.0 : -1.0) * info.contact_force();
  }
  PrintFigures("force_on_plane", force);
  return 0;
}

}  // namespace inclined_plane

int main() { return inclined_plane::DoMain(); }
