#include "wyvern/multibody/plant/plant_constraints.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* Constraints from what users give to rows. Add...() keeps specifications by
ConstraintId; Finalize() compiles them into HolonomicConstraints
(multibody/constraint_sets) between bodies of the model, and adds a weld for
each loop that the tree cut, between the two halves of a body. Whether one is
active is a parameter of the Context. Projection onto e(q) = 0 is in
parts/projected_state.h. */

namespace wyvern::multibody {

using internal::ConstraintRegistry;
using systems::Context;
using Kind = internal::HolonomicConstraint::Kind;

template <typename T>
void PlantConstraints<T>::RequireCanAdd(const char* function) const {
  core_.tree().RequireNotFinalized(function, "a constraint was added");
}

template <typename T>
void PlantConstraints<T>::RequireBodies(const char* function,
                                        const RigidBody<T>& body_A,
                                        const RigidBody<T>& body_B) const {
  RequireCanAdd(function);
  core_.tree().RequireMember(body_A, function);
  core_.tree().RequireMember(body_B, function);
  if (&body_A == &body_B) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::{}(): body '{}' is given twice; a constraint is "
        "between two bodies.",
        function, body_A.name()));
  }
}

template <typename T>
MultibodyConstraintId PlantConstraints<T>::AddCouplerConstraint(
    const Joint<T>& joint0, const Joint<T>& joint1, double gear_ratio,
    double offset) {
  RequireCanAdd("AddCouplerConstraint");
  for (const Joint<T>* joint : {&joint0, &joint1}) {
    core_.tree().RequireMember(*joint, "AddCouplerConstraint");
    if (joint->num_velocities() != 1) {
      throw std::logic_error(
          fmt::format("MultibodyPlant::AddCouplerConstraint(): joint '{}' has "
                      "{} degrees of "
                      "freedom; only joints of one can be coupled.",
                      joint->name(), joint->num_velocities()));
    }
  }
  if (&joint0 == &joint1 || !std::isfinite(gear_ratio) ||
      !std::isfinite(offset)) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::AddCouplerConstraint(): joints '{}' and '{}', gear "
        "ratio {}, offset {}; give two different joints and finite numbers.",
        joint0.name(), joint1.name(), gear_ratio, offset));
  }
  const auto id = MultibodyConstraintId::get_new_id();
  registry_.couplers[id] = {joint0.index(), joint1.index(), gear_ratio, offset,
                            id};
  return id;
}

template <typename T>
MultibodyConstraintId PlantConstraints<T>::AddDistanceConstraint(
    const RigidBody<T>& body_A, const Vector3<double>& p_AP,
    const RigidBody<T>& body_B, const Vector3<double>& p_BQ, double distance,
    double stiffness, double damping) {
  RequireBodies("AddDistanceConstraint", body_A, body_B);
  const bool is_valid = distance > 0 && std::isfinite(distance) &&
                        stiffness > 0 && damping >= 0 &&
                        std::isfinite(damping) && p_AP.allFinite() &&
                        p_BQ.allFinite();
  if (!is_valid) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::AddDistanceConstraint(): distance {} m, stiffness {} "
        "N/m, damping {} N s/m between '{}' and '{}'; give finite points, a "
        "positive distance and stiffness, and a damping that is not negative.",
        distance, stiffness, damping, body_A.name(), body_B.name()));
  }
  const auto id = MultibodyConstraintId::get_new_id();
  registry_.distances[id] = {body_A.index(), p_AP,      body_B.index(), p_BQ,
                             distance,       stiffness, damping,        id};
  return id;
}

template <typename T>
MultibodyConstraintId PlantConstraints<T>::AddBallConstraint(
    const RigidBody<T>& body_A, const Vector3<double>& p_AP,
    const RigidBody<T>& body_B, const std::optional<Vector3<double>>& p_BQ) {
  RequireBodies("AddBallConstraint", body_A, body_B);
  const wyvern::internal::Caller who("MultibodyPlant::AddBallConstraint");
  wyvern::internal::RequireFinite(who.Of("body", body_A.name()), "p_AP", p_AP);
  if (p_BQ) {
    wyvern::internal::RequireFinite(who.Of("body", body_B.name()), "p_BQ",
                                    *p_BQ);
  }
  const auto id = MultibodyConstraintId::get_new_id();
  registry_.balls[id] = {body_A.index(), p_AP, body_B.index(), p_BQ, id};
  return id;
}

