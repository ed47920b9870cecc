#include "wyvern/multibody/tree/tendon_path.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

/* The length of a path over bodies. A straight piece from A to B has the length
l = |p_AB| and the rate u·(v_B - v_A) with u = p_AB / l. A geodesic is
stationary: moving a point of contact along the shape changes no length to
first order. An obstacle therefore carries the points of contact as if they
were fixed to it, and the arc between them adds to L but not to dL/dt.

Both geodesics are plane problems. On a sphere the plane is that of the
centre and the two ends; a cylinder is projected along its axis, and its
helix is straight when unrolled, so that the path rises in proportion to the
length in the plane. In the plane the ends are at the distances d0 and d1
from the centre and the angle gamma apart in the sense of turning. The
tangents from them touch the circle at the angles acos(r / d0) and acos(r /
d1) from them, so that the arc spans phi = gamma - acos(r / d0) - acos(r /
d1).

A tendon through the inside of a circle that its straight line misses touches
the circle at one point, at the angle x from the nearer way to the first end.
Its length l0 + l1, with l0² = d0² + r² - 2 d0 r cos x, and l1 alike with
gamma - x, is the least where g(x) = d0 sin(x) / l0 - d1 sin(gamma - x) / l1
is 0: both pieces meet the circle at one angle. The line misses the circle,
so gamma < acos(r / d0) + acos(r / d1), and g grows from below 0 to above 0
between the angles at which one piece is a tangent. */

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

// Shorter lengths count as zero, [m].
constexpr double kLeastLength = 1e-14;

// The plane of a wrap: p = p_G0 + x e_x + y e_y.
template <typename T>
struct WrapPlane {
  Vector3<T> e_x;
  Vector3<T> e_y;

  Vector2<T> Project(const Vector3<T>& p) const {
    return {e_x.dot(p), e_y.dot(p)};
  }
};

// Returns a unit vector perpendicular to p and q, or to p alone if they are
// parallel.
template <typename T>
Vector3<T> CalcNormal(const Vector3<T>& p, const Vector3<T>& q) {
  const Vector3<T> n = p.cross(q);
  if (n.squaredNorm() > 1e-24 * p.squaredNorm() * q.squaredNorm()) {
    return n / n.norm();
  }
  int least = 0;
  for (int i = 1; i < 3; ++i) {
    using std::abs;
    if (abs(p[i]) < abs(p[least])) least = i;
  }
  const Vector3<T> other = p.cross(Vector3<T>(Vector3<T>::Unit(least)));
  return other / other.norm();
}

template <typename T>
WrapPlane<T> CalcWrapPlane(const Vector3<T>& p_GP, const Vector3<T>& p_GQ,
                           const TendonObstacle<T>& obstacle) {
  if (obstacle.is_cylinder) return {Vector3<T>::UnitX(), Vector3<T>::UnitY()};
  const Vector3<T> e_x = p_GP / p_GP.norm();
  const Vector3<T> towards =
      p_GP.cross(p_GQ).squaredNorm() >
                  1e-24 * p_GP.squaredNorm() * p_GQ.squaredNorm() ||
              !obstacle.p_GS.has_value()
          ? p_GQ
          : Vector3<T>(obstacle.p_GS->template cast<T>());
  return {e_x, CalcNormal(p_GP, towards).cross(e_x)};
}

template <typename T>
Vector2<T> Turn(const Vector2<T>& a, const T& angle) {
  using std::cos;
  using std::sin;
  const T c = cos(angle);
  const T s = sin(angle);
  return {c * a[0] - s * a[1], s * a[0] + c * a[1]};
}

// Whether the straight line between the ends passes the circle, on the side of
// `side` unless that is zero.
template <typename T>
bool IsClear(const Vector2<T>& a0, const Vector2<T>& a1, double radius,
             const Vector2<T>& side) {
  const Vector2<T> way = a1 - a0;
  const T square = way.squaredNorm();
  if (square < kLeastLength * kLeastLength) return true;
  T share = -a0.dot(way) / square;
  if (share < 0) share = T(0);
  if (share > 1) share = T(1);
  const Vector2<T> nearest = a0 + share * way;
  return nearest.norm() >= radius && nearest.dot(side) >= 0;
}

