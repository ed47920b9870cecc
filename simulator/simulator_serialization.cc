#include "wyvern/simulator/simulator_serialization.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/sealed_record.h"
#include "wyvern/systems/common/value_serialization.h"
#include "wyvern/systems/framework/context_serialization.h"
#include "wyvern/systems/framework/leaf_events.h"

/* A sealed record. In it, the integrator and its settings in words, what is due
and when, where the integrator stands, where its step began if that is kept,
which witness functions triggered, and the Context, as SaveContext() writes
it. */

namespace wyvern::systems {
namespace {

constexpr char kKind[] = "simulation";
constexpr int kVersion = 6;

}  // namespace

namespace internal {

/** Knows the private parts of a Simulator. */
class SimulatorArchive {
 public:
  static void Save(const Simulator<double>& simulator, std::ostream* stream);
  static void Load(std::istream* stream, Simulator<double>* simulator);

 private:
  using Place = IntegratorBase<double>::Place;
  using Found = WitnessWatch<double>::Found;
  struct Standing {
    bool timed{};
    bool witnessed{};
    bool per_step{};
    bool unrestricted_done{};
    bool has_step_start{};
    double stopped_at{};
    double exact_time{};
    Place now;
    Place step_start;
    WitnessWatch<double>::Resolution resolution;
    Found found;
  };

