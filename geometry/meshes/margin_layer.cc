#include "wyvern/geometry/meshes/margin_layer.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Geometry>

#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"

/* A vertex of the surface moves by margin * u, with u the shortest that has
n . u >= 1 for the normals n of all faces around it. It is w / |w|² for the
point w nearest to the origin of what the normals span with weights that are
not negative and add up to 1: as w is nearest, n . w >= w . w for each n.

w is found by exchange (P. Wolfe, "Finding the nearest point in a polytope",
Mathematical Programming 11, 1976): the nearest point of a few normals, to
which the normal that is least in front comes until none is behind.

Between a face and the same face moved there is a prism, whose three
tetrahedra are those along the vertices in the order of their numbers, so
that neighbours split the side they share alike. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// A vertex that would move by more margins is the tip of a needle.
constexpr double kFarthestInMargins = 1e3;

// The point nearest to the origin of the hull of up to four points, of which
// those are kept that have a part in it.
class NearestInHull {
 public:
  void Add(const Vector3d& p) {
    points_[size_++] = p;
    // Take the nearest point of each face of the simplex, if it is inside it.
    double least = std::numeric_limits<double>::infinity();
    unsigned best = 1;
    for (unsigned mask = 1; mask < 1u << size_; ++mask) {
      Vector3d nearest;
      if (FindInside(mask, &nearest) && nearest.squaredNorm() < least) {
        least = nearest.squaredNorm();
        nearest_ = nearest;
        best = mask;
      }
    }
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      if (best >> i & 1) points_[kept++] = points_[i];
    }
    size_ = kept;
  }
  const Vector3d& nearest() const { return nearest_; }
  bool is_full() const { return size_ == 4; }

 private:
  // The point nearest to the origin of what the points of `mask` span; false if
  // it is not between them.
  bool FindInside(unsigned mask, Vector3d* nearest) const {
    std::array<Vector3d, 4> p;
    p.fill(Vector3d::Zero());
    int n = 0;
    for (int i = 0; i < size_; ++i) {
      if (mask >> i & 1) p[n++] = points_[i];
    }
    *nearest = p[0];
    if (n == 1) return true;
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, n - 1);
    for (int i = 1; i < n; ++i) edges.col(i - 1) = p[i] - p[0];
    const Eigen::VectorXd t = edges.colPivHouseholderQr().solve(-p[0]);
    if (t.minCoeff() < 0 || t.sum() > 1) return false;
    *nearest += edges * t;
    return true;
  }

  std::array<Vector3d, 4> points_;
  int size_{0};
  Vector3d nearest_;
};

// In margins; of more than kFarthestInMargins if there is no place.
Vector3d CalcOffset(const std::vector<Vector3d>& normals) {
  NearestInHull hull;
  hull.Add(normals.front());
  // The distance falls at each exchange, so that no set comes twice; rounding
  // could make it, after no more than a few.
  for (std::size_t i = 0; i < 100 + normals.size(); ++i) {
    const Vector3d& w = hull.nearest();
    const auto least = std::ranges::min_element(
        normals, {}, [&w](const Vector3d& n) { return n.dot(w); });
    if (least->dot(w) >= w.squaredNorm() - 1e-14 || hull.is_full()) break;
    hull.Add(*least);
  }
  return hull.nearest() / hull.nearest().squaredNorm();
}

}  // namespace

VolumeMesh<double> AddMarginLayer(const VolumeMesh<double>& mesh,
                                  double margin) {
  const auto faces = FindBoundaryFaces(mesh.tetrahedra());
  std::vector<Vector3d> vertices = mesh.vertices();
  std::vector<std::vector<Vector3d>> normals(vertices.size());
  for (const auto& [a, b, c] : faces) {
    const Vector3d n = (vertices[b] - vertices[a])
                           .cross(vertices[c] - vertices[a])
                           .normalized();
    for (const int v : {a, b, c}) normals[v].push_back(n);
  }
  std::vector<int> outside(vertices.size(), -1);
  for (std::size_t v = 0; v < normals.size(); ++v) {
    if (normals[v].empty()) continue;
    const Vector3d offset = CalcOffset(normals[v]);
    if (!(offset.norm() < kFarthestInMargins)) {
      throw std::logic_error(fmt::format(
          "VolumeMesh: no margin can go around vertex {}, where its surface "
          "is too narrow or touches itself; take 0, or another mesh.",
          v));
    }
    outside[v] = static_cast<int>(vertices.size());
    vertices.push_back(vertices[v] + margin * offset);
  }
  std::vector<VolumeElement> elements = mesh.tetrahedra();
  for (const std::array<int, 3>& face : faces) {
    // In the order of numbers; the other way round after an odd exchange.
    std::array<int, 3> order = face;
    std::ranges::sort(order);
    const auto& [a, b, c] = order;
    const bool is_odd = face != std::array{a, b, c} &&
                        face != std::array{b, c, a} &&
                        face != std::array{c, a, b};
    for (std::array<int, 4> t :
         {std::array{a, b, c, outside[c]},
          std::array{a, b, outside[c], outside[b]},
          std::array{a, outside[a], outside[b], outside[c]}}) {
      if (is_odd) std::swap(t[0], t[1]);
      elements.emplace_back(t.data());
    }
  }
  try {
    return {std::move(elements), std::move(vertices)};
  } catch (const std::logic_error& error) {
    throw std::logic_error(fmt::format(
        "VolumeMesh: a margin of {} m turns elements of the layer around it "
        "inside out; take a smaller one ({}).",
        margin, error.what()));
  }
}

}  // namespace wyvern::geometry::internal
