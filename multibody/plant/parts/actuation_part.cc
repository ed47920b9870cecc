// Computes the force on each velocity as a function of the velocity at the end
// of the step. Feed-forward and PD control (clamped to the effort limit),
// viscous damping, dry friction, and the springs of position limits are one
// DofForceLaw per velocity. PD control at the end of the step is kp (q_d - q0 -
// dt v) + kd (v_d - v), a line in v. Limits on roll, pitch and yaw, whose rates
// are not velocities, limits on the lengths of tendons and PD controllers of
// tendons have their own rows.
#include "wyvern/multibody/plant/parts/actuation_part.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/contact/step_problem.h"
#include "wyvern/multibody/mobilizers/rotations.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/if_then_else.h"
#include "wyvern/systems/common/warning.h"

namespace wyvern::multibody::internal {

using systems::BasicVector;
using systems::Context;
using systems::InputPortIndex;
using wyvern::internal::MayHold;

template <typename T>
void RequireFiniteInput(const systems::System<T>& system,
                        const Context<T>& context, InputPortIndex port,
                        int index, const T& value) {
  if (std::isfinite(wyvern::internal::NumberIn(value))) return;
  const std::string plant = system.GetSystemPathname();
  wyvern::internal::RequireFinite(
      wyvern::internal::Caller::Element("MultibodyPlant", plant).OfResults(),
      fmt::format("input port '{}'[{}]", system.get_input_port(port).get_name(),
                  index),
      value,
      fmt::format("the time is {} s",
                  ExtractDoubleOrThrow(context.get_time())));
}

template <typename T>
void ActuationPart<T>::Finalize(MultibodyTreeSystem<T>* core) {
  CollectLimits();
  CollectTendonLimits();
  CollectTendonDrives();
  ActuationInput<T> input;
  const int nu = core->tree().num_actuated_dofs();
  input.feed_forward = VectorX<T>::Zero(nu);
  input.qd = VectorX<T>::Zero(nu);
  input.vd = VectorX<T>::Zero(nu);
  actuation_port_ = ports_.input("actuation");
  instance_actuation_ports_ = ports_.inputs("_actuation");
  desired_state_ports_ = ports_.inputs("_desired_state");
  std::set<systems::DependencyTicket> inputs{
      core->input_port_ticket(actuation_port_)};
  for (const auto& ports : {instance_actuation_ports_, desired_state_ports_}) {
    for (InputPortIndex port : ports) {
      inputs.insert(core->input_port_ticket(port));
    }
  }
  input_entry_ = &core->DeclarePartEntry(
      "actuation input",
      systems::ValueProducer(this, input, &ActuationPart<T>::CalcInput),
      std::move(inputs));
}

namespace {

// In continuous time a limit is a spring. It bends this far, [rad] or [m],
// under the joint's effort limit.
constexpr double kLimitGive = 1e-3;
// Period of the joint against its limit's spring, [s].
constexpr double kLimitPeriod = 0.01;
// In discrete steps a limit is near-rigid: it lets this share of its load's
// velocity through, beta^2 / (4 pi^2) for beta = 0.1, so that its spring is
// as stiff as a step resolves (A. Castro et al., An unconstrained convex
// formulation of compliant contact, 2022, V.B), and takes back what is left of
// the way to the bound within two steps. At rest a load that would accelerate
// the joint by a is carried 2 dt^2 a times that share beyond the bound.
constexpr double kLimitSoftness =
    0.01 / (4 * std::numbers::pi * std::numbers::pi);
// How much of its load's velocity dry friction lets through.
constexpr double kFrictionSoftness = 1e-3;

}  // namespace

template <typename T>
void ActuationPart<T>::CollectLimits() {
  const MultibodyTree<T>& tree = core_.tree();
  VectorX<double> effort = VectorX<double>::Zero(core_.num_v());
  for (const JointActuator<T>* actuator : tree.actuators().elements()) {
    if (std::isinf(actuator->effort_limit())) continue;
    for (const TendonTerm<T>& term : actuator->terms()) {
      effort[term.joint->velocity_start()] +=
          std::abs(term.coefficient) * actuator->effort_limit();
    }
  }
  inertia_ = tree.CalcDefaultJointInertias();
  constexpr double kFrequency = 2 * std::numbers::pi / kLimitPeriod;
  for (const Joint<T>* joint : tree.joints().elements()) {
    for (int i = 0; i < joint->num_positions(); ++i) {
      Limit limit;
      limit.lower = joint->position_lower_limits()[i];
      limit.upper = joint->position_upper_limits()[i];
      if (std::isinf(limit.lower) && std::isinf(limit.upper)) continue;
      if (joint->mobilizer_traits().has_quaternion && i < 4) {
        WarnOnStderr(fmt::format(
            "MultibodyPlant '{}': joint '{}' of type {} has limits on its "
            "position {}, an element of a quaternion; they are ignored. Remove "
            "them.",
            core_.get_name(), joint->name(), joint->type_name(),
            joint->position_suffix(i)));
        continue;
      }
      // Roll, pitch and yaw are not the rates of velocities.
      const int velocity = joint->mobilizer_traits().rate_of_position[i];
      const bool is_angle = velocity == engine::kNoVelocity;
      limit.q = joint->position_start() + (is_angle ? 0 : i);
      limit.v = joint->velocity_start() + (is_angle ? 0 : velocity);
      limit.angle = i;
      const double m = is_angle ? inertia_.segment<3>(limit.v).minCoeff()
                                : inertia_[limit.v];
      limit.inertia = m;
      limit.stiffness =
          std::max(m * kFrequency * kFrequency, effort[limit.v] / kLimitGive);
      limit.damping = 2 * std::sqrt(limit.stiffness * m);
      (is_angle ? angle_limits_ : limits_).push_back(limit);
    }
  }
}

template <typename T>
typename ActuationPart<T>::TendonRow ActuationPart<T>::MakeTendonRow(
    const Terms& terms, const std::string& owner) const {
  TendonRow row{.terms = &terms};
  for (const TendonTerm<T>& term : terms) {
    const int tree = core_.model().tree_of_v[term.joint->velocity_start()];
    if (row.tree_a < 0 || row.tree_a == tree) {
      row.tree_a = tree;
    } else if (row.tree_b < 0 || row.tree_b == tree) {
      row.tree_b = tree;
    } else {
      throw std::logic_error(fmt::format(
          "MultibodyPlant: the {} has joints of three trees of bodies; a "
          "tendon with limits, or with an actuator that has a PD controller, "
          "has joints of one or two trees.",
          owner));
    }
  }
  return row;
}

template <typename T>
void ActuationPart<T>::CollectTendonLimits() {
  constexpr double kFrequency = 2 * std::numbers::pi / kLimitPeriod;
  // Smaller inertias are those of joints that move no mass.
  constexpr double kLeastInertia = 1e-12;
  for (const auto& element : core_.tree().force_elements()) {
    const auto* tendon = dynamic_cast<const FixedTendon<T>*>(element.get());
    if (tendon == nullptr) continue;
    Limit limit;
    limit.lower = tendon->lower_limit();
    limit.upper = tendon->upper_limit();
    if (std::isinf(limit.lower) && std::isinf(limit.upper)) continue;
    TendonRow added = MakeTendonRow(
        tendon->terms(), fmt::format("limited tendon that begins at joint '{}'",
                                     tendon->terms()[0].joint->name()));
    // Effective mass of the length: 1 / (c' M^-1 c) with the diagonal of M.
    double mobility = 0;
    for (const TendonTerm<T>& term : tendon->terms()) {
      mobility +=
          term.coefficient * term.coefficient /
          std::max(inertia_[term.joint->velocity_start()], kLeastInertia);
    }
    if (mobility == 0) continue;
    limit.inertia = 1 / mobility;
    limit.stiffness = limit.inertia * kFrequency * kFrequency;
    limit.damping = 2 * std::sqrt(limit.stiffness * limit.inertia);
    added.limit = limit;
    tendon_rows_.push_back(added);
  }
}

template <typename T>
void ActuationPart<T>::CollectTendonDrives() {
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    if (!actuator->acts_on_tendon() || !actuator->has_controller()) continue;
    TendonRow added =
        MakeTendonRow(actuator->terms(),
                      fmt::format("tendon of actuator '{}'", actuator->name()));
    added.actuator = actuator;
    tendon_rows_.push_back(added);
  }
}

