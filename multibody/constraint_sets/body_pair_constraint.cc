#include "wyvern/multibody/constraint_sets/body_pair_constraint.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/step/rows/factored_rows.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* A contact or a loop says what its rows are, MakeRows(); everything here asks
the constraint on numbers in rows/ for it, with the Context's kinematics: e,
unit forces F on the successor about Wo, F'(J_S - J_P), and -J̇ v. Forces that
multipliers make are F lambda, moved to where each kind shows them. Errors of
the numbers begin with the name of the constraint. */

namespace wyvern::multibody {

using internal::HolonomicConstraint;
using math::RigidTransform;
using systems::Context;

namespace {

template <typename T>
RigidTransform<T> ToTransform(const dynamics::Pose<double>& X) {
  return {math::RotationMatrix<T>::MakeUnchecked(X.R.template cast<T>()),
          Vector3<T>(X.p.template cast<T>())};
}

}  // namespace

template <typename T>
BodyPairConstraint<T>::BodyPairConstraint(ConstraintType type,
                                          BodyIndex predecessor,
                                          BodyIndex successor, std::string name,
                                          std::optional<int> user_id)
    : Constraint<T>(type, 0, std::move(name), user_id),
      predecessor_(predecessor),
      successor_(successor) {}

template <typename T>
std::string BodyPairConstraint<T>::DoDescribe(const Plant* plant) const {
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
template <typename Calc>
void BodyPairConstraint<T>::CallWithRows(const Plant& plant,
                                         const Calc& calc) const {
  HolonomicConstraint rows = MakeRows();
  rows.body_A = plant.tree().model_body(predecessor_);
  rows.body_B = plant.tree().model_body(successor_);
  try {
    calc(std::as_const(rows));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(
        fmt::format("{}: {}", this->Describe(&plant), error.what()));
  }
}

template <typename T>
void BodyPairConstraint<T>::DoCalcPositionError(
    const Plant& plant, const Context<T>& context,
    Eigen::Ref<VectorX<T>> error) const {
  CallWithRows(plant, [&](const HolonomicConstraint& rows) {
    internal::CalcConstraintErrors<T>(rows, plant.EvalPositions(context).X_WB,
                                      plant.PositionsOf(context), error);
  });
}

template <typename T>
void BodyPairConstraint<T>::CalcUnitForces(const Plant& plant,
                                           const Context<T>& context,
                                           Eigen::Ref<Matrix6X<T>> F,
                                           internal::RowRates rates) const {
  CallWithRows(plant, [&](const HolonomicConstraint& rows) {
    internal::CalcUnitForces<T>(rows, plant.EvalPositions(context).X_WB, F,
                                rates);
  });
}

template <typename T>
double BodyPairConstraint<T>::CalcReach(const Plant& plant,
                                        const Context<T>& context) const {
  const HolonomicConstraint rows = MakeRows();
  const auto& X_WB = plant.EvalPositions(context).X_WB;
  const auto reach = [&](BodyIndex body, const Vector3<double>& p_BQ) {
    const Vector3<double> p_WB =
        ToDouble(X_WB[plant.tree().model_body(body)].p);
    return p_WB.norm() + p_BQ.norm();
  };
  return reach(predecessor_, rows.X_AP.p) + reach(successor_, rows.X_BQ.p);
}

template <typename T>
void BodyPairConstraint<T>::CalcVelocities(
    const Plant& plant, const Context<T>& context,
    const Eigen::Ref<const Matrix6X<T>>& F,
    Eigen::Ref<VectorX<T>> velocities) const {
  CallWithRows(plant, [&](const HolonomicConstraint& rows) {
    internal::CalcConstraintVelocities<T>(
        rows, plant.model(), plant.EvalNodePositions(context),
        plant.EvalVelocities(context).nodes, F, plant.VelocitiesOf(context),
        velocities);
  });
}

template <typename T>
void BodyPairConstraint<T>::DoCalcJacobian(const Plant& plant,
                                           const Context<T>& context,
                                           Eigen::Ref<MatrixX<T>> G) const {
  Matrix6X<T> F(6, this->size());
  CalcUnitForces(plant, context, F);
  G.setZero();
  const auto& positions = plant.EvalNodePositions(context);
  const auto add = [&](BodyIndex body, double sign) {
    internal::AddJacobianRows<T>(plant.model(), positions,
                                 plant.tree().model_body(body), F, sign, 0, G);
  };
  add(successor_, 1);
  add(predecessor_, -1);
}

template <typename T>
void BodyPairConstraint<T>::CalcGammaFromBias(
    const Plant& plant, const Context<T>& context,
    const std::vector<Vector6<T>>& A_bias, Eigen::Ref<VectorX<T>> gamma) const {
  CallWithRows(plant, [&](const HolonomicConstraint& rows) {
    internal::CalcConstraintBias<T>(
        rows, plant.model(), plant.EvalNodePositions(context),
        plant.EvalVelocities(context).nodes, plant.EvalPositions(context).X_WB,
        A_bias, gamma);
  });
  gamma = -gamma;
}

template <typename T>
void BodyPairConstraint<T>::DoCalcGamma(const Plant& plant,
                                        const Context<T>& context,
                                        Eigen::Ref<VectorX<T>> gamma) const {
  std::vector<Vector6<T>> A_bias(plant.model().num_nodes());
  dynamics::CalcBiasAccelerations<T>(
      plant.model(), plant.EvalVelocities(context).nodes, &A_bias);
  CalcGammaFromBias(plant, context, A_bias, gamma);
}

template <typename T>
void BodyPairConstraint<T>::DoCalcSpatialForces(
    const Plant& plant, const Context<T>& context,
    const Eigen::Ref<const VectorX<T>>& multipliers, bool in_world,
    std::vector<BodyIndex>* bodies, std::vector<RigidTransform<T>>* frames,
    std::vector<SpatialForce<T>>* forces) const {
  Matrix6X<T> F(6, this->size());
  CalcUnitForces(plant, context, F);
  const Vector6<T> F_Wo = F * multipliers;
  const auto positions = plant.EvalPositions(context);
  const auto push = [&](BodyIndex body, const RigidTransform<T>& X_BF,
                        double sign) {
    const RigidTransform<T> X_WF = plant.BodyPose(positions, body) * X_BF;
    const SpatialForce<T> F_W =
        SpatialForce<T>(Vector6<T>(sign * F_Wo)).Shift(X_WF.translation());
    bodies->push_back(in_world ? world_index() : body);
    if (in_world) {
      frames->emplace_back(X_WF.translation());
      forces->push_back(F_W);
      return;
    }
    const auto R_FW = X_WF.rotation().transpose();
    frames->push_back(X_BF);
    forces->emplace_back(R_FW * F_W.rotational(), R_FW * F_W.translational());
  };
  const HolonomicConstraint rows = MakeRows();
  const RigidTransform<T> X_BQ = ToTransform<T>(rows.X_BQ);
  if (rows.kind == HolonomicConstraint::Kind::kPoint) {
    push(successor_, X_BQ, 1);
    const RigidTransform<T>& X_WB = plant.BodyPose(positions, successor_);
    push(predecessor_, RigidTransform<T>(X_WB * X_BQ.translation()), -1);
    return;
  }
  push(predecessor_, ToTransform<T>(rows.X_AP), -1);
  push(successor_, X_BQ, 1);
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::BodyPairConstraint);

}  // namespace wyvern::multibody
