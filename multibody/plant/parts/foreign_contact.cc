#include "wyvern/multibody/plant/parts/foreign_contact.h"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/warning.h"

namespace wyvern::multibody::internal {

using geometry::GeometryId;

namespace {

template <typename T>
ForeignPairs::Body KeyOf(const geometry::SceneGraphInspector<T>& inspector,
                         GeometryId id) {
  const geometry::FrameId frame = inspector.GetFrameId(id);
  const bool is_of_world = frame == geometry::SceneGraph<T>::world_frame_id();
  return {is_of_world, is_of_world ? id.get_value() : frame.get_value()};
}

}  // namespace

bool ForeignPairs::NoteFirst(const void* query, const Body& a,
                             const Body& b) const {
  if (pairs_ == nullptr) {
    // The map does not keep a simulation's set alive. If an address is used
    // again, its old set has gone with the old Contexts.
    static std::mutex mutex;
    static std::map<const void*, std::weak_ptr<Pairs>> of_queries;
    const std::lock_guard lock(mutex);
    std::erase_if(of_queries, [](const auto& x) { return x.second.expired(); });
    std::weak_ptr<Pairs>& shared = of_queries[query];
    pairs_ = shared.lock();
    if (pairs_ == nullptr) shared = pairs_ = std::make_shared<Pairs>();
  }
  const SortedPair<Body> pair(a, b);
  // Steps that find the pair again must not allocate, as insert() may.
  if (pairs_->contains(pair)) return false;
  pairs_->insert(pair);
  return true;
}

template <typename T>
void WarnOfForeignContact(const systems::SystemBase& plant,
                          const geometry::SceneGraphInspector<T>& inspector,
                          GeometryId own, GeometryId other, double time,
                          const ForeignPairs& pairs) {
  if (!pairs.NoteFirst(&inspector, KeyOf(inspector, own),
                       KeyOf(inspector, other))) {
    return;
  }
  WarnOnStderr(fmt::format(
      "MultibodyPlant '{}': its geometry '{}' touches '{}' of source '{}' at "
      "time {} and passes through it, for a plant has forces between its own "
      "bodies alone. Put both bodies into one plant, or exclude the pair by "
      "SceneGraph::collision_filter_manager().",
      plant.GetSystemPathname(), inspector.GetName(own),
      inspector.GetName(other), inspector.GetOwningSourceName(other), time));
}

#define WYVERN_INSTANTIATE_FOREIGN_CONTACT(T)                              \
  template void WarnOfForeignContact<T>(                                   \
      const systems::SystemBase&, const geometry::SceneGraphInspector<T>&, \
      GeometryId, GeometryId, double, const ForeignPairs&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_FOREIGN_CONTACT)
#undef WYVERN_INSTANTIATE_FOREIGN_CONTACT

}  // namespace wyvern::multibody::internal
