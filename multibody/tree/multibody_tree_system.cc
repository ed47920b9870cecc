#include "wyvern/multibody/tree/multibody_tree_system.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/dynamics/inverse_dynamics.h"
#include "wyvern/multibody/dynamics/mass_matrix.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* State, parameters and cache entries of a multibody model: multibody_cache.h
has the table of entries. FinalizeTree() declares them in the order in which
they build on each other; each Calc...() here fetches what its entry is made
from and calls the function of algorithms/ that computes it. */

namespace wyvern::multibody::internal {

using math::RigidTransform;
using systems::BasicVector;
using systems::Context;
using systems::DependencyTicket;
using systems::State;
using systems::ValueProducer;

template <typename T>
MultibodyTreeSystem<T>::MultibodyTreeSystem(
    const char* class_name, systems::SystemScalarConverter converter,
    double time_step)
    : systems::LeafSystem<T>(std::move(converter)),
      time_step_(time_step),
      tree_(std::make_unique<MultibodyTree<T>>(*this, class_name)) {
  // False for NaN as well.
  if (!(time_step >= 0) || !std::isfinite(time_step)) {
    throw std::logic_error(fmt::format(
        "{}(): the time step given is {}; wanted is a positive number of "
        "seconds, or zero for a continuous model.",
        class_name, time_step));
  }
}

template <typename T>
MultibodyTreeSystem<T>::~MultibodyTreeSystem() = default;

template <typename T>
Eigen::VectorBlock<VectorX<T>> MultibodyTreeSystem<T>::MutableStateVector(
    Context<T>* context) const {
  if (context == nullptr) {
    wyvern::internal::ThrowNull(tree_->class_name(), "the Context", "pass one");
  }
  this->ValidateContext(*context);
  tree_->RequireFinalized("MutableStateVector");
  if (is_discrete()) {
    return context->get_mutable_discrete_state(state_group_)
        .get_mutable_value();
  }
  return static_cast<BasicVector<T>&>(
             context->get_mutable_continuous_state_vector())
      .get_mutable_value();
}

template <typename T>
const VectorX<T>& MultibodyTreeSystem<T>::StateVectorOf(
    const State<T>& state) const {
  if (model_ == nullptr) tree_->RequireFinalized("StateVector");
  if (is_discrete()) {
    return state.get_discrete_state().get_vector(state_group_).value();
  }
  return static_cast<const BasicVector<T>&>(
             state.get_continuous_state().get_vector())
      .value();
}

template <typename T>
Eigen::VectorBlock<VectorX<T>> MultibodyTreeSystem<T>::MutableStateVectorOf(
    State<T>* state) const {
  // The state inside a Context carries no id of its own.
  if (state == nullptr) {
    wyvern::internal::ThrowNull(tree_->class_name(), "the State", "pass one");
  }
  if (state->get_system_id().is_valid()) {
    this->ValidateCreatedForThisSystem(*state);
  }
  tree_->RequireFinalized("MutableStateVector");
  if (is_discrete()) {
    return state->get_mutable_discrete_state()
        .get_mutable_vector(state_group_)
        .get_mutable_value();
  }
  return static_cast<BasicVector<T>&>(
             state->get_mutable_continuous_state().get_mutable_vector())
      .get_mutable_value();
}

template <typename T>
systems::NumericParameterIndex MultibodyTreeSystem<T>::DeclareElementParameter(
    const BasicVector<T>& model_vector) {
  return systems::NumericParameterIndex(
      this->DeclareNumericParameter(model_vector));
}

template <typename T>
systems::AbstractParameterIndex MultibodyTreeSystem<T>::DeclareElementParameter(
    const AbstractValue& model_value) {
  return systems::AbstractParameterIndex(
      this->DeclareAbstractParameter(model_value));
}

template <typename T>
DependencyTicket MultibodyTreeSystem<T>::position_ticket() const {
  return is_discrete() ? this->discrete_state_ticket(state_group_)
                       : this->q_ticket();
}

template <typename T>
DependencyTicket MultibodyTreeSystem<T>::velocity_ticket() const {
  return is_discrete() ? this->discrete_state_ticket(state_group_)
                       : this->v_ticket();
}

template <typename T>
void MultibodyTreeSystem<T>::SetDefaultState(const Context<T>& context,
                                             State<T>* state) const {
  systems::LeafSystem<T>::SetDefaultState(context, state);
  tree_->RequireFinalized("SetDefaultState");
  auto x = MutableStateVectorOf(state);
  x.head(num_q()) = tree_->CalcDefaultPositions().template cast<T>();
  x.tail(num_v()).setZero();
}

template <typename T>
void MultibodyTreeSystem<T>::SetDefaultParameters(
    const Context<T>& context, systems::Parameters<T>* parameters) const {
  systems::LeafSystem<T>::SetDefaultParameters(context, parameters);
  const auto set = [parameters](const auto& elements) {
    for (const auto* element : elements) {
      element->SetDefaultParameters(parameters);
    }
  };
  set(tree_->bodies().elements());
  set(tree_->frames().elements());
  set(tree_->joints().elements());
  set(tree_->actuators().elements());
  for (const auto& element : tree_->force_elements()) {
    element->SetDefaultParameters(parameters);
  }
}

template <typename T>
void MultibodyTreeSystem<T>::FinalizeTree() {
  if (!tree_->is_finalized()) tree_->Finalize();
  model_ = &tree_->model("Finalize");
  DeclareState();
  DeclareParameters();
  DeclareLockEntries();
  DeclarePositionEntries();
  DeclareVelocityEntries();
}

template <typename T>
void MultibodyTreeSystem<T>::DeclareState() {
  if (is_discrete()) {
    VectorX<T> x(num_q() + num_v());
    x << tree_->CalcDefaultPositions().template cast<T>(),
        VectorX<T>::Zero(num_v());
    state_group_ = this->DeclareDiscreteState(x);
  } else {
    this->DeclareContinuousState(num_q(), num_v(), 0);
  }
}

template <typename T>
void MultibodyTreeSystem<T>::DeclareParameters() {
  const auto declare = [this](const auto& elements) {
    for (auto* element : elements) element->DeclareParameters(this);
  };
  declare(tree_->bodies().elements());
  declare(tree_->frames().elements());
  declare(tree_->joints().elements());
  declare(tree_->actuators().elements());
  for (const auto& element : tree_->force_elements()) {
    element->DeclareParameters(this);
  }
}

template <typename T>
void MultibodyTreeSystem<T>::DeclareLockEntries() {
  using This = MultibodyTreeSystem<T>;
  entries_.locked_velocities = &this->DeclareCacheEntry(
      "locked velocities",
      LockedVelocities{.is_locked = std::vector<bool>(num_v(), false)},
      &This::CalcLockedVelocities, {this->all_parameters_ticket()});
  const VectorX<T> x = VectorX<T>::Zero(num_q() + num_v());
  entries_.locked_state = &this->DeclareCacheEntry(
      "state with locked joints at rest", x, &This::CalcLockedState,
      {position_ticket(), velocity_ticket(),
       entries_.locked_velocities->ticket()});
}

template <typename T>
void MultibodyTreeSystem<T>::DeclarePositionEntries() {
  using This = MultibodyTreeSystem<T>;
  const int num_nodes = model().num_nodes();
  const std::vector<RigidTransform<T>> frame_poses(
      tree_->frames().next_index());
  entries_.frame_poses = &this->DeclareCacheEntry(
      "frame poses X_BF", frame_poses, &This::CalcFramePoses,
      {this->all_parameters_ticket()});
  dynamics::ModelParameters<T> parameters(model());
  parameters.damping = VectorX<T>::Zero(num_v());
  parameters.friction = VectorX<T>::Zero(num_v());
  parameters.reflected_inertia = VectorX<T>::Zero(num_v());
  entries_.model_parameters = &this->DeclareCacheEntry(
      "model parameters", parameters, &This::CalcModelParameters,
      {this->all_parameters_ticket(), entries_.frame_poses->ticket()});
  entries_.positions = &this->DeclareCacheEntry(
      "position kinematics", dynamics::PositionKinematics<T>(model()),
      &This::CalcPositions,
      {position_ticket(), entries_.model_parameters->ticket()});
  const dynamics::IndexedVector<dynamics::MobodIndex, dynamics::Pose<T>>
      model_body_poses(model().num_bodies());
  entries_.model_body_poses = &this->DeclareCacheEntry(
      "poses X_WB of the model's bodies", model_body_poses,
      &This::CalcModelBodyPoses,
      {entries_.positions->ticket(), entries_.model_parameters->ticket()});
  const std::vector<RigidTransform<T>> body_poses(tree_->num_bodies());
  entries_.body_poses = &this->DeclareCacheEntry(
      "body poses X_WB", body_poses, &This::CalcBodyPoses,
      {entries_.model_body_poses->ticket()});
  const std::vector<dynamics::RigidInertia<T>> inertias(num_nodes);
  entries_.inertias = &this->DeclareCacheEntry(
      "inertias in world", inertias, &This::CalcInertias,
      {entries_.positions->ticket(), entries_.model_parameters->ticket()});
  entries_.composites = &this->DeclareCacheEntry("composite inertias", inertias,
                                                 &This::CalcComposites,
                                                 {entries_.inertias->ticket()});
  // Allocated on first use; time steps need only the per-tree blocks.
  entries_.mass_matrix = &this->DeclareCacheEntry(
      "mass matrix", MatrixX<T>(), &This::CalcMassMatrixEntry,
      {entries_.composites->ticket()});
  const GeneralizedForcesCache<T> gravity{
      VectorX<T>::Zero(num_v()), dynamics::InverseDynamicsScratch<T>(model())};
  entries_.gravity_forces = &this->DeclareCacheEntry(
      "gravity forces tau_g(q)", gravity, &This::CalcGravityForcesEntry,
      {entries_.inertias->ticket(), entries_.model_parameters->ticket()});
}

template <typename T>
void MultibodyTreeSystem<T>::DeclareVelocityEntries() {
  using This = MultibodyTreeSystem<T>;
  const VelocityKinematicsCache<T> velocities{
      dynamics::VelocityKinematics<T>(model())};
  entries_.velocities = &this->DeclareCacheEntry(
      "velocity kinematics", velocities, &This::CalcVelocities,
      {velocity_ticket(), entries_.locked_velocities->ticket(),
       entries_.positions->ticket()});
  const std::vector<SpatialVelocity<T>> V_WB(tree_->num_bodies(),
                                             SpatialVelocity<T>::Zero());
  entries_.body_velocities = &this->DeclareCacheEntry(
      "body velocities V_WB", V_WB, &This::CalcBodyVelocities,
      {entries_.velocities->ticket()});
  const GeneralizedForcesCache<T> bias{
      VectorX<T>::Zero(num_v()), dynamics::InverseDynamicsScratch<T>(model())};
  entries_.bias_term = &this->DeclareCacheEntry(
      "bias term C(q, v) v", bias, &This::CalcBiasTermEntry,
      {entries_.velocities->ticket(), entries_.inertias->ticket()});
}

template <typename T>
void MultibodyTreeSystem<T>::CalcLockedVelocities(
    const Context<T>& context, LockedVelocities* locked) const {
  locked->some = false;
  for (const Joint<T>* joint : tree_->joints().elements()) {
    if (joint->num_velocities() == 0) continue;
    const bool is_locked = joint->is_locked(context);
    locked->some = locked->some || is_locked;
    for (int i = 0; i < joint->num_velocities(); ++i) {
      locked->is_locked[joint->velocity_start() + i] = is_locked;
    }
  }
}

template <typename T>
void MultibodyTreeSystem<T>::CalcLockedState(const Context<T>& context,
                                             VectorX<T>* x) const {
  *x = StateVectorOf(context.get_state());
  const LockedVelocities& locked = EvalLockedVelocities(context);
  for (int i = 0; i < num_v(); ++i) {
    if (locked.is_locked[i]) (*x)[num_q() + i] = T(0);
  }
}

template <typename T>
void MultibodyTreeSystem<T>::CalcFramePoses(
    const Context<T>& context, std::vector<RigidTransform<T>>* X_BF) const {
  for (const Frame<T>* frame : tree_->frames().elements()) {
    (*X_BF)[frame->index()] =
        frame->DoCalcPoseInBodyFrame(context.get_parameters());
  }
}

template <typename T>
void MultibodyTreeSystem<T>::CalcModelParameters(
    const Context<T>& context, dynamics::ModelParameters<T>* parameters) const {
  tree_->CalcModelParameters(context, EvalFramePoses(context), parameters);
}

namespace {

// The joint whose quaternion is nearest to zero, or is not finite.
template <typename T>
std::string FindZeroQuaternion(const MultibodyTree<T>& tree,
                               const Eigen::Ref<const VectorX<T>>& q) {
  double least = std::numeric_limits<double>::infinity();
  std::string name;
  for (const Joint<T>* joint : tree.joints().elements()) {
    if (!joint->mobilizer_traits().has_quaternion) continue;
    const double size =
        ToDouble(T(q.template segment<4>(joint->position_start()).norm()));
    if (!std::isfinite(size)) return joint->name();
    if (size >= least) continue;
    least = size;
    name = joint->name();
  }
  return name;
}

}  // namespace

template <typename T>
void MultibodyTreeSystem<T>::CalcPositions(
    const Context<T>& context,
    dynamics::PositionKinematics<T>* positions) const {
  try {
    dynamics::RequireQuaternions<T>(model(), PositionsOf(context));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format(
        "{} '{}': of joint '{}', {}", tree_->class_name(),
        this->GetSystemPathname(),
        FindZeroQuaternion<T>(*tree_, PositionsOf(context)), error.what()));
  }
  dynamics::CalcPositionKinematics<T>(model(), EvalModelParameters(context),
                                      PositionsOf(context), positions);
}

