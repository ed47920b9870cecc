#include "wyvern/multibody/tree/revolute_spring.h"

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
RevoluteSpring<T>::RevoluteSpring(const RevoluteJoint<T>& joint,
                                  double nominal_angle, double stiffness)
    : internal::TypedForceElement<RevoluteSpring, T,
                                  internal::SingleAxisSpring<T>>(
          joint, nominal_angle, stiffness, "RevoluteSpring") {}

template <typename T>
RevoluteSpring<T>::~RevoluteSpring() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::RevoluteSpring);
