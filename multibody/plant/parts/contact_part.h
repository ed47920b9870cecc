#pragma once

#include <unordered_map>
#include <vector>

#include "wyvern/geometry/scene_graph/query_object.h"
#include "wyvern/multibody/contact/contact_law.h"
#include "wyvern/multibody/plant/parts/contact_config.h"
#include "wyvern/multibody/plant/parts/port_indices.h"
#include "wyvern/multibody/plant/point_pair_contact_info.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody::internal {

/** Where two bodies touch, and of what they are made there. */
template <typename T>
struct ContactPoint {
  BodyIndex body_A;
  BodyIndex body_B;
  Vector3<T> p_WC;
  /** Columns t1, t2 and the normal, from B into A. */
  Matrix3<T> R_WC;
  T depth;            // [m]
  T stiffness;        // Of the pair, [N/m].
  T dissipation;      // [s/m]
  T relaxation_time;  // [s]
  T mu;               // Of dynamic friction.
  T mu_static;
};

/** All contacts of a configuration, by SceneGraph's order of pairs. */
template <typename T>
struct ContactPoints {
  std::vector<geometry::PenetrationAsPointPair<T>> pairs;
  std::vector<ContactPoint<T>> points;

  /** Appends what is to be said of point i: the force on A, and the velocity
  (t1, t2, n) of A relative to B. */
  void AppendInfo(std::size_t i, const Vector3<T>& f_A_W,
                  const Vector3<T>& velocity,
                  std::vector<PointPairContactInfo<T>>* infos) const;

  /** One geometry's material; NaN for a relaxation time that is missing. */
  struct Surface {
    BodyIndex body;
    double stiffness{};
    double dissipation{};
    double relaxation_time{};
    CoulombFriction<double> friction;
  };
  std::unordered_map<geometry::GeometryId, Surface> surfaces;
  geometry::GeometryVersion version;
  int revision{-1};
};

/** The points at which a plant's geometries touch, and their forces. */
template <typename T>
class ContactPart {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ContactPart);
  ContactPart(const MultibodyTreeSystem<T>& core, const PortIndices& ports,
              const GeometryBinding& binding, const ContactConfig& config)
      : core_(core), ports_(ports), binding_(binding), config_(config) {}

  /** Declares the cache entry; ports are there already. */
  void Finalize(MultibodyTreeSystem<T>* core);

  /** Whether there is anything to touch with. */
  bool has_geometry() const { return !binding_.body_of_collision.empty(); }
  const ContactConfig& config() const { return config_; }
  /** @throws std::logic_error if the geometry query port is not connected, or a
  property that the model needs is missing. */
  const ContactPoints<T>& EvalContacts(
      const systems::Context<T>& context) const {
    return entry_->template Eval<ContactPoints<T>>(context);
  }
  systems::DependencyTicket ticket() const { return entry_->ticket(); }

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
  void CalcPoints(const systems::Context<T>& context,
                  ContactPoints<T>* result) const;
  // What of a contact follows from the pair of geometries, and how far towards
  // A's point it is; false if one of them is not the plant's.
  bool SetMaterial(const ContactPoints<T>& contacts, geometry::GeometryId id_A,
                   geometry::GeometryId id_B, ContactPoint<T>* point,
                   double* share) const;
  void CollectSurfaces(const geometry::SceneGraphInspector<T>& inspector,
                       ContactPoints<T>* result) const;

  const MultibodyTreeSystem<T>& core_;
  const PortIndices& ports_;
  const GeometryBinding& binding_;
  const ContactConfig& config_;
  systems::InputPortIndex geometry_query_;
  const systems::CacheEntry* entry_{};
};

}  // namespace wyvern::multibody::internal
