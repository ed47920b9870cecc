#include "wyvern/systems/estimators/luenberger_observer.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/constant_matrix_product.h"

/* One cache entry has the right-hand side f(z, u) + L (y - g(z, u)) and the
Context in which the observed System is evaluated (D. G. Luenberger, "Observing
the state of a linear system", 1964). For a linear System the error x - z moves
as A - L C, whatever the input. */

namespace wyvern::systems::estimators {

namespace {

constexpr char kObserver[] = "LuenbergerObserver";

template <typename T>
std::shared_ptr<const System<T>> RequirePlainPorts(
    std::shared_ptr<const System<T>> system) {
  wyvern::internal::RequireNotNull(kObserver, "observed_system", system);
  if (system->num_input_ports() > 1 || system->num_output_ports() != 1) {
    throw std::logic_error(fmt::format(
        "LuenbergerObserver(): '{}' has {} input ports and {} output ports; it "
        "must have at most one input port and one output port. Wrap it in a "
        "Diagram that exports these.",
        system->GetSystemPathname(), system->num_input_ports(),
        system->num_output_ports()));
  }
  return system;
}

// Shares nothing: the System outlives its user.
template <typename T>
std::shared_ptr<const System<T>> Unowned(const System<T>& system) {
  return {std::shared_ptr<const void>(), &system};
}

}  // namespace

template <typename T>
LuenbergerObserver<T>::LuenbergerObserver(
    const System<T>& observed_system, const Context<T>& observed_system_context,
    const Eigen::Ref<const Eigen::MatrixXd>& observer_gain)
    : LuenbergerObserver(Unowned(observed_system), observed_system_context,
                         observer_gain) {}

template <typename T>
LuenbergerObserver<T>::LuenbergerObserver(
    std::shared_ptr<const System<T>> observed_system,
    const Context<T>& observed_system_context,
    const Eigen::Ref<const Eigen::MatrixXd>& observer_gain)
    : LeafSystem<T>(SystemTypeTag<estimators::LuenbergerObserver>{}),
      model_(kObserver, RequirePlainPorts(std::move(observed_system)),
             observed_system_context, {}),
      L_(observer_gain) {
  const int n = model_.num_states();
  wyvern::internal::RequireShape(kObserver, "observer_gain", L_, n,
                                 model_.num_outputs());
  wyvern::internal::RequireFinite(kObserver, "observer_gain", L_);
  this->FollowSettingsOf(model_.system());
  this->DeclareVectorInputPort("observed_system_output", model_.num_outputs());
  this->DeclareVectorInputPort("observed_system_input", model_.num_inputs());
  next_ = &this->DeclareCacheEntry(
      "next estimate", ValueProducer(this, &LuenbergerObserver<T>::AllocateWork,
                                     &LuenbergerObserver<T>::CalcNext));
  if (model_.is_discrete()) {
    this->DeclareDiscreteState(n);
    this->DeclarePeriodicDiscreteUpdateEvent(model_.period(), model_.offset(),
                                             &LuenbergerObserver<T>::Update);
  } else {
    this->DeclareContinuousState(n);
  }
  this->DeclareVectorOutputPort(
      "estimated_state", n, &LuenbergerObserver<T>::CalcEstimate,
      {model_.is_discrete() ? this->xd_ticket() : this->xc_ticket()});
}

template <typename T>
template <typename U>
LuenbergerObserver<T>::Converted::Converted(
    const internal::ObservedSystem<U>& other)
    : system(other.system().template ToScalarType<T>()),
      context(system->CreateDefaultContext()) {
  context->SetStateAndParametersFrom(other.context());
}

template <typename T>
LuenbergerObserver<T>::LuenbergerObserver(Converted observed,
                                          const Eigen::MatrixXd& L)
    : LuenbergerObserver(observed.system, *observed.context, L) {}

template <typename T>
template <typename U>
LuenbergerObserver<T>::LuenbergerObserver(const LuenbergerObserver<U>& other)
    : LuenbergerObserver(Converted(other.model_), other.L_) {}

template <typename T>
auto LuenbergerObserver<T>::AllocateWork() const -> std::unique_ptr<Work> {
  auto work = std::make_unique<Work>();
  work->model = *model_.Allocate();
  work->z.setZero(model_.num_states());
  work->f.setZero(model_.num_states());
  work->error.setZero(model_.num_outputs());
  return work;
}

template <typename T>
Eigen::Map<const VectorX<T>> LuenbergerObserver<T>::StateOf(
    const Context<T>& context) const {
  return systems::internal::ViewOf<T>(
      model_.is_discrete()
          ? static_cast<const VectorBase<T>&>(context.get_discrete_state(0))
          : context.get_continuous_state_vector());
}

template <typename T>
void LuenbergerObserver<T>::CalcNext(const Context<T>& context,
                                     Work* work) const {
  work->z = StateOf(context);
  model_.SetTime(context.get_time(), &work->model);
  model_.SetState(work->z, &work->model);
  if (model_.num_inputs() > 0) {
    model_.SetInput(get_observed_system_input_input_port().Eval(context),
                    &work->model);
  }
  work->error = get_observed_system_output_input_port().Eval(context) -
                model_.EvalOutput(work->model);
  model_.CalcDynamics(&work->model, &work->f);
  systems::internal::AddProduct(L_, work->error, work->f);
}

template <typename T>
void LuenbergerObserver<T>::CalcEstimate(const Context<T>& context,
                                         BasicVector<T>* z) const {
  z->SetFromVector(StateOf(context));
}

template <typename T>
void LuenbergerObserver<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  if (model_.is_discrete()) return;
  derivatives->SetFromVector(next_->template Eval<Work>(context).f);
}

template <typename T>
EventStatus LuenbergerObserver<T>::Update(const Context<T>& context,
                                          DiscreteValues<T>* next) const {
  next->get_mutable_vector(0).SetFromVector(
      next_->template Eval<Work>(context).f);
  return EventStatus::Succeeded();
}

#if WYVERN_AUTODIFF
template LuenbergerObserver<double>::LuenbergerObserver(
    const LuenbergerObserver<AutoDiffXd>&);
template LuenbergerObserver<AutoDiffXd>::LuenbergerObserver(
    const LuenbergerObserver<double>&);
#endif

}  // namespace wyvern::systems::estimators

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::estimators::LuenbergerObserver);
