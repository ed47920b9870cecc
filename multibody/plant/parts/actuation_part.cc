#include "wyvern/multibody/plant/parts/actuation_part.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/mobilizers/rotations.h"
#include "wyvern/multibody/step/step_problem.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/if_then_else.h"
#include "wyvern/systems/common/warning.h"

/* Computes the force on each velocity as a function of the velocity at the end
of the step. Feed-forward and PD control (clamped to the effort limit),
viscous damping, dry friction, and the springs of position limits are one
DofForceLaw per velocity. PD control at the end of the step is kp (q_d - q0 -
dt v) + kd (v_d - v), a line in v. Limits on roll, pitch and yaw, whose rates
are not velocities, limits on the lengths of tendons and PD controllers of
tendons have their own rows. The rate of a tendon's length in a step is r·v
with r at the start of the step. */

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
      value, fmt::format("the time is {} s", ToDouble(context.get_time())));
}

template <typename T>
void ActuationPart<T>::Finalize(MultibodyTreeSystem<T>* core) {
  CollectLimits();
  CollectTendonLimits();
  CollectTendonActuators();
  if (!tendon_rows_.empty()) {
    const int n = static_cast<int>(tendon_rows_.size());
    const TendonState tendons{VectorX<T>::Zero(n),
                              MatrixX<T>::Zero(core->num_v(), n),
                              VectorX<T>::Zero(n)};
    tendon_entry_ = &core->DeclarePartEntry(
        "tendons",
        systems::ValueProducer(this, tendons, &ActuationPart<T>::CalcTendons),
        {core->position_ticket(), core->positions_entry_ticket(),
         core->all_parameters_ticket()});
  }
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
// R / w of a limit in discrete steps: the share of its load's velocity that it
// lets through. beta^2 / (4 pi^2) with beta = 0.1 makes the spring as stiff as
// a step resolves (A. Castro et al., An unconstrained convex formulation of
// compliant contact, 2022, V.B). A violation decays within two steps. A load
// that would accelerate the joint by a rests 2 dt^2 a times this share beyond
// the bound.
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
      const bool is_angle = velocity == dynamics::kNoVelocity;
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
    const ScalarCoordinate<T>& coordinate, const std::string& owner) const {
  TendonRow row{.coordinate = &coordinate};
  for (const Joint<T>* joint : coordinate.FindJoints(core_.tree())) {
    const int tree = core_.model().tree_of_v[joint->velocity_start()];
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
  for (const auto& element : core_.tree().force_elements()) {
    const auto* tendon = dynamic_cast<const TendonForce<T>*>(element.get());
    if (tendon == nullptr || !tendon->is_limited()) continue;
    TendonRow added = MakeTendonRow(
        tendon->coordinate(), fmt::format("limited {}", tendon->description()));
    if (added.tree_a < 0) continue;
    added.lower = tendon->lower_limit();
    added.upper = tendon->upper_limit();
    tendon_rows_.push_back(added);
  }
  num_tendon_limits_ = static_cast<int>(tendon_rows_.size());
}

template <typename T>
void ActuationPart<T>::CollectTendonActuators() {
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    if (!actuator->acts_on_tendon()) continue;
    TendonRow added{.coordinate = &actuator->coordinate()};
    if (actuator->has_controller()) {
      added = MakeTendonRow(
          actuator->coordinate(),
          fmt::format("tendon of actuator '{}'", actuator->name()));
      has_drives_ = true;
    }
    added.actuator = actuator;
    tendon_rows_.push_back(added);
  }
}

template <typename T>
void ActuationPart<T>::CalcTendons(const Context<T>& context,
                                   TendonState* state) const {
  using std::abs;
  // Smaller inertias are those of joints that move no mass.
  constexpr double kLeastInertia = 1e-12;
  // Smaller moment arms, as shares of the length, are rounding errors: at a
  // dead point no joint moves the tendon.
  constexpr double kRounding = 1e-12;
  const ForceState<T> now{context, core_.EvalPositions(context)};
  state->r.setZero();
  for (std::size_t i = 0; i < tendon_rows_.size(); ++i) {
    const ScalarCoordinate<T>& coordinate = *tendon_rows_[i].coordinate;
    state->length[i] = coordinate.CalcValue(core_, now);
    coordinate.AddGeneralizedForce(core_, now, T(1), state->r.col(i));
    T mobility(0);
    for (int k = 0; k < core_.num_v(); ++k) {
      const T& r = state->r(k, i);
      if (abs(r) > kRounding * abs(state->length[i]))
        mobility += r * r / std::max(inertia_[k], kLeastInertia);
    }
    state->inertia[i] = mobility > 0 ? T(1 / mobility) : T(0);
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
  const dynamics::ModelParameters<T>& parameters =
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
      if (core_.is_discrete()) {
        const double b = inertia_[i] / (dt * kFrictionSoftness);
        if (law.b_friction < b) law.b_friction = T(b);
      }
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
    // For an infinite bound, a_lower is -infinity (a_upper +infinity), which
    // the law's clamp makes 0.
    const LimitLaw linear = MakeLimitLaw(limit, dt);
    law.a_lower = linear.stiffness * (limit.lower - q[limit.q]);
    law.a_upper = linear.stiffness * (limit.upper - q[limit.q]);
    law.b_limit = linear.damping;
  }
}

