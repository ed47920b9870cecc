#include "wyvern/multibody/tree/rigid_body_frame.h"

#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
RigidBodyFrame<T>::RigidBodyFrame(const RigidBody<T>& body)
    : Frame<T>(body.name(), body, body.model_instance(),
               /* is_body_frame */ true) {}

template <typename T>
RigidBodyFrame<T>::~RigidBodyFrame() = default;

template <typename T>
std::unique_ptr<Frame<double>> RigidBodyFrame<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>&) const {
  return nullptr;
}

template <typename T>
std::unique_ptr<Frame<AutoDiffXd>> RigidBodyFrame<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>&) const {
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::RigidBodyFrame);
