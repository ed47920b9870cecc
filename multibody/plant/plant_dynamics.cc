#include "wyvern/multibody/plant/plant_dynamics.h"

#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/dynamics/mass_matrix.h"
#include "wyvern/multibody/dynamics/newton_euler.h"
#include "wyvern/multibody/dynamics/node_forces.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

/* M, C(q, v) v, tau_g and inverse dynamics of M v̇ + C v = tau_g + tau + J'F.
What follows from the state is in the core's cache. Inverse dynamics runs in
the axes of the nodes (algorithms/newton_euler.h) if no force acts on a body,
and in those of W with kinematics from the cache if one does. Its scratch is
a cache entry of its own. */

namespace wyvern::multibody {

using internal::Deref;
using systems::Context;

namespace {

// True if there are none, now and for any change of what a scalar varies with.
[[maybe_unused]] bool AreNone(const std::vector<SpatialForce<double>>& F_Bo_W) {
  // One sum over numbers side by side, which takes far less than comparing.
  static_assert(sizeof(SpatialForce<double>) == 6 * sizeof(double));
  if (F_Bo_W.empty()) return true;
  const Eigen::Map<const VectorX<double>> numbers(
      F_Bo_W.front().get_coeffs().data(),
      6 * static_cast<Eigen::Index>(F_Bo_W.size()));
  return numbers.cwiseAbs().sum() == 0;
}
template <typename T>
bool AreNone(const std::vector<SpatialForce<T>>& F_Bo_W) {
  if constexpr (requires(const T& x) { KnownNumberOr(x, 0.0); }) {
    // Skip zero expressions: they stay zero, and adding them makes longer ones.
    for (const SpatialForce<T>& F : F_Bo_W) {
      for (int i = 0; i < 6; ++i) {
        if (KnownNumberOr(F.get_coeffs()[i], 1.0) != 0) return false;
      }
    }
    return true;
  }
  return false;
}

// From BodyIndex to bodies of the model; a shadow has none.
template <typename T>
void ToModelBodies(const internal::MultibodyTree<T>& tree,
                   const std::vector<SpatialForce<T>>& F_Bo_W,
                   std::vector<Vector6<T>>* F_BBo_W) {
  for (BodyIndex body(0); body < tree.num_bodies(); ++body) {
    (*F_BBo_W)[tree.model_body(body)] = F_Bo_W[body].get_coeffs();
  }
}

}  // namespace

// By node and by body of the model.
template <typename T>
struct PlantDynamics<T>::Scratch {
  explicit Scratch(const dynamics::Model& model)
      : in_node_axes(model),
        in_world_axes(model),
        F_BBo_W(model.num_bodies(), Vector6<T>::Zero()),
        F_nodes(model.num_nodes(), Vector6<T>::Zero()) {}

