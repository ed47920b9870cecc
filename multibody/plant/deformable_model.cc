// Registering makes a mesh of the geometry and of that a FemModel, which has
// everything that no step changes. Finalize() declares, for each body, a
// discrete state [q; v; a] and a parameter that says whether it is enabled, and
// memory for the steppers of all bodies. The plant's step begins theirs here
// and ends them in parts/deformable_step.cc, where contact comes in; the
// plant's update copies what the step's outputs then hold.
#include "wyvern/multibody/plant/deformable_model.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/deformable/deformable_geometry.h"
#include "wyvern/geometry/proximity/point_distance.h"
#include "wyvern/multibody/fem/fem_stepper.h"
#include "wyvern/multibody/plant/parts/deformable_scratch.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/warning.h"

namespace wyvern::multibody {

using fem::internal::FemModel;
using fem::internal::FemState;
using fem::internal::FemStepper;
using fem::internal::TimeScheme;
using systems::Context;
using wyvern::internal::Caller;

namespace {

const char* const kAvailableFor = "plants of double that have a time step";

}  // namespace

template <typename T>
struct DeformableModel<T>::Body {
  DeformableBodyId id{DeformableBodyId::get_new_id()};
  DeformableBodyIndex index;
  geometry::GeometryId geometry_id;
  ModelInstanceIndex model_instance;
  std::string name;
  bool has_proximity{};
  bool has_constraint{};
  std::vector<Bond> bonds;
  // Until it is registered.
  std::unique_ptr<geometry::GeometryInstance> geometry;
  double resolution_hint{};
  std::unique_ptr<FemModel> fem;
  VectorX<T> reference;
  systems::DiscreteStateIndex state;
  systems::NumericParameterIndex enabled;
};

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
  const auto found =
      std::ranges::find(bodies_, id, [](const auto& body) { return body->id; });
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
  wyvern::internal::RequirePositive(who, "resolution_hint", resolution_hint);
  wyvern::internal::RequireIndex(who, "model_instance", model_instance,
                                 core_.tree().num_model_instances());
  const std::string& name = geometry_instance->name();
  for (const auto& body : bodies_) {
    if (body->name != name || body->model_instance != model_instance) continue;
    throw std::logic_error(fmt::format(
        "DeformableModel::{}(): a deformable body named '{}' is in the model "
        "instance already; give each a name of its own.",
        function, name));
  }
  auto body = std::make_unique<Body>();
  if constexpr (std::is_same_v<T, double>) {
    const auto make = [&] {
      try {
        return geometry::internal::MakeDeformableMesh(
            geometry_instance->shape(), resolution_hint);
      } catch (const std::exception& error) {
        const std::string message =
            fmt::format("DeformableModel::{}(): geometry '{}': {}", function,
                        name, error.what());
        // A file is at fault, or the arguments.
        if (dynamic_cast<const std::logic_error*>(&error) == nullptr) {
          throw std::runtime_error(message);
        }
        throw std::logic_error(message);
      }
    };
    geometry::VolumeMesh<double> mesh = make();
    mesh.TransformVertices(geometry_instance->pose());
    body->fem = std::make_unique<FemModel>(name, mesh, config);
    body->reference = body->fem->reference_positions();
  }
  body->index = DeformableBodyIndex(num_bodies());
  body->geometry_id = geometry_instance->id();
  body->model_instance = model_instance;
  body->name = name;
  body->has_proximity = geometry_instance->proximity_properties() != nullptr;
  body->geometry = std::move(geometry_instance);
  body->resolution_hint = resolution_hint;
  bodies_.push_back(std::move(body));
  return bodies_.back()->id;
}

template <typename T>
void DeformableModel<T>::SetWallBoundaryCondition(DeformableBodyId id,
                                                  const Vector3<T>& p_WQ,
                                                  const Vector3<T>& n_W) {
  const char* const function = "SetWallBoundaryCondition";
  RequireOpen(function);
  Body& body = FindBody(function, id);
  if constexpr (std::is_same_v<T, double>) {
    body.fem->FixBehindWall(p_WQ, n_W);
  }
}

