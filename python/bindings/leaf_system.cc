// Blocks that are written in Python: class Controller(LeafSystem).
//
// The library calls a declared function from any thread, which then takes the
// GIL. The callback does not see the library's own output. It fills a scratch
// object of the same shape that Python owns, and the numbers are copied. An
// output that a callback keeps therefore stays valid forever, and the next call
// uses a new one. Copying a few numbers costs less than wrapping an object.
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/trampoline.h>

#include "python/bindings/abstract_values.h"
#include "python/bindings/callbacks.h"
#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/gil.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/framework/witness_function.h"

namespace wyvern::python {

using namespace systems;  // NOLINT(build/namespaces)

namespace {

using Vector = BasicVector<double>;
using Discrete = DiscreteValues<double>;
using Tickets = std::set<DependencyTicket>;

// Without prerequisites, everything.
Tickets OrAllSources(const std::optional<Tickets>& tickets) {
  return tickets.value_or(Tickets{SystemBase::all_sources_ticket()});
}

// An object of Python that callbacks fill, used again unless somebody keeps it.
class Scratch final {
 public:
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { DropReference(&object_); }

  // Calls `use` with the object. A callback within it gets another one.
  template <typename Make, typename Use>
  void With(const Make& make, const Use& use) {
    nb::object object = std::move(object_);
    if (!object.is_valid()) object = make();
    use(object);
    if (Py_REFCNT(object.ptr()) == 1) object_ = std::move(object);
  }

 private:
  nb::object object_;
};

// The function of Python that overrides a virtual one, if there is one. Holds
// the GIL in this case alone.
class Override final {
 public:
  Override(const nb::detail::trampoline& trampoline, const char* name,
           uint64_t hash)
      : trampoline_(trampoline) {
    StopIfTooLate();
    StopIfPythonEnds(
        [&] { ticket_.emplace(trampoline, name, hash, /* pure = */ false); });
  }

  explicit operator bool() const { return ticket_->key.is_valid(); }

  template <typename... Arguments>
  nb::object operator()(const Arguments&... arguments) const {
    return StopIfPythonEnds([&]() -> nb::object {
      return trampoline_.base().attr(ticket_->key)(arguments...);
    });
  }

 private:
  const nb::detail::trampoline& trampoline_;
  std::optional<nb::detail::ticket> ticket_;
};

EventStatus StatusOf(const nb::object& result, const SystemBase& system,
                     const char* what, double time) {
  if (result.is_none()) return EventStatus::Succeeded();
  const EventStatus* status{};
  if (nb::try_cast(result, status) && status != nullptr) return *status;
  throw nb::type_error(
      fmt::format("A callback must return None or an EventStatus, not {} ({}).",
                  nb::inst_name(result).c_str(),
                  DescribePlace(system, what, time))
          .c_str());
}

// The event of a witness function as Python makes it: what kind it is, and what
// it calls. The object that a callback gets has no function.
struct WitnessEvent {
  enum class Kind { kPublish, kDiscrete, kUnrestricted };
  Kind kind{};
  nb::object callback;
};

// Python shows each kind as a class of its own.
template <WitnessEvent::Kind kKind>
struct WitnessEventOf : WitnessEvent {
  WitnessEventOf() { kind = kKind; }
  explicit WitnessEventOf(nb::object callback_in) {
    kind = kKind;
    callback = std::move(callback_in);
  }
};
using PyPublishEvent = WitnessEventOf<WitnessEvent::Kind::kPublish>;
using PyDiscreteEvent = WitnessEventOf<WitnessEvent::Kind::kDiscrete>;
using PyUnrestrictedEvent = WitnessEventOf<WitnessEvent::Kind::kUnrestricted>;

class PyLeafSystem final : public LeafSystem<double> {
 public:
  NB_TRAMPOLINE(LeafSystem<double>);
  using Base = LeafSystem<double>;
  using Base::DeclareAbstractInputPort;
  using Base::DeclareContinuousState;
  using Base::DeclareDiscreteState;
  using Base::DeclareForcedEvent;
  using Base::DeclareInitializationEvent;
  using Base::DeclareNumericParameter;
  using Base::DeclarePeriodicEvent;
  using Base::DeclarePerStepEvent;
  using Base::DeclareStateOutputPort;
  using Base::DeclareVectorInputPort;
  using Base::DeclareVectorOutputPort;

