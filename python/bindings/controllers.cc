// The blocks of systems/controllers.
#include <optional>
#include <tuple>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/systems/controllers/linear_quadratic_regulator.h"
#include "wyvern/systems/controllers/pid_controller.h"

namespace wyvern::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using namespace systems;  // NOLINT(build/namespaces)
using Eigen::MatrixXd;
using Eigen::VectorXd;

void BindControllers(nb::module_ m) {
  // A Python object has a single address, at which nanobind expects the
  // System; LeafSystem is therefore the first base of this class.
  using Pid = controllers::PidController<double>;
  DocumentedClass<Pid, LeafSystem<double>>(m, "PidController")
      .def(nb::init<const VectorXd&, const VectorXd&, const VectorXd&>(),
           "kp"_a, "ki"_a, "kd"_a)
      .def(nb::init<const MatrixXd&, const VectorXd&, const VectorXd&,
                    const VectorXd&>(),
           "state_projection"_a, "kp"_a, "ki"_a, "kd"_a)
      .def(nb::init<const MatrixXd&, const MatrixXd&, const VectorXd&,
                    const VectorXd&, const VectorXd&>(),
           "state_projection"_a, "output_projection"_a, "kp"_a, "ki"_a, "kd"_a)
      .def("get_Kp_singleton", &Pid::get_Kp_singleton)
      .def("get_Ki_singleton", &Pid::get_Ki_singleton)
      .def("get_Kd_singleton", &Pid::get_Kd_singleton)
      .def("get_Kp_vector", &Pid::get_Kp_vector)
      .def("get_Ki_vector", &Pid::get_Ki_vector)
      .def("get_Kd_vector", &Pid::get_Kd_vector)
      .def("MakeTunable", &Pid::MakeTunable)
      .def("is_tunable", &Pid::is_tunable)
      .def(
          "set_integral_value",
          [](const Pid& pid, Ctx* context, const VectorXd& value) {
            pid.set_integral_value(context, value);
          },
          "context"_a, "value"_a)
      .def("get_input_port_estimated_state",
           &Pid::get_input_port_estimated_state, kInside)
      .def("get_input_port_desired_state", &Pid::get_input_port_desired_state,
           kInside)
      .def("get_output_port_control", &Pid::get_output_port_control, kInside);
  m.def(
      "LinearQuadraticRegulator",
      [](const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q,
         const MatrixXd& R, const std::optional<MatrixXd>& N) {
        const auto result = controllers::LinearQuadraticRegulator(
            A, B, Q, R, N.value_or(MatrixXd()));
        return std::make_tuple(result.K, result.S);
      },
      "A"_a, "B"_a, "Q"_a, "R"_a, "N"_a.none() = nb::none(),
      "Returns (K, S) of the feedback u = -K x.");
}

}  // namespace wyvern::python