template <typename T>
MultibodyConstraintId DeformableModel<T>::AddFixedConstraint(
    DeformableBodyId body_A_id, const RigidBody<T>& body_B,
    const math::RigidTransform<double>& X_BA, const geometry::Shape& shape_G,
    const math::RigidTransform<double>& X_BG) {
  const char* const function = "AddFixedConstraint";
  RequireOpen(function);
  Body& body = FindBody(function, body_A_id);
  core_.tree().RequireMember(body_B, function);
  const geometry::internal::CollisionShape shape =
      geometry::internal::MakeCollisionShape(shape_G);
  const math::RigidTransform<double> X_GA = X_BG.InvertAndCompose(X_BA);
  int count = 0;
  for (int v = 0; v < body.fem->num_vertices(); ++v) {
    const Vector3<double> p_AV =
        body.fem->reference_positions().template segment<3>(3 * v);
    const Vector3<double> p_GV = X_GA * p_AV;
    if (geometry::internal::CalcPointDistance<double>(shape, p_GV).distance >
        0) {
      continue;
    }
    if (body_B.index() == world_index()) {
      body.fem->FixVertex(v, X_BA * p_AV);
    } else {
      body.bonds.push_back({v, body_B.index(), X_BA * p_AV});
    }
    ++count;
  }
  if (count == 0) {
    throw std::logic_error(fmt::format(
        "DeformableModel::{}(): no vertex of deformable body '{}' is in the "
        "shape, so that nothing would be fixed; look at X_BA and X_BG.",
        function, body.name));
  }
  body.has_constraint = true;
  return MultibodyConstraintId::get_new_id();
}

template <typename T>
bool DeformableModel<T>::HasConstraint(DeformableBodyId id) const {
  return FindBody("HasConstraint", id).has_constraint;
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
  FindBody("GetExternalForces", id);
  return force_pointers_;
}

template <typename T>
void DeformableModel<T>::RegisterGeometries(
    geometry::SceneGraph<T>* scene_graph, geometry::SourceId source) {
  for (const std::unique_ptr<Body>& body : bodies_) {
    scene_graph->RegisterDeformableGeometry(
        source, geometry::SceneGraph<T>::world_frame_id(),
        std::move(body->geometry), body->resolution_hint);
    has_contact_ = has_contact_ || body->has_proximity;
  }
}

template <typename T>
void DeformableModel<T>::Finalize(
    internal::MultibodyTreeSystem<T>* core,
    const std::function<systems::DiscreteStateIndex(const VectorX<T>&)>&
        declare_state) {
  if (bodies_.empty()) return;
  internal::DeformableScratch scratch;
  for (const std::unique_ptr<Body>& body : bodies_) {
    VectorX<T> x = VectorX<T>::Zero(3 * body->reference.size());
    x.head(body->reference.size()) = body->reference;
    body->state = declare_state(x);
    body->enabled =
        core->DeclareElementParameter(systems::BasicVector<T>({T(1)}));
    // Contact and bonds are for where a step of q+ = q + dt v+ ends, as of
    // rigid bodies.
    auto& of_body = scratch.bodies.emplace_back(
        FemStepper(body->fem.get(), core->time_step(),
                   (has_contact_ && body->has_proximity) || !body->bonds.empty()
                       ? TimeScheme::ImplicitEuler()
                       : TimeScheme::Newmark(1, 0.5)),
        fem::internal::MakeDefaultState(*body->fem));
    of_body.place.assign(body->fem->num_vertices(), -1);
    if (!body->has_proximity || has_contact_) continue;
    WarnOnStderr(fmt::format(
        "Deformable body '{}' passes through everything: its plant is not the "
        "source of a SceneGraph; make both with AddMultibodyPlantSceneGraph().",
        body->name));
  }
  scratch_entry_ = &core->DeclarePartEntry(
      "scratch of deformable bodies",
      systems::ValueProducer(scratch, &systems::ValueProducer::NoopCalc),
      {core->nothing_ticket()});
}

template <typename T>
const VectorX<T>& DeformableModel<T>::StateOf(const char* function,
                                              const Context<T>& context,
                                              const Body& body) const {
  core_.tree().RequireFinalized(function);
  core_.ValidateContext(context);
  return context.get_discrete_state(body.state).value();
}

template <typename T>
Matrix3X<T> DeformableModel<T>::Part(const char* function,
                                     const Context<T>& context,
                                     DeformableBodyId id, int part) const {
  const Body& body = FindBody(function, id);
  const VectorX<T>& x = StateOf(function, context, body);
  const int n = static_cast<int>(body.reference.size());
  return Eigen::Map<const Matrix3X<T>>(x.data() + part * n, 3, n / 3);
}

