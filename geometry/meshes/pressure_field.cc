#include "wyvern/geometry/meshes/pressure_field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"
#include "wyvern/systems/common/check_argument.h"

/* Each shape has a formula for e at a point, 1 - relative distance from the
medial axis or depth over the most depth. What rounding leaves at vertices
that were put on the surface or on the medial axis becomes 0 and 1: a
surface with a pressure of 1e-10 Pa would be one that touches without touch.

A mesh without a formula has distances from the triangles of its surface.
They are sorted along x, and the search goes outward from where the vertex
is until the next could not be nearer. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

template <typename Extent>
PressureField MakeField(const std::string& shape,
                        const VolumeMesh<double>* mesh, double modulus,
                        double relative_margin, const Extent& extent) {
  wyvern::internal::RequirePositive(shape, "the hydroelastic modulus [Pa]",
                                    modulus);
  wyvern::internal::RequireNotNull(shape, "the mesh", mesh, "give one");
  const double rounding = 1e-12 * (1 + relative_margin);
  std::vector<double> values;
  values.reserve(mesh->num_vertices());
  for (const Vector3d& p : mesh->vertices()) {
    double e = extent(p);
    if (!(e >= -relative_margin - rounding)) {
      throw std::logic_error(fmt::format(
          "{}: vertex {} of its mesh is at ({}, {}, {}), outside of it.", shape,
          values.size(), p[0], p[1], p[2]));
    }
    if (e < -relative_margin + rounding) e = -relative_margin;
    if (e > 1 - rounding) e = 1;
    values.push_back(modulus * e);
  }
  return {std::move(values), mesh};
}

double CalcSegmentDistance(const Vector3d& p, const Vector3d& a,
                           const Vector3d& b) {
  const Vector3d d = b - a;
  const double square = d.squaredNorm();
  const double t =
      square > 0 ? std::clamp((p - a).dot(d) / square, 0.0, 1.0) : 0.0;
  return (a + t * d - p).norm();
}

// A triangle, and the sphere around its centroid that holds it.
class BoundedTriangle {
 public:
  BoundedTriangle(const Vector3d& a, const Vector3d& b, const Vector3d& c)
      : corners_{a, b, c}, centre_((a + b + c) / 3) {
    for (const Vector3d& p : corners_) {
      radius_ = std::max(radius_, (p - centre_).norm());
    }
  }
  double x() const { return centre_[0]; }
  double radius() const { return radius_; }
  // False if the triangle is surely farther than `distance`.
  bool MayBeNear(const Vector3d& p, double distance) const {
    const double reach = distance + radius_;
    return (p - centre_).squaredNorm() <= reach * reach;
  }
  double CalcDistance(const Vector3d& p) const {
    const auto& [a, b, c] = corners_;
    const Vector3d n = (b - a).cross(c - a);
    // Above the triangle, if it is on the inner side of each edge.
    bool is_above = n.squaredNorm() > 0;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      const Vector3d& from = corners_[i];
      const Vector3d& to = corners_[(i + 1) % 3];
      is_above = is_above && n.cross(to - from).dot(p - from) >= 0;
      least = std::min(least, CalcSegmentDistance(p, from, to));
    }
    return is_above ? std::abs(n.normalized().dot(p - a)) : least;
  }

 private:
  std::array<Vector3d, 3> corners_;
  Vector3d centre_;
  double radius_{0};
};

class Boundary {
 public:
  explicit Boundary(const VolumeMesh<double>& mesh) {
    is_on_it_.resize(mesh.num_vertices());
    for (const auto& [a, b, c] : FindBoundaryFaces(mesh.tetrahedra())) {
      for (const int v : {a, b, c}) is_on_it_[v] = true;
      triangles_.emplace_back(mesh.vertex(a), mesh.vertex(b), mesh.vertex(c));
      largest_ = std::max(largest_, triangles_.back().radius());
    }
    std::ranges::sort(triangles_, {}, &BoundedTriangle::x);
  }

  bool IsVertexOnIt(int v) const { return is_on_it_[v]; }
  double CalcDistance(const Vector3d& p) const {
    const auto middle =
        std::ranges::lower_bound(triangles_, p[0], {}, &BoundedTriangle::x);
    double least = std::numeric_limits<double>::infinity();
    const auto look_at = [&least, &p](const BoundedTriangle& triangle) {
      if (!triangle.MayBeNear(p, least)) return;
      least = std::min(least, triangle.CalcDistance(p));
    };
    for (auto it = middle; it != triangles_.end(); ++it) {
      if (it->x() - p[0] - largest_ > least) break;
      look_at(*it);
    }
    for (auto it = middle; it != triangles_.begin();) {
      --it;
      if (p[0] - it->x() - largest_ > least) break;
      look_at(*it);
    }
    return least;
  }

 private:
  std::vector<BoundedTriangle> triangles_;
  double largest_{0};
  std::vector<bool> is_on_it_;
};

}  // namespace

std::vector<double> CalcVertexDepths(const VolumeMesh<double>& volume) {
  const Boundary boundary(volume);
  std::vector<bool> is_inside(volume.num_vertices());
  for (const VolumeElement& element : volume.tetrahedra()) {
    for (int i = 0; i < 4; ++i) {
      const int v = element.vertex(i);
      is_inside[v] = !boundary.IsVertexOnIt(v);
    }
  }
  std::vector<double> depths(volume.num_vertices(), 0);
  for (int v = 0; v < volume.num_vertices(); ++v) {
    if (is_inside[v]) depths[v] = boundary.CalcDistance(volume.vertex(v));
  }
  return depths;
}

PressureField MakeBoxPressureField(const Box& box,
                                   const VolumeMesh<double>* mesh_G,
                                   double hydroelastic_modulus, double margin) {
  const Vector3d h = box.size() / 2;
  return MakeField(box.to_string(), mesh_G, hydroelastic_modulus,
                   margin / h.minCoeff(), [&h](const Vector3d& p) {
                     return (h - p.cwiseAbs()).minCoeff() / h.minCoeff();
                   });
}

PressureField MakeSpherePressureField(const Sphere& sphere,
                                      const VolumeMesh<double>* mesh_G,
                                      double hydroelastic_modulus,
                                      double margin) {
  const double radius = sphere.radius();
  return MakeField(
      sphere.to_string(), mesh_G, hydroelastic_modulus, margin / radius,
      [radius](const Vector3d& p) { return 1 - p.norm() / radius; });
}

PressureField MakeEllipsoidPressureField(const Ellipsoid& ellipsoid,
                                         const VolumeMesh<double>* mesh_G,
                                         double hydroelastic_modulus,
                                         double margin) {
  const Vector3d radii(ellipsoid.a(), ellipsoid.b(), ellipsoid.c());
  return MakeField(ellipsoid.to_string(), mesh_G, hydroelastic_modulus,
                   margin / radii.minCoeff(), [&radii](const Vector3d& p) {
                     return 1 - p.cwiseQuotient(radii).norm();
                   });
}

PressureField MakeCylinderPressureField(const Cylinder& cylinder,
                                        const VolumeMesh<double>* mesh_G,
                                        double hydroelastic_modulus,
                                        double margin) {
  const double radius = cylinder.radius(), h = cylinder.length() / 2;
  return MakeField(
      cylinder.to_string(), mesh_G, hydroelastic_modulus,
      margin / std::min(radius, h), [radius, h](const Vector3d& p) {
        return std::min(radius - p.head<2>().norm(), h - std::abs(p[2])) /
               std::min(radius, h);
      });
}

PressureField MakeCapsulePressureField(const Capsule& capsule,
                                       const VolumeMesh<double>* mesh_G,
                                       double hydroelastic_modulus,
                                       double margin) {
  const Vector3d end(0, 0, capsule.length() / 2);
  const double radius = capsule.radius();
  return MakeField(capsule.to_string(), mesh_G, hydroelastic_modulus,
                   margin / radius, [&end, radius](const Vector3d& p) {
                     return 1 - CalcSegmentDistance(p, -end, end) / radius;
                   });
}

PressureField MakeVolumeMeshPressureField(const VolumeMesh<double>* mesh_G,
                                          double hydroelastic_modulus) {
  wyvern::internal::RequireNotNull("VolumeMesh", "the mesh", mesh_G,
                                   "give one");
  return MakeVolumeMeshPressureField(*mesh_G, mesh_G, hydroelastic_modulus, 0);
}

PressureField MakeVolumeMeshPressureField(const VolumeMesh<double>& volume,
                                          const VolumeMesh<double>* mesh_G,
                                          double hydroelastic_modulus,
                                          double margin) {
  const std::vector<double> depths = CalcVertexDepths(volume);
  const double most = *std::ranges::max_element(depths);
  if (!(most > 0)) {
    throw std::logic_error(
        "VolumeMesh: all vertices are on its surface, so that no pressure "
        "could rise inside; pass it through RefineVolumeMesh().");
  }
  std::size_t v = 0;
  return MakeField("VolumeMesh", mesh_G, hydroelastic_modulus, margin / most,
                   [&](const Vector3d&) {
                     const double depth =
                         v < depths.size() ? depths[v] : -margin;
                     ++v;
                     return depth / most;
                   });
}

}  // namespace wyvern::geometry::internal
