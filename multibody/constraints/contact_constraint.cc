#include "wyvern/multibody/constraints/contact_constraint.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using math::RigidTransform;
using systems::Context;

template <typename T>
void ContactConstraint<T>::AddNormal(const Vector3<double>& normal_W,
                                     const std::string& name) {
  normals_.push_back(normal_W);
  this->AddRow(name);
}

template <typename T>
Vector3<T> ContactConstraint<T>::PointInWorld(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context) const {
  return plant.EvalPositions(context)
             .X_WB[plant.tree().model_body(this->successor())] *
         Vector3<T>(p_BC_.template cast<T>());
}

template <typename T>
void ContactConstraint<T>::DoCalcUnitForces(const MultibodyTreeSystem<T>& plant,
                                            const Context<T>& context,
                                            Eigen::Ref<Matrix6X<T>> F) const {
  const Vector3<T> p_WC = PointInWorld(plant, context);
  for (int r = 0; r < this->size(); ++r) {
    const Vector3<T> n = normals_[r].template cast<T>();
    F.col(r).template head<3>() = p_WC.cross(n);
    F.col(r).template tail<3>() = n;
  }
}

template <typename T>
void ContactConstraint<T>::DoCalcGammaFromBias(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const std::vector<Vector6<T>>& A_bias, Eigen::Ref<VectorX<T>> gamma) const {
  const Vector6<T> A = engine::CalcPointAcceleration<T>(
      plant.model(), plant.EvalNodePositions(context),
      plant.EvalVelocities(context).nodes, A_bias,
      plant.tree().model_body(this->successor()), PointInWorld(plant, context));
  for (int r = 0; r < this->size(); ++r) {
    gamma[r] = -A.template tail<3>().dot(normals_[r].template cast<T>());
  }
}

template <typename T>
void ContactConstraint<T>::DoCalcSpatialForces(
    const MultibodyTreeSystem<T>& plant, const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& multipliers, bool in_world,
    std::vector<BodyIndex>* bodies, std::vector<RigidTransform<T>>* frames,
    std::vector<SpatialForce<T>>* forces) const {
  Vector3<T> f_W = Vector3<T>::Zero();
  for (int r = 0; r < this->size(); ++r) {
    f_W += normals_[r].template cast<T>() * multipliers[r];
  }
  const Vector3<T> zero = Vector3<T>::Zero();
  const RigidTransform<T> X_WC(PointInWorld(plant, context));
  if (in_world) {
    bodies->push_back(world_index());
    frames->push_back(X_WC);
    forces->emplace_back(zero, f_W);
  } else {
    const auto& X_WB =
        plant.BodyPose(plant.EvalPositions(context), this->successor());
    bodies->push_back(this->successor());
    frames->emplace_back(Vector3<T>(p_BC_.template cast<T>()));
    forces->emplace_back(zero, X_WB.rotation().transpose() * f_W);
  }
  bodies->push_back(world_index());
  frames->push_back(X_WC);
  forces->emplace_back(zero, -f_W);
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::ContactConstraint);

}  // namespace wyvern::multibody
