#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody::test {

inline constexpr double kGravity = 9.81;  // m/s^2

struct Material {
  double mu{0.5};
  double stiffness{1e5};
  double dissipation{5};
  double relaxation_time{0.01};
};

inline geometry::ProximityProperties MakeProperties(const Material& material) {
  geometry::ProximityProperties properties;
  geometry::AddContactMaterial(
      material.dissipation, material.stiffness,
      CoulombFriction<double>(material.mu, material.mu), &properties);
  properties.AddProperty("material", "relaxation_time",
                         material.relaxation_time);
  return properties;
}

/** Bodies over a half space; time step 0 for continuous time. */
class ContactScene {
 public:
  using Vector3d = Eigen::Vector3d;

  explicit ContactScene(double time_step,
                        DiscreteContactApproximation approximation =
                            DiscreteContactApproximation::kLagged,
                        const Material& material = {})
      : ContactScene(time_step, approximation, material,
                     MakeProperties(material)) {}
  /** On a ground with properties of its own. */
  ContactScene(double time_step, DiscreteContactApproximation approximation,
               const Material& material,
               const geometry::ProximityProperties& ground)
      : material_(material) {
    const auto added = AddMultibodyPlantSceneGraph(&builder_, time_step);
    plant = &added.plant;
    scene_graph = &added.scene_graph;
    if (time_step > 0) {
      plant->set_discrete_contact_approximation(approximation);
    }
    plant->set_stiction_tolerance(1e-4);
    plant->RegisterCollisionGeometry(plant->world_body(), {},
                                     geometry::HalfSpace(), "ground", ground);
  }

  const RigidBody<double>& AddBall(const std::string& name, double mass,
                                   double radius) {
    return Add(
        name, MakeInertia(mass, Vector3d::Zero(), 0.4 * mass * radius * radius),
        geometry::Sphere(radius));
  }
  const RigidBody<double>& AddBox(const std::string& name, double mass,
                                  double size) {
    return Add(name,
               MakeInertia(mass, Vector3d::Zero(), mass * size * size / 6),
               geometry::Box(size, size, size));
  }
  const RigidBody<double>& Add(const std::string& name,
                               const SpatialInertia<double>& M,
                               const geometry::Shape& shape) {
    return Add(name, M, shape, MakeProperties(material_));
  }
  const RigidBody<double>& Add(
      const std::string& name, const SpatialInertia<double>& M,
      const geometry::Shape& shape,
      const geometry::ProximityProperties& properties) {
    const auto& body = plant->AddRigidBody(name, M);
    plant->RegisterCollisionGeometry(body, {}, shape, name, properties);
    return body;
  }

  void Finish() {
    plant->Finalize();
    diagram = builder_.Build();
    simulator = std::make_unique<systems::Simulator<double>>(
        *diagram, diagram->CreateDefaultContext());
    context =
        &plant->GetMyMutableContextFromRoot(&simulator->get_mutable_context());
  }

  /** Tilts the ground by `angle`, [rad], told by gravity: down is +x. */
  void Tilt(double angle) {
    plant->mutable_gravity_field().set_gravity_vector(
        kGravity * Vector3d(std::sin(angle), 0, -std::cos(angle)));
  }
  void Place(const RigidBody<double>& body, const Vector3d& p) {
    plant->SetFreeBodyPose(context, body, math::RigidTransformd(p));
  }
  void Throw(const RigidBody<double>& body, const Vector3d& v) {
    plant->SetFreeBodySpatialVelocity(
        context, body, SpatialVelocity<double>(Vector3d::Zero(), v));
  }
  Vector3d Position(const RigidBody<double>& body) const {
    return plant->EvalBodyPoseInWorld(*context, body).translation();
  }
  Vector3d Velocity(const RigidBody<double>& body) const {
    return plant->EvalBodySpatialVelocityInWorld(*context, body)
        .translational();
  }
  Eigen::VectorXd State() const {
    return plant->GetPositionsAndVelocities(*context);
  }
  double Energy() const {
    return plant->CalcKineticEnergy(*context) +
           plant->CalcPotentialEnergy(*context);
  }
  const ContactResults<double>& Results() const {
    return plant->get_contact_results_output_port()
        .Eval<ContactResults<double>>(*context);
  }

  geometry::SceneGraph<double>* scene_graph{};
  MultibodyPlant<double>* plant{};
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<systems::Simulator<double>> simulator;
  systems::Context<double>* context{};

 private:
  systems::DiagramBuilder<double> builder_;
  Material material_;
};

inline auto AllApproximations() {
  using enum DiscreteContactApproximation;
  return ::testing::Values(kTamsi, kSap, kSimilar, kLagged);
}

}  // namespace wyvern::multibody::test
