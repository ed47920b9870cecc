#include "python/bindings/callbacks.h"

#include <utility>

#include <fmt/format.h>

#include "python/bindings/gil.h"

// Python objects that C++ keeps may be dropped on any thread, and after the
// interpreter has ended: Held and Function do so by DropReference().

namespace wyvern::python {

namespace nb = nanobind;
using systems::Context;
using systems::ContextBase;

namespace {

// parent() is protected. A pointer to it is not.
struct Parents : ContextBase {
  static const ContextBase* Of(const ContextBase& context) {
    return (context.*&Parents::parent)();
  }
};

const ContextBase& RootOf(const ContextBase& context) {
  const ContextBase* root = &context;
  while (const ContextBase* parent = Parents::Of(*root)) root = parent;
  return *root;
}

// Says where in C++ the exception came from, by a note of Python 3.11; older
// versions keep it in the same attribute and do not print it.
void AddNote(nb::handle error, const std::string& place) {
  try {
    if (nb::hasattr(error, "add_note")) {
      error.attr("add_note")(nb::str(place.c_str()));
    } else {
      nb::list notes;
      notes.append(nb::str(place.c_str()));
      error.attr("__notes__") = notes;
    }
  } catch (nb::python_error& failure) {
    failure.discard_as_unraisable("a note on an exception");
  }
}

}  // namespace

// The exception itself goes to the first caller. It refers to all frames that
// it passed, and thereby to the Context that may keep this. Later callers get a
// copy, of the same type with the same arguments.
struct CallbackError::Held {
  nb::object error;
  nb::object type;
  nb::object arguments;
  std::string message;
  std::string place;
  Held() = default;
  Held(const Held&) = delete;
  ~Held() {
    for (nb::object* object : {&error, &type, &arguments})
      DropReference(object);
  }
};

CallbackError::CallbackError(const nb::python_error& error,
                             const std::string& place)
    : held_(std::make_shared<Held>()) {
  nb::object value = nb::borrow(error.value());
  if (error.traceback().is_valid()) {
    PyException_SetTraceback(value.ptr(), error.traceback().ptr());
  }
  AddNote(value, place);
  held_->type = nb::borrow(error.type());
  held_->arguments = nb::getattr(value, "args", nb::tuple());
  std::string text = nb::type_name(held_->type).c_str();
  try {
    const nb::str shown = StopIfPythonEnds([&] { return nb::str(value); });
    text += fmt::format(": {}", shown.c_str());
  } catch (const nb::python_error&) {
    // An exception whose text cannot be made is named by its type alone.
  }
  held_->message = fmt::format("{}\n{}", text, place);
  held_->place = place;
  held_->error = std::move(value);
}

const char* CallbackError::what() const noexcept {
  return held_->message.c_str();
}

void CallbackError::Restore() const noexcept {
  nb::object value = std::move(held_->error);
  if (!value.is_valid()) {
    try {
      value = held_->type(*held_->arguments);
      AddNote(value, held_->place);
    } catch (const nb::python_error&) {
      PyErr_SetString(PyExc_RuntimeError, held_->message.c_str());
      return;
    }
  }
  PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(value.ptr()));
  Py_INCREF(type);
  PyObject* traceback = PyException_GetTraceback(value.ptr());
  PyErr_Restore(type, value.release().ptr(), traceback);
}

void RegisterErrors() {
  nb::register_exception_translator(
      [](const std::exception_ptr& pointer, void*) {
        try {
          std::rethrow_exception(pointer);
        } catch (const CallbackError& error) {
          error.Restore();
        }
      });
}

std::string TypeName(const systems::SystemBase& system) {
  const nb::object object = nb::find(system);
  if (!object.is_valid()) return system.GetSystemType();
  return nb::inst_name(object).c_str();
}

std::string DescribePlace(const systems::SystemBase& system, const char* what,
                          double time) {
  return fmt::format("in {} of System '{}' ({}) at time {} s", what,
                     system.GetSystemPathname(), TypeName(system), time);
}

nb::object ShowContext(const Context<double>& context, nb::handle owner) {
  nb::object object = nb::cast(&context, nb::rv_policy::reference);
  if (!object.is(owner)) nb::keep_alive_obj(object, owner);
  return object;
}

ContextArgument::ContextArgument(const Context<double>& context)
    : context_(context),
      object_(nb::cast(&context, nb::rv_policy::reference)) {}

ContextArgument::~ContextArgument() {
  if (Py_REFCNT(object_.ptr()) == 1) return;  // Nobody else has it.
  const auto* root = static_cast<const Context<double>*>(&RootOf(context_));
  const nb::object owner = nb::find(root);
  if (owner.is(object_)) return;
  if (owner.is_valid()) {
    nb::keep_alive_obj(object_, owner);
  } else {
    nb::inst_set_state(object_, false, false);
  }
}

struct Callback::Function {
  nb::object callable;
  explicit Function(nb::object callable_in)
      : callable(std::move(callable_in)) {}
  Function(const Function&) = delete;
  ~Function() { DropReference(&callable); }
};

Callback::Callback(nb::handle system, nb::handle callable, const char* what)
    : what_(what) {
  if (!PyCallable_Check(callable.ptr())) {
    throw nb::type_error(fmt::format("{} must be a function, not {}.", what,
                                     nb::inst_name(callable).c_str())
                             .c_str());
  }
  nb::object function = nb::borrow(callable);
  if (nb::getattr(callable, "__self__", nb::none()).is(system) &&
      nb::hasattr(callable, "__func__")) {
    self_ = system.ptr();
    function = callable.attr("__func__");
  }
  function_ = std::make_shared<const Function>(std::move(function));
}

template <typename... Arguments>
nb::object Callback::Invoke(const systems::SystemBase& system, double time,
                            Arguments... arguments) const {
  try {
    const nb::object& f = function_->callable;
    return StopIfPythonEnds([&]() -> nb::object {
      return self_ != nullptr ? f(nb::handle(self_), arguments...)
                              : f(arguments...);
    });
  } catch (const nb::python_error& error) {
    throw CallbackError(error, DescribePlace(system, what_, time));
  }
}

nb::object Callback::Call(const systems::SystemBase& system,
                          double time) const {
  return Invoke(system, time);
}

nb::object Callback::Call(const systems::SystemBase& system, double time,
                          nb::handle context) const {
  return Invoke(system, time, context);
}

nb::object Callback::Call(const systems::SystemBase& system, double time,
                          nb::handle context, nb::handle output) const {
  return Invoke(system, time, context, output);
}

nb::object Callback::Call(const systems::SystemBase& system, double time,
                          nb::handle context, nb::handle event,
                          nb::handle output) const {
  return Invoke(system, time, context, event, output);
}

}  // namespace wyvern::python
