#include "wyvern/systems/framework/discrete_values.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {
namespace {

template <typename T>
BasicVector<T>* RequireGroup(BasicVector<T>* datum) {
  return wyvern::internal::RequireNotNull("DiscreteValues", "a group", datum);
}

}  // namespace

template <typename T>
DiscreteValues<T>::DiscreteValues() = default;

template <typename T>
DiscreteValues<T>::DiscreteValues(const std::vector<BasicVector<T>*>& data)
    : data_(data) {
  for (BasicVector<T>* datum : data_) RequireGroup(datum);
}

template <typename T>
DiscreteValues<T>::DiscreteValues(
    std::vector<std::unique_ptr<BasicVector<T>>>&& data) {
  for (auto& datum : data) AppendGroup(std::move(datum));
}

template <typename T>
DiscreteValues<T>::DiscreteValues(std::unique_ptr<BasicVector<T>> datum) {
  AppendGroup(std::move(datum));
}

template <typename T>
DiscreteValues<T>::~DiscreteValues() = default;

template <typename T>
int DiscreteValues<T>::AppendGroup(std::unique_ptr<BasicVector<T>> datum) {
  const int index = num_groups();
  data_.push_back(RequireGroup(datum.get()));
  owned_data_.push_back(std::move(datum));
  return index;
}

template <typename T>
std::unique_ptr<DiscreteValues<T>> DiscreteValues<T>::Clone() const {
  std::unique_ptr<DiscreteValues<T>> clone = DoClone();
  clone->set_system_id(system_id_);
  return clone;
}

template <typename T>
std::unique_ptr<DiscreteValues<T>> DiscreteValues<T>::DoClone() const {
  std::vector<std::unique_ptr<BasicVector<T>>> clones;
  clones.reserve(data_.size());
  for (const BasicVector<T>* datum : data_) clones.push_back(datum->Clone());
  return std::make_unique<DiscreteValues<T>>(std::move(clones));
}

template <typename T>
void DiscreteValues<T>::RequireNumGroups(int given) const {
  if (given != num_groups()) {
    throw std::logic_error(fmt::format(
        "DiscreteValues::SetFrom(): the values given have {} groups; there "
        "must be {}.",
        given, num_groups()));
  }
}

template <typename T>
void DiscreteValues<T>::ThrowOutOfRange(int index) const {
  throw std::out_of_range(fmt::format(
      "DiscreteValues: group {} was asked for; there are {} groups.", index,
      num_groups()));
}

template <typename T>
void DiscreteValues<T>::ThrowNotOneGroup() const {
  throw std::logic_error(fmt::format(
      "DiscreteValues: a member for the only group was called, but there are "
      "{} groups; pass the index of the group.",
      num_groups()));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::DiscreteValues);
