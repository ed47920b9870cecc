#include "wyvern/multibody/constraints/body_pair_constraint.h"

#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/constraints/rows/factored_rows.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
BodyPairConstraint<T>::BodyPairConstraint(ConstraintType type,
                                          BodyIndex predecessor,
                                          BodyIndex successor, std::string name,
                                          std::optional<int> user_id)
    : Constraint<T>(type, 0, std::move(name), user_id),
      predecessor_(predecessor),
      successor_(successor) {}

template <typename T>
std::string BodyPairConstraint<T>::DoDescribe(
    const internal::MultibodyTreeSystem<T>* plant) const {
  const auto name = [plant](BodyIndex body) {
    if (plant == nullptr || body >= plant->tree().num_bodies()) {
      return fmt::format("body {}", int{body});
    }
    return fmt::format("body '{}'", plant->tree().bodies().get(body).name());
  };
  if (this->type() == ConstraintType::kContact) {
    return fmt::format("a contact of {} without a name", name(successor_));
  }
  return fmt::format("a loop between {} and {} without a name",
                     name(predecessor_), name(successor_));
}

template <typename T>
void BodyPairConstraint<T>::DoCalcJacobian(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, Eigen::Ref<MatrixX<T>> G) const {
  Matrix6X<T> F(6, this->size());
  DoCalcUnitForces(plant, context, F);
  G.setZero();
  const auto& positions = plant.EvalNodePositions(context);
  const auto add = [&](BodyIndex body, double sign) {
    engine::AddJacobianRows<T>(plant.model(), positions,
                               plant.tree().model_body(body), F, sign, 0, G);
  };
  add(successor_, 1);
  add(predecessor_, -1);
}

template <typename T>
void BodyPairConstraint<T>::DoCalcGamma(
    const internal::MultibodyTreeSystem<T>& plant,
    const systems::Context<T>& context, Eigen::Ref<VectorX<T>> gamma) const {
  std::vector<Vector6<T>> A_bias(plant.model().num_nodes());
  engine::CalcBiasAccelerations<T>(
      plant.model(), plant.EvalVelocities(context).nodes, &A_bias);
  DoCalcGammaFromBias(plant, context, A_bias, gamma);
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::BodyPairConstraint);

}  // namespace wyvern::multibody