template <typename T>
void DeformableModel<T>::SetPart(
    const char* function, Context<T>* context, DeformableBodyId id, int part,
    const Eigen::Ref<const Matrix3X<T>>& value) const {
  const Body& body = FindBody(function, id);
  const Caller who =
      Caller("DeformableModel", function).Of("deformable body", body.name);
  wyvern::internal::RequireNotNull(who, "context", context);
  StateOf(function, *context, body);
  const int n = static_cast<int>(body.reference.size());
  wyvern::internal::RequireSize(who, "the list of vertices", value.cols(),
                                n / 3);
  wyvern::internal::RequireFinite(who, "the value", value);
  VectorX<T> x = context->get_discrete_state(body.state).value();
  Eigen::Map<Matrix3X<T>>(x.data() + part * n, 3, n / 3) = value;
  context->SetDiscreteState(body.state, x);
}

template <typename T>
Matrix3X<T> DeformableModel<T>::GetPositions(const Context<T>& context,
                                             DeformableBodyId id) const {
  return Part("GetPositions", context, id, 0);
}

template <typename T>
Matrix3X<T> DeformableModel<T>::GetVelocities(const Context<T>& context,
                                              DeformableBodyId id) const {
  return Part("GetVelocities", context, id, 1);
}

template <typename T>
void DeformableModel<T>::SetPositions(
    Context<T>* context, DeformableBodyId id,
    const Eigen::Ref<const Matrix3X<T>>& q) const {
  SetPart("SetPositions", context, id, 0, q);
}

template <typename T>
void DeformableModel<T>::SetVelocities(
    Context<T>* context, DeformableBodyId id,
    const Eigen::Ref<const Matrix3X<T>>& v) const {
  SetPart("SetVelocities", context, id, 1, v);
}

template <typename T>
bool DeformableModel<T>::IsEnabled(const Context<T>& context,
                                   const Body& body) const {
  return context.get_numeric_parameter(body.enabled)[0] != 0;
}

template <typename T>
void DeformableModel<T>::SetEnabled(const char* function, DeformableBodyId id,
                                    bool is_enabled,
                                    Context<T>* context) const {
  const Body& body = FindBody(function, id);
  wyvern::internal::RequireNotNull(Caller("DeformableModel", function),
                                   "context", context);
  VectorX<T> x = StateOf(function, *context, body);
  if (is_enabled == IsEnabled(*context, body)) return;
  context->get_mutable_numeric_parameter(body.enabled)[0] =
      T(is_enabled ? 1 : 0);
  x.tail(2 * body.reference.size()).setZero();
  context->SetDiscreteState(body.state, x);
}

template <typename T>
void DeformableModel<T>::Disable(DeformableBodyId id,
                                 Context<T>* context) const {
  SetEnabled("Disable", id, false, context);
}

template <typename T>
void DeformableModel<T>::Enable(DeformableBodyId id,
                                Context<T>* context) const {
  SetEnabled("Enable", id, true, context);
}

template <typename T>
bool DeformableModel<T>::is_enabled(DeformableBodyId id,
                                    const Context<T>& context) const {
  const Body& body = FindBody("is_enabled", id);
  StateOf("is_enabled", context, body);
  return IsEnabled(context, body);
}

template <typename T>
systems::DiscreteStateIndex DeformableModel<T>::GetDiscreteStateIndex(
    DeformableBodyId id) const {
  const Body& body = FindBody("GetDiscreteStateIndex", id);
  core_.tree().RequireFinalized("GetDiscreteStateIndex");
  return body.state;
}

template <typename T>
const VectorX<T>& DeformableModel<T>::GetReferencePositions(
    DeformableBodyId id) const {
  return FindBody("GetReferencePositions", id).reference;
}

template <typename T>
DeformableBodyId DeformableModel<T>::GetBodyId(
    DeformableBodyIndex index) const {
  wyvern::internal::RequireIndex("DeformableModel::GetBodyId", "index", index,
                                 num_bodies());
  return bodies_[index]->id;
}

template <typename T>
DeformableBodyId DeformableModel<T>::GetBodyId(
    geometry::GeometryId geometry_id) const {
  for (const auto& body : bodies_) {
    if (body->geometry_id == geometry_id) return body->id;
  }
  throw std::logic_error(fmt::format(
      "DeformableModel::GetBodyId(): the geometry with the id {} is not that "
      "of a deformable body of this plant.",
      geometry_id.get_value()));
}

