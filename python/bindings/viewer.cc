// The Viewer: a page in the browser, and the block that shows a SceneGraph.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/gil.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_visualizer.h"

namespace wyvern::python {

using namespace geometry;  // NOLINT(build/namespaces)

namespace {

using Pose = math::RigidTransform<double>;
using Time = std::optional<double>;

void BindRgba(nb::module_ m) {
  DocumentedClass<Rgba>(m, "Rgba")
      .def(nb::init<double, double, double, double>(), "r"_a, "g"_a, "b"_a,
           "a"_a = 1.0)
      .def("r", &Rgba::r)
      .def("g", &Rgba::g)
      .def("b", &Rgba::b)
      .def("a", &Rgba::a);
  nb::enum_<Role>(m, "Role")
      .value("kUnassigned", Role::kUnassigned)
      .value("kProximity", Role::kProximity)
      .value("kIllustration", Role::kIllustration)
      .value("kPerception", Role::kPerception);
}

using ViewerClass = DocumentedClass<Viewer>;

void BindScene(ViewerClass* viewer) {
  viewer
      ->def("SetObject", &Viewer::SetObject, "path"_a, "shape"_a,
            "rgba"_a = Rgba(0.9, 0.9, 0.9, 1.0))
      .def(
          "SetLine",
          [](Viewer& v, const std::string& path, const Matrix3Xd& vertices,
             double width,
             const Rgba& rgba) { v.SetLine(path, vertices, width, rgba); },
          "path"_a, "vertices"_a, "line_width"_a = 1.0,
          "rgba"_a = Rgba(0.1, 0.1, 0.1, 1.0))
      .def("SetTriad", &Viewer::SetTriad, "path"_a, "length"_a = 0.25)
      .def("SetTransform", &Viewer::SetTransform, "path"_a, "X_ParentPath"_a,
           "time_in_recording"_a.none() = nb::none())
      .def(
          "SetProperty",
          [](Viewer& v, const std::string& path, const std::string& property,
             bool value,
             Time time) { v.SetProperty(path, property, value, time); },
          "path"_a, "property"_a, "value"_a,
          "time_in_recording"_a.none() = nb::none())
      .def(
          "SetProperty",
          [](Viewer& v, const std::string& path, const std::string& property,
             double value,
             Time time) { v.SetProperty(path, property, value, time); },
          "path"_a, "property"_a, "value"_a,
          "time_in_recording"_a.none() = nb::none())
      .def(
          "SetProperty",
          [](Viewer& v, const std::string& path, const std::string& property,
             const std::vector<double>& value,
             Time time) { v.SetProperty(path, property, value, time); },
          "path"_a, "property"_a, "value"_a,
          "time_in_recording"_a.none() = nb::none())
      .def("Delete", &Viewer::Delete, "path"_a = "",
           "time_in_recording"_a.none() = nb::none())
      .def("HasPath", &Viewer::HasPath, "path"_a)
      .def("SetCameraPose", &Viewer::SetCameraPose, "camera_in_world"_a,
           "target_in_world"_a);
}

void BindControls(ViewerClass* viewer) {
  viewer->def("AddButton", &Viewer::AddButton, "name"_a, "keycode"_a = "")
      .def("GetButtonClicks", &Viewer::GetButtonClicks, "name"_a)
      .def("DeleteButton", &Viewer::DeleteButton, "name"_a)
      .def("AddSlider", &Viewer::AddSlider, "name"_a, "min"_a, "max"_a,
           "step"_a, "value"_a, "decrement_keycode"_a = "",
           "increment_keycode"_a = "")
      .def("SetSliderValue", &Viewer::SetSliderValue, "name"_a, "value"_a)
      .def("GetSliderValue", &Viewer::GetSliderValue, "name"_a)
      .def("GetSliderNames", &Viewer::GetSliderNames)
      .def("DeleteSlider", &Viewer::DeleteSlider, "name"_a)
      .def("DeleteAddedControls", &Viewer::DeleteAddedControls)
      .def("StartRecording", &Viewer::StartRecording,
           "frames_per_second"_a = 64.0,
           "set_transforms_while_recording"_a = true)
      .def("StopRecording", &Viewer::StopRecording)
      .def("MarkRecording", &Viewer::MarkRecording, "text"_a,
           "time_in_recording"_a)
      .def("PublishRecording", &Viewer::PublishRecording)
      .def("DeleteRecording", &Viewer::DeleteRecording)
      .def("StaticHtml", &Viewer::StaticHtml)
      .def("SaveStaticHtml", &Viewer::SaveStaticHtml, "file"_a);
}

void BindVisualizer(nb::module_ m) {
  using Params = ViewerVisualizerParams;
  DocumentedClass<Params>(m, "ViewerVisualizerParams")
      .def(
          "__init__",
          [](Params* self, double publish_period, Role role,
             const Rgba& default_color, const std::string& prefix) {
            new (self) Params{.publish_period = publish_period,
                              .role = role,
                              .default_color = default_color,
                              .prefix = prefix};
          },
          "publish_period"_a = Params().publish_period,
          "role"_a = Params().role, "default_color"_a = Params().default_color,
          "prefix"_a = Params().prefix)
      .def_rw("publish_period", &Params::publish_period, "[s]")
      .def_rw("role", &Params::role)
      .def_rw("default_color", &Params::default_color)
      .def_rw("prefix", &Params::prefix);
  using Visualizer = ViewerVisualizer<double>;
  using Builder = systems::DiagramBuilder<double>;
  DocumentedClass<Visualizer, systems::LeafSystem<double>>(m,
                                                           "ViewerVisualizer")
      .def(nb::init<std::shared_ptr<Viewer>, Params>(), "viewer"_a,
           "params"_a = Params())
      .def("query_object_input_port", &Visualizer::query_object_input_port,
           kInside)
      .def("StartRecording", &Visualizer::StartRecording,
           "set_transforms_while_recording"_a = true)
      .def("StopRecording", &Visualizer::StopRecording)
      .def("PublishRecording", &Visualizer::PublishRecording)
      .def("DeleteRecording", &Visualizer::DeleteRecording)
      .def("Delete", &Visualizer::Delete)
      .def_static(
          "AddToBuilder",
          [](Builder* builder, const SceneGraph<double>& scene_graph,
             std::shared_ptr<Viewer> viewer, Params params) -> Visualizer& {
            return Visualizer::AddToBuilder(
                builder, scene_graph, std::move(viewer), std::move(params));
          },
          "builder"_a, "scene_graph"_a, "viewer"_a, "params"_a = Params(),
          nb::rv_policy::reference, nb::keep_alive<0, 1>());
}

}  // namespace

void BindViewer(nb::module_ m) {
  BindRgba(m);
  ViewerClass viewer(m, "Viewer");
  viewer
      .def(
          "__init__",
          [](Viewer* self, std::optional<int> port) {
            new (self) Viewer(port);
          },
          "port"_a.none() = nb::none())
      .def_static("IsAvailable", &Viewer::IsAvailable)
      .def("web_url", &Viewer::web_url)
      .def("port", &Viewer::port)
      .def("GetNumActiveConnections", &Viewer::GetNumActiveConnections)
      .def("Flush", &Viewer::Flush, nb::call_guard<GilRelease>())
      .def(
          "recording",
          [](nb::handle self, nb::handle file, double frames_per_second) {
            return nb::module_::import_("wyvern._recording")
                .attr("recording")(self, file, frames_per_second);
          },
          "file"_a.none() = nb::none(), "frames_per_second"_a = 64.0,
          "Records what happens inside a block of `with`, and then writes the "
          "page to the file, if there is one.");
  BindScene(&viewer);
  BindControls(&viewer);
  BindVisualizer(m);
}

}  // namespace wyvern::python
