// The Simulator in Python.
//
// The Context of a simulation is always a Python object of its own, which
// outlives the Simulator if somebody keeps it; the C++ Simulator borrows it and
// gives it back before it ends. AdvanceTo() releases the GIL. Its monitor lets
// Python see signals every 20 ms, so that Ctrl-C raises KeyboardInterrupt, and
// then calls the monitor of the user.
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/callbacks.h"
#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/gil.h"
#include "wyvern/simulator/analysis/simulator_config_functions.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::python {

using namespace systems;  // NOLINT(build/namespaces)

namespace {

class PySimulator final {
 public:
  PySimulator(nb::handle_t<System<double>> system, nb::object context)
      : system_(nb::borrow(system)) {
    if (context.is_none()) context = system.attr("CreateDefaultContext")();
    Ctx* borrowed = Require(context);
    simulator_ = std::make_unique<Simulator<double>>(
        nb::cast<System<double>&>(system_), std::unique_ptr<Ctx>(borrowed));
    context_ = std::move(context);
    simulator_->set_monitor(
        [this](const Ctx& root) { return CallMonitor(root); });
  }
  PySimulator(const PySimulator&) = delete;
  PySimulator& operator=(const PySimulator&) = delete;
  ~PySimulator() {
    if (simulator_ != nullptr) simulator_->release_context().release();
  }

  Simulator<double>& simulator() { return *simulator_; }
  const nb::object& system() const { return system_; }
  const nb::object& context() const { return context_; }

  void ResetContext(nb::object context) {
    RequireIdle("reset_context");
    Ctx* borrowed = Require(context);
    simulator_->release_context().release();
    context_ = std::move(context);
    simulator_->reset_context(std::unique_ptr<Ctx>(borrowed));
  }

  SimulatorStatus Initialize() {
    return Run("Initialize", [this] { return simulator_->Initialize(); });
  }
  SimulatorStatus AdvanceTo(double time) {
    return Run("AdvanceTo",
               [this, time] { return simulator_->AdvanceTo(time); });
  }
  SimulatorStatus AdvancePendingEvents() {
    return Run("AdvancePendingEvents",
               [this] { return simulator_->AdvancePendingEvents(); });
  }

  void SetMonitor(nb::object monitor) {
    if (!monitor.is_none() && !PyCallable_Check(monitor.ptr())) {
      throw nb::type_error("set_monitor() wants a function or None.");
    }
    monitor_ = std::move(monitor);
  }
  nb::object monitor() const { return monitor_; }

  // For Python's garbage collector: a monitor often refers to its Simulator.
  int Visit(visitproc visit, void* arg) const {
    Py_VISIT(system_.ptr());
    Py_VISIT(context_.ptr());
    Py_VISIT(monitor_.ptr());
    return 0;
  }
  void ClearMonitor() { monitor_ = nb::none(); }

  void RequireIdle(const char* function) const {
    if (!is_busy_) return;
    throw std::logic_error(
        fmt::format("Simulator::{}() was called while this Simulator runs; "
                    "call it between the calls of AdvanceTo().",
                    function));
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Returns the root Context, which the Simulator may borrow.
  Ctx* Require(nb::handle context) const {
    auto& result = nb::cast<Ctx&>(context);
    nb::cast<const System<double>&>(system_).ValidateContext(result);
    if (!result.is_root_context()) {
      throw std::logic_error(
          fmt::format("A Simulator needs the root Context, not that of '{}'.",
                      result.GetSystemPathname()));
    }
    return &result;
  }

  template <typename Advance>
  SimulatorStatus Run(const char* function, const Advance& advance) {
    RequireIdle(function);
    // The Simulator stays while a callback drops the last reference to it.
    const nb::object self = nb::find(this);
    is_busy_ = true;
    next_look_ = Clock::now();
    struct Done {
      bool* busy;
      ~Done() { *busy = false; }
    } done{&is_busy_};
    const GilRelease release;
    return advance();
  }

  EventStatus CallMonitor(const Ctx& root) {
    const Clock::time_point now = Clock::now();
    if (now >= next_look_) {
      next_look_ = now + std::chrono::milliseconds(20);
      const GilAcquire gil;
      if (PyErr_CheckSignals() != 0) {
        const nb::python_error error;
        throw CallbackError(
            error, fmt::format("in AdvanceTo() at time {} s", root.get_time()));
      }
    }
    if (monitor_.is_none()) return EventStatus::DidNothing();
    const GilAcquire gil;
    try {
      const nb::object result =
          StopIfPythonEnds([this] { return monitor_(context_); });
      if (result.is_none()) return EventStatus::Succeeded();
      return nb::cast<EventStatus>(result);
    } catch (const nb::python_error& error) {
      throw CallbackError(
          error, fmt::format("in the monitor at time {} s", root.get_time()));
    } catch (const nb::cast_error&) {
      throw std::logic_error("A monitor must return None or an EventStatus.");
    }
  }

  nb::object system_;
  nb::object context_;
  std::unique_ptr<Simulator<double>> simulator_;
  nb::object monitor_{nb::none()};
  bool is_busy_{false};
  Clock::time_point next_look_;
};

int Traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  return nb::inst_ptr<PySimulator>(self)->Visit(visit, arg);
}

int Clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<PySimulator>(self)->ClearMonitor();
  return 0;
}

