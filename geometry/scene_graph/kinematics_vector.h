#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/geometry_ids.h"

namespace wyvern::geometry {

/** A value for each of some ids: how poses of frames go to a SceneGraph.

Clearing keeps the storage, and setting values for the same ids in increasing
order takes constant time each: once filled, an object is refilled every step
without allocating. */
template <typename Id, class KinematicsValue>
class KinematicsVector {
 public:
  KinematicsVector() = default;
  /** Holds exactly these values. */
  KinematicsVector(
      std::initializer_list<std::pair<const Id, KinematicsValue>> init);
  /** Holds exactly these afterwards. */
  KinematicsVector& operator=(
      std::initializer_list<std::pair<const Id, KinematicsValue>> init);

  /** Removes all values and keeps the storage. */
  void clear();
  /** Adds or replaces. */
  void set_value(Id id, const KinematicsValue& value);
  /** The number of values set since the last clear(). */
  int size() const { return size_; }
  /** True if there is a value for `id`. */
  bool has_id(Id id) const { return Find(id, size_) != nullptr; }
  /** Returns the value for `id`, valid until the next change.
  @throws std::logic_error if there is no value for `id`. */
  const KinematicsValue& value(Id id) const;
  /** The value of an id, or null; looked for at `*place` first, which then is
  behind it: ids in increasing order, from place 0 on, take constant time each.
  */
  const KinematicsValue* FindFrom(Id id, int* place) const;
  /** In increasing order. */
  std::vector<Id> ids() const;

 private:
  struct Entry {
    Id id;
    KinematicsValue value;
    bool is_set{};
  };
  const Entry* Find(Id id, int hint) const;
  // The place of the first entry that is not before `id`; `hint` tried first.
  int LowerBound(Id id, int hint) const;

  std::vector<Entry> entries_;  // By increasing id.
  int size_{0};
  int next_{0};  // Where the next id is expected.
};

/** Poses X_WF of frames in the world, by frame. */
template <typename T>
using FramePoseVector = KinematicsVector<FrameId, math::RigidTransform<T>>;

/** Positions in the world, [m], of the vertices of geometries that deform:
x, y, z of one vertex after the other. */
template <typename T>
using GeometryConfigurationVector = KinematicsVector<GeometryId, VectorX<T>>;

}  // namespace wyvern::geometry
