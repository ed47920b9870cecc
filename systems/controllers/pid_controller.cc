#include "wyvern/systems/controllers/pid_controller.h"

#include <stdexcept>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/overflow_check.h"
#include "wyvern/systems/primitives/the_one_value.h"

/* The error x_d - P_x x_e is a cache entry that the output and the derivative
of the integral share: its first half is the error in position, its second
half that in velocity. The output lists the integral and that entry as what
it depends on, and feeds both inputs through by way of the entry. Whether a
projection is the identity is found out once, and then its product is left
out. The products go column by column, since matrices are of double and
vectors of T. */

namespace wyvern::systems::controllers {

namespace {

constexpr char kName[] = "PidController";

Eigen::MatrixXd IdentityMatrix(Eigen::Index size) {
  return Eigen::MatrixXd::Identity(size, size);
}

bool IsIdentity(const Eigen::MatrixXd& m) {
  return m.rows() == m.cols() && m == IdentityMatrix(m.rows());
}

}  // namespace

template <typename T>
PidController<T>::PidController(const Eigen::VectorXd& kp,
                                const Eigen::VectorXd& ki,
                                const Eigen::VectorXd& kd)
    : PidController(IdentityMatrix(2 * kp.size()), IdentityMatrix(kp.size()),
                    kp, ki, kd) {}

template <typename T>
PidController<T>::PidController(const MatrixX<double>& state_projection,
                                const Eigen::VectorXd& kp,
                                const Eigen::VectorXd& ki,
                                const Eigen::VectorXd& kd)
    : PidController(state_projection, IdentityMatrix(kp.size()), kp, ki, kd) {}

template <typename T>
PidController<T>::PidController(const MatrixX<double>& state_projection,
                                const MatrixX<double>& output_projection,
                                const Eigen::VectorXd& kp,
                                const Eigen::VectorXd& ki,
                                const Eigen::VectorXd& kd)
    : LeafSystem<T>(SystemTypeTag<PidController>{}),
      kp_(kp),
      ki_(ki),
      kd_(kd),
      state_projection_(state_projection),
      output_projection_(output_projection),
      is_state_projected_(!IsIdentity(state_projection)),
      is_output_projected_(!IsIdentity(output_projection)) {
  RequireFittingGains();
  const int n = num_controlled();
  this->DeclareContinuousState(n);
  this->DeclareVectorInputPort("estimated_state",
                               static_cast<int>(state_projection.cols()));
  this->DeclareVectorInputPort("desired_state", 2 * n);
  error_cache_index_ = this->DeclareCacheEntry("state error", VectorX<T>(2 * n),
                                               &PidController<T>::CalcError,
                                               {this->all_input_ports_ticket()})
                           .cache_index();
  this->DeclareVectorOutputPort(
      "control", static_cast<int>(output_projection.rows()),
      &PidController<T>::CalcControl,
      {this->xc_ticket(), this->cache_entry_ticket(error_cache_index_),
       this->all_parameters_ticket()});
}

template <typename T>
void PidController<T>::MakeTunable() {
  if (is_tunable_) {
    throw std::logic_error(
        "PidController::MakeTunable(): the gains are tunable already; call it "
        "once.");
  }
  for (const Eigen::VectorXd* gains : {&kp_, &ki_, &kd_}) {
    this->DeclareNumericParameter(
        BasicVector<T>(VectorX<T>(gains->template cast<T>())));
  }
  is_tunable_ = true;
}

template <typename T>
void PidController<T>::RequireFittingGains() const {
  const int n = num_controlled();
  wyvern::internal::RequireSize(kName, "ki", ki_.size(), n);
  wyvern::internal::RequireSize(kName, "kd", kd_.size(), n);
  wyvern::internal::RequireFinite(kName, "kp", kp_);
  wyvern::internal::RequireFinite(kName, "ki", ki_);
  wyvern::internal::RequireFinite(kName, "kd", kd_);
  wyvern::internal::RequireShape(kName, "state_projection", state_projection_,
                                 2 * n, state_projection_.cols());
  wyvern::internal::RequireShape(kName, "output_projection", output_projection_,
                                 output_projection_.rows(), n);
  wyvern::internal::RequireFinite(kName, "state_projection", state_projection_);
  wyvern::internal::RequireFinite(kName, "output_projection",
                                  output_projection_);
}

template <typename T>
double PidController<T>::get_Kp_singleton() const {
  return systems::internal::TheOneValue("PidController::get_Kp_singleton()",
                                        kp_, "get_Kp_vector()");
}

template <typename T>
double PidController<T>::get_Ki_singleton() const {
  return systems::internal::TheOneValue("PidController::get_Ki_singleton()",
                                        ki_, "get_Ki_vector()");
}

template <typename T>
double PidController<T>::get_Kd_singleton() const {
  return systems::internal::TheOneValue("PidController::get_Kd_singleton()",
                                        kd_, "get_Kd_vector()");
}

template <typename T>
void PidController<T>::set_integral_value(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& value) const {
  this->ValidateContext(context);
  wyvern::internal::RequireSize("PidController::set_integral_value()", "value",
                                value.size(), num_controlled());
  context->SetContinuousState(value);
}

template <typename T>
const InputPort<T>& PidController<T>::get_input_port_estimated_state() const {
  return this->get_input_port(0);
}

template <typename T>
const InputPort<T>& PidController<T>::get_input_port_desired_state() const {
  return this->get_input_port(1);
}

template <typename T>
const OutputPort<T>& PidController<T>::get_output_port_control() const {
  return this->get_output_port(0);
}

template <typename T>
void PidController<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  derivatives->SetFromVector(EvalError(context).head(num_controlled()));
}

template <typename T>
void PidController<T>::CalcError(const Context<T>& context,
                                 VectorX<T>* error) const {
  const VectorX<T>& x = get_input_port_estimated_state().Eval(context);
  *error = get_input_port_desired_state().Eval(context);
  if (is_state_projected_) {
    for (int j = 0; j < x.size(); ++j) {
      error->array() -= state_projection_.col(j).array() * x[j];
    }
  } else {
    *error -= x;
  }
}

template <typename T>
void PidController<T>::CalcControl(const Context<T>& context,
                                   BasicVector<T>* control) const {
  const int n = num_controlled();
  const VectorX<T>& error = EvalError(context);
  const VectorBase<T>& integral = context.get_continuous_state_vector();
  auto u = control->get_mutable_value();
  if (is_output_projected_) u.setZero();
  const auto add = [&](const auto& kp, const auto& ki, const auto& kd) {
    for (int i = 0; i < n; ++i) {
      const T u_i =
          kp[i] * error[i] + ki[i] * integral[i] + kd[i] * error[n + i];
      if (is_output_projected_) {
        u.array() += output_projection_.col(i).array() * u_i;
      } else {
        u[i] = u_i;
      }
    }
  };
  if (is_tunable_) {
    add(context.get_numeric_parameter(0).value(),
        context.get_numeric_parameter(1).value(),
        context.get_numeric_parameter(2).value());
  } else {
    add(kp_, ki_, kd_);
  }
  systems::internal::RequireNoOverflow(*this, context, *control);
}

}  // namespace wyvern::systems::controllers

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::PidController);
