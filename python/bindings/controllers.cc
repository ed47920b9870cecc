// The blocks of systems/controllers.
#include <optional>
#include <tuple>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include "python/bindings/callbacks.h"
#include "python/bindings/core_types.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/systems/controllers/linear_quadratic_regulator.h"
#include "wyvern/systems/controllers/pid_controller.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using namespace systems;  // NOLINT(build/namespaces)
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// A Diagram of one PidController with its ports. A Python object has a single
// address, at which nanobind expects the System; the System is not the first
// base of controllers::PidController.
class PidController final : public Diagram<double> {
 public:
  template <typename... Arguments>
  explicit PidController(const Arguments&... arguments) {
    DiagramBuilder<double> builder;
    pid_ = builder.AddNamedSystem<controllers::PidController<double>>(
        "pid", arguments...);
    builder.ExportInput(pid_->get_input_port_estimated_state(),
                        "estimated_state");
    builder.ExportInput(pid_->get_input_port_desired_state(), "desired_state");
    builder.ExportOutput(pid_->get_output_port_control(), "control");
    builder.BuildInto(this);
  }

  controllers::PidController<double>& pid() { return *pid_; }
  const controllers::PidController<double>& pid() const { return *pid_; }
  void SetIntegral(Context<double>* context, const VectorXd& value) const {
    pid_->set_integral_value(&GetMutableSubsystemContext(*pid_, context),
                             value);
  }

 private:
  controllers::PidController<double>* pid_{};
};

}  // namespace

void BindControllers(nb::module_ m) {
  using Pid = PidController;
  nb::class_<Pid, Diagram<double>>(m, "PidController")
      .def(nb::init<const VectorXd&, const VectorXd&, const VectorXd&>(),
           "kp"_a, "ki"_a, "kd"_a)
      .def(nb::init<const MatrixXd&, const VectorXd&, const VectorXd&,
                    const VectorXd&>(),
           "state_projection"_a, "kp"_a, "ki"_a, "kd"_a)
      .def(nb::init<const MatrixXd&, const MatrixXd&, const VectorXd&,
                    const VectorXd&, const VectorXd&>(),
           "state_projection"_a, "output_projection"_a, "kp"_a, "ki"_a, "kd"_a)
      .def("get_Kp_vector",
           [](const Pid& p) { return p.pid().get_Kp_vector(); })
      .def("get_Ki_vector",
           [](const Pid& p) { return p.pid().get_Ki_vector(); })
      .def("get_Kd_vector",
           [](const Pid& p) { return p.pid().get_Kd_vector(); })
      .def("set_integral_value", &Pid::SetIntegral, "context"_a, "value"_a)
      .def(
          "get_input_port_estimated_state",
          [](nb::handle_t<Pid> self) {
            return ShowPort(nb::cast<Pid&>(self).get_input_port(0), self);
          },
          nb::sig("def get_input_port_estimated_state(self) -> "
                  "wyvern.systems.framework.InputPort"))
      .def(
          "get_input_port_desired_state",
          [](nb::handle_t<Pid> self) {
            return ShowPort(nb::cast<Pid&>(self).get_input_port(1), self);
          },
          nb::sig("def get_input_port_desired_state(self) -> "
                  "wyvern.systems.framework.InputPort"))
      .def(
          "get_output_port_control",
          [](nb::handle_t<Pid> self) {
            return ShowPort(nb::cast<Pid&>(self).get_output_port(0), self);
          },
          nb::sig("def get_output_port_control(self) -> "
                  "wyvern.systems.framework.OutputPort"));
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