template <typename T>
MultibodyConstraintId PlantConstraints<T>::AddWeldConstraint(
    const RigidBody<T>& body_A, const math::RigidTransform<double>& X_AP,
    const RigidBody<T>& body_B, const math::RigidTransform<double>& X_BQ) {
  RequireBodies("AddWeldConstraint", body_A, body_B);
  const auto id = MultibodyConstraintId::get_new_id();
  registry_.welds[id] = {body_A.index(), X_AP, body_B.index(), X_BQ, id};
  return id;
}

template <typename T>
void PlantConstraints<T>::RemoveConstraint(MultibodyConstraintId id) {
  core_.tree().RequireNotFinalized("RemoveConstraint",
                                   "a constraint was removed");
  if (registry_.Remove(id)) return;
  throw std::logic_error(fmt::format(
      "MultibodyPlant::RemoveConstraint(): there is no constraint with id {}.",
      id.get_value()));
}

namespace {

template <typename Spec>
const Spec& FindSpec(const std::map<MultibodyConstraintId, Spec>& specs,
                     MultibodyConstraintId id, const char* kind) {
  const auto it = specs.find(id);
  if (it != specs.end()) return it->second;
  throw std::logic_error(fmt::format(
      "MultibodyPlant::get_{}_constraint_specs(): id {} is not of a "
      "{} constraint of this plant.",
      kind, id.get_value(), kind));
}

}  // namespace

template <typename T>
const internal::CouplerConstraintSpec&
PlantConstraints<T>::get_coupler_constraint_specs(
    MultibodyConstraintId id) const {
  return FindSpec(registry_.couplers, id, "coupler");
}

template <typename T>
const internal::DistanceConstraintSpec&
PlantConstraints<T>::get_distance_constraint_specs(
    MultibodyConstraintId id) const {
  return FindSpec(registry_.distances, id, "distance");
}

template <typename T>
const internal::BallConstraintSpec&
PlantConstraints<T>::get_ball_constraint_specs(MultibodyConstraintId id) const {
  return FindSpec(registry_.balls, id, "ball");
}

template <typename T>
const internal::WeldConstraintSpec&
PlantConstraints<T>::get_weld_constraint_specs(MultibodyConstraintId id) const {
  return FindSpec(registry_.welds, id, "weld");
}

template <typename T>
int PlantConstraints<T>::CompiledIndex(const char* function,
                                       MultibodyConstraintId id) const {
  core_.tree().RequireFinalized(function);
  for (std::size_t i = 0; i < registry_.compiled.size(); ++i) {
    if (registry_.compiled[i].id == id) return static_cast<int>(i);
  }
  throw std::logic_error(
      fmt::format("MultibodyPlant::{}(): there is no constraint with id {}.",
                  function, id.get_value()));
}

template <typename T>
bool PlantConstraints<T>::GetConstraintActiveStatus(
    const Context<T>& context, MultibodyConstraintId id) const {
  const int i = CompiledIndex("GetConstraintActiveStatus", id);
  core_.ValidateContext(context);
  return ToDouble(context.get_numeric_parameter(registry_.is_active)[i]) != 0;
}

template <typename T>
void PlantConstraints<T>::SetConstraintActiveStatus(Context<T>* context,
                                                    MultibodyConstraintId id,
                                                    bool status) const {
  const int i = CompiledIndex("SetConstraintActiveStatus", id);
  core_.ValidateContext(context);
  context->get_mutable_numeric_parameter(registry_.is_active)[i] =
      T(status ? 1 : 0);
}

