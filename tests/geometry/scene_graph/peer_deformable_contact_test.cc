#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/scene_graph/deformable_scene.h"
#include "tests/support/near.h"
#include "wyvern/geometry/deformable/deformable_geometry.h"
#include "wyvern/geometry/math/roll_pitch_yaw.h"

// Contact surfaces of deformable geometry beside those of Drake 1.51, by
// tests/oracles/deformable_contact.py. Of two that deform, the polygons where
// they overlap are the same. In elements all of whose corners are on the
// surface Drake's distance is zero, and ours is that along the normal: what it
// counts there is up to rounding, and we leave out what would push the wrong
// way. With a rigid body, Drake's is the deformable's surface in the rigid
// volume, and ours the rigid surface in the deformable's: together they are the
// closed surface of what both have, so that their area vectors are opposite.

namespace wyvern::geometry {
namespace peer_deformable_contact_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using math::RollPitchYawd;
using test::DeformableScene;

struct Face {
  double area{};
  Vector3d centroid;
};
struct Expected {
  std::string name;
  double area{};
  Vector3d moment, vector;
  std::vector<Face> faces;
};

std::vector<Expected> ReadScenes() {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/deformable_contact.txt");
  std::vector<Expected> scenes;
  int count = 0;
  for (Expected e; file >> e.name >> count;) {
    file >> e.area;
    for (double& x : e.moment) file >> x;
    for (double& x : e.vector) file >> x;
    e.faces.resize(count);
    for (Face& face : e.faces) {
      file >> face.area;
      for (double& x : face.centroid) file >> x;
    }
    scenes.push_back(e);
  }
  return scenes;
}

// The bar of the oracle: bricks of six tetrahedra.
InMemoryMesh MakeBar() {
  const std::array<int, 3> parts{4, 2, 2};
  const Vector3d size(0.4, 0.2, 0.2);
  const auto number = [&parts](const std::array<int, 3>& p) {
    return (p[0] * (parts[1] + 1) + p[1]) * (parts[2] + 1) + p[2];
  };
  std::ostringstream points, cells;
  points.precision(17);
  int num_points = 0, num_cells = 0;
  for (int x = 0; x <= parts[0]; ++x) {
    for (int y = 0; y <= parts[1]; ++y) {
      for (int z = 0; z <= parts[2]; ++z) {
        const std::array<int, 3> p{x, y, z};
        for (int k = 0; k < 3; ++k) {
          points << p[k] * size[k] / parts[k] - size[k] / 2 << ' ';
        }
        ++num_points;
        if (x == parts[0] || y == parts[1] || z == parts[2]) continue;
        std::array<int, 3> order{0, 1, 2};
        do {
          std::array<int, 3> at = p;
          std::array<int, 4> cell{number(at)};
          for (int k = 0; k < 3; ++k) {
            ++at[order[k]];
            cell[k + 1] = number(at);
          }
          const bool is_odd = (order[0] + 1) % 3 != order[1];
          if (is_odd) std::swap(cell[1], cell[2]);
          cells << 4;
          for (const int v : cell) cells << ' ' << v;
          cells << '\n';
          ++num_cells;
        } while (std::ranges::next_permutation(order).found);
      }
    }
  }
  std::ostringstream text;
  text << "# vtk DataFile Version 3.0\nbar\nASCII\nDATASET "
          "UNSTRUCTURED_GRID\nPOINTS "
       << num_points << " double\n"
       << points.str() << "\nCELLS " << num_cells << ' ' << 5 * num_cells
       << '\n'
       << cells.str() << "CELL_TYPES " << num_cells << '\n';
  for (int i = 0; i < num_cells; ++i) text << "10\n";
  return {MemoryFile(text.str(), ".vtk", "bar"), {}};
}

InMemoryMesh MakeOctahedron() {
  return {MemoryFile("v 0.1 0 0\nv -0.1 0 0\nv 0 0.1 0\nv 0 -0.1 0\nv 0 0 "
                     "0.1\nv 0 0 -0.1\nf 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf "
                     "3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n",
                     ".obj", "octahedron"),
          {}};
}

Vector3d Bend(const Vector3d& p) {
  const double x = p[0], y = p[1], z = p[2];
  return {x + 0.1 * z * x, y - 0.2 * x * z + 0.05 * y * y,
          z + 0.3 * x * x + 0.2 * x * y};
}

bool IsSame(const internal::DeformableContactPoint& point, const Face& face) {
  return (point.p_WC - face.centroid).norm() < 1e-11 &&
         std::abs(point.area - face.area) < 1e-13;
}

TEST(PeerDeformableContact, SurfacesAreThoseOfDrake) {
  const std::vector<Expected> scenes = ReadScenes();
  ASSERT_EQ(scenes.size(), 5u);
  for (const Expected& expected : scenes) {
    SCOPED_TRACE(expected.name);
    DeformableScene scene;
    const bool bends = expected.name.starts_with("bent");
    const bool is_pair = expected.name.ends_with("two");
    std::vector<GeometryId> bars;
    bars.push_back(scene.AddDeformable(Mesh(MakeBar()), "bar", 1));
    if (is_pair) {
      bars.push_back(
          scene.AddDeformable(Mesh(MakeBar()), "across", 1,
                              RigidTransformd(RollPitchYawd(0.1, 0.05, 1.2),
                                              Vector3d(0.02, 0.03, 0.17))));
    } else if (expected.name == "obj") {
      scene.Anchor(Mesh(MakeOctahedron()), "octahedron",
                   RigidTransformd(RollPitchYawd(0.2, 0.1, 0.3),
                                   Vector3d(0.03, 0.02, 0.15)));
    } else {
      scene.Anchor(Box(2, 2, 1), "plate",
                   RigidTransformd(RollPitchYawd(0.05, 0.07, 0.3),
                                   Vector3d(0.01, 0.02, -0.57)));
    }
    std::vector<std::pair<GeometryId, VectorX<double>>> configurations;
    for (const GeometryId id : bars) {
      if (!bends) continue;
      configurations.emplace_back(id, scene.CalcConfiguration(id, Bend));
    }
    scene.MakeContext(configurations);
    const auto surfaces = scene.Touch();
    ASSERT_EQ(surfaces.size(), 1u);
    Vector3d vector = Vector3d::Zero();
    for (const auto& point : surfaces[0].points) {
      vector += point.area * point.nhat_BA_W;
    }
    if (!is_pair) {
      EXPECT_TRUE(test::Near(Vector3d(-vector), expected.vector, 1e-14));
      continue;
    }
    const internal::DeformableGeometry bar(
        *scene.graph.model_inspector().GetReferenceMesh(bars[0]));
    const auto is_level = [&bar](const std::array<int, 4>& vertices) {
      return std::ranges::all_of(
          vertices, [&bar](int v) { return bar.signed_distance[v] == 0; });
    };
    int num_overlapping = 0, num_unmatched = 0;
    for (const auto& point : surfaces[0].points) {
      if (is_level(point.vertices_A) || is_level(point.vertices_B)) continue;
      ++num_overlapping;
      EXPECT_TRUE(std::ranges::any_of(
          expected.faces,
          [&point](const Face& face) { return IsSame(point, face); }));
    }
    for (const Face& face : expected.faces) {
      num_unmatched += std::ranges::none_of(
          surfaces[0].points,
          [&face](const auto& point) { return IsSame(point, face); });
    }
    EXPECT_GT(num_overlapping, 50);
    EXPECT_EQ(num_unmatched, bends ? 10 : 7);
  }
}

}  // namespace peer_deformable_contact_test
}  // namespace wyvern::geometry