template <typename T>
DeformableBodyIndex DeformableModel<T>::GetBodyIndex(
    DeformableBodyId id) const {
  return FindBody("GetBodyIndex", id).index;
}

template <typename T>
geometry::GeometryId DeformableModel<T>::GetGeometryId(
    DeformableBodyId id) const {
  return FindBody("GetGeometryId", id).geometry_id;
}

template <typename T>
std::vector<DeformableBodyId> DeformableModel<T>::GetBodyIds(
    ModelInstanceIndex model_instance) const {
  std::vector<DeformableBodyId> ids;
  for (const auto& body : bodies_) {
    if (body->model_instance == model_instance) ids.push_back(body->id);
  }
  return ids;
}

template <typename T>
bool DeformableModel<T>::HasBodyNamed(const std::string& name) const {
  return std::ranges::any_of(
      bodies_, [&name](const auto& body) { return body->name == name; });
}

template <typename T>
int DeformableModel<T>::FindBodyOf(geometry::GeometryId id) const {
  const auto found = std::ranges::find(
      bodies_, id, [](const auto& body) { return body->geometry_id; });
  return found == bodies_.end() ? -1 : static_cast<int>((*found)->index);
}

template <typename T>
double DeformableModel<T>::CalcMass(int body) const {
  return bodies_[body]->fem->total_mass();
}

template <typename T>
const std::vector<typename DeformableModel<T>::Bond>& DeformableModel<T>::bonds(
    int body) const {
  return bodies_[body]->bonds;
}

template <typename T>
const std::vector<char>& DeformableModel<T>::fixed_vertices(int body) const {
  return bodies_[body]->fem->is_fixed();
}

template <typename T>
internal::DeformableScratch& DeformableModel<T>::scratch(
    const Context<T>& context) const {
  return scratch_entry_->get_mutable_cache_entry_value(context)
      .template GetMutableValueOrThrow<internal::DeformableScratch>();
}

template <typename T>
internal::DeformableScratch& DeformableModel<T>::BeginStep(
    const Context<T>& context) const {
  internal::DeformableScratch& result = scratch(context);
  if constexpr (std::is_same_v<T, double>) {
    const auto& gravity = core_.tree().gravity_field();
    for (const std::unique_ptr<Body>& body : bodies_) {
      auto& of_body = result.bodies[body->index];
      FemState& state = of_body.state;
      const VectorX<double>& x =
          context.get_discrete_state(body->state).value();
      const int n = static_cast<int>(body->reference.size());
      state.q = x.head(n);
      state.v = x.segment(n, n);
      state.a = x.tail(n);
      of_body.is_enabled = IsEnabled(context, *body);
      if (!of_body.is_enabled) {
        state.v.setZero();
        state.a.setZero();
        continue;
      }
      VectorX<double>& f = result.forces;
      f.setZero(n);
      if (gravity.is_enabled(body->model_instance)) {
        body->fem->AddGravity(gravity.gravity_vector(), &f);
      }
      for (const auto& field : forces_) {
        using fem::internal::DensityOf;
        body->fem->AddForceDensity(
            state.q,
            [&field, &context](const Vector3<double>& p_WQ) {
              return field->EvaluateAt(context, p_WQ);
            },
            field->density_type() == ForceDensityType::kPerCurrentVolume
                ? DensityOf::kCurrentVolume
                : DensityOf::kReferenceVolume,
            &f);
      }
      of_body.stepper.BeginStep(f, state);
    }
  }
  return result;
}

template <typename T>
void DeformableModel<T>::CopyNextStates(
    const std::vector<VectorX<T>>& next,
    systems::DiscreteValues<T>* states) const {
  for (const std::unique_ptr<Body>& body : bodies_) {
    states->get_mutable_vector(body->state).get_mutable_value() =
        next[body->index];
  }
}

template <typename T>
void DeformableModel<T>::CalcConfigurations(
    const Context<T>& context,
    geometry::GeometryConfigurationVector<T>* configurations) const {
  configurations->clear();
  if constexpr (std::is_same_v<T, double>) {
    for (const std::unique_ptr<Body>& body : bodies_) {
      const VectorX<double>& x = StateOf(
          "get_deformable_body_configuration_output_port", context, *body);
      VectorX<double>& q = scratch(context).positions;
      q = x.head(body->reference.size());
      configurations->set_value(body->geometry_id, q);
    }
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::DeformableModel);
