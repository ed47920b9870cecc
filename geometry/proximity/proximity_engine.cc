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
  items_.insert(items_.begin() + (place - ids_.begin()), std::move(item));
  ids_.insert(place, id);
  ListGeometries();
}

void ProximityEngine::RemoveGeometry(GeometryId id) {
  const int index = IndexOrThrow("RemoveGeometry", id);
  ids_.erase(ids_.begin() + index);
  items_.erase(items_.begin() + index);
  filter_.RemoveGeometry(id);
  ListGeometries();
}

void ProximityEngine::ReplaceShape(GeometryId id, const Shape& shape) {
  const int index = IndexOrThrow("ReplaceShape", id);
  items_[index].shape = MakeCollisionShape(shape);
  ListGeometries();
}

void ProximityEngine::SetAnchoredPose(GeometryId id,
                                      const RigidTransform<double>& X_WG) {
  Item& item = items_[IndexOrThrow("SetAnchoredPose", id)];
  item.anchored_box = CalcWorldAabb(item.shape, X_WG);
  ListGeometries();
}

void ProximityEngine::ListGeometries() {
  broad_phase_model_ = {};
  broad_phase_model_.version = NextVersion();
  for (int i = 0; i < num_geometries(); ++i) {
    if (items_[i].shape.kind == internal::ShapeKind::kHalfSpace) {
      broad_phase_model_.unbounded.push_back(i);
    } else if (items_[i].is_anchored) {
      broad_phase_model_.anchored.push_back(i);
    } else {
      broad_phase_model_.moving.push_back(i);
    }
  }
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