  dynamics::NewtonEulerScratch<T> in_node_axes;
  dynamics::InverseDynamicsScratch<T> in_world_axes;
  std::vector<Vector6<T>> F_BBo_W;
  std::vector<Vector6<T>> F_nodes;
};

template <typename T>
void PlantDynamics<T>::FinalizeDynamics(
    internal::MultibodyTreeSystem<T>* core) {
  using systems::ValueProducer;
  scratch_entry_ = &core->DeclarePartEntry(
      "scratch of inverse dynamics",
      ValueProducer(Scratch(core->model()), &ValueProducer::NoopCalc),
      {core->nothing_ticket()});
}

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
const SolverStatistics& PlantDynamics<T>::GetSolverStatistics(
    const Context<T>& context) const {
  core_.tree().RequireFinalized("GetSolverStatistics");
  core_.ValidateContext(context);
  return dynamics_.GetSolverStatistics(context);
}

template <typename T>
void PlantDynamics<T>::CalcMassMatrixViaInverseDynamics(
    const Context<T>& context, EigenPtr<MatrixX<T>> M) const {
  RequireMatrix("CalcMassMatrixViaInverseDynamics", M);
  const dynamics::Model& model = core_.model();
  const auto at = core_.EvalConfiguration(context);
  dynamics::VelocityKinematics<T> still(model);
  const VectorX<T> zero = VectorX<T>::Zero(core_.num_v());
  dynamics::CalcVelocityKinematics<T>(model, at.parameters, at.positions, zero,
                                      &still);
  dynamics::InverseDynamicsScratch<T> scratch(model);
  VectorX<T> vdot(core_.num_v());
  dynamics::CalcMassMatrixViaInverseDynamics<T>({at, still}, &scratch, &vdot,
                                                *M);
}

template <typename T>
void PlantDynamics<T>::CalcBiasTerm(const Context<T>& context,
                                    EigenPtr<VectorX<T>> Cv) const {
  core_.tree().RequireFinalized("CalcBiasTerm");
  internal::RequireSize("MultibodyPlant::CalcBiasTerm", "the output Cv",
                        Cv == nullptr ? -1 : Cv->size(), core_.num_v());
  *Cv = core_.EvalBiasTerm(context);
  internal::RequireFiniteResult("MultibodyPlant::CalcBiasTerm", "Cv", *Cv);
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
std::vector<Vector6<T>> PlantDynamics<T>::CalcNodeForces(
    const Context<T>& context, const MultibodyForces<T>& forces) const {
  const auto positions = core_.EvalPositions(context);
  std::vector<Vector6<T>> F_BBo_W(core_.model().num_bodies(),
                                  Vector6<T>::Zero());
  ToModelBodies<T>(core_.tree(), forces.body_forces(), &F_BBo_W);
  std::vector<Vector6<T>> F(core_.model().num_nodes(), Vector6<T>::Zero());
  dynamics::AddBodyForces<T>(core_.model(), positions.X_WB, positions.nodes,
                             F_BBo_W, &F);
  return F;
}

template <typename T>
VectorX<T> PlantDynamics<T>::CalcInverseDynamics(
    const Context<T>& context, const VectorX<T>& known_vdot,
    const MultibodyForces<T>& external_forces,
    dynamics::Gravity gravity) const {
  core_.tree().RequireFinalized("CalcInverseDynamics");
  VectorX<T> tau(core_.num_v());
  CalcInverseDynamics(context, known_vdot, external_forces, &tau, gravity);
  return tau;
}

template <typename T>
void PlantDynamics<T>::CalcInverseDynamics(
    const Context<T>& context, const VectorX<T>& known_vdot,
    const MultibodyForces<T>& external_forces, EigenPtr<VectorX<T>> result,
    dynamics::Gravity gravity) const {
  constexpr std::string_view kName = "MultibodyPlant::CalcInverseDynamics";
  core_.tree().RequireFinalized("CalcInverseDynamics");
  core_.ValidateContext(context);
  internal::RequireSize(kName, "the output tau",
                        result == nullptr ? -1 : result->size(), core_.num_v());
  internal::RequireSize(kName, "known_vdot", known_vdot.size(), core_.num_v());
  external_forces.RequireSizeFor(core_.tree(), kName);
  if (gravity == dynamics::Gravity::kOn && external_forces.has_gravity()) {
    throw std::logic_error(fmt::format(
        "{}(): gravity is asked for, and the external_forces given have it in "
        "them, as from CalcForceElementsContribution(): it would count twice; "
        "have it out of one of the two.",
        kName));
  }
  Eigen::Ref<VectorX<T>> tau = *result;
  if (context.is_cache_frozen()) {
    // Several threads may read such a Context.
    Scratch scratch(core_.model());
    CalcInverseDynamics(context, known_vdot, external_forces, gravity, &scratch,
                        tau);
  } else {
    CalcInverseDynamics(context, known_vdot, external_forces, gravity,
                        &scratch_entry_->get_mutable_cache_entry_value(context)
                             .template GetMutableValueOrThrow<Scratch>(),
                        tau);
  }
  tau -= external_forces.generalized_forces();
  const int i = internal::FindNotFinite<T>(tau);
  if (i < 0) return;
  // Each entry of known_vdot has its part in tau.
  internal::RequireFinite(kName, "known_vdot", known_vdot);
  throw std::runtime_error(fmt::format(
      "{}(): entry {} of tau is {}; external_forces, or the velocities of the "
      "Context, are not finite or too large.",
      kName, i, ToDouble(tau[i])));
}

// Without forces on bodies nothing is needed in the world's axes.
template <typename T>
void PlantDynamics<T>::CalcInverseDynamics(const Context<T>& context,
                                           const VectorX<T>& vdot,
                                           const MultibodyForces<T>& forces,
                                           dynamics::Gravity gravity,
                                           Scratch* scratch,
                                           Eigen::Ref<VectorX<T>> tau) const {
  const dynamics::Model& model = core_.model();
  if (AreNone(forces.body_forces())) {
    dynamics::CalcInverseDynamicsFromState<T>(
        model, core_.EvalModelParameters(context), core_.PositionsOf(context),
        core_.VelocitiesOf(context), vdot, gravity, &scratch->in_node_axes,
        tau);
    return;
  }
  ToModelBodies<T>(core_.tree(), forces.body_forces(), &scratch->F_BBo_W);
  const auto& positions = core_.EvalPositions(context);
  for (Vector6<T>& F : scratch->F_nodes) F.setZero();
  dynamics::AddBodyForces<T>(model, positions.X_WB, positions.nodes,
                             scratch->F_BBo_W, &scratch->F_nodes);
  dynamics::CalcInverseDynamics<T>(core_.EvalMotion(context), vdot,
                                   scratch->F_nodes, gravity,
                                   &scratch->in_world_axes, tau);
}

template <typename T>
void PlantDynamics<T>::CalcForceElementsContribution(
    const Context<T>& context, MultibodyForces<T>* forces,
    dynamics::Gravity gravity) const {
  constexpr std::string_view kName =
      "MultibodyPlant::CalcForceElementsContribution";
  core_.tree().RequireFinalized("CalcForceElementsContribution");
  core_.ValidateContext(context);
  Deref(forces, kName).RequireSizeFor(core_.tree(), kName);
  forces->SetZero();
  dynamics_.AddForceElements(context, forces);
  forces->mutable_generalized_forces() -=
      core_.EvalModelParameters(context).damping.cwiseProduct(
          core_.VelocitiesOf(context));
  if (gravity == dynamics::Gravity::kOff) return;
  core_.tree().gravity_field().CalcAndAddForceContribution(
      context, core_.EvalPositions(context), core_.EvalVelocities(context),
      forces);
}

template <typename T>
void PlantDynamics<T>::CalcGeneralizedForces(
    const Context<T>& context, const MultibodyForces<T>& forces,
    VectorX<T>* generalized_forces) const {
  constexpr std::string_view kName = "MultibodyPlant::CalcGeneralizedForces";
  core_.tree().RequireFinalized("CalcGeneralizedForces");
  forces.RequireSizeFor(core_.tree(), kName);
  internal::RequireFiniteForces(kName, "forces", forces);
  Deref(generalized_forces, kName).resize(core_.num_v());
  const std::vector<Vector6<T>> F = CalcNodeForces(context, forces);
  std::vector<Vector6<T>> scratch(core_.model().num_nodes());
  dynamics::CalcGeneralizedForces<T>(core_.model(),
                                     core_.EvalPositions(context).nodes, F,
                                     &scratch, *generalized_forces);
  *generalized_forces += forces.generalized_forces();
  internal::RequireFiniteResult(kName, "the generalized force",
                                *generalized_forces);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantDynamics);
