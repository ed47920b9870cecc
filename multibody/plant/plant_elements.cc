#include "wyvern/multibody/plant/plant_elements.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/topology/link_joint_graph.h"
#include "wyvern/systems/common/default_scalars.h"

/* Finding elements by name, by index and by model instance. All of one kind is
in one ElementCollection of the tree, so that each look-up is a template here
over the collections, with the errors of element_collection.h. Sets of bodies
(welded together, affected by some joints, free) are read off the compiled
model, whose subtrees are contiguous. */

namespace wyvern::multibody {

namespace {

// For messages of the collections: names of model instances.
template <typename T>
auto InstanceNames(const internal::MultibodyTree<T>& tree) {
  return [&tree](ModelInstanceIndex index) {
    return tree.GetModelInstanceName(index);
  };
}

// Has...Named() of one kind of element.
template <typename T, class Collection>
bool Has(const internal::MultibodyTree<T>& tree, const Collection& collection,
         std::string_view name) {
  return collection.FindUnique(name, InstanceNames(tree)) != nullptr;
}

template <typename T, class Collection>
bool Has(const internal::MultibodyTree<T>& tree, const Collection& collection,
         std::string_view name, ModelInstanceIndex instance) {
  tree.RequireModelInstance(instance, "Has...Named");
  return collection.Find(name, instance) != nullptr;
}

// Get...ByName() of one kind of element.
template <typename T, class Collection>
auto& Get(const internal::MultibodyTree<T>& tree, const Collection& collection,
          std::string_view name,
          std::optional<ModelInstanceIndex> instance = {}) {
  if (instance.has_value()) {
    tree.RequireModelInstance(*instance, "Get...ByName");
  }
  return collection.GetByName(name, instance, InstanceNames(tree));
}

// The indices of the elements that are in a model instance.
template <typename T, class Collection>
auto IndicesIn(const internal::MultibodyTree<T>& tree,
               const Collection& collection, ModelInstanceIndex instance) {
  tree.RequireModelInstance(instance, "Get...Indices");
  std::vector<std::decay_t<decltype(collection.indices().front())>> result;
  for (const auto* element : collection.elements()) {
    if (element->model_instance() == instance) {
      result.push_back(element->index());
    }
  }
  return result;
}

}  // namespace

template <typename T>
const ForceElement<T>& PlantElements<T>::get_force_element(
    ForceElementIndex force_element_index) const {
  if (!force_element_index.is_valid() ||
      force_element_index >= num_force_elements()) {
    throw std::out_of_range(fmt::format(
        "MultibodyPlant::get_force_element(): there are {} force elements, "
        "none with that index.",
        num_force_elements()));
  }
  return *core_.tree().force_elements()[force_element_index];
}

template <typename T>
void PlantElements<T>::ThrowWrongType(std::string_view function,
                                      std::string_view name) const {
  throw std::logic_error(
      fmt::format("MultibodyPlant::{}(): '{}' is not of the type asked for.",
                  function, name));
}

template <typename T>
int PlantElements<T>::num_actuators(ModelInstanceIndex model_instance) const {
  // Each has one degree of freedom.
  return static_cast<int>(
      core_.tree().instance(model_instance, "num_actuators").u.size());
}

template <typename T>
int PlantElements<T>::num_actuated_dofs() const {
  core_.tree().RequireFinalized("num_actuated_dofs");
  return core_.tree().num_actuated_dofs();
}

template <typename T>
int PlantElements<T>::num_actuated_dofs(
    ModelInstanceIndex model_instance) const {
  return static_cast<int>(
      core_.tree().instance(model_instance, "num_actuated_dofs").u.size());
}

template <typename T>
int PlantElements<T>::num_positions(ModelInstanceIndex model_instance) const {
  return static_cast<int>(
      core_.tree().instance(model_instance, "num_positions").q.size());
}

template <typename T>
int PlantElements<T>::num_velocities(ModelInstanceIndex model_instance) const {
  return static_cast<int>(
      core_.tree().instance(model_instance, "num_velocities").v.size());
}

template <typename T>
int PlantElements<T>::num_multibody_states(
    ModelInstanceIndex model_instance) const {
  const internal::InstanceIndices& indices =
      core_.tree().instance(model_instance, "num_multibody_states");
  return static_cast<int>(indices.q.size() + indices.v.size());
}

template <typename T>
bool PlantElements<T>::HasBodyNamed(std::string_view name) const {
  return Has(core_.tree(), core_.tree().bodies(), name);
}

template <typename T>
bool PlantElements<T>::HasBodyNamed(std::string_view name,
                                    ModelInstanceIndex model_instance) const {
  return Has(core_.tree(), core_.tree().bodies(), name, model_instance);
}

template <typename T>
const RigidBody<T>& PlantElements<T>::GetBodyByName(
    std::string_view name) const {
  return Get(core_.tree(), core_.tree().bodies(), name);
}

template <typename T>
const RigidBody<T>& PlantElements<T>::GetBodyByName(
    std::string_view name, ModelInstanceIndex model_instance) const {
  return Get(core_.tree(), core_.tree().bodies(), name, model_instance);
}

template <typename T>
bool PlantElements<T>::HasFrameNamed(std::string_view name) const {
  return Has(core_.tree(), core_.tree().frames(), name);
}

template <typename T>
bool PlantElements<T>::HasFrameNamed(std::string_view name,
                                     ModelInstanceIndex model_instance) const {
  return Has(core_.tree(), core_.tree().frames(), name, model_instance);
}

template <typename T>
const Frame<T>& PlantElements<T>::GetFrameByName(std::string_view name) const {
  return Get(core_.tree(), core_.tree().frames(), name);
}

template <typename T>
const Frame<T>& PlantElements<T>::GetFrameByName(
    std::string_view name, ModelInstanceIndex model_instance) const {
  return Get(core_.tree(), core_.tree().frames(), name, model_instance);
}

template <typename T>
bool PlantElements<T>::HasJointNamed(std::string_view name) const {
  return Has(core_.tree(), core_.tree().joints(), name);
}

template <typename T>
bool PlantElements<T>::HasJointNamed(std::string_view name,
                                     ModelInstanceIndex model_instance) const {
  return Has(core_.tree(), core_.tree().joints(), name, model_instance);
}

template <typename T>
const Joint<T>& PlantElements<T>::FindJointByName(
    std::string_view name,
    std::optional<ModelInstanceIndex> model_instance) const {
  return Get(core_.tree(), core_.tree().joints(), name, model_instance);
}

template <typename T>
bool PlantElements<T>::HasJointActuatorNamed(std::string_view name) const {
  return Has(core_.tree(), core_.tree().actuators(), name);
}

template <typename T>
bool PlantElements<T>::HasJointActuatorNamed(
    std::string_view name, ModelInstanceIndex model_instance) const {
  return Has(core_.tree(), core_.tree().actuators(), name, model_instance);
}

template <typename T>
const JointActuator<T>& PlantElements<T>::GetJointActuatorByName(
    std::string_view name) const {
  return Get(core_.tree(), core_.tree().actuators(), name);
}

template <typename T>
const JointActuator<T>& PlantElements<T>::GetJointActuatorByName(
    std::string_view name, ModelInstanceIndex model_instance) const {
  return Get(core_.tree(), core_.tree().actuators(), name, model_instance);
}

template <typename T>
std::vector<BodyIndex> PlantElements<T>::GetBodyIndices(
    ModelInstanceIndex model_instance) const {
  return IndicesIn(core_.tree(), core_.tree().bodies(), model_instance);
}

template <typename T>
std::vector<FrameIndex> PlantElements<T>::GetFrameIndices(
    ModelInstanceIndex model_instance) const {
  return IndicesIn(core_.tree(), core_.tree().frames(), model_instance);
}

template <typename T>
std::vector<JointIndex> PlantElements<T>::GetJointIndices(
    ModelInstanceIndex model_instance) const {
  return IndicesIn(core_.tree(), core_.tree().joints(), model_instance);
}

template <typename T>
std::vector<JointActuatorIndex> PlantElements<T>::GetJointActuatorIndices(
    ModelInstanceIndex model_instance) const {
  core_.tree().RequireFinalized("GetJointActuatorIndices");
  return IndicesIn(core_.tree(), core_.tree().actuators(), model_instance);
}

template <typename T>
std::vector<JointIndex> PlantElements<T>::GetActuatedJointIndices(
    ModelInstanceIndex model_instance) const {
  core_.tree().RequireFinalized("GetActuatedJointIndices");
  std::vector<JointIndex> result;
  for (JointActuatorIndex index : GetJointActuatorIndices(model_instance)) {
    for (const Joint<T>* joint : get_joint_actuator(index).FindJoints()) {
      if (std::ranges::count(result, joint->index()) > 0) continue;
      result.push_back(joint->index());
    }
  }
  return result;
}

template <typename T>
std::vector<JointIndex> PlantElements<T>::GetLoopJoints() const {
  core_.tree().RequireFinalized("GetLoopJoints");
  std::vector<JointIndex> result;
  for (const auto& loop : core_.tree().loops()) {
    result.push_back(loop.joint->index());
  }
  return result;
}

template <typename T>
bool PlantElements<T>::IsAnchored(const RigidBody<T>& body) const {
  const dynamics::Model& m = structure("IsAnchored");
  core_.tree().RequireMember(body, "IsAnchored");
  return m.bodies[core_.tree().model_body(body.index())].node == 0;
}

template <typename T>
std::vector<const RigidBody<T>*> PlantElements<T>::GetBodiesWeldedTo(
    const RigidBody<T>& body) const {
  core_.tree().RequireMember(body, "GetBodiesWeldedTo");
  std::vector<const RigidBody<T>*> result;
  for (const std::set<BodyIndex>& welded : FindSubgraphsOfWeldedBodies()) {
    if (!welded.contains(body.index())) continue;
    for (BodyIndex index : welded) result.push_back(&get_body(index));
  }
  return result;
}

template <typename T>
std::vector<std::set<BodyIndex>> PlantElements<T>::FindSubgraphsOfWeldedBodies()
    const {
  // Every body refers to one that it is welded to with a lesser index, or to
  // itself: by these steps all of a set lead to its least.
  std::vector<int> next(num_bodies());
  std::iota(next.begin(), next.end(), 0);
  const auto least = [&next](int body) {
    while (next[body] != body) body = next[body] = next[next[body]];
    return body;
  };
  for (const Joint<T>* joint : core_.tree().joints().elements()) {
    if (joint->mobilizer_type() != dynamics::MobilizerType::kWeld) continue;
    const int parent = least(joint->parent_body().index());
    const int child = least(joint->child_body().index());
    next[std::max(parent, child)] = std::min(parent, child);
  }
  std::vector<std::set<BodyIndex>> result;
  std::vector<int> set_of_least(num_bodies(), -1);
  for (BodyIndex body(0); body < num_bodies(); ++body) {
    int& set = set_of_least[least(body)];
    if (set < 0) {
      set = static_cast<int>(result.size());
      result.emplace_back();
    }
    result[set].insert(body);
  }
  return result;
}

template <typename T>
std::vector<BodyIndex> PlantElements<T>::GetBodiesKinematicallyAffectedBy(
    const std::vector<JointIndex>& joint_indexes) const {
  const dynamics::Model& m = structure("GetBodiesKinematicallyAffectedBy");
  std::vector<BodyIndex> result;
  for (JointIndex index : joint_indexes) {
    const Joint<T>& joint = get_joint(index);
    if (joint.num_velocities() == 0) {
      throw std::logic_error(fmt::format(
          "MultibodyPlant::GetBodiesKinematicallyAffectedBy(): joint '{}' is a "
          "weld, which moves nothing.",
          joint.name()));
    }
    for (int b = 1; b < m.num_bodies(); ++b) {
      if (core_.tree().inboard_joints()[b] != &joint) continue;
      for (int i = b; i < m.bodies[b].subtree_end; ++i) {
        result.push_back(BodyIndex(m.bodies[i].link));
      }
    }
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

template <typename T>
std::unordered_set<BodyIndex> PlantElements<T>::GetFloatingBaseBodies() const {
  core_.tree().RequireFinalized("GetFloatingBaseBodies");
  std::unordered_set<BodyIndex> result;
  for (const RigidBody<T>* body : core_.tree().bodies().elements()) {
    if (body->is_floating()) result.insert(body->index());
  }
  return result;
}

namespace {

// The only body of a model instance that a joint ties to the world, if it is a
// floating one; otherwise null.
template <typename T>
const RigidBody<T>* FindUniqueFreeBaseBody(
    const internal::MultibodyTree<T>& tree, ModelInstanceIndex model_instance) {
  const RigidBody<T>& world = tree.world_body();
  const RigidBody<T>* base = nullptr;
  for (const RigidBody<T>* body : tree.bodies().elements()) {
    if (body == &world || body->model_instance() != model_instance) continue;
    const Joint<T>& joint =
        *tree.FindInboardJoint(body->index(), "HasUniqueFreeBaseBody");
    if (&joint.parent_body() != &world && &joint.child_body() != &world) {
      continue;
    }
    if (base != nullptr) return nullptr;
    base = body;
  }
  return base != nullptr && base->is_floating() ? base : nullptr;
}

}  // namespace

template <typename T>
bool PlantElements<T>::HasUniqueFreeBaseBody(
    ModelInstanceIndex model_instance) const {
  core_.tree().RequireFinalized("HasUniqueFreeBaseBody");
  core_.tree().instance(model_instance, "HasUniqueFreeBaseBody");
  return FindUniqueFreeBaseBody(core_.tree(), model_instance) != nullptr;
}

template <typename T>
const RigidBody<T>& PlantElements<T>::GetUniqueFreeBaseBodyOrThrow(
    ModelInstanceIndex model_instance) const {
  core_.tree().RequireFinalized("GetUniqueFreeBaseBodyOrThrow");
  core_.tree().instance(model_instance, "GetUniqueFreeBaseBodyOrThrow");
  const RigidBody<T>* result =
      FindUniqueFreeBaseBody(core_.tree(), model_instance);
  if (result == nullptr) {
    throw std::logic_error(fmt::format(
        "MultibodyPlant::GetUniqueFreeBaseBodyOrThrow(): model instance '{}' "
        "must have just one body with a joint to the world, and that joint six "
        "degrees of freedom.",
        GetModelInstanceName(model_instance)));
  }
  return *result;
}

template <typename T>
std::string PlantElements<T>::GetTopologyGraphvizString() const {
  std::string dot = "digraph MultibodyPlant {\nrankdir=BT;\n";
  for (ModelInstanceIndex i(0); i < num_model_instances(); ++i) {
    dot += fmt::format("subgraph cluster{} {{\n label=\"{}\";\n",
                       static_cast<int>(i), GetModelInstanceName(i));
    for (BodyIndex index : GetBodyIndices(i)) {
      dot += fmt::format(" body{} [label=\"{}\"];\n", static_cast<int>(index),
                         get_body(index).name());
    }
    dot += "}\n";
  }
  for (const Joint<T>* joint : core_.tree().joints().elements()) {
    dot += fmt::format("body{} -> body{} [label=\"{} [{}]\"];\n",
                       static_cast<int>(joint->child_body().index()),
                       static_cast<int>(joint->parent_body().index()),
                       joint->name(), joint->type_name());
  }
  return dot + "}\n";
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::PlantElements);