// Returns l, the distance from an end at the distance d to the point of the
// circle at the angle x from the end, and the derivative of d sin(x) / l.
template <typename T>
struct Chord {
  T sine;
  T slope;
};
template <typename T>
Chord<T> CalcChord(const T& d, double r, const T& x) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  // l² = d² + r² - 2 d r cos x, without the loss of digits near the circle.
  const T half = sin(0.5 * x);
  const T l = sqrt((d - r) * (d - r) + 4 * d * r * half * half);
  const T sine = d * sin(x) / l;
  return {sine, (d * cos(x) - r * sine * sine) / l};
}

// Returns x, for gamma from 0 to pi. A last step of Newton's method on T gives
// the derivatives.
template <typename T>
T CalcInnerAngle(const T& d0, const T& d1, double r, const T& gamma) {
  const auto step = [r](const auto& e0, const auto& e1, const auto& turn,
                        const auto& x) {
    using U = std::decay_t<decltype(turn)>;
    const Chord<U> a = CalcChord<U>(e0, r, x);
    const Chord<U> b = CalcChord<U>(e1, r, U(turn - x));
    return std::pair<U, U>(a.sine - b.sine, a.slope + b.slope);
  };
  using wyvern::internal::NumberIn;
  const double e0 = NumberIn(d0);
  const double e1 = NumberIn(d1);
  const double turn = NumberIn(gamma);
  double least = std::max(0.0, turn - std::acos(r / e1));
  double most = std::min(turn, std::acos(r / e0));
  double x = 0.5 * (least + most);
  for (int i = 0; i < 60 && most - least > 1e-15; ++i) {
    const auto [g, slope] = step(e0, e1, turn, x);
    (g > 0 ? most : least) = x;
    const double newton = x - g / slope;
    const double next =
        newton > least && newton < most ? newton : 0.5 * (least + most);
    if (std::abs(next - x) < 1e-15) break;
    x = next;
  }
  const auto [g, slope] = step(d0, d1, gamma, T(x));
  return slope > 1e-12 ? T(x - g / slope) : T(x);
}

// One of the two ways around a circle.
template <typename T>
struct Arc {
  int sense{};
  T phi{-1};
  /** The better way has the greater figure. */
  double merit{};
};

// A wrap in the plane.
template <typename T>
struct PlaneWrap {
  Vector2<T> first;
  Vector2<T> last;
  /** Length of the arc between the two. */
  T arc{0};
};

template <typename T>
T CalcTurn(const Vector2<T>& a0, const Vector2<T>& a1) {
  using std::atan2;
  return atan2(a0[0] * a1[1] - a0[1] * a1[0], a0.dot(a1));
}

// Returns the wrap through the inside of the circle.
template <typename T>
std::optional<PlaneWrap<T>> CalcInnerWrap(const Vector2<T>& a0,
                                          const Vector2<T>& a1, double radius) {
  const Vector2<T> no_side = Vector2<T>::Zero();
  if (!IsClear(a0, a1, radius, no_side)) return {};
  const T turn = CalcTurn(a0, a1);
  const int sense = turn < 0 ? -1 : 1;
  const T d0 = a0.norm();
  const T x = CalcInnerAngle<T>(d0, a1.norm(), radius, T(sense * turn));
  const Vector2<T> touched = Turn<T>(a0, sense * x) * (radius / d0);
  return PlaneWrap<T>{touched, touched};
}

