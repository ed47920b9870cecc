#include "wyvern/geometry/shapes/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
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
coplanar within rounding; their vertices come in no order. */

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

void CheckPoints(std::span<const Vector3d> points, const std::string& label) {
  if (points.size() < 4) {
    throw std::runtime_error(fmt::format(
        "The convex hull of '{}' was asked for; it has {} points, and four or "
        "more are wanted.",
        label, points.size()));
  }
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points) {
    if (!p.allFinite()) {
      throw std::runtime_error(fmt::format(
          "The convex hull of '{}' was asked for; it has the point ({}, {}, "
          "{}), which is not finite.",
          label, p[0], p[1], p[2]));
    }
    mean += p / static_cast<double>(points.size());
  }
  // The thickness: the least spread of the points over all directions.
  Eigen::Matrix3d spread = Eigen::Matrix3d::Zero();
  for (const Vector3d& p : points)
    spread += (p - mean) * (p - mean).transpose();
  const Vector3d s = Eigen::JacobiSVD<Eigen::Matrix3d>(spread).singularValues();
  if (!(s[2] > 1e-18 * s[0])) {
    throw std::runtime_error(fmt::format(
        "The convex hull of '{}' was asked for; its points are on a plane, so "
        "that it has no volume. Give it some thickness.",
        label));
  }
}

}  // namespace

PolygonSurfaceMesh<double> MakeConvexHull(std::span<const Vector3d> points,
                                          const std::string& label) {
  CheckPoints(points, label);
  QhullRun run(points);
  if (run.failed()) {
    throw std::runtime_error(fmt::format(
        "The convex hull of '{}' could not be found; Qhull says: {}", label,
        run.message()));
  }
  const std::vector<std::vector<int>> polygons = run.polygons(points);
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
  for (const auto& polygon : polygons) {
    face_data.push_back(static_cast<int>(polygon.size()));
    for (const int i : polygon) face_data.push_back(renumbered[i]);
  }
  return PolygonSurfaceMesh<double>(std::move(face_data), std::move(vertices));
}

}  // namespace wyvern::geometry::internal
