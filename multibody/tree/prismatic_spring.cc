#include "wyvern/multibody/tree/prismatic_spring.h"

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
PrismaticSpring<T>::PrismaticSpring(const PrismaticJoint<T>& joint,
                                    double nominal_position, double stiffness)
    : internal::TypedForceElement<PrismaticSpring, T,
                                  internal::SingleAxisSpring<T>>(
          joint, nominal_position, stiffness, "PrismaticSpring") {}

template <typename T>
PrismaticSpring<T>::~PrismaticSpring() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PrismaticSpring);
