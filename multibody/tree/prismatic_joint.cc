#include "wyvern/multibody/tree/prismatic_joint.h"

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
PrismaticJoint<T>::PrismaticJoint(const std::string& name,
                                  const Frame<T>& frame_on_parent,
                                  const Frame<T>& frame_on_child,
                                  const Vector3<double>& axis,
                                  double pos_lower_limit,
                                  double pos_upper_limit, double damping)
    : internal::SingleAxisJoint<T>(engine::MobilizerType::kPrismatic, name,
                                   frame_on_parent, frame_on_child, axis,
                                   pos_lower_limit, pos_upper_limit, damping) {}

template <typename T>
PrismaticJoint<T>::~PrismaticJoint() = default;

template <typename T>
const std::string& PrismaticJoint<T>::type_name() const {
  static const std::string name(kTypeName);
  return name;
}

template <typename T>
VectorX<T> PrismaticJoint<T>::DoPoseToPositions(const Quaternion<T>&,
                                                const Vector3<T>& p_FM) const {
  return VectorX<T>::Constant(1, this->axis().template cast<T>().dot(p_FM));
}

template <typename T>
VectorX<T> PrismaticJoint<T>::DoSpatialVelocityToVelocities(
    const SpatialVelocity<T>& V_FM) const {
  return VectorX<T>::Constant(
      1, this->axis().template cast<T>().dot(V_FM.translational()));
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> PrismaticJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<PrismaticJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()), this->axis(),
      this->position_lower_limit(), this->position_upper_limit(),
      this->default_damping());
}

template <typename T>
std::unique_ptr<Joint<double>> PrismaticJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> PrismaticJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PrismaticJoint);