template <typename T>
void MultibodyTreeSystem<T>::CalcModelBodyPoses(
    const Context<T>& context,
    dynamics::IndexedVector<dynamics::MobodIndex, dynamics::Pose<T>>* X_WB)
    const {
  dynamics::CalcBodyPoses<T>(model(), EvalModelParameters(context),
                             EvalNodePositions(context), X_WB);
}

template <typename T>
void MultibodyTreeSystem<T>::CalcBodyPoses(
    const Context<T>& context, std::vector<RigidTransform<T>>* X_WB) const {
  const PositionKinematicsCache<T> positions = EvalPositions(context);
  for (BodyIndex body(0); body < tree_->num_bodies(); ++body) {
    (*X_WB)[body] = BodyPose(positions, body);
  }
}

template <typename T>
void MultibodyTreeSystem<T>::RequireKnownInertias(
    const Context<T>& context) const {
  using wyvern::internal::MayHold;
  const dynamics::ModelParameters<T>& parameters = EvalModelParameters(context);
  if (parameters.masses_are_known) return;
  const auto& bodies = parameters.bodies;
  for (dynamics::MobodIndex b(1); b < model().num_bodies(); ++b) {
    if (MayHold(bodies[b].mass >= 0)) continue;
    const RigidBody<T>& body =
        tree_->bodies().get(BodyIndex(model().bodies[b].link));
    throw std::logic_error(fmt::format(
        "{} '{}': body '{}' has the spatial inertia NaN(), a placeholder; give "
        "its inertia when it is added, or in this Context by "
        "RigidBody::SetSpatialInertiaInBodyFrame().",
        tree_->class_name(), this->GetSystemPathname(),
        body.scoped_name().get_full()));
  }
}

