#include "wyvern/multibody/plant/parts/contact_part.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/dynamics/jacobians.h"
#include "wyvern/multibody/plant/parts/smallest_extent.h"
#include "wyvern/multibody/plant/parts/surface_material.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Finds where geometries touch and, in a continuous plant, the force there.
Points come from the SceneGraph's contact manifolds. C lies between the two
surfaces, nearer to the surface of the stiffer body. The stiffness is k = k_A
k_B / (k_A + k_B), and each dissipation counts by the share of the
deformation of its body.
Each face of a contact surface becomes points too: one at the centre of
pressure of a small face, and four for a large one. Together they have the
force and the moment of the pressure on the face. All later computations
therefore use points only, and results are summed up by surface again.
A step may have a margin; points within it count although they do
not touch yet. For a negative depth the law of a step pushes only if the step
would close the gap. The continuous force is Hunt and Crossley's, k x (1 + d
ẋ). Its friction is regularized by the stiction tolerance and follows
Stribeck's curve from static to dynamic friction. */

namespace wyvern::multibody::internal {

using geometry::GeometryId;
using systems::Context;

template <typename T>
void ContactPart<T>::Finalize(MultibodyTreeSystem<T>* core) {
  geometry_query_ = ports_.input("geometry_query");
  entry_ = &core->DeclarePartEntry(
      is_for_steps_ && !core->is_discrete() ? "contact points of steps"
                                            : "contact points",
      systems::ValueProducer(this, ContactPoints<T>(),
                             &ContactPart<T>::CalcPoints),
      {core->input_port_ticket(geometry_query_)});
}

template <typename T>
void ContactPart<T>::SetReach(const Context<T>& context, double reach) const {
  if (!has_geometry()) return;
  systems::CacheEntryValue& value =
      entry_->get_mutable_cache_entry_value(context);
  if (!value.needs_recomputation() && EvalContacts(context).reach >= reach) {
    return;
  }
  value.mark_out_of_date();
  value.template GetMutableValueOrThrow<ContactPoints<T>>().wanted_reach =
      reach;
}

template <typename T>
bool ContactPart<T>::HasContacts(const Context<T>& context) const {
  return has_geometry() && !EvalContacts(context).points.empty();
}

template <typename T>
void ContactPart<T>::CollectSurfaces(
    const geometry::SceneGraphInspector<T>& inspector,
    ContactPoints<T>* result) const {
  result->surfaces.clear();
  result->some_hydroelastic = false;
  const bool needs_relaxation =
      core_.is_discrete() &&
      config_.approximation == DiscreteContactApproximation::kSap;
  for (const GeometryId id :
       inspector.GetAllGeometryIds(geometry::Role::kProximity)) {
    const auto body = binding_.body_of_collision.find(id);
    if (body == binding_.body_of_collision.end()) continue;
    const geometry::ProximityProperties* properties =
        inspector.GetProximityProperties(id);
    const SurfaceMaterial material =
        ReadSurfaceMaterial(*properties, config_, inspector.GetName(id));
    auto& surface = result->surfaces[id];
    surface.body = body->second;
    surface.stiffness = material.stiffness;
    surface.dissipation = material.dissipation;
    surface.relaxation_time = material.relaxation_time;
    surface.friction = material.friction;
    surface.modulus = material.modulus;
    if (!std::isinf(surface.modulus)) {
      surface.reach = 0.5 * CalcSmallestExtent(inspector.GetShape(id));
    }
    result->some_hydroelastic =
        result->some_hydroelastic || !std::isinf(surface.modulus);
    if (needs_relaxation && std::isnan(surface.relaxation_time)) {
      throw std::logic_error(fmt::format(
          "MultibodyPlant '{}': geometry '{}' has no property (\"material\", "
          "\"relaxation_time\"), which the contact approximation kSap needs; "
          "add it, or choose another approximation.",
          core_.GetSystemPathname(), inspector.GetName(id)));
    }
  }
  result->version = inspector.geometry_version();
  result->revision = config_.revision;
}

template <typename T>
bool ContactPart<T>::FindSurfaces(const ContactPoints<T>& contacts,
                                  GeometryId id_A, GeometryId id_B,
                                  const Surface** A, const Surface** B) const {
  const auto a = contacts.surfaces.find(id_A);
  const auto b = contacts.surfaces.find(id_B);
  if (a == contacts.surfaces.end() || b == contacts.surfaces.end()) {
    return false;
  }
  *A = &a->second;
  *B = &b->second;
  return true;
}

template <typename T>
void ContactPart<T>::SetMaterial(const Surface& A, const Surface& B,
                                 double share_A, ContactPoint<T>* point) const {
  point->body_A = A.body;
  point->body_B = B.body;
  point->dissipation =
      T((1 - share_A) * A.dissipation + share_A * B.dissipation);
  point->relaxation_time = T(A.relaxation_time + B.relaxation_time);
  const CoulombFriction<double> friction =
      CalcContactFrictionFromSurfaceProperties(A.friction, B.friction);
  point->mu = T(friction.dynamic_friction());
  point->mu_static = T(friction.static_friction());
}

template <typename T>
const geometry::QueryObject<T>& ContactPart<T>::EvalQuery(
    const Context<T>& context) const {
  const auto* query = core_.template EvalInputValue<geometry::QueryObject<T>>(
      context, geometry_query_);
  if (query == nullptr) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant '{}': it has collision geometry, but its input port "
        "'geometry_query' is not connected; connect it to "
        "SceneGraph::get_query_output_port(), or make both with "
        "AddMultibodyPlantSceneGraph().",
        core_.GetSystemPathname()));
  }
  return *query;
}

