#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/geometry/math/random_pose.h"
#include "wyvern/geometry/meshes/shape_meshes.h"
#include "wyvern/multibody/fem/fem_stepper.h"

namespace wyvern::multibody::fem::internal::test {

using Eigen::Matrix3d;
using Eigen::Vector3d;

inline const std::vector<MaterialModel> kMaterials{
    MaterialModel::kLinearCorotated, MaterialModel::kCorotated,
    MaterialModel::kNeoHookean, MaterialModel::kLinear};

inline DeformableBodyConfig<double> MakeConfig(MaterialModel material,
                                               double E = 1e5,
                                               double nu = 0.3) {
  DeformableBodyConfig<double> config;
  config.set_material_model(material);
  config.set_youngs_modulus(E);
  config.set_poissons_ratio(nu);
  config.set_mass_density(1000);
  return config;
}

inline geometry::VolumeMesh<double> MakeBox(const Vector3d& size, double hint) {
  return geometry::internal::MakeBoxVolumeMesh(geometry::Box(size),
                                               hint * (1 + 1e-9));
}

// A cube of side 1, whose inner vertices are where chance put them.
inline geometry::VolumeMesh<double> MakeIrregularCube(int parts) {
  const geometry::VolumeMesh<double> regular =
      MakeBox(Vector3d::Ones(), 1.0 / parts);
  wyvern::test::RandomPose random;
  std::vector<Vector3d> vertices = regular.vertices();
  for (Vector3d& p : vertices) {
    const bool is_inner = p.lpNorm<Eigen::Infinity>() < 0.5 - 1e-9;
    if (is_inner) p += random.Vector3(0.15 / parts);
  }
  return {regular.tetrahedra(), vertices};
}

// x of each vertex becomes F x + p.
inline VectorX<double> Move(const FemModel& model, const Matrix3d& F,
                            const Vector3d& p = Vector3d::Zero()) {
  VectorX<double> q = model.reference_positions();
  for (int v = 0; v < model.num_vertices(); ++v) {
    q.segment<3>(3 * v) = F * q.segment<3>(3 * v) + p;
  }
  return q;
}

// Fixes the vertices behind a wall, and returns how many they are.
inline int FixBehindWall(const Vector3d& p_WQ, const Vector3d& n_W,
                         FemModel* model) {
  const std::vector<int> vertices = model->FindBehindWall(p_WQ, n_W);
  for (const int v : vertices) model->FixVertex(v);
  return static_cast<int>(vertices.size());
}

inline VectorX<double> RandomVector(int size, double scale) {
  wyvern::test::RandomPose random;
  VectorX<double> x(size);
  for (int i = 0; i < size / 3; ++i) {
    x.segment<3>(3 * i) = random.Vector3(scale);
  }
  return x;
}

inline VectorX<double> Gravity(const FemModel& model, const Vector3d& g) {
  VectorX<double> f = VectorX<double>::Zero(3 * model.num_vertices());
  model.AddGravity(g, &f);
  return f;
}

inline Vector3d SumOf(const VectorX<double>& f) {
  return Eigen::Map<const Eigen::Matrix3Xd>(f.data(), 3, f.size() / 3)
      .rowwise()
      .sum();
}

// Sum of p_i x f_i.
inline Vector3d MomentOf(const VectorX<double>& q, const VectorX<double>& f) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < q.size() / 3; ++i) {
    const Vector3d p = q.segment<3>(3 * i), f_i = f.segment<3>(3 * i);
    sum += p.cross(f_i);
  }
  return sum;
}

}  // namespace wyvern::multibody::fem::internal::test
