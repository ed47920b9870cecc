#pragma once

#include <functional>
#include <utility>

#include "wyvern/geometry/scene_graph/geometry_model.h"

namespace wyvern::geometry {

/** Says which pairs of geometries with the proximity role do not collide. Pairs
fixed to the same frame, and pairs that are both anchored, never do.

Declarations hold for the geometries that their sets name at the time: ones that
come later are not affected. Persistent declarations change the table for good.
Transient ones are laid over it in the order they were made, and each can be
taken away again. A small handle: it must not outlive what it came from. A
manager of a Context can be kept: each change takes effect at once. */
class CollisionFilterManager {
 public:
  explicit CollisionFilterManager(GeometryModel* model)
      : CollisionFilterManager([model] { return model; }, model) {}
  /** @param access gives the model, to be called anew for each change, so that
  a Context that holds it learns of the change. */
  CollisionFilterManager(std::function<GeometryModel*()> access,
                         const GeometryModel* model)
      : access_(std::move(access)), model_(model) {}

  /** @throws std::logic_error while there are transient declarations, or if the
  declaration names an unknown frame or geometry. */
  void Apply(const CollisionFilterDeclaration& declaration) {
    access_()->ApplyFilter(declaration);
  }
  FilterId ApplyTransient(const CollisionFilterDeclaration& declaration) {
    return access_()->ApplyTransientFilter(declaration);
  }
  /** Returns false if there is no such transient declaration. */
  bool RemoveDeclaration(FilterId filter_id) {
    return access_()->RemoveFilter(filter_id);
  }
  bool has_transient_history() const { return model_->has_transient_history(); }
  bool IsActive(FilterId filter_id) const {
    return model_->IsFilterActive(filter_id);
  }

 private:
  std::function<GeometryModel*()> access_;
  const GeometryModel* model_;
};

}  // namespace wyvern::geometry
