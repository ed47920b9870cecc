/* The tree is a face of the plant's core (StandaloneSystem): bodies and frames
are the core's own elements, and each mobilizer adds the joint that moves as it
does. Finalize() adds floating mobilizers where a body hangs on nothing, lets
the core compile, and writes down the topology in the words of this tree. Loops
and second mobilizers between two bodies are errors here, not in the core, which
can have both. */

#include "wyvern/multibody/standalone/standalone_tree.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <typeinfo>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wyvern/multibody/standalone/body_node.h"
#include "wyvern/multibody/standalone/quaternion_floating_mobilizer.h"
#include "wyvern/multibody/standalone/standalone_system.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

using internal::Deref;
using systems::Context;

namespace {

// Documented error for a Context of another kind, with a message.
class BadTreeContext final : public std::bad_cast {
 public:
  const char* what() const noexcept override {
    return "MultibodyTree: the Context given is not a MultibodyTreeContext; "
           "use one that MultibodyTree::CreateDefaultContext() made.";
  }
};

template <typename T>
dynamics::LinkJointGraph MakeGraph(
    int num_bodies, const std::vector<std::unique_ptr<Mobilizer<T>>>& list) {
  dynamics::LinkJointGraph graph;
  for (int body = 1; body < num_bodies; ++body) graph.AddLink();
  for (const auto& mobilizer : list) {
    graph.AddJoint(mobilizer->inboard_body().index(),
                   mobilizer->outboard_body().index());
  }
  return graph;
}

}  // namespace

template <typename T>
MultibodyTree<T>::MultibodyTree()
    : system_(std::make_unique<internal::StandaloneSystem<T>>()) {
  system_->mutable_tree().AddWorldAndGravity();
}

template <typename T>
MultibodyTree<T>::~MultibodyTree() = default;

template <typename T>
const RigidBody<T>& MultibodyTree<T>::AdoptBody(
    std::unique_ptr<RigidBody<T>> body) {
  internal::MultibodyTree<T>& core = system_->mutable_tree();
  Deref(body.get(), "MultibodyTree::AddBody");
  core.RequireNotFinalized("AddBody",
                           fmt::format("body '{}' was added", body->name()));
  return core.AddRigidBody(std::move(body));
}

template <typename T>
void MultibodyTree<T>::AdoptFrame(std::unique_ptr<Frame<T>> frame) {
  system_->mutable_tree().AddFrame(std::move(frame));
}

template <typename T>
void MultibodyTree<T>::AdoptMobilizer(std::unique_ptr<Mobilizer<T>> mobilizer) {
  constexpr char kFunction[] = "MultibodyTree::AddMobilizer";
  Deref(mobilizer.get(), kFunction);
  internal::MultibodyTree<T>& core = system_->mutable_tree();
  core.RequireNotFinalized("AddMobilizer", "a mobilizer was added");
  core.RequireMember(mobilizer->inboard_frame(), "AddMobilizer");
  core.RequireMember(mobilizer->outboard_frame(), "AddMobilizer");
  const BodyIndex inboard = mobilizer->inboard_body().index();
  const BodyIndex outboard = mobilizer->outboard_body().index();
  if (inboard == outboard) {
    throw std::runtime_error(fmt::format(
        "{}(): the frames '{}' and '{}' are both fixed to body '{}'; a "
        "mobilizer connects two bodies.",
        kFunction, mobilizer->inboard_frame().name(),
        mobilizer->outboard_frame().name(), mobilizer->inboard_body().name()));
  }
  for (const auto& other : mobilizers_) {
    const BodyIndex a = other->inboard_body().index();
    const BodyIndex b = other->outboard_body().index();
    if ((a != inboard || b != outboard) && (a != outboard || b != inboard)) {
      continue;
    }
    throw std::runtime_error(fmt::format(
        "{}(): there is already a mobilizer between the bodies '{}' and '{}'; "
        "two bodies have at most one.",
        kFunction, mobilizer->inboard_body().name(),
        mobilizer->outboard_body().name()));
  }
  core.AddJoint(
      mobilizer->DoMakeJoint(fmt::format("mobilizer_{}", mobilizers_.size())));
  mobilizer->index_ = MobilizerIndex(get_num_mobilizers());
  mobilizer->tree_ = this;
  mobilizers_.push_back(std::move(mobilizer));
}

template <typename T>
void MultibodyTree<T>::Finalize() {
  if (topology_.is_valid) {
    throw std::logic_error(
        "MultibodyTree::Finalize(): it was called again; a tree is finalized "
        "once, after all elements are added.");
  }
  AddFloatingMobilizers();
  system_->Finalize();
  MakeTopology();
}

template <typename T>
void MultibodyTree<T>::AddFloatingMobilizers() {
  const dynamics::SpanningForest forest(
      MakeGraph<T>(get_num_bodies(), mobilizers_));
  if (!forest.loop_joints().empty()) {
    std::vector<std::string> names;
    for (int link : forest.LoopLinks(forest.loop_joints().front())) {
      names.push_back(get_body(BodyIndex(link)).name());
    }
    const Mobilizer<T>& mobilizer = *mobilizers_[forest.loop_joints().front()];
    throw std::logic_error(fmt::format(
        "MultibodyTree::Finalize(): the mobilizer between the bodies '{}' and "
        "'{}' closes a loop ({}); mobilizers must form a tree.",
        mobilizer.inboard_body().name(), mobilizer.outboard_body().name(),
        fmt::join(names, ", ")));
  }
  for (int link : forest.floating_base_links()) {
    AddMobilizer<QuaternionFloatingMobilizer>(
        get_world_frame(), get_body(BodyIndex(link)).body_frame());
  }
}

