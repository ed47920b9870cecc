#include "wyvern/multibody/dynamics/model.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"

namespace wyvern::multibody::dynamics {
namespace {

MobilizerType BaseType(const std::function<MobilizerType(int)>& base_type,
                       int link) {
  const MobilizerType type = base_type(link);
  if (type != MobilizerType::kQuaternionFloating &&
      type != MobilizerType::kRpyFloating && type != MobilizerType::kWeld) {
    throw std::logic_error(fmt::format(
        "MakeModel(): the base link {} was given a mobilizer of type {}; a "
        "base link moves by a quaternion-floating or rpy-floating mobilizer "
        "or is welded.",
        link, static_cast<int>(type)));
  }
  return type;
}

// Adds the node that a body with a moving mobilizer begins.
void AddNode(MobodIndex body_index, Model* model) {
  Model::Body& body = model->bodies[body_index];
  const NodeIndex parent = model->bodies[body.parent].node;
  body.node = NodeIndex(model->num_nodes());
  if (parent == 0) {
    body.tree = model->num_trees();
    model->trees.push_back({.base_body = body_index,
                            .base_node = body.node,
                            .q_start = body.q_start,
                            .v_start = body.v_start});
  } else {
    body.tree = model->nodes[parent].tree;
    model->nodes[parent].has_children = true;
  }
  model->nodes.push_back({.parent = parent,
                          .body = body_index,
                          .type = body.type,
                          .is_reversed = body.is_reversed,
                          .q_start = body.q_start,
                          .v_start = body.v_start,
                          .nv = body.nv,
                          .subtree_end = body.node + 1,
                          .tree = body.tree});
  for (int i = 0; i < body.nv; ++i) {
    model->tree_of_v.push_back(body.tree);
    model->node_of_v.push_back(body.node);
  }
}

void CloseSubtrees(Model* model) {
  for (int i = model->num_bodies() - 1; i >= 0; --i) {
    Model::Body& body = model->bodies[i];
    body.subtree_nv += body.nv;
    if (i > 0) model->bodies[body.parent].subtree_nv += body.subtree_nv;
  }
  for (int i = model->num_nodes() - 1; i >= 0; --i) {
    Model::Node& node = model->nodes[i];
    node.subtree_nv = model->bodies[node.body].subtree_nv;
    if (i == 0) continue;
    int& end = model->nodes[node.parent].subtree_end;
    end = std::max(end, node.subtree_end);
  }
  for (Model::Tree& tree : model->trees) {
    tree.end_node = model->nodes[tree.base_node].subtree_end;
    tree.nv = model->nodes[tree.base_node].subtree_nv;
    const MobodIndex base = tree.base_body;
    for (int i = base; i < model->bodies[base].subtree_end; ++i) {
      tree.nq += model->bodies[i].nq;
    }
  }
}

}  // namespace

Model MakeModel(const SpanningForest& forest,
                const std::function<MobilizerType(int joint)>& joint_type,
                const std::function<MobilizerType(int link)>& base_type) {
  if (!forest.loop_joints().empty()) {
    throw std::logic_error(fmt::format(
        "MakeModel(): joint {} closes a loop; a model is a forest. Leave the "
        "joint out of the graph and close the loop by a constraint.",
        forest.loop_joints().front()));
  }
  Model model;
  model.nodes.push_back({.subtree_end = 1});
  model.body_of_link.resize(forest.num_mobods());
  for (MobodIndex i(0); i < forest.num_mobods(); ++i) {
    const SpanningForest::Mobod& mobod = forest.mobod(i);
    Model::Body body{.parent = mobod.parent,
                     .is_reversed = mobod.is_reversed,
                     .q_start = model.num_q,
                     .v_start = model.num_v,
                     .subtree_end = mobod.subtree_end,
                     .link = mobod.link,
                     .joint = mobod.joint};
    if (i > 0) {
      body.type = mobod.joint >= 0 ? joint_type(mobod.joint)
                                   : BaseType(base_type, mobod.link);
      body.nq = TraitsOf(body.type).nq;
      body.nv = TraitsOf(body.type).nv;
      body.node = model.bodies[body.parent].node;
      body.tree = model.bodies[body.parent].tree;
    }
    model.body_of_link[body.link] = i;
    model.num_q += body.nq;
    model.num_v += body.nv;
    model.bodies.push_back(body);
    if (body.nv > 0) AddNode(i, &model);
    if (i > 0) model.all_bodies.push_back(i);
  }
  CloseSubtrees(&model);
  return model;
}

Model MakeModel(const SpanningForest& forest,
                const std::function<MobilizerType(int joint)>& joint_type) {
  return MakeModel(forest, joint_type,
                   [](int) { return MobilizerType::kQuaternionFloating; });
}

}  // namespace wyvern::multibody::dynamics
