#include "wyvern/simulator/odeint/cash_karp5_integrator.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
CashKarp5Integrator<T>::CashKarp5Integrator(const System<T>& system,
                                            Context<T>* context)
    : internal::OdeintIntegrator<T>(system, context,
                                    internal::OdeintMethod::kCashKarp5) {}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::CashKarp5Integrator);