PyType_Slot kCollectable[] = {
    {Py_tp_traverse, reinterpret_cast<void*>(Traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(Clear)},
    {0, nullptr}};

void BindStatus(nb::module_ m) {
  using S = SimulatorStatus;
  DocumentedClass<S> status(m, "SimulatorStatus", "Why AdvanceTo() returned.");
  nb::enum_<S::ReturnReason>(status, "ReturnReason")
      .value("kReachedBoundaryTime", S::kReachedBoundaryTime)
      .value("kReachedTerminationCondition", S::kReachedTerminationCondition)
      .value("kEventHandlerFailed", S::kEventHandlerFailed);
  status.def("FormatMessage", &S::FormatMessage)
      .def("succeeded", &S::succeeded)
      .def("reason", &S::reason)
      .def("boundary_time", &S::boundary_time)
      .def("return_time", &S::return_time)
      .def("message", &S::message)
      .def("__repr__", &S::FormatMessage);
}

void BindIntegrator(nb::module_ m) {
  using I = IntegratorBase<double>;
  DocumentedClass<I>(m, "IntegratorBase", "The integrator of a Simulator.")
      .def("set_target_accuracy", &I::set_target_accuracy, "accuracy"_a)
      .def("get_target_accuracy", &I::get_target_accuracy)
      .def("set_maximum_step_size", &I::set_maximum_step_size,
           "max_step_size"_a)
      .def("get_maximum_step_size", &I::get_maximum_step_size)
      .def("set_requested_minimum_step_size",
           &I::set_requested_minimum_step_size, "min_step_size"_a)
      .def("set_fixed_step_mode", &I::set_fixed_step_mode, "flag"_a)
      .def("get_fixed_step_mode", &I::get_fixed_step_mode)
      .def("get_num_steps_taken", &I::get_num_steps_taken)
      .def("get_num_derivative_evaluations",
           &I::get_num_derivative_evaluations);
}

void BindRunning(DocumentedClass<PySimulator>* simulator) {
  using P = PySimulator;
  simulator
      ->def(nb::init<nb::handle_t<System<double>>, nb::object>(), "system"_a,
            "context"_a.none() = nb::none(),
            nb::sig("def __init__(self, system: "
                    "wyvern.systems.framework.System, context: "
                    "wyvern.systems.framework.Context | None = None) -> None"))
      .def("Initialize", &P::Initialize)
      .def("AdvanceTo", &P::AdvanceTo, "boundary_time"_a,
           "Advances to the time [s]. Other Python threads run meanwhile.")
      .def("AdvancePendingEvents", &P::AdvancePendingEvents)
      .def("set_monitor", &P::SetMonitor, "monitor"_a.none(),
           "Calls monitor(root_context) after every step.")
      .def("clear_monitor", [](P& p) { p.ClearMonitor(); })
      .def("get_monitor", &P::monitor)
      .def("get_system", &P::system,
           nb::sig("def get_system(self) -> wyvern.systems.framework.System"))
      .def("get_context", &P::context,
           nb::sig("def get_context(self) -> wyvern.systems.framework.Context"))
      .def("get_mutable_context", &P::context,
           nb::sig("def get_mutable_context(self) -> "
                   "wyvern.systems.framework.Context"))
      .def("reset_context", &P::ResetContext, "context"_a);
}

}  // namespace

void BindSimulator(nb::module_ m) {
  BindStatus(m);
  BindIntegrator(m);
  using P = PySimulator;
  DocumentedClass<P> simulator(m, "Simulator", nb::type_slots(kCollectable),
                               nb::is_weak_referenceable(),
                               "Advances a System in time.");
  BindRunning(&simulator);
  simulator
      .def(
          "get_integrator",
          [](P& p) -> IntegratorBase<double>& {
            return p.simulator().get_mutable_integrator();
          },
          kInside)
      .def(
          "get_mutable_integrator",
          [](P& p) -> IntegratorBase<double>& {
            return p.simulator().get_mutable_integrator();
          },
          kInside)
      .def("set_target_realtime_rate",
           [](P& p, double rate) {
             p.simulator().set_target_realtime_rate(rate);
           })
      .def("get_target_realtime_rate",
           [](P& p) { return p.simulator().get_target_realtime_rate(); })
      .def("get_actual_realtime_rate",
           [](P& p) { return p.simulator().get_actual_realtime_rate(); })
      .def("set_publish_every_time_step",
           [](P& p, bool publish) {
             p.simulator().set_publish_every_time_step(publish);
           })
      .def("get_num_steps_taken",
           [](P& p) { return p.simulator().get_num_steps_taken(); })
      .def("get_num_publishes",
           [](P& p) { return p.simulator().get_num_publishes(); })
      .def("get_num_discrete_updates",
           [](P& p) { return p.simulator().get_num_discrete_updates(); })
      .def("get_num_unrestricted_updates",
           [](P& p) { return p.simulator().get_num_unrestricted_updates(); });
  m.def("GetIntegrationSchemes", &GetIntegrationSchemes,
        "Returns the names for ResetIntegratorFromFlags().");
  m.def(
      "ResetIntegratorFromFlags",
      [](P& p, const std::string& scheme, double max_step_size) {
        p.RequireIdle("ResetIntegratorFromFlags");
        ResetIntegratorFromFlags(&p.simulator(), scheme, max_step_size);
      },
      "simulator"_a, "scheme"_a, "max_step_size"_a,
      "Replaces the integrator; ask for it again afterwards.");
}

}  // namespace wyvern::python