template <typename T>
void PlantConstraints<T>::CompileCouplers() {
  for (const auto& [id, spec] : registry_.couplers) {
    const Joint<T>* joints[] = {&core_.tree().get_joint(spec.joint0_index),
                                &core_.tree().get_joint(spec.joint1_index)};
    ConstraintRegistry::Compiled& compiled = registry_.compiled.emplace_back();
    compiled.id = id;
    compiled.name = fmt::format("coupler of joints '{}' and '{}'",
                                joints[0]->name(), joints[1]->name());
    internal::HolonomicConstraint& c = compiled.constraint;
    c.kind = Kind::kCoupler;
    for (int i = 0; i < 2; ++i) {
      c.q[i] = joints[i]->position_start();
      c.v[i] = joints[i]->velocity_start();
    }
    c.ratio = spec.gear_ratio;
    c.offset = spec.offset;
  }
}

// Constraints between two bodies.
template <typename T>
void PlantConstraints<T>::CompileLinks() {
  const internal::MultibodyTree<T>& tree = core_.tree();
  const auto add = [&](MultibodyConstraintId id, Kind kind, const char* name,
                       BodyIndex A,
                       BodyIndex B) -> ConstraintRegistry::Compiled& {
    ConstraintRegistry::Compiled& compiled = registry_.compiled.emplace_back();
    compiled.id = id;
    compiled.name =
        fmt::format("{} between '{}' and '{}'", name,
                    tree.bodies().get(A).name(), tree.bodies().get(B).name());
    compiled.constraint.kind = kind;
    compiled.constraint.body_A = tree.model_body(A);
    compiled.constraint.body_B = tree.model_body(B);
    return compiled;
  };
  for (const auto& [id, spec] : registry_.distances) {
    auto& c = add(id, Kind::kDistance, "distance", spec.body_A, spec.body_B);
    c.constraint.X_AP.p = spec.p_AP;
    c.constraint.X_BQ.p = spec.p_BQ;
    c.constraint.distance = spec.distance;
    c.stiffness = spec.stiffness;
    c.damping = spec.damping;
  }
  for (const auto& [id, spec] : registry_.balls) {
    auto& c = add(id, Kind::kBall, "ball", spec.body_A, spec.body_B).constraint;
    c.X_AP.p = spec.p_AP;
    c.X_BQ.p = *spec.p_BQ;
  }
  for (const auto& [id, spec] : registry_.welds) {
    auto& c = add(id, Kind::kWeld, "weld", spec.body_A, spec.body_B).constraint;
    c.X_AP = {spec.X_AP.rotation().matrix(), spec.X_AP.translation()};
    c.X_BQ = {spec.X_BQ.rotation().matrix(), spec.X_BQ.translation()};
  }
}

// The two halves of a body that is cut.
template <typename T>
void PlantConstraints<T>::CompileLoops() {
  for (const auto& loop : core_.tree().loops()) {
    ConstraintRegistry::Compiled& compiled = registry_.compiled.emplace_back();
    compiled.id = MultibodyConstraintId::get_new_id();
    compiled.name =
        fmt::format("loop that joint '{}' closes", loop.joint->name());
    compiled.constraint.kind = Kind::kWeld;
    compiled.constraint.body_A = loop.primary;
    compiled.constraint.body_B = loop.shadow;
  }
}

