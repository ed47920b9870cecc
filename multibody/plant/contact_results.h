#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "wyvern/multibody/plant/deformable_contact_info.h"
#include "wyvern/multibody/plant/hydroelastic_contact_info.h"
#include "wyvern/multibody/plant/point_pair_contact_info.h"

namespace wyvern::multibody {

template <typename T>
class MultibodyPlant;

/** The contacts of a plant: what its contact_results port carries. */
template <typename T>
class ContactResults {
 public:
  ContactResults() = default;
  explicit ContactResults(
      std::vector<PointPairContactInfo<T>>&& point_pair,
      std::vector<HydroelasticContactInfo<T>>&& hydroelastic = {},
      std::vector<DeformableContactInfo<T>>&& deformable = {})
      : point_pair_(std::move(point_pair)),
        hydroelastic_(std::move(hydroelastic)),
        deformable_(std::move(deformable)) {}

  int num_point_pair_contacts() const {
    return static_cast<int>(point_pair_.size());
  }
  int num_hydroelastic_contacts() const {
    return static_cast<int>(hydroelastic_.size());
  }
  int num_deformable_contacts() const {
    return static_cast<int>(deformable_.size());
  }
  /** @throws std::out_of_range unless 0 <= i < num_point_pair_contacts(). */
  const PointPairContactInfo<T>& point_pair_contact_info(int i) const;
  /** @throws std::out_of_range unless 0 <= i < num_hydroelastic_contacts(). */
  const HydroelasticContactInfo<T>& hydroelastic_contact_info(int i) const;
  /** @throws std::out_of_range unless 0 <= i < num_deformable_contacts(). */
  const DeformableContactInfo<T>& deformable_contact_info(int i) const;
  /** Returns all contacts at points, and the contacts on surfaces for which
  `selector` is true. */
  ContactResults<T> SelectHydroelastic(
      const std::function<bool(const HydroelasticContactInfo<T>&)>& selector)
      const;
  /** The plant they are of; null for results made by hand. */
  const MultibodyPlant<T>* plant() const { return plant_; }

  /** @name For the plant
  @{ */
  void set_plant(const MultibodyPlant<T>* plant) { plant_ = plant; }
  std::vector<PointPairContactInfo<T>>& mutable_point_pairs() {
    return point_pair_;
  }
  const std::vector<PointPairContactInfo<T>>& point_pairs() const {
    return point_pair_;
  }
  std::vector<HydroelasticContactInfo<T>>& mutable_hydroelastic() {
    return hydroelastic_;
  }
  const std::vector<HydroelasticContactInfo<T>>& hydroelastic() const {
    return hydroelastic_;
  }
  std::vector<DeformableContactInfo<T>>& mutable_deformable() {
    return deformable_;
  }
  const std::vector<DeformableContactInfo<T>>& deformable() const {
    return deformable_;
  }
  /** @} */

 private:
  std::vector<PointPairContactInfo<T>> point_pair_;
  std::vector<HydroelasticContactInfo<T>> hydroelastic_;
  std::vector<DeformableContactInfo<T>> deformable_;
  const MultibodyPlant<T>* plant_{};
};

}  // namespace wyvern::multibody
