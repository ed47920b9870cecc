#include "wyvern/simulator/integrators/runge_kutta5_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
RungeKutta5Integrator<T>::RungeKutta5Integrator(const System<T>& system,
                                                Context<T>* context)
    : internal::ExplicitRungeKutta<T>(system, context, internal::kRungeKutta5) {
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::RungeKutta5Integrator);
