#include <algorithm>
#include <array>
#include <utility>

#include "wyvern/geometry/meshes/mesh_builder.h"
#include "wyvern/geometry/meshes/shape_meshes.h"

/* Meshes of boxes. A surface mesh divides each face into rectangles, and each
rectangle into two triangles. A volume mesh divides the box into bricks, and
each brick into six tetrahedra. The mesh with a medial axis puts vertices where
the pressure field of a box bends, so that a linear field on it is the exact
distance from the surface; a cube's medial axis is a point. Bricks are at most
as long as the hint, and the ends of edges are exact. */

namespace wyvern::geometry::internal {
namespace {

// Bricks along each axis; `elements` says how many elements that makes.
template <typename Elements>
std::array<int, 3> CountBricks(const Box& box, double hint,
                               const Elements& elements) {
  std::array<double, 3> n{};
  for (int i = 0; i < 3; ++i) {
    n[i] = CountParts(box.to_string(), box.size()[i], hint, 1);
  }
  RequireElementCount(box.to_string(), hint, elements(n));
  return {static_cast<int>(n[0]), static_cast<int>(n[1]),
          static_cast<int>(n[2])};
}

// Point i of n + 1 along the edge of a box; the ends are exact.
double PlaceOnEdge(double size, int i, int n) {
  return size / 2 * (2.0 * i - n) / n;
}

}  // namespace

TriangleSurfaceMesh<double> MakeBoxSurfaceMesh(const Box& box,
                                               double resolution_hint) {
  const std::array<int, 3> n =
      CountBricks(box, resolution_hint, [](const auto& k) {
        return 4 * (k[0] * k[1] + k[1] * k[2] + k[2] * k[0]);
      });
  SurfaceBuilder builder;
  for (int i = 0; i < 3; ++i) {
    for (const int end : {0, n[i]}) {
      // Seen from outside, the axes j and k are a right-hand pair.
      int j = (i + 1) % 3, k = (i + 2) % 3;
      if (end == 0) std::swap(j, k);
      for (int u = 0; u < n[j]; ++u) {
        for (int v = 0; v < n[k]; ++v) {
          const auto point = [&](int du, int dv) {
            SurfaceBuilder::Point p{};
            p[i] = end;
            p[j] = u + du;
            p[k] = v + dv;
            return p;
          };
          builder.AddTriangle(point(0, 0), point(1, 0), point(1, 1));
          builder.AddTriangle(point(0, 0), point(1, 1), point(0, 1));
        }
      }
    }
  }
  return builder.Build([&](const SurfaceBuilder::Point& p) {
    return Eigen::Vector3d(PlaceOnEdge(box.width(), p[0], n[0]),
                           PlaceOnEdge(box.depth(), p[1], n[1]),
                           PlaceOnEdge(box.height(), p[2], n[2]));
  });
}

VolumeMesh<double> MakeBoxVolumeMesh(const Box& box, double resolution_hint) {
  const std::array<int, 3> n =
      CountBricks(box, resolution_hint,
                  [](const auto& k) { return 6 * k[0] * k[1] * k[2]; });
  VolumeBuilder builder;
  for (int z = 0; z <= n[2]; ++z) {
    for (int y = 0; y <= n[1]; ++y) {
      for (int x = 0; x <= n[0]; ++x) {
        builder.AddVertex(PlaceOnEdge(box.width(), x, n[0]),
                          PlaceOnEdge(box.depth(), y, n[1]),
                          PlaceOnEdge(box.height(), z, n[2]));
      }
    }
  }
  for (int z = 0; z < n[2]; ++z) {
    for (int y = 0; y < n[1]; ++y) {
      for (int x = 0; x < n[0]; ++x) {
        std::array<int, 8> corners{};
        for (int c = 0; c < 8; ++c) {
          const int i = x + (c & 1), j = y + (c >> 1 & 1), k = z + (c >> 2);
          corners[c] = i + (n[0] + 1) * (j + (n[1] + 1) * k);
        }
        builder.AddHexahedron(corners);
      }
    }
  }
  return std::move(builder).Build();
}

// The medial axis is what a box shrinks to if its faces go inward together,
// until the two that are nearest meet: a box of half sizes h_i - min h, flat in
// one direction at least. Six hexahedra, some of them with fewer corners, fill
// the space between the faces of the one and of the other. In each the pressure
// is linear, so that any elements do; they meet at the middle of the outer
// face, whose four triangles resist tilting about every axis where two, with
// one point of force each, would not about a diagonal.
VolumeMesh<double> MakeBoxVolumeMeshWithMa(const Box& box) {
  const Eigen::Vector3d h = box.size() / 2;
  // A shorter length would make elements that are flat to rounding.
  Eigen::Vector3d core = (h.array() - h.minCoeff()).max(0);
  for (int i = 0; i < 3; ++i) {
    if (core[i] < 1e-12 * h[i]) core[i] = 0;
  }
  VolumeBuilder builder;
  std::array<int, 8> outer{}, inner{};
  for (int c = 0; c < 8; ++c) {
    const Eigen::Vector3d sign(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
    const Eigen::Vector3d p = sign.cwiseProduct(h);
    outer[c] = builder.AddVertex(p[0], p[1], p[2]);
  }
  for (int c = 0; c < 8; ++c) {
    // The corner it coincides with is the one on the lower sides.
    int first = c;
    for (int i = 0; i < 3; ++i) {
      if (core[i] == 0) first &= ~(1 << i);
    }
    if (first != c) {
      inner[c] = inner[first];
      continue;
    }
    Eigen::Vector3d p;
    for (int i = 0; i < 3; ++i) p[i] = c >> i & 1 ? core[i] : -core[i];
    // Without negative zeros.
    inner[c] = builder.AddVertex(p[0] + 0.0, p[1] + 0.0, p[2] + 0.0);
  }
  for (int i = 0; i < 3; ++i) {
    const int j = std::min((i + 1) % 3, (i + 2) % 3);
    const int k = 3 - i - j;
    for (const int side : {0, 1 << i}) {
      Eigen::Vector3d p = Eigen::Vector3d::Zero();
      p[i] = side == 0 ? -h[i] : h[i];
      const int middle = builder.AddVertex(p[0], p[1], p[2]);
      const auto add_side = [&](int low, int high) {
        // Its diagonal is the one that the next hexahedron sees.
        builder.AddTetrahedron(middle, outer[low], outer[high], inner[high]);
        builder.AddTetrahedron(middle, outer[low], inner[high], inner[low]);
      };
      const int J = side + (1 << j), K = side + (1 << k), JK = J + (1 << k);
      add_side(side, J);
      add_side(side, K);
      add_side(J, JK);
      add_side(K, JK);
      builder.AddTetrahedron(middle, inner[side], inner[J], inner[JK]);
      builder.AddTetrahedron(middle, inner[side], inner[JK], inner[K]);
    }
  }
  return std::move(builder).Build();
}

}  // namespace wyvern::geometry::internal
