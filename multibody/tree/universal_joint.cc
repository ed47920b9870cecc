#include "wyvern/multibody/tree/universal_joint.h"

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
UniversalJoint<T>::UniversalJoint(const std::string& name,
                                  const Frame<T>& frame_on_parent,
                                  const Frame<T>& frame_on_child,
                                  double damping)
    : Joint<T>(engine::MobilizerType::kUniversal, name, frame_on_parent,
               frame_on_child, VectorX<double>::Constant(2, damping),
               JointLimits(2, 2)) {}

template <typename T>
UniversalJoint<T>::~UniversalJoint() = default;

template <typename T>
const std::string& UniversalJoint<T>::type_name() const {
  static const std::string name(kTypeName);
  return name;
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> UniversalJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<UniversalJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()), default_damping());
}

template <typename T>
std::unique_ptr<Joint<double>> UniversalJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> UniversalJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::UniversalJoint);
