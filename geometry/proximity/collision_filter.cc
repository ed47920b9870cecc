#include "wyvern/geometry/proximity/collision_filter.h"

#include <algorithm>
#include <stdexcept>

namespace wyvern::geometry::internal {

void CollisionFilter::Set(Bits* bits, int a, int b, bool value) const {
  for (const auto& [row, column] : {std::pair(a, b), std::pair(b, a)}) {
    const size_t bit = static_cast<size_t>(row) * capacity_ + column;
    const uint64_t mask = uint64_t{1} << (bit % 64);
    if (value) {
      (*bits)[bit / 64] |= mask;
    } else {
      (*bits)[bit / 64] &= ~mask;
    }
  }
}

void CollisionFilter::Grow() {
  const CollisionFilter before = *this;
  capacity_ = std::max(64, 2 * before.capacity_);
  persistent_.assign(static_cast<size_t>(capacity_) * capacity_ / 64, 0);
  now_ = persistent_;
  for (int a = 0; a < before.capacity_; ++a) {
    for (int b = 0; b < a; ++b) {
      const size_t bit = static_cast<size_t>(a) * before.capacity_ + b;
      const auto is_set = [bit](const Bits& bits) {
        return ((bits[bit / 64] >> (bit % 64)) & 1) != 0;
      };
      if (is_set(before.persistent_)) Set(&persistent_, a, b, true);
      if (is_set(before.now_)) Set(&now_, a, b, true);
    }
  }
}

void CollisionFilter::AddGeometry(GeometryId id) {
  if (rows_.contains(id)) return;
  if (!free_rows_.empty()) {
    rows_[id] = free_rows_.back();
    free_rows_.pop_back();
    return;
  }
  const int row = static_cast<int>(rows_.size());
  if (row == capacity_) Grow();
  rows_[id] = row;
}

void CollisionFilter::RemoveGeometry(GeometryId id) {
  const auto found = rows_.find(id);
  if (found == rows_.end()) return;
  const int row = found->second;
  for (int other = 0; other < capacity_; ++other) {
    Set(&persistent_, row, other, false);
    Set(&now_, row, other, false);
  }
  rows_.erase(found);
  free_rows_.push_back(row);
  for (Transient& transient : history_) {
    for (Change& change : transient.changes) {
      std::erase(change.set_A, id);
      std::erase(change.set_B, id);
    }
  }
}

void CollisionFilter::ApplyTo(const std::vector<Change>& changes,
                              Bits* bits) const {
  for (const Change& change : changes) {
    for (const GeometryId a : change.set_A) {
      const auto row_a = rows_.find(a);
      if (row_a == rows_.end()) continue;
      for (const GeometryId b : change.set_B) {
        const auto row_b = rows_.find(b);
        if (row_b == rows_.end() || a == b) continue;
        Set(bits, row_a->second, row_b->second, change.exclude);
      }
    }
  }
}

void CollisionFilter::Apply(const std::vector<Change>& changes) {
  if (has_transient_history()) {
    throw std::logic_error(
        "CollisionFilterManager::Apply(): there are transient declarations; "
        "remove them with RemoveDeclaration() first, or use "
        "ApplyTransient().");
  }
  ApplyTo(changes, &persistent_);
  now_ = persistent_;
}

FilterId CollisionFilter::ApplyTransient(std::vector<Change> changes) {
  const FilterId id = FilterId::get_new_id();
  ApplyTo(changes, &now_);
  history_.push_back({id, std::move(changes)});
  return id;
}

bool CollisionFilter::IsActive(FilterId id) const {
  return std::any_of(history_.begin(), history_.end(),
                     [id](const Transient& t) { return t.id == id; });
}

bool CollisionFilter::RemoveDeclaration(FilterId id) {
  const auto removed =
      std::erase_if(history_, [id](const Transient& t) { return t.id == id; });
  if (removed == 0) return false;
  ApplyHistory();
  return true;
}

void CollisionFilter::ApplyHistory() {
  now_ = persistent_;
  for (const Transient& transient : history_) {
    ApplyTo(transient.changes, &now_);
  }
}

std::vector<std::pair<GeometryId, GeometryId>>
CollisionFilter::PersistentPairs() const {
  std::vector<std::pair<GeometryId, GeometryId>> pairs;
  for (const auto& [a, row_a] : rows_) {
    for (const auto& [b, row_b] : rows_) {
      const size_t bit = static_cast<size_t>(row_a) * capacity_ + row_b;
      if (a < b && ((persistent_[bit / 64] >> (bit % 64)) & 1) != 0) {
        pairs.emplace_back(a, b);
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

void CollisionFilter::Restore(
    const std::vector<std::pair<GeometryId, GeometryId>>& pairs,
    std::vector<Transient> history) {
  std::fill(persistent_.begin(), persistent_.end(), 0);
  for (const auto& [a, b] : pairs) {
    ApplyTo({{.exclude = true, .set_A = {a}, .set_B = {b}}}, &persistent_);
  }
  history_ = std::move(history);
  ApplyHistory();
}

}  // namespace wyvern::geometry::internal
