#include "wyvern/multibody/tree/weld_joint.h"

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
WeldJoint<T>::WeldJoint(const std::string& name,
                        const Frame<T>& frame_on_parent_F,
                        const Frame<T>& frame_on_child_M,
                        const math::RigidTransform<double>& X_FM)
    : Joint<T>(engine::MobilizerType::kWeld, name, frame_on_parent_F,
               frame_on_child_M, VectorX<double>(0), JointLimits(0, 0)),
      X_FM_(X_FM) {
  internal::RequireFinite(X_FM.translation(), "WeldJoint", name,
                          "position in X_FM");
}

template <typename T>
WeldJoint<T>::~WeldJoint() = default;

template <typename T>
const std::string& WeldJoint<T>::type_name() const {
  static const std::string name(kTypeName);
  return name;
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> WeldJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<WeldJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()), X_FM_);
}

template <typename T>
std::unique_ptr<Joint<double>> WeldJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> WeldJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::WeldJoint);
