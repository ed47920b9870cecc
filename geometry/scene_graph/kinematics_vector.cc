#include "wyvern/geometry/scene_graph/kinematics_vector.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::geometry {

template <typename Id, class KinematicsValue>
KinematicsVector<Id, KinematicsValue>::KinematicsVector(
    std::initializer_list<std::pair<const Id, KinematicsValue>> init) {
  *this = init;
}

template <typename Id, class KinematicsValue>
KinematicsVector<Id, KinematicsValue>&
KinematicsVector<Id, KinematicsValue>::operator=(
    std::initializer_list<std::pair<const Id, KinematicsValue>> init) {
  clear();
  for (const auto& [id, value] : init) set_value(id, value);
  return *this;
}

template <typename Id, class KinematicsValue>
void KinematicsVector<Id, KinematicsValue>::clear() {
  for (Entry& entry : entries_) entry.is_set = false;
  size_ = 0;
  next_ = 0;
}

template <typename Id, class KinematicsValue>
int KinematicsVector<Id, KinematicsValue>::LowerBound(Id id, int hint) const {
  const int n = static_cast<int>(entries_.size());
  if (hint < n && entries_[hint].id == id) return hint;
  const auto found = std::lower_bound(
      entries_.begin(), entries_.end(), id,
      [](const Entry& entry, Id wanted) { return entry.id < wanted; });
  return static_cast<int>(found - entries_.begin());
}

template <typename Id, class KinematicsValue>
void KinematicsVector<Id, KinematicsValue>::set_value(
    Id id, const KinematicsValue& value) {
  const int i = LowerBound(id, next_);
  if (i == static_cast<int>(entries_.size()) || !(entries_[i].id == id)) {
    entries_.insert(entries_.begin() + i, Entry{id, value, false});
  }
  Entry& entry = entries_[i];
  if (!entry.is_set) ++size_;
  entry.value = value;
  entry.is_set = true;
  next_ = i + 1;
}

template <typename Id, class KinematicsValue>
auto KinematicsVector<Id, KinematicsValue>::Find(Id id, int hint) const
    -> const Entry* {
  const int i = LowerBound(id, hint);
  if (i == static_cast<int>(entries_.size())) return nullptr;
  const Entry& entry = entries_[i];
  return entry.id == id && entry.is_set ? &entry : nullptr;
}

template <typename Id, class KinematicsValue>
const KinematicsValue* KinematicsVector<Id, KinematicsValue>::FindFrom(
    Id id, int* place) const {
  const Entry* entry = Find(id, *place);
  if (entry == nullptr) return nullptr;
  *place = static_cast<int>(entry - entries_.data()) + 1;
  return &entry->value;
}

template <typename Id, class KinematicsValue>
const KinematicsValue& KinematicsVector<Id, KinematicsValue>::value(
    Id id) const {
  const Entry* entry = Find(id, size_);
  if (entry == nullptr) {
    throw std::logic_error(fmt::format(
        "KinematicsVector::value(): there is no value for id {}; set one, or "
        "ask has_id() first.",
        id));
  }
  return entry->value;
}

template <typename Id, class KinematicsValue>
std::vector<Id> KinematicsVector<Id, KinematicsValue>::ids() const {
  std::vector<Id> result;
  result.reserve(size_);
  for (const Entry& entry : entries_) {
    if (entry.is_set) result.push_back(entry.id);
  }
  return result;
}

template class KinematicsVector<FrameId, math::RigidTransform<double>>;
template class KinematicsVector<GeometryId, VectorX<double>>;
#if WYVERN_AUTODIFF
template class KinematicsVector<FrameId, math::RigidTransform<AutoDiffXd>>;
template class KinematicsVector<GeometryId, VectorX<AutoDiffXd>>;
#endif

}  // namespace wyvern::geometry