template <typename T>
void ActuationPart<T>::AddPort(const Context<T>& context, InputPortIndex port,
                               const std::vector<int>* indices,
                               VectorX<T>* feed_forward) const {
  const BasicVector<T>* value = core_.EvalVectorInput(context, port);
  if (value == nullptr) return;
  for (int i = 0; i < value->size(); ++i) {
    const T& u = value->value()[i];
    RequireFiniteInput<T>(core_, context, port, i, u);
    (*feed_forward)[indices == nullptr ? i : (*indices)[i]] += u;
  }
}

template <typename T>
void ActuationPart<T>::RequireControllers(ModelInstanceIndex instance) const {
  const JointActuator<T>* with = nullptr;
  const JointActuator<T>* without = nullptr;
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    if (actuator->model_instance() != instance) continue;
    (actuator->has_controller() ? with : without) = actuator;
  }
  if (with == nullptr || without == nullptr) return;
  throw std::logic_error(fmt::format(
      "MultibodyPlant: in model instance '{}' actuator '{}' has a PD "
      "controller "
      "and actuator '{}' has not; give controller gains to all actuators of a "
      "model instance or to none.",
      core_.tree().GetModelInstanceName(instance), with->name(),
      without->name()));
}

template <typename T>
void ActuationPart<T>::CalcDesiredState(const Context<T>& context,
                                        ModelInstanceIndex instance,
                                        ActuationInput<T>* input) const {
  const InputPortIndex port = desired_state_ports_[instance];
  const BasicVector<T>* value = core_.EvalVectorInput(context, port);
  if (value == nullptr) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant '{}': input port '{}' is not connected, but the "
        "actuators of model instance '{}' have PD controllers that need it; "
        "connect it or fix its value.",
        core_.GetSystemPathname(), core_.get_input_port(port).get_name(),
        core_.tree().GetModelInstanceName(instance)));
  }
  const std::vector<int>& indices =
      core_.tree().instance(instance, "desired_state").u;
  const int n = static_cast<int>(indices.size());
  for (int i = 0; i < 2 * n; ++i) {
    const T& x = value->value()[i];
    RequireFiniteInput<T>(core_, context, port, i, x);
    (i < n ? input->qd : input->vd)[indices[i % n]] = x;
  }
}

