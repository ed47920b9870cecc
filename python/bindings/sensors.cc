// Sensors: instruments on a plant, encoders, and the errors of a measurement.
#include <optional>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/sensors/accelerometer.h"
#include "wyvern/multibody/sensors/contact_sensor.h"
#include "wyvern/multibody/sensors/force_torque_sensor.h"
#include "wyvern/multibody/sensors/gyroscope.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/sensors/measured_signal.h"
#include "wyvern/systems/sensors/rotary_encoders.h"

namespace wyvern::python {

using namespace systems::sensors;  // NOLINT(build/namespaces)

namespace {

using Body = multibody::RigidBody<double>;
using Builder = systems::DiagramBuilder<double>;
using Joint = multibody::Joint<double>;
using Leaf = systems::LeafSystem<double>;
using Plant = multibody::MultibodyPlant<double>;
using Pose = math::RigidTransform<double>;

// A sensor that the library has added to a builder keeps the builder alive,
// which is argument `kBuilder` of AddToDiagram(), counted from 1.
template <int kBuilder>
using InBuilder = nb::keep_alive<0, kBuilder>;
constexpr auto kReference = nb::rv_policy::reference;

void BindInertialSensors(nb::module_ m) {
  // A default of zeros would be an array, for which NumPy would be imported.
  using Gravity = std::optional<Vector3d>;
  using A = Accelerometer<double>;
  DocumentedClass<A, Leaf>(m, "Accelerometer")
      .def(
          "__init__",
          [](A* self, const Body& body, const Pose& X_BS, const Gravity& g) {
            new (self) A(body, X_BS, g.value_or(Vector3d::Zero()));
          },
          "body"_a, "X_BS"_a, "gravity_vector"_a.none() = nb::none())
      .def("get_body_poses_input_port", &A::get_body_poses_input_port, kInside)
      .def("get_body_velocities_input_port", &A::get_body_velocities_input_port,
           kInside)
      .def("get_body_accelerations_input_port",
           &A::get_body_accelerations_input_port, kInside)
      .def("get_measurement_output_port", &A::get_measurement_output_port,
           kInside)
      .def("body_index", &A::body_index)
      .def("gravity_vector", &A::gravity_vector)
      .def("SetGravityVector", &A::SetGravityVector, "context"_a, "g_W"_a)
      .def("pose", &A::pose)
      .def_static("AddToDiagram", &A::AddToDiagram, "body"_a, "X_BS"_a,
                  "gravity_vector"_a, "plant"_a, "builder"_a, kReference,
                  InBuilder<5>());
  using G = Gyroscope<double>;
  DocumentedClass<G, Leaf>(m, "Gyroscope")
      .def(nb::init<const Body&, const Pose&>(), "body"_a, "X_BS"_a)
      .def("get_body_poses_input_port", &G::get_body_poses_input_port, kInside)
      .def("get_body_velocities_input_port", &G::get_body_velocities_input_port,
           kInside)
      .def("get_measurement_output_port", &G::get_measurement_output_port,
           kInside)
      .def("body_index", &G::body_index)
      .def("pose", &G::pose)
      .def_static("AddToDiagram", &G::AddToDiagram, "body"_a, "X_BS"_a,
                  "plant"_a, "builder"_a, kReference, InBuilder<4>());
}

void BindForceSensors(nb::module_ m) {
  using F = ForceTorqueSensor<double>;
  DocumentedClass<F, Leaf>(m, "ForceTorqueSensor")
      .def(nb::init<const Joint&, const Pose&>(), "joint"_a, "X_JcS"_a = Pose())
      .def("get_reaction_forces_input_port", &F::get_reaction_forces_input_port,
           kInside)
      .def("get_measurement_output_port", &F::get_measurement_output_port,
           kInside)
      .def("joint_ordinal", &F::joint_ordinal)
      .def("pose", &F::pose)
      .def_static("AddToDiagram", &F::AddToDiagram, "joint"_a, "X_JcS"_a,
                  "plant"_a, "builder"_a, kReference, InBuilder<4>());
  using C = ContactSensor<double>;
  DocumentedClass<C, Leaf>(m, "ContactSensor")
      .def(nb::init<const Body&, const Plant&, double>(), "body"_a, "plant"_a,
           "threshold"_a = 0.0)
      .def("get_contact_results_input_port", &C::get_contact_results_input_port,
           kInside)
      .def("get_body_poses_input_port", &C::get_body_poses_input_port, kInside)
      .def("get_wrench_output_port", &C::get_wrench_output_port, kInside)
      .def("get_in_contact_output_port", &C::get_in_contact_output_port,
           kInside)
      .def("body_index", &C::body_index)
      .def_static("AddToDiagram", &C::AddToDiagram, "body"_a, "plant"_a,
                  "builder"_a, "threshold"_a = 0.0, kReference, InBuilder<3>());
}

void BindEncoders(nb::module_ m) {
  using R = RotaryEncoders<double>;
  using Ints = std::vector<int>;
  DocumentedClass<R, Leaf>(m, "RotaryEncoders")
      .def(nb::init<const Ints&>(), "ticks_per_revolution"_a)
      .def(nb::init<int, const Ints&>(), "input_port_size"_a,
           "input_vector_indices"_a)
      .def(nb::init<int, const Ints&, const Ints&>(), "input_port_size"_a,
           "input_vector_indices"_a, "ticks_per_revolution"_a)
      .def(
          "set_calibration_offsets",
          [](const R& r, Ctx* context, const VectorXd& offsets) {
            r.set_calibration_offsets(context, offsets);
          },
          "context"_a, "calibration_offsets"_a)
      .def("get_calibration_offsets", &R::get_calibration_offsets, "context"_a);
}

void BindMeasuredSignal(nb::module_ m) {
  using E = MeasurementErrors;
  using Vector = std::optional<VectorXd>;
  using S = MeasuredSignal<double>;
  DocumentedClass<E>(m, "MeasurementErrors")
      .def(
          "__init__",
          [](E* self, double period, double offset, double delay,
             const Vector& bias, const Vector& noise, const Vector& quantum,
             std::optional<S::Seed> seed) {
            new (self) E{.period = period,
                         .offset = offset,
                         .delay = delay,
                         .bias = bias.value_or(VectorXd()),
                         .noise = noise.value_or(VectorXd()),
                         .quantum = quantum.value_or(VectorXd()),
                         .seed = seed};
          },
          nb::kw_only(), "period"_a = 0.0, "offset"_a = 0.0, "delay"_a = 0.0,
          "bias"_a.none() = nb::none(), "noise"_a.none() = nb::none(),
          "quantum"_a.none() = nb::none(), "seed"_a.none() = nb::none())
      .def_ro("period", &E::period)
      .def_ro("offset", &E::offset)
      .def_ro("delay", &E::delay)
      .def_ro("bias", &E::bias)
      .def_ro("noise", &E::noise)
      .def_ro("quantum", &E::quantum)
      .def_ro("seed", &E::seed);
  DocumentedClass<S, Leaf>(m, "MeasuredSignal")
      .def(nb::init<int, const E&>(), "size"_a, "errors"_a)
      .def("errors", &S::errors, nb::rv_policy::copy)
      .def("get_bias", &S::get_bias, "context"_a)
      .def(
          "set_bias",
          [](const S& s, Ctx* context, const VectorXd& bias) {
            s.set_bias(context, bias);
          },
          "context"_a, "bias"_a)
      .def("get_seed", &S::get_seed, "context"_a);
  m.def("AddMeasuredSignal", &AddMeasuredSignal<double>, "src"_a, "errors"_a,
        "builder"_a, kReference, InBuilder<3>(),
        "Adds a MeasuredSignal to the builder, connected to the port.");
}

}  // namespace

void BindSensors(nb::module_ m) {
  BindInertialSensors(m);
  BindForceSensors(m);
  BindEncoders(m);
  BindMeasuredSignal(m);
}

}  // namespace wyvern::python
