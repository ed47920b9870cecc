#include "wyvern/multibody/plant/plant_dynamics.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/algorithms/inverse_dynamics.h"
#include "wyvern/multibody/algorithms/mass_matrix.h"
#include "wyvern/multibody/algorithms/newton_euler.h"
#include "wyvern/multibody/algorithms/node_forces.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using internal::Deref;
using internal::RequireSize;
using systems::Context;

namespace {

// True if there are none, now and for any change of what a scalar varies with.
bool HasNoBodyForces(const MultibodyForces<double>& forces) {
  return std::ranges::all_of(forces.body_forces(), [](const auto& F) {
    return F.get_coeffs() == Vector6<double>::Zero();
  });
}
bool HasNoBodyForces(const MultibodyForces<AutoDiffXd>&) { return false; }

}  // namespace

template <typename T>
void PlantDynamics<T>::RequireMatrix(const char* function,
                                     EigenPtr<MatrixX<T>> M) const {
  core_.tree().RequireFinalized(function);
  const int nv = core_.num_v();
  if (M != nullptr && M->rows() == nv && M->cols() == nv) return;
  throw std::logic_error(fmt::format(
      "MultibodyPlant::{}(): the output M must be a {} x {} matrix.", function,
      nv, nv));
}

template <typename T>
void PlantDynamics<T>::CalcMassMatrix(const Context<T>& context,
                                      EigenPtr<MatrixX<T>> M) const {
  RequireMatrix("CalcMassMatrix", M);
  core_.CalcMassMatrix(context, *M);
}

template <typename T>
void PlantDynamics<T>::CalcMassMatrixViaInverseDynamics(
    const Context<T>& context, EigenPtr<MatrixX<T>> M) const {
  RequireMatrix("CalcMassMatrixViaInverseDynamics", M);
  const engine::Model& model = core_.model();
  const auto& positions = core_.EvalNodePositions(context);
  engine::VelocityKinematics<T> still(model);
  const VectorX<T> zero = VectorX<T>::Zero(core_.num_v());
  const auto& parameters = core_.EvalModelParameters(context);
  engine::CalcVelocityKinematics<T>(model, parameters, positions, zero, &still);
  engine::InverseDynamicsScratch<T> scratch(model);
  VectorX<T> vdot(core_.num_v());
  engine::CalcMassMatrixViaInverseDynamics<T>(model, parameters, positions,
                                              core_.EvalInertias(context),
                                              still, &scratch, &vdot, *M);
}

template <typename T>
void PlantDynamics<T>::CalcBiasTerm(const Context<T>& context,
                                    EigenPtr<VectorX<T>> Cv) const {
  core_.tree().RequireFinalized("CalcBiasTerm");
  RequireSize(Cv == nullptr ? -1 : Cv->size(), core_.num_v(),
              "MultibodyPlant::CalcBiasTerm", "the output Cv");
  *Cv = core_.EvalBiasTerm(context);
}

template <typename T>
VectorX<T> PlantDynamics<T>::CalcGravityGeneralizedForces(
    const Context<T>& context) const {
  return EvalGravityGeneralizedForces(context);
}

template <typename T>
const VectorX<T>& PlantDynamics<T>::EvalGravityGeneralizedForces(
    const Context<T>& context) const {
  core_.tree().RequireFinalized("CalcGravityGeneralizedForces");
  return core_.EvalGravityForces(context);
}

template <typename T>
void PlantDynamics<T>::CalcNodeForces(const Context<T>& context,
                                      const MultibodyForces<T>& forces,
                                      std::vector<Vector6<T>>* F) const {
  const auto positions = core_.EvalPositions(context);
  std::vector<Vector6<T>> F_BBo_W(core_.model().num_bodies(),
                                  Vector6<T>::Zero());
  for (BodyIndex body(0); body < core_.tree().num_bodies(); ++body) {
    F_BBo_W[core_.tree().model_body(body)] =
        forces.body_forces()[body].get_coeffs();
  }
  F->assign(core_.model().num_nodes(), Vector6<T>::Zero());
  engine::AddBodyForces<T>(core_.model(), positions.X_WB, positions.nodes,
                           F_BBo_W, F);
}

template <typename T>
VectorX<T> PlantDynamics<T>::CalcInverseDynamics(
    const Context<T>& context, const VectorX<T>& known_vdot,
    const MultibodyForces<T>& external_forces) const {
  constexpr char kName[] = "MultibodyPlant::CalcInverseDynamics";
  core_.tree().RequireFinalized("CalcInverseDynamics");
  RequireSize(known_vdot.size(), core_.num_v(), kName, "known_vdot");
  external_forces.RequireSizeFor(core_.tree(), kName);
  VectorX<T> tau(core_.num_v());
  if (HasNoBodyForces(external_forces)) {
    // Nothing is needed in the world's axes.
    engine::NewtonEulerScratch<T> scratch(core_.model());
    engine::CalcInverseDynamics<T>(
        core_.model(), core_.EvalModelParameters(context),
        core_.PositionsOf(context), core_.VelocitiesOf(context), known_vdot,
        engine::Gravity::kOff, &scratch, tau);
    tau -= external_forces.generalized_forces();
    return tau;
  }
  std::vector<Vector6<T>> F;
  CalcNodeForces(context, external_forces, &F);
  engine::InverseDynamicsScratch<T> scratch(core_.model());
  engine::CalcInverseDynamics<T>(
      core_.model(), core_.EvalModelParameters(context),
      core_.EvalPositions(context).nodes, core_.EvalInertias(context),
      core_.EvalVelocities(context).nodes, known_vdot, F, engine::Gravity::kOff,
      &scratch, tau);
  tau -= external_forces.generalized_forces();
  return tau;
}

template <typename T>
void PlantDynamics<T>::CalcForceElementsContribution(
    const Context<T>& context, MultibodyForces<T>* forces) const {
  constexpr char kName[] = "MultibodyPlant::CalcForceElementsContribution";
  core_.tree().RequireFinalized("CalcForceElementsContribution");
  Deref(forces, kName).RequireSizeFor(core_.tree(), kName);
  forces->SetZero();
  core_.tree().gravity_field().CalcAndAddForceContribution(
      context, core_.EvalPositions(context), core_.EvalVelocities(context),
      forces);
  dynamics_.AddForceElements(context, forces);
  forces->mutable_generalized_forces() -=
      core_.EvalModelParameters(context).damping.cwiseProduct(
          core_.VelocitiesOf(context));
}

template <typename T>
void PlantDynamics<T>::CalcGeneralizedForces(
    const Context<T>& context, const MultibodyForces<T>& forces,
    VectorX<T>* generalized_forces) const {
  constexpr char kName[] = "MultibodyPlant::CalcGeneralizedForces";
  core_.tree().RequireFinalized("CalcGeneralizedForces");
  forces.RequireSizeFor(core_.tree(), kName);
  Deref(generalized_forces, kName).resize(core_.num_v());
  std::vector<Vector6<T>> F;
  CalcNodeForces(context, forces, &F);
  std::vector<Vector6<T>> scratch(core_.model().num_nodes());
  engine::CalcGeneralizedForces<T>(core_.model(),
                                   core_.EvalPositions(context).nodes, F,
                                   &scratch, *generalized_forces);
  *generalized_forces += forces.generalized_forces();
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantDynamics);
