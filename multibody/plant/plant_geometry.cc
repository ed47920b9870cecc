#include "wyvern/multibody/plant/plant_geometry.h"

#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/plant/parts/surface_material.h"
#include "wyvern/multibody/tree/scoped_name.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/warning.h"

/* Bodies' geometry in a SceneGraph. A body gets a frame there, geometries are
fixed to it, and the plant keeps which FrameId is which BodyIndex. Finalize()
filters the collisions of bodies that are welded together, and if asked for
of those that a joint connects, and warns of contact properties that the
chosen model does not read. */

namespace wyvern::multibody {

using geometry::CollisionFilterDeclaration;
using geometry::CollisionFilterScope;
using geometry::FrameId;
using geometry::GeometryId;
using geometry::GeometryInstance;
using geometry::GeometrySet;
using systems::Context;

template <typename T>
geometry::SourceId PlantGeometry<T>::RegisterAsSourceForSceneGraph(
    geometry::SceneGraph<T>* scene_graph) {
  core_.tree().RequireNotFinalized("RegisterAsSourceForSceneGraph",
                                   "a SceneGraph was given");
  wyvern::internal::RequireNotNull(
      "MultibodyPlant::RegisterAsSourceForSceneGraph", "the SceneGraph",
      scene_graph, "give one");
  if (binding_.source) {
    throw std::logic_error(
        "MultibodyPlant::RegisterAsSourceForSceneGraph(): the plant already "
        "has a SceneGraph; call this once.");
  }
  binding_.source = scene_graph->RegisterSource(core_.get_name());
  scene_graph_ = scene_graph;
  const FrameId world = geometry::SceneGraph<T>::world_frame_id();
  binding_.frame_of_body[world_index()] = world;
  binding_.body_of_frame[world] = world_index();
  for (const RigidBody<T>* body : core_.tree().bodies().elements()) {
    RegisterFrame(*body);
  }
  deformables_.SetSceneGraph(scene_graph, *binding_.source);
  return *binding_.source;
}

template <typename T>
geometry::SceneGraph<T>* PlantGeometry<T>::GetMutableSceneGraphPreFinalize() {
  RequireCanRegister("GetMutableSceneGraphPreFinalize",
                     "the SceneGraph was asked for");
  return scene_graph_;
}

template <typename T>
void PlantGeometry<T>::RequireCanRegister(const char* function,
                                          const char* what) const {
  core_.tree().RequireNotFinalized(function, what);
  if (scene_graph_ != nullptr) return;
  throw std::logic_error(
      fmt::format("MultibodyPlant::{}(): the plant has no SceneGraph; call "
                  "RegisterAsSourceForSceneGraph() first, or make it with "
                  "AddMultibodyPlantSceneGraph().",
                  function));
}

template <typename T>
std::string PlantGeometry<T>::ScopedNameOf(ModelInstanceIndex model_instance,
                                           const std::string& name) const {
  if (model_instance == world_model_instance() ||
      model_instance == default_model_instance()) {
    return name;
  }
  return ScopedName::Join(core_.tree().GetModelInstanceName(model_instance),
                          name)
      .to_string();
}

template <typename T>
void PlantGeometry<T>::RegisterFrame(const RigidBody<T>& body) {
  if (scene_graph_ == nullptr) return;
  if (binding_.frame_of_body.contains(body.index())) return;
  const FrameId frame = scene_graph_->RegisterFrame(
      *binding_.source,
      geometry::GeometryFrame(ScopedNameOf(body.model_instance(), body.name()),
                              static_cast<int>(body.model_instance())));
  binding_.frame_of_body[body.index()] = frame;
  binding_.body_of_frame[frame] = body.index();
}

// Renames geometries, unless they were given another name since then.
template <typename T>
void PlantGeometry<T>::RenameGeometry(ModelInstanceIndex model_instance,
                                      const std::string& old_name) {
  if (scene_graph_ == nullptr) return;
  const auto& inspector = scene_graph_->model_inspector();
  const std::string prefix = old_name + "::";
  const std::string& new_name =
      core_.tree().GetModelInstanceName(model_instance);
  const auto rename = [&](const std::string& name, const auto& set_name) {
    if (!name.starts_with(prefix)) return;
    set_name(fmt::format("{}::{}", new_name, name.substr(prefix.size())));
  };
  for (const RigidBody<T>* body : core_.tree().bodies().elements()) {
    if (body->model_instance() != model_instance) continue;
    const FrameId frame = binding_.frame_of_body.at(body->index());
    if (body->index() != world_index()) {
      rename(inspector.GetName(frame), [&](const std::string& name) {
        scene_graph_->RenameFrame(frame, name);
      });
    }
    for (const auto* geometries : {&GetVisualGeometriesForBody(*body),
                                   &GetCollisionGeometriesForBody(*body)}) {
      for (const GeometryId geometry : *geometries) {
        rename(inspector.GetName(geometry), [&](const std::string& name) {
          scene_graph_->RenameGeometry(geometry, name);
        });
      }
    }
  }
}

template <typename T>
GeometryId PlantGeometry<T>::RegisterGeometry(
    const char* function, const RigidBody<T>& body,
    std::unique_ptr<GeometryInstance> instance) {
  core_.tree().RequireMember(body, function);
  RegisterFrame(body);
  instance->set_name(ScopedNameOf(body.model_instance(), instance->name()));
  const std::size_t size = body.index() + 1;
  if (binding_.visual_of_body.size() < size) {
    binding_.visual_of_body.resize(size);
    binding_.collision_of_body.resize(size);
  }
  return scene_graph_->RegisterGeometry(*binding_.source,
                                        binding_.frame_of_body.at(body.index()),
                                        std::move(instance));
}

template <typename T>
GeometryId PlantGeometry<T>::RegisterVisualGeometry(
    const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
    const geometry::Shape& shape, const std::string& name,
    const geometry::IllustrationProperties& properties) {
  RequireCanRegister("RegisterVisualGeometry",
                     "visual geometry was registered");
  auto instance = std::make_unique<GeometryInstance>(X_BG, shape, name);
  instance->set_illustration_properties(properties);
  instance->set_perception_properties(
      geometry::PerceptionProperties(properties));
  return RegisterVisualGeometry(body, std::move(instance));
}

template <typename T>
GeometryId PlantGeometry<T>::RegisterVisualGeometry(
    const RigidBody<T>& body,
    std::unique_ptr<GeometryInstance> geometry_instance) {
  const char* const function = "RegisterVisualGeometry";
  RequireCanRegister(function, "visual geometry was registered");
  wyvern::internal::RequireNotNull(
      wyvern::internal::Caller("MultibodyPlant::RegisterVisualGeometry")
          .Of("body", body.name()),
      "the geometry", geometry_instance, "pass one");
  const GeometryId id =
      RegisterGeometry(function, body, std::move(geometry_instance));
  binding_.visual_of_body[body.index()].push_back(id);
  ++binding_.num_visual;
  return id;
}

template <typename T>
GeometryId PlantGeometry<T>::RegisterVisualGeometry(
    const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
    const geometry::Shape& shape, const std::string& name,
    const Vector4<double>& diffuse_color) {
  return RegisterVisualGeometry(
      body, X_BG, shape, name,
      geometry::MakePhongIllustrationProperties(diffuse_color));
}

template <typename T>
GeometryId PlantGeometry<T>::RegisterVisualGeometry(
    const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
    const geometry::Shape& shape, const std::string& name) {
  return RegisterVisualGeometry(body, X_BG, shape, name,
                                geometry::IllustrationProperties());
}

template <typename T>
GeometryId PlantGeometry<T>::RegisterCollisionGeometry(
    const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
    const geometry::Shape& shape, const std::string& name,
    geometry::ProximityProperties properties) {
  const char* const function = "RegisterCollisionGeometry";
  RequireCanRegister(function, "collision geometry was registered");
  internal::ReadSurfaceMaterial(properties, config_, name);
  auto instance = std::make_unique<GeometryInstance>(X_BG, shape, name);
  instance->set_proximity_properties(std::move(properties));
  const GeometryId id = RegisterGeometry(function, body, std::move(instance));
  binding_.collision_of_body[body.index()].push_back(id);
  binding_.body_of_collision[id] = body.index();
  return id;
}

template <typename T>
GeometryId PlantGeometry<T>::RegisterCollisionGeometry(
    const RigidBody<T>& body, const math::RigidTransform<double>& X_BG,
    const geometry::Shape& shape, const std::string& name,
    const CoulombFriction<double>& coulomb_friction) {
  geometry::ProximityProperties properties;
  geometry::AddContactMaterial({}, {}, coulomb_friction, &properties);
  return RegisterCollisionGeometry(body, X_BG, shape, name,
                                   std::move(properties));
}

template <typename T>
void PlantGeometry<T>::ExcludeCollisionGeometriesWithCollisionFilterGroupPair(
    const std::pair<std::string, GeometrySet>& collision_filter_group_a,
    const std::pair<std::string, GeometrySet>& collision_filter_group_b) {
  RequireCanRegister("ExcludeCollisionGeometriesWithCollisionFilterGroupPair",
                     "collision filters were set");
  CollisionFilterDeclaration declaration;
  if (collision_filter_group_a.first == collision_filter_group_b.first) {
    declaration.ExcludeWithin(collision_filter_group_a.second);
  } else {
    declaration.ExcludeBetween(collision_filter_group_a.second,
                               collision_filter_group_b.second);
  }
  scene_graph_->collision_filter_manager().Apply(declaration);
}

namespace {

const std::vector<GeometryId>& OfBody(
    const std::vector<std::vector<GeometryId>>& geometries, BodyIndex body) {
  static const std::vector<GeometryId> none;
  return body < static_cast<int>(geometries.size()) ? geometries[body] : none;
}

}  // namespace

template <typename T>
const std::vector<GeometryId>& PlantGeometry<T>::GetVisualGeometriesForBody(
    const RigidBody<T>& body) const {
  core_.tree().RequireMember(body, "GetVisualGeometriesForBody");
  return OfBody(binding_.visual_of_body, body.index());
}

template <typename T>
const std::vector<GeometryId>& PlantGeometry<T>::GetCollisionGeometriesForBody(
    const RigidBody<T>& body) const {
  core_.tree().RequireMember(body, "GetCollisionGeometriesForBody");
  return OfBody(binding_.collision_of_body, body.index());
}

template <typename T>
GeometrySet PlantGeometry<T>::CollectRegisteredGeometries(
    const std::vector<const RigidBody<T>*>& bodies) const {
  if (!binding_.source) {
    throw std::logic_error(
        "MultibodyPlant::CollectRegisteredGeometries(): the plant has no "
        "SceneGraph; call RegisterAsSourceForSceneGraph() first.");
  }
  GeometrySet set;
  for (const RigidBody<T>* body : bodies) {
    const auto it = binding_.frame_of_body.find(body->index());
    if (it != binding_.frame_of_body.end()) set.Add(it->second);
  }
  return set;
}

template <typename T>
const RigidBody<T>* PlantGeometry<T>::GetBodyFromFrameId(
    FrameId frame_id) const {
  const auto it = binding_.body_of_frame.find(frame_id);
  if (it == binding_.body_of_frame.end()) return nullptr;
  return &core_.tree().bodies().get(it->second);
}

template <typename T>
std::optional<FrameId> PlantGeometry<T>::GetBodyFrameIdIfExists(
    BodyIndex body_index) const {
  const auto it = binding_.frame_of_body.find(body_index);
  if (it == binding_.frame_of_body.end()) return {};
  return it->second;
}

template <typename T>
FrameId PlantGeometry<T>::GetBodyFrameIdOrThrow(BodyIndex body_index) const {
  const auto frame = GetBodyFrameIdIfExists(body_index);
  if (frame) return *frame;
  throw std::logic_error(fmt::format(
      "MultibodyPlant::GetBodyFrameIdOrThrow(): body '{}' has no frame in a "
      "SceneGraph; call RegisterAsSourceForSceneGraph() first, or make the "
      "plant with AddMultibodyPlantSceneGraph().",
      core_.tree().bodies().get(body_index).name()));
}

template <typename T>
const geometry::SceneGraphInspector<T>&
PlantGeometry<T>::EvalSceneGraphInspector(const Context<T>& context) const {
  core_.tree().RequireFinalized("EvalSceneGraphInspector");
  core_.ValidateContext(context);
  const auto& port = core_.get_input_port(ports_.input("geometry_query"));
  if (!port.HasValue(context)) {
    throw std::logic_error(
        "MultibodyPlant::EvalSceneGraphInspector(): the input port "
        "'geometry_query' is not connected; connect it to "
        "SceneGraph::get_query_output_port().");
  }
  return port.template Eval<geometry::QueryObject<T>>(context).inspector();
}

namespace {

// A line on stderr for each kind of property that has no effect.
template <typename T>
void ReportUnusedProperties(const geometry::SceneGraph<T>& scene_graph,
                            const internal::GeometryBinding& binding,
                            const internal::ContactConfig& config,
                            const internal::MultibodyTreeSystem<T>& core) {
  struct Finding {
    std::string first;
    int count{0};
  };
  std::map<std::string, Finding> findings;
  const auto& inspector = scene_graph.model_inspector();
  for (const auto& geometries : binding.collision_of_body) {
    for (const GeometryId id : geometries) {
      const auto* properties = inspector.GetProximityProperties(id);
      if (properties == nullptr) continue;
      for (const std::string& what : internal::FindUnusedProperties(
               *properties, config, core.is_discrete())) {
        Finding& finding = findings[what];
        if (finding.count++ == 0) finding.first = inspector.GetName(id);
      }
    }
  }
  for (const auto& [what, finding] : findings) {
    WarnOnStderr(
        fmt::format("MultibodyPlant '{}': {} collision geometries, '{}' first, "
                    "have a property that is not used: {}.",
                    core.get_name(), finding.count, finding.first, what));
  }
}

}  // namespace

template <typename T>
void PlantGeometry<T>::FinalizeGeometry() {
  const std::size_t num_bodies = core_.tree().num_bodies();
  binding_.visual_of_body.resize(num_bodies);
  binding_.collision_of_body.resize(num_bodies);
  if (scene_graph_ == nullptr) return;
  for (const RigidBody<T>* body : core_.tree().bodies().elements()) {
    RegisterFrame(*body);
  }
  FilterWeldedBodies();
  if (config_.filters_adjacent_bodies) FilterAdjacentBodies();
  ReportUnusedProperties<T>(*scene_graph_, binding_, config_, core_);
  scene_graph_ = nullptr;  // It is the diagram's from here on.
}

// Bodies of one node of the engine are welded to each other.
template <typename T>
void PlantGeometry<T>::FilterWeldedBodies() {
  std::map<int, GeometrySet> welded;
  std::map<int, int> size;
  for (const RigidBody<T>* body : core_.tree().bodies().elements()) {
    const dynamics::NodeIndex node =
        core_.model().bodies[core_.tree().model_body(body->index())].node;
    welded[node].Add(binding_.frame_of_body[body->index()]);
    ++size[node];
  }
  for (const auto& [node, set] : welded) {
    if (size[node] < 2) continue;
    scene_graph_->collision_filter_manager().Apply(
        CollisionFilterDeclaration(CollisionFilterScope::kOmitDeformable)
            .ExcludeWithin(set));
  }
}

template <typename T>
void PlantGeometry<T>::FilterAdjacentBodies() {
  for (const Joint<T>* joint : core_.tree().joints().elements()) {
    const RigidBody<T>& parent = joint->parent_body();
    const RigidBody<T>& child = joint->child_body();
    if (parent.index() == world_index() || child.index() == world_index()) {
      continue;
    }
    scene_graph_->collision_filter_manager().Apply(
        CollisionFilterDeclaration().ExcludeBetween(
            GeometrySet(binding_.frame_of_body[parent.index()]),
            GeometrySet(binding_.frame_of_body[child.index()])));
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantGeometry);
