#include "wyvern/simulator/odeint/dormand_prince5_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
DormandPrince5Integrator<T>::DormandPrince5Integrator(const System<T>& system,
                                                      Context<T>* context)
    : internal::OdeintIntegrator<T>(system, context,
                                    internal::OdeintMethod::kDormandPrince5) {}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::DormandPrince5Integrator);
