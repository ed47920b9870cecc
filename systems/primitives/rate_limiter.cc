#include "wyvern/systems/primitives/rate_limiter.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
RateLimiter<T>::RateLimiter(double rising, double falling, double lag, int size)
    : LeafSystem<T>(SystemTypeTag<RateLimiter>{}),
      rising_(rising),
      falling_(falling),
      lag_(lag) {
  wyvern::internal::RequirePositive("RateLimiter", "rising", rising);
  wyvern::internal::RequirePositive("RateLimiter", "falling", falling);
  wyvern::internal::RequirePositive("RateLimiter", "lag", lag);
  wyvern::internal::RequireAtLeast("RateLimiter", "size", size, 1);
  this->DeclareVectorInputPort("u", size);
  const ContinuousStateIndex state = this->DeclareContinuousState(size);
  this->DeclareDiscreteState(1);
  this->DeclareStateOutputPort("y", state);
  this->DeclareInitializationUnrestrictedUpdateEvent(&RateLimiter<T>::Start);
}

template <typename T>
EventStatus RateLimiter<T>::Start(const Context<T>& context,
                                  State<T>* state) const {
  if (context.get_discrete_state(0)[0] > 0.5) return EventStatus::DidNothing();
  state->get_mutable_discrete_state()[0] = T(1);
  state->get_mutable_continuous_state().SetFromVector(
      this->get_input_port(0).Eval(context));
  return EventStatus::Succeeded();
}

template <typename T>
void RateLimiter<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  const VectorX<T>& u = this->get_input_port(0).Eval(context);
  const VectorBase<T>& y = context.get_continuous_state_vector();
  VectorBase<T>& dy = derivatives->get_mutable_vector();
  for (int i = 0; i < u.size(); ++i) {
    const T rate = (u[i] - y[i]) / lag_;
    dy[i] =
        rate > rising_ ? T(rising_) : (rate < -falling_ ? T(-falling_) : rate);
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::RateLimiter);
