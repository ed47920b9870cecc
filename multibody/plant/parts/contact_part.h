#pragma once

#include <limits>
#include <unordered_map>
#include <vector>

#include "wyvern/geometry/scene_graph/query_object.h"
#include "wyvern/multibody/plant/parts/contact_config.h"
#include "wyvern/multibody/plant/parts/foreign_contact.h"
#include "wyvern/multibody/plant/parts/port_indices.h"
#include "wyvern/multibody/plant/parts/shared_value.h"
#include "wyvern/multibody/plant/step/step_outputs.h"
#include "wyvern/multibody/step/laws/contact_law.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** A contact point of two bodies, with its material. A point may also stand for
the area A of a contact surface. If the pressure there is p and the gradients of
pressure along the normal are g_A and g_B, the point has stiffness A g and depth
p / g, where 1 / g = 1 / g_A + 1 / g_B (Masterjohn, Guoy, Shepherd, Castro,
"Velocity Level Approximation of Pressure Field Contact Patches", RA-L 2022). A
point of a face along a gradient has more stiffness and less depth, for the same
force along the surface's: see SurfaceYield in contact_part.cc. Up to three more
points have what such faces push across the surface's force. */
template <typename T>
struct ContactPoint {
  BodyIndex body_A;
  BodyIndex body_B;
  Vector3<T> p_WC;
  /** Columns t1, t2 and the normal, from B into A. */
  Matrix3<T> R_WC;
  T depth;            // [m]; negative in the margin around a geometry.
  T stiffness;        // Of the pair, [N/m].
  T dissipation;      // [s/m]
  T relaxation_time;  // [s]
  T mu;               // Of dynamic friction.
  T mu_static;
};

/** All contacts of a configuration, by SceneGraph's order of pairs. */
template <typename T>
struct ContactPoints {
  using SurfaceList = geometry::ContactSurfaceList<T>;

  /** Pairs of the first points, one each. */
  std::vector<geometry::PenetrationAsPointPair<T>> pairs;
  /** Points of pairs, then points of faces, surface by surface. */
  std::vector<ContactPoint<T>> points;
  RecycledValue<SurfaceList> contact_surfaces{SurfaceList()};
  /** Surfaces of the plant's own geometries, by their index in the list. */
  std::vector<int> shown_surfaces;
  /** Surface of each face's point, from point pairs.size() on. */
  std::vector<int> surface_of_face;
  /** The distance [m] within which a step of a continuous plant wants points,
  and that of the points here. */
  double wanted_reach{0};
  double reach{0};

  /** Begins what is to be said of contacts in outputs. */
  void StartOutputs(StepOutputs<T>* outputs) const;
  /** Puts down what is to be said of point i, one after the other: the force
  on A, and the velocity (t1, t2, n) of A relative to B. */
  void AddToOutputs(std::size_t i, const Vector3<T>& f_A_W,
                    const Vector3<T>& velocity, StepOutputs<T>* outputs) const;

  /** One geometry's material; NaN for a relaxation time that is missing. */
  struct Surface {
    BodyIndex body;
    double stiffness{};
    double dissipation{};
    double relaxation_time{};
    /** Hydroelastic modulus, [Pa]; infinite if the geometry is not
    compliant. */
    double modulus{std::numeric_limits<double>::infinity()};
    /** Depth that the pressure of a compliant geometry reaches at most, [m]:
    half of its smallest extent. 0 if the geometry is not compliant. */
    double reach{0};
    CoulombFriction<double> friction;
  };
  std::unordered_map<geometry::GeometryId, Surface> surfaces;
  /** Whether any geometry can have a contact surface. */
  bool some_hydroelastic{false};
  geometry::GeometryVersion version;
  int revision{-1};
  /** Pairs with bodies of other sources that were warned of. */
  ForeignPairs foreign_pairs;
};

