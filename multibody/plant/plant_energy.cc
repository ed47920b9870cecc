#include "wyvern/multibody/plant/plant_energy.h"

#include "wyvern/multibody/dynamics/momentum_and_energy.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force.h"
#include "wyvern/multibody/step/rows/holonomic_constraint.h"
#include "wyvern/systems/common/default_scalars.h"

/* The power ledger: for each kind of force its power, F·V over bodies and tau·v
over joints. In a continuous plant V and v are the present ones. A discrete
step changes kinetic energy by its forces times the mean of the velocities
before and after it, so v is that mean there; what bodies gain because M is
taken where the step begins is `scheme`. */

namespace wyvern::multibody {

using internal::PositionKinematicsCache;
using systems::Context;

template <typename T>
T PowerLedger<T>::Sum() const {
  T sum = gravity + actuation + joint_damping + joint_friction + joint_limits +
          applied_generalized_force + applied_spatial_force + constraints +
          contact + scheme;
  for (const T& power : force_elements) sum += power;
  return sum;
}

template <typename T>
typename PlantEnergy<T>::MeanMotion PlantEnergy<T>::CalcMeanMotion(
    const Context<T>& context) const {
  const dynamics::Model& model = core_.model();
  const PositionKinematicsCache<T> positions = core_.EvalPositions(context);
  MeanMotion motion;
  motion.v =
      0.5 * (core_.VelocitiesOf(context) + dynamics_.EvalStep(context).v_next);
  motion.V_WB.resize(model.num_bodies());
  motion.nodes = dynamics::VelocityKinematics<T>(model);
  dynamics::CalcVelocityKinematics<T>(model, core_.EvalModelParameters(context),
                                      positions.nodes, motion.v, &motion.nodes);
  dynamics::CalcBodyVelocities<T>(model, positions.X_WB, positions.nodes,
                                  motion.nodes, &motion.V_WB);
  return motion;
}

// Adds the power of forces that follow laws, of actuation, which may follow
// one, and of limits of angles.
template <typename T>
void PlantEnergy<T>::AddLaws(const Context<T>& context, const VectorX<T>& v,
                             PowerLedger<T>* ledger) const {
  const internal::StepInputs<T>& inputs = dynamics_.EvalInputs(context);
  const internal::StepOutputs<T>& outputs = dynamics_.EvalStep(context);
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    const T& force = outputs.net_actuation[actuator->input_start()];
    if (!actuator->acts_on_tendon()) {
      ledger->actuation += force * v[actuator->joint().velocity_start()];
      continue;
    }
    VectorX<T> tau = VectorX<T>::Zero(core_.num_v());
    actuator->coordinate().AddGeneralizedForce(
        core_, {context, core_.EvalPositions(context)}, force, tau);
    ledger->actuation += tau.dot(v);
  }
  for (int i = 0; i < core_.num_v(); ++i) {
    if (inputs.is_locked[i]) continue;
    const internal::DofForceLaw<T>& law = inputs.laws[i];
    const T& v_end = outputs.v_next[i];
    ledger->joint_friction += v[i] * law.CalcFrictionForce(v_end);
    ledger->joint_damping -= v[i] * law.damping * v_end;
    ledger->joint_limits += v[i] * law.CalcLimitForce(v_end);
  }
  ledger->joint_limits += outputs.tau_limit_rows.dot(v);
  ledger->contact = outputs.tau_contact.dot(v);
}

// The multipliers times the rates of their rows.
template <typename T>
T PlantEnergy<T>::CalcConstraintPower(const Context<T>& context,
                                      const MeanMotion& motion) const {
  const PositionKinematicsCache<T> positions = core_.EvalPositions(context);
  const VectorX<T>& multipliers = dynamics_.EvalStep(context).multipliers;
  const internal::ConstraintRegistry& registry = dynamics_.constraints();
  const auto& is_active = context.get_numeric_parameter(registry.is_active);
  T power(0);
  Matrix6<T> all_F;
  Vector6<T> all_rates;
  for (std::size_t i = 0; i < registry.compiled.size(); ++i) {
    if (is_active[static_cast<int>(i)] == 0) continue;
    const auto& compiled = registry.compiled[i];
    const int num_rows = compiled.constraint.num_rows();
    auto F = all_F.leftCols(num_rows);
    auto rates = all_rates.head(num_rows);
    internal::CalcUnitForces<T>(compiled.constraint, positions.X_WB, F);
    internal::CalcConstraintVelocities<T>(compiled.constraint, core_.model(),
                                          positions.nodes, motion.nodes, F,
                                          motion.v, rates);
    for (int r = 0; r < num_rows; ++r) {
      power += multipliers[compiled.first_row + r] * rates[r];
    }
  }
  return power;
}

