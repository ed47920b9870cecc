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
  /** Takes the contacts of each kind, without a plant. */
  explicit ContactResults(
      std::vector<PointPairContactInfo<T>>&& point_pair,
      std::vector<HydroelasticContactInfo<T>>&& hydroelastic = {},
      std::vector<DeformableContactInfo<T>>&& deformable = {})
      : point_pair_(std::move(point_pair)),
        hydroelastic_(std::move(hydroelastic)),
        deformable_(std::move(deformable)) {}

  /** Number of contacts at points. */
  int num_point_pair_contacts() const {
    return static_cast<int>(point_pair_.size());
  }
  /** Number of contacts on hydroelastic surfaces. */
  int num_hydroelastic_contacts() const {
    return static_cast<int>(hydroelastic_.size());
  }
  /** Number of contacts of deformable bodies. */
  int num_deformable_contacts() const {
    return static_cast<int>(deformable_.size());
  }
  /** Returns contact i at a point.
  @throws std::out_of_range unless 0 <= i < num_point_pair_contacts(). */
  const PointPairContactInfo<T>& point_pair_contact_info(int i) const;
  /** Returns contact i on a surface of rigid bodies.
  @throws std::out_of_range unless 0 <= i < num_hydroelastic_contacts(). */
  const HydroelasticContactInfo<T>& hydroelastic_contact_info(int i) const;
  /** Returns contact i of a deformable body.
  @throws std::out_of_range unless 0 <= i < num_deformable_contacts(). */
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
  /** Sets the plant that plant() returns. */
  void set_plant(const MultibodyPlant<T>* plant) { plant_ = plant; }
  /** All contacts at points, to be written. */
  std::vector<PointPairContactInfo<T>>& mutable_point_pairs() {
    return point_pair_;
  }
  /** All contacts at points. */
  const std::vector<PointPairContactInfo<T>>& point_pairs() const {
    return point_pair_;
  }
  /** All contacts on hydroelastic surfaces, to be written. */
  std::vector<HydroelasticContactInfo<T>>& mutable_hydroelastic() {
    return hydroelastic_;
  }
  /** All contacts on hydroelastic surfaces. */
  const std::vector<HydroelasticContactInfo<T>>& hydroelastic() const {
    return hydroelastic_;
  }
  /** All contacts of deformable bodies, to be written. */
  std::vector<DeformableContactInfo<T>>& mutable_deformable() {
    return deformable_;
  }
  /** All contacts of deformable bodies. */
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
