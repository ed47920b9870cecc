#include "wyvern/multibody/constraint_sets/constraint_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/constraint_sets/contact_constraint.h"
#include "wyvern/multibody/constraint_sets/loop_constraint.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* A set knows its rows, in the order they were added, and its groups of rows.
Each group is a Constraint, found by name, user id and row. This file
makes, finds and sets both; Bind() ties them to a plant and compiles where rows
act (RowPattern). constraint_set_evaluation.cc has the computations of groups.
*/

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using internal::RequireResult;
using internal::RequireSize;
using math::RigidTransform;
using systems::Context;

namespace {

// Frames and points count as the same if they differ by less, in [m] and in
// entries of rotation matrices.
constexpr double kSame = 1e-12;

bool AreSame(const RigidTransform<double>& X, const RigidTransform<double>& Y) {
  return X.IsNearlyEqualTo(Y, kSame);
}

// Name of a constraint that is being added, for messages.
struct Who {
  std::string_view name;
  std::string what;

  std::string text() const {
    if (!name.empty()) return fmt::format("constraint '{}'", name);
    return what + " without a name";
  }
};

std::string Describe(BodyIndex body) {
  return body.is_valid() ? fmt::format("body {}", int{body}) : "no body";
}

void RequireFinite(std::string_view function, const Who& who,
                   std::string_view what, bool is_finite) {
  if (is_finite) return;
  throw std::logic_error(
      fmt::format("ConstraintSet::{}(): {} of {} is not finite; give finite "
                  "numbers.",
                  function, what, who.text()));
}

void RequireFinalized(std::string_view function, bool is_finalized) {
  if (is_finalized) return;
  throw std::logic_error(fmt::format(
      "{}(): the plant is not finalized; call its Finalize() first.",
      function));
}

void RequireValid(std::string_view function, const Who& who, BodyIndex body) {
  if (body.is_valid()) return;
  throw std::logic_error(fmt::format(
      "ConstraintSet::{}(): a body index of {} was given no value; give the "
      "index of a body.",
      function, who.text()));
}

void RequireTimeConstant(std::string_view function, double time_constant) {
  if (time_constant > 0 && std::isfinite(time_constant)) return;
  throw std::logic_error(fmt::format(
      "ConstraintSet::{}(): the time constant given is {} s; wanted is a "
      "positive, finite one.",
      function, time_constant));
}

}  // namespace

template <typename T>
ConstraintSet<T>::ConstraintSet() = default;
template <typename T>
ConstraintSet<T>::~ConstraintSet() = default;
template <typename T>
ConstraintSet<T>::ConstraintSet(ConstraintSet&& other) noexcept
    : ConstraintSet() {
  Swap(&other);
}

template <typename T>
ConstraintSet<T>& ConstraintSet<T>::operator=(ConstraintSet&& other) noexcept {
  ConstraintSet moved(std::move(other));
  Swap(&moved);
  return *this;
}

template <typename T>
void ConstraintSet<T>::Swap(ConstraintSet* other) noexcept {
  using std::swap;
  swap(groups_, other->groups_);
  swap(rows_, other->rows_);
  swap(groups_of_name_, other->groups_of_name_);
  swap(group_of_user_id_, other->group_of_user_id_);
  swap(solver_, other->solver_);
  swap(consistency_tolerance_, other->consistency_tolerance_);
  swap(plant_, other->plant_);
  swap(actuated_plant_, other->actuated_plant_);
  swap(is_actuated_, other->is_actuated_);
  swap(actuated_, other->actuated_);
  swap(unactuated_, other->unactuated_);
  swap(pattern_, other->pattern_);
  swap(largest_group_, other->largest_group_);
  swap(v_plus_, other->v_plus_);
  swap(own_, other->own_);
}

template <typename T>
void ConstraintSet<T>::RequireNotBound(std::string_view function) const {
  if (!is_bound()) return;
  throw std::logic_error(fmt::format(
      "ConstraintSet::{}(): the set is bound to a plant, and cannot be changed "
      "any more; change a Copy() and bind that.",
      function));
}

