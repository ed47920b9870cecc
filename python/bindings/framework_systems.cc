// Systems, their ports, Diagrams and the builder.
//
// Lifetimes: a port keeps its System alive. A Context keeps the System alive
// that made it. A System that Python constructed lives as long as Python or a
// Diagram has it. A System that C++ added to a builder keeps the builder alive,
// and the builder keeps the Diagram that it built.
#include <functional>
#include <set>
#include <variant>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <nanobind/typing.h>

#include "python/bindings/abstract_values.h"
#include "python/bindings/callbacks.h"
#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/app/diagram_text.h"
#include "wyvern/app/graphviz_svg.h"
#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::python {

using namespace systems;  // NOLINT(build/namespaces)

namespace {

using Sys = System<double>;
using In = InputPort<double>;
using Out = OutputPort<double>;

// File and line of the Python code that calls, for the mistakes that Build()
// lists.
class PythonSite {
 public:
  PythonSite() {
    const nb::object frame = nb::module_::import_("sys").attr("_getframe")();
    file_ = nb::cast<std::string>(frame.attr("f_code").attr("co_filename"));
    line_ = nb::cast<int>(frame.attr("f_lineno"));
  }
  CallSite get() const { return {file_.c_str(), line_}; }

 private:
  std::string file_;
  int line_{};
};

// Binds the units of a port.
template <typename Class>
void BindUnits(Class* bound) {
  using Port = typename Class::Type;
  bound
      ->def("units", &Port::units,
            "Returns the unit of each element; empty if the port has none.")
      .def("set_unit", &Port::set_unit, "unit"_a, "Tags all elements alike.")
      .def("set_units", &Port::set_units, "units"_a, "Tags each element.");
}

// Sets the value of an input port: a number, a vector, a value of C++.
void FixValue(const In& port, Ctx* context, nb::handle value) {
  if (port.get_data_type() == kAbstractValued) {
    port.FixValue(context, *ToAbstractValue(value, *port.Allocate()));
    return;
  }
  BasicVector<double>* vector{};
  double number{};
  if (nb::try_cast(value, vector) && vector != nullptr) {
    port.FixValue(context, *vector);
  } else if (nb::try_cast(value, number)) {
    port.FixValue(context, number);
  } else {
    port.FixValue(context, nb::cast<VectorXd>(value));
  }
}

void BindPorts(nb::module_ m) {
  nb::enum_<PortDataType>(m, "PortDataType")
      .value("kVectorValued", kVectorValued)
      .value("kAbstractValued", kAbstractValued);

  DocumentedClass<In> in(m, "InputPort", nb::dynamic_attr(),
                         "An input of a System.");
  BindUnits(&in);
  in.def("get_name", &In::get_name)
      .def("size", &In::size)
      .def("get_index", &In::get_index)
      .def("get_data_type", &In::get_data_type)
      .def("ticket", &In::ticket)
      .def("get_system", &In::get_system, kInside)
      .def("GetFullDescription", &In::GetFullDescription)
      .def("HasValue", &In::HasValue, "context"_a)
      .def(
          "Eval",
          [](const In& port, const Ctx& context) -> nb::object {
            if (port.get_data_type() == kVectorValued) {
              return nb::cast(port.Eval(context));
            }
            return ShowAbstractValue(port.Eval<AbstractValue>(context));
          },
          nb::sig("def Eval(self, context: Context) -> typing.Any"),
          "context"_a, "Returns a copy of the value; vectors are arrays.")
      .def(
          "FixValue",
          [](const In& port, Ctx* context, nb::handle value) {
            FixValue(port, context, value);
          },
          "context"_a, "value"_a,
          "Fixes the port at a number, a vector or an object.")
      .def("__repr__", &In::GetFullDescription);

  DocumentedClass<Out> out(m, "OutputPort", nb::dynamic_attr(),
                           "An output of a System.");
  BindUnits(&out);
  out.def("get_name", &Out::get_name)
      .def("size", &Out::size)
      .def("get_index", &Out::get_index)
      .def("get_data_type", &Out::get_data_type)
      .def("ticket", &Out::ticket)
      .def("get_system", &Out::get_system, kInside)
      .def("GetFullDescription", &Out::GetFullDescription)
      .def(
          "Eval",
          [](const Out& port, const Ctx& context) -> nb::object {
            if (port.get_data_type() == kVectorValued) {
              return nb::cast(port.Eval(context));
            }
            return ShowAbstractValue(port.Eval<AbstractValue>(context));
          },
          nb::sig("def Eval(self, context: Context) -> typing.Any"),
          "context"_a, "Returns a copy of the value; vectors are arrays.")
      .def("__repr__", &Out::GetFullDescription);
}

void BindNamesAndTickets(nb::module_ m) {
  DocumentedClass<SystemBase> base =
      DocumentedClass<SystemBase>::Borrow(m.attr("SystemBase"));
  using B = SystemBase;
  base.def("get_name", &B::get_name)
      .def("set_name", &B::set_name, "name"_a)
      .def("GetSystemName", &B::GetSystemName)
      .def("GetSystemPathname", &B::GetSystemPathname)
      .def("GetSystemType", &B::GetSystemType)
      .def("num_input_ports", &B::num_input_ports)
      .def("num_output_ports", &B::num_output_ports)
      .def("num_total_inputs", &B::num_total_inputs)
      .def("num_total_outputs", &B::num_total_outputs)
      .def("num_continuous_states", &B::num_continuous_states)
      .def("num_discrete_state_groups", &B::num_discrete_state_groups)
      .def("num_abstract_states", &B::num_abstract_states)
      .def("num_numeric_parameter_groups", &B::num_numeric_parameter_groups)
      .def(
          "GetDirectFeedthroughs",
          [](const B& system) {
            nb::list pairs;
            for (const auto& [in, out] : system.GetDirectFeedthroughs()) {
              pairs.append(nb::make_tuple(in, out));
            }
            return pairs;
          },
          "Returns pairs of an input and an output that depends on it.")
      .def(
          "GetGraphvizString",
          [](const B& system, std::optional<int> max_depth) {
            return system.GetGraphvizString(max_depth);
          },
          "max_depth"_a.none() = nb::none())
      .def_static("nothing_ticket", &B::nothing_ticket)
      .def_static("time_ticket", &B::time_ticket)
      .def_static("accuracy_ticket", &B::accuracy_ticket)
      .def_static("xc_ticket", &B::xc_ticket)
      .def_static("xd_ticket", &B::xd_ticket)
      .def_static("xa_ticket", &B::xa_ticket)
      .def_static("q_ticket", &B::q_ticket)
      .def_static("v_ticket", &B::v_ticket)
      .def_static("z_ticket", &B::z_ticket)
      .def_static("all_state_ticket", &B::all_state_ticket)
      .def_static("all_parameters_ticket", &B::all_parameters_ticket)
      .def_static("all_input_ports_ticket", &B::all_input_ports_ticket)
      .def_static("all_sources_ticket", &B::all_sources_ticket)
      .def("input_port_ticket", &B::input_port_ticket, "index"_a)
      .def("discrete_state_ticket", &B::discrete_state_ticket, "index"_a)
      .def("numeric_parameter_ticket", &B::numeric_parameter_ticket, "index"_a);
}

// Contexts of a System and of its parts.
void BindContexts(DocumentedClass<Sys, SystemBase>* system) {
  system
      ->def(
          "CreateDefaultContext",
          [](nb::handle_t<Sys> self) {
            nb::object context =
                nb::cast(nb::cast<Sys&>(self).CreateDefaultContext());
            nb::keep_alive_obj(context, self);
            return context;
          },
          nb::sig("def CreateDefaultContext(self) -> Context"))
      .def("SetDefaultContext", &Sys::SetDefaultContext, "context"_a)
      .def("AllocateFixedInputs", &Sys::AllocateFixedInputs, "context"_a)
      .def("AllocateTimeDerivatives", &Sys::AllocateTimeDerivatives)
      .def("AllocateDiscreteVariables", &Sys::AllocateDiscreteVariables)
      .def(
          "ValidateContext",
          [](const Sys& s, const Ctx& context) { s.ValidateContext(context); },
          "context"_a);
  for (const char* name :
       {"GetMyContextFromRoot", "GetMyMutableContextFromRoot"}) {
    system->def(
        name,
        [](const Sys& self, nb::handle_t<Ctx> root) {
          return ShowContext(
              self.GetMyMutableContextFromRoot(nb::cast<Ctx*>(root)), root);
        },
        nb::sig(
            fmt::format("def {}(self, root_context: Context) -> Context", name)
                .c_str()),
        "root_context"_a, "Returns this System's part of the root Context.");
  }
  for (const char* name :
       {"GetSubsystemContext", "GetMutableSubsystemContext"}) {
    system->def(
        name,
        [](const Sys& self, const Sys& subsystem, nb::handle_t<Ctx> context) {
          return ShowContext(self.GetMutableSubsystemContext(
                                 subsystem, nb::cast<Ctx*>(context)),
                             context);
        },
        nb::sig(fmt::format("def {}(self, subsystem: System, context: Context) "
                            "-> Context",
                            name)
                    .c_str()),
        "subsystem"_a, "context"_a);
  }
}

// Functions that return ports, by index or name.
void BindPortsOf(DocumentedClass<Sys, SystemBase>* system) {
  using Index = std::optional<int>;
  system
      ->def(
          "get_input_port",
          [](nb::handle_t<Sys> self, Index i) {
            const auto& s = nb::cast<const Sys&>(self);
            return ShowPort(i ? s.get_input_port(*i) : s.get_input_port(),
                            self);
          },
          nb::sig("def get_input_port(self, port_index: int | None = None) -> "
                  "InputPort"),
          "port_index"_a.none() = nb::none())
      .def(
          "get_output_port",
          [](nb::handle_t<Sys> self, Index i) {
            const auto& s = nb::cast<const Sys&>(self);
            return ShowPort(i ? s.get_output_port(*i) : s.get_output_port(),
                            self);
          },
          nb::sig("def get_output_port(self, port_index: int | None = None) -> "
                  "OutputPort"),
          "port_index"_a.none() = nb::none())
      .def(
          "GetInputPort",
          [](nb::handle_t<Sys> self, const std::string& name) {
            return ShowPort(nb::cast<const Sys&>(self).GetInputPort(name),
                            self);
          },
          nb::sig("def GetInputPort(self, port_name: str) -> InputPort"),
          "port_name"_a)
      .def(
          "GetOutputPort",
          [](nb::handle_t<Sys> self, const std::string& name) {
            return ShowPort(nb::cast<const Sys&>(self).GetOutputPort(name),
                            self);
          },
          nb::sig("def GetOutputPort(self, port_name: str) -> OutputPort"),
          "port_name"_a);
}

void BindSystem(nb::module_ m) {
  DocumentedClass<Sys, SystemBase> system(m, "System", "A block of a diagram.");
  BindPortsOf(&system);
  system.def("HasInputPort", &Sys::HasInputPort, "port_name"_a)
      .def("HasOutputPort", &Sys::HasOutputPort, "port_name"_a)
      .def("HasAnyDirectFeedthrough", &Sys::HasAnyDirectFeedthrough)
      .def("HasDirectFeedthrough",
           nb::overload_cast<int>(&Sys::HasDirectFeedthrough, nb::const_),
           "output_port"_a)
      .def("HasDirectFeedthrough",
           nb::overload_cast<int, int>(&Sys::HasDirectFeedthrough, nb::const_),
           "input_port"_a, "output_port"_a)
      .def(
          "EvalTimeDerivatives",
          [](const Sys& s, const Ctx& context) {
            return s.EvalTimeDerivatives(context).Clone();
          },
          "context"_a, "Returns a copy of the time derivatives.")
      .def("CalcTimeDerivatives", &Sys::CalcTimeDerivatives, "context"_a,
           "derivatives"_a)
      .def("EvalPotentialEnergy", &Sys::EvalPotentialEnergy, "context"_a)
      .def("EvalKineticEnergy", &Sys::EvalKineticEnergy, "context"_a)
      .def("EvalConservativePower", &Sys::EvalConservativePower, "context"_a)
      .def("EvalNonConservativePower", &Sys::EvalNonConservativePower,
           "context"_a)
      .def("ForcedPublish", &Sys::ForcedPublish, "context"_a)
      .def("ExecuteInitializationEvents", &Sys::ExecuteInitializationEvents,
           "context"_a)
      .def("ExecuteForcedEvents", &Sys::ExecuteForcedEvents, "context"_a,
           "publish"_a = true)
      .def("CalcForcedDiscreteVariableUpdate",
           &Sys::CalcForcedDiscreteVariableUpdate, "context"_a,
           "discrete_state"_a)
      .def(
          "EvalUniquePeriodicDiscreteUpdate",
          [](const Sys& s, const Ctx& context) {
            return s.EvalUniquePeriodicDiscreteUpdate(context).Clone();
          },
          "context"_a, "Returns a copy of the discrete state after the update.")
      .def("__repr__", [](const Sys& s) {
        return fmt::format("<{} '{}'>", TypeName(s), s.GetSystemPathname());
      });
  BindContexts(&system);
}

// Text for HTML.
std::string Escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

// The drawing by Graphviz; without that program, the text.
std::string DrawDiagram(const Diagram<double>& diagram) {
  try {
    return app::DrawSvg(diagram.GetGraphvizString(1));
  } catch (const std::runtime_error&) {
    return "<pre>" + Escaped(app::DescribeDiagram(diagram)) + "</pre>";
  }
}

void BindDiagram(nb::module_ m) {
  using D = Diagram<double>;
  DocumentedClass<D, Sys>(m, "Diagram", "Systems with connected ports.")
      .def("GetSystems", &D::GetSystems, kInside)
      .def("HasSubsystemNamed", &D::HasSubsystemNamed, "name"_a)
      .def(
          "GetSubsystemByName",
          [](const D& d, const std::string& name) -> const Sys& {
            return d.GetSubsystemByName(name);
          },
          "name"_a, kInside)
      .def("AreConnected", &D::AreConnected, "output"_a, "input"_a)
      .def("_repr_html_", &DrawDiagram)
      .def("__str__", &app::DescribeDiagram);
}

// The port of a name, an index, a port, or a System's only port.
const Out& SourceOf(DiagramBuilder<double>* builder, nb::handle from) {
  const Out* port{};
  const Sys* system{};
  if (nb::try_cast(from, port) && port != nullptr) return *port;
  if (nb::try_cast(from, system) && system != nullptr) {
    return system->get_output_port();
  }
  const auto name = nb::cast<std::string>(from);
  const size_t slash = name.find('/');
  const Sys& owner = builder->GetSubsystemByName(name.substr(0, slash));
  return slash == name.npos ? owner.get_output_port()
                            : owner.GetOutputPort(name.substr(slash + 1));
}

const In& TargetOf(DiagramBuilder<double>* builder, nb::handle to) {
  const In* port{};
  const Sys* system{};
  if (nb::try_cast(to, port) && port != nullptr) return *port;
  if (nb::try_cast(to, system) && system != nullptr) {
    return system->get_input_port();
  }
  const auto name = nb::cast<std::string>(to);
  const size_t slash = name.find('/');
  const Sys& owner = builder->GetSubsystemByName(name.substr(0, slash));
  return slash == name.npos ? owner.get_input_port()
                            : owner.GetInputPort(name.substr(slash + 1));
}

void BindBuilder(nb::module_ m) {
  using B = DiagramBuilder<double>;
  DocumentedClass<B>(m, "DiagramBuilder", "Collects Systems and connects them.")
      .def(nb::init<>())
      .def(
          "AddSystem",
          [](B& b, nb::object system) {
            b.AddSystem(nb::cast<std::shared_ptr<Sys>>(system));
            return system;
          },
          nb::sig("def AddSystem(self, system: SystemT) -> SystemT"),
          "system"_a, "Adds the System and returns it.")
      .def(
          "AddNamedSystem",
          [](B& b, const std::string& name, nb::object system) {
            b.AddNamedSystem(name, nb::cast<std::shared_ptr<Sys>>(system));
            return system;
          },
          nb::sig("def AddNamedSystem(self, name: str, system: SystemT) -> "
                  "SystemT"),
          "name"_a, "system"_a)
      .def(
          "Connect",
          [](B& b, const Out& output, const In& input) {
            b.Connect(output, input, PythonSite().get());
          },
          "output"_a, "input"_a)
      .def(
          "Cascade",
          [](B& b, const Sys& src, const Sys& dest) {
            b.Cascade(src, dest, PythonSite().get());
          },
          "src"_a, "dest"_a)
      .def(
          "connect",
          [](B& b, nb::handle from, nb::handle to) {
            const Out& source = SourceOf(&b, from);
            b.Connect(source, TargetOf(&b, to), PythonSite().get());
          },
          nb::sig("def connect(self, source: OutputPort | System | str, "
                  "target: InputPort | System | str) -> None"),
          "source"_a, "target"_a,
          "Connects ports. A System stands for its only port, a text "
          "'system/port' for a port by name.")
      .def(
          "ExportInput",
          [](B& b, const In& input, const Name& name) {
            return b.ExportInput(input, PortName(name), PythonSite().get());
          },
          "input"_a, "name"_a.none() = nb::none())
      .def(
          "ExportOutput",
          [](B& b, const Out& output, const Name& name) {
            return b.ExportOutput(output, PortName(name), PythonSite().get());
          },
          "output"_a, "name"_a.none() = nb::none())
      .def(
          "ConnectInput",
          [](B& b, const std::string& name, const In& input) {
            b.ConnectInput(name, input, PythonSite().get());
          },
          "diagram_port_name"_a, "input"_a)
      .def(
          "GetSystems", [](const B& b) { return b.GetSystems(); }, kInside)
      .def("HasSubsystemNamed", &B::HasSubsystemNamed, "name"_a)
      .def(
          "GetSubsystemByName",
          [](const B& b, const std::string& name) -> const Sys& {
            return b.GetSubsystemByName(name);
          },
          "name"_a, kInside)
      .def("empty", &B::empty)
      .def("already_built", &B::already_built)
      .def("set_throws_at_once", &B::set_throws_at_once, "throws"_a,
           "Makes calls raise their mistakes (True), or Build() raise all of "
           "them together (False, the default).")
      .def("throws_at_once", &B::throws_at_once)
      .def("num_mistakes", &B::num_mistakes)
      // A System that the builder keeps alive is now part of the Diagram.
      .def("Build", &B::Build, nb::keep_alive<1, 0>());
}

}  // namespace

void BindFrameworkSystems(nb::module_ m) {
  m.attr("SystemT") = nb::type_var("SystemT", "bound"_a = m.attr("SystemBase"));
  BindNamesAndTickets(m);
  // Systems and ports name each other.
  BindPorts(m);
  BindSystem(m);
  BindDiagram(m);
  BindBuilder(m);
}

}  // namespace wyvern::python
