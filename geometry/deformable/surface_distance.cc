#include "wyvern/geometry/deformable/surface_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// For each vertex the first of those at the same place.
std::vector<int> MergeVertices(const std::vector<Vector3d>& p) {
  const auto key = [&p](int v) {
    // -0 and 0 are one place.
    return std::array{p[v][0] + 0.0, p[v][1] + 0.0, p[v][2] + 0.0, double(v)};
  };
  std::vector<int> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, key);
  std::vector<int> result(p.size());
  int first = -1;
  for (const int v : order) {
    if (first < 0 || p[v] != p[first]) first = v;
    result[v] = first;
  }
  return result;
}

// The nearest point of a triangle, and which feature of it that is: 0 for the
// inside, 1 + k for edge k, 4 + k for vertex k.
Vector3d FindNearestOfTriangle(const std::array<Vector3d, 3>& p,
                               const Vector3d& q, int* feature) {
  const Vector3d n = (p[1] - p[0]).cross(p[2] - p[0]);
  bool is_above = n.squaredNorm() > 0;
  Vector3d nearest = Vector3d::Zero();
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Vector3d edge = p[next] - p[k];
    is_above = is_above && n.cross(edge).dot(q - p[k]) >= 0;
    const double length2 = edge.squaredNorm();
    const double t = length2 > 0 ? edge.dot(q - p[k]) / length2 : 0;
    const bool is_end = !(t > 0 && t < 1);
    const Vector3d on_edge =
        t > 0 ? (t < 1 ? Vector3d(p[k] + t * edge) : p[next]) : p[k];
    const double distance2 = (q - on_edge).squaredNorm();
    if (!(distance2 < least)) continue;
    least = distance2;
    nearest = on_edge;
    *feature = is_end ? 4 + (t > 0 ? next : k) : 1 + k;
  }
  if (!is_above) return nearest;
  *feature = 0;
  return q - n * (n.dot(q - p[0]) / n.squaredNorm());
}

}  // namespace

SurfaceDistance::SurfaceDistance(std::shared_ptr<const RigidMesh> surface)
    : surface_(std::move(surface)) {
  const TriangleSurfaceMesh<double>& mesh = surface_->mesh;
  const std::vector<int> merged = MergeVertices(mesh.vertices());
  std::vector<Vector3d> of_vertex(mesh.num_vertices(), Vector3d::Zero());
  std::map<std::pair<int, int>, Vector3d> of_edge;
  const auto edge_of = [&](const SurfaceTriangle& t, int k) {
    const auto ends =
        std::minmax(merged[t.vertex(k)], merged[t.vertex((k + 1) % 3)]);
    return std::pair<int, int>(ends);
  };
  for (int t = 0; t < mesh.num_triangles(); ++t) {
    const SurfaceTriangle& triangle = mesh.element(t);
    const Vector3d& n = mesh.face_normal(t);
    for (int k = 0; k < 3; ++k) {
      const Vector3d& p = mesh.vertex(triangle.vertex(k));
      const Vector3d a = mesh.vertex(triangle.vertex((k + 1) % 3)) - p;
      const Vector3d b = mesh.vertex(triangle.vertex((k + 2) % 3)) - p;
      const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
      of_vertex[merged[triangle.vertex(k)]] += angle * n;
      of_edge.try_emplace(edge_of(triangle, k), Vector3d::Zero())
          .first->second += n;
    }
  }
  normals_.resize(mesh.num_triangles());
  for (int t = 0; t < mesh.num_triangles(); ++t) {
    const SurfaceTriangle& triangle = mesh.element(t);
    normals_[t][0] = mesh.face_normal(t);
    for (int k = 0; k < 3; ++k) {
      normals_[t][1 + k] = of_edge.at(edge_of(triangle, k));
      normals_[t][4 + k] = of_vertex[merged[triangle.vertex(k)]];
    }
  }
}

double SurfaceDistance::Calc(const Vector3d& p_MQ, double reach) const {
  const TriangleSurfaceMesh<double>& mesh = surface_->mesh;
  // Least squared distance, widened by the rounding error of a bound.
  double least = reach * reach * (1 + 1e-12);
  double result = std::numeric_limits<double>::infinity();
  surface_->tree.ForEachNear(
      [&](const Aabb& box) {
        const Vector3d nearest = p_MQ.cwiseMax(box.lower).cwiseMin(box.upper);
        return (p_MQ - nearest).squaredNorm() <= least;
      },
      [&](int t) {
        const SurfaceTriangle& triangle = mesh.element(t);
        int feature = 0;
        const Vector3d nearest = FindNearestOfTriangle(
            {mesh.vertex(triangle.vertex(0)), mesh.vertex(triangle.vertex(1)),
             mesh.vertex(triangle.vertex(2))},
            p_MQ, &feature);
        const Vector3d p_NQ = p_MQ - nearest;
        if (!(p_NQ.squaredNorm() <= least)) return;
        least = p_NQ.squaredNorm();
        result = std::copysign(p_NQ.norm(), p_NQ.dot(normals_[t][feature]));
      });
  return result;
}

}  // namespace wyvern::geometry::internal
