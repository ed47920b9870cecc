#include "wyvern/simulator/integrators/bogacki_shampine3_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
BogackiShampine3Integrator<T>::BogackiShampine3Integrator(
    const System<T>& system, Context<T>* context)
    : internal::ExplicitRungeKutta<T>(system, context,
                                      internal::kBogackiShampine3) {}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::BogackiShampine3Integrator);