  PyLeafSystem() = default;

  OutputPort<double>& DeclareVector(const Name& name, int size, Callback calc,
                                    Tickets tickets) {
    auto scratch = std::make_shared<Scratch>();
    return DeclareVectorOutputPort(
        PortName(name), size,
        [this, calc, size, scratch](const Ctx& context, Vector* output) {
          const GilAcquire gil;
          const ContextArgument argument(context);
          scratch->With(
              [size] { return nb::cast(std::make_unique<Vector>(size)); },
              [&](const nb::object& object) {
                auto& filled = nb::cast<Vector&>(object);
                filled.SetFrom(*output);
                calc.Call(*this, context.get_time(), argument.object(), object);
                output->SetFrom(filled);
              });
        },
        std::move(tickets));
  }

  OutputPort<double>& DeclareAbstract(const Name& name, Callback allocate,
                                      Callback calc, Tickets tickets) {
    return Base::DeclareAbstractOutputPort(
        PortName(name),
        [this, allocate] {
          const GilAcquire gil;
          return AbstractValue::Make(PythonObject(allocate.Call(*this, 0)));
        },
        [this, calc](const Ctx& context, AbstractValue* output) {
          const GilAcquire gil;
          const ContextArgument argument(context);
          output->set_value(PythonObject(
              calc.Call(*this, context.get_time(), argument.object())));
        },
        std::move(tickets));
  }

  PublishEvent<double> MakePublish(Callback call) const {
    return PublishEvent<double>([call](const System<double>& system,
                                       const Ctx& context,
                                       const PublishEvent<double>& event) {
      const GilAcquire gil;
      const double time = context.get_time();
      const ContextArgument argument(context);
      return Handle<PyPublishEvent>(call, event, system, time,
                                    argument.object());
    });
  }

  DiscreteUpdateEvent<double> MakeDiscrete(Callback call) const {
    auto scratch = std::make_shared<Scratch>();
    return DiscreteUpdateEvent<double>(
        [call, scratch](const System<double>& system, const Ctx& context,
                        const DiscreteUpdateEvent<double>& event,
                        Discrete* next) {
          const GilAcquire gil;
          const double time = context.get_time();
          const ContextArgument argument(context);
          std::optional<EventStatus> status;
          scratch->With([next] { return nb::cast(next->Clone()); },
                        [&](const nb::object& object) {
                          auto& filled = nb::cast<Discrete&>(object);
                          filled.SetFrom(*next);
                          status = Handle<PyDiscreteEvent>(
                              call, event, system, time, argument.object(),
                              object);
                          next->SetFrom(filled);
                        });
          return *status;
        });
  }

  UnrestrictedUpdateEvent<double> MakeUnrestricted(Callback call) const {
    return UnrestrictedUpdateEvent<double>(
        [call](const System<double>& system, const Ctx& context,
               const UnrestrictedUpdateEvent<double>& event,
               State<double>* next) {
          const GilAcquire gil;
          const double time = context.get_time();
          const ContextArgument argument(context);
          const nb::object object = nb::cast(context.CloneState());
          auto& filled = nb::cast<State<double>&>(object);
          filled.SetFrom(*next);
          EventStatus status = Handle<PyUnrestrictedEvent>(
              call, event, system, time, argument.object(), object);
          next->SetFrom(filled);
          return status;
        });
  }