template <typename T>
void MultibodyTreeSystem<T>::CalcInertias(
    const Context<T>& context,
    std::vector<dynamics::RigidInertia<T>>* inertias) const {
  RequireKnownInertias(context);
  dynamics::CalcInertiasInWorld<T>(model(), EvalModelParameters(context),
                                   EvalNodePositions(context), inertias);
}

template <typename T>
void MultibodyTreeSystem<T>::CalcComposites(
    const Context<T>& context,
    std::vector<dynamics::RigidInertia<T>>* composites) const {
  dynamics::CalcCompositeInertias<T>(model(), EvalInertias(context),
                                     composites);
}

template <typename T>
void MultibodyTreeSystem<T>::CalcMassMatrixEntry(const Context<T>& context,
                                                 MatrixX<T>* M) const {
  M->resize(num_v(), num_v());
  dynamics::CalcMassMatrix<T>(model(), EvalModelParameters(context),
                              EvalNodePositions(context),
                              EvalComposites(context), *M);
}

template <typename T>
void MultibodyTreeSystem<T>::CalcMassMatrix(const Context<T>& context,
                                            Eigen::Ref<MatrixX<T>> M) const {
  if (!entries_.mass_matrix->is_out_of_date(context)) {
    M = EvalMassMatrix(context);
    return;
  }
  dynamics::CalcMassMatrix<T>(model(), EvalModelParameters(context),
                              EvalNodePositions(context),
                              EvalComposites(context), M);
}

