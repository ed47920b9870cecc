#include "wyvern/geometry/viewer/viewer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "wyvern/geometry/viewer/shape_json.h"
#include "wyvern/geometry/viewer/viewer_link.h"
#include "wyvern/geometry/viewer/viewer_page.h"
#include "wyvern/geometry/viewer/viewer_recording.h"
#include "wyvern/geometry/viewer/viewer_server.h"
#include "wyvern/geometry/viewer/viewer_state.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/common/output_file.h"

/* A Viewer turns calls into items of a ViewerState, which a ViewerServer sends
to its pages. Controls are the other way round: a page says what was pressed,
on the server's thread, and the program asks for it; both under one mutex. */

namespace wyvern::geometry {

using Eigen::Matrix3Xd;
using Eigen::Matrix3Xi;
using internal::FullPath;
using internal::ViewerPose;
using wyvern::internal::JsonString;

namespace {

// In a page that has its items with it, which are put here.
constexpr std::string_view kItemsPlace = "<!--items-->";

ViewerPose ToPose(const char* function, std::string_view path,
                  const math::RigidTransform<double>& X) {
  const Eigen::Vector3f p = X.translation().cast<float>();
  const Eigen::Quaternionf q = X.rotation().ToQuaternion().cast<float>();
  const ViewerPose pose{p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()};
  for (const float number : pose) {
    wyvern::internal::RequireFinite(
        wyvern::internal::Caller(function).Of("path", path), "the pose",
        number);
  }
  return pose;
}

void RequireFaces(const char* function, int num_vertices,
                  const Eigen::Ref<const Matrix3Xi>& faces) {
  for (int f = 0; f < faces.cols(); ++f) {
    for (int k = 0; k < 3; ++k) {
      wyvern::internal::RequireIndex(function, "a vertex of a face",
                                     faces(k, f), num_vertices);
    }
  }
}

struct Button {
  std::string keycode;
  int num_clicks{0};
  int order{};
};

struct Slider {
  double min{};
  double max{};
  double step{};
  double value{};
  std::string decrement_keycode;
  std::string increment_keycode;
  int order{};

  // The value nearest to `wanted` that it can have.
  double Nearest(double wanted) const {
    const double within = std::clamp(wanted, min, max);
    return std::min(max, min + step * std::round((within - min) / step));
  }
};

std::string ToJson(const std::string& name, const Button& button) {
  return fmt::format(R"({{"type":"button","path":{},"key":{},"order":{}}})",
                     JsonString(name), JsonString(button.keycode),
                     button.order);
}

std::string ToJson(const std::string& name, const Slider& s) {
  return fmt::format(
      R"({{"type":"slider","path":{},"min":{},"max":{},"step":{},"value":{},"keys":[{},{}],"order":{}}})",
      JsonString(name), s.min, s.max, s.step, s.value,
      JsonString(s.decrement_keycode), JsonString(s.increment_keycode),
      s.order);
}

// The control of that name. `controls` may be const.
template <typename Controls>
auto& Find(Controls& controls, const char* kind, std::string_view name) {
  const auto found = controls.find(name);
  if (found == controls.end()) {
    throw std::out_of_range(
        fmt::format("Viewer: there is no {} '{}'; add it first.", kind, name));
  }
  return found->second;
}

std::string_view RequirePage() {
  if (!Viewer::IsAvailable()) {
    throw std::runtime_error(
        "Viewer: this library was built without the page, for which Node.js "
        "and the packages of geometry/viewer/web are needed; run "
        "third_party/install_packages, and build it again.");
  }
  return internal::ViewerPage();
}

ViewerParams OnPort(std::optional<int> port) {
  ViewerParams params;
  params.port = port;
  return params;
}

std::string Replace(std::string text, std::string_view what,
                    std::string_view with) {
  for (size_t i = text.find(what); i != std::string::npos;
       i = text.find(what, i + with.size())) {
    text.replace(i, what.size(), with);
  }
  return text;
}

}  // namespace

class Viewer::Impl {
 public:
  explicit Impl(const ViewerParams& params_in)
      : params(params_in),
        server(params, RequirePage(), state,
               [this](std::string_view text) { Receive(text); }) {
    if (!params.show_stats_plot) {
      state.Set("stats", "", R"({"type":"stats","visible":false})");
    }
  }

