#include "wyvern/geometry/proximity/proximity_engine.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::geometry {

using internal::MakeCollisionShape;
using math::RigidTransform;

namespace {
int64_t NextVersion() {
  static std::atomic<int64_t> last{0};
  return ++last;
}
}  // namespace

int ProximityEngine::FindIndex(GeometryId id) const {
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (found == ids_.end() || !(*found == id)) return -1;
  return static_cast<int>(found - ids_.begin());
}

int ProximityEngine::IndexOrThrow(const char* function, GeometryId id) const {
  const int index = FindIndex(id);
  if (index < 0) {
    throw std::logic_error(fmt::format(
        "ProximityEngine::{}(): there is no geometry {} with the proximity "
        "role; assign it first.",
        function, id));
  }
  return index;
}

void ProximityEngine::AddGeometry(
    GeometryId id, const Shape& shape, FrameId frame,
    const std::optional<RigidTransform<double>>& X_WG) {
  if (FindIndex(id) >= 0) {
    throw std::logic_error(fmt::format(
        "ProximityEngine::AddGeometry(): geometry {} is there already; use "
        "ReplaceShape() to change it.",
        id));
  }
  Item item;
  item.shape = MakeCollisionShape(shape);
  item.frame = frame;
  item.is_anchored = X_WG.has_value();
  if (X_WG) item.anchored_box = CalcWorldAabb(item.shape, *X_WG);
  filter_.AddGeometry(id);
  item.filter_row = filter_.RowOf(id);
  const auto place = std::lower_bound(ids_.begin(), ids_.end(), id);
  const int index = static_cast<int>(place - ids_.begin());
  items_.insert(items_.begin() + index, std::move(item));
  ids_.insert(place, id);
  ListGeometry(index);
}

void ProximityEngine::RemoveGeometries(std::span<const GeometryId> ids) {
  std::vector<bool> leaves(ids_.size(), false);
  for (const GeometryId id : ids) {
    leaves[IndexOrThrow("RemoveGeometry", id)] = true;
  }
  for (const GeometryId id : ids) filter_.RemoveGeometry(id);
  size_t kept = 0;
  for (size_t i = 0; i < ids_.size(); ++i) {
    if (leaves[i]) continue;
    if (kept != i) {
      ids_[kept] = ids_[i];
      items_[kept] = std::move(items_[i]);
    }
    ++kept;
  }
  ids_.resize(kept);
  items_.resize(kept);
  ListGeometries();
}

void ProximityEngine::ReplaceShape(GeometryId id, const Shape& shape) {
  Item& item = items_[IndexOrThrow("ReplaceShape", id)];
  const bool was_unbounded = item.shape.kind == internal::ShapeKind::kHalfSpace;
  item.shape = MakeCollisionShape(shape);
  broad_phase_model_.version = NextVersion();
  const bool is_unbounded = item.shape.kind == internal::ShapeKind::kHalfSpace;
  if (was_unbounded != is_unbounded) ListGeometries();
}

void ProximityEngine::SetAnchoredPose(GeometryId id,
                                      const RigidTransform<double>& X_WG) {
  Item& item = items_[IndexOrThrow("SetAnchoredPose", id)];
  item.anchored_box = CalcWorldAabb(item.shape, X_WG);
  broad_phase_model_.version = NextVersion();
}

// Costs as much as there are geometries behind it, which is mostly none.
void ProximityEngine::ListGeometry(int index) {
  internal::BroadPhaseModel& model = broad_phase_model_;
  model.version = NextVersion();
  for (auto* list : {&model.unbounded, &model.anchored, &model.moving}) {
    for (auto it = list->rbegin(); it != list->rend() && *it >= index; ++it) {
      ++*it;
    }
  }
  auto& own = items_[index].shape.kind == internal::ShapeKind::kHalfSpace
                  ? model.unbounded
              : items_[index].is_anchored ? model.anchored
                                          : model.moving;
  own.insert(std::lower_bound(own.begin(), own.end(), index), index);
}

void ProximityEngine::ListGeometries() {
  broad_phase_model_ = {};
  broad_phase_model_.version = NextVersion();
  for (int i = 0; i < num_geometries(); ++i) ListGeometry(i);
}

bool ProximityEngine::IsExcluded(GeometryId a, GeometryId b) const {
  return IsExcludedAt(IndexOrThrow("IsExcluded", a),
                      IndexOrThrow("IsExcluded", b));
}

std::vector<SortedPair<GeometryId>> ProximityEngine::AllPairs() const {
  std::vector<SortedPair<GeometryId>> result;
  for (int a = 0; a < num_geometries(); ++a) {
    for (int b = a + 1; b < num_geometries(); ++b) {
      if (!IsExcludedAt(a, b)) result.emplace_back(ids_[a], ids_[b]);
    }
  }
  return result;
}

}  // namespace wyvern::geometry
