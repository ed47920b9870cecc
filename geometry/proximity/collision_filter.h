#pragma once

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "wyvern/geometry/proximity/pair_table.h"
#include "wyvern/geometry/shapes/geometry_ids.h"

namespace wyvern::geometry::internal {

/** Which pairs of geometries do not collide: a persistent table, and transient
declarations on top of it, in the order they were made. */
class CollisionFilter {
 public:
  /** A filter statement, its sets resolved to geometries. For a statement
  "within" one set, both are that set. */
  struct Change {
    bool exclude{};
    std::vector<GeometryId> set_A;
    std::vector<GeometryId> set_B;
  };
  struct Transient {
    FilterId id;
    std::vector<Change> changes;
  };
  /** The persistent table: classes of geometries that it treats alike, and the
  pairs of classes (places in `classes`, the less one first) whose geometries it
  excludes. */
  struct Persistent {
    std::vector<std::vector<GeometryId>> classes;
    std::vector<std::pair<int, int>> excluded;
  };

  /** Makes `id` known, with no pairs excluded. */
  void AddGeometry(GeometryId id);
  /** Forgets `id`, in declarations too. No effect if it is not known. */
  void RemoveGeometry(GeometryId id);

  /** Changes the persistent table; ids that are not known are passed over. */
  void Apply(const std::vector<Change>& changes);
  FilterId ApplyTransient(std::vector<Change> changes);
  bool IsActive(FilterId id) const;
  /** Returns false if it was not active. */
  bool RemoveDeclaration(FilterId id);
  bool has_transient_history() const { return !history_.empty(); }
  /** Returns the transient declarations, without geometries that were
  removed. */
  std::vector<Transient> history() const;
  /** Returns the persistent table: ids in increasing order in each class, and
  classes in the order of their first ids. */
  Persistent persistent() const;
  /** Replaces the persistent table and the history. Ids that are not known are
  passed over, and so is an id that comes again in a later class. */
  void Restore(const Persistent& persistent, std::vector<Transient> history);

  /** The row of `id` in the table, for IsExcludedAt(). It does not change
  while `id` is known. */
  int RowOf(GeometryId id) const { return rows_.at(id); }
  /** Returns whether a pair of rows is excluded. */
  bool IsExcludedAt(int row_a, int row_b) const {
    return (history_.empty() ? persistent_ : with_history_)
        .IsExcluded(row_a, row_b);
  }

 private:
  // Takes what was removed out of the history.
  void PurgeHistory();
  void ApplyTo(const std::vector<Change>& changes, PairTable* table) const;
  void ApplyHistory();

  std::unordered_map<GeometryId, int> rows_;
  std::vector<int> free_rows_;
  int num_rows_{0};
  PairTable persistent_;
  PairTable with_history_;  // Out of use without a history.
  std::vector<Transient> history_;
  // Geometries that were removed and may still be in the history.
  std::unordered_set<GeometryId> removed_;
};

}  // namespace wyvern::geometry::internal
