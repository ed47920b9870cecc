#include "wyvern/multibody/plant/parts/foreign_contact.h"

#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/sorted_pair.h"
#include "wyvern/systems/common/warning.h"

namespace wyvern::multibody::internal {

using geometry::GeometryId;

namespace {

// Identifies a body by its frame's id. A geometry of the world, or one that
// deforms, is identified by its own id. Ids are unique in the process.
using BodyKey = std::pair<bool, int64_t>;

template <typename T>
BodyKey KeyOf(const geometry::SceneGraphInspector<T>& inspector,
              GeometryId id) {
  const geometry::FrameId frame = inspector.GetFrameId(id);
  const bool is_of_world = frame == geometry::SceneGraph<T>::world_frame_id();
  return {is_of_world, is_of_world ? id.get_value() : frame.get_value()};
}

bool IsToldFirst(const BodyKey& a, const BodyKey& b) {
  static std::mutex mutex;
  static std::set<SortedPair<BodyKey>> told;
  const SortedPair<BodyKey> pair(a, b);
  const std::lock_guard lock(mutex);
  // Steps that find the pair again must not allocate, as insert() may.
  if (told.contains(pair)) return false;
  told.insert(pair);
  return true;
}

}  // namespace

template <typename T>
void WarnOfForeignContact(const std::string& plant_path,
                          const geometry::SceneGraphInspector<T>& inspector,
                          GeometryId own, GeometryId other, double time) {
  if (!IsToldFirst(KeyOf(inspector, own), KeyOf(inspector, other))) return;
  WarnOnStderr(fmt::format(
      "MultibodyPlant '{}': its geometry '{}' touches '{}' of source '{}' at "
      "time {} and passes through it, for a plant has forces between its own "
      "bodies alone. Put both bodies into one plant, or exclude the pair by "
      "SceneGraph::collision_filter_manager().",
      plant_path, inspector.GetName(own), inspector.GetName(other),
      inspector.GetOwningSourceName(other), time));
}

#define WYVERN_INSTANTIATE_FOREIGN_CONTACT(T)                                  \
  template void WarnOfForeignContact<T>(                                       \
      const std::string&, const geometry::SceneGraphInspector<T>&, GeometryId, \
      GeometryId, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_FOREIGN_CONTACT)
#undef WYVERN_INSTANTIATE_FOREIGN_CONTACT

}  // namespace wyvern::multibody::internal