template <typename T>
void ConstraintSet<T>::RequireFreeLabels(std::string_view function, int group,
                                         bool is_contact, std::string_view name,
                                         std::optional<int> user_id) {
  const auto named = groups_of_name_.find(name);
  const auto may_share = [&](int other) {
    return other == group || (is_contact && groups_[other].contact != nullptr);
  };
  if (named != groups_of_name_.end() &&
      !std::ranges::all_of(named->second, may_share)) {
    throw std::logic_error(fmt::format(
        "ConstraintSet::{}(): there is a constraint named '{}' already, in "
        "another group; give each group a name of its own.",
        function, name));
  }
  if (!user_id.has_value()) return;
  const auto numbered = group_of_user_id_.find(*user_id);
  if (numbered != group_of_user_id_.end() && numbered->second != group) {
    throw std::logic_error(fmt::format(
        "ConstraintSet::{}(): there is a constraint with the user id {} "
        "already, in another group; give each group an id of its own.",
        function, *user_id));
  }
}

template <typename T>
int ConstraintSet<T>::AddRow(int group, std::string_view name,
                             std::optional<int> user_id) {
  const int row = size();
  rows_.push_back({group, std::string(name), user_id, {}});
  groups_[group].rows.push_back(row);
  if (!name.empty()) {
    std::vector<int>& named = groups_of_name_[std::string(name)];
    if (std::ranges::find(named, group) == named.end()) named.push_back(group);
  }
  if (user_id.has_value()) group_of_user_id_.emplace(*user_id, group);
  return row;
}

template <typename T>
int ConstraintSet<T>::AddContactConstraint(BodyIndex body,
                                           const Vector3<double>& p_BoC_B,
                                           const Vector3<double>& normal_W,
                                           std::string_view name,
                                           std::optional<int> user_id) {
  constexpr std::string_view kFunction = "AddContactConstraint";
  RequireNotBound(kFunction);
  const Who who{name, "the contact of " + Describe(body)};
  RequireValid(kFunction, who, body);
  RequireFinite(kFunction, who, "the point", p_BoC_B.allFinite());
  RequireFinite(kFunction, who, "the normal", normal_W.allFinite());
  if (normal_W.norm() == 0) {
    throw std::logic_error(fmt::format(
        "ConstraintSet::AddContactConstraint(): the normal of {} has length "
        "zero; wanted is a direction.",
        who.text()));
  }
  const auto found = std::ranges::find_if(groups_, [&](const Group& group) {
    return group.contact != nullptr && group.contact->successor() == body &&
           (group.contact->p_BoC_B() - p_BoC_B).norm() <= kSame &&
           (name.empty() || group.contact->name() == name);
  });
  const int group = static_cast<int>(found - groups_.begin());
  RequireFreeLabels(kFunction, group, /* is_contact */ true, name, user_id);
  if (group == num_groups()) {
    auto contact = std::make_shared<ContactConstraint<T>>(
        body, p_BoC_B, std::string(name), user_id);
    Group added;
    added.pair = added.contact = contact.get();
    added.constraint = std::move(contact);
    groups_.push_back(std::move(added));
  }
  groups_[group].contact->AddNormal(normal_W.normalized(), std::string(name));
  return AddRow(group, name, user_id);
}

