#pragma once

#include <functional>
#include <utility>

#include "wyvern/geometry/scene_graph/geometry_model.h"

namespace wyvern::geometry {

/** Declares which pairs of geometries with the proximity role do not collide.
Pairs fixed to the same frame, and pairs of anchored geometries, never collide.

A declaration applies to the geometries that its sets name at the time of the
call; geometries added later are not affected. A persistent declaration changes
the table for good. Transient declarations are applied on top of the table, in
the order of their creation, and each can be removed again.

The manager is a small handle: it must not outlive its SceneGraph or Context.
The manager of a Context can be kept: each change takes effect at once. */
class CollisionFilterManager {
 public:
  /** For a model that no Context holds; it must outlive this. */
  explicit CollisionFilterManager(GeometryModel* model)
      : CollisionFilterManager([model] { return model; }, model) {}
  /** @param access returns the model. It is called for each change, so that a
  Context that holds the model learns of the change. */
  CollisionFilterManager(std::function<GeometryModel*()> access,
                         const GeometryModel* model)
      : access_(std::move(access)), model_(model) {}

  /** Applies a declaration to the table permanently.
  @throws std::logic_error while there are transient declarations, or if the
  declaration names an unknown frame or geometry. */
  void Apply(const CollisionFilterDeclaration& declaration) {
    access_()->ApplyFilter(declaration);
  }
  /** Applies a declaration on top of the table, until it is removed by the id
  returned.
  @throws std::logic_error if it names an unknown frame or geometry. */
  FilterId ApplyTransient(const CollisionFilterDeclaration& declaration) {
    return access_()->ApplyTransientFilter(declaration);
  }
  /** Returns false if there is no such transient declaration. */
  bool RemoveDeclaration(FilterId filter_id) {
    return access_()->RemoveFilter(filter_id);
  }
  /** True if there is a transient declaration. */
  bool has_transient_history() const { return model_->has_transient_history(); }
  /** True if a transient declaration has this id. */
  bool IsActive(FilterId filter_id) const {
    return model_->IsFilterActive(filter_id);
  }

 private:
  std::function<GeometryModel*()> access_;
  const GeometryModel* model_;
};

}  // namespace wyvern::geometry
