#include "wyvern/geometry/deformable/rigid_surface.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "wyvern/geometry/proximity/point_distance.h"

namespace wyvern::geometry::internal {
namespace {

// How long edges are where nobody says, m.
struct DefaultHint {
  template <typename S>
  double operator()(const S& shape) const {
    if constexpr (requires { shape.radius(); }) {
      return shape.radius() / 4;
    } else if constexpr (requires { shape.c(); }) {
      return std::min({shape.a(), shape.b(), shape.c()}) / 4;
    } else {
      return std::numeric_limits<double>::infinity();
    }
  }
};

bool IsPoint(const Shape& shape) {
  const auto* sphere = dynamic_cast<const Sphere*>(&shape);
  return sphere != nullptr && sphere->radius() == 0;
}

}  // namespace

RigidSurface::RigidSurface(std::shared_ptr<const Shape> shape,
                           double resolution_hint,
                           std::shared_ptr<const RigidMesh> known)
    : shape_(std::move(shape)),
      resolution_hint_(resolution_hint > 0
                           ? resolution_hint
                           : shape_->Visit<double>(DefaultHint())),
      is_half_space_(dynamic_cast<const HalfSpace*>(shape_.get()) != nullptr),
      is_empty_(IsPoint(*shape_)),
      mesh_(std::move(known)) {}

const RigidMesh& RigidSurface::mesh() const {
  std::call_once(once_, [this] {
    if (mesh_ == nullptr) mesh_ = ShareRigidMesh(*shape_, resolution_hint_);
  });
  return *mesh_;
}

double RigidSurface::CalcDistance(const CollisionShape& shape,
                                  const Vector3<double>& p_RQ,
                                  double reach) const {
  if (shape.name != "Mesh") {
    const double distance = CalcPointDistance<double>(shape, p_RQ).distance;
    return distance <= reach ? distance
                             : std::numeric_limits<double>::infinity();
  }
  mesh();
  std::call_once(distance_once_, [this] {
    distance_ = std::make_unique<const SurfaceDistance>(mesh_);
  });
  return distance_->Calc(p_RQ, reach);
}

}  // namespace wyvern::geometry::internal