template <typename T>
void ContactPart<T>::CalcPoints(const Context<T>& context,
                                ContactPoints<T>* result) const {
  const auto& query = EvalQuery(context);
  const auto& inspector = query.inspector();
  if (result->revision != config_.revision ||
      !result->version.IsSameAs(inspector.geometry_version(),
                                geometry::Role::kProximity)) {
    CollectSurfaces(inspector, result);
  }
  result->points.clear();
  result->shown_surfaces.clear();
  result->surface_of_face.clear();
  const bool must_have_surfaces = config_.model == ContactModel::kHydroelastic;
  // Bodies that touch at a depth of 0 count as in contact. Otherwise they would
  // fall freely into each other during the step.
  const double reach =
      is_for_steps_
          ? std::max({config_.speculative_margin, geometry::kTouchingDistance,
                      result->wanted_reach})
          : config_.speculative_margin;
  result->reach = reach;
  if (!must_have_surfaces &&
      (config_.model == ContactModel::kPoint || !result->some_hydroelastic)) {
    query.ComputeContactManifolds(&result->pairs, reach);
    AddPoints(context, result);
    return;
  }
  if (must_have_surfaces) result->pairs.clear();
  query.ComputeContactSurfacesAndManifolds(
      config_.surface_representation, result->contact_surfaces.Renew(),
      must_have_surfaces ? nullptr : &result->pairs, reach);
  AddPoints(context, result);
  AddFaces(context, result);
}

template <typename T>
void ContactPart<T>::NoteForeign(const Context<T>& context,
                                 const ContactPoints<T>& contacts,
                                 GeometryId id_A, GeometryId id_B) const {
  const bool owns_A = contacts.surfaces.contains(id_A);
  if (!owns_A && !contacts.surfaces.contains(id_B)) return;
  WarnOfForeignContact(core_, EvalQuery(context).inspector(),
                       owns_A ? id_A : id_B, owns_A ? id_B : id_A,
                       ToDouble(context.get_time()), contacts.foreign_pairs);
}

// Adjusts a point within the margin: before the two touch, friction has no
// force to depend on, and a relaxation time would push from a distance.
template <typename T>
static void MakeSpeculative(ContactPoint<T>* point) {
  point->mu = point->mu_static = T(0);
  point->relaxation_time = T(0);
}

