#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/geometry/viewer/viewer_diagram.h"
#include "wyvern/geometry/viewer/viewer_link.h"
#include "wyvern/simulator/realtime_pacer.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/system.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/gain.h"

namespace wyvern::systems {

/** How a LiveSimulation begins, and what it does without a page. */
struct LiveSimulationParams {
  double publish_period{1.0 / 64};  // [s], simulated: of the values of ports.
  /** Waits, before the first step, for somebody who presses "play". */
  bool starts_paused{false};
  /** A pause ends when no page has been open for so long [s]. */
  double wait_without_page{60.0};
  /** Names the elements of ports; null: the page shows their indices. */
  ElementNames element_names{};
  /** Asked 60 times a second while a person pauses the simulation, and between
  steps that wait for the pace: true ends waiting from then on. Null: never. */
  std::function<bool()> ends_waiting{};
};

/** The sliders of a parameter. */
struct TunableParams {
  /** Lower end of the range. */
  double min{-10.0};
  /** Upper end of the range. */
  double max{10.0};
  /** Distance of values that a slider can have, positive. */
  double step{0.01};
  /** By default that of the block; elements of more than one are numbered. */
  std::string name{};
  /** Text after the name of each slider instead of a number, such as
  "elbow [N·m/rad]"; empty, or one for each element. */
  std::vector<std::string> element_names{};
};

/** A Simulator that a page of a Viewer drives: it shows the diagram, the values
of its ports, and the block that threw; it plays, pauses, steps, runs to a time,
and sets the pace; its sliders change parameters between two steps.
@code
Simulator<double> simulator(plant);
auto viewer = std::make_shared<geometry::Viewer>();
LiveSimulation live(&simulator, viewer);
simulator.AdvanceTo(60);
@endcode
It is the Simulator's monitor, and calls the one that was there before. What is
paused is the thread that advances the simulation, within AdvanceTo(), after a
step; so a pause lasts as long as a person with an open page wants it, and
`wait_without_page` longer at most. All functions but Play() and Pause(), which
any thread may call, belong to the simulation's thread. */
class LiveSimulation {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LiveSimulation);

  /** `simulator` must outlive this, and keep its monitor. Its target real-time
  rate becomes the page's, and is given back in the end.
  @throws std::logic_error if a pointer is null, the System is in a Diagram, the
  period is not positive, `wait_without_page` is negative, or as
  DescribeBlock(). */
  LiveSimulation(Simulator<double>* simulator,
                 std::shared_ptr<geometry::Viewer> viewer,
                 const LiveSimulationParams& params = {});
  ~LiveSimulation();

  /** Adds a slider for each element of a numeric parameter, such as the gains
  of a PidController after its MakeTunable(); each begins at the value that the
  Simulator's Context has, or the nearest one that it can have.
  @throws std::logic_error if the System is not in the Simulator's, the range is
  none, or the name is taken; std::out_of_range if there is no such parameter.
   */
  void AddTunable(const System<double>& system, NumericParameterIndex parameter,
                  const TunableParams& params = {});
  /** Overload for the value of a source. */
  void AddTunable(const ConstantVectorSource<double>& source,
                  const TunableParams& params = {}) {
    AddTunable(source, NumericParameterIndex(0), params);
  }
  /** One that MakeTunable() was called of, or std::out_of_range is thrown. */
  void AddTunable(const Gain<double>& gain, const TunableParams& params = {}) {
    AddTunable(gain, NumericParameterIndex(0), params);
  }

  /** Adds a function that is called between two steps, at most 60 times a
  second, and while the simulation is paused. It may change the Context, which
  is the Simulator's, and returns whether it did. What it captures must outlive
  this. @throws std::logic_error if it is empty. */
  void AddListener(std::function<bool(Context<double>* root)> listener);

  /** Simulator::AdvanceTo(), after which the page shows what was thrown, if it
  was, at the block that threw it. */
  SimulatorStatus AdvanceTo(double boundary_time);

  /** Calls the listeners, gives the Context what sliders of pages say, and
  sends the values of ports that pages want.
  AdvanceTo() does so between steps; call it when no AdvanceTo() runs.
  @returns whether the Context has changed. */
  bool ApplyChanges();

  /** Ends a pause. */
  void Play();
  /** Pauses after the step that is under way. */
  void Pause();
  /** True while the simulation is paused. */
  bool is_paused() const;

  /** The page's diagram, for further settings. */
  geometry::ViewerDiagram& diagram() { return diagram_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Slider {
    std::string name;
    const System<double>* system{};
    int parameter{};
    int element{};
    double value{};
  };

  void Receive(const geometry::internal::PageMessage& message);
  EventStatus AfterStep(const Context<double>& context);
  void Hold(const Context<double>& context);
  bool MayGoOn(double time);
  bool TakeChanges();
  void Tell();

  Simulator<double>* const simulator_;
  const std::shared_ptr<geometry::Viewer> viewer_;
  const LiveSimulationParams params_;
  const std::function<EventStatus(const Context<double>&)> monitor_before_;

  // Requests of pages.
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_paused_{};
  int num_steps_{0};  // To take, then to pause again.
  std::optional<double> run_to_;
  double rate_{};
  bool paces_anew_{true};

  internal::RealtimePacer pacer_;
  std::vector<Slider> sliders_;
  std::vector<std::function<bool(Context<double>*)>> listeners_;
  Clock::time_point next_look_{};
  Clock::time_point next_change_{};
  geometry::ViewerDiagram diagram_;
  geometry::internal::ViewerLink link_;  // Ends first.
};

}  // namespace wyvern::systems
