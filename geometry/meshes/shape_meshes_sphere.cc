#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "wyvern/geometry/meshes/mesh_builder.h"
#include "wyvern/geometry/meshes/shape_meshes.h"

namespace wyvern::geometry::internal {
namespace {

// The points (i, j, k) with |i| + |j| + |k| = n are a lattice on the faces of
// an octahedron. Along its edges, sin(pi/2 i/n) makes equal arcs; what is then
// not on the unit sphere is put there. The longest edges are in the middle of
// the faces, and no longer than pi / sqrt(2) / n.
TriangleSurfaceMesh<double> MakeBall(const std::string& shape,
                                     const Eigen::Vector3d& radii,
                                     double hint) {
  const double longest = 4 / std::numbers::sqrt3;
  const double count = CountParts(shape, longest * radii.maxCoeff(), hint, 1);
  RequireElementCount(shape, hint, 8 * count * count);
  const int n = static_cast<int>(count);
  SurfaceBuilder builder;
  for (int octant = 0; octant < 8; ++octant) {
    const int sx = octant & 1 ? 1 : -1, sy = octant & 2 ? 1 : -1,
              sz = octant & 4 ? 1 : -1;
    const auto add = [&](int i, int j, int k, int step) {
      // Counter-clockwise in the octant of positive signs.
      SurfaceBuilder::Point a = {i + step, j, k}, b = {i, j + step, k},
                            c = {i, j, k + step};
      for (SurfaceBuilder::Point* p : {&a, &b, &c}) {
        *p = {sx * (*p)[0], sy * (*p)[1], sz * (*p)[2]};
      }
      if (sx * sy * sz < 0) std::swap(a, b);
      builder.AddTriangle(a, b, c);
    };
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) add(i, j, n - 1 - i - j, 1);
    }
    // Between those, upside down.
    for (int i = 1; i < n; ++i) {
      for (int j = 1; i + j <= n; ++j) add(i, j, n + 1 - i - j, -1);
    }
  }
  return builder.Build([&](const SurfaceBuilder::Point& p) {
    Eigen::Vector3d x;
    for (int i = 0; i < 3; ++i) {
      x[i] = std::sin(std::numbers::pi / 2 * p[i] / n);
    }
    return Eigen::Vector3d(radii.cwiseProduct(x.normalized()));
  });
}

// Every triangle makes an element with a point inside.
VolumeMesh<double> Fill(const TriangleSurfaceMesh<double>& surface,
                        const Eigen::Vector3d& inside) {
  std::vector<Eigen::Vector3d> vertices = surface.vertices();
  vertices.push_back(inside);
  std::vector<VolumeElement> elements;
  elements.reserve(surface.num_triangles());
  for (const SurfaceTriangle& t : surface.triangles()) {
    elements.emplace_back(t.vertex(1), t.vertex(0), t.vertex(2),
                          surface.num_vertices());
  }
  return {std::move(elements), std::move(vertices)};
}

}  // namespace

TriangleSurfaceMesh<double> MakeSphereSurfaceMesh(const Sphere& sphere,
                                                  double resolution_hint) {
  return MakeBall(sphere.to_string(),
                  Eigen::Vector3d::Constant(sphere.radius()), resolution_hint);
}

VolumeMesh<double> MakeSphereVolumeMesh(const Sphere& sphere,
                                        double resolution_hint) {
  return Fill(MakeSphereSurfaceMesh(sphere, resolution_hint),
              Eigen::Vector3d::Zero());
}

TriangleSurfaceMesh<double> MakeEllipsoidSurfaceMesh(const Ellipsoid& ellipsoid,
                                                     double resolution_hint) {
  return MakeBall(ellipsoid.to_string(),
                  {ellipsoid.a(), ellipsoid.b(), ellipsoid.c()},
                  resolution_hint);
}

VolumeMesh<double> MakeEllipsoidVolumeMesh(const Ellipsoid& ellipsoid,
                                           double resolution_hint) {
  return Fill(MakeEllipsoidSurfaceMesh(ellipsoid, resolution_hint),
              Eigen::Vector3d::Zero());
}

TriangleSurfaceMesh<double> MakeConvexSurfaceMesh(
    const PolygonSurfaceMesh<double>& hull) {
  std::vector<SurfaceTriangle> triangles;
  for (int f = 0; f < hull.num_faces(); ++f) {
    const SurfacePolygon face = hull.element(f);
    for (int k = 1; k + 1 < face.num_vertices(); ++k) {
      triangles.emplace_back(face.vertex(0), face.vertex(k),
                             face.vertex(k + 1));
    }
  }
  return {std::move(triangles), hull.vertices()};
}

VolumeMesh<double> MakeConvexVolumeMesh(
    const PolygonSurfaceMesh<double>& hull) {
  const TriangleSurfaceMesh<double> surface = MakeConvexSurfaceMesh(hull);
  // The elements about any point inside have their centroids' mean.
  const VolumeMesh<double> start = Fill(surface, surface.centroid());
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int e = 0; e < start.num_elements(); ++e) {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (int i = 0; i < 4; ++i) {
      mean +=
          (start.vertex(start.element(e).vertex(i)) - surface.centroid()) / 4;
    }
    sum += start.CalcTetrahedronVolume(e) * mean;
  }
  return Fill(surface, surface.centroid() + sum / start.CalcVolume());
}

}  // namespace wyvern::geometry::internal