// Returns the wrap around the circle, on the side of `side` unless that is
// zero.
template <typename T>
std::optional<PlaneWrap<T>> CalcOuterWrap(const Vector2<T>& a0,
                                          const Vector2<T>& a1, double radius,
                                          const Vector2<T>& side) {
  using std::acos;
  if (IsClear(a0, a1, radius, side)) return {};
  const T d0 = a0.norm();
  const T d1 = a1.norm();
  const T alpha0 = acos(radius / d0);
  const T alpha1 = acos(radius / d1);
  const T turn = CalcTurn(a0, a1);
  const bool has_side = side.squaredNorm() > 0;
  Arc<T> best;
  for (const int sense : {1, -1}) {
    // Between ends at one angle only the whole circle remains, because their
    // straight line is not clear.
    T gamma = sense * turn;
    if (!(gamma > 0)) gamma += 2 * std::numbers::pi;
    const T phi = gamma - alpha0 - alpha1;
    if (phi < 0) continue;
    const T middle = sense * (alpha0 + 0.5 * phi);
    const T merit = has_side ? T(Turn(a0, middle).dot(side) / d0) : T(-phi);
    if (best.sense != 0 && !(merit > best.merit)) continue;
    best = {sense, phi, wyvern::internal::NumberIn(merit)};
  }
  if (best.sense == 0) return {};
  return PlaneWrap<T>{Turn<T>(a0, best.sense * alpha0) * (radius / d0),
                      Turn<T>(a1, -best.sense * alpha1) * (radius / d1),
                      radius * best.phi};
}

}  // namespace

template <typename T>
std::optional<TendonWrap<T>> CalcTendonWrap(const Vector3<T>& p_GP,
                                            const Vector3<T>& p_GQ,
                                            const TendonObstacle<T>& obstacle) {
  using std::sqrt;
  const double r = obstacle.radius;
  if (!obstacle.is_cylinder && !(p_GP.norm() > r && p_GQ.norm() > r)) return {};
  const WrapPlane<T> plane = CalcWrapPlane(p_GP, p_GQ, obstacle);
  const Vector2<T> a0 = plane.Project(p_GP);
  const Vector2<T> a1 = plane.Project(p_GQ);
  if (!(a0.norm() > r && a1.norm() > r)) return {};
  Vector2<T> side = Vector2<T>::Zero();
  if (obstacle.p_GS.has_value()) {
    side = plane.Project(obstacle.p_GS->template cast<T>());
  }
  const bool is_inner = obstacle.p_GS.has_value() && obstacle.p_GS->norm() < r;
  const std::optional<PlaneWrap<T>> in_plane =
      is_inner ? CalcInnerWrap(a0, a1, r) : CalcOuterWrap(a0, a1, r, side);
  if (!in_plane.has_value()) return {};
  const Vector2<T>& t0 = in_plane->first;
  const Vector2<T>& t1 = in_plane->last;
  TendonWrap<T> wrap{.p_GA = t0[0] * plane.e_x + t0[1] * plane.e_y,
                     .p_GB = t1[0] * plane.e_x + t1[1] * plane.e_y,
                     .arc = in_plane->arc};
  if (!obstacle.is_cylinder) return wrap;
  const T l0 = (t0 - a0).norm();
  const T l1 = (a1 - t1).norm();
  const T slope = (p_GQ[2] - p_GP[2]) / (l0 + wrap.arc + l1);
  wrap.p_GA[2] = p_GP[2] + slope * l0;
  wrap.p_GB[2] = p_GQ[2] - slope * l1;
  wrap.arc *= sqrt(1.0 + slope * slope);
  return wrap;
}

