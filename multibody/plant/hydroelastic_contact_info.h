#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "wyvern/geometry/hydroelastic/contact_surface_builder.h"
#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/plant/parts/shared_value.h"

namespace wyvern::multibody {

/** The contact of two bodies on a surface, between geometry M of body A and
geometry N of body B. A copy shares the surface. */
template <typename T>
class HydroelasticContactInfo {
 public:
  /** @param contact_surface Not null; it must outlive this and its copies.
  @param F_Ac_W the spatial force on body A at the surface's centroid C, in W
  [N m; N].
  @throws std::logic_error if the surface is null. */
  HydroelasticContactInfo(const geometry::ContactSurface<T>* contact_surface,
                          const SpatialForce<T>& F_Ac_W);
  /** Overload that shares ownership of the surface. */
  HydroelasticContactInfo(
      std::shared_ptr<const geometry::ContactSurface<T>> contact_surface,
      const SpatialForce<T>& F_Ac_W);

  /** The surface of contact, of the hydroelastic geometries M and N. */
  const geometry::ContactSurface<T>& contact_surface() const {
    return list_ ? list_->get()[index_] : *surface_;
  }
  /** Spatial force on body A at the surface's centroid, in the world, [N m;
  N]. */
  const SpatialForce<T>& F_Ac_W() const { return F_Ac_W_; }

  /** @name For the plant
  @{ */
  using SharedList = internal::SharedValue<geometry::ContactSurfaceList<T>>;
  /** Surface `index` of a list, which is kept; without a force. */
  HydroelasticContactInfo(const SharedList& list, int index)
      : list_(list), index_(index), F_Ac_W_(SpatialForce<T>::Zero()) {}
  /** Adds a force on A at point Q. */
  void AddForce(const Vector3<T>& p_WQ, const Vector3<T>& f_Aq_W) {
    const Vector3<T> p_CQ = p_WQ - contact_surface().centroid();
    F_Ac_W_ += SpatialForce<T>(p_CQ.cross(f_Aq_W), f_Aq_W);
  }
  /** @} */

 private:
  // Kept in one of two ways.
  std::shared_ptr<const geometry::ContactSurface<T>> surface_;
  std::optional<SharedList> list_;
  int index_{};
  SpatialForce<T> F_Ac_W_;
};

}  // namespace wyvern::multibody
