#include "wyvern/systems/framework/abstract_values.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::systems {
namespace {

AbstractValue* RequireDatum(AbstractValue* datum) {
  return wyvern::internal::RequireNotNull("AbstractValues", "a value", datum);
}

}  // namespace

AbstractValues::AbstractValues() = default;
AbstractValues::~AbstractValues() = default;

AbstractValues::AbstractValues(
    std::vector<std::unique_ptr<AbstractValue>>&& data)
    : owned_data_(std::move(data)) {
  for (auto& datum : owned_data_) data_.push_back(RequireDatum(datum.get()));
}

AbstractValues::AbstractValues(const std::vector<AbstractValue*>& data)
    : data_(data) {
  for (AbstractValue* datum : data_) RequireDatum(datum);
}

AbstractValues::AbstractValues(std::unique_ptr<AbstractValue> datum) {
  data_.push_back(RequireDatum(datum.get()));
  owned_data_.push_back(std::move(datum));
}

void AbstractValues::SetFrom(const AbstractValues& other) {
  if (other.size() != size()) {
    throw std::logic_error(fmt::format(
        "AbstractValues::SetFrom(): {} values were given; there must be {}.",
        other.size(), size()));
  }
  for (int i = 0; i < size(); ++i) data_[i]->SetFrom(*other.data_[i]);
}

std::unique_ptr<AbstractValues> AbstractValues::Clone() const {
  std::vector<std::unique_ptr<AbstractValue>> clones;
  clones.reserve(data_.size());
  for (const AbstractValue* datum : data_) {
    clones.push_back(datum->Clone());
    clones.back()->ShareDescriptionOf(*datum);
  }
  return std::make_unique<AbstractValues>(std::move(clones));
}

void AbstractValues::ThrowOutOfRange(int index) const {
  throw std::out_of_range(fmt::format(
      "AbstractValues: value {} was asked for; there are {} values.", index,
      size()));
}

}  // namespace wyvern::systems
