#include "wyvern/geometry/proximity/convex_polytope.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Geometry>

/* Vertices, faces outward, and the neighbours of each vertex. The constructor
checks that no vertex is in front of a face. Many vertices are in boxes for this
check: of n vertices a face looks at a few times log n. Few vertices need
neither boxes nor neighbours, because a loop over all of them is faster. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

// Up to this many vertices are looked at faster one after the other. Divisible
// by four.
constexpr int kFew = 24;

// Twice the area of a planar polygon times its normal, by Newell's sum.
Vector3d AreaVector(const std::vector<Vector3d>& vertices, const int* face,
                    int n) {
  Vector3d sum = Vector3d::Zero();
  const Vector3d& origin = vertices[face[0]];
  for (int i = 1; i + 1 < n; ++i) {
    sum += (vertices[face[i]] - origin).cross(vertices[face[i + 1]] - origin);
  }
  return sum;
}

// Points in boxes within boxes, so that those beyond a plane are found in few
// looks: a box all of which is behind it is passed over. Few points have no
// boxes.
class PointBoxes {
 public:
  explicit PointBoxes(const std::vector<Vector3d>& points) : points_(points) {
    if (points.size() <= kFew) return;
    order_.resize(points.size());
    std::iota(order_.begin(), order_.end(), 0);
    Split(0, static_cast<int>(order_.size()));
  }

  // A point with normal . p > offset, or -1.
  int FindBeyond(const Vector3d& normal, double offset) const {
    if (order_.empty()) {
      for (int i = 0; i < static_cast<int>(points_.size()); ++i) {
        if (normal.dot(points_[i]) > offset) return i;
      }
      return -1;
    }
    for (int i = 0; i < static_cast<int>(boxes_.size());) {
      const Box& box = boxes_[i];
      const double most =
          (normal.array() > 0).select(box.upper, box.lower).dot(normal);
      if (most <= offset) {
        i = box.after;
        continue;
      }
      for (int k = box.begin; k < box.end; ++k) {
        if (normal.dot(points_[order_[k]]) > offset) return order_[k];
      }
      ++i;
    }
    return -1;
  }

 private:
  struct Box {
    Vector3d lower, upper;
    // The points that are in it and in no smaller one, by order_.
    int begin{}, end{};
    // The next box that is not within it.
    int after{};
  };

  void Split(int begin, int end) {
    Vector3d lower = points_[order_[begin]], upper = lower;
    for (int k = begin; k < end; ++k) {
      lower = lower.cwiseMin(points_[order_[k]]);
      upper = upper.cwiseMax(points_[order_[k]]);
    }
    const int self = static_cast<int>(boxes_.size());
    boxes_.push_back({lower, upper, begin, end, 0});
    int axis = 0;
    (upper - lower).maxCoeff(&axis);
    const double middle = 0.5 * (lower[axis] + upper[axis]);
    const auto first = order_.begin();
    const int half = static_cast<int>(
        std::partition(first + begin, first + end,
                       [&](int i) { return points_[i][axis] < middle; }) -
        first);
    // Points in one place cannot be told apart.
    if (end - begin > 8 && half != begin && half != end) {
      boxes_[self].end = begin;
      Split(begin, half);
      Split(half, end);
    }
    boxes_[self].after = static_cast<int>(boxes_.size());
  }

  const std::vector<Vector3d>& points_;
  std::vector<int> order_;
  std::vector<Box> boxes_;
};

}  // namespace

ConvexPolytope::ConvexPolytope(std::vector<Vector3d> vertices,
                               const std::vector<int>& faces)
    : vertices_(std::move(vertices)), face_begin_{0} {
  lower_ = upper_ =
      vertices_.empty() ? Vector3d(Vector3d::Zero()) : vertices_.front();
  for (const Vector3d& v : vertices_) {
    lower_ = lower_.cwiseMin(v);
    upper_ = upper_.cwiseMax(v);
  }
  const double size = (upper_ - lower_).norm();
  for (size_t i = 0; i < faces.size(); i += faces[i] + 1) {
    const int n = faces[i];
    const int* face = &faces[i + 1];
    const Vector3d area =
        n >= 3 ? AreaVector(vertices_, face, n) : Vector3d(Vector3d::Zero());
    if (!(area.norm() > 1e-20 * size * size)) {
      throw std::logic_error(fmt::format(
          "ConvexPolytope: face {} has {} vertices and no area; give three or "
          "more that are not on a line.",
          normals_.size(), n));
    }
    face_vertices_.insert(face_vertices_.end(), face, face + n);
    face_begin_.push_back(static_cast<int>(face_vertices_.size()));
    normals_.push_back(area.normalized());
    Vector3d middle = Vector3d::Zero();
    for (int k = 0; k < n; ++k) middle += vertices_[face[k]] / n;
    offsets_.push_back(normals_.back().dot(middle));
  }
  const PointBoxes boxes(vertices_);
  for (int f = 0; f < num_faces(); ++f) {
    const int beyond = boxes.FindBeyond(normal(f), offset(f) + 1e-6 * size);
    if (beyond < 0) continue;
    throw std::logic_error(fmt::format(
        "ConvexPolytope: a vertex is {} m in front of face {}; the polytope "
        "must be convex.",
        normal(f).dot(vertices_[beyond]) - offset(f), f));
  }
  if (num_faces() < 4) {
    throw std::logic_error(fmt::format(
        "ConvexPolytope: was given {} faces; a polytope has at least four.",
        num_faces()));
  }
  if (num_vertices() <= kFew) {
    ListByFour();
  } else {
    FindNeighbours();
  }
}

ConvexPolytope ConvexPolytope::MakeBox(const Vector3d& half_size) {
  std::vector<Vector3d> vertices;
  for (int i = 0; i < 8; ++i) {
    const Vector3d sign(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    vertices.push_back(sign.cwiseProduct(half_size));
  }
  // Faces -x, +x, -y, +y, -z, +z.
  return ConvexPolytope(std::move(vertices),
                        {4, 0, 4, 6, 2, 4, 1, 3, 7, 5, 4, 0, 1, 5, 4,
                         4, 2, 6, 7, 3, 4, 0, 2, 3, 1, 4, 4, 5, 7, 6});
}

void ConvexPolytope::FindNeighbours() {
  std::vector<std::set<int>> next(vertices_.size());
  for (int f = 0; f < num_faces(); ++f) {
    const auto indices = face(f);
    for (size_t k = 0; k < indices.size(); ++k) {
      const int a = indices[k], b = indices[(k + 1) % indices.size()];
      next[a].insert(b);
      next[b].insert(a);
    }
  }
  neighbour_begin_ = {0};
  for (const auto& set : next) {
    neighbours_.insert(neighbours_.end(), set.begin(), set.end());
    neighbour_begin_.push_back(static_cast<int>(neighbours_.size()));
  }
}

void ConvexPolytope::ListByFour() {
  for (int i = 0; i < num_vertices(); i += 4) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = i; k < i + 4; ++k) {
        by_four_.push_back(vertices_[k < num_vertices() ? k : 0][axis]);
      }
    }
  }
}

int ConvexPolytope::SupportVertex(const Vector3d& direction) const {
  if (!by_four_.empty()) {
    using Four = Eigen::Array<double, 4, 1>;
    double along[kFew];
    const double* vertices = by_four_.data();
    Four most = Four::Constant(-std::numeric_limits<double>::infinity());
    for (int i = 0; i < num_vertices(); i += 4, vertices += 12) {
      Eigen::Map<Four> here(along + i);
      here = direction[0] * Eigen::Map<const Four>(vertices) +
             direction[1] * Eigen::Map<const Four>(vertices + 4) +
             direction[2] * Eigen::Map<const Four>(vertices + 8);
      most = most.max(here);
    }
    const double farthest = most.maxCoeff();
    for (int i = 1; i < num_vertices(); ++i) {
      if (along[i - 1] == farthest) return i - 1;
    }
    return along[num_vertices() - 1] == farthest ? num_vertices() - 1 : 0;
  }
  int best = 0;
  double most = direction.dot(vertices_[0]);
  for (bool moved = true; moved;) {
    moved = false;
    const int from = best;
    for (int k = neighbour_begin_[from]; k < neighbour_begin_[from + 1]; ++k) {
      const double here = direction.dot(vertices_[neighbours_[k]]);
      if (here > most) {
        most = here;
        best = neighbours_[k];
        moved = true;
      }
    }
  }
  return best;
}

int ConvexPolytope::FaceAlong(const Vector3d& direction) const {
  int best = 0;
  double most = direction.dot(normals_[0]);
  for (int f = 1; f < num_faces(); ++f) {
    const double here = direction.dot(normals_[f]);
    if (here > most) {
      most = here;
      best = f;
    }
  }
  return best;
}

}  // namespace wyvern::geometry::internal
