#include "wyvern/simulator/integrators/runge_kutta2_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
RungeKutta2Integrator<T>::RungeKutta2Integrator(const System<T>& system,
                                                const T& max_step_size,
                                                Context<T>* context)
    : internal::ExplicitRungeKutta<T>(system, context, internal::kRungeKutta2) {
  this->set_maximum_step_size(max_step_size);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::RungeKutta2Integrator);
