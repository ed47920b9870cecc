#include "wyvern/multibody/plant/contact_results.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
const PointPairContactInfo<T>& ContactResults<T>::point_pair_contact_info(
    int i) const {
  if (i < 0 || i >= num_point_pair_contacts()) {
    throw std::out_of_range(fmt::format(
        "ContactResults::point_pair_contact_info(): there is no contact {}; "
        "there are {}.",
        i, num_point_pair_contacts()));
  }
  return point_pair_[i];
}

template <typename T>
const HydroelasticContactInfo<T>& ContactResults<T>::hydroelastic_contact_info(
    int i) const {
  if (i < 0 || i >= num_hydroelastic_contacts()) {
    throw std::out_of_range(fmt::format(
        "ContactResults::hydroelastic_contact_info(): there is no contact {}; "
        "there are {}.",
        i, num_hydroelastic_contacts()));
  }
  return hydroelastic_[i];
}

template <typename T>
const DeformableContactInfo<T>& ContactResults<T>::deformable_contact_info(
    int i) const {
  if (i < 0 || i >= num_deformable_contacts()) {
    throw std::out_of_range(fmt::format(
        "ContactResults::deformable_contact_info(): there is no contact {}; "
        "there are {}.",
        i, num_deformable_contacts()));
  }
  return deformable_[i];
}

template <typename T>
ContactResults<T> ContactResults<T>::SelectHydroelastic(
    const std::function<bool(const HydroelasticContactInfo<T>&)>& selector)
    const {
  wyvern::internal::RequireNotNull("ContactResults::SelectHydroelastic",
                                   "the selector", selector, "give a function");
  ContactResults<T> result(*this);
  std::erase_if(result.hydroelastic_,
                [&](const auto& info) { return !selector(info); });
  return result;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::ContactResults);
