#include "wyvern/multibody/plant/deformable_model.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/fem/fem_stepper.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/plant/step/deformable_scratch.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/warning.h"
#include "wyvern/systems/common/worker_threads.h"

/* Finalize() declares, for each body, a
discrete state [q; v; a] and a parameter that says whether it is enabled, and
memory for the steppers of all bodies. The plant's step begins theirs here
and ends them in step/deformable_step.cc, where contact comes in; the
plant's update copies what the step's outputs then hold. */

namespace wyvern::multibody {

using fem::internal::FemState;
using fem::internal::FemStepper;
using fem::internal::TimeScheme;
using systems::Context;
using wyvern::internal::Caller;

namespace {

const char* const kAvailableFor = "plants of double that have a time step";

// Weight by the plant's gravity, which the Context may change.
template <typename T>
class WeightField final : public GravityForceField<T> {
 public:
  WeightField(const UniformGravityFieldElement<T>& gravity,
              const T& mass_density)
      : GravityForceField<T>(gravity.gravity_vector().template cast<T>(),
                             mass_density),
        gravity_(gravity),
        mass_density_(mass_density) {}

 private:
  Vector3<T> DoEvaluateAt(const Context<T>& context,
                          const Vector3<T>&) const override {
    return mass_density_ * gravity_.GetGravityVector(context);
  }
  std::unique_ptr<ForceDensityFieldBase<T>> DoClone() const override {
    return std::make_unique<WeightField>(gravity_, mass_density_);
  }

