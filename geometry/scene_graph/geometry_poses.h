#pragma once

#include <vector>

#include "wyvern/geometry/hydroelastic/pair_surface.h"
#include "wyvern/geometry/scene_graph/geometry_model.h"
#include "wyvern/geometry/scene_graph/kinematics_vector.h"

namespace wyvern::geometry::internal {

/** The poses of everything in a GeometryModel, in the order of its frames, its
geometries and its engine's geometries, the configurations of those that deform,
and the scratch memory of queries.

@tparam T double or AutoDiffXd. */
template <typename T>
struct GeometryPoses {
  std::vector<math::RigidTransform<T>> X_PF;
  std::vector<math::RigidTransform<T>> X_WF;
  std::vector<math::RigidTransform<T>> X_WG;
  /** Poses of geometries with the proximity role, by index in the engine. */
  std::vector<math::RigidTransform<T>> proximity_X_WG;
  /** Vertex positions of deformable geometries, by deformable_index, [m]. */
  std::vector<VectorX<T>> q_WGs;
  /** Use from one thread at a time, as the Context that it belongs to. */
  mutable ProximityScratch scratch;
  mutable PairScratch<T> pair_scratch;
  mutable DeformableContactScratch deformable_scratch;

  /** Takes the sizes of `model`, with every frame at its parent's origin. */
  void Resize(const GeometryModel& model);
  /** @throws std::runtime_error unless X_PF and q_WGs, as read from a file,
  have the sizes of `model`. */
  void RequireSizes(const GeometryModel& model) const;
  /** Takes X_PF of the frames of one source from what its port says.
  @throws std::runtime_error if a frame's pose is missing or not finite, or if
  there are poses of other frames. */
  void SetFramePoses(const GeometryModel& model,
                     const GeometryModel::Source& source,
                     const FramePoseVector<T>& poses);
  /** Takes the configurations of the geometries of one source from what its
  port says.
  @throws std::runtime_error if one is missing, of another size or not finite,
  or if there are those of others. */
  void SetConfigurations(const GeometryModel& model,
                         const GeometryModel::Source& source,
                         const GeometryConfigurationVector<T>& configurations);
  /** Computes the poses in the world. */
  void Update(const GeometryModel& model);
};

}  // namespace wyvern::geometry::internal
