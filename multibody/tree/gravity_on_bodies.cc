#include "wyvern/multibody/tree/gravity_on_bodies.h"

#include "wyvern/multibody/algorithms/body_kinematics.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

template <typename T>
void AddGravityForces(const engine::Model& model,
                      const engine::ModelParameters<T>& parameters,
                      const std::vector<engine::Pose<T>>& X_WB,
                      std::vector<SpatialForce<T>>* F_Bo_W) {
  for (int link = 1; link < static_cast<int>(F_Bo_W->size()); ++link) {
    const engine::MobodIndex body = model.body_of_link[link];
    const engine::BodyParameters<T>& constants = parameters.bodies[body];
    if (!constants.gravity_enabled) continue;
    const Vector3<T> f_W = constants.mass * parameters.gravity;
    const Vector3<T> p_BoBcm_W = X_WB[body].R * constants.p_BoBcm_B;
    (*F_Bo_W)[link] += SpatialForce<T>(p_BoBcm_W.cross(f_W), f_W);
  }
}

template <typename T>
void GravityOnBodies<T>::AddForces(const VectorX<T>& q,
                                   std::vector<SpatialForce<T>>* F_Bo_W) const {
  engine::PositionKinematics<T> positions(model_);
  std::vector<engine::Pose<T>> X_WB(model_.num_bodies());
  engine::CalcPositionKinematics<T>(model_, parameters_, q, &positions);
  engine::CalcBodyPoses<T>(model_, parameters_, positions, &X_WB);
  AddGravityForces<T>(model_, parameters_, X_WB, F_Bo_W);
}

#define WYVERN_INSTANTIATE(T)                                              \
  template void AddGravityForces(                                          \
      const engine::Model&, const engine::ModelParameters<T>&,             \
      const std::vector<engine::Pose<T>>&, std::vector<SpatialForce<T>>*); \
  template class GravityOnBodies<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