  // Handles a message of a page, which names the control that was used. Other
  // messages are ignored.
  void Receive(std::string_view text) {
    const auto message = nlohmann::json::parse(text, nullptr, false);
    if (!message.is_object()) return;
    const auto type = message.find("type");
    const auto path = message.find("path");
    if (type == message.end() || !type->is_string()) return;
    if (PassOn(*type, message)) return;
    if (path == message.end() || !path->is_string()) return;
    const auto& name = path->get_ref<const std::string&>();
    const std::lock_guard lock(mutex);
    if (*type == "button") {
      const auto button = buttons.find(name);
      if (button != buttons.end()) ++button->second.num_clicks;
    } else if (*type == "slider") {
      const auto slider = sliders.find(name);
      const auto value = message.find("value");
      if (slider == sliders.end() || value == message.end() ||
          !value->is_number()) {
        return;
      }
      Slider& one = slider->second;
      // Exactly what a person types; the page's slider moves in steps.
      one.value = std::clamp(value->get<double>(), one.min, one.max);
      Show(name, one);
    }
  }

  // The finite number that `json` is.
  static std::optional<double> ToNumber(const nlohmann::json& json) {
    if (!json.is_number()) return std::nullopt;
    const double number = json.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  }

  // To the link of that type; whether there is one.
  bool PassOn(const std::string& type, const nlohmann::json& message) {
    constexpr size_t kMaxPaths = 256;
    constexpr size_t kMaxValues = 16;
    const std::lock_guard lock(links_mutex);
    const auto link = links.find(type);
    if (link == links.end()) return false;
    internal::PageMessage result;
    const auto path = message.find("path");
    if (path != message.end() && path->is_string()) result.path = *path;
    const auto value = message.find("value");
    if (value != message.end()) result.value = ToNumber(*value);
    const auto paths = message.find("paths");
    if (paths != message.end() && paths->is_array()) {
      for (const auto& one : *paths) {
        if (one.is_string() && result.paths.size() < kMaxPaths) {
          result.paths.push_back(one);
        }
      }
    }
    const auto values = message.find("values");
    if (values != message.end() && values->is_array()) {
      for (const auto& one : *values) {
        const std::optional<double> number = ToNumber(one);
        if (!number) result.values.clear();
        if (!number || result.values.size() == kMaxValues) break;
        result.values.push_back(*number);
      }
    }
    link->second.second(result);
    return true;
  }

  void Show(const std::string& name, const Slider& slider) {
    state.Set("slider", name, ToJson(name, slider));
  }

  const ViewerParams params;
  internal::ViewerState state;

  // By type, each with its number; the lock is held while one is called.
  std::mutex links_mutex;
  std::map<std::string, std::pair<int64_t, internal::ViewerLink::Receive>>
      links;
  int64_t num_links{0};

  // Records the item at a path, from `time` on if that is given. An empty item
  // means that nothing is there.
  void Record(std::string_view path, std::string item,
              std::optional<double> time) {
    if (!time) return;
    const std::lock_guard lock(mutex);
    if (is_recording) {
      recording->AddObject(FullPath(path), std::move(item), *time);
    }
  }

  mutable std::mutex mutex;  // Of all below, but for the server.
  std::map<std::string, Button, std::less<>> buttons;
  std::map<std::string, Slider, std::less<>> sliders;
  int num_controls{0};  // That were added: pages show them in that order.
  std::unique_ptr<internal::ViewerRecording> recording;
  bool is_recording{false};
  bool shows_while_recording{true};

