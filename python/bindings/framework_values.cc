// The data of the framework: vectors, the parts of a State, Contexts.
//
// A view that a function returns keeps the object alive that it was asked of,
// which keeps its own owner alive, up to the root Context. Reading a vector
// copies it; get_mutable_value() alone shares memory.
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "python/bindings/callbacks.h"
#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/context_serialization.h"
#include "wyvern/systems/framework/event.h"
#include "wyvern/systems/framework/system.h"

namespace wyvern::python {

using namespace systems;  // NOLINT(build/namespaces)

namespace {

void BindVectors(nb::module_ m) {
  using Base = VectorBase<double>;
  DocumentedClass<Base>(m, "VectorBase",
                        "Numbers that a state or a port holds.")
      .def("size", &Base::size)
      .def("__len__", &Base::size)
      .def(
          "GetAtIndex", [](const Base& v, int i) { return v.GetAtIndex(i); },
          "index"_a)
      .def(
          "SetAtIndex", [](Base& v, int i, double x) { v.SetAtIndex(i, x); },
          "index"_a, "value"_a)
      .def("__getitem__", [](const Base& v, int i) { return v.GetAtIndex(i); })
      .def("__setitem__", [](Base& v, int i, double x) { v.SetAtIndex(i, x); })
      .def("CopyToVector", &Base::CopyToVector,
           "Returns a copy of the numbers.")
      .def(
          "SetFromVector",
          [](Base& v, const VectorXd& value) { v.SetFromVector(value); },
          "value"_a)
      .def("SetZero", &Base::SetZero)
      .def("__repr__", [](const Base& v) { return fmt::format("{}", v); });

  using Basic = BasicVector<double>;
  DocumentedClass<Basic, Base>(m, "BasicVector",
                               "A vector that owns its numbers, side by side.")
      .def(nb::init<int>(), "size"_a, "Elements are NaN until set.")
      .def(nb::init<VectorXd>(), "data"_a)
      .def("value", &Basic::CopyToVector, "Returns a copy of the numbers.")
      .def("get_value", &Basic::CopyToVector, "Returns a copy of the numbers.")
      .def(
          "get_mutable_value",
          [](nb::handle_t<Basic> self) {
            auto& vector = nb::cast<Basic&>(self);
            double* data = vector.size() > 0
                               ? vector.MutableContiguousFrom(0).data()
                               : nullptr;
            return MakeView(data, vector.size(), self);
          },
          nb::sig("def get_mutable_value(self) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          "Returns an array that shares memory with this vector.")
      .def(
          "set_value",
          [](Basic& v, const VectorXd& value) { v.set_value(value); },
          "value"_a)
      .def("Clone", &Basic::Clone);
}

void BindStates(nb::module_ m) {
  using Continuous = ContinuousState<double>;
  DocumentedClass<Continuous>(m, "ContinuousState", "x = [q, v, z].")
      .def("size", &Continuous::size)
      .def("num_q", &Continuous::num_q)
      .def("num_v", &Continuous::num_v)
      .def("num_z", &Continuous::num_z)
      .def("get_vector", &Continuous::get_vector, kInside)
      .def("get_mutable_vector", &Continuous::get_mutable_vector, kInside)
      .def("get_generalized_position", &Continuous::get_generalized_position,
           kInside)
      .def("get_mutable_generalized_position",
           &Continuous::get_mutable_generalized_position, kInside)
      .def("get_generalized_velocity", &Continuous::get_generalized_velocity,
           kInside)
      .def("get_mutable_generalized_velocity",
           &Continuous::get_mutable_generalized_velocity, kInside)
      .def("get_misc_continuous_state", &Continuous::get_misc_continuous_state,
           kInside)
      .def("get_mutable_misc_continuous_state",
           &Continuous::get_mutable_misc_continuous_state, kInside)
      .def("CopyToVector", &Continuous::CopyToVector,
           "Returns a copy of the numbers.")
      .def(
          "SetFromVector",
          [](Continuous& x, const VectorXd& value) { x.SetFromVector(value); },
          "value"_a);

  using Discrete = DiscreteValues<double>;
  DocumentedClass<Discrete>(m, "DiscreteValues",
                            "Groups of numbers that change at events.")
      .def("num_groups", &Discrete::num_groups)
      .def("size", &Discrete::size)
      .def("__getitem__", [](const Discrete& x,
                             int i) { return x.get_vector().GetAtIndex(i); })
      .def("__setitem__",
           [](Discrete& x, int i, double v) { x.get_mutable_vector()[i] = v; })
      .def(
          "get_vector",
          [](const Discrete& x, int i) -> const BasicVector<double>& {
            return x.get_vector(i);
          },
          "index"_a = 0, kInside)
      .def(
          "get_mutable_vector",
          [](Discrete& x, int i) -> BasicVector<double>& {
            return x.get_mutable_vector(i);
          },
          "index"_a = 0, kInside)
      .def(
          "value", [](const Discrete& x, int i) { return x.value(i); },
          "index"_a = 0)
      .def(
          "get_value", [](const Discrete& x, int i) { return x.value(i); },
          "index"_a = 0)
      .def(
          "set_value",
          [](Discrete& x, const VectorXd& value) { x.set_value(value); },
          "value"_a)
      .def(
          "set_value",
          [](Discrete& x, int i, const VectorXd& value) {
            x.set_value(i, value);
          },
          "index"_a, "value"_a)
      .def("Clone", &Discrete::Clone);
}

void BindState(nb::module_ m) {
  using TheState = State<double>;
  DocumentedClass<TheState>(m, "State", "All that a System remembers.")
      .def("get_continuous_state", &TheState::get_continuous_state, kInside)
      .def("get_mutable_continuous_state",
           &TheState::get_mutable_continuous_state, kInside)
      .def("get_discrete_state",
           nb::overload_cast<>(&TheState::get_discrete_state, nb::const_),
           kInside)
      .def("get_mutable_discrete_state",
           nb::overload_cast<>(&TheState::get_mutable_discrete_state), kInside)
      .def(
          "get_discrete_state",
          [](const TheState& x, int i) -> const BasicVector<double>& {
            return x.get_discrete_state(i);
          },
          "index"_a, kInside)
      .def(
          "get_mutable_discrete_state",
          [](TheState& x, int i) -> BasicVector<double>& {
            return x.get_mutable_discrete_state(i);
          },
          "index"_a, kInside);
}

void BindEvents(nb::module_ m) {
  DocumentedClass<EventStatus> status(m, "EventStatus",
                                      "What a handler of an event returns.");
  nb::enum_<EventStatus::Severity>(status, "Severity")
      .value("kDidNothing", EventStatus::kDidNothing)
      .value("kSucceeded", EventStatus::kSucceeded)
      .value("kReachedTermination", EventStatus::kReachedTermination)
      .value("kFailed", EventStatus::kFailed);
  status.def_static("DidNothing", &EventStatus::DidNothing)
      .def_static("Succeeded", &EventStatus::Succeeded)
      .def_static("ReachedTermination", &EventStatus::ReachedTermination,
                  "system"_a.none(), "message"_a)
      .def_static("Failed", &EventStatus::Failed, "system"_a.none(),
                  "message"_a)
      .def("severity", &EventStatus::severity)
      .def("message", &EventStatus::message);
  nb::enum_<TriggerType>(m, "TriggerType")
      .value("kUnknown", TriggerType::kUnknown)
      .value("kInitialization", TriggerType::kInitialization)
      .value("kForced", TriggerType::kForced)
      .value("kTimed", TriggerType::kTimed)
      .value("kPeriodic", TriggerType::kPeriodic)
      .value("kPerStep", TriggerType::kPerStep)
      .value("kWitness", TriggerType::kWitness);
}

// The parts of a Context's state.
void BindContextStates(DocumentedClass<Context<double>>* context) {
  using C = Context<double>;
  context->def("get_state", &C::get_state, kInside)
      .def("get_mutable_state", &C::get_mutable_state, kInside)
      .def("num_total_states", &C::num_total_states)
      .def("num_continuous_states", &C::num_continuous_states)
      .def("num_discrete_state_groups", &C::num_discrete_state_groups)
      .def("is_stateless", &C::is_stateless)
      .def("has_only_continuous_state", &C::has_only_continuous_state)
      .def("has_only_discrete_state", &C::has_only_discrete_state)
      .def("get_continuous_state", &C::get_continuous_state, kInside)
      .def("get_mutable_continuous_state", &C::get_mutable_continuous_state,
           kInside)
      .def("get_continuous_state_vector", &C::get_continuous_state_vector,
           kInside)
      .def("get_mutable_continuous_state_vector",
           &C::get_mutable_continuous_state_vector, kInside)
      .def("get_discrete_state",
           nb::overload_cast<>(&C::get_discrete_state, nb::const_), kInside)
      .def(
          "get_discrete_state",
          [](const C& c, int i) -> const BasicVector<double>& {
            return c.get_discrete_state(i);
          },
          "index"_a, kInside)
      .def("get_mutable_discrete_state",
           nb::overload_cast<>(&C::get_mutable_discrete_state), kInside)
      .def(
          "get_mutable_discrete_state",
          [](C& c, int i) -> BasicVector<double>& {
            return c.get_mutable_discrete_state(i);
          },
          "index"_a, kInside)
      .def("get_discrete_state_vector", &C::get_discrete_state_vector, kInside)
      .def("get_mutable_discrete_state_vector",
           &C::get_mutable_discrete_state_vector, kInside)
      .def(
          "get_numeric_parameter",
          [](const C& c, int i) -> const BasicVector<double>& {
            return c.get_numeric_parameter(i);
          },
          "index"_a, kInside)
      .def(
          "get_mutable_numeric_parameter",
          [](C& c, int i) -> BasicVector<double>& {
            return c.get_mutable_numeric_parameter(i);
          },
          "index"_a, kInside)
      .def("num_numeric_parameter_groups", &C::num_numeric_parameter_groups);
}

// The bytes that SaveContext() writes, as an object of Python.
class SavedContext final {
 public:
  explicit SavedContext(const Ctx& context) {
    std::ostringstream stream;
    SaveContext(context, &stream);
    data_ = std::move(stream).str();
  }
  explicit SavedContext(const nb::bytes& data)
      : data_(data.c_str(), data.size()) {}

  nb::bytes data() const { return nb::bytes(data_.data(), data_.size()); }
  void LoadInto(Ctx* context) const {
    std::istringstream stream(data_);
    LoadContext(&stream, context);
  }

 private:
  std::string data_;
};

void BindSavedContext(nb::module_ m, nb::class_<Ctx>* context) {
  DocumentedClass<SavedContext>(
      m, "SavedContext",
      "The values of a root Context, without its System. A Context is pickled "
      "as one.")
      .def(nb::init<const Ctx&>(), "context"_a)
      .def(nb::init<const nb::bytes&>(), "data"_a)
      .def("data", &SavedContext::data, "Returns the bytes of a file.")
      .def("load_into", &SavedContext::LoadInto, "context"_a,
           "Sets all values of a root Context of the same System, or of one "
           "built the same way. Raises RuntimeError if it is another.")
      .def(
          "restore",
          [](const SavedContext& saved, nb::handle system) {
            nb::object made = system.attr("CreateDefaultContext")();
            saved.LoadInto(nb::cast<Ctx*>(made));
            return made;
          },
          nb::sig("def restore(self, system: System) -> Context"), "system"_a,
          "Returns a new Context of the System with these values.")
      .def("__reduce__", [](const SavedContext& saved) {
        return nb::make_tuple(nb::type<SavedContext>(),
                              nb::make_tuple(saved.data()));
      });
  context->def("__reduce__", [](const Ctx& self) {
    return nb::make_tuple(nb::type<SavedContext>(),
                          nb::make_tuple(SavedContext(self).data()));
  });
  for (const char* name : {"__copy__", "__deepcopy__"}) {
    context->def(
        name,
        [](nb::handle self, const nb::args&) { return self.attr("Clone")(); },
        "Returns Clone().");
  }
}

void BindContext(nb::module_ m) {
  using C = Context<double>;
  DocumentedClass<C> context(
      m, "Context",
      "The values of one System: time, state, parameters, inputs, cache.");
  context.def("get_time", &C::get_time, "Returns the time [s].")
      .def("get_accuracy", &C::get_accuracy)
      .def("GetSystemName", &C::GetSystemName)
      .def("GetSystemPathname", &C::GetSystemPathname)
      .def("num_input_ports", &C::num_input_ports)
      .def("num_output_ports", &C::num_output_ports)
      .def("is_root_context", &C::is_root_context)
      .def("SetTime", &C::SetTime, "time_sec"_a)
      .def("SetAccuracy", &C::SetAccuracy, "accuracy"_a.none())
      .def(
          "SetContinuousState",
          [](C& c, const VectorXd& x) { c.SetContinuousState(x); }, "xc"_a)
      .def(
          "SetTimeAndContinuousState",
          [](C& c, double t, const VectorXd& x) {
            c.SetTimeAndContinuousState(t, x);
          },
          "time_sec"_a, "xc"_a)
      .def(
          "SetDiscreteState",
          [](C& c, const VectorXd& x) { c.SetDiscreteState(x); }, "xd"_a)
      .def(
          "SetDiscreteState",
          [](C& c, int i, const VectorXd& x) { c.SetDiscreteState(i, x); },
          "group_index"_a, "xd"_a)
      .def(
          "SetTimeStateAndParametersFrom",
          [](C& c, const C& source) {
            c.SetTimeStateAndParametersFrom(source);
          },
          "source"_a)
      .def(
          "Clone",
          [](nb::handle_t<C> self) {
            nb::object copy = nb::cast(nb::cast<C&>(self).Clone());
            // It refers to the System, which this one keeps alive.
            nb::keep_alive_obj(copy, self);
            return copy;
          },
          nb::sig("def Clone(self) -> Context"),
          "Returns a deep copy of a root Context.")
      .def("DisableCaching", &C::DisableCaching)
      .def("EnableCaching", &C::EnableCaching)
      .def("SetAllCacheEntriesOutOfDate", &C::SetAllCacheEntriesOutOfDate)
      .def("__str__", &C::to_string);
  BindContextStates(&context);
  BindSavedContext(m, &context);
}

}  // namespace

void BindFrameworkValues(nb::module_ m) {
  BindVectors(m);
  BindStates(m);
  BindState(m);
  // EventStatus names Systems.
  DocumentedClass<SystemBase>(m, "SystemBase",
                              "What every System has, whatever its scalar.");
  BindEvents(m);
  BindContext(m);
}

}  // namespace wyvern::python