template <typename T>
T PlantEnergy<T>::CalcAppliedSpatialForcePower(const Context<T>& context,
                                               const MeanMotion& motion) const {
  const auto& port =
      core_.get_input_port(ports_.input("applied_spatial_force"));
  T power(0);
  if (!port.HasValue(context)) return power;
  const PositionKinematicsCache<T> positions = core_.EvalPositions(context);
  for (const ExternallyAppliedSpatialForce<T>& force :
       port.template Eval<std::vector<ExternallyAppliedSpatialForce<T>>>(
           context)) {
    const dynamics::MobodIndex body = core_.tree().model_body(force.body_index);
    const Vector3<T> p_BoBq_W = positions.X_WB[body].R * force.p_BoBq_B;
    power += motion.V_WB[body].dot(force.F_Bq_W.Shift(-p_BoBq_W).get_coeffs());
  }
  return power;
}

// With v the mean of v0 and v1, v·M(q0) (v1 - v0) is the change of 1/2 vᵀ M(q0)
// v, and M (v1 - v*) / dt + C v0 = the forces. What is left of the change of
// kinetic energy is that of M from q0 to q1, less the work of C v0, and what
// free rotation does from v0 to v*.
template <typename T>
T PlantEnergy<T>::CalcSchemePower(const Context<T>& context,
                                  const VectorX<T>& v) const {
  const dynamics::Model& model = core_.model();
  const dynamics::ModelParameters<T>& parameters =
      core_.EvalModelParameters(context);
  const VectorX<T>& v1 = dynamics_.EvalStep(context).v_next;
  const auto energy = [&](const dynamics::PositionKinematics<T>& positions) {
    std::vector<dynamics::RigidInertia<T>> inertias(model.num_nodes());
    dynamics::CalcInertiasInWorld<T>(model, parameters, positions, &inertias);
    dynamics::VelocityKinematics<T> velocities(model);
    dynamics::CalcVelocityKinematics<T>(model, parameters, positions, v1,
                                        &velocities);
    return dynamics::CalcKineticEnergy<T>(model, parameters, inertias,
                                          velocities, v1);
  };
  VectorX<T> x1(core_.num_q() + core_.num_v());
  dynamics_.CalcNextState(context, x1);
  dynamics::PositionKinematics<T> positions(model);
  dynamics::CalcPositionKinematics<T>(model, parameters, x1.head(core_.num_q()),
                                      &positions);
  const VectorX<T> rotation =
      dynamics_.EvalInputs(context).v_star - core_.VelocitiesOf(context);
  return (energy(positions) - energy(core_.EvalNodePositions(context)) +
          v.dot(core_.EvalMassMatrix(context) * rotation)) /
             core_.time_step() -
         v.dot(core_.EvalBiasTerm(context));
}

template <typename T>
PowerLedger<T> PlantEnergy<T>::CalcPowerLedger(
    const Context<T>& context) const {
  core_.ValidateContext(context);
  core_.tree().RequireFinalized("CalcPowerLedger");
  const internal::MultibodyTree<T>& tree = core_.tree();
  const MeanMotion motion = CalcMeanMotion(context);
  PowerLedger<T> ledger;
  ledger.gravity = motion.v.dot(core_.EvalGravityForces(context));
  AddLaws(context, motion.v, &ledger);
  ledger.constraints = CalcConstraintPower(context, motion);
  MultibodyForces<T> forces(tree);
  for (const auto& element : tree.force_elements()) {
    T& power = ledger.force_elements.emplace_back(0);
    if (element.get() == &tree.gravity_field()) continue;
    element->CalcAndAddForceContribution(context, core_.EvalPositions(context),
                                         core_.EvalVelocities(context),
                                         &forces.SetZero());
    power = motion.v.dot(forces.generalized_forces());
    for (BodyIndex body(1); body < tree.num_bodies(); ++body) {
      power += motion.V_WB[tree.model_body(body)].dot(
          forces.body_forces()[body].get_coeffs());
    }
  }
  if (const systems::BasicVector<T>* tau = core_.EvalVectorInput(
          context, ports_.input("applied_generalized_force"))) {
    ledger.applied_generalized_force = motion.v.dot(tau->value());
  }
  ledger.applied_spatial_force = CalcAppliedSpatialForcePower(context, motion);
  if (core_.is_discrete()) ledger.scheme = CalcSchemePower(context, motion.v);
  return ledger;
}

template struct PowerLedger<double>;
#if WYVERN_AUTODIFF
template struct PowerLedger<AutoDiffXd>;
#endif

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantEnergy);