template <typename T>
void ActuationPart<T>::AddFeedForward(const Context<T>& context, double dt,
                                      VectorX<T>* tau) const {
  if (core_.tree().actuators().elements().empty()) return;
  const ActuationInput<T>& input = EvalInput(context);
  const std::vector<bool>& is_locked =
      core_.EvalLockedVelocities(context).is_locked;
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    const T& u = input.feed_forward[actuator->input_start()];
    if (actuator->acts_on_tendon()) continue;
    const int i = actuator->joint().velocity_start();
    if (actuator->has_controller() && !is_locked[i]) continue;
    (*tau)[i] += u;
  }
  const int num_rows = static_cast<int>(tendon_rows_.size());
  if (num_rows == num_tendon_limits_) return;
  const TendonState& tendons = EvalTendons(context);
  for (int i = num_tendon_limits_; i < num_rows; ++i) {
    const JointActuator<T>& actuator = *tendon_rows_[i].actuator;
    const T& u = input.feed_forward[actuator.input_start()];
    if (!actuator.has_controller()) {
      *tau += u * tendons.r.col(i);
    } else if (dt == 0) {
      const T rate = tendons.r.col(i).dot(core_.VelocitiesOf(context));
      *tau +=
          CalcDriveForce(MakeDriveLaw(context, actuator, tendons.length[i], 0),
                         actuator.effort_limit(), rate) *
          tendons.r.col(i);
    }
  }
}

