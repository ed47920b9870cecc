#pragma once

/** @file
Meshes and laws that several tests of meshes share. */

#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "tests/geometry/math/random_pose.h"
#include "wyvern/geometry/meshes/triangle_surface_mesh.h"
#include "wyvern/geometry/meshes/volume_mesh.h"

namespace wyvern::geometry::test {

/** An octahedron around the origin, its corners moved at random. */
inline TriangleSurfaceMesh<double> MakeRandomOctahedron(
    wyvern::test::RandomPose* random) {
  std::vector<Eigen::Vector3d> vertices;
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {-1.0, 1.0}) {
      vertices.push_back(sign * Eigen::Vector3d::Unit(i) +
                         random->Vector3(0.2));
    }
  }
  std::vector<SurfaceTriangle> triangles;
  for (int k = 0; k < 8; ++k) {
    const int x = k & 1, y = k >> 1 & 1, z = k >> 2 & 1;
    triangles.emplace_back(x, 2 + y, 4 + z);
    if ((x + y + z) % 2 == 0) triangles.back().ReverseWinding();
  }
  return {triangles, vertices};
}

/** Makes such a ball with its volume: eight tetrahedra around the origin. */
inline VolumeMesh<double> MakeRandomBall(wyvern::test::RandomPose* random) {
  const TriangleSurfaceMesh<double> surface = MakeRandomOctahedron(random);
  std::vector<Eigen::Vector3d> vertices = surface.vertices();
  vertices.push_back(random->Vector3(0.1));
  std::vector<VolumeElement> elements;
  for (const SurfaceTriangle& t : surface.triangles()) {
    elements.emplace_back(t.vertex(1), t.vertex(0), t.vertex(2), 6);
  }
  return {elements, vertices};
}

/** Each edge belongs to two triangles, once in either direction, and
V - E + F = 2: a closed surface without handles, in one piece. */
inline ::testing::AssertionResult IsBall(
    const TriangleSurfaceMesh<double>& mesh) {
  std::map<std::pair<int, int>, int> edges;
  std::vector<bool> is_used(mesh.num_vertices(), false);
  for (const SurfaceTriangle& t : mesh.triangles()) {
    for (int i = 0; i < 3; ++i) {
      ++edges[{t.vertex(i), t.vertex((i + 1) % 3)}];
      is_used[t.vertex(i)] = true;
    }
  }
  for (const auto& [edge, count] : edges) {
    if (count != 1 || !edges.contains({edge.second, edge.first})) {
      return ::testing::AssertionFailure()
             << "the edge " << edge.first << " to " << edge.second
             << " is there " << count << " times, or never backwards";
    }
  }
  for (int v = 0; v < mesh.num_vertices(); ++v) {
    if (!is_used[v]) {
      return ::testing::AssertionFailure() << "nothing uses vertex " << v;
    }
  }
  const int euler = mesh.num_vertices() - static_cast<int>(edges.size()) / 2 +
                    mesh.num_triangles();
  if (euler != 2) {
    return ::testing::AssertionFailure() << "V - E + F = " << euler;
  }
  return ::testing::AssertionSuccess();
}

/** By the divergence theorem, from the surface. */
inline double CalcEnclosedVolume(const TriangleSurfaceMesh<double>& mesh) {
  double sum = 0;
  for (int t = 0; t < mesh.num_triangles(); ++t) {
    sum += mesh.area(t) * mesh.face_normal(t).dot(mesh.element_centroid(t)) / 3;
  }
  return sum;
}

}  // namespace wyvern::geometry::test