  // The witness function lives as long as this.
  const WitnessFunction<double>& MakeWitness(const std::string& description,
                                             WitnessFunctionDirection direction,
                                             Callback calc,
                                             const Event<double>* event) {
    std::function<double(const Ctx&)> function = [this,
                                                  calc](const Ctx& context) {
      const GilAcquire gil;
      const double time = context.get_time();
      const ContextArgument argument(context);
      const nb::object result = calc.Call(*this, time, argument.object());
      double value{};
      if (nb::try_cast(result, value)) return value;
      throw nb::type_error(
          fmt::format("A witness function must return a number, not {} ({}).",
                      nb::inst_name(result).c_str(),
                      DescribePlace(*this, calc.what(), time))
              .c_str());
    };
    witnesses_.push_back(
        event != nullptr
            ? MakeWitnessFunction(description, direction, function, *event)
            : MakeWitnessFunction(description, direction, function));
    return *witnesses_.back();
  }

  void DoGetWitnessFunctions(
      const Ctx& context,
      std::vector<const WitnessFunction<double>*>* witnesses) const override {
    constexpr const char* kName = "DoGetWitnessFunctions";
    constexpr uint64_t kHash = nb::detail::str_hash(kName);
    const Override call(nb_trampoline, kName, kHash);
    if (!call) return;
    const double time = context.get_time();
    const ContextArgument argument(context);
    try {
      const nb::object result = call(argument.object());
      for (const nb::handle item : result) {
        const WitnessFunction<double>* witness{};
        if (!nb::try_cast(item, witness) || witness == nullptr ||
            &witness->get_system() != this) {
          throw nb::type_error(
              fmt::format("DoGetWitnessFunctions() must return a list of what "
                          "MakeWitnessFunction() of this System returned ({}).",
                          DescribePlace(*this, kName, time))
                  .c_str());
        }
        witnesses->push_back(witness);
      }
    } catch (const nb::python_error& error) {
      throw CallbackError(error, DescribePlace(*this, kName, time));
    }
  }

  void DoCalcTimeDerivatives(
      const Ctx& context, ContinuousState<double>* derivatives) const override {
    constexpr const char* kName = "DoCalcTimeDerivatives";
    constexpr uint64_t kHash = nb::detail::str_hash(kName);
    const Override call(nb_trampoline, kName, kHash);
    if (!call) {
      Base::DoCalcTimeDerivatives(context, derivatives);
      return;
    }
    const double time = context.get_time();
    const ContextArgument argument(context);
    derivatives_.With(
        [this] { return nb::cast(AllocateTimeDerivatives()); },
        [&](const nb::object& object) {
          auto& filled = nb::cast<ContinuousState<double>&>(object);
          filled.SetFrom(*derivatives);
          try {
            call(argument.object(), object);
          } catch (const nb::python_error& error) {
            throw CallbackError(error, DescribePlace(*this, kName, time));
          }
          derivatives->SetFrom(filled);
        });
  }

 private:
  // Calls the handler of an event. Those of witness functions get the event.
  template <typename PyEvent, typename... Output>
  static EventStatus Handle(const Callback& call, const Event<double>& event,
                            const System<double>& system, double time,
                            nb::handle context, const Output&... output) {
    const bool is_of_witness =
        event.get_trigger_type() == TriggerType::kWitness;
    const nb::object result =
        is_of_witness ? call.Call(system, time, context, nb::cast(PyEvent()),
                                  nb::handle(output)...)
                      : call.Call(system, time, context, nb::handle(output)...);
    return StatusOf(result, system, call.what(), time);
  }

