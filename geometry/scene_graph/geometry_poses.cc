#include "wyvern/geometry/scene_graph/geometry_poses.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::geometry::internal {

template <typename T>
void GeometryPoses<T>::Resize(const GeometryModel& model) {
  X_PF.resize(model.frames().size());
  X_WF.resize(model.frames().size());
  X_WG.resize(model.geometries().size());
  proximity_X_WG.resize(model.engine().num_geometries());
}

template <typename T>
void GeometryPoses<T>::SetFramePoses(const GeometryModel& model,
                                     const GeometryModel::Source& source,
                                     const FramePoseVector<T>& poses) {
  int count = 0;
  for (const auto& frame : model.frames()) {
    if (!(frame.source == source.id) || frame.index == 0) continue;
    ++count;
    if (!poses.has_id(frame.id)) {
      throw std::runtime_error(fmt::format(
          "SceneGraph: the pose port of source '{}' has no pose for its frame "
          "'{}' (id {}); give one for each frame.",
          source.name, frame.name, frame.id));
    }
    const math::RigidTransform<T>& X = poses.value(frame.id);
    if (const auto X_elements = X.GetAsMatrix34();
        !wyvern::internal::AllFinite(X_elements)) {
      wyvern::internal::RequireFinite(
          wyvern::internal::Caller("SceneGraph")
              .Of("source", source.name)
              .OfResults(),
          fmt::format("the pose of frame '{}'", frame.name), X_elements);
    }
    X_PF[frame.index] = X;
  }
  if (poses.size() != count) {
    throw std::runtime_error(fmt::format(
        "SceneGraph: the pose port of source '{}' has {} poses for {} frames; "
        "give one for each frame, and no others.",
        source.name, poses.size(), count));
  }
}

template <typename T>
void GeometryPoses<T>::Update(const GeometryModel& model) {
  for (const auto& frame : model.frames()) {
    if (frame.index == 0) continue;
    X_WF[frame.index] = frame.parent_index == 0
                            ? X_PF[frame.index]
                            : X_WF[frame.parent_index] * X_PF[frame.index];
  }
  for (const auto& [frame, geometry, X_FG] : model.placements()) {
    X_WG[geometry] = frame == 0 ? X_FG.template cast<T>()
                                : X_WF[frame] * X_FG.template cast<T>();
  }
  const auto& places = model.engine_places();
  for (size_t i = 0; i < places.size(); ++i) {
    proximity_X_WG[i] = X_WG[places[i]];
  }
}

template struct GeometryPoses<double>;
#if WYVERN_AUTODIFF
template struct GeometryPoses<AutoDiffXd>;
#endif

}  // namespace wyvern::geometry::internal