template <typename T>
void ContactPart<T>::AddPoints(const Context<T>& context,
                               ContactPoints<T>* result) const {
  std::size_t kept = 0;
  // Points of the same pair of geometries follow each other.
  geometry::GeometryId id_A, id_B;
  ContactPoint<T> point;
  bool is_ours = false;
  double share = 0;
  Vector3<T> normal = Vector3<T>::Zero();
  for (const auto& pair : result->pairs) {
    if (!(id_A.is_valid() && pair.id_A == id_A && pair.id_B == id_B)) {
      id_A = pair.id_A;
      id_B = pair.id_B;
      const Surface *A{}, *B{};
      is_ours = FindSurfaces(*result, id_A, id_B, &A, &B);
      if (is_ours) {
        share = A->stiffness / (A->stiffness + B->stiffness);
        SetMaterial(*A, *B, share, &point);
        point.stiffness = T(share * B->stiffness);
      } else {
        NoteForeign(context, *result, id_A, id_B);
      }
    }
    if (!is_ours) continue;
    point.p_WC = share * pair.p_WCa + (1 - share) * pair.p_WCb;
    // Normals that are equal may have different derivatives.
    const bool is_new =
        !std::is_same_v<T, double> || kept == 0 || pair.nhat_BA_W != normal;
    if (is_new) {
      normal = pair.nhat_BA_W;
      point.R_WC =
          math::RotationMatrix<T>::MakeFromOneVector(normal, 2).matrix();
    }
    point.depth = pair.depth;
    if (&result->pairs[kept] != &pair) result->pairs[kept] = pair;
    ++kept;
    result->points.push_back(point);
    if (pair.depth < 0) MakeSpeculative(&result->points.back());
  }
  result->pairs.resize(kept);
}

// Geometry M is A and N is B: normals point out of N into M. The two bodies are
// springs in series: B has the share E_A / (E_A + E_B) of the deformation. A
// body with an infinite modulus does not deform.
template <typename T>
void ContactPart<T>::AddFaces(const Context<T>& context,
                              ContactPoints<T>* result) const {
  const auto& list = result->contact_surfaces.get();
  for (int i = 0; i < list.size(); ++i) {
    const Surface *A{}, *B{};
    if (!FindSurfaces(*result, list[i].id_M(), list[i].id_N(), &A, &B)) {
      NoteForeign(context, *result, list[i].id_M(), list[i].id_N());
      continue;
    }
    const double share_A =
        std::isfinite(A->modulus) ? A->modulus / (A->modulus + B->modulus) : 1;
    ContactPoint<T> point;
    SetMaterial(*A, *B, share_A, &point);
    result->shown_surfaces.push_back(i);
    AddFaces(list[i], A->reach + B->reach, &point, result);
  }
}

// Gradients of pressure below this, [Pa/m], count as 0.
static constexpr double kLeastGradient = 1e-14;

// Returns the slope a b / (a + b) of two springs in series; 0 if the pressure
// of one of them does not fall.
template <typename T>
static T CalcSeries(bool has_A, const T& slope_A, bool has_B,
                    const T& slope_B) {
  if (has_A && !(slope_A > kLeastGradient)) return T(0);
  if (has_B && !(slope_B > kLeastGradient)) return T(0);
  if (!has_A) return slope_B;
  if (!has_B) return slope_A;
  return slope_A * slope_B / (slope_A + slope_B);
}

// The pressures of A and B at a face, as they change with position.
template <typename T>
struct FaceGradients {
  FaceGradients(const geometry::ContactSurface<T>& surface, int face)
      : has_A(surface.HasGradE_M()), has_B(surface.HasGradE_N()) {
    if (has_A) A = surface.EvaluateGradE_M_W(face);
    if (has_B) B = surface.EvaluateGradE_N_W(face);
  }
  // Returns how fast the pressure at the face falls as A withdraws from B along
  // a unit vector, [Pa/m]; 0 if it does not fall.
  T CalcDecay(const Vector3<T>& way) const {
    return CalcSeries<T>(has_A, has_A ? T(A.dot(way)) : T(0), has_B,
                         has_B ? T(-B.dot(way)) : T(0));
  }
  // Returns whether a normal turns away from a gradient by more than rounding.
  // Such a face counts for nothing in a step, as in Drake. Sides along a
  // gradient count on both sides of a body, which would not balance otherwise.
  bool LookAway(const Vector3<T>& normal) const {
    constexpr double kRounding = 1e-3;
    return (has_A && A.dot(normal) < -kRounding * A.norm()) ||
           (has_B && B.dot(normal) > kRounding * B.norm());
  }
  // Returns how fast the pressure falls towards the bodies' surfaces.
  T CalcSteepest() const {
    return CalcSeries<T>(has_A, has_A ? T(A.norm()) : T(0), has_B,
                         has_B ? T(B.norm()) : T(0));
  }

