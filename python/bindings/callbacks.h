#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include <nanobind/nanobind.h>

#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/system_base.h"

/** @file
Calls from the library into Python: who holds the GIL, what becomes of
exceptions, and how long the arguments live. */

namespace wyvern::python {

/** A Python exception on its way through the library, which may keep it in a
cache and throw it again. what() has the message of Python and the place. At the
next function that Python called, the original exception is raised again, with
its traceback, and the place as a note. If the library throws it once more, a
copy of it is raised. */
class CallbackError final : public std::exception {
 public:
  /** @param place such as "in the periodic update of System '::loop' (Loop) at
  time 0.3 s". Requires the GIL. */
  CallbackError(const nanobind::python_error& error, const std::string& place);

  const char* what() const noexcept override;
  /** Makes the exception the present error of Python. Requires the GIL. */
  void Restore() const noexcept;

 private:
  struct Held;
  std::shared_ptr<Held> held_;
};

/** Translates CallbackError. Call this once, when the module is made. */
void RegisterErrors();

/** Returns the class of a System: that of Python, if Python defines it. */
std::string TypeName(const systems::SystemBase& system);
/** Returns "in <what> of System '<path>' (<type>) at time <t> s". */
std::string DescribePlace(const systems::SystemBase& system, const char* what,
                          double time);

/** The argument of a callback that stands for the System's Context.

A callback may keep it. It then keeps the root Context alive, if Python owns
that one; otherwise it is invalid after the callback, and using it raises
TypeError. */
class ContextArgument final {
 public:
  explicit ContextArgument(const systems::Context<double>& context);
  ContextArgument(const ContextArgument&) = delete;
  ContextArgument& operator=(const ContextArgument&) = delete;
  ~ContextArgument();

  nanobind::handle object() const { return object_; }

 private:
  const systems::Context<double>& context_;
  nanobind::object object_;
};

/** Returns the Context as a Python object that keeps `owner` alive. */
nanobind::object ShowContext(const systems::Context<double>& context,
                             nanobind::handle owner);

/** A name of a port in Python; None stands for a default name. */
using Name = std::optional<std::string>;

/** Returns the name as functions that declare ports take it. */
inline std::variant<std::string, systems::UseDefaultName> PortName(
    const Name& name) {
  if (name.has_value()) return *name;
  return systems::kUseDefaultName;
}

/** Returns a port as a Python object that keeps its System alive. The reference
is an attribute, which Python's garbage collector sees: a block that keeps its
own ports is freed. */
template <typename Port>
nanobind::object ShowPort(const Port& port, nanobind::handle system) {
  nanobind::object object =
      nanobind::cast(&port, nanobind::rv_policy::reference);
  if (!nanobind::hasattr(object, "_system")) object.attr("_system") = system;
  return object;
}

/** A callable that a System keeps. A bound method of the System itself is kept
as a plain function: a reference to the System would keep it alive forever. */
class Callback final {
 public:
  /** @throws nanobind::type_error unless `callable` can be called. */
  Callback(nanobind::handle system, nanobind::handle callable,
           const char* what);

  const char* what() const { return what_; }
  /** Calls it with some arguments: none, the Context, the Context and an output
  or event, or the Context, an event and an output. Requires the GIL.
  @throws CallbackError */
  nanobind::object Call(const systems::SystemBase& system, double time) const;
  nanobind::object Call(const systems::SystemBase& system, double time,
                        nanobind::handle context) const;
  nanobind::object Call(const systems::SystemBase& system, double time,
                        nanobind::handle context,
                        nanobind::handle output) const;
  nanobind::object Call(const systems::SystemBase& system, double time,
                        nanobind::handle context, nanobind::handle event,
                        nanobind::handle output) const;

 private:
  struct Function;
  template <typename... Arguments>
  nanobind::object Invoke(const systems::SystemBase& system, double time,
                          Arguments... arguments) const;

  std::shared_ptr<const Function> function_;
  // The System whose method it is, which lives as long as this; or null.
  PyObject* self_{};
  const char* what_;
};

}  // namespace wyvern::python