template <typename T>
void ActuationPart<T>::CalcInput(const Context<T>& context,
                                 ActuationInput<T>* input) const {
  const MultibodyTree<T>& tree = core_.tree();
  input->feed_forward.setZero();
  AddPort(context, actuation_port_, nullptr, &input->feed_forward);
  for (ModelInstanceIndex instance(0); instance < tree.num_model_instances();
       ++instance) {
    const std::vector<int>& indices = tree.instance(instance, "actuation").u;
    if (indices.empty()) continue;
    AddPort(context, instance_actuation_ports_[instance], &indices,
            &input->feed_forward);
    RequireControllers(instance);
  }
  ModelInstanceIndex done;
  for (const JointActuator<T>* actuator : tree.actuators().elements()) {
    if (!actuator->has_controller()) continue;
    if (done.is_valid() && done == actuator->model_instance()) continue;
    done = actuator->model_instance();
    CalcDesiredState(context, done, input);
  }
}

template <typename T>
void ActuationPart<T>::CalcLaws(const Context<T>& context, double dt,
                                double stiction_tolerance,
                                std::vector<DofForceLaw<T>>* laws) const {
  const engine::ModelParameters<T>& parameters =
      core_.EvalModelParameters(context);
  const ActuationInput<T>& input = EvalInput(context);
  const std::vector<bool>& is_locked =
      core_.EvalLockedVelocities(context).is_locked;
  const auto q = core_.PositionsOf(context);
  for (int i = 0; i < core_.num_v(); ++i) {
    DofForceLaw<T>& law = (*laws)[i];
    law.damping = parameters.damping[i];
    law.friction = parameters.friction[i];
    law.has_friction = MayHold(law.friction > 0);
    if (law.has_friction) {
      law.b_friction = law.friction / stiction_tolerance;
      const double b = dt > 0 ? inertia_[i] / (dt * kFrictionSoftness) : 0;
      if (dt > 0 && law.b_friction < b) law.b_friction = T(b);
    }
    law.has_controller = false;
  }
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    if (!actuator->has_controller() || actuator->acts_on_tendon()) continue;
    const Joint<T>& joint = actuator->joint();
    if (is_locked[joint.velocity_start()]) continue;
    const PdControllerGains& gains = actuator->get_controller_gains();
    const int u = actuator->input_start();
    DofForceLaw<T>& law = (*laws)[joint.velocity_start()];
    law.has_controller = true;
    law.effort = actuator->effort_limit();
    law.a = gains.p * (input.qd[u] - q[joint.position_start()]) +
            gains.d * input.vd[u] + input.feed_forward[u];
    law.b = gains.p * dt + gains.d;
  }
  for (const Limit& limit : limits_) {
    DofForceLaw<T>& law = (*laws)[limit.v];
    law.has_limits = true;
    // An infinite bound exerts nothing: its force is minus (or plus) infinity
    // before the clamp.
    const LimitLaw linear = MakeLimitLaw(limit, dt);
    law.a_lower = linear.stiffness * (limit.lower - q[limit.q]);
    law.a_upper = linear.stiffness * (limit.upper - q[limit.q]);
    law.b_limit = linear.damping;
  }
}

