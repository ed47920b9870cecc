// Sweeps of scenarios: the library's function behind `wyvern sweep`. The class
// Scenario of wyvern/scenario.py makes it convenient.
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/callbacks.h"
#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/gil.h"
#include "wyvern/app/scenario_sweep.h"

namespace wyvern::python {

using app::ScenarioSweep;
using app::SweepOptions;
using app::SweepProgress;
using app::SweepSummary;

namespace {

// The link to Python while a sweep goes on: it looks for signals and tells a
// function the progress. The first exception ends the sweep. The forked
// processes of the sweep never call this.
class Listener final {
 public:
  explicit Listener(nb::object progress) : progress_(std::move(progress)) {}
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  bool ShouldStop() {
    if (error_.has_value()) return true;
    const GilAcquire gil;
    if (PyErr_CheckSignals() != 0) {
      error_.emplace(nb::python_error(), "in a sweep of a scenario");
    }
    return error_.has_value();
  }

  void Report(const SweepProgress& progress) {
    if (error_.has_value() || progress_.is_none()) return;
    const GilAcquire gil;
    try {
      StopIfPythonEnds([&] {
        progress_(progress.num_done, progress.num_samples, progress.num_failed);
      });
    } catch (const nb::python_error& error) {
      error_.emplace(error, "in the progress function of a sweep");
    }
  }

  void Rethrow() const {
    if (error_.has_value()) throw CallbackError(*error_);
  }

 private:
  const nb::object progress_;
  std::optional<CallbackError> error_;
};

SweepSummary Sweep(const std::filesystem::path& file,
                   const std::vector<std::string>& settings,
                   const std::vector<std::string>& parameters,
                   const std::vector<std::string>& outputs,
                   const std::filesystem::path& folder, uint64_t num_samples,
                   uint64_t seed, int jobs, bool resume, bool keep,
                   double timeout, nb::object progress) {
  if (!progress.is_none() && !PyCallable_Check(progress.ptr())) {
    throw nb::type_error("sweep() wants a function or None as progress.");
  }
  // A process of one sweep would inherit the sockets of another, which could
  // then not see that its own processes die. The GIL guards the flag.
  static bool is_running = false;
  if (is_running) {
    throw std::logic_error(
        "sweep() was called while another sweep of this process runs; run one "
        "at a time.");
  }
  is_running = true;
  struct Done {
    ~Done() { is_running = false; }
  } done;
  Listener listener(std::move(progress));
  SweepSummary summary;
  {
    const GilRelease release;
    std::vector<app::SweepParameter> read;
    for (const std::string& text : parameters) {
      read.push_back(app::ParseSweepParameter(text));
    }
    ScenarioSweep sweep{.scenario = file.string(), .settings = settings};
    if (!outputs.empty()) sweep.outputs = outputs;
    if (keep) sweep.sample_folder = folder / "samples";
    const SweepOptions options{
        .folder = folder,
        .jobs = jobs,
        .resume = resume,
        .timeout = timeout,
        .should_stop = [&listener] { return listener.ShouldStop(); },
        .report =
            [&listener](const SweepProgress& now) { listener.Report(now); }};
    summary = RunSweep(
        MakeStudy(sweep, app::SweepPlan(std::move(read), num_samples, seed)),
        options);
  }
  listener.Rethrow();
  return summary;
}

}  // namespace

void BindSweep(nb::module_ m) {
  DocumentedClass<SweepSummary>(m, "SweepSummary")
      .def_ro("num_samples", &SweepSummary::num_samples)
      .def_ro("num_done", &SweepSummary::num_done)
      .def_ro("num_failed", &SweepSummary::num_failed)
      .def_ro("num_resumed", &SweepSummary::num_resumed)
      .def_ro("table", &SweepSummary::table)
      .def_ro("hdf5_table", &SweepSummary::hdf5_table);
  m.def("sweep", &Sweep, "file"_a, "settings"_a, "parameters"_a, "outputs"_a,
        "folder"_a, "num_samples"_a, "seed"_a, "jobs"_a, "resume"_a, "keep"_a,
        "timeout"_a, "progress"_a.none(),
        "Runs a sweep and returns how it went.");
}

}  // namespace wyvern::python