  bool has_A, has_B;
  Vector3<T> A, B;
};

// How the force of a surface ends as the bodies go apart.
//
// A step takes the force of a face as A (p - g dt v_n), with g the decay of the
// pressure along the face's normal n. The face then pushes until the bodies
// have gone apart by p / g. Where n is nearly perpendicular to the gradients,
// as on the rim of a box pressed flat or on the side of a box that stands in
// soft ground, that has no bound, and the face would throw the body off. Its
// force ends otherwise: the area of the face shrinks.
//
// The whole surface shows how. Let F = sum A p n be its force, u = F / |F|, and
// the bodies go apart by s along u. The force along u is minus the derivative
// of the energy, and the sum of the pressure's decay over all faces is its
// exact derivative,
//   dF.u/ds = -sum A (n.u) h,  h the decay of p along u,
// as the surface ends where p = 0, so that no force comes or goes at its
// boundary. Newton's step from there, Phi = F.u / sum A (n.u) h, is at most the
// depth of a convex F(s). Pressures that rise with s are left out, which makes
// Phi smaller. A face that its own decay would let push much farther
// than the surface, or than the distance p / |grad p| from the bodies'
// surfaces, yields within Phi. Elements at the side of a flat body have a small
// gradient although the body ends nearby. No face therefore pushes much farther
// than the reach of both bodies, the sum of the greatest depths of points
// within them.
template <typename T>
class SurfaceYield {
 public:
  SurfaceYield() = default;
  SurfaceYield(const geometry::ContactSurface<T>& surface, double reach_in)
      : reach(reach_in) {
    T sum(0), decay(0), steepest(0);
    Vector3<T> force = Vector3<T>::Zero();
    for (const auto& patch : surface.patches()) {
      if (!(patch.pressure > 0)) continue;
      const T f = patch.area * patch.pressure;
      sum += f;
      force += f * patch.normal();
    }
    if (!(sum > 0)) return;
    // The forces of a surface around a body may have no sum.
    constexpr double kNone = 1e-6;
    const T square = force.squaredNorm();
    has_way = square > kNone * kNone * sum * sum;
    using std::sqrt;
    if (has_way) way = force / sqrt(square);
    for (const auto& patch : surface.patches()) {
      if (!(patch.pressure > 0)) continue;
      const FaceGradients<T> gradients(surface, patch.face);
      steepest += patch.area * gradients.CalcSteepest();
      if (has_way) {
        decay +=
            patch.area * patch.normal().dot(way) * gradients.CalcDecay(way);
      }
    }
    if (!(steepest > 0)) return;
    // Phi is at most kFarthest times the mean distance of the contact surface
    // from the surfaces of the bodies.
    constexpr double kFarthest = 2;
    distance = sum / steepest;
    if (has_way) {
      const T along = force.dot(way);
      distance = along < kFarthest * distance * decay ? T(along / decay)
                                                      : T(kFarthest * distance);
    }
    if (distance > reach) distance = T(reach);
  }

  // True if F is not negligible; `way` is then u = F / |F|, and 0 otherwise.
  bool has_way{false};
  Vector3<T> way = Vector3<T>::Zero();
  // Phi, [m]; positive if some face presses.
  T distance{0};
  // The reach of both bodies, [m].
  double reach{std::numeric_limits<double>::infinity()};
};

// A face whose own depth exceeds kFar Phi gets the depth Phi / kFar instead,
// which is less than Phi because the deepest faces of the surface push on.
static constexpr double kFar = 1.25;