/** The points at which a plant's geometries touch, and their forces. */
template <typename T>
class ContactPart {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ContactPart);
  ContactPart(const MultibodyTreeSystem<T>& core, const PortIndices& ports,
              const GeometryBinding& binding, const ContactConfig& config,
              bool is_for_steps)
      : core_(core),
        ports_(ports),
        binding_(binding),
        config_(config),
        is_for_steps_(is_for_steps) {}

  /** Declares the cache entry; ports are there already. */
  void Finalize(MultibodyTreeSystem<T>* core);

  /** Whether there is anything to touch with. */
  bool has_geometry() const { return !binding_.body_of_collision.empty(); }
  const ContactConfig& config() const { return config_; }
  /** Returns the value of the geometry query port.
  @throws std::logic_error if the geometry query port is not connected. */
  const geometry::QueryObject<T>& EvalQuery(
      const systems::Context<T>& context) const;
  /** Returns the contact points of the present positions.
  @throws std::logic_error if the geometry query port is not connected, or a
  property that the model needs is missing. */
  const ContactPoints<T>& EvalContacts(
      const systems::Context<T>& context) const {
    return entry_->template Eval<ContactPoints<T>>(context);
  }
  /** For steps of a continuous plant: from now on, until the Context changes,
  contacts include points of pairs that are apart by up to `reach` [m], as
  bodies may meet within the step. */
  void SetReach(const systems::Context<T>& context, double reach) const;
  /** Whether bodies touch, or are apart by less than the margin.
  @throws std::logic_error as EvalContacts() does. */
  bool HasContacts(const systems::Context<T>& context) const;
  systems::DependencyTicket ticket() const { return entry_->ticket(); }

  /** Whether friction falls from its static to its dynamic coefficient as
  contacts begin to slip: in continuous models. */
  bool follows_stribeck() const { return !core_.is_discrete(); }
  /** The coefficient of friction of a contact of velocity v = (t1, t2, n). */
  T CalcFriction(const ContactPoint<T>& point, const Vector3<T>& v) const;
  /** Velocity (t1, t2, n) of A relative to B at a contact: n > 0 separates. */
  Vector3<T> CalcVelocity(const systems::Context<T>& context,
                          const ContactPoint<T>& point) const;
  /** The law of a contact in continuous time: forces instead of impulses. Its
  coefficient of friction is that at the velocity v = (t1, t2, n). */
  ContactLaw<T> MakeContinuousLaw(const ContactPoint<T>& point,
                                  const Vector3<T>& v) const;
  /** Adds the forces of a contact on its bodies, by the model's bodies, about
  their origins, and their generalized forces. */
  void AddForces(const PositionKinematicsCache<T>& positions,
                 const ContactPoint<T>& point, const Vector3<T>& f_A_W,
                 std::vector<Vector6<T>>* F_BBo_W, VectorX<T>* tau) const;

 private:
  using Surface = typename ContactPoints<T>::Surface;

  void CalcPoints(const systems::Context<T>& context,
                  ContactPoints<T>* result) const;
  void AddPoints(const systems::Context<T>& context,
                 ContactPoints<T>* result) const;
  void AddFaces(const systems::Context<T>& context,
                ContactPoints<T>* result) const;
  // Its last shown surface.
  void AddFaces(const geometry::ContactSurface<T>& surface, double reach,
                ContactPoint<T>* point, ContactPoints<T>* result) const;
  // The surfaces of a pair of geometries; false if one of them is not the
  // plant's.
  bool FindSurfaces(const ContactPoints<T>& contacts, geometry::GeometryId id_A,
                    geometry::GeometryId id_B, const Surface** A,
                    const Surface** B) const;
  // Warns of a pair that touches if only one geometry is the plant's.
  void NoteForeign(const systems::Context<T>& context,
                   const ContactPoints<T>& contacts, geometry::GeometryId id_A,
                   geometry::GeometryId id_B) const;
  // Sets the properties that follow from the pair, except its stiffness. A
  // deforms by the share 1 - share_A.
  void SetMaterial(const Surface& A, const Surface& B, double share_A,
                   ContactPoint<T>* point) const;
  void CollectSurfaces(const geometry::SceneGraphInspector<T>& inspector,
                       ContactPoints<T>* result) const;

  const MultibodyTreeSystem<T>& core_;
  const PortIndices& ports_;
  const GeometryBinding& binding_;
  const ContactConfig& config_;
  // Whether laws of a step follow from the points; else forces do.
  const bool is_for_steps_;
  systems::InputPortIndex geometry_query_;
  const systems::CacheEntry* entry_{};
};

}  // namespace wyvern::multibody::internal
