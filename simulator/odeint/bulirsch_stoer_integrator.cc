#include "wyvern/simulator/odeint/bulirsch_stoer_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
BulirschStoerIntegrator<T>::BulirschStoerIntegrator(const System<T>& system,
                                                    Context<T>* context)
    : internal::OdeintIntegrator<T>(system, context,
                                    internal::OdeintMethod::kBulirschStoer) {}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::BulirschStoerIntegrator);