template <typename T>
void MultibodyTreeSystem<T>::CalcVelocities(
    const Context<T>& context, VelocityKinematicsCache<T>* velocities) const {
  dynamics::CalcVelocityKinematics<T>(
      model(), EvalModelParameters(context), EvalNodePositions(context),
      VelocitiesOf(context), &velocities->nodes);
}

template <typename T>
void MultibodyTreeSystem<T>::CalcBodyVelocities(
    const Context<T>& context, std::vector<SpatialVelocity<T>>* V_WB) const {
  const PositionKinematicsCache<T> positions = EvalPositions(context);
  const VelocityKinematicsCache<T>& velocities = EvalVelocities(context);
  for (BodyIndex body(0); body < tree_->num_bodies(); ++body) {
    const dynamics::MobodIndex b = tree_->model_body(body);
    (*V_WB)[body] = SpatialVelocity<T>(dynamics::CalcPointVelocity<T>(
        model(), positions.nodes, velocities.nodes, b, positions.X_WB[b].p));
  }
}

template <typename T>
void MultibodyTreeSystem<T>::CalcGravityForcesEntry(
    const Context<T>& context, GeneralizedForcesCache<T>* gravity) const {
  dynamics::CalcGravityGeneralizedForces<T>(EvalConfiguration(context),
                                            &gravity->scratch, gravity->tau);
}

template <typename T>
void MultibodyTreeSystem<T>::CalcBiasTermEntry(
    const Context<T>& context, GeneralizedForcesCache<T>* bias) const {
  dynamics::CalcBiasTerm<T>(EvalMotion(context), &bias->scratch, bias->tau);
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::MultibodyTreeSystem);
