#include "wyvern/simulator/viewing/live_simulation.h"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/json_text.h"
#include "wyvern/systems/framework/block_description.h"
#include "wyvern/systems/primitives/state_machine.h"

/* After each step the simulation's thread shows the time and the values of
ports, applies sliders, and then waits while it is paused or ahead of the
pace. What pages want is under one mutex; a page that says something wakes
the thread that waits. Sixty times a second is as often as a person can tell,
so that steps which come faster do none of this. */

namespace wyvern::systems {

using geometry::Viewer;

namespace {

constexpr auto kLookPeriod = std::chrono::milliseconds(16);
constexpr auto kPausedPeriod = std::chrono::milliseconds(16);
constexpr auto kPacePeriod = std::chrono::milliseconds(1);

/** Shows pages the active state of each StateMachine, at its block. */
class ActiveStates {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ActiveStates);

  ActiveStates(const System<double>& root, std::shared_ptr<Viewer> viewer,
               geometry::internal::ViewerState* state)
      : viewer_(std::move(viewer)), state_(*state) {
    Find(DescribeBlock(root), "");
  }
  ~ActiveStates() {
    for (const Machine& one : machines_) {
      state_.DeleteItem("active", one.place);
    }
  }

  void Publish(const Context<double>& root) {
    for (Machine& one : machines_) {
      const int active =
          one.system->get_active_state(one.system->GetMyContextFromRoot(root));
      if (active == one.shown) continue;
      const std::string& name =
          one.system->chart().get_name(ChartStateIndex(active));
      if (one.shown >= 0) {
        viewer_->MarkRecording(
            fmt::format("{}: {}", one.system->get_name(), name),
            root.get_time());
      }
      one.shown = active;
      state_.Set("active", one.place,
                 fmt::format(R"({{"type":"active","path":{},"name":{}}})",
                             wyvern::internal::JsonString(one.place),
                             wyvern::internal::JsonString(name)));
    }
  }

 private:
  struct Machine {
    const StateMachine<double>* system{};
    std::string place;  // As pages name the block: "0.2".
    int shown{-1};
  };

  void Find(const BlockDescription& block, const std::string& place) {
    const auto* machine =
        dynamic_cast<const StateMachine<double>*>(block.system);
    if (machine != nullptr) {
      machines_.push_back({.system = machine, .place = place});
    }
    for (std::size_t i = 0; i < block.parts.size(); ++i) {
      Find(block.parts[i],
           place.empty() ? std::to_string(i) : fmt::format("{}.{}", place, i));
    }
  }

  const std::shared_ptr<Viewer> viewer_;
  geometry::internal::ViewerState& state_;
  std::vector<Machine> machines_;
};

}  // namespace

LiveSimulation::LiveSimulation(Simulator<double>* simulator,
                               std::shared_ptr<Viewer> viewer,
                               const LiveSimulationParams& params)
    : simulator_([simulator] {
        wyvern::internal::RequireNotNull("LiveSimulation", "the simulator",
                                         simulator, "pass one");
        return simulator;
      }()),
      viewer_(std::move(viewer)),
      params_(params),
      monitor_before_(simulator->get_monitor()),
      is_paused_(params.starts_paused),
      rate_(simulator->get_target_realtime_rate()),
      diagram_(simulator->get_system(), viewer_,
               {.publish_period = params.publish_period,
                .element_names = params.element_names}),
      link_(viewer_.get(), "simulation",
            [this](const geometry::internal::PageMessage& message) {
              Receive(message);
            }) {
  wyvern::internal::RequireNonNegative("LiveSimulation", "wait_without_page",
                                       params.wait_without_page);
  simulator_->set_target_realtime_rate(0);
  simulator_->set_monitor(
      [this](const Context<double>& context) { return AfterStep(context); });
  // Like the drawing, the names of states are those of the whole diagram.
  AddListener([states = std::make_shared<ActiveStates>(
                   simulator_->get_system(), viewer_, &link_.state())](
                  Context<double>* root) {
    states->Publish(*root);
    return false;
  });
  Tell();
}

