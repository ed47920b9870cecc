#include "wyvern/simulator/analysis/initial_value_problem.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/simulator/integrators/hermitian_dense_output.h"
#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems {

// The function as a System whose continuous state is x.
template <typename T>
class InitialValueProblem<T>::OdeSystem final : public LeafSystem<T> {
 public:
  OdeSystem(OdeFunction f, const VectorX<T>& x0, VectorX<T> k)
      : f_(std::move(f)), k_(std::move(k)) {
    this->DeclareContinuousState(BasicVector<T>(x0));
    this->set_name("InitialValueProblem");
  }

 private:
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final {
    const VectorX<T> x = context.get_continuous_state_vector().CopyToVector();
    const VectorX<T> xdot = f_(context.get_time(), x, k_);
    if (xdot.size() != x.size()) {
      throw std::logic_error(fmt::format(
          "InitialValueProblem: the function returned {} elements for a state "
          "of {}.",
          xdot.size(), x.size()));
    }
    derivatives->SetFromVector(xdot);
  }

  const OdeFunction f_;
  const VectorX<T> k_;
};

template <typename T>
InitialValueProblem<T>::InitialValueProblem(
    const OdeFunction& ode_function, const Eigen::Ref<const VectorX<T>>& x0,
    const Eigen::Ref<const VectorX<T>>& k)
    : x0_(x0) {
  if (!ode_function) {
    throw std::logic_error("InitialValueProblem: the function is empty.");
  }
  system_ = std::make_unique<OdeSystem>(ode_function, x0_, VectorX<T>(k));
  context_ = system_->CreateDefaultContext();
  auto* integrator = reset_integrator<RungeKutta3Integrator<T>>();
  integrator->set_maximum_step_size(0.1);
  integrator->set_target_accuracy(1e-4);
}

template <typename T>
InitialValueProblem<T>::~InitialValueProblem() = default;

template <typename T>
void InitialValueProblem<T>::Start(const char* function, const T& t0,
                                   const T& tf) const {
  if (!(tf >= t0)) {
    throw std::logic_error(fmt::format(
        "InitialValueProblem::{}(): the final time {} is before the initial "
        "time {}.",
        function, ToDouble(tf), ToDouble(t0)));
  }
  context_->SetTimeAndContinuousState(t0, x0_);
  integrator_->Initialize();
}

template <typename T>
VectorX<T> InitialValueProblem<T>::Solve(const T& t0, const T& tf) const {
  Start("Solve", t0, tf);
  integrator_->IntegrateWithMultipleStepsToTime(tf);
  return context_->get_continuous_state_vector().CopyToVector();
}

template <typename T>
std::unique_ptr<DenseOutput<T>> InitialValueProblem<T>::DenseSolve(
    const T& t0, const T& tf) const {
  Start("DenseSolve", t0, tf);
  if (tf == t0) {
    throw std::logic_error(fmt::format(
        "InitialValueProblem::DenseSolve(): the interval from {} to {} is "
        "empty.",
        ToDouble(t0), ToDouble(tf)));
  }
  integrator_->StartDenseIntegration();
  try {
    integrator_->IntegrateWithMultipleStepsToTime(tf);
  } catch (...) {
    integrator_->StopDenseIntegration();
    throw;
  }
  return std::make_unique<HermitianDenseOutput<T>>(
      *integrator_->StopDenseIntegration());
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::InitialValueProblem);