template <typename T>
void PlantConstraints<T>::FinalizeConstraints(
    internal::MultibodyTreeSystem<T>* core) {
  FillInBallPoints();
  auto& compiled = registry_.compiled;
  compiled.clear();
  CompileCouplers();
  CompileLinks();
  std::sort(compiled.begin(), compiled.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  CompileLoops();
  registry_.num_rows = 0;
  for (ConstraintRegistry::Compiled& c : compiled) {
    c.first_row = registry_.num_rows;
    registry_.num_rows += c.constraint.num_rows();
  }
  registry_.is_active = core->DeclareElementParameter(systems::BasicVector<T>(
      VectorX<T>::Ones(static_cast<int>(compiled.size()))));
  projection_entry_ = &core->DeclarePartEntry(
      "projected state",
      systems::ValueProducer(this, internal::ProjectedState<T>(core_.model()),
                             &PlantConstraints<T>::CalcProjection),
      {core->position_ticket(), core->velocity_ticket(),
       core->all_parameters_ticket()});
}

template <typename T>
void PlantConstraints<T>::CalcProjection(
    const Context<T>& context, internal::ProjectedState<T>* state) const {
  internal::CalcProjectedState<T>(core_, context, registry_, state);
}

template <typename T>
bool PlantConstraints<T>::projects_every_step() const {
  return registry_.projection == ConstraintProjection::kEveryStep &&
         !registry_.compiled.empty();
}

template <typename T>
void PlantConstraints<T>::CalcProjectedState(const Context<T>& context,
                                             Eigen::Ref<VectorX<T>> x) const {
  const auto& projected =
      projection_entry_->template Eval<internal::ProjectedState<T>>(context);
  x.head(core_.num_q()) = projected.q;
  x.tail(core_.num_v()) = projected.v;
}

template <typename T>
void PlantConstraints<T>::ProjectOntoConstraints(Context<T>* context) const {
  core_.tree().RequireFinalized("ProjectOntoConstraints");
  core_.ValidateContext(context);
  VectorX<T> x(core_.num_q() + core_.num_v());
  CalcProjectedState(*context, x);
  core_.MutableStateVector(context) = x;
}

template <typename T>
void PlantConstraints<T>::set_constraint_stabilization_time(double s) {
  core_.tree().RequireNotFinalized("set_constraint_stabilization_time",
                                   "the stabilization time was set");
  if (!(s > 0)) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::set_constraint_stabilization_time(): {} s was given; "
        "give a positive time, infinite for no stabilization.",
        s));
  }
  registry_.stabilization_time = s;
}

template <typename T>
void PlantConstraints<T>::set_constraint_projection(
    ConstraintProjection projection) {
  core_.tree().RequireNotFinalized("set_constraint_projection",
                                   "the projection was chosen");
  if (projection != ConstraintProjection::kNone && core_.is_discrete()) {
    throw std::logic_error(
        "MultibodyPlant::set_constraint_projection(): the plant is discrete; "
        "its steps keep to the constraints by themselves. Choose kNone, or "
        "call ProjectOntoConstraints() where needed.");
  }
  registry_.projection = projection;
}

template <typename T>
int PlantConstraints<T>::num_constraint_multipliers() const {
  core_.tree().RequireFinalized("num_constraint_multipliers");
  return registry_.num_rows;
}

template <typename T>
int PlantConstraints<T>::GetConstraintMultiplierStart(
    MultibodyConstraintId id) const {
  return registry_.compiled[CompiledIndex("GetConstraintMultiplierStart", id)]
      .first_row;
}

template <typename T>
VectorX<T> PlantConstraints<T>::CalcConstraintErrors(
    const Context<T>& context) const {
  core_.tree().RequireFinalized("CalcConstraintErrors");
  core_.ValidateContext(context);
  VectorX<T> errors, velocities;
  internal::CalcConstraintRates<T>(core_, context, registry_, &errors,
                                   &velocities);
  return errors;
}

template <typename T>
VectorX<T> PlantConstraints<T>::CalcConstraintVelocities(
    const Context<T>& context) const {
  core_.tree().RequireFinalized("CalcConstraintVelocities");
  core_.ValidateContext(context);
  VectorX<T> errors, velocities;
  internal::CalcConstraintRates<T>(core_, context, registry_, &errors,
                                   &velocities);
  return velocities;
}

// Q where P is at the joints' default positions.
template <typename T>
void PlantConstraints<T>::FillInBallPoints() {
  const bool all_are_given = std::ranges::all_of(
      registry_.balls, [](const auto& b) { return b.second.p_BQ.has_value(); });
  if (all_are_given) return;
  const auto context = core_.CreateDefaultContext();
  const auto& X_WB = core_.EvalBodyPoses(*context);
  for (auto& [id, spec] : registry_.balls) {
    if (spec.p_BQ) continue;
    const Vector3<T> p_BQ =
        X_WB[spec.body_B].inverse() *
        (X_WB[spec.body_A] * spec.p_AP.template cast<T>().eval());
    spec.p_BQ = p_BQ.unaryExpr([](const T& x) { return ToDouble(x); });
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PlantConstraints);