LiveSimulation::~LiveSimulation() {
  simulator_->set_monitor(monitor_before_);
  simulator_->set_target_realtime_rate(rate_);
  for (const Slider& slider : sliders_) {
    const auto names = viewer_->GetSliderNames();
    if (std::find(names.begin(), names.end(), slider.name) != names.end()) {
      viewer_->DeleteSlider(slider.name);
    }
  }
  link_.state().DeleteItem("simulation", "");
}

void LiveSimulation::AddTunable(const System<double>& system,
                                NumericParameterIndex parameter,
                                const TunableParams& params) {
  const Context<double>& context =
      system.GetMyContextFromRoot(simulator_->get_context());
  const Eigen::VectorXd values =
      context.get_numeric_parameter(parameter).value();
  const std::string name =
      params.name.empty() ? system.get_name() : params.name;
  if (!params.element_names.empty()) {
    wyvern::internal::RequireSize(
        "LiveSimulation::AddTunable", "element_names",
        static_cast<int64_t>(params.element_names.size()), values.size());
  }
  const auto name_of = [&](int i) {
    if (!params.element_names.empty()) {
      return fmt::format("{} {}", name, params.element_names[i]);
    }
    return values.size() == 1 ? name : fmt::format("{}[{}]", name, i);
  };
  const auto taken = viewer_->GetSliderNames();
  for (int i = 0; i < values.size(); ++i) {
    Slider slider{.name = name_of(i),
                  .system = &system,
                  .parameter = parameter,
                  .element = i};
    if (std::find(taken.begin(), taken.end(), slider.name) != taken.end()) {
      throw std::logic_error(
          fmt::format("LiveSimulation::AddTunable(): there is a slider '{}' "
                      "already; give another name.",
                      slider.name));
    }
    // Until somebody moves it, the parameter keeps its exact value.
    slider.value = viewer_->AddSlider(slider.name, params.min, params.max,
                                      params.step, values(i));
    sliders_.push_back(std::move(slider));
  }
}

void LiveSimulation::AddListener(
    std::function<bool(Context<double>*)> listener) {
  if (!listener) {
    throw std::logic_error(
        "LiveSimulation::AddListener(): the function is empty; give one.");
  }
  listeners_.push_back(std::move(listener));
}

SimulatorStatus LiveSimulation::AdvanceTo(double boundary_time) {
  diagram_.ClearFaults();
  try {
    const SimulatorStatus status = simulator_->AdvanceTo(boundary_time);
    diagram_.Publish(simulator_->get_context(), true);
    viewer_->SetSimulationTime(simulator_->get_context().get_time());
    return status;
  } catch (const std::exception& error) {
    diagram_.ShowFault(error.what(), simulator_->get_context());
    throw;
  }
}

void LiveSimulation::Play() {
  {
    const std::lock_guard lock(mutex_);
    is_paused_ = false;
    run_to_.reset();
    num_steps_ = 0;
    paces_anew_ = true;
    Tell();
  }
  changed_.notify_all();
}

void LiveSimulation::Pause() {
  const std::lock_guard lock(mutex_);
  is_paused_ = true;
  run_to_.reset();
  num_steps_ = 0;
  Tell();
}

bool LiveSimulation::is_paused() const {
  const std::lock_guard lock(mutex_);
  return is_paused_;
}

// On the server's thread.
void LiveSimulation::Receive(const geometry::internal::PageMessage& message) {
  constexpr double kMaxRate = 1e6;
  constexpr int kMaxSteps = 1000;
  if (message.path == "play") return Play();
  if (message.path == "pause") return Pause();
  {
    const std::lock_guard lock(mutex_);
    if (message.path == "step") {
      num_steps_ = is_paused_ ? std::min(num_steps_ + 1, kMaxSteps) : 0;
      is_paused_ = true;
      run_to_.reset();
    } else if (message.path == "run_to" && message.value) {
      run_to_ = *message.value;
      is_paused_ = false;
      paces_anew_ = true;
    } else if (message.path == "rate" && message.value) {
      rate_ = std::clamp(*message.value, 0.0, kMaxRate);
      paces_anew_ = true;
    } else {
      return;
    }
    Tell();
  }
  changed_.notify_all();
}

