#include "wyvern/simulator/integrators/explicit_euler_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
ExplicitEulerIntegrator<T>::ExplicitEulerIntegrator(const System<T>& system,
                                                    const T& max_step_size,
                                                    Context<T>* context)
    : internal::ExplicitRungeKutta<T>(system, context,
                                      internal::kExplicitEuler) {
  this->set_maximum_step_size(max_step_size);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::ExplicitEulerIntegrator);
