#include "wyvern/multibody/plant/parts/constraint_registry.h"

#include <algorithm>

namespace wyvern::multibody::internal {

std::vector<MultibodyConstraintId> ConstraintRegistry::ids() const {
  std::vector<MultibodyConstraintId> result;
  const auto add = [&result](const auto& specs) {
    for (const auto& [id, spec] : specs) result.push_back(id);
  };
  add(couplers);
  add(distances);
  add(balls);
  add(welds);
  std::sort(result.begin(), result.end());
  return result;
}

bool ConstraintRegistry::Remove(MultibodyConstraintId id) {
  return couplers.erase(id) + distances.erase(id) + balls.erase(id) +
             welds.erase(id) >
         0;
}

}  // namespace wyvern::multibody::internal
