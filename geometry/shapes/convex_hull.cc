#include "wyvern/geometry/shapes/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <Eigen/SVD>
extern "C" {
#include <libqhull_r/qhull_ra.h>
}

/* Qhull: C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull algorithm for
convex hulls", ACM Trans. Math. Software 22 (1996). It merges facets that are
coplanar within rounding; their vertices come in no order.

A height field is thousands of prisms between a triangle and the points below
its corners. The five faces of such a prism are known, so Qhull is not called.
Thin prisms still go to Qhull, which decides whether they have a volume. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// Sorts the vertices of a convex polygon counter-clockwise about its normal,
// the least index first.
void SortAroundNormal(std::span<const Vector3d> points, const Vector3d& normal,
                      std::vector<int>* polygon) {
  Vector3d middle = Vector3d::Zero();
  for (const int i : *polygon) middle += points[i] / polygon->size();
  const Vector3d x = normal.unitOrthogonal(), y = normal.cross(x);
  std::map<double, int> by_angle;
  for (const int i : *polygon) {
    const Vector3d r = points[i] - middle;
    by_angle[std::atan2(r.dot(y), r.dot(x))] = i;
  }
  polygon->clear();
  for (const auto& [angle, i] : by_angle) polygon->push_back(i);
  std::rotate(polygon->begin(),
              std::min_element(polygon->begin(), polygon->end()),
              polygon->end());
}

// A run of Qhull, with the messages that it writes; freed at the end.
class QhullRun {
 public:
  explicit QhullRun(std::span<const Vector3d> points)
      : messages_(open_memstream(&text_, &text_size_)) {
    qh_zero(&qh_, messages_);
    char command[] = "qhull";
    failed_ = qh_new_qhull(&qh_, 3, static_cast<int>(points.size()),
                           const_cast<double*>(points[0].data()), False,
                           command, nullptr, messages_) != 0;
  }
  ~QhullRun() {
    qh_freeqhull(&qh_, !qh_ALL);
    int long_blocks, long_bytes;
    qh_memfreeshort(&qh_, &long_blocks, &long_bytes);
    std::fclose(messages_);
    std::free(text_);
  }
  QhullRun(const QhullRun&) = delete;
  void operator=(const QhullRun&) = delete;

  bool failed() const { return failed_; }
  // The first line of what Qhull had to say.
  std::string message() {
    std::fflush(messages_);
    const std::string text(text_, text_size_);
    return text.substr(0, text.find('\n'));
  }
  // The facets as polygons of point indices.
  std::vector<std::vector<int>> polygons(std::span<const Vector3d> points) {
    std::vector<std::vector<int>> result;
    for (const facetT* f = qh_.facet_list; f && f->next; f = f->next) {
      std::vector<int> polygon;
      for (const setelemT* v = f->vertices->e; v->p != nullptr; ++v) {
        polygon.push_back(qh_pointid(&qh_, static_cast<vertexT*>(v->p)->point));
      }
      SortAroundNormal(points, Vector3d(f->normal), &polygon);
      result.push_back(std::move(polygon));
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  qhT qh_;
  char* text_{};
  size_t text_size_{};
  FILE* messages_;
  bool failed_{};
};

[[noreturn]] void Refuse(const std::string& label, const std::string& why) {
  throw std::runtime_error(
      fmt::format("The convex hull of '{}' was asked for; {}", label, why));
}

// Areas and volumes of hulls of other sizes, and their squares, are beyond what
// a double holds.
constexpr double kLeastSize = 1e-50, kMostSize = 1e50;

// The points about the middle of the box around them, times a power of two, so
// that they are within a cube of the size of one or two. Rounding is then of
// the size of the hull, wherever it is.
std::vector<Vector3d> Normalize(std::span<const Vector3d> points,
                                const std::string& label) {
  if (points.size() < 4) {
    Refuse(label, fmt::format("it has {} points, and four or more are wanted.",
                              points.size()));
  }
  Vector3d lower = points[0], upper = points[0];
  for (const Vector3d& p : points) {
    if (!p.allFinite()) {
      Refuse(label, fmt::format("it has the point ({}, {}, {}), which is not "
                                "finite.",
                                p[0], p[1], p[2]));
    }
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  const double reach =
      std::max(lower.cwiseAbs().maxCoeff(), upper.cwiseAbs().maxCoeff());
  const double size = (0.5 * upper - 0.5 * lower).maxCoeff();
  if (reach > kMostSize || (size > 0 && size < kLeastSize)) {
    Refuse(label,
           fmt::format("its points are as far as {} m from the origin and {} m "
                       "from their middle; wanted are at most {} m and at "
                       "least {} m. Check its scale.",
                       reach, size, kMostSize, kLeastSize));
  }
  const Vector3d middle = lower + 0.5 * (upper - lower);
  const int exponent = size > 0 ? -std::ilogb(size) : 0;
  std::vector<Vector3d> result;
  result.reserve(points.size());
  for (const Vector3d& p : points) {
    result.push_back(std::ldexp(1.0, exponent) * (p - middle));
  }
  return result;
}

// Their thickness: the least spread of the points over all directions.
void RequireVolume(std::span<const Vector3d> points, const std::string& label) {
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points)
    mean += p / static_cast<double>(points.size());
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vector3d& p : points)
    spread += (p - mean) * (p - mean).transpose();
  const Vector3d s = Eigen::JacobiSVD<Eigen::Matrix3d>(spread).singularValues();
  if (!(s[2] > 1e-18 * s[0])) {
    Refuse(label,
           "its points are on a plane, so that it has no volume. Give it some "
           "thickness.");
  }
}

// Returns the faces of a prism if three vertical edges join the first three
// points to the last three, in the order of QhullRun::polygons(); otherwise, or
// if the prism is thin, returns nothing. `points` are normalized: they fill a
// cube of the size of one or two.
std::optional<std::vector<int>> FindPrismFaces(
    std::span<const Vector3d> points) {
  constexpr double kThin = 1e-4;
  if (points.size() != 6) return std::nullopt;
  const double side = points[0].z() > points[3].z() ? 1 : -1;
  for (int i = 0; i < 3; ++i) {
    const Vector3d edge = points[i] - points[i + 3];
    if (edge.x() != 0 || edge.y() != 0 || !(side * edge.z() > kThin)) {
      return std::nullopt;
    }
  }
  const Eigen::Vector2d u = (points[1] - points[0]).head<2>();
  const Eigen::Vector2d v = (points[2] - points[0]).head<2>();
  // Its sign is positive if the first triangle is counter-clockwise from
  // outside.
  const double area = side * (u.x() * v.y() - u.y() * v.x());
  const double longest =
      std::max({u.squaredNorm(), v.squaredNorm(), (u - v).squaredNorm()});
  // The height over the longest side of the triangle, and that side.
  if (!(std::abs(area) > kThin * longest && longest > kThin)) {
    return std::nullopt;
  }
  return area > 0 ? std::vector<int>{3, 0, 1, 2, 4, 0, 2, 5, 3, 4, 0, 3,
                                     4, 1, 4, 1, 4, 5, 2, 3, 3, 5, 4}
                  : std::vector<int>{4, 0, 1, 4, 3, 3, 0, 2, 1, 4, 0, 3,
                                     5, 2, 4, 1, 2, 5, 4, 3, 3, 4, 5};
}

}  // namespace

PolygonSurfaceMesh<double> MakeConvexHull(std::span<const Vector3d> points,
                                          const std::string& label) {
  const std::vector<Vector3d> normalized = Normalize(points, label);
  if (auto faces = FindPrismFaces(normalized)) {
    return PolygonSurfaceMesh<double>(std::move(*faces),
                                      {points.begin(), points.end()});
  }
  RequireVolume(normalized, label);
  QhullRun run(normalized);
  if (run.failed()) {
    throw std::runtime_error(fmt::format(
        "The convex hull of '{}' could not be found; Qhull says: {}", label,
        run.message()));
  }
  const std::vector<std::vector<int>> polygons = run.polygons(normalized);
  std::map<int, int> renumbered;
  for (const auto& polygon : polygons) {
    for (const int i : polygon) renumbered[i] = 0;
  }
  std::vector<Vector3d> vertices;
  for (auto& [i, number] : renumbered) {
    number = static_cast<int>(vertices.size());
    vertices.push_back(points[i]);
  }
  std::vector<int> face_data;
  std::size_t num_half_edges = 0;
  for (const auto& polygon : polygons) {
    num_half_edges += polygon.size();
    face_data.push_back(static_cast<int>(polygon.size()));
    for (const int i : polygon) face_data.push_back(renumbered[i]);
  }
  // Euler's formula. Where points are within rounding of a line or a plane,
  // compared with their distances, Qhull merges faces that are not one.
  if (2 * (vertices.size() + polygons.size()) != num_half_edges + 4) {
    Refuse(label,
           "it is too thin for its size, so that its faces cannot be told "
           "apart. Give it some thickness.");
  }
  return PolygonSurfaceMesh<double>(std::move(face_data), std::move(vertices));
}

}  // namespace wyvern::geometry::internal
