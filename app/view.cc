#include "wyvern/app/view.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/visualization/body_inspector.h"
#include "wyvern/multibody/visualization/visualization_config_functions.h"
#include "wyvern/systems/framework/diagram_builder.h"

/* A model is a plant, a SceneGraph and the systems that show it, without a
simulation: where a slider has moved, the positions are set and the diagram
is published. The viewer outlives the models that a file has been. */

extern char** environ;

namespace wyvern::app {

using geometry::Viewer;
using multibody::Joint;
using multibody::JointIndex;
using multibody::MultibodyPlant;

namespace {

namespace fs = std::filesystem;

// When the file last changed; the beginning of time if it is not there.
fs::file_time_type TimeOf(const fs::path& file) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(file, error);
  return error ? fs::file_time_type::min() : time;
}

/** A model that sliders move. */
class Scene {
 public:
  // Positions by slider, of the model before.
  using Values = std::map<std::string, double>;

  Scene(const fs::path& file, std::shared_ptr<Viewer> viewer,
        const multibody::PackageMap& packages, const Values& values)
      : viewer_(std::move(viewer)) {
    systems::DiagramBuilder<double> builder;
    auto [plant, scene_graph] =
        multibody::AddMultibodyPlantSceneGraph(&builder, 0.0);
    plant_ = &plant;
    multibody::Parser parser(plant_);
    parser.package_map().AddMap(packages);
    parser.AddModels(file);
    plant_->Finalize();
    // Contacts are forces, for which all bodies would need inertia.
    visualization::VisualizationConfig config;
    config.publish_contacts = false;
    visualization::ApplyVisualizationConfig(config, &builder, nullptr, nullptr,
                                            nullptr, viewer_);
    diagram_ = builder.Build();
    context_ = diagram_->CreateDefaultContext();
    // Nothing that may throw comes after what pages see.
    viewer_->DeleteAddedControls();
    for (const JointIndex i : plant_->GetJointIndices()) AddSlider(i, values);
    inspector_.emplace(plant_, viewer_);
    diagram_->ExecuteInitializationEvents(context_.get());
    Show();
  }

  void Update() {
    bool has_moved = false;
    for (Slider& slider : sliders_) {
      const double value = viewer_->GetSliderValue(slider.name);
      if (value == slider.value) continue;
      slider.value = value;
      has_moved = true;
    }
    if (has_moved) Show();
    inspector_->Publish(*context_);
  }

  Values values() const {
    Values values;
    for (const Slider& slider : sliders_) values[slider.name] = slider.value;
    return values;
  }

 private:
  struct Slider {
    std::string name;
    int position{};
    double value{};
  };

  void AddSlider(JointIndex index, const Values& values) {
    const Joint<double>& joint = plant_->get_joint(index);
    if (joint.num_positions() != 1) return;
    // A hinge without limits turns once; a slider moves a metre either way.
    const double most =
        joint.type_name() == "prismatic" ? 1.0 : std::numbers::pi;
    double low = joint.position_lower_limits()[0];
    double high = joint.position_upper_limits()[0];
    if (!std::isfinite(low)) low = std::min(-most, high - most);
    if (!std::isfinite(high)) high = std::max(most, low + most);
    const auto count =
        std::ranges::count_if(plant_->GetJointIndices(), [&](JointIndex i) {
          return plant_->get_joint(i).name() == joint.name();
        });
    const std::string name =
        count > 1
            ? fmt::format("{}::{}",
                          plant_->GetModelInstanceName(joint.model_instance()),
                          joint.name())
            : joint.name();
    const auto before = values.find(name);
    const double begin =
        before != values.end()
            ? before->second
            : plant_->GetPositions(PlantContext())[joint.position_start()];
    const double step = std::max((high - low) / 1000, 1e-9);
    const double value = viewer_->AddSlider(name, low, std::max(low, high),
                                            step, std::clamp(begin, low, high));
    sliders_.push_back({name, joint.position_start(), value});
  }

  void Show() {
    auto& context = plant_->GetMyMutableContextFromRoot(context_.get());
    Eigen::VectorXd q = plant_->GetPositions(context);
    for (const Slider& slider : sliders_) q[slider.position] = slider.value;
    plant_->SetPositions(&context, q);
    diagram_->ForcedPublish(*context_);
  }

  const systems::Context<double>& PlantContext() const {
    return plant_->GetMyContextFromRoot(*context_);
  }

  const std::shared_ptr<Viewer> viewer_;
  MultibodyPlant<double>* plant_{};
  std::unique_ptr<systems::Diagram<double>> diagram_;
  std::unique_ptr<systems::Context<double>> context_;
  std::vector<Slider> sliders_;
  std::optional<multibody::BodyInspector> inspector_;
};

}  // namespace

void ViewModel(const fs::path& file, std::shared_ptr<Viewer> viewer,
               const std::function<bool()>& should_stop, std::ostream& out,
               const multibody::PackageMap& packages) {
  fs::file_time_type time = TimeOf(file);
  auto scene = std::make_unique<Scene>(file, viewer, packages, Scene::Values{});
  while (!should_stop()) {
    std::this_thread::sleep_for(std::chrono::microseconds(16667));
    const fs::file_time_type now = TimeOf(file);
    // An editor may take the file away for a moment.
    if (now != time && now != fs::file_time_type::min()) {
      time = now;
      try {
        auto next =
            std::make_unique<Scene>(file, viewer, packages, scene->values());
        scene = std::move(next);
        out << fmt::format("{}: read again\n", file.string()) << std::flush;
      } catch (const std::exception& error) {
        out << fmt::format("{}: {}\n", file.string(), error.what())
            << std::flush;
      }
    }
    scene->Update();
  }
}

void OpenInBrowser(const std::string& url) {
  std::string program = "xdg-open", address = url;
  char* const arguments[] = {program.data(), address.data(), nullptr};
  pid_t pid = 0;
  if (posix_spawnp(&pid, program.c_str(), nullptr, nullptr, arguments,
                   environ) == 0) {
    waitpid(pid, nullptr, 0);
  }
}

}  // namespace wyvern::app
