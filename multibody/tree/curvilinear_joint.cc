#include "wyvern/multibody/tree/curvilinear_joint.h"

#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

}  // namespace

template <typename T>
CurvilinearJoint<T>::CurvilinearJoint(const std::string& name,
                                      const Frame<T>& frame_on_parent,
                                      const Frame<T>& frame_on_child,
                                      const Path& curvilinear_path,
                                      double damping)
    : CurvilinearJoint(name, frame_on_parent, frame_on_child, curvilinear_path,
                       curvilinear_path.is_periodic() ? -kUnbounded : 0.0,
                       curvilinear_path.is_periodic()
                           ? kUnbounded
                           : curvilinear_path.length(),
                       damping) {}

template <typename T>
CurvilinearJoint<T>::CurvilinearJoint(const std::string& name,
                                      const Frame<T>& frame_on_parent,
                                      const Frame<T>& frame_on_child,
                                      const Path& curvilinear_path,
                                      double pos_lower_limit,
                                      double pos_upper_limit, double damping)
    : internal::SingleAxisJoint<T>(engine::MobilizerType::kCurvilinear, name,
                                   frame_on_parent, frame_on_child,
                                   Vector3<double>::UnitZ(), pos_lower_limit,
                                   pos_upper_limit, damping),
      path_(curvilinear_path) {
  if (path_.path().num_segments() > 0) return;
  throw std::logic_error(fmt::format(
      "CurvilinearJoint: joint '{}' was given a path without segments; give "
      "one with breaks and turning rates.",
      name));
}

template <typename T>
CurvilinearJoint<T>::~CurvilinearJoint() = default;

template <typename T>
const std::string& CurvilinearJoint<T>::type_name() const {
  static const std::string name(kTypeName);
  return name;
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Joint<ToScalar>> CurvilinearJoint<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<CurvilinearJoint<ToScalar>>(
      this->name(), tree_clone.get_frame(this->frame_on_parent().index()),
      tree_clone.get_frame(this->frame_on_child().index()), path_,
      this->position_lower_limit(), this->position_upper_limit(),
      this->default_damping());
}

template <typename T>
std::unique_ptr<Joint<double>> CurvilinearJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Joint<AutoDiffXd>> CurvilinearJoint<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::CurvilinearJoint);