template <typename T>
int ConstraintSet<T>::AddLoopConstraint(
    BodyIndex predecessor, BodyIndex successor,
    const RigidTransform<double>& X_predecessor,
    const RigidTransform<double>& X_successor, const Vector6<double>& axis_P,
    bool enable_stabilization, double time_constant, std::string_view name,
    std::optional<int> user_id) {
  constexpr std::string_view kFunction = "AddLoopConstraint";
  RequireNotBound(kFunction);
  const Who who{name, fmt::format("the loop between {} and {}",
                                  Describe(predecessor), Describe(successor))};
  RequireValid(kFunction, who, predecessor);
  RequireValid(kFunction, who, successor);
  RequireFinite(kFunction, who, "a frame",
                X_predecessor.GetAsMatrix4().allFinite() &&
                    X_successor.GetAsMatrix4().allFinite());
  RequireFinite(kFunction, who, "the axis", axis_P.allFinite());
  RequireTimeConstant(kFunction, time_constant);
  if (axis_P.norm() == 0) {
    throw std::logic_error(fmt::format(
        "ConstraintSet::AddLoopConstraint(): the axis of {} has length zero; "
        "wanted is a rotational or translational direction.",
        who.text()));
  }
  if (predecessor == successor) {
    throw std::logic_error(fmt::format(
        "ConstraintSet::AddLoopConstraint(): {} is between body {} and itself; "
        "wanted are two bodies.",
        who.text(), int{predecessor}));
  }
  const auto found = std::ranges::find_if(groups_, [&](const Group& group) {
    return group.loop != nullptr && group.loop->predecessor() == predecessor &&
           group.loop->successor() == successor &&
           group.baumgarte.is_enabled == enable_stabilization &&
           group.baumgarte.time_constant == time_constant &&
           AreSame(group.loop->X_AP(), X_predecessor) &&
           AreSame(group.loop->X_BS(), X_successor);
  });
  const int group = static_cast<int>(found - groups_.begin());
  RequireFreeLabels(kFunction, group, /* is_contact */ false, name, user_id);
  if (group == num_groups()) {
    auto loop = std::make_shared<LoopConstraint<T>>(predecessor, successor,
                                                    X_predecessor, X_successor,
                                                    std::string(name), user_id);
    Group added;
    added.pair = added.loop = loop.get();
    added.constraint = std::move(loop);
    added.baumgarte = {enable_stabilization, time_constant};
    groups_.push_back(std::move(added));
  }
  groups_[group].loop->AddAxis(axis_P, std::string(name));
  return AddRow(group, name, user_id);
}

template <typename T>
int ConstraintSet<T>::AddCustomConstraint(
    std::shared_ptr<Constraint<T>> constraint,
    const BaumgarteStabilization& stabilization) {
  constexpr std::string_view kFunction = "AddCustomConstraint";
  RequireNotBound(kFunction);
  wyvern::internal::RequireNotNull("ConstraintSet::AddCustomConstraint",
                                   "the constraint", constraint, "give one");
  RequireTimeConstant(kFunction, stabilization.time_constant);
  const int group = num_groups();
  RequireFreeLabels(kFunction, group, /* is_contact */ false,
                    constraint->name(), constraint->user_id());
  Group added;
  added.constraint = std::move(constraint);
  added.baumgarte = stabilization;
  groups_.push_back(std::move(added));
  const Constraint<T>& custom = *groups_[group].constraint;
  for (int i = 0; i < custom.size(); ++i) {
    AddRow(group, custom.name(), custom.user_id());
  }
  return groups_[group].rows.front();
}

template <typename T>
void ConstraintSet<T>::RequireBodyOf(const MultibodyTreeSystem<T>& plant,
                                     int row, int side, BodyIndex body) const {
  const RigidBody<T>* const given = rows_[row].bodies[side];
  const RigidBody<T>* const own = &plant.tree().bodies().get(body);
  if (given == nullptr || given == own) return;
  throw std::logic_error(fmt::format(
      "ConstraintSet::Bind(): {} was given a body of another plant, of index "
      "{}; give bodies of the plant to bind to, here '{}', or their indices.",
      GetRowLabel(row), int{body}, own->name()));
}

