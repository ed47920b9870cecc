#include "wyvern/multibody/parsing/mjcf_contact.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace wyvern::multibody::internal {

namespace {

using Shapes = ParsedExclusion::Shapes;

void AddExclusion(const Shapes& first, const Shapes& second,
                  ParsedModel* model) {
  if (first.empty() || second.empty()) return;
  model->exclusions.push_back({first, second});
}

Shapes ShapesOf(const MjcfBody& body) {
  Shapes result;
  for (const MjcfShape& shape : body.shapes) {
    result.emplace_back(body.name, shape.name);
  }
  return result;
}

// Bodies welded together are one; each by the first of its bodies.
std::vector<int> FindRigidGroups(const MjcfTree& tree) {
  std::vector<int> result;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const MjcfBody& body = tree.bodies[i];
    const bool is_welded = body.parent >= 0 && !body.has_joints;
    result.push_back(is_welded ? result[body.parent] : static_cast<int>(i));
  }
  return result;
}

void ExcludeNeighbours(const MjcfTree& tree, ParsedModel* model) {
  const std::vector<int> group = FindRigidGroups(tree);
  std::map<int, Shapes> shapes;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    Shapes& all = shapes[group[i]];
    for (auto& shape : ShapesOf(tree.bodies[i])) all.push_back(shape);
  }
  for (const auto& [first, own] : shapes) {
    // The plant itself has none among what is fixed to the world.
    if (first != 0 && own.size() > 1) AddExclusion(own, own, model);
    const int parent = tree.bodies[first].parent;
    if (parent < 0 || group[parent] == 0) continue;
    AddExclusion(shapes.at(group[parent]), own, model);
  }
}

void ExcludeMasks(const MjcfTree& tree, ParsedModel* model) {
  std::map<MjcfMask, Shapes> shapes;
  for (const MjcfBody& body : tree.bodies) {
    for (const MjcfShape& shape : body.shapes) {
      shapes[shape.mask].emplace_back(body.name, shape.name);
    }
  }
  for (auto a = shapes.begin(); a != shapes.end(); ++a) {
    for (auto b = a; b != shapes.end(); ++b) {
      if (!a->first.Meets(b->first)) {
        AddExclusion(a->second, b->second, model);
      }
    }
  }
}

const MjcfBody& FindBody(const XmlElement& exclude, const char* attribute,
                         const MjcfTree& tree) {
  const std::string name(exclude.RequiredAttribute(attribute));
  const MjcfBody* const body = tree.FindBody(name);
  if (body == nullptr) {
    exclude.Throw(fmt::format("there is no body '{}' in this file.", name));
  }
  return *body;
}

}  // namespace

void ReadMjcfContact(const MjcfDocument& document, const MjcfContext& context,
                     const MjcfTree& tree, ParsedModel* model) {
  for (const MjcfNode* const node : document.Contents("contact")) {
    const XmlElement& element = node->element;
    if (!node->IsNamed("exclude")) {
      element.Throw(fmt::format(
          "<{}> in <contact> is not modelled; say by contype and conaffinity "
          "what touches.",
          element.name()));
    }
    AddExclusion(ShapesOf(FindBody(element, "body1", tree)),
                 ShapesOf(FindBody(element, "body2", tree)), model);
  }
  if (!context.with_shapes) return;
  ExcludeNeighbours(tree, model);
  ExcludeMasks(tree, model);
}

}  // namespace wyvern::multibody::internal
