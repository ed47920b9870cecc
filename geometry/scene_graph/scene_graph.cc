#include "wyvern/geometry/scene_graph/scene_graph.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/shape_serialization.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/value_serialization.h"
#include "wyvern/systems/framework/context_view.h"

/* A SceneGraph is a System without equations: its model of geometries is a
parameter of the Context, poses and configurations come in by a port for each
source, and the query port shows a QueryObject. That object refers to the
Context in which it is cached, so a copy of a Context must point to the copy
(LiveQuery). Saved Contexts have the model, the poses and the configuration by
the functions that RegisterSerialization() names. */

namespace wyvern::geometry {

using systems::Context;

// The query port's value: it shows the Context that it is cached in.
template <typename T>
class SceneGraph<T>::LiveQuery final : public Value<QueryObject<T>>,
                                       public systems::internal::ContextView {
 public:
  // Saves queries of scalar type double only.
  static void Save(const QueryObject<T>& query, std::ostream* stream) {
    if constexpr (std::is_same_v<T, double>) {
      const bool is_empty =
          query.context_ == nullptr && query.snapshot_ == nullptr;
      WriteBinary(is_empty, stream);
      if (is_empty) return;
      query.model().Save(stream);
      WriteBinary(query.poses().X_PF, stream, &internal::WritePose);
      WriteBinary(
          query.poses().q_WGs, stream,
          [](const VectorX<double>& q, std::ostream* s) { WriteBinary(q, s); });
    }
  }
  static void Load(QueryObject<T>* query, std::istream* stream) {
    if constexpr (std::is_same_v<T, double>) {
      bool is_empty{};
      ReadBinary(&is_empty, stream);
      auto snapshot = std::make_shared<typename QueryObject<T>::PoseSnapshot>();
      if (!is_empty) {
        snapshot->model.Load(stream);
        snapshot->poses.Resize(snapshot->model);
        ReadBinary(&snapshot->poses.X_PF, stream, &internal::ReadPose);
        ReadBinary(&snapshot->poses.q_WGs, stream, [](std::istream* s) {
          VectorX<double> q;
          ReadBinary(&q, s);
          return q;
        });
        snapshot->poses.RequireSizes(snapshot->model);
        snapshot->poses.Update(snapshot->model);
      }
      query->set(nullptr, nullptr);
      if (!is_empty) query->snapshot_ = std::move(snapshot);
    }
  }

 private:
  std::unique_ptr<AbstractValue> CloneFor(
      const systems::ContextBase& context) const final {
    auto clone = std::make_unique<LiveQuery>();
    const SceneGraph<T>* scene_graph = this->get_value().scene_graph_;
    if (scene_graph != nullptr) {
      clone->get_mutable_value().set(&context, scene_graph);
    }
    return clone;
  }
};

namespace {

void WriteConfig(const SceneGraphConfig& config, std::ostream* stream) {
  const auto& p = config.default_proximity_properties;
  WriteBinary(p.compliance_type, stream);
  for (const auto& number :
       {p.hydroelastic_modulus, p.resolution_hint, p.slab_thickness, p.margin,
        p.dynamic_friction, p.static_friction, p.hunt_crossley_dissipation,
        p.relaxation_time, p.point_stiffness}) {
    WriteBinary(number.has_value(), stream);
    WriteBinary(number.value_or(0.0), stream);
  }
}

void ReadConfig(SceneGraphConfig* config, std::istream* stream) {
  auto& p = config->default_proximity_properties;
  ReadBinary(&p.compliance_type, stream);
  for (auto* number :
       {&p.hydroelastic_modulus, &p.resolution_hint, &p.slab_thickness,
        &p.margin, &p.dynamic_friction, &p.static_friction,
        &p.hunt_crossley_dissipation, &p.relaxation_time, &p.point_stiffness}) {
    bool has_value{};
    double value{};
    ReadBinary(&has_value, stream);
    ReadBinary(&value, stream);
    *number = has_value ? std::optional(value) : std::nullopt;
  }
}

using Poses = FramePoseVector<double>;

void WritePoses(const Poses& poses, std::ostream* stream) {
  WriteBinary(poses.ids(), stream, [&poses](FrameId id, std::ostream* s) {
    WriteId(id, s);
    internal::WritePose(poses.value(id), s);
  });
}

void ReadPoses(Poses* poses, std::istream* stream) {
  *poses = {};
  const int64_t size = wyvern::internal::ReadSize(stream);
  for (int64_t i = 0; i < size; ++i) {
    const auto id = ReadId<FrameId>(stream);
    poses->set_value(id, internal::ReadPose(stream));
  }
}

using Configurations = GeometryConfigurationVector<double>;

void WriteConfigurations(const Configurations& configurations,
                         std::ostream* stream) {
  WriteBinary(configurations.ids(), stream,
              [&configurations](GeometryId id, std::ostream* s) {
                WriteId(id, s);
                WriteBinary(configurations.value(id), s);
              });
}

void ReadConfigurations(Configurations* configurations, std::istream* stream) {
  *configurations = {};
  const int64_t size = wyvern::internal::ReadSize(stream);
  for (int64_t i = 0; i < size; ++i) {
    const auto id = ReadId<GeometryId>(stream);
    VectorX<double> q;
    ReadBinary(&q, stream);
    configurations->set_value(id, q);
  }
}

// So that a Context can be saved and resumed.
void RegisterSerialization() {
  static const bool once = [] {
    internal::RegisterShapeSerialization();
    ValueSerialization::Register<GeometryModel>(
        [](const GeometryModel& model, std::ostream* s) { model.Save(s); },
        [](GeometryModel* model, std::istream* s) { model->Load(s); });
    ValueSerialization::Register<SceneGraphConfig>(&WriteConfig, &ReadConfig);
    ValueSerialization::Register<Poses>(&WritePoses, &ReadPoses);
    ValueSerialization::Register<Configurations>(&WriteConfigurations,
                                                 &ReadConfigurations);
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

template <typename T>
SceneGraph<T>::SceneGraph(const SceneGraphConfig& config)
    : systems::LeafSystem<T>(systems::SystemTypeTag<SceneGraph>{}) {
  RegisterSerialization();
  if constexpr (std::is_same_v<T, double>) {
    static const bool once = (ValueSerialization::Register<QueryObject<double>>(
                                  &LiveQuery::Save, &LiveQuery::Load),
                              true);
    static_cast<void>(once);
  }
  set_config(config);
  model_parameter_ =
      this->DeclareAbstractParameter(Value<GeometryModel>(model_));
  config_parameter_ =
      this->DeclareAbstractParameter(Value<SceneGraphConfig>(config_));
  poses_entry_ = &this->DeclareCacheEntry(
      "poses", systems::ValueProducer(this, &SceneGraph::CalcPoses),
      {this->all_input_ports_ticket(), this->all_parameters_ticket()});
  query_port_index_ =
      this->DeclareAbstractOutputPort(
              "query", [] { return std::make_unique<LiveQuery>(); },
              [this](const Context<T>& context, AbstractValue* query) {
                query->template get_mutable_value<QueryObject<T>>().set(
                    &context, this);
              },
              {poses_entry_->ticket()})
          .get_index();
}

template <typename T>
template <typename U>
SceneGraph<T>::SceneGraph(const SceneGraph<U>& other)
    : SceneGraph(other.config_) {
  model_ = other.model_;
  for (size_t i = 1; i < model_.sources().size(); ++i) {
    DeclareSourcePorts(model_.sources()[i].name);
  }
}

template <typename T>
SceneGraph<T>::~SceneGraph() = default;

template <typename T>
void SceneGraph<T>::set_config(const SceneGraphConfig& config) {
  config.ValidateOrThrow();
  config_ = config;
}

template <typename T>
const SceneGraphConfig& SceneGraph<T>::get_config(
    const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_parameters()
      .template get_abstract_parameter<SceneGraphConfig>(config_parameter_);
}

template <typename T>
void SceneGraph<T>::SetDefaultParameters(
    const Context<T>&, systems::Parameters<T>* parameters) const {
  GeometryModel model = model_;
  model.ApplyProximityDefaults(config_.default_proximity_properties);
  parameters->template get_mutable_abstract_parameter<GeometryModel>(
      model_parameter_) = std::move(model);
  parameters->template get_mutable_abstract_parameter<SceneGraphConfig>(
      config_parameter_) = config_;
}

template <typename T>
const GeometryModel& SceneGraph<T>::model_of(const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_parameters()
      .template get_abstract_parameter<GeometryModel>(model_parameter_);
}

template <typename T>
GeometryModel& SceneGraph<T>::mutable_model_of(Context<T>* context) const {
  this->ValidateContext(context);
  return context->get_mutable_abstract_parameter(model_parameter_)
      .template get_mutable_value<GeometryModel>();
}

namespace {
// Suffixes that form the port names of a source.
constexpr char kPose[] = "_pose";
constexpr char kConfiguration[] = "_configuration";
}  // namespace

template <typename T>
void SceneGraph<T>::DeclareSourcePorts(const std::string& source_name) {
  this->DeclareAbstractInputPort(source_name + kPose,
                                 Value<FramePoseVector<T>>());
  this->DeclareAbstractInputPort(source_name + kConfiguration,
                                 Value<GeometryConfigurationVector<T>>())
      .set_optional();
}

template <typename T>
SourceId SceneGraph<T>::RegisterSource(const std::string& name) {
  this->RequireNoContexts();  // They would lack its ports.
  const SourceId id = model_.RegisterNewSource(name);
  DeclareSourcePorts(model_.source(id).name);
  return id;
}

template <typename T>
const systems::InputPort<T>& SceneGraph<T>::SourcePort(
    const char* function, SourceId id, const char* suffix) const {
  const std::string& name = model_.source(id).name;
  if (id == GeometryModel::self_source_id()) {
    throw std::logic_error(fmt::format(
        "SceneGraph::{}(): the SceneGraph itself has no such port; use a "
        "source made by RegisterSource().",
        function));
  }
  return this->GetInputPort(name + suffix);
}

template <typename T>
const systems::InputPort<T>& SceneGraph<T>::get_source_pose_port(
    SourceId id) const {
  return SourcePort("get_source_pose_port", id, kPose);
}

template <typename T>
const systems::InputPort<T>& SceneGraph<T>::get_source_configuration_port(
    SourceId id) const {
  return SourcePort("get_source_configuration_port", id, kConfiguration);
}

template <typename T>
FrameId SceneGraph<T>::RegisterFrame(SourceId source_id,
                                     const GeometryFrame& frame) {
  return model_.RegisterFrame(source_id, world_frame_id(), frame);
}

template <typename T>
FrameId SceneGraph<T>::RegisterFrame(SourceId source_id, FrameId parent_id,
                                     const GeometryFrame& frame) {
  return model_.RegisterFrame(source_id, parent_id, frame);
}

template <typename T>
void SceneGraph<T>::RenameFrame(FrameId frame_id, const std::string& name) {
  model_.RenameFrame(frame_id, name);
}

template <typename T>
GeometryId SceneGraph<T>::RegisterGeometry(
    SourceId source_id, FrameId frame_id,
    std::unique_ptr<GeometryInstance> geometry) {
  return model_.RegisterGeometry(source_id, frame_id, std::move(geometry));
}

template <typename T>
GeometryId SceneGraph<T>::RegisterGeometry(
    Context<T>* context, SourceId source_id, FrameId frame_id,
    std::unique_ptr<GeometryInstance> geometry) const {
  return mutable_model_of(context).RegisterGeometry(source_id, frame_id,
                                                    std::move(geometry));
}

template <typename T>
GeometryId SceneGraph<T>::RegisterAnchoredGeometry(
    SourceId source_id, std::unique_ptr<GeometryInstance> geometry) {
  return model_.RegisterGeometry(source_id, world_frame_id(),
                                 std::move(geometry));
}

template <typename T>
GeometryId SceneGraph<T>::RegisterDeformableGeometry(
    SourceId source_id, FrameId frame_id,
    std::unique_ptr<GeometryInstance> geometry, double resolution_hint) {
  return model_.RegisterDeformableGeometry(
      source_id, frame_id, std::move(geometry), resolution_hint);
}

template <typename T>
GeometryId SceneGraph<T>::RegisterDeformableGeometry(
    Context<T>* context, SourceId source_id, FrameId frame_id,
    std::unique_ptr<GeometryInstance> geometry, double resolution_hint) const {
  return mutable_model_of(context).RegisterDeformableGeometry(
      source_id, frame_id, std::move(geometry), resolution_hint);
}

template <typename T>
void SceneGraph<T>::RenameGeometry(GeometryId geometry_id,
                                   const std::string& name) {
  model_.RenameGeometry(geometry_id, name);
}

template <typename T>
void SceneGraph<T>::ChangeShape(
    SourceId source_id, GeometryId geometry_id, const Shape& shape,
    std::optional<math::RigidTransform<double>> X_FG) {
  model_.ChangeShape(source_id, geometry_id, shape, X_FG);
}

template <typename T>
void SceneGraph<T>::ChangeShape(
    Context<T>* context, SourceId source_id, GeometryId geometry_id,
    const Shape& shape,
    std::optional<math::RigidTransform<double>> X_FG) const {
  mutable_model_of(context).ChangeShape(source_id, geometry_id, shape, X_FG);
}

template <typename T>
void SceneGraph<T>::RemoveGeometry(SourceId source_id, GeometryId geometry_id) {
  model_.RemoveGeometry(source_id, geometry_id);
}

template <typename T>
void SceneGraph<T>::RemoveGeometry(Context<T>* context, SourceId source_id,
                                   GeometryId geometry_id) const {
  mutable_model_of(context).RemoveGeometry(source_id, geometry_id);
}

template <typename T>
void SceneGraph<T>::AssignRole(SourceId source_id, GeometryId geometry_id,
                               ProximityProperties properties,
                               RoleAssign assign) {
  model_.AssignRole(source_id, geometry_id, std::move(properties), assign);
}

template <typename T>
void SceneGraph<T>::AssignRole(SourceId source_id, GeometryId geometry_id,
                               PerceptionProperties properties,
                               RoleAssign assign) {
  model_.AssignRole(source_id, geometry_id, std::move(properties), assign);
}

template <typename T>
void SceneGraph<T>::AssignRole(SourceId source_id, GeometryId geometry_id,
                               IllustrationProperties properties,
                               RoleAssign assign) {
  model_.AssignRole(source_id, geometry_id, std::move(properties), assign);
}

template <typename T>
void SceneGraph<T>::AssignRole(Context<T>* context, SourceId source_id,
                               GeometryId geometry_id,
                               ProximityProperties properties,
                               RoleAssign assign) const {
  mutable_model_of(context).AssignRole(source_id, geometry_id,
                                       std::move(properties), assign);
}

template <typename T>
void SceneGraph<T>::AssignRole(Context<T>* context, SourceId source_id,
                               GeometryId geometry_id,
                               PerceptionProperties properties,
                               RoleAssign assign) const {
  mutable_model_of(context).AssignRole(source_id, geometry_id,
                                       std::move(properties), assign);
}

template <typename T>
void SceneGraph<T>::AssignRole(Context<T>* context, SourceId source_id,
                               GeometryId geometry_id,
                               IllustrationProperties properties,
                               RoleAssign assign) const {
  mutable_model_of(context).AssignRole(source_id, geometry_id,
                                       std::move(properties), assign);
}

template <typename T>
int SceneGraph<T>::RemoveRole(SourceId source_id, FrameId frame_id, Role role) {
  return model_.RemoveRole(source_id, frame_id, role);
}

template <typename T>
int SceneGraph<T>::RemoveRole(SourceId source_id, GeometryId geometry_id,
                              Role role) {
  return model_.RemoveRole(source_id, geometry_id, role);
}

template <typename T>
int SceneGraph<T>::RemoveRole(Context<T>* context, SourceId source_id,
                              FrameId frame_id, Role role) const {
  return mutable_model_of(context).RemoveRole(source_id, frame_id, role);
}

template <typename T>
int SceneGraph<T>::RemoveRole(Context<T>* context, SourceId source_id,
                              GeometryId geometry_id, Role role) const {
  return mutable_model_of(context).RemoveRole(source_id, geometry_id, role);
}

template <typename T>
void SceneGraph<T>::CalcPoses(const Context<T>& context,
                              internal::GeometryPoses<T>* poses) const {
  const GeometryModel& model = model_of(context);
  poses->Resize(model);
  // Two ports a source, in the order of registration.
  for (size_t i = 1; i < model.sources().size(); ++i) {
    const auto& source = model.sources()[i];
    const int first = 2 * (static_cast<int>(i) - 1);
    if (!source.frames.empty()) {
      const auto* frames =
          this->template EvalInputValue<FramePoseVector<T>>(context, first);
      if (frames == nullptr) {
        throw std::runtime_error(fmt::format(
            "SceneGraph: source '{}' has {} frames, but nothing is connected "
            "to its pose port '{}'; connect it, or fix its value.",
            source.name, source.frames.size(),
            this->get_input_port(first).get_name()));
      }
      poses->SetFramePoses(model, source, *frames);
    }
    const auto deforms = [&](int place) {
      return model.geometries()[place].source == source.id;
    };
    if (!std::ranges::any_of(model.deformable_places(), deforms)) continue;
    const auto& port = this->get_input_port(first + 1);
    if (!port.HasValue(context)) {
      throw std::runtime_error(fmt::format(
          "SceneGraph: source '{}' has geometries that deform, but nothing is "
          "connected to its configuration port '{}'; connect it, or fix its "
          "value.",
          source.name, port.get_name()));
    }
    poses->SetConfigurations(
        model, source,
        port.template Eval<GeometryConfigurationVector<T>>(context));
  }
  poses->Update(model);
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class SceneGraph);
#if WYVERN_AUTODIFF
template SceneGraph<double>::SceneGraph(const SceneGraph<AutoDiffXd>&);
template SceneGraph<AutoDiffXd>::SceneGraph(const SceneGraph<double>&);
#endif

}  // namespace wyvern::geometry
