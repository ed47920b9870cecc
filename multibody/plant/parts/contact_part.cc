// Finds where geometries touch and, in a continuous plant, the force there.
// Points come from the SceneGraph's contact manifolds. C lies between the two
// surfaces, nearer to the surface of the stiffer body. The stiffness is k = k_A
// k_B / (k_A + k_B), and each dissipation counts by the share of the
// deformation of its body.
// Each face of a contact surface becomes points too: one at the centre of
// pressure of a small face, and four for a large one. Together they have the
// force and the moment of the pressure on the face. All later computations
// therefore use points only, and results are summed up by surface again.
// A discrete plant may have a margin; points within it count although they do
// not touch yet. For a negative depth the law of a step pushes only if the step
// would close the gap. The continuous force is Hunt and Crossley's, k x (1 + d
// ẋ). Its friction is regularized by the stiction tolerance and follows
// Stribeck's curve from static to dynamic friction.
#include "wyvern/multibody/plant/parts/contact_part.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/multibody/algorithms/body_kinematics.h"
#include "wyvern/multibody/algorithms/jacobians.h"
#include "wyvern/multibody/plant/parts/surface_material.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

using geometry::GeometryId;
using systems::Context;

template <typename T>
void ContactPart<T>::Finalize(MultibodyTreeSystem<T>* core) {
  geometry_query_ = ports_.input("geometry_query");
  entry_ = &core->DeclarePartEntry(
      "contact points",
      systems::ValueProducer(this, ContactPoints<T>(),
                             &ContactPart<T>::CalcPoints),
      {core->input_port_ticket(geometry_query_)});
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
  // Bodies that touch without a depth are in contact for a step, in which they
  // would else fall freely into each other.
  const double reach =
      core_.is_discrete()
          ? std::max(config_.speculative_margin, geometry::kTouchingDistance)
          : config_.speculative_margin;
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
  WarnOfForeignContact(
      core_.GetSystemPathname(), EvalQuery(context).inspector(),
      owns_A ? id_A : id_B, owns_A ? id_B : id_A,
      ExtractDoubleOrThrow(context.get_time()), contacts.foreign_pairs);
}

// Adjusts a point within the margin. Friction has no force to depend on before
// the two touch, and a relaxation time would make the contact push from a
// distance.
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

// Geometry M is A and N is B: normals point out of N into M. Two moduli share
// as two springs in series do; one that is infinite gives way by nothing.
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
    AddFaces(list[i], &point, result);
  }
}

// Returns how fast the pressure at a face falls as its body withdraws along the
// normal, [Pa/m]; 0 for a face that looks away, which counts for nothing. A
// face along the gradient has at least a share of |grad p|, and is_along is set
// for those with less than steep_share. The side across such a face has the
// same pressure. Both count although rounding may take one of them for a face
// that looks away; without, the two would not balance.
template <typename T>
static T CalcSteepness(const T& along, const Vector3<T>& gradient,
                       double steep_share, double least_share, bool* is_along) {
  using std::sqrt;
  constexpr double kRounding = 1e-3;
  const T square = gradient.squaredNorm(), along_square = along * along;
  if (along > 0 && along_square >= steep_share * steep_share * square) {
    return along;
  }
  if (along < 0 && along_square > kRounding * kRounding * square) return T(0);
  *is_along = true;
  const T least = least_share * sqrt(square);
  return along > least ? along : least;
}

// Adds a face along a gradient so that it yields with the surface as a whole.
//
// A step takes the force of a face as A (p - g dt v_n), so that it pushes until
// the bodies have gone apart by its depth p / g. That has no bound for a face
// along the gradient, as on the rim of a box pressed flat or on the side of a
// box that stands in soft ground, whose force would throw the body off. But
// once the bodies have separated by the depth d of the deepest of the other
// faces, along its normal u, they do not touch. A face whose depth is more than
// that allows, d n . u, is therefore taken as two points: what its force f0 n
// pushes along u is gone after d, as that of a strip of pressure along an edge
// is, and so is the rest, in which opposite sides balance.
template <typename T>
static void AddFaceAlong(const ContactPoint<T>& deepest,
                         const ContactPoint<T>& face, int shown,
                         ContactPoints<T>* result) {
  using std::sqrt;
  // A share of the normal that is rounding; and how many times deeper a face
  // may be than the deepest one before it is split.
  constexpr double kNone = 1e-6, kMost = 1.5;
  const Vector3<T> n = face.R_WC.col(2), u = deepest.R_WC.col(2);
  const T share = n.dot(u), f0 = face.stiffness * face.depth;
  // The others may do no more than graze.
  const T least = 1e-6 * face.depth;
  const T depth = deepest.depth < least ? least : deepest.depth;
  const auto add = [&](const T& force, const Matrix3<T>& R_WC) {
    ContactPoint<T> point = face;
    point.R_WC = R_WC;
    point.depth = depth;
    point.stiffness = force / depth;
    result->points.push_back(point);
    result->surface_of_face.push_back(shown);
  };
  if (deepest.depth <= 0 || face.depth <= kMost * share * depth ||
      face.depth <= 0) {
    result->points.push_back(face);
    result->surface_of_face.push_back(shown);
    return;
  }
  const bool has_share = share > kNone;
  if (has_share) add(share * f0, deepest.R_WC);
  const Vector3<T> across = has_share ? Vector3<T>(n - share * u) : n;
  const T square = across.squaredNorm();
  if (square <= kNone * kNone) return;
  const T size = sqrt(square);
  const auto R_WC =
      math::RotationMatrix<T>::MakeFromOneVector(Vector3<T>(across / size), 2);
  add(size * f0, R_WC.matrix());
}