template <typename T>
void ActuationPart<T>::AddFeedForward(const Context<T>& context,
                                      VectorX<T>* tau) const {
  if (core_.tree().actuators().elements().empty()) return;
  const ActuationInput<T>& input = EvalInput(context);
  const std::vector<bool>& is_locked =
      core_.EvalLockedVelocities(context).is_locked;
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    const T& u = input.feed_forward[actuator->input_start()];
    if (actuator->acts_on_tendon()) {
      if (!actuator->has_controller())
        AddTendonForce(actuator->terms(), u, tau);
      continue;
    }
    const int i = actuator->joint().velocity_start();
    if (actuator->has_controller() && !is_locked[i]) continue;
    (*tau)[i] += u;
  }
  if (core_.is_discrete() || !has_drive_rows()) return;
  const auto v = core_.VelocitiesOf(context);
  for (const TendonRow& drive : tendon_rows_) {
    if (drive.actuator == nullptr) continue;
    const Terms& terms = *drive.terms;
    AddTendonForce(terms,
                   CalcDriveForce(MakeDriveLaw(context, *drive.actuator, 0),
                                  drive.actuator->effort_limit(),
                                  CalcTendonRate(v, terms)),
                   tau);
  }
}

template <typename T>
T ActuationPart<T>::CalcTendonLength(const Context<T>& context,
                                     const Terms& terms) const {
  const VectorX<T>& x = core_.StateVector(context);
  T length(0);
  for (const TendonTerm<T>& term : terms) {
    length += term.coefficient * x[term.joint->position_start()];
  }
  return length;
}

template <typename T>
T ActuationPart<T>::CalcTendonRate(const Eigen::Ref<const VectorX<T>>& v,
                                   const Terms& terms) {
  T rate(0);
  for (const TendonTerm<T>& term : terms) {
    rate += term.coefficient * v[term.joint->velocity_start()];
  }
  return rate;
}

template <typename T>
void ActuationPart<T>::AddTendonForce(const Terms& terms, const T& force,
                                      VectorX<T>* tau) {
  for (const TendonTerm<T>& term : terms) {
    (*tau)[term.joint->velocity_start()] += term.coefficient * force;
  }
}

