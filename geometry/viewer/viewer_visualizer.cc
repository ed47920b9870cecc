#include "wyvern/geometry/viewer/viewer_visualizer.h"

#include <algorithm>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"
#include "wyvern/geometry/viewer/viewer_state.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/common/warning.h"

/* Objects are sent when the SceneGraph's version says that its geometries are
others than those shown, poses of frames each time. The pose of a geometry in
its frame is sent with the object. */

namespace wyvern::geometry {

using systems::Context;
using systems::EventStatus;

namespace {

// "::" parts of names become folders, unless a frame would then be below one
// that has a pose of its own.
std::map<FrameId, std::string> PathsOfFrames(
    const std::string& prefix, const std::map<FrameId, std::string>& names) {
  const auto path = [&](std::string name, bool with_folders) {
    for (size_t i = name.find("::"); with_folders && i != std::string::npos;
         i = name.find("::", i + 1)) {
      name.replace(i, 2, "/");
    }
    return fmt::format("{}/{}", prefix, name);
  };
  for (const bool with_folders : {true, false}) {
    std::map<FrameId, std::string> result;
    std::map<std::string, int> users;
    for (const auto& [id, name] : names) {
      result[id] = path(name, with_folders);
      ++users[result[id]];
    }
    bool is_good = true;
    for (const auto& [one, count] : users) {
      const auto below = users.lower_bound(one + "/");
      is_good = is_good && count == 1 &&
                (below == users.end() || !below->first.starts_with(one + "/"));
    }
    if (is_good) return result;
  }
  std::map<FrameId, std::string> result;
  for (const auto& [id, name] : names) {
    result[id] = fmt::format("{}/{} ({})", prefix, name, id.get_value());
  }
  return result;
}

std::string LastPart(const std::string& name) {
  const size_t i = name.rfind("::");
  return i == std::string::npos ? name : name.substr(i + 2);
}

template <typename Mesh>
std::pair<Eigen::Matrix3Xd, Eigen::Matrix3Xi> ToMatrices(const Mesh& mesh) {
  Eigen::Matrix3Xd vertices(3, mesh.num_vertices());
  Eigen::Matrix3Xi faces(3, mesh.num_triangles());
  for (int v = 0; v < mesh.num_vertices(); ++v) {
    vertices.col(v) = mesh.vertex(v);
  }
  for (int f = 0; f < mesh.num_triangles(); ++f) {
    for (int k = 0; k < 3; ++k) faces(k, f) = mesh.element(f).vertex(k);
  }
  return {vertices, faces};
}

ViewerVisualizerParams RequireGood(ViewerVisualizerParams params) {
  wyvern::internal::RequirePositive("ViewerVisualizer", "publish_period",
                                    params.publish_period);
  wyvern::internal::RequireInRange("ViewerVisualizer",
                                   "initial_alpha_slider_value",
                                   params.initial_alpha_slider_value, 0, 1);
  if (params.role == Role::kUnassigned) {
    throw std::logic_error(
        "ViewerVisualizer: the role is kUnassigned; it must be kIllustration, "
        "kPerception or kProximity.");
  }
  return params;
}

}  // namespace

template <typename T>
ViewerVisualizer<T>::ViewerVisualizer(std::shared_ptr<Viewer> viewer,
                                      ViewerVisualizerParams params)
    : systems::LeafSystem<T>(systems::SystemTypeTag<ViewerVisualizer>{}),
      viewer_(std::move(viewer)),
      params_(RequireGood(std::move(params))),
      alpha_slider_(params_.prefix + " \u03b1") {
  wyvern::internal::RequireNotNull("ViewerVisualizer", "the viewer", viewer_,
                                   "pass one");
  this->set_name(fmt::format("viewer_visualizer({})", params_.prefix));
  query_object_port_ =
      this->DeclareAbstractInputPort("query_object", Value<QueryObject<T>>{})
          .get_index();
  this->DeclareInitializationPublishEvent(&ViewerVisualizer::OnInitialization);
  this->DeclarePeriodicPublishEvent(params_.publish_period, 0.0,
                                    &ViewerVisualizer::Show);
  this->DeclareForcedPublishEvent(&ViewerVisualizer::Show);
  if (params_.enable_alpha_slider) {
    viewer_->AddSlider(alpha_slider_, 0, 1, 0.02,
                       params_.initial_alpha_slider_value, "", "");
  }
}

template <typename T>
ViewerVisualizer<T>& ViewerVisualizer<T>::AddToBuilder(
    systems::DiagramBuilder<T>* builder, const SceneGraph<T>& scene_graph,
    std::shared_ptr<Viewer> viewer, ViewerVisualizerParams params) {
  return AddToBuilder(builder, scene_graph.get_query_output_port(),
                      std::move(viewer), std::move(params));
}

template <typename T>
ViewerVisualizer<T>& ViewerVisualizer<T>::AddToBuilder(
    systems::DiagramBuilder<T>* builder,
    const systems::OutputPort<T>& query_object_port,
    std::shared_ptr<Viewer> viewer, ViewerVisualizerParams params) {
  wyvern::internal::RequireNotNull("ViewerVisualizer::AddToBuilder",
                                   "the builder", builder);
  auto* const visualizer = builder->template AddSystem<ViewerVisualizer<T>>(
      std::move(viewer), std::move(params));
  builder->Connect(query_object_port, visualizer->query_object_input_port());
  return *visualizer;
}

template <typename T>
void ViewerVisualizer<T>::Delete() const {
  viewer_->Delete(params_.prefix);
  shown_.reset();
}

template <typename T>
void ViewerVisualizer<T>::StartRecording(bool set_transforms_while_recording) {
  viewer_->StartRecording(1.0 / params_.publish_period,
                          set_transforms_while_recording);
}

template <typename T>
void ViewerVisualizer<T>::StopRecording() {
  viewer_->StopRecording();
}

template <typename T>
void ViewerVisualizer<T>::PublishRecording() const {
  viewer_->PublishRecording();
}

template <typename T>
void ViewerVisualizer<T>::DeleteRecording() {
  viewer_->DeleteRecording();
}

template <typename T>
void ViewerVisualizer<T>::ResetRealtimeRateCalculator() const {
  pace_start_.reset();
}

template <typename T>
EventStatus ViewerVisualizer<T>::OnInitialization(const Context<T>&) const {
  if (params_.delete_on_initialization_event) Delete();
  ResetRealtimeRateCalculator();
  return EventStatus::Succeeded();
}

template <typename T>
bool ViewerVisualizer<T>::IsAccepted(
    const GeometryProperties& properties) const {
  if (!properties.HasProperty("meshcat", "accepting")) {
    return params_.include_unspecified_accepting;
  }
  return properties.GetProperty<std::string>("meshcat", "accepting") ==
         params_.prefix;
}

template <typename T>
Rgba ViewerVisualizer<T>::ColorOf(
    GeometryId id, const SceneGraphInspector<T>& inspector) const {
  return inspector.GetProperties(id, params_.role)
      ->GetPropertyOrDefault("phong", "diffuse", params_.default_color);
}

template <typename T>
void ViewerVisualizer<T>::SetSurfaces(const QueryObject<T>& query) const {
  for (const auto& [id, path] : path_of_surface_) {
    const auto [vertices, faces] =
        ToMatrices(query.ComputeDeformableSurfaceInWorld(id));
    viewer_->SetTriangleMesh(path, vertices, faces,
                             ColorOf(id, query.inspector()));
  }
}

template <typename T>
void ViewerVisualizer<T>::SetObject(
    const std::string& path, GeometryId id,
    const SceneGraphInspector<T>& inspector) const {
  const Rgba color = ColorOf(id, inspector);
  if (params_.show_hydroelastic && params_.role == Role::kProximity) {
    const auto mesh = inspector.maybe_get_hydroelastic_mesh(id);
    if (const auto* const* surface =
            std::get_if<const TriangleSurfaceMesh<double>*>(&mesh)) {
      const auto [vertices, faces] = ToMatrices(**surface);
      return viewer_->SetTriangleMesh(path, vertices, faces, color);
    }
    if (const auto* const* volume =
            std::get_if<const VolumeMesh<double>*>(&mesh)) {
      const auto [vertices, faces] =
          ToMatrices(ConvertVolumeToSurfaceMesh(**volume));
      return viewer_->SetTriangleMesh(path, vertices, faces, color);
    }
  }
  viewer_->SetObject(path, inspector.GetShape(id), color);
}

template <typename T>
void ViewerVisualizer<T>::SetObjects(
    const SceneGraphInspector<T>& inspector) const {
  if (shown_) viewer_->Delete(params_.prefix);
  std::map<FrameId, std::string> names;
  for (const FrameId frame : inspector.GetAllFrameIds()) {
    if (inspector.NumGeometriesForFrameWithRole(frame, params_.role) > 0) {
      names[frame] = inspector.GetName(frame);
    }
  }
  path_of_surface_.clear();
  path_of_frame_ = PathsOfFrames(internal::FullPath(params_.prefix), names);
  for (const auto& [frame, path] : path_of_frame_) {
    const std::vector<GeometryId> ids =
        inspector.GetGeometries(frame, params_.role);
    // By this number a page speaks of the frame's body.
    viewer_->SetProperty(path, "frame", static_cast<double>(frame.get_value()));
    // Without the model's name, where that leaves each its own.
    std::map<std::string, int> users;
    for (const GeometryId id : ids) ++users[LastPart(inspector.GetName(id))];
    for (const GeometryId id : ids) {
      if (!IsAccepted(*inspector.GetProperties(id, params_.role))) continue;
      std::string name = LastPart(inspector.GetName(id));
      if (users[name] > 1) name = inspector.GetName(id);
      std::replace(name.begin(), name.end(), '/', '_');
      const std::string place = fmt::format("{}/{}", path, name);
      if (inspector.IsDeformableGeometry(id)) {
        path_of_surface_[id] = place;
        continue;
      }
      try {
        SetObject(place, id, inspector);
      } catch (const std::runtime_error& error) {
        WarnOnStderr(
            fmt::format("ViewerVisualizer: geometry '{}' is not shown: {}",
                        inspector.GetName(id), error.what()));
        continue;
      }
      viewer_->SetTransform(place, inspector.GetPoseInFrame(id));
    }
  }
  path_of_frame_.erase(inspector.world_frame_id());
  viewer_->SetProperty(params_.prefix, "visible", params_.visible_by_default);
  alpha_ = -1;
  shown_ = inspector.geometry_version();
}

template <typename T>
EventStatus ViewerVisualizer<T>::Show(const Context<T>& context) const {
  const auto& query =
      query_object_input_port().template Eval<QueryObject<T>>(context);
  const SceneGraphInspector<T>& inspector = query.inspector();
  if (!shown_ ||
      !shown_->IsSameAs(inspector.geometry_version(), params_.role)) {
    SetObjects(inspector);
  }
  SetSurfaces(query);
  const double time = ToDouble(context.get_time());
  for (const auto& [frame, path] : path_of_frame_) {
    viewer_->SetTransform(path,
                          math::RigidTransform<double>(ToDouble(
                              query.GetPoseInWorld(frame).GetAsMatrix34())),
                          time);
  }
  if (params_.enable_alpha_slider) {
    const double alpha = viewer_->GetSliderValue(alpha_slider_);
    if (alpha != alpha_) viewer_->SetProperty(params_.prefix, "opacity", alpha);
    alpha_ = alpha;
  }
  ShowPace(time);
  return EventStatus::Succeeded();
}

template <typename T>
void ViewerVisualizer<T>::ShowPace(double time) const {
  viewer_->SetSimulationTime(time);
  const auto now = std::chrono::steady_clock::now();
  if (!pace_start_ || time < pace_start_->first) {
    pace_start_ = {time, now};
    return;
  }
  const double seconds =
      std::chrono::duration<double>(now - pace_start_->second).count();
  if (seconds < 0.5) return;
  viewer_->SetRealtimeRate((time - pace_start_->first) / seconds);
  pace_start_ = {time, now};
}

}  // namespace wyvern::geometry

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::geometry::ViewerVisualizer);