template <typename T>
void ConstraintSet<T>::Bind(const MultibodyTreeSystem<T>& plant) {
  RequireNotBound("Bind");
  RequireFinalized("ConstraintSet::Bind", plant.tree().is_finalized());
  if (has_actuation_map() && actuated_plant_ != &plant) {
    throw std::logic_error(
        "ConstraintSet::Bind(): what is actuated was said of another plant; "
        "call SetActuationMap() with the plant to bind to.");
  }
  const dynamics::Model& model = plant.model();
  int largest = 0;
  std::vector<Vector2<int>> nodes(size(), Vector2<int>::Zero());
  for (const Group& group : groups_) {
    largest = std::max(largest, group.constraint->size());
    if (group.pair == nullptr) continue;
    const BodyPairConstraint<T>& pair = *group.pair;
    for (int side = 0; side < 2; ++side) {
      const BodyIndex body = side == 0 ? pair.successor() : pair.predecessor();
      if (body >= plant.tree().num_bodies()) {
        throw std::logic_error(fmt::format(
            "ConstraintSet::Bind(): {} is on body {}, which the plant does not "
            "have; it has {} bodies.",
            pair.Describe(), int{body}, plant.tree().num_bodies()));
      }
      for (int row : group.rows) RequireBodyOf(plant, row, side, body);
      const dynamics::NodeIndex node =
          model.bodies[plant.tree().model_body(body)].node;
      for (int row : group.rows) nodes[row][side] = node;
    }
  }
  for (const Group& group : groups_) group.constraint->DoBind(plant);

  pattern_.Reset(model, nodes);
  largest_group_ = largest;
  v_plus_ = VectorX<T>::Zero(size());
  plant_ = &plant;
  own_ = MakeSystem();
}

template <typename T>
ConstrainedSystem<T> ConstraintSet<T>::MakeSystem() const {
  if (!is_bound()) {
    throw std::logic_error(
        "ConstraintSet::MakeSystem() was called before Bind(); call that "
        "first.");
  }
  const dynamics::Model& model = plant_->model();
  const int nv = plant_->num_v();
  const int nc = size();
  ConstrainedSystem<T> s;
  s.H = MatrixX<T>::Zero(nv, nv);
  s.G = MatrixX<T>::Zero(nc, nv);
  s.F = Matrix6X<T>::Zero(6, nc);
  s.row_sizes = Eigen::Matrix2Xd::Zero(2, nc);
  for (VectorX<T>* rows :
       {&s.gamma, &s.position_error, &s.velocity_error, &s.force, &s.impulse}) {
    *rows = VectorX<T>::Zero(nc);
  }
  for (VectorX<T>* v : {&s.C, &s.c, &s.zero_v, &s.locked_diagonal}) {
    *v = VectorX<T>::Zero(nv);
  }
  s.steps = WeightedSteps<T>(nv, nc);
  s.scratch = ConstrainedSystemScratch<T>(model, nc);
  s.inverse_dynamics = dynamics::InverseDynamicsScratch<T>(model);
  s.articulated = dynamics::ArticulatedInertias<T>(model);
  s.A_bias.assign(model.num_nodes(), Vector6<T>::Zero());
  s.A = s.A_bias;
  s.applied = s.A_bias;
  s.group_F = Matrix6X<T>::Zero(6, largest_group_);
  s.group_rows = VectorX<T>::Zero(largest_group_);
  s.rows = internal::FactoredRows<T>(nc, nv);
  return s;
}

template <typename T>
ConstraintSet<T> ConstraintSet<T>::Copy() const {
  ConstraintSet<T> copy;
  copy.groups_ = groups_;
  for (Group& group : copy.groups_) {
    if (group.contact != nullptr) {
      auto own = std::make_shared<ContactConstraint<T>>(*group.contact);
      group.pair = group.contact = own.get();
      group.constraint = std::move(own);
    } else if (group.loop != nullptr) {
      auto own = std::make_shared<LoopConstraint<T>>(*group.loop);
      group.pair = group.loop = own.get();
      group.constraint = std::move(own);
    }
  }
  copy.rows_ = rows_;
  for (Row& row : copy.rows_) row.bodies = {};
  copy.groups_of_name_ = groups_of_name_;
  copy.group_of_user_id_ = group_of_user_id_;
  copy.solver_ = solver_;
  copy.consistency_tolerance_ = consistency_tolerance_;
  return copy;
}

template <typename T>
void ConstraintSet<T>::Clear() {
  ConstrainedSystem<T>& s = own_;
  s.H.setZero();
  s.G.setZero();
  for (VectorX<T>* x : {&s.C, &s.gamma, &s.position_error, &s.velocity_error,
                        &s.force, &s.impulse, &v_plus_}) {
    x->setZero();
  }
  s.scratch.dependent_rows.clear();
  s.scratch.inconsistent_rows.clear();
  s.force_state.is_known = false;
  s.impulse_state.is_known = false;
}