// The length at the end of the step is L + dt dL/dt.
template <typename T>
typename ActuationPart<T>::DriveLaw ActuationPart<T>::MakeDriveLaw(
    const Context<T>& context, const JointActuator<T>& actuator,
    double dt) const {
  const ActuationInput<T>& input = EvalInput(context);
  const PdControllerGains& gains = actuator.get_controller_gains();
  const int u = actuator.input_start();
  const T length = CalcTendonLength(context, actuator.terms());
  return {gains.p * (input.qd[u] - length) + gains.d * input.vd[u] +
              input.feed_forward[u],
          gains.p * dt + gains.d};
}

template <typename T>
T ActuationPart<T>::CalcDriveForce(const DriveLaw& law, double effort,
                                   const T& rate) {
  const T u = law.a - law.b * rate;
  return if_then_else(u > effort, T(effort),
                      if_then_else(u < -effort, T(-effort), u));
}

// n of q̇_k = n·w.
template <typename T>
Vector3<T> ActuationPart<T>::CalcAngleRow(const Context<T>& context,
                                          const Limit& limit) const {
  const T* q = core_.StateVector(context).data() + limit.q;
  Vector3<T> n;
  for (int i = 0; i < 3; ++i) {
    const Vector3<T> e = Vector3<T>::Unit(i);
    Vector3<T> rates;
    engine::RpyRate<T>(q, e.data(), rates.data());
    n[i] = rates[limit.angle];
  }
  return n;
}

// The impulse dt max(0, a - b rate), b = dt k + c, is max(0, (a / b - rate) /
// R) with R = 1 / (dt b).
template <typename T>
typename ActuationPart<T>::LimitLaw ActuationPart<T>::MakeLimitLaw(
    const Limit& limit, double dt) {
  if (dt == 0) return {limit.stiffness, limit.damping};
  const double damping = limit.inertia / (kLimitSoftness * dt);
  return {damping / (2 * dt), damping};
}

template <typename T>
void ActuationPart<T>::AddLimitRows(const Context<T>& context,
                                    StepProblem<T>* problem) const {
  if (!has_limit_rows()) return;
  AddTendonLimitRows(context, problem);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const VectorX<T>& x = core_.StateVector(context);
  const double dt = problem->dt();
  for (const Limit& limit : angle_limits_) {
    const Vector3<T> n = CalcAngleRow(context, limit);
    const int tree = core_.model().tree_of_v[limit.v];
    const LimitLaw linear = MakeLimitLaw(limit, dt);
    const auto add = [&](double bound, double lowest, double highest) {
      if (std::isinf(bound)) return;
      const T over = bound - x[limit.q + limit.angle];
      const RowLaw<T> law{T(linear.stiffness / linear.damping * over),
                          T(1 / (dt * linear.damping)), lowest, highest};
      const int c = problem->AddRows(std::span(&law, 1), tree, -1);
      problem->J(c, 0).template block<1, 3>(
          0, limit.v - problem->v_start(tree)) = n.transpose();
    };
    add(limit.lower, 0, kInfinity);
    add(limit.upper, -kInfinity, 0);
  }
}

// Adds a row c·v and returns the index of the constraint.
template <typename T>
int ActuationPart<T>::AddTendonRow(const TendonRow& row, const RowLaw<T>& law,
                                   StepProblem<T>* problem) const {
  const int c = problem->AddRows(std::span(&law, 1), row.tree_a, row.tree_b);
  for (const TendonTerm<T>& term : *row.terms) {
    const int v = term.joint->velocity_start();
    const int tree = core_.model().tree_of_v[v];
    problem->J(c, tree == row.tree_a ? 0 : 1)(0, v - problem->v_start(tree)) +=
        term.coefficient;
  }
  return c;
}

// Adds a row for each bound of c·q.
template <typename T>
void ActuationPart<T>::AddTendonLimitRows(const Context<T>& context,
                                          StepProblem<T>* problem) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double dt = problem->dt();
  for (const TendonRow& one : tendon_rows_) {
    if (one.actuator != nullptr) continue;
    const LimitLaw linear = MakeLimitLaw(one.limit, dt);
    const T length = CalcTendonLength(context, *one.terms);
    const auto add = [&](double bound, double lowest, double highest) {
      if (std::isinf(bound)) return;
      const RowLaw<T> law{
          T(linear.stiffness / linear.damping * (bound - length)),
          T(1 / (dt * linear.damping)), lowest, highest};
      AddTendonRow(one, law, problem);
    };
    add(one.limit.lower, 0, kInfinity);
    add(one.limit.upper, -kInfinity, 0);
  }
}