  std::vector<std::unique_ptr<WitnessFunction<double>>> witnesses_;
  mutable Scratch derivatives_;
};

using Class = DocumentedClass<LeafSystem<double>, System<double>, PyLeafSystem>;

// The object of a class that Python defines; a System of C++ declares its ports
// itself.
PyLeafSystem& Declaring(nb::handle self) {
  auto* system =
      dynamic_cast<PyLeafSystem*>(&nb::cast<LeafSystem<double>&>(self));
  if (system == nullptr) {
    throw nb::type_error(
        fmt::format("{} is a System of C++: only a class that derives from "
                    "LeafSystem in Python can declare ports, state and events.",
                    nb::inst_name(self).c_str())
            .c_str());
  }
  return *system;
}

void BindInputDeclarations(Class* leaf) {
  using Self = nb::handle_t<LeafSystem<double>>;
  leaf->def(
          "DeclareVectorInputPort",
          [](Self self, const Name& name, int size) {
            return ShowPort(
                Declaring(self).DeclareVectorInputPort(PortName(name), size),
                self);
          },
          nb::sig("def DeclareVectorInputPort(self, name: str | None, size: "
                  "int) -> InputPort"),
          "name"_a.none(), "size"_a)
      .def(
          "DeclareVectorInputPort",
          [](Self self, const Name& name, const Vector& model) {
            return ShowPort(
                Declaring(self).DeclareVectorInputPort(PortName(name), model),
                self);
          },
          nb::sig("def DeclareVectorInputPort(self, name: str | None, "
                  "model_vector: BasicVector) -> InputPort"),
          "name"_a.none(), "model_vector"_a)
      .def(
          "DeclareAbstractInputPort",
          [](Self self, const Name& name, nb::object model) {
            return ShowPort(
                Declaring(self).DeclareAbstractInputPort(
                    PortName(name), Value<PythonObject>(PythonObject(model))),
                self);
          },
          nb::sig("def DeclareAbstractInputPort(self, name: str | None, "
                  "model_value: object | None = None) -> InputPort"),
          "name"_a.none(), "model_value"_a.none() = nb::none(),
          "An input of any Python object.");
}

void BindOutputDeclarations(Class* leaf) {
  using Self = nb::handle_t<LeafSystem<double>>;
  leaf->def(
          "DeclareVectorOutputPort",
          [](Self self, const Name& name, int size, nb::object calc,
             const std::optional<Tickets>& tickets) {
            return ShowPort(
                Declaring(self).DeclareVector(
                    name, size,
                    Callback(self, calc, "the output port's function"),
                    OrAllSources(tickets)),
                self);
          },
          nb::sig("def DeclareVectorOutputPort(self, name: str | None, size: "
                  "int, calc: collections.abc.Callable, prerequisites_of_calc: "
                  "set[int] | None = None) -> OutputPort"),
          "name"_a.none(), "size"_a, "calc"_a,
          "prerequisites_of_calc"_a.none() = nb::none(),
          "Declares an output that calc(context, output) computes.")
      .def(
          "DeclareAbstractOutputPort",
          [](Self self, const Name& name, nb::object alloc, nb::object calc,
             const std::optional<Tickets>& tickets) {
            return ShowPort(
                Declaring(self).DeclareAbstract(
                    name, Callback(self, alloc, "the output port's allocation"),
                    Callback(self, calc, "the output port's function"),
                    OrAllSources(tickets)),
                self);
          },
          nb::sig(
              "def DeclareAbstractOutputPort(self, name: str | None, alloc: "
              "collections.abc.Callable, calc: collections.abc.Callable, "
              "prerequisites_of_calc: set[int] | None = None) -> "
              "OutputPort"),
          "name"_a.none(), "alloc"_a, "calc"_a,
          "prerequisites_of_calc"_a.none() = nb::none(),
          "Declares an output of any Python object: calc(context) returns it.")
      .def(
          "DeclareStateOutputPort",
          [](Self self, const Name& name, DiscreteStateIndex index) {
            const OutputPort<double>& port =
                Declaring(self).DeclareStateOutputPort(PortName(name), index);
            return ShowPort(port, self);
          },
          nb::sig("def DeclareStateOutputPort(self, name: str | None, "
                  "state_index: int) -> OutputPort"),
          "name"_a.none(), "state_index"_a);
}

void BindStateDeclarations(Class* leaf) {
  leaf->def(
          "DeclareContinuousState",
          [](nb::handle_t<LeafSystem<double>> self, int size) {
            return Declaring(self).DeclareContinuousState(size);
          },
          "num_state_variables"_a)
      .def(
          "DeclareContinuousState",
          [](nb::handle_t<LeafSystem<double>> self, int q, int v, int z) {
            return Declaring(self).DeclareContinuousState(q, v, z);
          },
          "num_q"_a, "num_v"_a, "num_z"_a)
      .def(
          "DeclareContinuousState",
          [](nb::handle_t<LeafSystem<double>> self, const Vector& model) {
            return Declaring(self).DeclareContinuousState(model);
          },
          "model_vector"_a)
      .def(
          "DeclareContinuousState",
          [](nb::handle_t<LeafSystem<double>> self, const Vector& model, int q,
             int v, int z) {
            return Declaring(self).DeclareContinuousState(model, q, v, z);
          },
          "model_vector"_a, "num_q"_a, "num_v"_a, "num_z"_a)
      .def(
          "DeclareDiscreteState",
          [](nb::handle_t<LeafSystem<double>> self, int size) {
            return Declaring(self).DeclareDiscreteState(size);
          },
          "num_state_variables"_a)
      .def(
          "DeclareDiscreteState",
          [](nb::handle_t<LeafSystem<double>> self, const Vector& model) {
            return Declaring(self).DeclareDiscreteState(model);
          },
          "model_vector"_a)
      .def(
          "DeclareDiscreteState",
          [](nb::handle_t<LeafSystem<double>> self, const VectorXd& vector) {
            return Declaring(self).DeclareDiscreteState(vector);
          },
          "vector"_a)
      .def(
          "DeclareNumericParameter",
          [](nb::handle_t<LeafSystem<double>> self, const Vector& model) {
            return Declaring(self).DeclareNumericParameter(model);
          },
          "model_vector"_a);
}

// The events of one kind: how their callback is named, and made into an event.
template <typename Event>
void BindEventDeclarations(Class* leaf, const std::string& kind,
                           const char* argument,
                           Event (PyLeafSystem::*make)(Callback) const) {
  leaf->def(("DeclarePeriodic" + kind + "Event").c_str(),
            [make](nb::handle_t<LeafSystem<double>> self, double period_sec,
                   double offset_sec, nb::object call) {
              PyLeafSystem& system = Declaring(self);
              system.DeclarePeriodicEvent(
                  period_sec, offset_sec,
                  (system.*make)(Callback(self, call, "a periodic event")));
            },
            "period_sec"_a, "offset_sec"_a, nb::arg(argument));
  leaf->def(("DeclarePerStep" + kind + "Event").c_str(),
            [make](nb::handle_t<LeafSystem<double>> self, nb::object call) {
              PyLeafSystem& system = Declaring(self);
              system.DeclarePerStepEvent(
                  (system.*make)(Callback(self, call, "a per-step event")));
            },
            nb::arg(argument));
  leaf->def(("DeclareInitialization" + kind + "Event").c_str(),
            [make](nb::handle_t<LeafSystem<double>> self, nb::object call) {
              PyLeafSystem& system = Declaring(self);
              system.DeclareInitializationEvent((system.*make)(
                  Callback(self, call, "an initialization event")));
            },
            nb::arg(argument));
  leaf->def(("DeclareForced" + kind + "Event").c_str(),
            [make](nb::handle_t<LeafSystem<double>> self, nb::object call) {
              PyLeafSystem& system = Declaring(self);
              system.DeclareForcedEvent(
                  (system.*make)(Callback(self, call, "a forced event")));
            },
            nb::arg(argument));
}

template <typename E>
void BindWitnessEvent(nb::module_ m, const char* name, const char* text) {
  nb::class_<E, WitnessEvent>(m, name, text)
      .def(nb::init<nb::object>(), "callback"_a);
}

void BindWitnessFunctions(nb::module_ m, Class* leaf) {
  nb::enum_<WitnessFunctionDirection>(m, "WitnessFunctionDirection")
      .value("kNone", WitnessFunctionDirection::kNone)
      .value("kPositiveThenNonPositive",
             WitnessFunctionDirection::kPositiveThenNonPositive)
      .value("kNegativeThenNonNegative",
             WitnessFunctionDirection::kNegativeThenNonNegative)
      .value("kCrossesZero", WitnessFunctionDirection::kCrossesZero);
  nb::class_<WitnessEvent>(m, "Event", "What a witness function triggers.");
  BindWitnessEvent<PyPublishEvent>(m, "PublishEvent",
                                   "Calls callback(context, event).");
  BindWitnessEvent<PyDiscreteEvent>(
      m, "DiscreteUpdateEvent",
      "Calls callback(context, event, discrete_state).");
  BindWitnessEvent<PyUnrestrictedEvent>(
      m, "UnrestrictedUpdateEvent", "Calls callback(context, event, state).");
  using Witness = WitnessFunction<double>;
  DocumentedClass<Witness>(m, "WitnessFunction", nb::dynamic_attr())
      .def("description", &Witness::description)
      .def("direction_type", &Witness::direction_type)
      .def("CalcWitnessValue", &Witness::CalcWitnessValue, "context"_a);
  // Classes without witness functions have this one; nanobind looks for it.
  leaf->def(
      "DoGetWitnessFunctions",
      [](const LeafSystem<double>&, const Ctx&) { return nb::list(); },
      "context"_a, "Returns a list of witness functions; override it.");
  leaf->def(
      "MakeWitnessFunction",
      [](nb::handle_t<LeafSystem<double>> self, const std::string& description,
         WitnessFunctionDirection direction, nb::object calc,
         const WitnessEvent* event) {
        PyLeafSystem& system = Declaring(self);
        std::unique_ptr<Event<double>> made;
        if (event != nullptr) {
          const Callback call(self, event->callback,
                              "the event of a witness function");
          switch (event->kind) {
            case WitnessEvent::Kind::kPublish:
              made = system.MakePublish(call).Clone();
              break;
            case WitnessEvent::Kind::kDiscrete:
              made = system.MakeDiscrete(call).Clone();
              break;
            case WitnessEvent::Kind::kUnrestricted:
              made = system.MakeUnrestricted(call).Clone();
              break;
          }
        }
        return ShowPort(
            system.MakeWitness(description, direction,
                               Callback(self, calc, "a witness function"),
                               made.get()),
            self);
      },
      nb::sig("def MakeWitnessFunction(self, description: str, direction_type: "
              "WitnessFunctionDirection, calc: collections.abc.Callable, "
              "e: Event | None = None) -> WitnessFunction"),
      "description"_a, "direction_type"_a, "calc"_a, "e"_a.none() = nb::none(),
      "Returns a function calc(context) whose sign changes trigger the event "
      "e. "
      "Return it in DoGetWitnessFunctions(context), in a list.");
}

}  // namespace

void BindLeafSystem(nb::module_ m) {
  Class leaf(m, "LeafSystem", "The class to derive a block from.");
  leaf.def(nb::init<>());
  BindInputDeclarations(&leaf);
  BindOutputDeclarations(&leaf);
  BindStateDeclarations(&leaf);
  BindEventDeclarations(&leaf, "Publish", "publish",
                        &PyLeafSystem::MakePublish);
  BindEventDeclarations(&leaf, "DiscreteUpdate", "update",
                        &PyLeafSystem::MakeDiscrete);
  BindEventDeclarations(&leaf, "UnrestrictedUpdate", "update",
                        &PyLeafSystem::MakeUnrestricted);
  BindWitnessFunctions(m, &leaf);
}

}  // namespace wyvern::python
