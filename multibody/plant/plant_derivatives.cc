#include "wyvern/multibody/plant/plant_derivatives.h"

#include <span>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/center_of_mass.h"
#include "wyvern/multibody/dynamics/centroidal_momentum.h"
#include "wyvern/multibody/dynamics/forward_dynamics_derivatives.h"
#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/mass_matrix_inverse.h"
#include "wyvern/multibody/dynamics/operational_space_inertia.h"
#include "wyvern/multibody/plant/parts/body_sets.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/articulated_inertias.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

/* Derivatives of dynamics, the inverse mass matrix, and momentum about the
centre of mass, for users: arguments are checked and taken from BodyIndex to
the order of the model, algorithms/ computes, results are checked to be
finite. Applied forces are constant in W while q changes ("dead loads").
Damping D is added here: dtau/dv + D. Sources of the algorithms:
algorithms/README.md. */

namespace wyvern::multibody {

using systems::Context;

template <typename T>
void PlantDerivatives<T>::RequireSquare(const char* function, const char* name,
                                        int size,
                                        EigenPtr<MatrixX<T>> M) const {
  if (M != nullptr && M->rows() == size && M->cols() == size) return;
  throw std::logic_error(fmt::format(
      "MultibodyPlant::{}(): the output {} must be a {} x {} matrix.", function,
      name, size, size));
}

template <typename T>
std::vector<dynamics::DeadLoad<T>> PlantDerivatives<T>::MakeLoads(
    const Context<T>& context, const MultibodyForces<T>& forces,
    const char* function) const {
  const std::string name = fmt::format("MultibodyPlant::{}", function);
  forces.RequireSizeFor(core_.tree(), name);
  internal::RequireFiniteForces(name, "applied_forces", forces);
  const auto positions = core_.EvalPositions(context);
  std::vector<dynamics::DeadLoad<T>> loads(core_.model().num_nodes());
  for (BodyIndex body(1); body < core_.tree().num_bodies(); ++body) {
    const dynamics::MobodIndex i = core_.tree().model_body(body);
    dynamics::AddDeadLoadAtPoint<T>(
        core_.model(), positions.nodes, i, positions.X_WB[i].p,
        forces.body_forces()[body].get_coeffs(), &loads);
  }
  return loads;
}

template <typename T>
dynamics::ArticulatedInertias<T> PlantDerivatives<T>::CalcArticulatedInertias(
    const Context<T>& context) const {
  dynamics::ArticulatedInertias<T> result(core_.model());
  internal::CalcArticulatedInertias<T>(core_, core_.EvalConfiguration(context),
                                       VectorX<T>(), &result);
  return result;
}

template <typename T>
void PlantDerivatives<T>::CalcInverseDynamicsDerivatives(
    const Context<T>& context, const VectorX<T>& known_vdot,
    const MultibodyForces<T>& applied_forces, EigenPtr<MatrixX<T>> dtau_dq,
    EigenPtr<MatrixX<T>> dtau_dv, EigenPtr<MatrixX<T>> dtau_dvdot) const {
  constexpr char kName[] = "CalcInverseDynamicsDerivatives";
  core_.tree().RequireFinalized(kName);
  internal::RequireSize({"MultibodyPlant", kName}, "known_vdot",
                        known_vdot.size(), core_.num_v());
  internal::RequireFinite({"MultibodyPlant", kName}, "known_vdot", known_vdot);
  RequireSquare(kName, "dtau_dq", core_.num_v(), dtau_dq);
  RequireSquare(kName, "dtau_dv", core_.num_v(), dtau_dv);
  RequireSquare(kName, "dtau_dvdot", core_.num_v(), dtau_dvdot);
  const auto loads = MakeLoads(context, applied_forces, kName);
  const dynamics::Motion<T> motion = core_.EvalMotion(context);
  const VectorX<T> v = core_.VelocitiesOf(context);
  dynamics::InverseDynamicsDerivativesScratch<T> scratch(core_.model());
  dynamics::CalcInverseDynamicsDerivatives<T>(
      motion, v, known_vdot, loads, dynamics::Gravity::kOn, &scratch,
      {*dtau_dq, *dtau_dv, *dtau_dvdot});
  dtau_dv->diagonal() += motion.parameters.damping;
  const std::string name = fmt::format("MultibodyPlant::{}", kName);
  internal::RequireFiniteResult(name, "dtau_dq", *dtau_dq);
  internal::RequireFiniteResult(name, "dtau_dv", *dtau_dv);
}

template <typename T>
void PlantDerivatives<T>::CalcForwardDynamicsDerivatives(
    const Context<T>& context, const VectorX<T>& tau,
    const MultibodyForces<T>& applied_forces, EigenPtr<MatrixX<T>> dvdot_dq,
    EigenPtr<MatrixX<T>> dvdot_dv, EigenPtr<MatrixX<T>> dvdot_dtau) const {
  constexpr char kName[] = "CalcForwardDynamicsDerivatives";
  core_.tree().RequireFinalized(kName);
  const int nv = core_.num_v();
  internal::RequireSize({"MultibodyPlant", kName}, "tau", tau.size(), nv);
  internal::RequireFinite({"MultibodyPlant", kName}, "tau", tau);
  RequireSquare(kName, "dvdot_dq", nv, dvdot_dq);
  RequireSquare(kName, "dvdot_dv", nv, dvdot_dv);
  RequireSquare(kName, "dvdot_dtau", nv, dvdot_dtau);
  const auto loads = MakeLoads(context, applied_forces, kName);
  const dynamics::Model& model = core_.model();
  const dynamics::Motion<T> motion = core_.EvalMotion(context);
  const VectorX<T>& damping = motion.parameters.damping;
  const VectorX<T> v = core_.VelocitiesOf(context);
  dynamics::ArticulatedInertias<T> articulated =
      CalcArticulatedInertias(context);
  std::vector<Vector6<T>> F(model.num_nodes()), A(model.num_nodes());
  for (int i = 0; i < model.num_nodes(); ++i) F[i] = loads[i].F;
  const VectorX<T> all_tau =
      tau + applied_forces.generalized_forces() - damping.cwiseProduct(v);
  VectorX<T> vdot(nv);
  dynamics::CalcForwardDynamics<T>(motion, all_tau, F, dynamics::Gravity::kOn,
                                   &articulated, &A, vdot);
  dynamics::ForwardDynamicsDerivativesScratch<T> scratch(model);
  dynamics::CalcForwardDynamicsDerivatives<T>(
      motion, v, vdot, damping, loads, dynamics::Gravity::kOn, articulated,
      &scratch, {*dvdot_dq, *dvdot_dv, *dvdot_dtau});
  const std::string name = fmt::format("MultibodyPlant::{}", kName);
  internal::RequireFiniteResult(name, "vdot", vdot);
  internal::RequireFiniteResult(name, "dvdot_dq", *dvdot_dq);
  internal::RequireFiniteResult(name, "dvdot_dv", *dvdot_dv);
}

template <typename T>
MatrixX<T> PlantDerivatives<T>::CalcDerivativeInPositions(
    const Context<T>& context, const MatrixX<T>& tangent) const {
  core_.tree().RequireFinalized("CalcDerivativeInPositions");
  internal::RequireSize("MultibodyPlant::CalcDerivativeInPositions",
                        "the number of columns of `tangent`", tangent.cols(),
                        core_.num_v());
  constexpr char kName[] = "MultibodyPlant::CalcDerivativeInPositions";
  internal::RequireFinite(kName, "tangent", tangent);
  MatrixX<T> Nplus = MatrixX<T>::Zero(core_.num_v(), core_.num_q());
  dynamics::CalcNPlus<T>(core_.model(), core_.PositionsOf(context), Nplus);
  const MatrixX<T> result = tangent * Nplus;
  internal::RequireFiniteResult(kName, "the derivative", result);
  return result;
}

template <typename T>
void PlantDerivatives<T>::CalcMassMatrixInverse(
    const Context<T>& context, EigenPtr<MatrixX<T>> M_inverse) const {
  constexpr char kName[] = "CalcMassMatrixInverse";
  core_.tree().RequireFinalized(kName);
  RequireSquare(kName, "M_inverse", core_.num_v(), M_inverse);
  dynamics::MassMatrixInverseScratch<T> scratch(core_.model());
  dynamics::CalcMassMatrixInverse<T>(
      core_.model(), core_.EvalNodePositions(context),
      CalcArticulatedInertias(context), &scratch, *M_inverse);
}

template <typename T>
void PlantDerivatives<T>::CalcInverseOperationalSpaceInertia(
    const Context<T>& context, const std::vector<const Frame<T>*>& frames,
    EigenPtr<MatrixX<T>> Lambda_inverse) const {
  constexpr char kName[] = "CalcInverseOperationalSpaceInertia";
  core_.tree().RequireFinalized(kName);
  const int m = static_cast<int>(frames.size());
  RequireSquare(kName, "Lambda_inverse", 6 * m, Lambda_inverse);
  std::vector<dynamics::BodyPoint<T>> points;
  for (const Frame<T>* pointer : frames) {
    const Frame<T>& frame = internal::Deref(
        pointer, "MultibodyPlant::CalcInverseOperationalSpaceInertia");
    core_.tree().RequireMember(frame, kName);
    points.push_back({core_.tree().model_body(frame.body().index()),
                      frame.CalcPoseInWorld(context).translation()});
  }
  dynamics::OperationalSpaceInertiaScratch<T> scratch(core_.model(), m);
  dynamics::CalcInverseOperationalSpaceInertia<T>(
      core_.model(), core_.EvalNodePositions(context),
      CalcArticulatedInertias(context), points, &scratch, *Lambda_inverse);
}

template <typename T>
Vector3<T> PlantDerivatives<T>::CalcCenterOfMass(const Context<T>& context,
                                                 const char* function) const {
  const std::span<const int> bodies =
      internal::FindModelBodies(core_.tree(), function);
  internal::RequireMass(core_, context, bodies, function);
  return dynamics::CalcCenterOfMass<T>(
      core_.model(), core_.EvalModelParameters(context),
      core_.EvalNodePositions(context), bodies);
}

template <typename T>
void PlantDerivatives<T>::CalcCentroidalMomentumMatrix(
    const Context<T>& context, EigenPtr<Matrix6X<T>> A) const {
  constexpr char kName[] = "CalcCentroidalMomentumMatrix";
  core_.tree().RequireFinalized(kName);
  internal::RequireSize({"MultibodyPlant", kName}, "the number of columns of A",
                        A == nullptr ? -1 : A->cols(), core_.num_v());
  const Vector3<T> p_WC = CalcCenterOfMass(context, kName);
  const auto& inertias = core_.EvalInertias(context);
  std::vector<dynamics::RigidInertia<T>> composites(inertias.size());
  dynamics::CalcCompositeInertias<T>(core_.model(), inertias, &composites);
  dynamics::CalcCentroidalMomentumMatrix<T>(
      core_.model(), core_.EvalNodePositions(context), composites, p_WC, *A);
}

template <typename T>
SpatialMomentum<T> PlantDerivatives<T>::CalcCentroidalMomentum(
    const Context<T>& context) const {
  constexpr char kName[] = "CalcCentroidalMomentum";
  core_.tree().RequireFinalized(kName);
  const Vector6<T> h = dynamics::CalcCentroidalMomentum<T>(
      core_.model(), core_.EvalNodePositions(context),
      core_.EvalInertias(context), core_.EvalVelocities(context).nodes,
      CalcCenterOfMass(context, kName));
  internal::RequireFiniteResult("MultibodyPlant::CalcCentroidalMomentum",
                                "the momentum", h);
  return SpatialMomentum<T>(h);
}

template <typename T>
SpatialForce<T> PlantDerivatives<T>::CalcCentroidalMomentumBias(
    const Context<T>& context) const {
  constexpr char kName[] = "CalcCentroidalMomentumBias";
  core_.tree().RequireFinalized(kName);
  std::vector<Vector6<T>> scratch(core_.model().num_nodes());
  const Vector6<T> bias = dynamics::CalcCentroidalMomentumBias<T>(
      core_.model(), core_.EvalNodePositions(context),
      core_.EvalInertias(context), core_.EvalVelocities(context).nodes,
      CalcCenterOfMass(context, kName), &scratch);
  internal::RequireFiniteResult("MultibodyPlant::CalcCentroidalMomentumBias",
                                "the bias", bias);
  return SpatialForce<T>(bias);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PlantDerivatives);