template <typename T>
const typename ConstraintSet<T>::Group& ConstraintSet<T>::GetGroup(
    int group, std::string_view function) const {
  if (group < 0 || group >= num_groups()) {
    throw std::out_of_range(fmt::format(
        "ConstraintSet::{}(): there is no group {}; the set has {}.", function,
        group, num_groups()));
  }
  return groups_[group];
}

template <typename T>
typename ConstraintSet<T>::Group& ConstraintSet<T>::GetMutableGroup(
    int group, std::string_view function) {
  return const_cast<Group&>(GetGroup(group, function));
}

template <typename T>
int ConstraintSet<T>::GetGroupIndexByName(std::string_view name) const {
  const auto found = groups_of_name_.find(name);
  if (found == groups_of_name_.end()) {
    throw std::out_of_range(fmt::format(
        "ConstraintSet::GetGroupIndexByName(): no constraint is named '{}'.",
        name));
  }
  if (found->second.size() > 1) {
    throw std::logic_error(fmt::format(
        "ConstraintSet::GetGroupIndexByName(): groups {} are all named '{}'; "
        "ask for one by an id.",
        fmt::join(found->second, ", "), name));
  }
  return found->second.front();
}

template <typename T>
int ConstraintSet<T>::GetGroupIndexById(int user_id) const {
  const auto found = group_of_user_id_.find(user_id);
  if (found != group_of_user_id_.end()) return found->second;
  throw std::out_of_range(fmt::format(
      "ConstraintSet::GetGroupIndexById(): no constraint has the user id {}.",
      user_id));
}

template <typename T>
int ConstraintSet<T>::GetGroupIndexByAssignedId(int assigned_id) const {
  if (assigned_id >= 0 && assigned_id < size()) return rows_[assigned_id].group;
  throw std::out_of_range(fmt::format(
      "ConstraintSet::GetGroupIndexByAssignedId(): no constraint was assigned "
      "the id {}; the set has {}, and counts from 0.",
      assigned_id, size()));
}

template <typename T>
int ConstraintSet<T>::GetGroupIndexMax() const {
  if (num_groups() > 0) return num_groups() - 1;
  throw std::logic_error(
      "ConstraintSet::GetGroupIndexMax(): the set has no constraints.");
}

template <typename T>
const std::string& ConstraintSet<T>::GetGroupName(int group) const {
  return GetGroup(group, "GetGroupName").constraint->name();
}

template <typename T>
int ConstraintSet<T>::GetGroupSize(int group) const {
  return GetGroup(group, "GetGroupSize").constraint->size();
}

template <typename T>
ConstraintType ConstraintSet<T>::GetGroupType(int group) const {
  return GetGroup(group, "GetGroupType").constraint->type();
}

template <typename T>
std::optional<int> ConstraintSet<T>::GetGroupId(int group) const {
  return GetGroup(group, "GetGroupId").constraint->user_id();
}

template <typename T>
int ConstraintSet<T>::GetGroupAssignedId(int group) const {
  return GetGroup(group, "GetGroupAssignedId").rows.front();
}

template <typename T>
std::span<const int> ConstraintSet<T>::GetGroupRows(int group) const {
  return GetGroup(group, "GetGroupRows").rows;
}

template <typename T>
const Constraint<T>& ConstraintSet<T>::GetGroupConstraint(int group) const {
  return *GetGroup(group, "GetGroupConstraint").constraint;
}

template <typename T>
const BodyPairConstraint<T>* ConstraintSet<T>::GetPair(int group) const {
  return GetGroup(group, "GetPair").pair;
}

template <typename T>
const Constraint<T>* ConstraintSet<T>::FindCustomConstraint() const {
  for (const Group& group : groups_) {
    if (group.pair == nullptr) return group.constraint.get();
  }
  return nullptr;
}

template <typename T>
std::string ConstraintSet<T>::GetRowLabel(int row) const {
  const int group = GetGroupIndexByAssignedId(row);
  const std::string& own = rows_[row].name;
  const std::string& name = own.empty() ? GetGroupName(group) : own;
  if (!name.empty()) return fmt::format("row {} of '{}'", row, name);
  return fmt::format("row {}, of {}", row,
                     groups_[group].constraint->Describe(plant_));
}

