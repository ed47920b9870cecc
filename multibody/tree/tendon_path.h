#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/tree/scalar_coordinate.h"

namespace wyvern::multibody {

template <typename T>
class RigidBody;

/** A point P of a tendon, fixed to a body B. */
template <typename T>
struct TendonPoint {
  /** Body B; must not be null. */
  const RigidBody<T>* body{};
  /** Position of P in B, [m]. */
  Vector3<double> p_BP{Vector3<double>::Zero()};
};

/** A shape that a tendon bends around: a sphere or an endless cylinder, of
frame G fixed to a body B. The sphere is centred at Go, and the cylinder's axis
is Gz. */
template <typename T>
struct TendonObstacle {
  /** Body B that the shape is fixed to; must not be null. */
  const RigidBody<T>* body{};
  /** Pose of the shape's frame G in B. */
  math::RigidTransform<double> X_BG{};
  /** [m], positive. */
  double radius{};
  /** True for a cylinder, false for a sphere. */
  bool is_cylinder{};
  /** A point S beyond the radius from Go: the tendon passes the shape on the
  side of S. If S is nearer, the tendon passes through the inside of the shape.
  Without it the tendon takes the shorter way. */
  std::optional<Vector3<double>> p_GS{};
};

/** A part of a tendon, from one point to another. It is straight unless it
bends around an obstacle in its way. Its length counts 1 / divisor: a tendon
that a pulley splits in two has a divisor of 2 on each. */
template <typename T>
struct TendonSegment {
  /** First point. */
  TendonPoint<T> start;
  /** Last point. */
  TendonPoint<T> end;
  /** Shape to bend around, if any. */
  std::optional<TendonObstacle<T>> obstacle{};
  /** Number by which the length of this part is divided, positive. */
  double divisor{1};
};

namespace internal {

/** The length L(q) of a path over bodies, [m]. An obstacle is passed along the
geodesic: a great circle of a sphere, a helix on a cylinder. An end within the
obstacle is not held out. Where the ends of a straight piece meet, the piece
has no direction and exerts no force. */
template <typename T>
class TendonPath final : public ScalarCoordinate<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(TendonPath);
  /** @param owner begins the messages of errors.
  @throws std::logic_error if there is no segment, a body is null, all points
  are on the world, a number is not finite, or a radius or divisor is not
  positive. */
  TendonPath(const std::string& owner, std::vector<TendonSegment<T>> segments);
  ~TendonPath() override;

  const std::vector<TendonSegment<T>>& segments() const { return segments_; }

  ModelInstanceIndex model_instance() const override;
  T CalcValue(const MultibodyTreeSystem<T>& system,
              const ForceState<T>& state) const override;
  T CalcRate(const MultibodyTreeSystem<T>& system,
             const ForceState<T>& state) const override;
  void AddForce(const MultibodyTreeSystem<T>& system,
                const ForceState<T>& state, const T& force,
                MultibodyForces<T>* forces) const override;
  void AddGeneralizedForce(const MultibodyTreeSystem<T>& system,
                           const ForceState<T>& state, const T& force,
                           Eigen::Ref<VectorX<T>> tau) const override;
  std::vector<const Joint<T>*> FindJoints(
      const MultibodyTree<T>& tree) const override;
  void RequireMembers(const MultibodyTree<T>& tree,
                      std::string_view function) const override;

 private:
  // A point of the path, and the body that carries it.
  struct Support {
    const RigidBody<T>* body{};
    Vector3<T> p_WP;
  };
  // Calls visit(start, end, u / divisor) for each straight piece between two
  // bodies, where u is its direction. Returns the length.
  template <class Visit>
  T VisitPieces(const MultibodyTreeSystem<T>& system,
                const ForceState<T>& state, Visit visit) const;

  const std::vector<TendonSegment<T>> segments_;
  // The first one that is not the world.
  const RigidBody<T>* first_body_{};
};

/** Where a tendon from P to Q, outside a shape, touches the shape. */
template <typename T>
struct TendonWrap {
  /** First and last point of contact, in G. */
  Vector3<T> p_GA;
  Vector3<T> p_GB;
  /** Length of the arc between the two, [m]. */
  T arc{};
};

/** Computes how a tendon bends around the obstacle; nothing if it does not. */
template <typename T>
std::optional<TendonWrap<T>> CalcTendonWrap(const Vector3<T>& p_GP,
                                            const Vector3<T>& p_GQ,
                                            const TendonObstacle<T>& obstacle);

}  // namespace internal
}  // namespace wyvern::multibody