template <typename T>
TendonPath<T>::TendonPath(const std::string& owner,
                          std::vector<TendonSegment<T>> segments)
    : segments_(std::move(segments)) {
  // The squares of greater numbers would be lost.
  constexpr double kMost = 1e100;
  const auto require = [&owner](bool is_met, const std::string& what) {
    if (!is_met) throw std::logic_error(fmt::format("{}: {}", owner, what));
  };
  const auto require_point = [&](const char* what, const Vector3<double>& p) {
    require(p.cwiseAbs().maxCoeff() <= kMost && p.allFinite(),
            fmt::format("the {} is at ({}, {}, {}); give finite numbers, of "
                        "magnitudes up to {}.",
                        what, p[0], p[1], p[2], kMost));
  };
  const auto take_body = [&](const RigidBody<T>* body) {
    require(body != nullptr, "a body is null; name one for each point.");
    if (first_body_ != nullptr || body->index() == world_index()) return;
    first_body_ = body;
  };
  const auto require_positive = [&](const char* what, double value) {
    require(value > 0 && value <= kMost,
            fmt::format("a {} is {}; give a positive number.", what, value));
  };
  require(!segments_.empty(), "it has no segment; give one or more.");
  for (const TendonSegment<T>& segment : segments_) {
    take_body(segment.start.body);
    require_point("start of a segment", segment.start.p_BP);
    take_body(segment.end.body);
    require_point("end of a segment", segment.end.p_BP);
    require_positive("divisor", segment.divisor);
    if (!segment.obstacle.has_value()) continue;
    take_body(segment.obstacle->body);
    require_point("obstacle", segment.obstacle->X_BG.translation());
    require_positive("radius", segment.obstacle->radius);
    if (!segment.obstacle->p_GS.has_value()) continue;
    require_point("side point", *segment.obstacle->p_GS);
  }
  require(first_body_ != nullptr,
          "all its points are on the world; put one on a body that moves.");
}

template <typename T>
TendonPath<T>::~TendonPath() = default;

template <typename T>
ModelInstanceIndex TendonPath<T>::model_instance() const {
  return first_body_->model_instance();
}

template <typename T>
template <class Visit>
T TendonPath<T>::VisitPieces(const MultibodyTreeSystem<T>& system,
                             const ForceState<T>& state, Visit visit) const {
  T length(0);
  const auto add_piece = [&](const Support& a, const Support& b,
                             double divisor) {
    const Vector3<T> p_AB_W = b.p_WP - a.p_WP;
    if (!(p_AB_W.squaredNorm() > kLeastLength * kLeastLength)) return;
    const T l = p_AB_W.norm();
    length += l / divisor;
    if (a.body == b.body) return;
    visit(a, b, Vector3<T>(p_AB_W / (l * divisor)));
  };
  const auto place = [&](const TendonPoint<T>& point) {
    return Support{point.body, system.BodyPose(state.pc, point.body->index()) *
                                   point.p_BP.template cast<T>()};
  };
  for (const TendonSegment<T>& segment : segments_) {
    const Support start = place(segment.start);
    const Support end = place(segment.end);
    std::optional<TendonWrap<T>> wrap;
    RigidTransform<T> X_WG;
    if (segment.obstacle.has_value()) {
      X_WG = system.BodyPose(state.pc, segment.obstacle->body->index()) *
             segment.obstacle->X_BG.template cast<T>();
      const RigidTransform<T> X_GW = X_WG.inverse();
      wrap = CalcTendonWrap<T>(X_GW * start.p_WP, X_GW * end.p_WP,
                               *segment.obstacle);
    }
    if (!wrap.has_value()) {
      add_piece(start, end, segment.divisor);
      continue;
    }
    const RigidBody<T>* const body = segment.obstacle->body;
    add_piece(start, {body, X_WG * wrap->p_GA}, segment.divisor);
    add_piece({body, X_WG * wrap->p_GB}, end, segment.divisor);
    length += wrap->arc / segment.divisor;
  }
  return length;
}

template <typename T>
T TendonPath<T>::CalcValue(const MultibodyTreeSystem<T>& system,
                           const ForceState<T>& state) const {
  return VisitPieces(system, state, [](const auto&...) {});
}

template <typename T>
T TendonPath<T>::CalcRate(const MultibodyTreeSystem<T>& system,
                          const ForceState<T>& state) const {
  const auto velocity = [&](const Support& support) {
    return Vector3<T>(dynamics::CalcPointVelocity<T>(
                          system.model(), state.pc.nodes, state.vc->nodes,
                          system.tree().model_body(support.body->index()),
                          support.p_WP)
                          .template tail<3>());
  };
  T rate(0);
  VisitPieces(system, state,
              [&](const Support& a, const Support& b, const Vector3<T>& u_W) {
                rate += u_W.dot(velocity(b) - velocity(a));
              });
  return rate;
}