template <typename T>
bool ConstraintSet<T>::IsBaumgarteStabilizationEnabled(int group) const {
  return GetGroup(group, "IsBaumgarteStabilizationEnabled")
      .baumgarte.is_enabled;
}

template <typename T>
void ConstraintSet<T>::EnableBaumgarteStabilization(int group) {
  GetMutableGroup(group, "EnableBaumgarteStabilization").baumgarte.is_enabled =
      true;
}

template <typename T>
void ConstraintSet<T>::DisableBaumgarteStabilization(int group) {
  GetMutableGroup(group, "DisableBaumgarteStabilization").baumgarte.is_enabled =
      false;
}

template <typename T>
Vector2<double> ConstraintSet<T>::GetBaumgarteStabilizationCoefficients(
    int group) const {
  const double time_constant =
      GetGroup(group, "GetBaumgarteStabilizationCoefficients")
          .baumgarte.time_constant;
  return Vector2<double>::Constant(1 / time_constant);
}

template <typename T>
void ConstraintSet<T>::SetBaumgarteTimeConstant(int group,
                                                double time_constant) {
  RequireTimeConstant("SetBaumgarteTimeConstant", time_constant);
  GetMutableGroup(group, "SetBaumgarteTimeConstant").baumgarte.time_constant =
      time_constant;
}

template <typename T>
void ConstraintSet<T>::CalcBaumgarteStabilizationForces(
    int group, const Eigen::Ref<const VectorX<T>>& position_error,
    const Eigen::Ref<const VectorX<T>>& velocity_error,
    EigenPtr<VectorX<T>> stabilization) const {
  constexpr std::string_view kFunction =
      "ConstraintSet::CalcBaumgarteStabilizationForces";
  const int wanted =
      GetGroup(group, "CalcBaumgarteStabilizationForces").constraint->size();
  RequireSize(kFunction, "the position error", position_error.size(), wanted);
  RequireSize(kFunction, "the velocity error", velocity_error.size(), wanted);
  RequireResult<T>(kFunction, "the result", stabilization, wanted);
  const double rate = GetBaumgarteStabilizationCoefficients(group)[0];
  for (int i = 0; i < wanted; ++i) {
    (*stabilization)[i] = internal::CalcStabilization<T>(
        rate, position_error[i], velocity_error[i]);
  }
}

template <typename T>
void ConstraintSet<T>::SetConsistencyTolerance(double tolerance) {
  if (!(tolerance > 0)) {
    throw std::logic_error(fmt::format(
        "ConstraintSet::SetConsistencyTolerance(): the tolerance given is {}; "
        "wanted is a positive number.",
        tolerance));
  }
  consistency_tolerance_ = tolerance;
}

template <typename T>
void ConstraintSet<T>::SetActuationMap(const MultibodyTreeSystem<T>& plant,
                                       const std::vector<bool>& actuated) {
  constexpr std::string_view kFunction = "ConstraintSet::SetActuationMap";
  RequireFinalized(kFunction, plant.tree().is_finalized());
  if (is_bound()) RequireBound(plant, kFunction);
  RequireSize(kFunction, "the actuation map",
              static_cast<Eigen::Index>(actuated.size()), plant.num_v());
  actuated_plant_ = &plant;
  is_actuated_ = actuated;
  actuated_.clear();
  unactuated_.clear();
  for (int i = 0; i < plant.num_v(); ++i) {
    (actuated[i] ? actuated_ : unactuated_).push_back(i);
  }
}

template <typename T>
void ConstraintSet<T>::SetVPlus(const Eigen::Ref<const VectorX<T>>& v_plus) {
  if (!is_bound()) {
    throw std::logic_error(
        "ConstraintSet::SetVPlus() was called before Bind(); call that first.");
  }
  RequireSize("ConstraintSet::SetVPlus", "v_plus", v_plus.size(), size());
  internal::RequireFinite("ConstraintSet::SetVPlus", "v_plus", v_plus);
  v_plus_ = v_plus;
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::ConstraintSet);

}  // namespace wyvern::multibody
