#include "wyvern/multibody/plant/hydroelastic_contact_info.h"

#include <stdexcept>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
HydroelasticContactInfo<T>::HydroelasticContactInfo(
    const geometry::ContactSurface<T>* contact_surface,
    const SpatialForce<T>& F_Ac_W)
    : HydroelasticContactInfo(
          // Shares nothing, and so keeps nothing.
          std::shared_ptr<const geometry::ContactSurface<T>>(
              std::shared_ptr<const void>(), contact_surface),
          F_Ac_W) {}

template <typename T>
HydroelasticContactInfo<T>::HydroelasticContactInfo(
    std::shared_ptr<const geometry::ContactSurface<T>> contact_surface,
    const SpatialForce<T>& F_Ac_W)
    : surface_(std::move(contact_surface)), F_Ac_W_(F_Ac_W) {
  wyvern::internal::RequireNotNull("HydroelasticContactInfo",
                                   "the contact surface", surface_, "give one");
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::HydroelasticContactInfo);
