#include "wyvern/systems/framework/diagram_discrete_values.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {
namespace {

template <typename T>
std::vector<BasicVector<T>*> Flatten(
    const std::vector<DiscreteValues<T>*>& subdiscretes) {
  std::vector<BasicVector<T>*> groups;
  for (const DiscreteValues<T>* part : subdiscretes) {
    wyvern::internal::RequireNotNull("DiagramDiscreteValues", "a part", part);
    const std::vector<BasicVector<T>*>& data = part->get_data();
    groups.insert(groups.end(), data.begin(), data.end());
  }
  return groups;
}

template <typename T>
std::vector<DiscreteValues<T>*> ValuePointers(
    const std::vector<std::unique_ptr<DiscreteValues<T>>>& owned) {
  std::vector<DiscreteValues<T>*> result;
  result.reserve(owned.size());
  for (const auto& part : owned) result.push_back(part.get());
  return result;
}

}  // namespace

template <typename T>
DiagramDiscreteValues<T>::DiagramDiscreteValues(
    std::vector<DiscreteValues<T>*> subdiscretes)
    : DiscreteValues<T>(Flatten(subdiscretes)),
      subdiscretes_(std::move(subdiscretes)) {}

template <typename T>
DiagramDiscreteValues<T>::DiagramDiscreteValues(
    std::vector<std::unique_ptr<DiscreteValues<T>>> owned_subdiscretes)
    : DiagramDiscreteValues<T>(ValuePointers(owned_subdiscretes)) {
  owned_subdiscretes_ = std::move(owned_subdiscretes);
}

template <typename T>
DiagramDiscreteValues<T>::~DiagramDiscreteValues() = default;

template <typename T>
std::unique_ptr<DiagramDiscreteValues<T>> DiagramDiscreteValues<T>::Clone()
    const {
  return std::unique_ptr<DiagramDiscreteValues<T>>(
      static_cast<DiagramDiscreteValues<T>*>(
          DiscreteValues<T>::Clone().release()));
}

template <typename T>
std::unique_ptr<DiscreteValues<T>> DiagramDiscreteValues<T>::DoClone() const {
  std::vector<std::unique_ptr<DiscreteValues<T>>> clones;
  clones.reserve(subdiscretes_.size());
  for (const DiscreteValues<T>* part : subdiscretes_) {
    clones.push_back(part->Clone());
  }
  return std::make_unique<DiagramDiscreteValues<T>>(std::move(clones));
}

template <typename T>
const DiscreteValues<T>& DiagramDiscreteValues<T>::get_subdiscrete(
    SubsystemIndex index) const {
  wyvern::internal::RequireIndex("DiagramDiscreteValues::get_subdiscrete",
                                 "index", index, num_subdiscretes());
  return *subdiscretes_[index];
}

template <typename T>
DiscreteValues<T>& DiagramDiscreteValues<T>::get_mutable_subdiscrete(
    SubsystemIndex index) {
  return const_cast<DiscreteValues<T>&>(get_subdiscrete(index));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::DiagramDiscreteValues);