  const UniformGravityFieldElement<T>& gravity_;
  const T mass_density_;
};

}  // namespace

template <typename T>
DeformableModel<T>::DeformableModel(
    const internal::MultibodyTreeSystem<T>& core)
    : core_(core) {}

template <typename T>
DeformableModel<T>::~DeformableModel() = default;

template <typename T>
void DeformableModel<T>::RequireOpen(const char* function) const {
  const bool is_double = std::is_same_v<T, double>;
  if (is_double && core_.is_discrete()) {
    core_.tree().RequireNotFinalized(function,
                                     "a deformable model was changed");
    return;
  }
  throw std::logic_error(fmt::format(
      "DeformableModel::{}(): the plant {}; deformable bodies are for {}.",
      function, is_double ? "is continuous" : "is not of double",
      kAvailableFor));
}

template <typename T>
typename DeformableModel<T>::Body& DeformableModel<T>::FindBody(
    const char* function, DeformableBodyId id) const {
  const auto found = std::ranges::find(
      bodies_, id, [](const auto& body) { return body->id_; });
  if (found != bodies_.end()) return **found;
  throw std::logic_error(fmt::format(
      "DeformableModel::{}(): no deformable body of this plant has the id {}; "
      "RegisterDeformableBody() gives ids.",
      function, id.get_value()));
}

template <typename T>
DeformableBodyId DeformableModel<T>::RegisterDeformableBody(
    std::unique_ptr<geometry::GeometryInstance> geometry_instance,
    ModelInstanceIndex model_instance,
    const fem::DeformableBodyConfig<T>& config, double resolution_hint) {
  const char* const function = "RegisterDeformableBody";
  const Caller who("DeformableModel", function);
  RequireOpen(function);
  wyvern::internal::RequireNotNull(who, "geometry_instance", geometry_instance);
  const std::string& name = geometry_instance->name();
  wyvern::internal::RequirePositive(who.Of("deformable body", name),
                                    "resolution_hint", resolution_hint);
  wyvern::internal::RequireIndex(who, "model_instance", model_instance,
                                 core_.tree().num_model_instances());
  if (HasBodyNamed(name, model_instance)) {
    throw std::logic_error(fmt::format(
        "DeformableModel::{}(): a deformable body named '{}' is in the model "
        "instance already; give each a name of its own.",
        function, name));
  }
  std::unique_ptr<Body> body(new Body(core_, &force_pointers_,
                                      std::move(geometry_instance),
                                      model_instance, config, resolution_hint));
  body->index_ = DeformableBodyIndex(num_bodies());
  if (scene_graph_ != nullptr) RegisterGeometry(body.get());
  bodies_.push_back(std::move(body));
  return bodies_.back()->id_;
}

template <typename T>
void DeformableModel<T>::SetWallBoundaryCondition(DeformableBodyId id,
                                                  const Vector3<T>& p_WQ,
                                                  const Vector3<T>& n_W) {
  const char* const function = "SetWallBoundaryCondition";
  RequireOpen(function);
  FindBody(function, id).SetWallBoundaryCondition(p_WQ, n_W);
}

template <typename T>
MultibodyConstraintId DeformableModel<T>::AddFixedConstraint(
    DeformableBodyId body_A_id, const RigidBody<T>& body_B,
    const math::RigidTransform<double>& X_BA, const geometry::Shape& shape_G,
    const math::RigidTransform<double>& X_BG) {
  const char* const function = "AddFixedConstraint";
  RequireOpen(function);
  return FindBody(function, body_A_id)
      .AddFixedConstraint(body_B, X_BA, shape_G, X_BG);
}

template <typename T>
bool DeformableModel<T>::HasConstraint(DeformableBodyId id) const {
  return FindBody("HasConstraint", id).has_fixed_constraint();
}

template <typename T>
void DeformableModel<T>::AddExternalForce(
    std::unique_ptr<ForceDensityFieldBase<T>> external_force) {
  RequireOpen("AddExternalForce");
  wyvern::internal::RequireNotNull("DeformableModel::AddExternalForce",
                                   "external_force", external_force);
  forces_.push_back(std::move(external_force));
  force_pointers_.push_back(forces_.back().get());
}

template <typename T>
const std::vector<const ForceDensityFieldBase<T>*>&
DeformableModel<T>::GetExternalForces(DeformableBodyId id) const {
  core_.tree().RequireFinalized("GetExternalForces");
  return FindBody("GetExternalForces", id).external_forces();
}

template <typename T>
const internal::DeformableRigidFixedConstraintSpec&
DeformableModel<T>::fixed_constraint_spec(MultibodyConstraintId id) const {
  for (const std::unique_ptr<Body>& body : bodies_) {
    for (const auto& spec : body->fixed_constraint_specs()) {
      if (spec.constraint_id == id) return spec;
    }
  }
  throw std::logic_error(fmt::format(
      "DeformableModel::fixed_constraint_spec(): no deformable body has a "
      "fixed "
      "constraint of id {}; use an id from AddFixedConstraint() of this model.",
      id));
}

template <typename T>
std::vector<MultibodyConstraintId> DeformableModel<T>::fixed_constraint_ids(
    DeformableBodyId id) const {
  std::vector<MultibodyConstraintId> ids;
  for (const auto& spec :
       FindBody("fixed_constraint_ids", id).fixed_constraint_specs()) {
    ids.push_back(spec.constraint_id);
  }
  return ids;
}

template <typename T>
void DeformableModel<T>::SetSceneGraph(geometry::SceneGraph<T>* scene_graph,
                                       geometry::SourceId source) {
  scene_graph_ = scene_graph;
  source_ = source;
  for (const std::unique_ptr<Body>& body : bodies_) {
    RegisterGeometry(body.get());
  }
}

template <typename T>
void DeformableModel<T>::RegisterGeometry(Body* body) {
  scene_graph_->RegisterDeformableGeometry(
      source_, geometry::SceneGraph<T>::world_frame_id(),
      std::move(body->geometry_), body->resolution_hint_);
  has_contact_ = has_contact_ || body->has_proximity_;
}

template <typename T>
void DeformableModel<T>::Finalize(
    internal::MultibodyTreeSystem<T>* core,
    const std::function<systems::DiscreteStateIndex(const VectorX<T>&)>&
        declare_state) {
  scene_graph_ = nullptr;  // It is the diagram's from here on.
  auto* const plant = static_cast<MultibodyPlant<T>*>(core);
  for (const auto& force : forces_) {
    auto* const field = dynamic_cast<ForceDensityField<T>*>(force.get());
    if (field != nullptr) field->DeclareSystemResources(plant);
  }
  if (bodies_.empty()) return;
  internal::DeformableScratch scratch;
  for (const std::unique_ptr<Body>& body : bodies_) {
    VectorX<T> x = VectorX<T>::Zero(3 * body->num_dofs());
    x.head(body->num_dofs()) = body->CalcDefaultPositions();
    body->state_ = declare_state(x);
    body->enabled_ = core->DeclareElementParameter(Value<bool>(true));
    const auto& gravity = core->tree().gravity_field();
    if (gravity.is_enabled(body->model_instance_)) {
      body->gravity_ = std::make_unique<WeightField<T>>(
          gravity, body->config_.mass_density());
      body->forces_with_gravity_ = force_pointers_;
      body->forces_with_gravity_.push_back(body->gravity_.get());
    }
    // Contact and bonds are for where a step of q+ = q + dt v+ ends, as of
    // rigid bodies.
    const bool ends_there =
        (has_contact_ && body->has_proximity_) || !body->bonds_.empty();
    auto& of_body = scratch.bodies.emplace_back(
        FemStepper(body->fem_.get(), core->time_step(),
                   ends_there ? TimeScheme::ImplicitEuler()
                              : TimeScheme::Newmark(1, 0.5)),
        fem::internal::MakeDefaultState(*body->fem_));
    of_body.place.assign(body->fem_->num_vertices(), -1);
    if (!body->has_proximity_ || has_contact_) continue;
    WarnOnStderr(fmt::format(
        "Deformable body '{}' passes through everything: its plant is not the "
        "source of a SceneGraph; make both with AddMultibodyPlantSceneGraph().",
        body->name_));
  }
  scratch_entry_ = &core->DeclarePartEntry(
      "scratch of deformable bodies",
      systems::ValueProducer(scratch, &systems::ValueProducer::NoopCalc),
      {core->nothing_ticket()});
}

template <typename T>
void DeformableModel<T>::SetDefaultState(
    systems::DiscreteValues<T>* states) const {
  for (const std::unique_ptr<Body>& body : bodies_) {
    auto x = states->get_mutable_vector(body->state_).get_mutable_value();
    x.setZero();
    x.head(body->num_dofs()) = body->CalcDefaultPositions();
  }
}

template <typename T>
Matrix3X<T> DeformableModel<T>::GetPositions(const Context<T>& context,
                                             DeformableBodyId id) const {
  return FindBody("GetPositions", id).GetPositions(context);
}

template <typename T>
Matrix3X<T> DeformableModel<T>::GetVelocities(const Context<T>& context,
                                              DeformableBodyId id) const {
  return FindBody("GetVelocities", id).GetVelocities(context);
}

template <typename T>
Matrix3X<T> DeformableModel<T>::GetPositionsAndVelocities(
    const Context<T>& context, DeformableBodyId id) const {
  return FindBody("GetPositionsAndVelocities", id)
      .GetPositionsAndVelocities(context);
}

template <typename T>
void DeformableModel<T>::SetPositions(
    Context<T>* context, DeformableBodyId id,
    const Eigen::Ref<const Matrix3X<T>>& q) const {
  return FindBody("SetPositions", id).SetPositions(context, q);
}

template <typename T>
void DeformableModel<T>::SetVelocities(
    Context<T>* context, DeformableBodyId id,
    const Eigen::Ref<const Matrix3X<T>>& v) const {
  return FindBody("SetVelocities", id).SetVelocities(context, v);
}

template <typename T>
void DeformableModel<T>::SetPositionsAndVelocities(
    Context<T>* context, DeformableBodyId id,
    const Eigen::Ref<const Matrix3X<T>>& q,
    const Eigen::Ref<const Matrix3X<T>>& v) const {
  return FindBody("SetPositionsAndVelocities", id)
      .SetPositionsAndVelocities(context, q, v);
}

template <typename T>
void DeformableModel<T>::Disable(DeformableBodyId id,
                                 Context<T>* context) const {
  return FindBody("Disable", id).Disable(context);
}

template <typename T>
void DeformableModel<T>::Enable(DeformableBodyId id,
                                Context<T>* context) const {
  return FindBody("Enable", id).Enable(context);
}

template <typename T>
bool DeformableModel<T>::is_enabled(DeformableBodyId id,
                                    const Context<T>& context) const {
  return FindBody("is_enabled", id).is_enabled(context);
}

template <typename T>
systems::DiscreteStateIndex DeformableModel<T>::GetDiscreteStateIndex(
    DeformableBodyId id) const {
  return FindBody("GetDiscreteStateIndex", id).discrete_state_index();
}

template <typename T>
systems::OutputPortIndex DeformableModel<T>::configuration_output_port_index()
    const {
  return static_cast<const MultibodyPlant<T>&>(core_)
      .get_deformable_body_configuration_output_port()
      .get_index();
}

template <typename T>
const VectorX<T>& DeformableModel<T>::GetReferencePositions(
    DeformableBodyId id) const {
  return FindBody("GetReferencePositions", id).reference_positions();
}

template <typename T>
DeformableBodyId DeformableModel<T>::GetBodyId(
    DeformableBodyIndex index) const {
  return GetBody(index).body_id();
}

template <typename T>
DeformableBodyId DeformableModel<T>::GetBodyId(
    geometry::GeometryId geometry_id) const {
  const int i = FindBodyOf(geometry_id);
  if (i >= 0) return bodies_[i]->id_;
  throw std::logic_error(fmt::format(
      "DeformableModel::GetBodyId(): the geometry with the id {} is not that "
      "of a deformable body of this plant.",
      geometry_id.get_value()));
}

template <typename T>
DeformableBodyIndex DeformableModel<T>::GetBodyIndex(
    DeformableBodyId id) const {
  return FindBody("GetBodyIndex", id).index();
}

template <typename T>
geometry::GeometryId DeformableModel<T>::GetGeometryId(
    DeformableBodyId id) const {
  return FindBody("GetGeometryId", id).geometry_id();
}

template <typename T>
std::vector<DeformableBodyId> DeformableModel<T>::GetBodyIds(
    ModelInstanceIndex model_instance) const {
  std::vector<DeformableBodyId> ids;
  for (const auto& body : bodies_) {
    if (body->model_instance_ == model_instance) ids.push_back(body->id_);
  }
  return ids;
}

template <typename T>
const DeformableBody<T>& DeformableModel<T>::GetBody(
    DeformableBodyId id) const {
  return FindBody("GetBody", id);
}

template <typename T>
const DeformableBody<T>& DeformableModel<T>::GetBody(
    DeformableBodyIndex index) const {
  wyvern::internal::RequireIndex("DeformableModel::GetBody", "index", index,
                                 num_bodies());
  return *bodies_[index];
}

template <typename T>
DeformableBody<T>& DeformableModel<T>::GetMutableBody(DeformableBodyId id) {
  return FindBody("GetMutableBody", id);
}

template <typename T>
bool DeformableModel<T>::HasBodyNamed(const std::string& name) const {
  return std::ranges::any_of(
      bodies_, [&name](const auto& body) { return body->name_ == name; });
}

template <typename T>
bool DeformableModel<T>::HasBodyNamed(const std::string& name,
                                      ModelInstanceIndex model_instance) const {
  wyvern::internal::RequireIndex("DeformableModel::HasBodyNamed",
                                 "model_instance", model_instance,
                                 core_.tree().num_model_instances());
  return std::ranges::any_of(bodies_, [&](const auto& body) {
    return body->name_ == name && body->model_instance_ == model_instance;
  });
}

// In any instance if it is null.
template <typename T>
const DeformableBody<T>& DeformableModel<T>::FindBody(
    const std::string& name, const ModelInstanceIndex* model_instance) const {
  const Body* found = nullptr;
  for (const auto& body : bodies_) {
    if (body->name_ != name) continue;
    if (model_instance != nullptr && body->model_instance_ != *model_instance) {
      continue;
    }
    if (found != nullptr) {
      throw std::logic_error(fmt::format(
          "DeformableModel::GetBodyByName(): the model instances '{}' and '{}' "
          "both have a deformable body named '{}'; say which is meant.",
          found->scoped_name().get_namespace(),
          body->scoped_name().get_namespace(), name));
    }
    found = body.get();
  }
  if (found != nullptr) return *found;
  std::string names;
  for (const auto& body : bodies_) {
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ",
                         body->scoped_name().get_full());
  }
  throw std::logic_error(fmt::format(
      "DeformableModel::GetBodyByName(): no deformable body {}is named '{}'; "
      "there {}.",
      model_instance == nullptr
          ? ""
          : fmt::format("of the model instance '{}' ",
                        core_.tree().GetModelInstanceName(*model_instance)),
      name, names.empty() ? "are none" : "are " + names));
}

