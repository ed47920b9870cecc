#include "wyvern/multibody/parsing/mjcf_tendon.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_names.h"
#include "wyvern/multibody/parsing/mjcf_path.h"

/* A fixed tendon is a sum over joints, and a spatial one a path over bodies
(mjcf_path). Either becomes an element of the plant if it has a spring, a
damper or limits, or if it is a path that an actuator pulls. A fixed tendon
whose joints are tied to each other pulls like the first of them. */

namespace wyvern::multibody::internal {

namespace {

// How fast a joint moves with the leader, as a coupler between the two says.
std::optional<double> FindRate(const std::string& leader,
                               const std::string& follower,
                               const ParsedModel& model) {
  if (leader == follower) return 1;
  for (const ParsedCoupler& coupler : model.couplers) {
    if (coupler.joint0 == follower && coupler.joint1 == leader) {
      return coupler.gear_ratio;
    }
    if (coupler.joint0 == leader && coupler.joint1 == follower &&
        coupler.gear_ratio != 0) {
      return 1 / coupler.gear_ratio;
    }
  }
  return {};
}

const MjcfNode* FindFixed(const MjcfDocument& document,
                          const std::string& name) {
  for (const MjcfNode* const node : document.Contents("tendon")) {
    if (node->IsNamed("fixed") && node->element.Attribute("name") == name) {
      return node;
    }
  }
  return nullptr;
}

// Returns the linear coefficient, the first of three numbers; the others
// multiply higher powers of the stretch.
double ReadLinear(const MjcfElement& tendon, const char* attribute) {
  const VectorX<double> all =
      tendon.Numbers(attribute, Vector3<double>::Zero());
  if (all.minCoeff() < 0 || !all.tail<2>().isZero(0)) {
    tendon.Throw(fmt::format(
        "{} of a tendon is \"{}\"; one number, not negative, is modelled.",
        attribute, tendon.Text(attribute)));
  }
  return all[0];
}

std::vector<ParsedTendon::Term> ReadTerms(const MjcfNode& tendon,
                                          const MjcfTree& tree) {
  std::vector<ParsedTendon::Term> terms;
  for (const MjcfNode& child : tendon.children) {
    const MjcfElement part(child.element, {});
    const std::string joint(child.element.RequiredAttribute("joint"));
    RequireMjcfJoint(part, joint, tree);
    const double coefficient = child.element.RequiredNumber("coef");
    if (!(std::abs(coefficient) <= 1e100)) {
      part.Throw(fmt::format("coef is {}; give a smaller one.", coefficient));
    }
    terms.push_back({joint, coefficient});
  }
  if (terms.empty()) tendon.element.Throw("the tendon has no joint; give one.");
  return terms;
}

// Returns the resting lengths of the tendon's spring. Without `springlength`
// they follow from the resting positions of its joints.
void ReadRest(const MjcfElement& tendon, const MjcfTree& tree,
              ParsedTendon* result) {
  const VectorX<double> given =
      tendon.Numbers("springlength", Vector2<double>::Constant(-1));
  double& shortest = result->properties.shortest;
  double& longest = result->properties.longest;
  shortest = given[0];
  longest = given[1] == -1 ? given[0] : given[1];
  if (shortest > longest) {
    tendon.Throw(fmt::format(
        "springlength of a tendon is \"{}\"; give one length, or the shorter "
        "and then the longer one.",
        tendon.Text("springlength")));
  }
  if (given[0] != -1 || given[1] != -1) return;
  shortest = CalcMjcfPathAtRest(result->segments, tree);
  for (const auto& [joint, coefficient] : result->terms) {
    shortest += coefficient * tree.FindJoint(joint)->joint.spring_reference;
  }
  longest = shortest;
  if (!std::isfinite(shortest)) {
    tendon.Throw("the tendon is too long; give smaller coefficients.");
  }
}

bool IsPulled(const MjcfDocument& document, const std::string& tendon) {
  const auto actuators = document.Contents("actuator");
  return std::ranges::any_of(actuators, [&tendon](const MjcfNode* node) {
    return node->element.Attribute("tendon") == tendon;
  });
}

// Reads the tendon's spring, damper and limits, and its path if it has one.
void ReadTendon(const MjcfDocument& document, const MjcfNode& node,
                const MjcfElement& tendon, const std::string& name,
                const MjcfContext& context, const MjcfTree& tree,
                ParsedModel* model) {
  const MjcfSettings& settings = context.settings.main();
  ParsedTendon result{.name = name};
  TendonProperties& properties = result.properties;
  if (settings.has_springs) {
    properties.stiffness = ReadLinear(tendon, "stiffness");
  }
  if (settings.has_damping) properties.damping = ReadLinear(tendon, "damping");
  if (!tendon.Numbers("springyield", Vector2<double>::Zero()).isZero(0)) {
    tendon.Throw("springyield is not modelled; give stiffness and damping.");
  }
  const bool is_limited =
      settings.has_limits &&
      tendon.IsLimited("limited", "range",
                       context.settings.Of(tendon.own()).autolimits);
  if (is_limited) {
    const Vector2<double> range = tendon.Range("range");
    properties.lower_limit = range[0];
    properties.upper_limit = range[1];
  }
  const bool is_path = !node.IsNamed("fixed");
  if (properties.stiffness == 0 && properties.damping == 0 && !is_limited &&
      !(is_path && IsPulled(document, name))) {
    return;
  }
  if (is_path) {
    result.segments = ReadMjcfPath(node, tree);
    if (std::ranges::all_of(result.segments, [](const auto& segment) {
          return segment.start.link == kWorldName &&
                 segment.end.link == kWorldName &&
                 (!segment.obstacle.has_value() ||
                  segment.obstacle->link == kWorldName);
        })) {
      tendon.Throw("all of the tendon is on the world; put a site on a body.");
    }
  } else {
    result.terms = ReadTerms(node, tree);
  }
  ReadRest(tendon, tree, &result);
  if (is_limited && is_path) {
    RequireTwoTrees(tendon, "a limited tendon", tree, result.segments);
  } else if (is_limited) {
    RequireTwoTrees(tendon, "a limited tendon", tree, result.terms);
  }
  model->tendons.push_back(std::move(result));
}

// Returns the topmost body that moves with a body; 0 if nothing moves it.
int FindTopBody(const MjcfTree& tree, int body) {
  int root = 0;
  for (int b = body; b > 0; b = tree.bodies[b].parent) {
    if (tree.bodies[b].has_joints) root = b;
  }
  return root;
}

void RequireTwoRoots(const MjcfElement& element, std::string_view what,
                     const std::set<int>& roots) {
  if (roots.size() <= 2) return;
  element.Throw(fmt::format(
      "{} over {} trees of bodies is not modelled; two are. Join the "
      "bodies by joints, or pull each pair by a tendon of its own.",
      what, roots.size()));
}

}  // namespace

void RequireTwoTrees(const MjcfElement& element, std::string_view what,
                     const MjcfTree& tree,
                     const std::vector<ParsedTendonTerm>& terms) {
  std::set<int> roots;
  for (const ParsedTendonTerm& term : terms) {
    roots.insert(FindTopBody(tree, tree.FindJoint(term.joint)->body));
  }
  RequireTwoRoots(element, what, roots);
}

void RequireTwoTrees(const MjcfElement& element, std::string_view what,
                     const MjcfTree& tree,
                     const std::vector<ParsedTendonSegment>& segments) {
  std::set<int> roots;
  const auto add = [&](const std::string& link) {
    const MjcfBody* const body = tree.FindBody(link);
    roots.insert(
        FindTopBody(tree, static_cast<int>(body - tree.bodies.data())));
  };
  for (const ParsedTendonSegment& segment : segments) {
    add(segment.start.link);
    add(segment.end.link);
    if (segment.obstacle.has_value()) add(segment.obstacle->link);
  }
  roots.erase(0);
  RequireTwoRoots(element, what, roots);
}

void ReadMjcfTendons(const MjcfDocument& document, const MjcfContext& context,
                     const MjcfTree& tree, ParsedModel* model) {
  int index = 0;
  MjcfNames names(document.root(), {"spatial", "fixed"});
  for (const MjcfNode* const node : document.Contents("tendon")) {
    const std::string name =
        names.Take(node->element, fmt::format("tendon{}", index++));
    const MjcfElement tendon = context.defaults.Apply(
        node->element.About(fmt::format("tendon '{}'", name)), {}, {"tendon"});
    for (const char* const attribute : {"frictionloss", "armature"}) {
      if (tendon.NotNegative(attribute, 0) == 0) continue;
      tendon.Throw(fmt::format("a tendon with {} is not modelled; remove it.",
                               attribute));
    }
    if (tendon.Has("actuatorfrcrange") || tendon.Has("actuatorfrclimited")) {
      tendon.own().Warn(
          "actuatorfrcrange of a tendon is ignored; limit the forces of its "
          "actuators by forcerange.",
          context.log);
    }
    ReadTendon(document, *node, tendon, name, context, tree, model);
  }
}

const MjcfMovement& RequireMjcfJoint(const MjcfElement& element,
                                     const std::string& name,
                                     const MjcfTree& tree) {
  const MjcfMovement* const found = tree.FindJoint(name);
  if (found == nullptr) {
    element.Throw(fmt::format("there is no joint '{}' in this file.", name));
  }
  if (!found->joint.HasOneDof()) {
    element.Throw(fmt::format(
        "joint '{}' is neither a hinge nor a slide, so that what acts on it is "
        "not modelled.",
        name));
  }
  return *found;
}

std::vector<ParsedTendonTerm> RequireMjcfTendon(const MjcfElement& element,
                                                const std::string& name,
                                                const MjcfDocument& document,
                                                const MjcfTree& tree) {
  const MjcfNode* const tendon = FindFixed(document, name);
  if (tendon == nullptr) {
    element.Throw(
        fmt::format("there is no <fixed> tendon '{}' in this file; name "
                    "another tendon.",
                    name));
  }
  return ReadTerms(*tendon, tree);
}

MjcfPull FindMjcfPull(const MjcfElement& actuator, const std::string& name,
                      const MjcfDocument& document, const MjcfTree& tree,
                      const ParsedModel& model) {
  for (const ParsedTendon& tendon : model.tendons) {
    if (tendon.name == name && !tendon.segments.empty()) {
      return {.path = &tendon};
    }
  }
  MjcfPull result{.coefficient = 0,
                  .terms = RequireMjcfTendon(actuator, name, document, tree)};
  result.is_shared = result.terms.size() > 1;
  const std::string& first = result.terms[0].joint;
  for (const auto& [joint, coefficient] : result.terms) {
    const auto rate = FindRate(first, joint, model);
    if (!rate.has_value()) return result;
    result.coefficient += coefficient * *rate;
  }
  result.moved = tree.FindJoint(first);
  result.terms.clear();
  return result;
}

}  // namespace wyvern::multibody::internal