// The length at the end of the step is L + dt dL/dt.
template <typename T>
typename ActuationPart<T>::DriveLaw ActuationPart<T>::MakeDriveLaw(
    const Context<T>& context, const JointActuator<T>& actuator,
    const T& length, double dt) const {
  const ActuationInput<T>& input = EvalInput(context);
  const PdControllerGains& gains = actuator.get_controller_gains();
  const int u = actuator.input_start();
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

// Returns n such that q̇_k = n·w for the limit's angle k.
template <typename T>
Vector3<T> ActuationPart<T>::CalcAngleRow(const Context<T>& context,
                                          const Limit& limit) const {
  const T* q = core_.StateVector(context).data() + limit.q;
  Vector3<T> n;
  for (int i = 0; i < 3; ++i) {
    const Vector3<T> e = Vector3<T>::Unit(i);
    Vector3<T> rates;
    dynamics::RpyRate<T>(q, e.data(), rates.data());
    n[i] = rates[limit.angle];
  }
  return n;
}

// The impulse dt max(0, a - b rate), b = dt k + c, is max(0, (a / b - rate) /
// R) with R = 1 / (dt b).
template <typename T>
typename ActuationPart<T>::LimitLaw ActuationPart<T>::MakeLimitLaw(
    const Limit& limit, double dt) const {
  if (!core_.is_discrete()) {
    return {limit.stiffness, limit.damping + dt * limit.stiffness};
  }
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

template <typename T>
void ActuationPart<T>::AddTendonRow(const Context<T>& context, int i,
                                    const RowLaw<T>& law,
                                    StepProblem<T>* problem) const {
  const TendonRow& row = tendon_rows_[i];
  const int c = problem->AddRows(std::span(&law, 1), row.tree_a, row.tree_b);
  const auto r = EvalTendons(context).r.col(i);
  for (const int side : {0, 1}) {
    const int tree = side == 0 ? row.tree_a : row.tree_b;
    if (tree < 0) continue;
    problem->J(c, side).row(0) =
        r.segment(problem->v_start(tree), problem->nv(tree)).transpose();
  }
}

namespace {

// Stiffness and damping of a tendon's limit: as MakeLimitLaw() has them for
// joints.
template <typename T>
std::pair<T, T> CalcTendonLimitLaw(const T& inertia, bool is_discrete,
                                   double dt) {
  constexpr double kFrequency = 2 * std::numbers::pi / kLimitPeriod;
  if (!is_discrete) {
    const T stiffness = inertia * (kFrequency * kFrequency);
    return {stiffness, inertia * (2 * kFrequency) + dt * stiffness};
  }
  const T damping = inertia / (kLimitSoftness * dt);
  return {damping / (2 * dt), damping};
}

}  // namespace

// Adds a row for each bound of a length.
template <typename T>
void ActuationPart<T>::AddTendonLimitRows(const Context<T>& context,
                                          StepProblem<T>* problem) const {
  if (num_tendon_limits_ == 0) return;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double dt = problem->dt();
  const TendonState& tendons = EvalTendons(context);
  for (int i = 0; i < num_tendon_limits_; ++i) {
    if (!(tendons.inertia[i] > 0)) continue;
    const auto [stiffness, damping] =
        CalcTendonLimitLaw(tendons.inertia[i], core_.is_discrete(), dt);
    const T share = stiffness / damping;
    const T R = 1 / (dt * damping);
    const auto add = [&](double bound, double lowest, double highest) {
      if (std::isinf(bound)) return;
      AddTendonRow(context, i,
                   {T(share * (bound - tendons.length[i])), R, lowest, highest},
                   problem);
    };
    add(tendon_rows_[i].lower, 0, kInfinity);
    add(tendon_rows_[i].upper, -kInfinity, 0);
  }
}

// The impulse dt clamp(a - b dL/dt, ±effort) is clamp((a / b - dL/dt) / R) with
// R = 1 / (dt b). Without gains it is an impulse of its own.
template <typename T>
void ActuationPart<T>::AddDriveRows(const Context<T>& context,
                                    StepProblem<T>* problem) const {
  if (!has_drives_) return;
  const double dt = problem->dt();
  const TendonState& tendons = EvalTendons(context);
  for (std::size_t i = num_tendon_limits_; i < tendon_rows_.size(); ++i) {
    const JointActuator<T>& actuator = *tendon_rows_[i].actuator;
    if (!actuator.has_controller()) continue;
    const DriveLaw law = MakeDriveLaw(context, actuator, tendons.length[i], dt);
    const double effort = actuator.effort_limit();
    // A tendon that no joint moves has no row.
    if (law.b == 0 || tendon_rows_[i].tree_a < 0) {
      problem->impulse().head(core_.num_v()) +=
          T(dt * CalcDriveForce(law, effort, T(0))) * tendons.r.col(i);
      continue;
    }
    AddTendonRow(
        context, static_cast<int>(i),
        {T(law.a / law.b), T(1 / (dt * law.b)), -dt * effort, dt * effort},
        problem);
  }
}

// Returns the force of the bound that is violated, if any.
template <typename T>
T ActuationPart<T>::CalcLimitForce(const T& stiffness, const T& damping,
                                   double lower, double upper, const T& q,
                                   const T& rate) {
  const T below = stiffness * (lower - q) - damping * rate;
  const T above = stiffness * (upper - q) - damping * rate;
  return if_then_else(below > 0, below, if_then_else(above < 0, above, T(0)));
}

template <typename T>
void ActuationPart<T>::AddLimitForces(const Context<T>& context,
                                      VectorX<T>* tau) const {
  if (!has_limit_rows()) return;
  for (int i = 0; i < num_tendon_limits_; ++i) {
    const TendonState& tendons = EvalTendons(context);
    if (!(tendons.inertia[i] > 0)) continue;
    const auto [stiffness, damping] =
        CalcTendonLimitLaw(tendons.inertia[i], false, 0.0);
    const T rate = tendons.r.col(i).dot(core_.VelocitiesOf(context));
    *tau += CalcLimitForce(stiffness, damping, tendon_rows_[i].lower,
                           tendon_rows_[i].upper, tendons.length[i], rate) *
            tendons.r.col(i);
  }
  const VectorX<T>& x = core_.StateVector(context);
  for (const Limit& limit : angle_limits_) {
    const T* w = x.data() + core_.num_q() + limit.v;
    const Vector3<T> n = CalcAngleRow(context, limit);
    const T rate = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
    tau->template segment<3>(limit.v) +=
        n * CalcLimitForce(limit.stiffness, limit.damping, limit.lower,
                           limit.upper, x[limit.q + limit.angle], rate);
  }
}

template <typename T>
void ActuationPart<T>::CalcNetActuation(const Context<T>& context, double dt,
                                        const std::vector<DofForceLaw<T>>& laws,
                                        const VectorX<T>& v,
                                        VectorX<T>* net_actuation) const {
  if (core_.tree().actuators().elements().empty()) return;
  const ActuationInput<T>& input = EvalInput(context);
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    const int u = actuator->input_start();
    if (actuator->acts_on_tendon()) {
      (*net_actuation)[u] = input.feed_forward[u];
      continue;
    }
    const int i = actuator->joint().velocity_start();
    (*net_actuation)[u] = laws[i].has_controller
                              ? laws[i].CalcControllerForce(v[i])
                              : input.feed_forward[u];
  }
  if (!has_drives_) return;
  const TendonState& tendons = EvalTendons(context);
  for (std::size_t i = num_tendon_limits_; i < tendon_rows_.size(); ++i) {
    const JointActuator<T>& actuator = *tendon_rows_[i].actuator;
    if (!actuator.has_controller()) continue;
    (*net_actuation)[actuator.input_start()] =
        CalcDriveForce(MakeDriveLaw(context, actuator, tendons.length[i], dt),
                       actuator.effort_limit(), tendons.r.col(i).dot(v));
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
