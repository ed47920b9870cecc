#include "wyvern/geometry/scene_graph/geometry_poses.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::geometry::internal {

template <typename T>
void GeometryPoses<T>::Resize(const GeometryModel& model) {
  X_PF.resize(model.frames().size());
  X_WF.resize(model.frames().size());
  X_WG.resize(model.geometries().size());
  proximity_X_WG.resize(model.engine().num_geometries());
  q_WGs.resize(model.deformable_places().size());
}

template <typename T>
void GeometryPoses<T>::RequireSizes(const GeometryModel& model) const {
  bool agree = X_PF.size() == model.frames().size() &&
               q_WGs.size() == model.deformable_places().size();
  for (size_t i = 0; agree && i < q_WGs.size(); ++i) {
    const auto& geometry = model.geometries()[model.deformable_places()[i]];
    agree = q_WGs[i].size() == 3 * geometry.deformable->mesh_G.num_vertices();
  }
  if (agree) return;
  throw std::runtime_error(fmt::format(
      "SceneGraph: what was saved has {} poses and {} configurations for {} "
      "frames and {} geometries that deform, or a configuration of another "
      "size; it is damaged: load something that was not changed since.",
      X_PF.size(), q_WGs.size(), model.frames().size(),
      model.deformable_places().size()));
}

template <typename T>
void GeometryPoses<T>::SetFramePoses(const GeometryModel& model,
                                     const GeometryModel::Source& source,
                                     const FramePoseVector<T>& poses) {
  int count = 0;
  int place = 0;
  for (const auto& frame : model.frames()) {
    if (!(frame.source == source.id) || frame.index == 0) continue;
    ++count;
    const math::RigidTransform<T>* X = poses.FindFrom(frame.id, &place);
    if (X == nullptr) {
      throw std::runtime_error(fmt::format(
          "SceneGraph: the pose port of source '{}' has no pose for its frame "
          "'{}' (id {}); give one for each frame.",
          source.name, frame.name, frame.id));
    }
    if (const auto X_elements = X->GetAsMatrix34();
        !wyvern::internal::AllFinite(X_elements)) {
      wyvern::internal::RequireFinite(
          wyvern::internal::Caller("SceneGraph")
              .Of("source", source.name)
              .OfResults(),
          fmt::format("the pose of frame '{}'", frame.name), X_elements);
    }
    X_PF[frame.index] = *X;
  }
  if (poses.size() != count) {
    throw std::runtime_error(fmt::format(
        "SceneGraph: the pose port of source '{}' has {} poses for {} frames; "
        "give one for each frame, and no others.",
        source.name, poses.size(), count));
  }
}

template <typename T>
void GeometryPoses<T>::SetConfigurations(
    const GeometryModel& model, const GeometryModel::Source& source,
    const GeometryConfigurationVector<T>& configurations) {
  int count = 0;
  for (const int place : model.deformable_places()) {
    const auto& geometry = model.geometries()[place];
    if (!(geometry.source == source.id)) continue;
    ++count;
    if (!configurations.has_id(geometry.id)) {
      throw std::runtime_error(fmt::format(
          "SceneGraph: the configuration port of source '{}' has none for its "
          "geometry '{}' (id {}), which deforms; give one for each.",
          source.name, geometry.name, geometry.id));
    }
    const VectorX<T>& q = configurations.value(geometry.id);
    const int wanted = 3 * geometry.deformable->mesh_G.num_vertices();
    if (q.size() != wanted) {
      throw std::runtime_error(fmt::format(
          "SceneGraph: the configuration port of source '{}' has {} numbers "
          "for geometry '{}', whose mesh has {} vertices; give 3 for each, {}.",
          source.name, q.size(), geometry.name, wanted / 3, wanted));
    }
    if (!wyvern::internal::AllFinite(q)) {
      wyvern::internal::RequireFinite(
          wyvern::internal::Caller("SceneGraph")
              .Of("source", source.name)
              .OfResults(),
          fmt::format("the configuration of geometry '{}'", geometry.name), q);
    }
    q_WGs[geometry.deformable_index] = q;
  }
  if (configurations.size() != count) {
    throw std::runtime_error(fmt::format(
        "SceneGraph: the configuration port of source '{}' has {} "
        "configurations for {} geometries that deform; give one for each, and "
        "no others.",
        source.name, configurations.size(), count));
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
  for (const auto& [frame, geometry, X_FG, is_turned] : model.placements()) {
    if (frame == 0) {
      X_WG[geometry] = X_FG.template cast<T>();
    } else if (is_turned) {
      X_WG[geometry] = X_WF[frame] * X_FG.template cast<T>();
    } else {
      X_WG[geometry] = X_WF[frame];
      X_WG[geometry].set_translation(X_WF[frame] *
                                     X_FG.translation().template cast<T>());
    }
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
