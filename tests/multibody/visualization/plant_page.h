#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/geometry/viewer/page_browser.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/visualization/body_dragger.h"
#include "wyvern/multibody/visualization/body_inspector.h"
#include "wyvern/multibody/visualization/visualization_config_functions.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/viewing/live_simulation.h"

namespace wyvern::multibody::test {

/** A simulation of a plant, which a person watches and touches in a real
browser. */
class PlantPageTest : public geometry::test::PageTest {
 protected:
  using Numbers = std::vector<double>;

  /** Adds a plant to which `add_bodies` gives its bodies, its visualization and
  a dragger of its bodies. */
  void AddPlant(const std::function<void(MultibodyPlant<double>*)>& add_bodies,
                systems::DiagramBuilder<double>* builder) {
    viewer = std::make_shared<geometry::Viewer>();
    plant = &AddMultibodyPlantSceneGraph(builder, 0.01).plant;
    add_bodies(plant);
    plant->Finalize();
    visualization::AddDefaultVisualization(builder, viewer);
    dragger = &BodyDragger::AddToBuilder(builder, *plant, viewer);
  }

  /** Takes the diagram, to be simulated at the pace of the clock. */
  void Build(systems::DiagramBuilder<double>* builder) {
    simulator = std::make_unique<systems::Simulator<double>>(builder->Build());
    simulator->set_target_realtime_rate(1);
  }

  /** Simulates while a person does the steps of PageTest::Do(); returns its
  result. */
  std::vector<Numbers> DoWhileItRuns(
      const std::vector<std::string>& steps,
      systems::LiveSimulationParams params = {}) {
    BodyInspector inspector(plant, viewer);
    systems::LiveSimulation live(simulator.get(), viewer, std::move(params));
    live.AddListener([&](systems::Context<double>* root) {
      const bool has_changed = dragger->Update(root);
      inspector.Publish(*root);
      return has_changed;
    });
    bool is_over = false;
    std::mutex mutex;
    std::vector<Numbers> said;
    std::thread person([&] {
      said = Do(viewer->web_url(), steps);
      const std::lock_guard lock(mutex);
      is_over = true;
      live.Play();
    });
    const auto goes_on = [&] {
      const std::lock_guard lock(mutex);
      return !is_over;
    };
    while (goes_on()) {
      live.AdvanceTo(simulator->get_context().get_time() + 0.1);
    }
    person.join();
    return said;
  }

  std::shared_ptr<geometry::Viewer> viewer;
  MultibodyPlant<double>* plant{};
  BodyDragger* dragger{};
  std::unique_ptr<systems::Simulator<double>> simulator;
};

}  // namespace wyvern::multibody::test
