#include "wyvern/multibody/standalone/kinematics_caches.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
PositionKinematicsCache<T>::PositionKinematicsCache(
    const MultibodyTreeTopology& topology)
    : num_bodies_(topology.get_num_bodies()),
      num_velocities_(topology.num_velocities),
      X_WB_(num_bodies_, Isometry3<T>::Identity()),
      X_PB_(X_WB_),
      X_FM_(X_WB_),
      X_BF_(topology.num_frames, Isometry3<T>::Identity()),
      H_FM_(num_bodies_, Matrix6X<T>(6, 0)),
      H_PB_W_(H_FM_),
      com_W_(num_bodies_, Vector3<T>::Zero()),
      M_Bo_W_(num_bodies_, SpatialInertia<T>::Zero()) {
  for (const MobilizerTopology& mobilizer : topology.mobilizers) {
    H_FM_[mobilizer.body_node].setZero(6, mobilizer.num_velocities);
    H_PB_W_[mobilizer.body_node].setZero(6, mobilizer.num_velocities);
  }
}

template <typename T>
VelocityKinematicsCache<T>::VelocityKinematicsCache(
    const MultibodyTreeTopology& topology)
    : V_WB_(topology.get_num_bodies(), SpatialVelocity<T>::Zero()),
      V_PB_W_(V_WB_),
      V_FM_(V_WB_) {}

template <typename T>
AccelerationKinematicsCache<T>::AccelerationKinematicsCache(
    const MultibodyTreeTopology& topology)
    : A_WB_(topology.get_num_bodies(), SpatialAcceleration<T>::Zero()) {}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PositionKinematicsCache);
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::VelocityKinematicsCache);
WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::AccelerationKinematicsCache);
