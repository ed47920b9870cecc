#include "wyvern/geometry/proximity/collision_filter.h"

#include <algorithm>
#include <stdexcept>

/* Two tables over rows: the persistent one, and a copy of it with the transient
declarations, which is made when the first of them comes. A geometry that is
removed gives its row to the next one that is added; a transient declaration
forgets it before that geometry could come back. */

namespace wyvern::geometry::internal {

void CollisionFilter::AddGeometry(GeometryId id) {
  if (rows_.contains(id)) return;
  if (removed_.contains(id)) PurgeHistory();
  int row = num_rows_;
  if (free_rows_.empty()) {
    ++num_rows_;
  } else {
    row = free_rows_.back();
    free_rows_.pop_back();
  }
  rows_[id] = row;
  persistent_.Add(row);
  if (has_transient_history()) with_history_.Add(row);
}

void CollisionFilter::RemoveGeometry(GeometryId id) {
  const auto found = rows_.find(id);
  if (found == rows_.end()) return;
  const int row = found->second;
  persistent_.Remove(row);
  if (has_transient_history()) {
    with_history_.Remove(row);
    removed_.insert(id);
  }
  rows_.erase(found);
  free_rows_.push_back(row);
}

void CollisionFilter::PurgeHistory() {
  const auto is_removed = [this](GeometryId id) {
    return removed_.contains(id);
  };
  for (Transient& transient : history_) {
    for (Change& change : transient.changes) {
      std::erase_if(change.set_A, is_removed);
      std::erase_if(change.set_B, is_removed);
    }
  }
  removed_.clear();
}

void CollisionFilter::ApplyTo(const std::vector<Change>& changes,
                              PairTable* table) const {
  const auto rows_of = [this](const std::vector<GeometryId>& ids) {
    std::vector<int> rows;
    rows.reserve(ids.size());
    for (const GeometryId id : ids) {
      const auto row = rows_.find(id);
      if (row != rows_.end()) rows.push_back(row->second);
    }
    return rows;
  };
  for (const Change& change : changes) {
    table->Set(rows_of(change.set_A), rows_of(change.set_B), change.exclude);
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
}

FilterId CollisionFilter::ApplyTransient(std::vector<Change> changes) {
  const FilterId id = FilterId::get_new_id();
  if (!has_transient_history()) with_history_ = persistent_;
  ApplyTo(changes, &with_history_);
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
  PurgeHistory();
  if (!has_transient_history()) {
    with_history_ = PairTable();
    return;
  }
  with_history_ = persistent_;
  for (const Transient& transient : history_) {
    ApplyTo(transient.changes, &with_history_);
  }
}

std::vector<CollisionFilter::Transient> CollisionFilter::history() const {
  CollisionFilter copy;
  copy.history_ = history_;
  copy.removed_ = removed_;
  copy.PurgeHistory();
  return std::move(copy.history_);
}

CollisionFilter::Persistent CollisionFilter::persistent() const {
  std::vector<GeometryId> id_of_row(num_rows_);
  for (const auto& [id, row] : rows_) id_of_row[row] = id;
  PairTable::Content content = persistent_.GetContent();
  // Rows are in the order of ids unless some were used again.
  std::vector<std::pair<std::vector<GeometryId>, int>> sorted;
  for (size_t k = 0; k < content.classes.size(); ++k) {
    std::vector<GeometryId> ids;
    for (const int row : content.classes[k]) ids.push_back(id_of_row[row]);
    std::sort(ids.begin(), ids.end());
    sorted.emplace_back(std::move(ids), static_cast<int>(k));
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.first[0] < b.first[0];
  });
  Persistent result;
  std::vector<int> place(sorted.size());
  for (auto& [ids, k] : sorted) {
    place[k] = static_cast<int>(result.classes.size());
    result.classes.push_back(std::move(ids));
  }
  for (const auto& [a, b] : content.excluded) {
    result.excluded.push_back(std::minmax({place[a], place[b]}));
  }
  std::ranges::sort(result.excluded);
  return result;
}

void CollisionFilter::Restore(const Persistent& persistent,
                              std::vector<Transient> history) {
  PairTable::Content content;
  content.excluded = persistent.excluded;
  std::unordered_set<GeometryId> seen;
  for (const std::vector<GeometryId>& ids : persistent.classes) {
    std::vector<int>& rows = content.classes.emplace_back();
    for (const GeometryId id : ids) {
      const auto row = rows_.find(id);
      if (row == rows_.end() || !seen.insert(id).second) continue;
      rows.push_back(row->second);
    }
  }
  persistent_.SetContent(content);
  history_ = std::move(history);
  removed_.clear();
  for (const Transient& transient : history_) {
    for (const Change& change : transient.changes) {
      for (const auto* set : {&change.set_A, &change.set_B}) {
        for (const GeometryId id : *set) {
          if (!rows_.contains(id)) removed_.insert(id);
        }
      }
    }
  }
  ApplyHistory();
}

}  // namespace wyvern::geometry::internal