  static Standing Read(std::istream* stream,
                       const IntegratorBase<double>& integrator);
  static void WritePlace(const Place& place, std::ostream* stream);
  static Place ReadPlace(std::istream* stream,
                         const IntegratorBase<double>& integrator);
  static void WriteFound(const Found& found, std::ostream* stream);
  static Found ReadFound(std::istream* stream, int num_continuous);
  static void FindTimedEvents(const Standing& standing,
                              Simulator<double>* simulator);
  static void FindWitnessedEvents(const Standing& standing,
                                  Simulator<double>* simulator);
};

void SimulatorArchive::WriteFound(const Found& found, std::ostream* stream) {
  WriteBinary(found.start_time, stream);
  WriteBinary(Eigen::Ref<const Eigen::MatrixXd>(found.start_state), stream);
  WriteBinary(found.before, stream);
  WriteBinary(Eigen::Ref<const Eigen::MatrixXd>(found.state_before), stream);
  WriteBinary(static_cast<int>(found.triggered.size()), stream);
  for (size_t i = 0; i < found.triggered.size(); ++i) {
    WriteBinary(found.triggered[i], stream);
    WriteBinary(found.names[i], stream);
  }
}

SimulatorArchive::Found SimulatorArchive::ReadFound(std::istream* stream,
                                                    int num_continuous) {
  Found found;
  int num_triggered{};
  ReadBinary(&found.start_time, stream);
  ReadBinary(&found.start_state, stream);
  ReadBinary(&found.before, stream);
  ReadBinary(&found.state_before, stream);
  ReadBinary(&num_triggered, stream);
  for (int i = 0; i < num_triggered; ++i) {
    int number{};
    std::string name;
    ReadBinary(&number, stream);
    ReadBinary(&name, stream);
    found.triggered.push_back(number);
    found.names.push_back(name);
  }
  const bool fits =
      found.start_state.size() == num_continuous &&
      found.state_before.size() == num_continuous &&
      found.start_state.allFinite() && found.state_before.allFinite() &&
      std::isfinite(found.start_time) && std::isfinite(found.before);
  if (!fits) {
    throw std::runtime_error(fmt::format(
        "LoadSimulation(): the stream has a step with a witness function's "
        "zero of {} continuous states, for {}, or one that is not finite; load "
        "into the System it was saved from.",
        found.start_state.size(), num_continuous));
  }
  return found;
}

void SimulatorArchive::WritePlace(const Place& place, std::ostream* stream) {
  WriteBinary(place.time, stream);
  WriteBinary(Eigen::Ref<const Eigen::MatrixXd>(place.xc), stream);
  WriteBinary(place.ideal_next_step_size, stream);
  WriteBinary(place.grid_start, stream);
  WriteBinary(place.grid_count, stream);
  WriteBinary(place.grid_time.has_value(), stream);
  WriteBinary(place.grid_time.value_or(0.0), stream);
  WriteBinary(Eigen::Ref<const Eigen::MatrixXd>(place.sizes), stream);
  WriteBinary(Eigen::Ref<const Eigen::MatrixXd>(place.stiffness), stream);
  WriteBinary(Eigen::Ref<const Eigen::MatrixXd>(place.carried), stream);
}

SimulatorArchive::Place SimulatorArchive::ReadPlace(
    std::istream* stream, const IntegratorBase<double>& integrator) {
  Place place;
  bool has_grid_time{};
  double grid_time{};
  ReadBinary(&place.time, stream);
  ReadBinary(&place.xc, stream);
  ReadBinary(&place.ideal_next_step_size, stream);
  ReadBinary(&place.grid_start, stream);
  ReadBinary(&place.grid_count, stream);
  ReadBinary(&has_grid_time, stream);
  ReadBinary(&grid_time, stream);
  ReadBinary(&place.sizes, stream);
  ReadBinary(&place.stiffness, stream);
  ReadBinary(&place.carried, stream);
  if (has_grid_time) place.grid_time = grid_time;

  Place here;
  integrator.SavePlace(&here);
  const bool fits = place.xc.size() == here.xc.size() && place.xc.allFinite() &&
                    place.sizes.size() == here.sizes.size() &&
                    place.sizes.allFinite() &&
                    (place.sizes.array() >= 0).all() &&
                    place.stiffness.size() == here.stiffness.size() &&
                    place.stiffness.allFinite() &&
                    place.carried.size() == here.carried.size() &&
                    place.carried.allFinite() && std::isfinite(place.time) &&
                    place.ideal_next_step_size > 0;
  if (!fits) {
    throw std::runtime_error(
        fmt::format("LoadSimulation(): the stream has an integrator's state of "
                    "{} and {} numbers, for {} and {}, or one that is not "
                    "finite; load into the System it was saved from.",
                    place.xc.size(), place.carried.size(), here.xc.size(),
                    here.carried.size()));
  }
  return place;
}

void SimulatorArchive::Save(const Simulator<double>& simulator,
                            std::ostream* stream) {
  if (!simulator.is_initialized_) {
    throw std::logic_error(
        "SaveSimulation(): the Simulator is not initialized; call Initialize() "
        "or AdvanceTo() first.");
  }
  const IntegratorBase<double>& integrator = simulator.get_integrator();
  const Context<double>& context = simulator.get_context();
  if (simulator.is_stepping_) {
    throw std::logic_error(fmt::format(
        "SaveSimulation(): the Simulator is in the middle of a step, after "
        "time {}; save it between two steps: in the monitor, in an event "
        "handler, or when AdvanceTo() has returned.",
        simulator.exact_time_));
  }
  if (context.get_time() != simulator.stopped_at_) {
    throw std::logic_error(fmt::format(
        "SaveSimulation(): the Context's time is {}, but the simulation had "
        "reached {}; call Initialize() after setting the time.",
        context.get_time(), simulator.stopped_at_));
  }
  std::ostringstream content;
  WriteBinary(integrator.DescribeSettings(), &content);
  WriteBinary(simulator.timed_events_are_due_, &content);
  WriteBinary(simulator.per_step_updates_are_due_, &content);
  WriteBinary(simulator.are_unrestricted_updates_done_, &content);
  WriteBinary(simulator.stopped_at_, &content);
  WriteBinary(simulator.exact_time_, &content);
  Place now;
  integrator.SavePlace(&now);
  WritePlace(now, &content);
  const bool has_step_start =
      simulator.is_place_kept_ &&
      context.num_changes() == simulator.changes_when_stopped_;
  WriteBinary(has_step_start, &content);
  if (has_step_start) WritePlace(simulator.place_, &content);
  const auto& resolution = simulator.witnesses_->resolution();
  WriteBinary(resolution.num_steps, &content);
  WriteBinary(resolution.longest, &content);
  WriteBinary(resolution.limit, &content);
  WriteBinary(resolution.too_long, &content);
  WriteBinary(simulator.witnessed_events_are_due_, &content);
  if (simulator.witnessed_events_are_due_) {
    WriteFound(simulator.witnesses_->GetFound(), &content);
  }
  SaveContext(context, &content);
  wyvern::internal::WriteSealed(kKind, kVersion, content.str(), stream);
  if (!*stream) {
    throw std::runtime_error(
        "SaveSimulation(): the stream cannot be written; see that the disk has "
        "room.");
  }
}

SimulatorArchive::Standing SimulatorArchive::Read(
    std::istream* stream, const IntegratorBase<double>& integrator) {
  std::string text;
  ReadBinary(&text, stream);
  if (text != integrator.DescribeSettings()) {
    throw std::runtime_error(fmt::format(
        "LoadSimulation(): the simulation was saved with the integrator {}, "
        "but is to be loaded with {}; set up the Simulator the same way.",
        text, integrator.DescribeSettings()));
  }
  Standing result;
  ReadBinary(&result.timed, stream);
  ReadBinary(&result.per_step, stream);
  ReadBinary(&result.unrestricted_done, stream);
  ReadBinary(&result.stopped_at, stream);
  ReadBinary(&result.exact_time, stream);
  result.now = ReadPlace(stream, integrator);
  ReadBinary(&result.has_step_start, stream);
  if (result.has_step_start) result.step_start = ReadPlace(stream, integrator);
  ReadBinary(&result.resolution.num_steps, stream);
  ReadBinary(&result.resolution.longest, stream);
  ReadBinary(&result.resolution.limit, stream);
  ReadBinary(&result.resolution.too_long, stream);
  if (!(result.resolution.num_steps >= 0 && result.resolution.limit > 0)) {
    throw std::runtime_error(fmt::format(
        "LoadSimulation(): {} steps with witness functions, at most {} s long; "
        "save the simulation anew.",
        result.resolution.num_steps, result.resolution.limit));
  }
  ReadBinary(&result.witnessed, stream);
  if (result.witnessed) {
    result.found =
        ReadFound(stream, integrator.get_context().num_continuous_states());
  }
  return result;
}

// Events that were due are not written; they are computed again.
void SimulatorArchive::FindTimedEvents(const Standing& standing,
                                       Simulator<double>* simulator) {
  Context<double>& context = *simulator->context_;
  const double time = standing.exact_time;
  context.PerturbTime(
      std::nextafter(time, -std::numeric_limits<double>::infinity()), time);
  const double next = simulator->get_system().CalcNextUpdateTime(
      context, simulator->timed_events_.get());
  context.SetTime(standing.stopped_at);
  if (std::abs(next - time) > 2 * SameTimeTolerance(time)) {
    throw std::runtime_error(fmt::format(
        "LoadSimulation(): timed events were due at {}, but '{}' now says that "
        "the next are at {}; load into the System it was saved from.",
        time, simulator->get_system().GetSystemPathname(), next));
  }
}

void SimulatorArchive::FindWitnessedEvents(const Standing& standing,
                                           Simulator<double>* simulator) {
  Context<double>& context = *simulator->context_;
  context.SetTime(standing.exact_time);
  const bool is_found = simulator->witnesses_->Repeat(
      standing.found, &context, simulator->witnessed_events_.get());
  context.SetTime(standing.stopped_at);
  if (!is_found) {
    throw std::runtime_error(fmt::format(
        "LoadSimulation(): the events of {} were due at {}, but '{}' does not "
        "give the same witness functions for the step from {}; load into the "
        "System it was saved from, and save before updates at that time change "
        "its state.",
        fmt::join(standing.found.names, ", "), standing.exact_time,
        simulator->get_system().GetSystemPathname(),
        standing.found.start_time));
  }
}

void SimulatorArchive::Load(std::istream* stream,
                            Simulator<double>* simulator) {
  if (simulator->busy_in_ != nullptr) {
    throw std::logic_error(fmt::format(
        "LoadSimulation(): called within Simulator::{}() of '{}', by a "
        "monitor, an event handler or a System that is being evaluated; call "
        "it after that has returned.",
        simulator->busy_in_, simulator->get_system().GetSystemPathname()));
  }
  Context<double>& context = simulator->get_mutable_context();
  std::istringstream content(
      wyvern::internal::ReadSealed("LoadSimulation", kKind, kVersion, stream));
  IntegratorBase<double>& integrator = simulator->get_mutable_integrator();
  simulator->is_initialized_ = false;
  integrator.Initialize();
  const Standing standing = Read(&content, integrator);
  LoadContext(&content, &context);

  simulator->AllocateCollections();
  simulator->ResetStatistics();
  simulator->witnesses_->Restart();
  simulator->witnesses_->set_resolution(standing.resolution);
  integrator.ReturnTo(standing.now);
  context.SetTime(standing.stopped_at);
  simulator->get_system().GetPerStepEvents(context,
                                           simulator->per_step_events_.get());
  if (standing.timed) FindTimedEvents(standing, simulator);
  if (standing.witnessed) FindWitnessedEvents(standing, simulator);

  simulator->timed_events_are_due_ = standing.timed;
  simulator->witnessed_events_are_due_ = standing.witnessed;
  simulator->per_step_updates_are_due_ = standing.per_step;
  simulator->are_unrestricted_updates_done_ = standing.unrestricted_done;
  simulator->is_stepping_ = false;
  simulator->stopped_at_ = standing.stopped_at;
  simulator->exact_time_ = standing.exact_time;
  simulator->place_ = standing.step_start;
  simulator->is_place_kept_ = standing.has_step_start;
  simulator->changes_when_stopped_ = context.num_changes();
  simulator->is_initialized_ = true;
}

}  // namespace internal

void SaveSimulation(const Simulator<double>& simulator, std::ostream* stream) {
  wyvern::internal::RequireNotNull("SaveSimulation", "stream", stream);
  internal::SimulatorArchive::Save(simulator, stream);
}

void LoadSimulation(std::istream* stream, Simulator<double>* simulator) {
  wyvern::internal::RequireNotNull("LoadSimulation", "stream", stream);
  wyvern::internal::RequireNotNull("LoadSimulation", "simulator", simulator);
  internal::SimulatorArchive::Load(stream, simulator);
}

}  // namespace wyvern::systems