// Sum of the forces perpendicular to u of all faces that yield with the
// surface.
//
// Sides that stand in soft ground press against each other; pressure on a body
// in a field has a force along the field's gradient only, as buoyancy has.
// Motion across neither takes such forces away nor stores energy. Motion along
// the surface's force ends them with the rest of the surface. The law of a
// point depends on the velocity at that point alone, so that points with these
// forces would push on while the bodies leave each other. Two such points at a
// small angle, or with a small arm, squeeze a body out without a bound: if
// their laws allow the normal velocity e, the body may move with e over that
// angle, and both do work on it. Therefore only the sum of the forces and its
// couple count. A shift of all points of the surface has the couple, except for
// the part about the surface's force, which two more points have.
template <typename T>
struct ForcesAcross {
  void Add(const Vector3<T>& p, const Vector3<T>& f) {
    using std::sqrt;
    // The square root has no derivative at zero.
    const T f_square = f.squaredNorm();
    if (!(f_square > 0)) return;
    const T size = sqrt(f_square);
    sum += size;
    force += f;
    moment += p.cross(f);
    centre += size * p;
    square += size * p.squaredNorm();
  }

  T sum{0};  // The sizes, by which positions count in the next two.
  Vector3<T> centre = Vector3<T>::Zero();
  T square{0};
  Vector3<T> force = Vector3<T>::Zero();
  Vector3<T> moment = Vector3<T>::Zero();  // About the world's origin.
};

// Adds a point of a face, of which an area and a pressure are given for its
// stiffness and depth. A face that would push too far has a point along the
// surface's force only; the rest is added to the forces across. The friction of
// the face goes with that point, up to twice the point's own. A law of which
// `slip_separates` pushes until v_n - mu |v_t| has reached depth / dt, so that
// a steep face with friction pushes farther. That is the law of kSimilar, and
// in impacts the law of kLagged and kTamsi. kSap is such a law too, but its
// relaxation time ends the push sooner.
template <typename T>
static void AddPressedPoint(const SurfaceYield<T>& yield,
                            const FaceGradients<T>& gradients,
                            const T& steepest, bool slip_separates,
                            ContactPoint<T>* point, ForcesAcross<T>* across,
                            const auto& add) {
  using std::sqrt;
  constexpr double kNone = 1e-6;  // A share of the normal that is rounding.
  const Vector3<T> n = point->R_WC.col(2);
  if (gradients.LookAway(n)) return;
  const T decay = gradients.CalcDecay(n);
  const T along = n.dot(yield.way), p = point->depth;
  // The normal velocity that the face's law sees as the bodies go apart along u
  // at speed 1: n·u, less mu times the slip if slip_separates.
  T parting = along;
  if (slip_separates && along > 0 && along < 1) {
    parting -= point->mu * sqrt(1 - along * along);
  }
  // Compare the face's own depth p / decay with the reach, p / steepest and
  // Phi.
  const bool is_near = p <= kFar * yield.reach * decay &&
                       (kFar * decay >= steepest ||
                        p <= kFar * parting * yield.distance * decay);
  if (is_near || !(p > 0)) {
    if (!(decay >= kLeastGradient)) return;
    point->depth /= decay;
    point->stiffness *= decay;
    add(*point);
    return;
  }
  const T force = p * point->stiffness;
  if (yield.has_way && !(along > kNone)) {
    across->Add(point->p_WC, force * n);
    return;
  }
  ContactPoint<T> part = *point;
  part.depth = yield.distance / kFar;
  part.stiffness = force / part.depth;
  if (yield.has_way) {
    across->Add(point->p_WC, force * (n - along * yield.way));
    part.R_WC =
        math::RotationMatrix<T>::MakeFromOneVector(yield.way, 2).matrix();
    part.stiffness *= along;
    const T friction = along < 0.5 ? T(2) : T(1 / along);
    part.mu *= friction;
    part.mu_static *= friction;
  }
  add(part);
}

