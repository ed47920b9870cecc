#pragma once

#include <memory>
#include <string>
#include <utility>

#include "wyvern/geometry/deformable/deformable_geometry.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

// Soft blocks and what they touch, in a diagram.
namespace wyvern::multibody::soft_scene {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using geometry::GeometryInstance;
using geometry::ProximityProperties;
using math::RigidTransformd;
using systems::Context;
using systems::Diagram;
using systems::DiagramBuilder;
using systems::Simulator;
using Plant = MultibodyPlant<double>;

inline constexpr double kStep = 0.005;
inline constexpr double kGravity = 9.81;
inline constexpr double kDensity = 1000;
inline constexpr double kSide = 0.2;
inline constexpr double kBlockMass = kDensity * kSide * kSide * kSide;

inline ProximityProperties MakeProperties(double mu = 0.5) {
  ProximityProperties properties;
  geometry::AddContactMaterial({}, {}, CoulombFriction<double>(mu, mu),
                               &properties);
  return properties;
}

// A plant with a SceneGraph, being built, and then its diagram.
class SoftScene {
 public:
  explicit SoftScene(DiscreteContactApproximation approximation =
                         DiscreteContactApproximation::kLagged)
      : parts_(AddMultibodyPlantSceneGraph(&builder_, kStep)) {
    plant().set_discrete_contact_approximation(approximation);
  }

  Plant& plant() { return parts_.plant; }
  geometry::SceneGraph<double>& scene_graph() { return parts_.scene_graph; }
  const DeformableModel<double>& model() {
    return parts_.plant.deformable_model();
  }

  DeformableBodyId AddBlock(const std::string& name, const Vector3d& p_WB,
                            double mu = 0.5, double E = 1e5) {
    auto block = std::make_unique<GeometryInstance>(
        RigidTransformd(p_WB), geometry::Box(kSide, kSide, kSide), name);
    block->set_proximity_properties(MakeProperties(mu));
    fem::DeformableBodyConfig<double> config;
    config.set_youngs_modulus(E);
    config.set_poissons_ratio(0.3);
    config.set_mass_density(kDensity);
    config.set_stiffness_damping_coefficient(0.01);
    return plant().mutable_deformable_model().RegisterDeformableBody(
        std::move(block), config, 0.05);
  }

  const RigidBody<double>& AddRigidBox(const std::string& name, double mass,
                                       const Vector3d& size) {
    const auto& body =
        plant().AddRigidBody(name, SpatialInertia<double>::SolidBoxWithMass(
                                       mass, size[0], size[1], size[2]));
    plant().RegisterCollisionGeometry(
        body, RigidTransformd(), geometry::Box(size), name, MakeProperties());
    return body;
  }

  geometry::GeometryId AddGround() {
    return plant().RegisterCollisionGeometry(
        plant().world_body(), RigidTransformd(), geometry::HalfSpace(),
        "ground", MakeProperties());
  }

  void Build() {
    plant().Finalize();
    diagram_ = builder_.Build();
    simulator_ = std::make_unique<Simulator<double>>(*diagram_);
  }
  const Diagram<double>& diagram() const { return *diagram_; }
  Simulator<double>& simulator() { return *simulator_; }
  const Context<double>& context() {
    return plant().GetMyContextFromRoot(simulator_->get_context());
  }
  Context<double>& mutable_context() {
    return plant().GetMyMutableContextFromRoot(
        &simulator_->get_mutable_context());
  }

  // Returns the mean position of a block's vertices. The mean is not weighted
  // by the mesh, but it measures the block's motion just as well.
  Vector3d Mean(DeformableBodyId id) {
    return model().GetPositions(context(), id).rowwise().mean();
  }
  Vector3d MeanVelocity(DeformableBodyId id) {
    return model().GetVelocities(context(), id).rowwise().mean();
  }
  // M v of a block, by its mass density's integral: linear tetrahedra share a
  // quarter of each element's momentum by vertex.
  Vector3d Momentum(DeformableBodyId id,
                    const geometry::VolumeMesh<double>& mesh) {
    const Matrix3Xd v = model().GetVelocities(context(), id);
    Vector3d p = Vector3d::Zero();
    for (int e = 0; e < mesh.num_elements(); ++e) {
      const double mass = kDensity * mesh.CalcTetrahedronVolume(e);
      for (int i = 0; i < 4; ++i) {
        p += mass / 4 * v.col(mesh.element(e).vertex(i));
      }
    }
    return p;
  }

 private:
  DiagramBuilder<double> builder_;
  AddMultibodyPlantSceneGraphResult<double> parts_;
  std::unique_ptr<Diagram<double>> diagram_;
  std::unique_ptr<Simulator<double>> simulator_;
};

}  // namespace wyvern::multibody::soft_scene