// The impulse dt clamp(a - b dL/dt, ±effort) is clamp((a / b - dL/dt) / R) with
// R = 1 / (dt b). Without gains it is an impulse of its own.
template <typename T>
void ActuationPart<T>::AddDriveRows(const Context<T>& context,
                                    StepProblem<T>* problem) const {
  const double dt = problem->dt();
  for (const TendonRow& drive : tendon_rows_) {
    if (drive.actuator == nullptr) continue;
    const DriveLaw law = MakeDriveLaw(context, *drive.actuator, dt);
    const double effort = drive.actuator->effort_limit();
    if (law.b == 0) {
      AddTendonForce(*drive.terms, T(dt * CalcDriveForce(law, effort, T(0))),
                     &problem->impulse());
      continue;
    }
    AddTendonRow(
        drive,
        {T(law.a / law.b), T(1 / (dt * law.b)), -dt * effort, dt * effort},
        problem);
  }
}

// Returns the force of the bound that is violated, if any.
template <typename T>
T ActuationPart<T>::CalcLimitForce(const Limit& limit, const T& q,
                                   const T& rate) {
  const T lower = limit.stiffness * (limit.lower - q) - limit.damping * rate;
  const T upper = limit.stiffness * (limit.upper - q) - limit.damping * rate;
  return if_then_else(lower > 0, lower, if_then_else(upper < 0, upper, T(0)));
}

template <typename T>
void ActuationPart<T>::AddLimitForces(const Context<T>& context,
                                      VectorX<T>* tau) const {
  if (!has_limit_rows()) return;
  const auto v = core_.VelocitiesOf(context);
  for (const TendonRow& one : tendon_rows_) {
    if (one.actuator != nullptr) continue;
    const Terms& terms = *one.terms;
    AddTendonForce(terms,
                   CalcLimitForce(one.limit, CalcTendonLength(context, terms),
                                  CalcTendonRate(v, terms)),
                   tau);
  }
  const VectorX<T>& x = core_.StateVector(context);
  for (const Limit& limit : angle_limits_) {
    const T* w = x.data() + core_.num_q() + limit.v;
    const Vector3<T> n = CalcAngleRow(context, limit);
    const T rate = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
    tau->template segment<3>(limit.v) +=
        n * CalcLimitForce(limit, x[limit.q + limit.angle], rate);
  }
}

template <typename T>
void ActuationPart<T>::CalcNetActuation(const Context<T>& context,
                                        const std::vector<DofForceLaw<T>>& laws,
                                        const VectorX<T>& v,
                                        VectorX<T>* net_actuation) const {
  if (core_.tree().actuators().elements().empty()) return;
  const ActuationInput<T>& input = EvalInput(context);
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    const int u = actuator->input_start();
    if (actuator->acts_on_tendon()) {
      (*net_actuation)[u] =
          actuator->has_controller()
              ? CalcDriveForce(
                    MakeDriveLaw(context, *actuator, core_.time_step()),
                    actuator->effort_limit(),
                    CalcTendonRate(v, actuator->terms()))
              : input.feed_forward[u];
      continue;
    }
    const int i = actuator->joint().velocity_start();
    (*net_actuation)[u] = laws[i].has_controller
                              ? laws[i].CalcControllerForce(v[i])
                              : input.feed_forward[u];
  }
}

#define WYVERN_INSTANTIATE_REQUIRE(T)                                         \
  template void RequireFiniteInput<T>(const systems::System<T>&,              \
                                      const Context<T>&, InputPortIndex, int, \
                                      const T&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_REQUIRE)
#undef WYVERN_INSTANTIATE_REQUIRE

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::ActuationPart);