template <typename T>
void ContactPart<T>::AddFaces(const geometry::ContactSurface<T>& surface,
                              ContactPoint<T>* point,
                              ContactPoints<T>* result) const {
  const int shown = static_cast<int>(result->shown_surfaces.size()) - 1;
  // [Pa/m]; less is as good as nothing to push against.
  constexpr double kLeastGradient = 1e-14;
  const bool has_A = surface.HasGradE_M(), has_B = surface.HasGradE_N();
  // Forces in continuous time should be smooth, and a change of points is not.
  const double one_point_spread =
      core_.is_discrete()
          ? geometry::internal::CalcSpreadOfOnePoint(surface.patches())
          : 0;
  ContactPoint<T> deepest;  // Of those that are not along a gradient.
  deepest.depth = T(0);
  bool some_along = false;
  // Both shares are measured, not derived. The surface of two soft bodies is
  // oblique along their edges, so 45 degrees count there. With one soft body a
  // share of 0.2 let a tilted box leave at 2.7 times depth / dt; with 0.42 all
  // bodies of pressed_bodies_test.cc stay below 2. An earlier form with 0.7 for
  // both disagreed with Drake in scenes of hydroelastic_oracle_test.cc.
  const double steep = has_A && has_B ? 0.7 : 0.42;
  Vector3<T> normal = Vector3<T>::Zero();
  const auto add_patches = [&](bool which, double least_share) {
    for (const auto& patch : surface.patches()) {
      const Vector3<T>& n = patch.normal();
      T compliance(0);  // 1 / g.
      bool is_along = false;
      if (has_A) {
        const Vector3<T>& gradient = surface.EvaluateGradE_M_W(patch.face);
        const T g_A = CalcSteepness<T>(n.dot(gradient), gradient, steep,
                                       least_share, &is_along);
        if (g_A < kLeastGradient) continue;
        compliance += 1 / g_A;
      }
      if (has_B) {
        const Vector3<T>& gradient = surface.EvaluateGradE_N_W(patch.face);
        const T g_B = CalcSteepness<T>(-n.dot(gradient), gradient, steep,
                                       least_share, &is_along);
        if (g_B < kLeastGradient) continue;
        compliance += 1 / g_B;
      }
      some_along = some_along || is_along;
      if (is_along != which) continue;
      // In continuous time what does not touch has no force.
      if (!core_.is_discrete() && patch.pressure <= 0) continue;
      if (!std::is_same_v<T, double> || n != normal) {
        normal = n;
        point->R_WC =
            math::RotationMatrix<T>::MakeFromOneVector(normal, 2).matrix();
      }
      const auto add = [&](const auto& q) {
        point->p_WC = q.p_WQ;
        point->depth = q.pressure * compliance;
        point->stiffness = q.area / compliance;
        if (is_along && core_.is_discrete()) {
          AddFaceAlong<T>(deepest, *point, shown, result);
          return;
        }
        if (point->depth > deepest.depth) deepest = *point;
        result->points.push_back(*point);
        result->surface_of_face.push_back(shown);
      };
      if (patch.CalcSpread() <= one_point_spread) {
        add(patch.CalcCentre());
      } else {
        for (const auto& q : patch.CalcPoints()) add(q);
      }
    }
  };
  add_patches(false, 1);
  // Where all faces are along a gradient, the distance from the body's surface,
  // p / |grad p|, is what bounds a depth.
  if (some_along) add_patches(true, deepest.depth > 0 ? 1e-3 : 0.1);
}

template <typename T>
Vector3<T> ContactPart<T>::CalcVelocity(const Context<T>& context,
                                        const ContactPoint<T>& point) const {
  const auto& positions = core_.EvalNodePositions(context);
  const auto& velocities = core_.EvalVelocities(context).nodes;
  const auto velocity = [&](BodyIndex body) {
    const Vector6<T> V =
        engine::CalcPointVelocity<T>(core_.model(), positions, velocities,
                                     core_.tree().model_body(body), point.p_WC);
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
  law.mu = point.mu;
  law.d = point.dissipation;
  law.f0 = point.stiffness * point.depth;
  law.eps = config_.stiction_tolerance;
  if (point.mu_static > point.mu) {
    using std::sqrt;
    const T slip_squared = v[0] * v[0] + v[1] * v[1];
    // The square root has no derivative at zero, nor is it needed there.
    const T s = slip_squared > law.eps * law.eps
                    ? T(sqrt(slip_squared) / law.eps)
                    : T(0);
    law.mu += (point.mu_static - point.mu) * CalcStribeckShare<T>(s);
  }
  return law;
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
    const engine::MobodIndex body = core_.tree().model_body(index);
    const Vector3<T> r = point.p_WC - positions.X_WB[body].p;
    Vector6<T> F;
    F << r.cross(f), f;
    (*F_BBo_W)[body] += F;
    F.template head<3>().setZero();
    engine::AddGeneralizedForceAtPoint<T>(core_.model(), positions.nodes, body,
                                          point.p_WC, F, *tau);
  };
  add(point.body_A, f_A_W);
  add(point.body_B, -f_A_W);
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    struct ::wyvern::multibody::internal::ContactPoints);
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::ContactPart);