template <typename T>
const DeformableBody<T>& DeformableModel<T>::GetBodyByName(
    const std::string& name) const {
  return FindBody(name, nullptr);
}

template <typename T>
const DeformableBody<T>& DeformableModel<T>::GetBodyByName(
    const std::string& name, ModelInstanceIndex model_instance) const {
  wyvern::internal::RequireIndex("DeformableModel::GetBodyByName",
                                 "model_instance", model_instance,
                                 core_.tree().num_model_instances());
  return FindBody(name, &model_instance);
}

template <typename T>
int DeformableModel<T>::FindBodyOf(geometry::GeometryId id) const {
  const auto found = std::ranges::find(
      bodies_, id, [](const auto& body) { return body->geometry_id_; });
  return found == bodies_.end() ? -1 : static_cast<int>((*found)->index_);
}

template <typename T>
void DeformableModel<T>::SetParallelism(Parallelism parallelism) {
  parallelism_ = parallelism;
  workers_.reset();
  if (parallelism.num_threads() > 1) {
    workers_ = std::make_unique<wyvern::internal::WorkerThreads>(
        parallelism.num_threads());
  }
}

template <typename T>
double DeformableModel<T>::CalcMass(int body) const {
  return bodies_[body]->fem_->total_mass();
}

template <typename T>
const std::vector<typename DeformableModel<T>::Bond>& DeformableModel<T>::bonds(
    int body) const {
  return bodies_[body]->bonds_;
}

