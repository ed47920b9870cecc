#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

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
  const std::vector<Transient>& history() const { return history_; }
  /** The pairs that the persistent table excludes, each once, in order. */
  std::vector<std::pair<GeometryId, GeometryId>> PersistentPairs() const;
  /** Excludes `pairs` in the persistent table and puts `history` on top, in
  place of all there was. */
  void Restore(const std::vector<std::pair<GeometryId, GeometryId>>& pairs,
               std::vector<Transient> history);

  /** The row of `id` in the table, for IsExcludedAt(). It does not change
  while `id` is known. */
  int RowOf(GeometryId id) const { return rows_.at(id); }
  bool IsExcludedAt(int row_a, int row_b) const {
    const size_t bit = static_cast<size_t>(row_a) * capacity_ + row_b;
    return (now_[bit / 64] >> (bit % 64)) & 1;
  }

 private:
  using Bits = std::vector<uint64_t>;

  void Set(Bits* bits, int a, int b, bool value) const;
  void ApplyTo(const std::vector<Change>& changes, Bits* bits) const;
  void ApplyHistory();
  void Grow();

  std::unordered_map<GeometryId, int> rows_;
  std::vector<int> free_rows_;
  int capacity_{0};
  Bits persistent_;  // capacity_ x capacity_, row after row.
  Bits now_;         // With the transient declarations.
  std::vector<Transient> history_;
};

}  // namespace wyvern::geometry::internal