// Adds what the forces across have together to the points of a surface.
// `part` has its material.
template <typename T>
static void AddAcross(const SurfaceYield<T>& yield,
                      const ForcesAcross<T>& across, ContactPoint<T> part,
                      std::span<ContactPoint<T>> points, const auto& add) {
  using std::sqrt;
  constexpr double kNone = 1e-6;  // A share of the forces that is rounding.
  if (!(across.sum > 0)) return;
  const T least_square = kNone * kNone * across.sum * across.sum;
  const Vector3<T> centre = across.centre / across.sum;
  const Vector3<T> couple = across.moment - centre.cross(across.force);
  const T variance = across.square / across.sum - centre.squaredNorm();
  const T radius = variance > 0 ? T(sqrt(variance)) : T(0);
  Vector3<T> total = across.force;
  for (const ContactPoint<T>& q : points) {
    if (q.depth > 0) total += (q.stiffness * q.depth) * q.R_WC.col(2);
  }
  const T total_square = total.squaredNorm();
  if (!(total_square > least_square)) return;
  // shift x total is the couple without its part along the total.
  Vector3<T> shift = total.cross(couple) / total_square;
  const T shift_square = shift.squaredNorm();
  if (shift_square > radius * radius) shift *= radius / sqrt(shift_square);
  for (ContactPoint<T>& q : points) q.p_WC += shift;
  // Added points may reallocate the list, so `points` ends here.
  part.depth = yield.distance / kFar;
  part.mu = part.mu_static = T(0);
  const auto add_force = [&](const Vector3<T>& p, const Vector3<T>& f) {
    const T square = f.squaredNorm();
    if (!(square > least_square)) return;
    const T size = sqrt(square);
    part.p_WC = p;
    part.R_WC =
        math::RotationMatrix<T>::MakeFromOneVector(f / size, 2).matrix();
    part.stiffness = size / part.depth;
    add(part);
  };
  add_force(centre + shift, across.force);
  if (!(radius > 0)) return;
  const Vector3<T> axis = total / sqrt(total_square);
  const auto R = math::RotationMatrix<T>::MakeFromOneVector(axis, 2).matrix();
  const Vector3<T> f = couple.dot(axis) / (2 * radius) * R.col(1);
  add_force(centre + radius * R.col(0), f);
  add_force(centre - radius * R.col(0), -f);
}

template <typename T>
void ContactPart<T>::AddFaces(const geometry::ContactSurface<T>& surface,
                              double reach, ContactPoint<T>* point,
                              ContactPoints<T>* result) const {
  const int shown = static_cast<int>(result->shown_surfaces.size()) - 1;
  // Forces in continuous time should be smooth, and a change of points is not.
  const double one_point_spread =
      is_for_steps_
          ? geometry::internal::CalcSpreadOfOnePoint(surface.patches())
          : 0;
  const SurfaceYield<T> yield =
      is_for_steps_ ? SurfaceYield<T>(surface, reach) : SurfaceYield<T>();
  const auto add = [&](const ContactPoint<T>& part) {
    result->points.push_back(part);
    result->surface_of_face.push_back(shown);
  };
  const bool slip_separates =
      config_.approximation != DiscreteContactApproximation::kSap;
  ForcesAcross<T> across;
  const std::size_t first = result->points.size();
  Vector3<T> normal = Vector3<T>::Zero();
  for (const auto& patch : surface.patches()) {
    // In continuous time what does not touch has no force.
    if (!is_for_steps_ && patch.pressure <= 0) continue;
    if (!std::is_same_v<T, double> || patch.normal() != normal) {
      normal = patch.normal();
      point->R_WC =
          math::RotationMatrix<T>::MakeFromOneVector(normal, 2).matrix();
    }
    const FaceGradients<T> gradients(surface, patch.face);
    const T steepest = gradients.CalcSteepest();
    const auto add_point = [&](const auto& q) {
      point->p_WC = q.p_WQ;
      point->depth = q.pressure;
      point->stiffness = q.area;
      if (is_for_steps_) {
        AddPressedPoint<T>(yield, gradients, steepest, slip_separates, point,
                           &across, add);
      } else if (steepest > 0) {
        // Only the product of the two counts.
        point->depth /= steepest;
        point->stiffness *= steepest;
        add(*point);
      }
    };
    if (patch.CalcSpread() <= one_point_spread) {
      add_point(patch.CalcCentre());
    } else {
      for (const auto& q : patch.CalcPoints()) add_point(q);
    }
  }
  AddAcross<T>(yield, across, *point, std::span(result->points).subspan(first),
               add);
}

