#pragma once

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "wyvern/drake/meshcat_params.h"
#include "wyvern/drake/no_viewer.h"
#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/systems/common/class_macros.h"

namespace wyvern::geometry {

/** A page that shows a scene, which does nothing, as there is no viewer yet.
Sliders keep the value that they begin with; buttons are never pressed. */
class Meshcat {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Meshcat);

  explicit Meshcat(std::optional<int> port = std::nullopt)
      : port_(port.value_or(7000)) {
    drake_support::SayThereIsNoViewer();
  }
  explicit Meshcat(const MeshcatParams& params) : Meshcat(params.port) {}

  std::string web_url() const {
    return fmt::format("http://localhost:{}", port_);
  }
  int port() const { return port_; }
  void Flush() const {}

  void SetObject(std::string_view, const Shape&,
                 const Rgba& = Rgba(0.9, 0.9, 0.9, 1.0)) {}
  void SetTransform(std::string_view, const math::RigidTransformd&,
                    std::optional<double> = std::nullopt) {}
  template <typename Value>
  void SetProperty(std::string_view, std::string, const Value&,
                   std::optional<double> = std::nullopt) {}
  void SetCameraPose(const Eigen::Vector3d&, const Eigen::Vector3d&) {}
  void Set2dRenderMode(const math::RigidTransformd& = {}, double = -1,
                       double = 1, double = -1, double = 1) {}
  void ResetRenderMode() {}
  void SetRealtimeRate(double) {}
  void Delete(std::string_view = "") {}

  void StartRecording(double = 64.0, bool = true) {}
  void StopRecording() {}
  void PublishRecording() {}
  void DeleteRecording() {}

  void AddButton(std::string name, std::string = "") {
    buttons_[std::move(name)] = 0;
  }
  /** @throws std::out_of_range if there is no such button. */
  int GetButtonClicks(std::string_view name) const {
    return Find(buttons_, "button", name);
  }
  void DeleteButton(std::string name) { buttons_.erase(name); }

  /** Returns the value, which is within the bounds. */
  double AddSlider(std::string name, double min, double max, double /* step */,
                   double value, std::string = "", std::string = "") {
    return sliders_[std::move(name)] = std::min(std::max(value, min), max);
  }
  void SetSliderValue(std::string name, double value) {
    sliders_[std::move(name)] = value;
  }
  /** @throws std::out_of_range if there is no such slider. */
  double GetSliderValue(std::string_view name) const {
    return Find(sliders_, "slider", name);
  }
  void DeleteSlider(std::string name) { sliders_.erase(name); }
  void DeleteAddedControls() {
    buttons_.clear();
    sliders_.clear();
  }

 private:
  template <typename Value>
  static Value Find(const std::map<std::string, Value, std::less<>>& controls,
                    const char* kind, std::string_view name) {
    const auto found = controls.find(name);
    if (found == controls.end()) {
      throw std::out_of_range(fmt::format(
          "Meshcat: there is no {} '{}'; add it first.", kind, name));
    }
    return found->second;
  }

  int port_;
  std::map<std::string, int, std::less<>> buttons_;
  std::map<std::string, double, std::less<>> sliders_;
};

}  // namespace wyvern::geometry
