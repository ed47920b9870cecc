#include "wyvern/geometry/proximity/half_space_manifold.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* The plane is z = 0 of B, "up" its normal in A's axes. Contacts are candidates
of A below the plane: the two ends of a capsule; of a cylinder the lowest point
of each rim, -r up_xy / |up_xy|, and four points of the lower cap; the vertices
of a polytope; of any other shape its lowest point, which for a smooth one is
the only contact. A candidate x counts if its height h = up·(x - p_B) is
negative or within reach, with h as signed distance. Limit: a box flat on the
plane has its four corners. */

namespace wyvern::geometry::internal {
namespace {

using Eigen::Vector3d;
using math::RigidTransform;

// Adds points of A to a manifold, if they are below the plane or within reach.
template <typename T>
class Adder {
 public:
  Adder(const RigidTransform<T>& X_WA, const RigidTransform<T>& X_WB,
        ContactManifold<T>* manifold)
      : X_WA_(X_WA),
        p_WB_(X_WB.translation()),
        up_W_(X_WB.rotation().matrix().col(2)),
        up_A_(X_WA.rotation().matrix().transpose() * up_W_),
        value_of_up_A_(ToDouble(up_A_)),
        height_of_A_(ToDouble(T(up_W_.dot(X_WA_.translation() - p_WB_)))),
        manifold_(manifold) {}

  const Vector3<T>& up_A() const { return up_A_; }
  bool IsNear(const Vector3d& p_AQ) const {
    return value_of_up_A_.dot(p_AQ) + height_of_A_ < manifold_->reach;
  }
  void Add(const Vector3<T>& p_AQ) {
    ShapeDistance<T> point;
    point.p_WCa = X_WA_ * p_AQ;
    point.distance = up_W_.dot(point.p_WCa - p_WB_);
    point.nhat_BA_W = up_W_;
    point.p_WCb = point.p_WCa - point.distance * up_W_;
    manifold_->AddIfNear(point);
  }

 private:
  const RigidTransform<T>& X_WA_;
  const Vector3<T> p_WB_;
  const Vector3<T> up_W_;
  const Vector3<T> up_A_;
  // Without derivatives.
  const Vector3d value_of_up_A_;
  const double height_of_A_;  // Of its origin.
  ContactManifold<T>* manifold_;
};

template <typename T>
void AddCapsule(const CollisionShape& A, Adder<T>* adder) {
  for (const double z : {A.half[2], -A.half[2]}) {
    adder->Add(Vector3<T>(T(0), T(0), T(z)) - A.radius() * adder->up_A());
  }
}

template <typename T>
void AddCylinder(const CollisionShape& A, Adder<T>* adder) {
  using std::sqrt;
  const double r = A.radius();
  const Vector3<T>& up = adder->up_A();
  const double lower = ToDouble(up[2]) < 0 ? 1 : -1;
  // Towards the lowest point of a rim, if one is lower than the others.
  const T across2 = up[0] * up[0] + up[1] * up[1];
  const double across = std::sqrt(ToDouble(across2));
  if (across > 1e-6) {
    const T scale = -r / sqrt(across2);
    for (const double end : {lower, -lower}) {
      adder->Add(Vector3<T>(scale * up[0], scale * up[1], T(end * A.half[2])));
    }
  }
  for (const auto& [x, y] : {std::pair(r, 0.0), std::pair(0.0, r),
                             std::pair(-r, 0.0), std::pair(0.0, -r)}) {
    // The lowest point stands for one that is as low, or nearly.
    const Eigen::Vector2d u =
        ToDouble(up).template head<2>() / std::max(across, 1e-300);
    if (across > 1e-6 && -(u[0] * x + u[1] * y) > 0.999 * r) continue;
    adder->Add(Vector3<T>(T(x), T(y), T(lower * A.half[2])));
  }
}

// The lowest vertex, then the outermost below the plane in each of seven
// directions.
template <typename T>
void AddManyVertices(const ConvexPolytope& polytope, Adder<T>* adder) {
  constexpr int kDirections = 7;
  const Vector3d up = ToDouble(adder->up_A()).normalized();
  const Vector3d t1 = up.unitOrthogonal(), t2 = up.cross(t1);
  const int lowest = polytope.SupportVertex(-up);
  if (!adder->IsNear(polytope.vertex(lowest))) return;
  // In increasing order.
  std::array<int, kDirections + 1> chosen{lowest};
  int n = 1;
  for (int k = 0; k < kDirections; ++k) {
    const double angle = 2 * 3.14159265358979 * k / kDirections;
    const Vector3d t = std::cos(angle) * t1 + std::sin(angle) * t2;
    int best = lowest;
    for (int i = 0; i < polytope.num_vertices(); ++i) {
      const Vector3d& v = polytope.vertex(i);
      if (adder->IsNear(v) && t.dot(v) > t.dot(polytope.vertex(best))) {
        best = i;
      }
    }
    if (std::find(chosen.begin(), chosen.begin() + n, best) !=
        chosen.begin() + n) {
      continue;
    }
    int at = n++;
    for (; at > 0 && chosen[at - 1] > best; --at) chosen[at] = chosen[at - 1];
    chosen[at] = best;
  }
  for (int k = 0; k < n; ++k) {
    adder->Add(polytope.vertex(chosen[k]).template cast<T>());
  }
}

template <typename T>
void AddPolytope(const ConvexPolytope& polytope, Adder<T>* adder) {
  constexpr int kMost = ContactManifold<T>::kMaxPoints;
  std::array<int, kMost> below{};
  int n = 0;
  for (int i = 0; i < polytope.num_vertices(); ++i) {
    if (!adder->IsNear(polytope.vertex(i))) continue;
    if (n == kMost) {
      AddManyVertices(polytope, adder);
      return;
    }
    below[n++] = i;
  }
  for (int k = 0; k < n; ++k) {
    adder->Add(polytope.vertex(below[k]).template cast<T>());
  }
}

}  // namespace

template <typename T>
void CalcHalfSpaceManifold(const CollisionShape& A,
                           const RigidTransform<T>& X_WA,
                           const RigidTransform<T>& X_WB,
                           ContactManifold<T>* manifold) {
  manifold->size = 0;
  Adder<T> adder(X_WA, X_WB, manifold);
  switch (A.kind) {
    case ShapeKind::kCapsule:
      AddCapsule(A, &adder);
      break;
    case ShapeKind::kCylinder:
      AddCylinder(A, &adder);
      break;
    case ShapeKind::kBox:
    case ShapeKind::kConvex:
      AddPolytope(*A.polytope, &adder);
      break;
    default:
      adder.Add(CalcSupportPoint<T>(A, -adder.up_A()));
  }
}

#define WYVERN_INSTANTIATE(T)                                \
  template void CalcHalfSpaceManifold<T>(                    \
      const CollisionShape&, const math::RigidTransform<T>&, \
      const math::RigidTransform<T>&, ContactManifold<T>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
