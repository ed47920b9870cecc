#include "wyvern/systems/framework/leaf_system.h"

// Does not compile, and says why: a System that names itself, but cannot be
// made from one of another scalar.

namespace wyvern::systems {

template <typename T>
class Stuck final : public LeafSystem<T> {
 public:
  Stuck() : LeafSystem<T>(SystemTypeTag<Stuck>{}) {}
};

template class Stuck<double>;

}  // namespace wyvern::systems