  internal::ViewerServer server;  // Ends first.
};

Viewer::Viewer(std::optional<int> port) : Viewer(OnPort(port)) {}

Viewer::Viewer(const ViewerParams& params)
    : impl_(std::make_unique<Impl>(params)) {}

Viewer::~Viewer() = default;

bool Viewer::IsAvailable() { return !internal::ViewerPage().empty(); }

std::string Viewer::web_url() const {
  const bool is_named =
      impl_->params.host != "*" && impl_->params.host != "0.0.0.0";
  return fmt::format(
      "{}/?token={}",
      Replace(Replace(impl_->params.web_url_pattern, "{host}",
                      is_named ? impl_->params.host : "localhost"),
              "{port}", fmt::format("{}", port())),
      impl_->server.token());
}

int Viewer::port() const { return impl_->server.port(); }

int Viewer::GetNumActiveConnections() const {
  return impl_->server.num_connections();
}

void Viewer::Flush() const {
  impl_->server.WaitUntilSeen(std::chrono::seconds(10));
}

namespace {

void RequireTime(const char* function, std::optional<double> time) {
  if (time)
    wyvern::internal::RequireFinite(function, "time_in_recording", *time);
}

std::string SetJson(internal::ViewerState* state, std::string_view path,
                    const std::string& object, const Rgba& rgba,
                    bool wireframe) {
  const std::string full = FullPath(path);
  std::string item = fmt::format(
      R"({{"type":"object","path":{},"color":{},"wireframe":{},"object":{}}})",
      JsonString(full), internal::RgbaJson(rgba), wireframe, object);
  state->Set("object", full, item);
  return item;
}

}  // namespace

void Viewer::SetObject(std::string_view path, const Shape& shape,
                       const Rgba& rgba) {
  SetJson(&impl_->state, path, internal::ShapeJson(shape), rgba, false);
}

void Viewer::SetTriangleMesh(std::string_view path,
                             const Eigen::Ref<const Matrix3Xd>& vertices,
                             const Eigen::Ref<const Matrix3Xi>& faces,
                             const Rgba& rgba, bool wireframe) {
  wyvern::internal::RequireFinite("Viewer::SetTriangleMesh", "vertices",
                                  vertices);
  RequireFaces("Viewer::SetTriangleMesh", vertices.cols(), faces);
  SetJson(&impl_->state, path,
          internal::TrianglesJson(vertices, faces, Matrix3Xd(3, 0)), rgba,
          wireframe);
}

void Viewer::SetTriangleColorMesh(std::string_view path,
                                  const Eigen::Ref<const Matrix3Xd>& vertices,
                                  const Eigen::Ref<const Matrix3Xi>& faces,
                                  const Eigen::Ref<const Matrix3Xd>& colors,
                                  bool wireframe,
                                  std::optional<double> time_in_recording) {
  RequireTime("Viewer::SetTriangleColorMesh", time_in_recording);
  constexpr const char* kFunction = "Viewer::SetTriangleColorMesh";
  wyvern::internal::RequireFinite(kFunction, "vertices", vertices);
  wyvern::internal::RequireFinite(kFunction, "colors", colors);
  wyvern::internal::RequireShape(kFunction, "colors", colors, 3,
                                 vertices.cols());
  RequireFaces(kFunction, vertices.cols(), faces);
  impl_->Record(path,
                SetJson(&impl_->state, path,
                        internal::TrianglesJson(vertices, faces, colors),
                        Rgba(1, 1, 1), wireframe),
                time_in_recording);
}

void Viewer::SetLine(std::string_view path,
                     const Eigen::Ref<const Matrix3Xd>& vertices,
                     double line_width, const Rgba& rgba) {
  const int count = std::max<int>(0, vertices.cols() - 1);
  SetLineSegments(path, vertices.leftCols(count), vertices.rightCols(count),
                  line_width, rgba);
}

void Viewer::SetLineSegments(std::string_view path,
                             const Eigen::Ref<const Matrix3Xd>& start,
                             const Eigen::Ref<const Matrix3Xd>& end,
                             double line_width, const Rgba& rgba,
                             std::optional<double> time_in_recording) {
  RequireTime("Viewer::SetLineSegments", time_in_recording);
  constexpr const char* kFunction = "Viewer::SetLineSegments";
  wyvern::internal::RequireShape(kFunction, "end", end, 3, start.cols());
  wyvern::internal::RequireFinite(kFunction, "start", start);
  wyvern::internal::RequireFinite(kFunction, "end", end);
  wyvern::internal::RequirePositive(kFunction, "line_width", line_width);
  Matrix3Xd ends(3, 2 * start.cols());
  for (int k = 0; k < start.cols(); ++k) {
    ends.col(2 * k) = start.col(k);
    ends.col(2 * k + 1) = end.col(k);
  }
  impl_->Record(path,
                SetJson(&impl_->state, path,
                        internal::SegmentsJson(ends, line_width), rgba, false),
                time_in_recording);
}

void Viewer::SetArrows(std::string_view path,
                       const Eigen::Ref<const Matrix3Xd>& start,
                       const Eigen::Ref<const Matrix3Xd>& arrows,
                       double line_width, const Rgba& rgba,
                       std::optional<double> time_in_recording) {
  constexpr const char* kFunction = "Viewer::SetArrows";
  RequireTime(kFunction, time_in_recording);
  wyvern::internal::RequireShape(kFunction, "arrows", arrows, 3, start.cols());
  wyvern::internal::RequireFinite(kFunction, "start", start);
  wyvern::internal::RequireFinite(kFunction, "arrows", arrows);
  wyvern::internal::RequirePositive(kFunction, "line_width", line_width);
  impl_->Record(
      path,
      SetJson(&impl_->state, path,
              internal::ArrowsJson(start, arrows, line_width), rgba, false),
      time_in_recording);
}

void Viewer::SetLabel(std::string_view path, std::string_view text,
                      double height, const Rgba& rgba) {
  wyvern::internal::RequirePositive("Viewer::SetLabel", "height", height);
  SetJson(&impl_->state, path,
          fmt::format(R"({{"shape":"label","text":{},"height":{}}})",
                      JsonString(text), height),
          rgba, false);
}

void Viewer::SetTriad(std::string_view path, double length) {
  wyvern::internal::RequirePositive("Viewer::SetTriad", "length", length);
  SetJson(&impl_->state, path,
          fmt::format(R"({{"shape":"triad","length":{}}})", length), Rgba(),
          false);
}

void Viewer::SetTransform(std::string_view path,
                          const math::RigidTransform<double>& X_ParentPath,
                          std::optional<double> time_in_recording) {
  const ViewerPose pose = ToPose("Viewer::SetTransform", path, X_ParentPath);
  const auto set = [&](std::string_view full) {
    if (time_in_recording) {
      const std::lock_guard lock(impl_->mutex);
      if (impl_->is_recording) {
        impl_->recording->Add(full, pose, *time_in_recording);
        if (!impl_->shows_while_recording) return;
      }
    }
    impl_->state.SetPose(full, pose);
  };
  if (path.starts_with('/') && !path.ends_with('/')) {
    set(path);
  } else {
    set(FullPath(path));
  }
}

namespace {

void SetPropertyJson(internal::ViewerState* state, std::string_view path,
                     const std::string& property, const std::string& value) {
  const std::string full = FullPath(path);
  state->Set(
      "property:" + property, full,
      fmt::format(R"({{"type":"property","path":{},"name":{},"value":{}}})",
                  JsonString(full), JsonString(property), value));
}

}  // namespace

void Viewer::SetProperty(std::string_view path, std::string property,
                         bool value, std::optional<double>) {
  SetPropertyJson(&impl_->state, path, property, value ? "true" : "false");
}

void Viewer::SetProperty(std::string_view path, std::string property,
                         double value, std::optional<double>) {
  wyvern::internal::RequireFinite(
      wyvern::internal::Caller("Viewer::SetProperty").Of("property", property),
      "value", value);
  SetPropertyJson(&impl_->state, path, property, fmt::format("{}", value));
}

void Viewer::SetProperty(std::string_view path, std::string property,
                         const std::vector<double>& value,
                         std::optional<double>) {
  for (const double number : value) {
    wyvern::internal::RequireFinite(
        wyvern::internal::Caller("Viewer::SetProperty")
            .Of("property", property),
        "a number of the value", number);
  }
  SetPropertyJson(&impl_->state, path, property,
                  fmt::format("[{}]", fmt::join(value, ",")));
}

void Viewer::Delete(std::string_view path,
                    std::optional<double> time_in_recording) {
  RequireTime("Viewer::Delete", time_in_recording);
  impl_->state.Delete(FullPath(path));
  impl_->Record(path, {}, time_in_recording);
}

bool Viewer::HasPath(std::string_view path) const {
  return impl_->state.HasPath(FullPath(path));
}

void Viewer::SetCameraPose(const Eigen::Vector3d& camera_in_world,
                           const Eigen::Vector3d& target_in_world) {
  constexpr const char* kFunction = "Viewer::SetCameraPose";
  const Eigen::Vector3d &p = camera_in_world, &t = target_in_world;
  wyvern::internal::RequireFinite(kFunction, "camera_in_world", p);
  wyvern::internal::RequireFinite(kFunction, "target_in_world", t);
  impl_->state.Set(
      "camera", "",
      fmt::format(
          R"({{"type":"camera","position":[{},{},{}],"target":[{},{},{}]}})",
          p.x(), p.y(), p.z(), t.x(), t.y(), t.z()));
}

void Viewer::Set2dRenderMode(const math::RigidTransform<double>& X_WC,
                             double xmin, double xmax, double ymin,
                             double ymax) {
  constexpr const char* kFunction = "Viewer::Set2dRenderMode";
  const ViewerPose x = ToPose(kFunction, "the camera", X_WC);
  wyvern::internal::RequirePositive(kFunction, "xmax - xmin", xmax - xmin);
  wyvern::internal::RequirePositive(kFunction, "ymax - ymin", ymax - ymin);
  impl_->state.Set(
      "mode", "",
      fmt::format(
          R"({{"type":"mode","flat":true,"x":[{},{},{},{},{},{},{}],"window":[{},{},{},{}]}})",
          x[0], x[1], x[2], x[3], x[4], x[5], x[6], xmin, xmax, ymin, ymax));
}

void Viewer::ResetRenderMode() {
  impl_->state.Set("mode", "", R"({"type":"mode","flat":false})");
}

void Viewer::SetRealtimeRate(double rate) {
  wyvern::internal::RequireNonNegative("Viewer::SetRealtimeRate", "rate", rate);
  impl_->state.SetNumber("rate", rate);
}

void Viewer::SetSimulationTime(double time) {
  wyvern::internal::RequireFinite("Viewer::SetSimulationTime", "time", time);
  impl_->state.SetNumber("time", time);
}

void Viewer::AddButton(std::string name, std::string keycode) {
  const std::lock_guard lock(impl_->mutex);
  Button& button = impl_->buttons[name];
  button = {.keycode = std::move(keycode), .order = impl_->num_controls++};
  impl_->state.Set("button", name, ToJson(name, button));
}

int Viewer::GetButtonClicks(std::string_view name) const {
  const std::lock_guard lock(impl_->mutex);
  return Find(impl_->buttons, "button", name).num_clicks;
}

void Viewer::DeleteButton(std::string name) {
  const std::lock_guard lock(impl_->mutex);
  Find(impl_->buttons, "button", name);
  impl_->buttons.erase(name);
  impl_->state.DeleteItem("button", name);
}

double Viewer::AddSlider(std::string name, double min, double max, double step,
                         double value, std::string decrement_keycode,
                         std::string increment_keycode) {
  const wyvern::internal::Caller who =
      wyvern::internal::Caller("Viewer::AddSlider").Of("slider", name);
  wyvern::internal::RequireFinite(who, "min", min);
  wyvern::internal::RequireFinite(who, "max", max);
  wyvern::internal::RequireFinite(who, "value", value);
  wyvern::internal::RequireNonNegative(who, "max - min", max - min);
  wyvern::internal::RequirePositive(who, "step", step);
  const std::lock_guard lock(impl_->mutex);
  Slider& slider = impl_->sliders[name];
  slider = {.min = min,
            .max = max,
            .step = step,
            .decrement_keycode = std::move(decrement_keycode),
            .increment_keycode = std::move(increment_keycode),
            .order = impl_->num_controls++};
  slider.value = slider.Nearest(value);
  impl_->Show(name, slider);
  return slider.value;
}

double Viewer::SetSliderValue(std::string name, double value) {
  wyvern::internal::RequireFinite(
      wyvern::internal::Caller("Viewer::SetSliderValue").Of("slider", name),
      "value", value);
  const std::lock_guard lock(impl_->mutex);
  Slider& slider = Find(impl_->sliders, "slider", name);
  slider.value = slider.Nearest(value);
  impl_->Show(name, slider);
  return slider.value;
}

double Viewer::GetSliderValue(std::string_view name) const {
  const std::lock_guard lock(impl_->mutex);
  return Find(impl_->sliders, "slider", name).value;
}

void Viewer::DeleteSlider(std::string name) {
  const std::lock_guard lock(impl_->mutex);
  Find(impl_->sliders, "slider", name);
  impl_->sliders.erase(name);
  impl_->state.DeleteItem("slider", name);
}

std::vector<std::string> Viewer::GetSliderNames() const {
  const std::lock_guard lock(impl_->mutex);
  std::vector<std::string> names;
  for (const auto& [name, slider] : impl_->sliders) names.push_back(name);
  return names;
}

void Viewer::DeleteAddedControls() {
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [name, button] : impl_->buttons) {
    impl_->state.DeleteItem("button", name);
  }
  for (const auto& [name, slider] : impl_->sliders) {
    impl_->state.DeleteItem("slider", name);
  }
  impl_->buttons.clear();
  impl_->sliders.clear();
}