template <typename T>
const std::vector<char>& DeformableModel<T>::fixed_vertices(int body) const {
  return bodies_[body]->fem_->is_fixed();
}

template <typename T>
internal::DeformableScratch& DeformableModel<T>::scratch(
    const Context<T>& context) const {
  return scratch_entry_->get_mutable_cache_entry_value(context)
      .template GetMutableValueOrThrow<internal::DeformableScratch>();
}

template <typename T>
internal::DeformableScratch& DeformableModel<T>::ReadStates(
    const Context<T>& context) const {
  internal::DeformableScratch& result = scratch(context);
  if constexpr (std::is_same_v<T, double>) {
    for (const std::unique_ptr<Body>& body : bodies_) {
      auto& of_body = result.bodies[body->index_];
      FemState& state = of_body.state;
      const VectorX<double>& x =
          context.get_discrete_state(body->state_).value();
      const int n = static_cast<int>(body->reference_.size());
      state.q = x.head(n);
      state.v = x.segment(n, n);
      state.a = x.tail(n);
      of_body.is_enabled = body->IsEnabled(context);
      if (of_body.is_enabled) continue;
      state.v.setZero();
      state.a.setZero();
    }
  }
  return result;
}

template <typename T>
void DeformableModel<T>::BeginSteps(const Context<T>& context) const {
  if constexpr (std::is_same_v<T, double>) {
    internal::DeformableScratch& memory = scratch(context);
    const auto& gravity = core_.tree().gravity_field();
    for (const std::unique_ptr<Body>& body : bodies_) {
      auto& of_body = memory.bodies[body->index_];
      if (!of_body.is_enabled) continue;
      const FemState& state = of_body.state;
      VectorX<double>& f = memory.forces;
      f.setZero(state.q.size());
      if (gravity.is_enabled(body->model_instance_)) {
        body->fem_->AddGravity(gravity.GetGravityVector(context), &f);
      }
      for (const auto& field : forces_) {
        using fem::internal::DensityOf;
        body->fem_->AddForceDensity(
            state.q,
            [&field, &context](const Vector3<double>& p_WQ) {
              return field->EvaluateAt(context, p_WQ);
            },
            field->density_type() == ForceDensityType::kPerCurrentVolume
                ? DensityOf::kCurrentVolume
                : DensityOf::kReferenceVolume,
            &f);
      }
      of_body.stepper.BeginStep(f, state, of_body.vertices, workers_.get());
    }
  }
}

template <typename T>
void DeformableModel<T>::CopyNextStates(
    const std::vector<VectorX<T>>& next,
    systems::DiscreteValues<T>* states) const {
  for (const std::unique_ptr<Body>& body : bodies_) {
    states->get_mutable_vector(body->state_).get_mutable_value() =
        next[body->index_];
  }
}

template <typename T>
void DeformableModel<T>::CalcConfigurations(
    const Context<T>& context,
    geometry::GeometryConfigurationVector<T>* configurations) const {
  configurations->clear();
  if constexpr (std::is_same_v<T, double>) {
    for (const std::unique_ptr<Body>& body : bodies_) {
      const VectorX<double>& x = body->StateOf(
          "get_deformable_body_configuration_output_port", context);
      VectorX<double>& q = scratch(context).positions;
      q = x.head(body->reference_.size());
      configurations->set_value(body->geometry_id_, q);
    }
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::DeformableModel);
