#include "wyvern/multibody/tree/revolute_spring.h"

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
RevoluteSpring<T>::RevoluteSpring(const RevoluteJoint<T>& joint,
                                  double nominal_angle, double stiffness)
    : internal::SingleAxisSpring<T>(joint, nominal_angle, stiffness,
                                    "RevoluteSpring") {}

template <typename T>
RevoluteSpring<T>::~RevoluteSpring() = default;

template <typename T>
template <typename ToScalar>
std::unique_ptr<ForceElement<ToScalar>> RevoluteSpring<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<RevoluteSpring<ToScalar>>(
      dynamic_cast<const RevoluteJoint<ToScalar>&>(
          tree_clone.get_joint(joint().index())),
      nominal_angle(), this->stiffness());
}

template <typename T>
std::unique_ptr<ForceElement<double>> RevoluteSpring<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<ForceElement<AutoDiffXd>> RevoluteSpring<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::RevoluteSpring);
