#include "wyvern/multibody/plant/parts/port_units.h"

namespace wyvern::multibody::internal {

namespace {

void Append(const std::vector<std::string>& units,
            const std::vector<int>* indices, std::vector<std::string>* result) {
  if (indices == nullptr) {
    result->insert(result->end(), units.begin(), units.end());
    return;
  }
  for (const int i : *indices) result->push_back(units[i]);
}

}  // namespace

std::vector<std::string> PortUnits::Make(PortQuantity quantity,
                                         const InstanceIndices* indices) const {
  const auto of = [indices](std::vector<int> InstanceIndices::*member) {
    return indices == nullptr ? nullptr : &(indices->*member);
  };
  Units units;
  switch (quantity) {
    case PortQuantity::kNone:
      break;
    case PortQuantity::kState:
      Append(q_, of(&InstanceIndices::q), &units);
      Append(v_, of(&InstanceIndices::v), &units);
      break;
    case PortQuantity::kAcceleration:
      Append(vdot_, of(&InstanceIndices::v), &units);
      break;
    case PortQuantity::kForce:
      Append(tau_, of(&InstanceIndices::v), &units);
      break;
    case PortQuantity::kEffort:
      Append(u_, of(&InstanceIndices::u), &units);
      break;
    case PortQuantity::kDesiredState:
      Append(u_position_, of(&InstanceIndices::u), &units);
      Append(u_velocity_, of(&InstanceIndices::u), &units);
      break;
  }
  return units;
}

}  // namespace wyvern::multibody::internal
