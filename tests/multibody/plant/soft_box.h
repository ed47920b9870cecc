#pragma once

#include <memory>
#include <string>

#include "wyvern/multibody/plant/multibody_plant.h"

// Deformable boxes in plants without a SceneGraph.
namespace wyvern::multibody::soft_box {

using Plant = MultibodyPlant<double>;

inline constexpr double kStep = 0.01;
inline constexpr int kNumVertices = 45;

inline std::unique_ptr<geometry::GeometryInstance> MakeBox(
    const std::string& name = "block",
    const math::RigidTransformd& X_WB = math::RigidTransformd()) {
  return std::make_unique<geometry::GeometryInstance>(
      X_WB, geometry::Box(0.4, 0.2, 0.2), name);
}

inline fem::DeformableBodyConfig<double> MakeConfig() {
  fem::DeformableBodyConfig<double> config;
  config.set_youngs_modulus(1e5);
  config.set_poissons_ratio(0.3);
  config.set_mass_density(1000);
  return config;
}

inline DeformableBodyId AddBox(
    Plant* plant, const std::string& name = "block",
    ModelInstanceIndex instance = default_model_instance(),
    const math::RigidTransformd& X_WB = math::RigidTransformd()) {
  return plant->mutable_deformable_model().RegisterDeformableBody(
      MakeBox(name, X_WB), instance, MakeConfig(), 0.1);
}

// Adds a soft box whose end at x = -0.2 m is fixed.
inline DeformableBodyId AddHeldBox(Plant* plant) {
  const DeformableBodyId id = AddBox(plant);
  plant->mutable_deformable_model().SetWallBoundaryCondition(
      id, Eigen::Vector3d(-0.19, 0, 0), Eigen::Vector3d(1, 0, 0));
  return id;
}

// A body's reference positions, a column a vertex.
inline Eigen::Matrix3Xd Reference(const Plant& plant, DeformableBodyId id) {
  const Eigen::VectorXd& q = plant.deformable_model().GetReferencePositions(id);
  return Eigen::Map<const Eigen::Matrix3Xd>(q.data(), 3, q.size() / 3);
}

}  // namespace wyvern::multibody::soft_box
