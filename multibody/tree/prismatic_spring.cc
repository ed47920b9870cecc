#include "wyvern/multibody/tree/prismatic_spring.h"

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
PrismaticSpring<T>::PrismaticSpring(const PrismaticJoint<T>& joint,
                                    double nominal_position, double stiffness)
    : internal::SingleAxisSpring<T>(joint, nominal_position, stiffness,
                                    "PrismaticSpring") {}

template <typename T>
PrismaticSpring<T>::~PrismaticSpring() = default;

template <typename T>
template <typename ToScalar>
std::unique_ptr<ForceElement<ToScalar>> PrismaticSpring<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<PrismaticSpring<ToScalar>>(
      dynamic_cast<const PrismaticJoint<ToScalar>&>(
          tree_clone.get_joint(joint().index())),
      nominal_position(), this->stiffness());
}

template <typename T>
std::unique_ptr<ForceElement<double>> PrismaticSpring<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<ForceElement<AutoDiffXd>> PrismaticSpring<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PrismaticSpring);
