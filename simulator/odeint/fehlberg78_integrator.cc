#include "wyvern/simulator/odeint/fehlberg78_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
Fehlberg78Integrator<T>::Fehlberg78Integrator(const System<T>& system,
                                              Context<T>* context)
    : internal::OdeintIntegrator<T>(system, context,
                                    internal::OdeintMethod::kFehlberg78) {}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::Fehlberg78Integrator);