namespace {

// Returns a visitor of pieces that adds `force` along each piece, with opposite
// signs at its ends. `add` outlives it.
template <typename T, typename Add>
auto AtEndsOfPieces(const T& force, const Add& add) {
  return [force, &add](const auto& a, const auto& b, const Vector3<T>& u_W) {
    const Vector3<T> f_W = force * u_W;
    add(a, Vector3<T>(-f_W));
    add(b, f_W);
  };
}

}  // namespace

template <typename T>
void TendonPath<T>::AddForce(const MultibodyTreeSystem<T>& system,
                             const ForceState<T>& state, const T& force,
                             MultibodyForces<T>* forces) const {
  const auto add = [&](const Support& support, const Vector3<T>& f_W) {
    const BodyIndex body = support.body->index();
    const Vector3<T> p_BoP_W =
        support.p_WP - system.BodyPose(state.pc, body).translation();
    forces->AddBodyForce(body, SpatialForce<T>(p_BoP_W.cross(f_W), f_W));
  };
  VisitPieces(system, state, AtEndsOfPieces<T>(force, add));
}

template <typename T>
void TendonPath<T>::AddGeneralizedForce(const MultibodyTreeSystem<T>& system,
                                        const ForceState<T>& state,
                                        const T& force,
                                        Eigen::Ref<VectorX<T>> tau) const {
  const auto add = [&](const Support& support, const Vector3<T>& f_W) {
    Vector6<T> F_BP_W = Vector6<T>::Zero();
    F_BP_W.template tail<3>() = f_W;
    dynamics::AddGeneralizedForceAtPoint<T>(
        system.model(), state.pc.nodes,
        system.tree().model_body(support.body->index()), support.p_WP, F_BP_W,
        tau);
  };
  VisitPieces(system, state, AtEndsOfPieces<T>(force, add));
}

// A joint that moves all bodies of a segment, or none, changes no length.
template <typename T>
std::vector<const Joint<T>*> TendonPath<T>::FindJoints(
    const MultibodyTree<T>& tree) const {
  const dynamics::Model& model = tree.model("FindJoints");
  std::set<int> movers;
  for (const TendonSegment<T>& segment : segments_) {
    std::vector<const RigidBody<T>*> bodies{segment.start.body,
                                            segment.end.body};
    if (segment.obstacle.has_value()) bodies.push_back(segment.obstacle->body);
    std::vector<std::size_t> counts(model.num_bodies(), 0);
    for (const RigidBody<T>* body : bodies) {
      for (int b = tree.model_body(body->index()); b > 0;
           b = model.bodies[b].parent) {
        ++counts[b];
      }
    }
    for (int b = 1; b < model.num_bodies(); ++b) {
      const bool moves_some = counts[b] > 0 && counts[b] < bodies.size();
      if (moves_some && model.bodies[b].nv > 0) movers.insert(b);
    }
  }
  std::vector<const Joint<T>*> joints;
  for (const int b : movers) joints.push_back(tree.inboard_joints()[b]);
  return joints;
}

template <typename T>
void TendonPath<T>::RequireMembers(const MultibodyTree<T>& tree,
                                   std::string_view function) const {
  for (const TendonSegment<T>& segment : segments_) {
    tree.RequireMember(*segment.start.body, function);
    tree.RequireMember(*segment.end.body, function);
    if (segment.obstacle.has_value()) {
      tree.RequireMember(*segment.obstacle->body, function);
    }
  }
}

#define WYVERN_INSTANTIATE(T)                           \
  template std::optional<TendonWrap<T>> CalcTendonWrap( \
      const Vector3<T>&, const Vector3<T>&, const TendonObstacle<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::TendonPath);
