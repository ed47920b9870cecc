#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <utility>

#include "wyvern/geometry/scene_graph/scene_graph_inspector.h"
#include "wyvern/systems/common/sorted_pair.h"
#include "wyvern/systems/framework/system_base.h"

namespace wyvern::multibody::internal {

/** Pairs of bodies that a simulation has already warned of. The plants of one
simulation share the set, because their Contexts query the same SceneGraph, so
that each pair is named once. A copy is of another Context and begins empty.
Allocates nothing for a pair that was found before. */
class ForeignPairs {
 public:
  /** Identifies a body by its frame's id. A geometry of the world, or one that
  deforms, is identified by its own id. */
  using Body = std::pair<bool, int64_t>;

  ForeignPairs() = default;
  ForeignPairs(const ForeignPairs&) {}
  ForeignPairs& operator=(const ForeignPairs&) {
    pairs_.reset();
    return *this;
  }

  /** Returns whether this call is the first with these bodies.
  @param query Address that is the same for all plants of a simulation. */
  bool NoteFirst(const void* query, const Body& a, const Body& b) const;

 private:
  using Pairs = std::set<SortedPair<Body>>;
  mutable std::shared_ptr<Pairs> pairs_;
};

/** Warns if a geometry of a plant touches one of another source of the same
SceneGraph, such as another plant. The two pass through each other, because a
plant computes only the forces between its own bodies. Each pair of bodies is
named once per simulation, by the first plant that sees it, on one line of
stderr. A step that finds a named pair again allocates nothing.
@param plant The plant that owns the first geometry.
@param pairs The pairs that the plant's Context has warned of. */
template <typename T>
void WarnOfForeignContact(const systems::SystemBase& plant,
                          const geometry::SceneGraphInspector<T>& inspector,
                          geometry::GeometryId own, geometry::GeometryId other,
                          double time, const ForeignPairs& pairs);

}  // namespace wyvern::multibody::internal