template <typename T>
Vector3<T> ContactPart<T>::CalcVelocity(const Context<T>& context,
                                        const ContactPoint<T>& point) const {
  const auto& positions = core_.EvalNodePositions(context);
  const auto& velocities = core_.EvalVelocities(context).nodes;
  const auto velocity = [&](BodyIndex body) {
    const Vector6<T> V = dynamics::CalcPointVelocity<T>(
        core_.model(), positions, velocities, core_.tree().model_body(body),
        point.p_WC);
    return Vector3<T>(V.template tail<3>());
  };
  return point.R_WC.transpose() *
         (velocity(point.body_A) - velocity(point.body_B));
}

// The share of static friction at a slip of s stiction tolerances: 1 up to 10,
// 0 from 30 on, a C2 polynomial between. At 10 regularization leaves 0.995.
template <typename T>
static T CalcStribeckShare(const T& s) {
  constexpr double kStart = 10, kEnd = 30;
  if (s <= kStart) return T(1);
  if (s >= kEnd) return T(0);
  const T x = (kEnd - s) / (kEnd - kStart);
  return x * x * x * (10 + x * (6 * x - 15));
}

template <typename T>
ContactLaw<T> ContactPart<T>::MakeContinuousLaw(const ContactPoint<T>& point,
                                                const Vector3<T>& v) const {
  // With dt = 1 and no stiffness besides f0 an impulse is the force now.
  ContactLaw<T> law;
  law.kind = ContactLaw<T>::Kind::kLagged;
  law.dt = 1;
  law.mu = CalcFriction(point, v);
  law.d = point.dissipation;
  law.f0 = point.stiffness * point.depth;
  law.eps = config_.stiction_tolerance;
  return law;
}

template <typename T>
T ContactPart<T>::CalcFriction(const ContactPoint<T>& point,
                               const Vector3<T>& v) const {
  if (!(point.mu_static > point.mu)) return point.mu;
  using std::sqrt;
  const double eps = config_.stiction_tolerance;
  const T slip_squared = v[0] * v[0] + v[1] * v[1];
  // The square root has no derivative at zero, nor is it needed there.
  const T s = slip_squared > eps * eps ? T(sqrt(slip_squared) / eps) : T(0);
  return point.mu + (point.mu_static - point.mu) * CalcStribeckShare<T>(s);
}

template <typename T>
void ContactPoints<T>::StartOutputs(StepOutputs<T>* outputs) const {
  const auto& list = contact_surfaces.share();
  for (const int i : shown_surfaces) outputs->surfaces.emplace_back(list, i);
}

template <typename T>
void ContactPoints<T>::AddToOutputs(std::size_t i, const Vector3<T>& f_A_W,
                                    const Vector3<T>& velocity,
                                    StepOutputs<T>* outputs) const {
  using std::sqrt;
  const ContactPoint<T>& point = points[i];
  if (i >= pairs.size()) {
    outputs->surfaces[surface_of_face[i - pairs.size()]].AddForce(point.p_WC,
                                                                  f_A_W);
    return;
  }
  // Apart from the beginning of the step to its end.
  if (pairs[i].depth < 0 && f_A_W == Vector3<T>::Zero()) return;
  const Vector3<T>& v = velocity;
  outputs->contacts.emplace_back(point.body_A, point.body_B, Vector3<T>(-f_A_W),
                                 point.p_WC, v[2],
                                 T(sqrt(v[0] * v[0] + v[1] * v[1])), pairs[i]);
}

template <typename T>
void ContactPart<T>::AddForces(const PositionKinematicsCache<T>& positions,
                               const ContactPoint<T>& point,
                               const Vector3<T>& f_A_W,
                               std::vector<Vector6<T>>* F_BBo_W,
                               VectorX<T>* tau) const {
  const auto add = [&](BodyIndex index, const Vector3<T>& f) {
    const dynamics::MobodIndex body = core_.tree().model_body(index);
    const Vector3<T> r = point.p_WC - positions.X_WB[body].p;
    Vector6<T> F;
    F << r.cross(f), f;
    (*F_BBo_W)[body] += F;
    F.template head<3>().setZero();
    dynamics::AddGeneralizedForceAtPoint<T>(core_.model(), positions.nodes,
                                            body, point.p_WC, F, *tau);
  };
  add(point.body_A, f_A_W);
  add(point.body_B, -f_A_W);
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    struct ::wyvern::multibody::internal::ContactPoints);
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::ContactPart);
