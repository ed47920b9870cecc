#include "wyvern/systems/estimators/gaussian_state_observer.h"

#include <utility>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::estimators {

template <typename T>
GaussianStateObserver<T>::GaussianStateObserver(SystemScalarConverter converter)
    : LeafSystem<T>(std::move(converter)) {}

template <typename T>
GaussianStateObserver<T>::~GaussianStateObserver() = default;

}  // namespace wyvern::systems::estimators

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::estimators::GaussianStateObserver);