template <typename T>
void MultibodyTree<T>::MakeTopology() {
  const dynamics::Model& model = system_->model();
  MultibodyTreeTopology topology;
  topology.num_frames = get_num_frames();
  topology.num_positions = model.num_q;
  topology.num_velocities = model.num_v;
  topology.bodies.resize(model.num_bodies());
  topology.mobilizers.resize(model.num_bodies() - 1);
  nodes_.push_back(std::make_unique<internal::BodyNode<T>>(
      nullptr, &get_world_body(), nullptr));
  for (int b = 0; b < model.num_bodies(); ++b) {
    const dynamics::Model::Body& compiled = model.bodies[b];
    const BodyIndex index(compiled.link);
    BodyTopology& body = topology.bodies[index];
    body.index = index;
    body.body_frame = get_body(index).body_frame().index();
    body.body_node = BodyNodeIndex(b);
    if (b == 0) continue;
    const Mobilizer<T>& mobilizer = *mobilizers_[compiled.joint];
    nodes_.push_back(mobilizer.CreateBodyNode(nodes_[compiled.parent].get(),
                                              &get_body(index), &mobilizer));
    body.level = nodes_[b]->level();
    body.parent_body = nodes_[compiled.parent]->body().index();
    body.inboard_mobilizer = mobilizer.index();
    topology.bodies[body.parent_body].child_bodies.push_back(index);
    topology.mobilizers[mobilizer.index()] = {
        mobilizer.index(),
        mobilizer.inboard_frame().index(),
        mobilizer.outboard_frame().index(),
        mobilizer.inboard_body().index(),
        mobilizer.outboard_body().index(),
        body.body_node,
        compiled.nq,
        compiled.q_start,
        compiled.nv,
        compiled.v_start};
  }
  for (const BodyTopology& body : topology.bodies) {
    topology.tree_height = std::max(topology.tree_height, body.level + 1);
  }
  topology.is_valid = true;
  topology_ = std::move(topology);
}

template <typename T>
const MultibodyTreeTopology& MultibodyTree<T>::get_topology() const {
  if (!topology_.is_valid) {
    throw std::logic_error(
        "MultibodyTree: the topology is not valid yet; call Finalize() once "
        "all elements are added.");
  }
  return topology_;
}

template <typename T>
int MultibodyTree<T>::get_num_frames() const {
  return system_->tree().frames().num();
}

template <typename T>
int MultibodyTree<T>::get_num_bodies() const {
  return system_->tree().num_bodies();
}

template <typename T>
const Body<T>& MultibodyTree<T>::get_body(BodyIndex body_index) const {
  return system_->tree().bodies().get(body_index);
}

template <typename T>
const Frame<T>& MultibodyTree<T>::get_frame(FrameIndex frame_index) const {
  return system_->tree().get_frame(frame_index);
}

template <typename T>
const Mobilizer<T>& MultibodyTree<T>::get_mobilizer(
    MobilizerIndex mobilizer_index) const {
  if (!mobilizer_index.is_valid() || mobilizer_index >= get_num_mobilizers()) {
    throw std::out_of_range(fmt::format(
        "MultibodyTree::get_mobilizer(): there is no mobilizer with {}; there "
        "are {} of them.",
        mobilizer_index.is_valid()
            ? fmt::format("index {}", static_cast<int>(mobilizer_index))
            : std::string("an invalid index"),
        get_num_mobilizers()));
  }
  return *mobilizers_[mobilizer_index];
}

template <typename T>
std::unique_ptr<systems::LeafContext<T>>
MultibodyTree<T>::CreateDefaultContext() const {
  get_topology();
  auto context = system_->AllocateContext();
  system_->SetDefaultContext(context.get());
  return context;
}

template <typename T>
void MultibodyTree<T>::SetDefaults(Context<T>* context) const {
  CastContext(Deref(context, "MultibodyTree::SetDefaults"));
  system_->SetDefaultContext(context);
}

template <typename T>
void MultibodyTree<T>::RequireContextOfThisTree(
    const Context<T>& context) const {
  system_->ValidateContext(context);
}

template <typename T>
const MultibodyTreeContext<T>& MultibodyTree<T>::CastContext(
    const Context<T>& context) const {
  get_topology();
  const auto* result = dynamic_cast<const MultibodyTreeContext<T>*>(&context);
  if (result == nullptr) throw BadTreeContext();
  RequireContextOfThisTree(context);
  return *result;
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<MultibodyTree<ToScalar>> MultibodyTree<T>::CloneToScalar()
    const {
  auto clone = std::make_unique<MultibodyTree<ToScalar>>();
  const internal::MultibodyTree<ToScalar>& clone_core = clone->system_->tree();
  // A body brings its frame, so bodies and frames are copied in frame order.
  for (const Frame<T>* frame : system_->tree().frames().elements()) {
    if (frame->is_world_frame()) continue;
    if (frame->is_body_frame()) {
      clone->AdoptBody(frame->body().CloneToScalar(clone_core));
    } else {
      clone->AdoptFrame(frame->CloneToScalar(clone_core));
    }
  }
  for (const auto& mobilizer : mobilizers_) {
    clone->AdoptMobilizer(mobilizer->CloneToScalar(*clone));
  }
  if (topology_.is_valid) clone->Finalize();
  return clone;
}

#define WYVERN_INSTANTIATE_CLONE(T)                                        \
  template std::unique_ptr<MultibodyTree<double>>                          \
  MultibodyTree<T>::CloneToScalar<double>() const;                         \
  WYVERN_WITH_AUTODIFF(template std::unique_ptr<MultibodyTree<AutoDiffXd>> \
                           MultibodyTree<T>::CloneToScalar<AutoDiffXd>()   \
                               const;)
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_CLONE)
#undef WYVERN_INSTANTIATE_CLONE

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::MultibodyTree);
