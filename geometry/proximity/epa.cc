#include "wyvern/geometry/proximity/epa.h"

#include <algorithm>
#include <array>
#include <limits>

#include <Eigen/Geometry>

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;

constexpr int kMaxPoints = 250;
constexpr int kMaxFaces = 2 * kMaxPoints;
constexpr int kMaxHorizon = 128;

struct Face {
  std::array<int, 3> p;  // Counter-clockwise from outside.
  Vector3d normal;
  double distance{};  // Of its plane from the origin, along the normal.
};

// A convex polytope of points of the difference with the origin inside.
class ExpandingPolytope {
 public:
  ExpandingPolytope(const MinkowskiDifference& difference, const GjkResult& gjk)
      : difference_(difference), scale_(gjk.scale) {
    for (int i = 0; i < gjk.size; ++i) points_[num_points_++] = gjk.points[i];
    CompleteTetrahedron();
    if (num_points_ < 4) return;
    static constexpr int kFaces[4][4] = {
        {0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    for (const auto& f : kFaces) {
      // Turned so that the fourth point is behind.
      const Vector3d n = Normal(f[0], f[1], f[2]);
      const bool flip = n.dot(w(f[3]) - w(f[0])) > 0;
      AddFace(f[0], flip ? f[2] : f[1], flip ? f[1] : f[2]);
    }
  }

  EpaResult Expand() {
    // A difference without volume has no inside to be deep in.
    if (num_faces_ < 4) return Flat();
    while (true) {
      const Face nearest = faces_[NearestFace()];
      const MinkowskiPoint next = difference_.Support(nearest.normal);
      scale_ = std::max(scale_, next.w.norm());
      const double gap = nearest.normal.dot(next.w) - nearest.distance;
      if (gap <= 1e-11 * scale_ || num_points_ == kMaxPoints ||
          !AddPoint(next)) {
        return ResultAt(nearest);
      }
    }
  }

 private:
  const Vector3d& w(int i) const { return points_[i].w; }
  Vector3d Normal(int i, int j, int k) const {
    return (w(j) - w(i)).cross(w(k) - w(i));
  }

  // Returns false, adding nothing, for a face without area.
  bool AddFace(int i, int j, int k) {
    const Vector3d n = Normal(i, j, k);
    const double length = n.norm();
    if (!(length > 1e-22 * scale_ * scale_)) return false;
    Face face{{i, j, k}, n / length, 0};
    face.distance = face.normal.dot((w(i) + w(j) + w(k)) / 3);
    faces_[num_faces_++] = face;
    return true;
  }

  int NearestFace() const {
    int best = 0;
    for (int f = 1; f < num_faces_; ++f) {
      if (faces_[f].distance < faces_[best].distance) best = f;
    }
    return best;
  }

  // Replaces the faces that see `point` by a cone from their outline. Returns
  // false if rounding leaves no proper one; the polytope is of no more use
  // then.
  bool AddPoint(const MinkowskiPoint& point) {
    std::array<std::array<int, 2>, kMaxHorizon> horizon;
    int size = 0;
    int kept = 0;
    for (int f = 0; f < num_faces_; ++f) {
      const Face face = faces_[f];
      // A face in one plane with the point goes too: no new one is flat then.
      if (face.normal.dot(point.w) - face.distance < -1e-12 * scale_) {
        faces_[kept++] = face;
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        const int i = face.p[k], j = face.p[(k + 1) % 3];
        // An edge between two such faces comes twice, once each way.
        const auto twin = std::find(horizon.begin(), horizon.begin() + size,
                                    std::array<int, 2>{j, i});
        if (twin != horizon.begin() + size) {
          *twin = horizon[--size];
        } else if (size < kMaxHorizon) {
          horizon[size++] = {i, j};
        } else {
          return false;
        }
      }
    }
    num_faces_ = kept;
    if (size < 3 || num_faces_ + size > kMaxFaces) return false;
    points_[num_points_++] = point;
    for (int e = 0; e < size; ++e) {
      if (!AddFace(horizon[e][0], horizon[e][1], num_points_ - 1)) return false;
    }
    return true;
  }

  // Adds points that span space with those there.
  void CompleteTetrahedron() {
    for (int axis = 0; axis < 3 && num_points_ == 1; ++axis) {
      TryPoint(Vector3d::Unit(axis));
      if (num_points_ == 1) TryPoint(-Vector3d::Unit(axis));
    }
    if (num_points_ == 2) {
      const Vector3d line = (w(1) - w(0)).normalized();
      Vector3d across = line.unitOrthogonal();
      for (int turn = 0; turn < 4 && num_points_ == 2; ++turn) {
        TryPoint(across);
        across = line.cross(across);
      }
    }
    if (num_points_ == 3) {
      const Vector3d n = Normal(0, 1, 2).normalized();
      TryPoint(n);
      if (num_points_ == 3) TryPoint(-n);
    }
  }

  void TryPoint(const Vector3d& direction) {
    const MinkowskiPoint point = difference_.Support(direction);
    const double small = 1e-9 * (scale_ + point.w.norm());
    const Vector3d from = point.w - w(0);
    double distance = from.norm();
    if (num_points_ == 2) {
      distance = from.cross((w(1) - w(0)).normalized()).norm();
    } else if (num_points_ == 3) {
      distance = std::abs(from.dot(Normal(0, 1, 2).normalized()));
    }
    if (distance > small) points_[num_points_++] = point;
    scale_ = std::max(scale_, point.w.norm());
  }

  EpaResult Flat() const {
    Vector3d normal = Vector3d::UnitX();
    if (num_points_ == 2) normal = (w(1) - w(0)).unitOrthogonal();
    if (num_points_ == 3) normal = Normal(0, 1, 2).normalized();
    return {points_[0].a, points_[0].a, normal, 0.0};
  }

  // Weights of the corners of a face that give the point x of its plane; they
  // add up to 1, and one is negative if x is beyond the opposite edge.
  Vector3d WeightsOf(const Face& face, const Vector3d& x) const {
    const auto [i, j, k] = face.p;
    const double whole = Normal(i, j, k).dot(face.normal);
    const double a = (w(j) - x).cross(w(k) - x).dot(face.normal) / whole;
    const double b = (w(k) - x).cross(w(i) - x).dot(face.normal) / whole;
    return {a, b, 1 - a - b};
  }

  // Of the faces in one plane with `face`, the one that the origin is in front
  // of gives the points of A and B.
  EpaResult ResultAt(const Face& face) const {
    const Vector3d x = face.distance * face.normal;
    std::array<int, 3> p = face.p;
    Vector3d weight = WeightsOf(face, x);
    for (int f = 0; f < num_faces_; ++f) {
      const Face& other = faces_[f];
      if (other.distance > face.distance + 1e-11 * scale_ ||
          other.normal.dot(face.normal) < 1 - 1e-12) {
        continue;
      }
      const Vector3d here = WeightsOf(other, x);
      if (here.minCoeff() > weight.minCoeff()) {
        weight = here;
        p = other.p;
      }
    }
    weight = weight.cwiseMax(0);
    weight /= weight.sum();
    EpaResult result;
    result.a.setZero();
    result.b.setZero();
    for (int i = 0; i < 3; ++i) {
      result.a += weight[i] * points_[p[i]].a;
      result.b += weight[i] * points_[p[i]].b;
    }
    // Rounding is shared between the two.
    const Vector3d middle = 0.5 * (result.a + result.b);
    result.a = middle + 0.5 * x;
    result.b = middle - 0.5 * x;
    result.normal = face.normal;
    result.depth = face.distance;
    return result;
  }

  const MinkowskiDifference& difference_;
  double scale_;
  int num_points_{0};
  int num_faces_{0};
  std::array<MinkowskiPoint, kMaxPoints> points_;
  std::array<Face, kMaxFaces> faces_;
};

}  // namespace

EpaResult CalcPenetrationDepth(const MinkowskiDifference& difference,
                               const GjkResult& gjk) {
  return ExpandingPolytope(difference, gjk).Expand();
}

}  // namespace wyvern::geometry::internal