// Shows what pages want, to all of them.
void LiveSimulation::Tell() {
  link_.state().Set(
      "simulation", "",
      fmt::format(
          R"({{"type":"simulation","paused":{},"rate":{},"run_to":{}}})",
          is_paused_, rate_,
          run_to_ ? fmt::format("{}", *run_to_) : std::string("null")));
}

EventStatus LiveSimulation::AfterStep(const Context<double>& context) {
  const EventStatus status =
      monitor_before_ ? monitor_before_(context) : EventStatus::DidNothing();
  diagram_.Publish(context);
  const auto now = Clock::now();
  if (now >= next_look_) {
    next_look_ = now + kLookPeriod;
    link_.state().SetNumber("time", context.get_time());
  }
  Hold(context);
  return status;
}

// With the lock.
bool LiveSimulation::MayGoOn(double time) {
  if (!is_paused_ && run_to_ && time >= *run_to_) {
    is_paused_ = true;
    run_to_.reset();
    Tell();
  }
  if (is_paused_) {
    paces_anew_ = true;
    if (num_steps_ == 0) return false;
    --num_steps_;
    return true;
  }
  if (paces_anew_) {
    paces_anew_ = false;
    pacer_.Restart(time);
  }
  return rate_ == 0 || pacer_.CalcActualRate(time) <= rate_;
}

void LiveSimulation::Hold(const Context<double>& context) {
  const double time = context.get_time();
  std::unique_lock lock(mutex_);
  Clock::time_point last_seen = Clock::now();  // By a page, or in motion.
  bool is_shown = false;
  while (!MayGoOn(time)) {
    const bool is_paused = is_paused_;
    lock.unlock();
    if (params_.ends_waiting && params_.ends_waiting()) return;
    const Clock::time_point now = Clock::now();
    const bool is_alone = link_.num_pages() == 0;
    if (!is_paused || !is_alone) last_seen = now;
    if (is_paused) {
      const bool has_changed = TakeChanges();
      if (!is_shown) link_.state().SetNumber("time", time);
      diagram_.Publish(context, !is_shown || has_changed);
      is_shown = true;
      if (is_alone && std::chrono::duration<double>(now - last_seen).count() >=
                          params_.wait_without_page) {
        Play();
      }
    }
    lock.lock();
    changed_.wait_for(lock, is_paused ? kPausedPeriod : kPacePeriod);
  }
  lock.unlock();
  // Changes that arrived during a wait count for the next step.
  const auto now = Clock::now();
  if (!is_shown && now < next_change_) return;
  next_change_ = now + kLookPeriod;
  TakeChanges();
}

bool LiveSimulation::ApplyChanges() {
  const bool has_changed = TakeChanges();
  diagram_.Publish(simulator_->get_context(), has_changed);
  return has_changed;
}

// Returns whether a slider was moved, or a listener changed the Context.
bool LiveSimulation::TakeChanges() {
  bool has_changed = false;
  for (const auto& listener : listeners_) {
    has_changed |= listener(&simulator_->get_mutable_context());
  }
  for (Slider& slider : sliders_) {
    const double value = viewer_->GetSliderValue(slider.name);
    if (value == slider.value) continue;
    slider.value = value;
    has_changed = true;
    slider.system
        ->GetMyMutableContextFromRoot(&simulator_->get_mutable_context())
        .get_mutable_numeric_parameter(slider.parameter)
        .SetAtIndex(slider.element, value);
  }
  return has_changed;
}

}  // namespace wyvern::systems
