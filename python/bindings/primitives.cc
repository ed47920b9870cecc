// The blocks of systems/primitives.
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/primitives/demultiplexer.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/first_order_low_pass_filter.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/multiplexer.h"
#include "wyvern/systems/primitives/pass_through.h"
#include "wyvern/systems/primitives/saturation.h"
#include "wyvern/systems/primitives/sine.h"
#include "wyvern/systems/primitives/trajectory_source.h"
#include "wyvern/systems/primitives/vector_log_sink.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

namespace wyvern::python {

using namespace systems;  // NOLINT(build/namespaces)

namespace {

using Leaf = LeafSystem<double>;

void BindSources(nb::module_ m) {
  using Constant = ConstantVectorSource<double>;
  DocumentedClass<Constant, Leaf>(m, "ConstantVectorSource")
      .def(nb::init<const double&>(), "source_value"_a)
      .def(
          "__init__",
          [](Constant* self, const VectorXd& value) {
            new (self) Constant(value);
          },
          "source_value"_a)
      .def("get_source_value", &Constant::get_source_value, "context"_a,
           kInside)
      .def("get_mutable_source_value", &Constant::get_mutable_source_value,
           "context"_a, nb::rv_policy::reference, nb::keep_alive<0, 2>());
  DocumentedClass<Sine<double>, Leaf>(m, "Sine")
      .def(nb::init<double, double, double, int, bool>(), "amplitude"_a,
           "frequency"_a, "phase"_a, "size"_a = 1, "is_time_based"_a = true)
      .def(nb::init<const VectorXd&, const VectorXd&, const VectorXd&, bool>(),
           "amplitudes"_a, "frequencies"_a, "phases"_a,
           "is_time_based"_a = true);
  DocumentedClass<TrajectorySource<double>, Leaf>(m, "TrajectorySource")
      .def(nb::init<const trajectories::Trajectory<double>&, int, bool>(),
           "trajectory"_a, "output_derivative_order"_a = 0,
           "zero_derivatives_beyond_limits"_a = true);
}

void BindFunctions(nb::module_ m) {
  DocumentedClass<Adder<double>, Leaf>(m, "Adder")
      .def(nb::init<int, int>(), "num_inputs"_a, "size"_a)
      .def(nb::init<const std::string&, int>(), "signs"_a, "size"_a = 1);
  DocumentedClass<Gain<double>, Leaf>(m, "Gain")
      .def(nb::init<double, int>(), "k"_a, "size"_a)
      .def(nb::init<const VectorXd&>(), "k"_a)
      .def("get_gain", &Gain<double>::get_gain)
      .def("get_gain_vector", &Gain<double>::get_gain_vector)
      .def("MakeTunable", &Gain<double>::MakeTunable);
  DocumentedClass<PassThrough<double>, Leaf>(m, "PassThrough")
      .def(nb::init<int>(), "vector_size"_a);
  DocumentedClass<Saturation<double>, Leaf>(m, "Saturation")
      .def(nb::init<const VectorXd&, const VectorXd&>(), "min_value"_a,
           "max_value"_a);
  DocumentedClass<Multiplexer<double>, Leaf>(m, "Multiplexer")
      .def(nb::init<int>(), "num_scalar_inputs"_a)
      .def(nb::init<std::vector<int>>(), "input_sizes"_a);
  DocumentedClass<Demultiplexer<double>, Leaf>(m, "Demultiplexer")
      .def(nb::init<const std::vector<int>&>(), "output_ports_sizes"_a)
      .def(nb::init<int, int>(), "size"_a, "output_ports_size"_a = 1);
}

void BindDynamics(nb::module_ m) {
  DocumentedClass<Integrator<double>, Leaf>(m, "Integrator")
      .def(nb::init<int>(), "size"_a)
      .def(
          "set_integral_value",
          [](const Integrator<double>& integrator, Ctx* context,
             const VectorXd& value) {
            integrator.set_integral_value(context, value);
          },
          "context"_a, "value"_a);
  DocumentedClass<FirstOrderLowPassFilter<double>, Leaf>(
      m, "FirstOrderLowPassFilter")
      .def(nb::init<double, int>(), "time_constant"_a, "size"_a = 1);
  DocumentedClass<DiscreteTimeDelay<double>, Leaf>(m, "DiscreteTimeDelay")
      .def(nb::init<double, int, int>(), "update_sec"_a, "delay_time_steps"_a,
           "vector_size"_a);
  DocumentedClass<ZeroOrderHold<double>, Leaf>(m, "ZeroOrderHold")
      .def(nb::init<double, int, double>(), "period_sec"_a, "vector_size"_a,
           "offset_sec"_a = 0.0);
}

void BindLogs(nb::module_ m) {
  using Log = VectorLog<double>;
  DocumentedClass<Log>(m, "VectorLog", "Samples of a vector.")
      .def("num_samples", &Log::num_samples)
      .def("get_input_size", &Log::get_input_size)
      .def("sample_times", &Log::sample_times, "Returns a copy of times [s].")
      .def("data", &Log::data,
           "Returns a copy of the samples, one in each column.")
      .def("Clear", &Log::Clear)
      .def(
          "dataframe",
          [](nb::handle self, nb::handle names) {
            return nb::module_::import_("wyvern._logs")
                .attr("dataframe")(self, names);
          },
          nb::sig("def dataframe(self, names: "
                  "collections.abc.Sequence[str] | None = None) -> typing.Any"),
          "names"_a.none() = nb::none(),
          "Returns the samples as a pandas DataFrame with the time as index.")
      .def(
          "plot",
          [](nb::handle self, nb::handle names) {
            return nb::module_::import_("wyvern._logs")
                .attr("plot")(self, names);
          },
          nb::sig("def plot(self, names: "
                  "collections.abc.Sequence[str] | None = None) -> typing.Any"),
          "names"_a.none() = nb::none(),
          "Plots the samples over time by Matplotlib and returns the Axes.");
  using Sink = VectorLogSink<double>;
  DocumentedClass<Sink, Leaf>(m, "VectorLogSink")
      .def(nb::init<int, double>(), "input_size"_a, "publish_period"_a = 0.0)
      .def(nb::init<int, const TriggerTypeSet&, double>(), "input_size"_a,
           "publish_triggers"_a, "publish_period"_a = 0.0)
      .def("GetLog", &Sink::GetLog, "context"_a, nb::rv_policy::reference,
           nb::keep_alive<0, 2>())
      .def("FindLog", &Sink::FindLog, "root_context"_a,
           nb::rv_policy::reference, nb::keep_alive<0, 2>());
  m.def(
      "LogVectorOutput",
      [](const OutputPort<double>& src, DiagramBuilder<double>* builder,
         double publish_period) -> Sink& {
        return *LogVectorOutput(src, builder, publish_period);
      },
      "src"_a, "builder"_a, "publish_period"_a = 0.0, nb::rv_policy::reference,
      nb::keep_alive<0, 2>(),
      "Adds a VectorLogSink to the builder. It samples the port each period "
      "[s], or at each step if the period is 0.");
}

}  // namespace

void BindPrimitives(nb::module_ m) {
  BindSources(m);
  BindFunctions(m);
  BindDynamics(m);
  BindLogs(m);
}

}  // namespace wyvern::python
