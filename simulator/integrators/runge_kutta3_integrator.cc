#include "wyvern/simulator/integrators/runge_kutta3_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
RungeKutta3Integrator<T>::RungeKutta3Integrator(const System<T>& system,
                                                Context<T>* context)
    : internal::ExplicitRungeKutta<T>(system, context, internal::kRungeKutta3) {
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::RungeKutta3Integrator);
