#include "wyvern/multibody/parsing/mjcf_contact.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

/* MuJoCo decides by bodies and bit masks which geoms touch; a plant decides by
collision filters. Excluded pairs come from four sources: bodies that are welded
together, a body and its parent, masks without a common bit, and <exclude>.
AddExclusion() leaves out the pairs that a <pair> names, which touch in any
case. What hangs on the world may touch the world. A file without <contact> and
masks has the first two sources alone. */

namespace wyvern::multibody::internal {

namespace {

using Shapes = ParsedExclusion::Shapes;

/** Pairs of shapes that touch in any case, in both orders. */
using Kept = std::set<std::pair<Shapes::value_type, Shapes::value_type>>;

void AddExclusion(const Shapes& first, const Shapes& second, const Kept& kept,
                  ParsedModel* model) {
  const auto add = [&](Shapes one, Shapes other) {
    if (one.empty() || other.empty()) return;
    model->exclusions.push_back({std::move(one), std::move(other)});
  };
  Shapes rest;
  for (const auto& shape : first) {
    const auto next = kept.lower_bound({shape, {}});
    if (next == kept.end() || next->first != shape) {
      rest.push_back(shape);
      continue;
    }
    Shapes others;
    for (const auto& other : second) {
      if (!kept.contains({shape, other})) others.push_back(other);
    }
    if (others.size() == second.size()) {
      rest.push_back(shape);
    } else {
      add({shape}, others);
    }
  }
  add(rest, second);
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

void ExcludeNeighbours(const MjcfTree& tree, const Kept& kept,
                       ParsedModel* model) {
  const std::vector<int> group = FindRigidGroups(tree);
  std::map<int, Shapes> shapes;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    Shapes& all = shapes[group[i]];
    for (auto& shape : ShapesOf(tree.bodies[i])) all.push_back(shape);
  }
  for (const auto& [first, own] : shapes) {
    // The plant itself has none among what is fixed to the world.
    if (first != 0 && own.size() > 1) AddExclusion(own, own, kept, model);
    const int parent = tree.bodies[first].parent;
    if (parent < 0 || group[parent] == 0) continue;
    AddExclusion(shapes.at(group[parent]), own, kept, model);
  }
}

void ExcludeMasks(const MjcfTree& tree, const Kept& kept, ParsedModel* model) {
  std::map<MjcfMask, Shapes> shapes;
  for (const MjcfBody& body : tree.bodies) {
    for (const MjcfShape& shape : body.shapes) {
      shapes[shape.mask].emplace_back(body.name, shape.name);
    }
  }
  for (auto a = shapes.begin(); a != shapes.end(); ++a) {
    for (auto b = a; b != shapes.end(); ++b) {
      if (!a->first.Meets(b->first)) {
        AddExclusion(a->second, b->second, kept, model);
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

// The body and the shape of a geom that a <pair> names; null and "" if it has
// no shape that touches.
std::pair<int, Shapes::value_type> FindPaired(const XmlElement& pair,
                                              const char* attribute,
                                              const MjcfTree& tree) {
  const std::string name(pair.RequiredAttribute(attribute));
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    for (const MjcfShape& shape : tree.bodies[i].shapes) {
      if (shape.geom != name) continue;
      return {static_cast<int>(i), {tree.bodies[i].name, shape.name}};
    }
  }
  if (!tree.geoms.contains(name)) {
    pair.Throw(fmt::format("there is no geom '{}' in this file.", name));
  }
  return {-1, {}};
}

Kept ReadPairs(const MjcfDocument& document, const MjcfTree& tree,
               WarningLog* log) {
  const std::vector<int> group = FindRigidGroups(tree);
  Kept kept;
  for (const MjcfNode* const node : document.Contents("contact")) {
    if (!node->IsNamed("pair")) continue;
    const XmlElement& pair = node->element;
    const auto [body1, shape1] = FindPaired(pair, "geom1", tree);
    const auto [body2, shape2] = FindPaired(pair, "geom2", tree);
    if (pair.Attribute("adhesion")) {
      pair.Throw("adhesion is not modelled; remove it.");
    }
    if (pair.Attribute("friction") || pair.Attribute("condim")) {
      log->Add(pair.place(),
               "friction and condim of a <pair> are not read: those of its "
               "geoms are taken.");
    }
    if (body1 < 0 || body2 < 0 || group[body1] == group[body2]) continue;
    const auto hangs_on = [&](int child, int parent) {
      const int above = tree.bodies[group[child]].parent;
      return above >= 0 && group[parent] != 0 && group[above] == group[parent];
    };
    if (hangs_on(body1, body2) || hangs_on(body2, body1)) {
      pair.Throw(
          "contact of bodies with a joint between them is not modelled; remove "
          "the <pair>.");
    }
    kept.insert({shape1, shape2});
    kept.insert({shape2, shape1});
  }
  return kept;
}

}  // namespace

std::set<std::string> FindPairedGeoms(const MjcfDocument& document) {
  std::set<std::string> names;
  for (const MjcfNode* const node : document.Contents("contact")) {
    if (!node->IsNamed("pair")) continue;
    names.emplace(node->element.RequiredAttribute("geom1"));
    names.emplace(node->element.RequiredAttribute("geom2"));
  }
  return names;
}

void ReadMjcfContact(const MjcfDocument& document, const MjcfContext& context,
                     const MjcfTree& tree, ParsedModel* model) {
  const Kept kept = ReadPairs(document, tree, context.log);
  for (const MjcfNode* const node : document.Contents("contact")) {
    const XmlElement& element = node->element;
    if (node->IsNamed("pair")) continue;
    if (!node->IsNamed("exclude")) {
      element.Throw(fmt::format(
          "<{}> in <contact> is not modelled; say by contype and conaffinity "
          "what touches.",
          element.name()));
    }
    AddExclusion(ShapesOf(FindBody(element, "body1", tree)),
                 ShapesOf(FindBody(element, "body2", tree)), kept, model);
  }
  if (!context.with_shapes) return;
  ExcludeNeighbours(tree, kept, model);
  ExcludeMasks(tree, kept, model);
}

}  // namespace wyvern::multibody::internal
