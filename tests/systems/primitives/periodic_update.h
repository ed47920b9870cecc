#pragma once

#include <memory>

#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::test {

/** Does the periodic updates of `system`, as its Simulator would at a moment
when all are due. */
template <typename T>
void DoPeriodicUpdates(const systems::System<T>& system,
                       systems::Context<T>* context) {
  const auto events = system.AllocateCompositeEventCollection();
  system.GetPeriodicEvents(*context, events.get());
  const std::unique_ptr<systems::State<T>> state = context->CloneState();
  system.CalcUnrestrictedUpdate(
      *context, events->get_unrestricted_update_events(), state.get());
  system.ApplyUnrestrictedUpdate(events->get_unrestricted_update_events(),
                                 state.get(), context);
  const std::unique_ptr<systems::DiscreteValues<T>> next =
      system.AllocateDiscreteVariables();
  next->SetFrom(context->get_discrete_state());
  system.CalcDiscreteVariableUpdate(
      *context, events->get_discrete_update_events(), next.get());
  system.ApplyDiscreteVariableUpdate(events->get_discrete_update_events(),
                                     next.get(), context);
}

}  // namespace wyvern::test
