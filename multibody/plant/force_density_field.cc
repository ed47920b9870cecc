#include "wyvern/multibody/plant/force_density_field.h"

#include <stdexcept>
#include <utility>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
const systems::LeafSystem<T>& ForceDensityField<T>::parent_system_or_throw()
    const {
  if (parent_ != nullptr) return *parent_;
  throw std::logic_error(
      "ForceDensityField::parent_system_or_throw(): the field belongs to no "
      "plant; it does after DeformableModel::AddExternalForce() and "
      "Finalize().");
}

template <typename T>
systems::CacheEntry& ForceDensityField<T>::DeclareCacheEntry(
    MultibodyPlant<T>* plant, std::string description,
    systems::ValueProducer value_producer,
    std::set<systems::DependencyTicket> prerequisites_of_calc) {
  wyvern::internal::RequireNotNull("ForceDensityField::DeclareCacheEntry",
                                   "plant", plant);
  return plant->DeclareCacheEntry(std::move(description),
                                  std::move(value_producer),
                                  std::move(prerequisites_of_calc));
}

template <typename T>
systems::InputPort<T>& ForceDensityField<T>::DeclareAbstractInputPort(
    MultibodyPlant<T>* plant, std::string name,
    const AbstractValue& model_value) {
  wyvern::internal::RequireNotNull(
      "ForceDensityField::DeclareAbstractInputPort", "plant", plant);
  return plant->DeclareAbstractInputPort(std::move(name), model_value);
}

template <typename T>
systems::InputPort<T>& ForceDensityField<T>::DeclareVectorInputPort(
    MultibodyPlant<T>* plant, std::string name,
    const systems::BasicVector<T>& model_vector) {
  wyvern::internal::RequireNotNull("ForceDensityField::DeclareVectorInputPort",
                                   "plant", plant);
  return plant->DeclareVectorInputPort(std::move(name), model_vector);
}

template <typename T>
void ForceDensityField<T>::DeclareSystemResources(MultibodyPlant<T>* plant) {
  parent_ = plant;
  DoDeclareInputPorts(plant);
  DoDeclareCacheEntries(plant);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::ForceDensityField);
