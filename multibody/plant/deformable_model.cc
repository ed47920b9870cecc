// Registering makes a mesh of the geometry and of that a FemModel, which has
// everything that no step changes. Finalize() declares, for each body, a
// discrete state [q; v; a] and a parameter that says whether it is enabled, and
// one cache entry with the steppers of all bodies: it computes all next states
// from one Context, which the plant's update then copies. Bodies do not act on
// each other, nor on rigid ones.
#include "wyvern/multibody/plant/deformable_model.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/meshes/mesh_files.h"
#include "wyvern/geometry/meshes/shape_meshes.h"
#include "wyvern/geometry/proximity/point_distance.h"
#include "wyvern/multibody/fem/fem_stepper.h"
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

// The tetrahedra of a geometry, in the world.
geometry::VolumeMesh<double> MakeMesh(const geometry::GeometryInstance& given,
                                      double resolution_hint) {
  namespace maker = geometry::internal;
  const geometry::Shape& shape = given.shape();
  const auto make = [&shape, &given, resolution_hint] {
    if (const auto* box = dynamic_cast<const geometry::Box*>(&shape)) {
      return maker::MakeBoxVolumeMesh(*box, resolution_hint);
    }
    if (const auto* ball = dynamic_cast<const geometry::Sphere*>(&shape)) {
      return maker::MakeSphereVolumeMesh(*ball, resolution_hint);
    }
    const auto* mesh = dynamic_cast<const geometry::Mesh*>(&shape);
    if (mesh != nullptr && mesh->extension() == ".vtk") {
      return maker::ReadVtkToVolumeMesh(mesh->source(), mesh->scale());
    }
    throw std::logic_error(fmt::format(
        "DeformableModel::RegisterDeformableBody(): geometry '{}' is a {}; "
        "deformable bodies are boxes, spheres and meshes of .vtk files with "
        "tetrahedra.",
        given.name(), shape.type_name()));
  };
  geometry::VolumeMesh<double> mesh = make();
  mesh.TransformVertices(given.pose());
  return mesh;
}

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
  std::unique_ptr<FemModel> fem;
  VectorX<T> reference;
  systems::DiscreteStateIndex state;
  systems::NumericParameterIndex enabled;
};

// The next states, and what they are computed with.
template <typename T>
struct DeformableModel<T>::Steps {
  std::vector<FemStepper> steppers;
  std::vector<FemState> states;
  VectorX<double> forces;
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
    body->fem = std::make_unique<FemModel>(
        name, MakeMesh(*geometry_instance, resolution_hint), config);
    body->reference = body->fem->reference_positions();
  }
  body->index = DeformableBodyIndex(num_bodies());
  body->geometry_id = geometry_instance->id();
  body->model_instance = model_instance;
  body->name = name;
  body->has_proximity = geometry_instance->proximity_properties() != nullptr;
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
  if (&body_B != &core_.tree().bodies().get(world_index())) {
    throw std::logic_error(fmt::format(
        "DeformableModel::{}(): deformable body '{}' was to be fixed to body "
        "'{}'; constraints to bodies other than the world are not available "
        "yet.",
        function, body.name, body_B.name()));
  }
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
    body.fem->FixVertex(v, X_BA * p_AV);
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
void DeformableModel<T>::Finalize(
    internal::MultibodyTreeSystem<T>* core,
    const std::function<systems::DiscreteStateIndex(const VectorX<T>&)>&
        declare_state) {
  if (bodies_.empty()) return;
  Steps steps;
  for (const std::unique_ptr<Body>& body : bodies_) {
    VectorX<T> x = VectorX<T>::Zero(3 * body->reference.size());
    x.head(body->reference.size()) = body->reference;
    body->state = declare_state(x);
    body->enabled =
        core->DeclareElementParameter(systems::BasicVector<T>({T(1)}));
    steps.steppers.emplace_back(body->fem.get(), core->time_step(),
                                TimeScheme::Newmark(1, 0.5));
    steps.states.push_back(fem::internal::MakeDefaultState(*body->fem));
    if (!body->has_proximity) continue;
    WarnOnStderr(fmt::format(
        "Deformable body '{}' passes through everything: contact of deformable "
        "bodies is not available yet.",
        body->name));
  }
  steps_entry_ = &core->DeclarePartEntry(
      "deformable bodies after a step",
      systems::ValueProducer(this, steps, &DeformableModel<T>::CalcSteps),
      {core->all_sources_ticket()});
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
void DeformableModel<T>::CalcSteps(const Context<T>& context,
                                   Steps* steps) const {
  if constexpr (std::is_same_v<T, double>) {
    const auto& gravity = core_.tree().gravity_field();
    for (const std::unique_ptr<Body>& body : bodies_) {
      FemState& state = steps->states[body->index];
      const VectorX<double>& x =
          context.get_discrete_state(body->state).value();
      const int n = static_cast<int>(body->reference.size());
      state.q = x.head(n);
      state.v = x.segment(n, n);
      state.a = x.tail(n);
      if (!IsEnabled(context, *body)) {
        state.v.setZero();
        state.a.setZero();
        continue;
      }
      VectorX<double>& f = steps->forces;
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
      steps->steppers[body->index].Step(f, &state);
    }
  }
}

template <typename T>
void DeformableModel<T>::CalcNextStates(
    const Context<T>& context, systems::DiscreteValues<T>* states) const {
  if (bodies_.empty()) return;
  if constexpr (std::is_same_v<T, double>) {
    const Steps& steps = steps_entry_->template Eval<Steps>(context);
    for (const std::unique_ptr<Body>& body : bodies_) {
      const FemState& state = steps.states[body->index];
      auto x = states->get_mutable_vector(body->state).get_mutable_value();
      x << state.q, state.v, state.a;
    }
  }
}

template <typename T>
void DeformableModel<T>::CalcConfigurations(
    const Context<T>& context,
    geometry::GeometryConfigurationVector<T>* configurations) const {
  configurations->clear();
  for (const std::unique_ptr<Body>& body : bodies_) {
    const VectorX<T>& x = StateOf(
        "get_deformable_body_configuration_output_port", context, *body);
    configurations->set_value(body->geometry_id,
                              x.head(body->reference.size()));
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::DeformableModel);