void Viewer::SetSignal(std::string name,
                       const std::vector<std::string>& elements,
                       const std::string& unit) {
  std::string names;
  for (const std::string& element : elements) {
    names += (names.empty() ? "" : ",") + JsonString(element);
  }
  impl_->state.Set(
      "signal", name,
      fmt::format(R"({{"type":"signal","path":{},"names":[{}],"unit":{}}})",
                  JsonString(name), names, JsonString(unit)));
}

void Viewer::AddSample(std::string_view name, double time,
                       const Eigen::Ref<const Eigen::VectorXd>& values) {
  const wyvern::internal::Caller who =
      wyvern::internal::Caller("Viewer::AddSample").Of("signal", name);
  wyvern::internal::RequireFinite(who, "time", time);
  wyvern::internal::RequireFinite(who, "values", values);
  impl_->state.AddSample(name, time, values.data(),
                         static_cast<int>(values.size()));
}

void Viewer::StartRecording(double frames_per_second,
                            bool set_transforms_while_recording) {
  auto recording =
      std::make_unique<internal::ViewerRecording>(frames_per_second);
  const std::lock_guard lock(impl_->mutex);
  impl_->recording = std::move(recording);
  impl_->is_recording = true;
  impl_->shows_while_recording = set_transforms_while_recording;
}

