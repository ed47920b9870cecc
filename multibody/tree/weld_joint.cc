#include "wyvern/multibody/tree/weld_joint.h"

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
WeldJoint<T>::WeldJoint(const std::string& name,
                        const Frame<T>& frame_on_parent_F,
                        const Frame<T>& frame_on_child_M,
                        const math::RigidTransform<double>& X_FM)
    : internal::TypedJoint<WeldJoint, T>(dynamics::MobilizerType::kWeld, name,
                                         frame_on_parent_F, frame_on_child_M,
                                         VectorX<double>(0)),
      X_FM_(X_FM) {
  internal::RequireFinite(internal::Caller::Element("WeldJoint", name),
                          "position in X_FM", X_FM.translation());
}

template <typename T>
WeldJoint<T>::~WeldJoint() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::WeldJoint);