void Viewer::StopRecording() {
  const std::lock_guard lock(impl_->mutex);
  impl_->is_recording = false;
}

void Viewer::MarkRecording(std::string text, double time_in_recording) {
  RequireTime("Viewer::MarkRecording", time_in_recording);
  const std::lock_guard lock(impl_->mutex);
  if (!impl_->is_recording) return;
  impl_->recording->Mark(std::move(text), time_in_recording);
}

void Viewer::PublishRecording() {
  const std::lock_guard lock(impl_->mutex);
  if (!impl_->recording) {
    throw std::logic_error(
        "Viewer::PublishRecording(): there is no recording; call "
        "StartRecording() first.");
  }
  impl_->state.Set("recording", "", impl_->recording->ToJson());
}

void Viewer::DeleteRecording() {
  const std::lock_guard lock(impl_->mutex);
  impl_->recording.reset();
  impl_->is_recording = false;
  impl_->state.DeleteItem("recording", "");
}

std::string Viewer::StaticHtml() const {
  int64_t seen = 0;
  std::string items = impl_->state.CollectSince(&seen);
  // A '<', which is in texts alone, could end the script that they are in.
  items = Replace(std::move(items), "<", "\\u003c");
  return Replace(std::string(internal::ViewerPage()), kItemsPlace,
                 fmt::format(R"(<script type="application/json" id="items">)"
                             "{}</script>",
                             items.empty() ? "[]" : items));
}

void Viewer::SaveStaticHtml(const std::filesystem::path& file) const {
  wyvern::internal::WriteWholeFile("Viewer::SaveStaticHtml()", file,
                                   StaticHtml());
}

namespace internal {

ViewerLink::ViewerLink(Viewer* viewer, std::string type, Receive receive)
    : viewer_(viewer), state_(&viewer->impl_->state), type_(std::move(type)) {
  const std::lock_guard lock(viewer_->impl_->links_mutex);
  number_ = ++viewer_->impl_->num_links;
  viewer_->impl_->links[type_] = {number_, std::move(receive)};
}

ViewerLink::~ViewerLink() {
  const std::lock_guard lock(viewer_->impl_->links_mutex);
  const auto link = viewer_->impl_->links.find(type_);
  if (link != viewer_->impl_->links.end() && link->second.first == number_) {
    viewer_->impl_->links.erase(link);
  }
}

}  // namespace internal

}  // namespace wyvern::geometry
