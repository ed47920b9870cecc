#include "wyvern/multibody/parsing/mjcf_bodies.h"

#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/geometry_names.h"
#include "wyvern/multibody/parsing/mjcf_chains.h"
#include "wyvern/multibody/parsing/mjcf_names.h"
#include "wyvern/multibody/parsing/mjcf_pose.h"

/* Reads the bodies of an MJCF file, depth first. Each body has joints, mass,
geoms and sites, and then child bodies. A <frame> only poses its contents,
and a <replicate> poses each copy relative to the copy before it. Mass comes
from <inertial> or from the geoms, depending on <compiler>. */

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

// An element of a body, or of a <frame> in it.
struct Placed {
  const MjcfNode* node{};
  RigidTransform<double> X_BF;
  std::string childclass;

  bool IsNamed(std::string_view name) const { return node->IsNamed(name); }
};

/** Reads <worldbody>. */
class TreeReader {
 public:
  TreeReader(const MjcfDocument& document, const MjcfContext& context,
             ParsedModel* model)
      : document_(document),
        context_(context),
        model_(*model),
        body_names_(document.root(), {"body"}),
        chains_(document.root(), &body_names_, &tree_, model) {}

  MjcfTree Read() {
    tree_.bodies.push_back(
        {.element = document_.root().element, .name = kWorldName});
    std::vector<Placed> all;
    for (const MjcfNode* const world : document_.Sections("worldbody")) {
      Flatten(*world, {}, {}, &all);
    }
    for (const Placed& placed : all) {
      if (placed.IsNamed("joint") || placed.IsNamed("freejoint")) {
        placed.node->element.Throw("the world has no joints.");
      }
    }
    ReadContents(0, all);
    return std::move(tree_);
  }

 private:
  // Returns the contents of a body, with frames resolved.
  void Flatten(const MjcfNode& node, const RigidTransform<double>& X_BF,
               const std::string& childclass, std::vector<Placed>* result) {
    const std::string own =
        context_.defaults.ChildClass(node.element, childclass);
    for (const MjcfNode& child : node.children) {
      if (child.IsNamed("frame")) {
        const RigidTransform<double> X_FC =
            ReadMjcfPose(MjcfElement(child.element, {}), context_.settings);
        Flatten(child, X_BF * X_FC, own, result);
      } else if (child.IsNamed("replicate")) {
        FlattenCopies(child, X_BF, own, result);
      } else {
        RequireModelled(child.element);
        result->push_back({&child, X_BF, own});
      }
    }
  }

  // Copy i is turned by i times the angles of `euler`, which differs from i
  // turns by `euler` if there are two angles. Its place is `offset` from the
  // previous copy, in that copy's axes.
  void FlattenCopies(const MjcfNode& replicate,
                     const RigidTransform<double>& X_BF,
                     const std::string& childclass,
                     std::vector<Placed>* result) {
    const MjcfElement element(replicate.element, {});
    const Vector3<double> offset =
        element.Triple("offset", Vector3<double>::Zero());
    RigidTransform<double> X_FC;
    int i = 0;
    for (const MjcfNode& copy : replicate.children) {
      Flatten(copy, X_BF * X_FC, childclass, result);
      const Vector3<double> p_next = X_FC * offset;
      X_FC = RigidTransform<double>(
          ReadMjcfTurns(element, context_.settings, ++i), p_next);
    }
  }

  void RequireModelled(const XmlElement& element) const {
    static const std::set<std::string_view> known{
        "body", "inertial", "joint", "freejoint",
        "geom", "site",     "light", "camera"};
    if (known.contains(element.name())) return;
    element.Throw(fmt::format("<{}> in a body is not modelled; remove it.",
                              element.name()));
  }

  void ReadBody(const Placed& placed, int parent) {
    const XmlElement& nameless = placed.node->element;
    const std::string name = body_names_.Take(
        nameless, fmt::format("body{}", model_.links.size() + 1));
    if (name == kWorldName) nameless.Throw("only <worldbody> is the world.");
    const XmlElement element = nameless.About(fmt::format("body '{}'", name));
    const RigidTransform<double> X_PB =
        placed.X_BF * ReadMjcfPose(MjcfElement(element, {}), context_.settings);
    const int index = static_cast<int>(tree_.bodies.size());
    MjcfBody body{.element = element,
                  .name = name,
                  .parent = parent,
                  .X_WB = tree_.bodies[parent].X_WB * X_PB,
                  .link = static_cast<int>(model_.links.size())};
    body.gravity_compensation = MjcfElement(element, {}).Number("gravcomp", 0);
    body.is_mocap = ReadMjcfFlag(element, "mocap", false);
    if (body.is_mocap) {
      element.Warn("a mocap body is welded to the world where it is.",
                   context_.log);
    }
    tree_.bodies.push_back(std::move(body));
    model_.links.push_back(ParsedLink{.name = name});
    std::vector<Placed> all;
    Flatten(*placed.node, {}, placed.childclass, &all);
    ReadJoints(index, X_PB, all);
    ReadContents(index, all);
  }

  void ReadJoints(int body, const RigidTransform<double>& X_PB,
                  const std::vector<Placed>& all) {
    std::vector<MjcfJoint> joints;
    for (const Placed& placed : all) {
      const XmlElement& element = placed.node->element;
      if (!placed.IsNamed("joint") && !placed.IsNamed("freejoint")) continue;
      const std::string name(element.Attribute("name").value_or(""));
      joints.push_back(ReadMjcfJoint(
          context_.defaults.Apply(
              element.About(fmt::format("joint '{}' of body '{}'", name,
                                        tree_.bodies[body].name)),
              placed.childclass),
          placed.X_BF, context_));
      joints.back().key = placed.node->key;
      if (joints.back().friction > 0 && !joints.back().HasOneDof()) {
        element.Warn(
            "frictionloss of turning acts about the axes of the joint's frame "
            "in the parent, and in MuJoCo about those of the body.",
            context_.log);
      }
      if (joints.back().limits_weight &&
          tree_.bodies[body].gravity_compensation != 0) {
        element.Warn(
            "actuatorgravcomp is not read: the weight does not count to "
            "actuatorfrcrange, which limits the actuators alone.",
            context_.log);
      }
    }
    chains_.Add(body, joints, X_PB);
  }

  void ReadContents(int body, const std::vector<Placed>& all) {
    ReadMass(body, all);
    for (const Placed& placed : all) {
      if (placed.IsNamed("site")) ReadSite(body, placed);
    }
    for (const Placed& placed : all) {
      if (placed.IsNamed("body")) ReadBody(placed, body);
    }
  }

  void ReadMass(int body, const std::vector<Placed>& all) {
    using enum MjcfSettings::InertiaFrom;
    std::optional<MjcfInertia> written;
    for (const Placed& placed : all) {
      if (!placed.IsNamed("inertial")) continue;
      const XmlElement& element = placed.node->element;
      if (written.has_value() || !placed.X_BF.IsExactlyIdentity()) {
        element.Throw("a body has at most one <inertial>, in no <frame>.");
      }
      written = ReadMjcfInertial(
          element.About(fmt::format("body '{}'", tree_.bodies[body].name)),
          context_);
    }
    const auto from =
        context_.settings.Of(tree_.bodies[body].element).inertia_from;
    const bool from_geoms =
        body != 0 &&
        (from == kGeoms || (from == kInertialOrGeoms && !written.has_value()));
    const MjcfInertia inertia = ReadGeoms(body, all, from_geoms);
    if (body == 0) return;
    if (from_geoms) {
      tree_.bodies[body].inertia = inertia;
    } else if (written.has_value()) {
      tree_.bodies[body].inertia = *written;
    }
  }

  // Returns the inertia of the geoms that have mass. A single geom gives its
  // axes.
  MjcfInertia ReadGeoms(int body, const std::vector<Placed>& all,
                        bool wants_mass) {
    MassMoments sum;
    std::vector<math::RotationMatrix<double>> axes;
    GeometryNames seen;
    GeometryNames touching;
    int index = 0;
    MjcfBody& owner = tree_.bodies[body];
    ParsedLink& link = body == 0 ? model_.world : model_.links[owner.link];
    for (const Placed& placed : all) {
      if (!placed.IsNamed("geom")) continue;
      const XmlElement& element = placed.node->element;
      const std::string made = fmt::format("geom{}", index++);
      MjcfGeom geom = ReadMjcfGeom(
          context_.defaults.Apply(
              element.About(fmt::format(
                  "geom '{}' of body '{}'",
                  element.Attribute("name").value_or(made), owner.name)),
              placed.childclass),
          placed.X_BF, wants_mass, context_);
      sum += geom.mass;
      if (geom.mass.mass > 0) axes.push_back(geom.R_BI);
      tree_.geoms.insert(geom.name);
      if (geom.radius > 0) {
        tree_.round_geoms.try_emplace(
            geom.name,
            MjcfRoundGeom{body, geom.X_BG, geom.radius, geom.is_cylinder});
      }
      if (geom.fluid_shape.has_value()) {
        owner.fluid_shapes.push_back(*geom.fluid_shape);
      }
      if (geom.shape == nullptr || !context_.with_shapes) continue;
      const std::string name = geom.name.empty() ? made : geom.name;
      if (geom.is_seen) AddSeen(geom, seen.Make(name, name), &link);
      if (!geom.touches()) continue;
      const auto add = [&](const RigidTransform<double>& X_BS,
                           const geometry::Shape& shape,
                           const std::string& part) {
        const std::string unique = touching.Make(part, part);
        link.collisions.emplace_back(X_BS, shape, unique)
            .set_proximity_properties(geom.touching);
        owner.shapes.push_back({unique, geom.mask, geom.name});
      };
      if (geom.parts.empty()) add(geom.X_BG, *geom.shape, name);
      for (std::size_t i = 0; i < geom.parts.size(); ++i) {
        add(geom.X_BG * geom.parts[i].X_GP, *geom.parts[i].shape,
            fmt::format("{}_{}", name, i));
      }
    }
    MjcfInertia result = FromMoments(sum);
    if (axes.size() == 1) result.R_BI = axes[0];
    return result;
  }

  static void AddSeen(const MjcfGeom& geom, const std::string& name,
                      ParsedLink* link) {
    auto& added = link->visuals.emplace_back(geom.X_BG, *geom.shape, name);
    added.set_illustration_properties(geom.seen);
    added.set_perception_properties(geometry::PerceptionProperties(geom.seen));
  }

  void ReadSite(int body, const Placed& placed) {
    const MjcfElement site =
        context_.defaults.Apply(placed.node->element, placed.childclass);
    const VectorX<double> ends =
        site.Numbers("fromto", Vector6<double>::Zero());
    const bool has_ends = ends.head<3>() != ends.tail<3>();
    const RigidTransform<double> X_BS =
        placed.X_BF *
        (has_ends ? PoseOfEnds(ends) : ReadMjcfPose(site, context_.settings));
    std::string name(site.own().Attribute("name").value_or(""));
    if (name.empty()) return;
    name = site.own().RequiredName("name");
    if (!tree_.sites.try_emplace(name, MjcfSite{body, X_BS}).second) {
      site.Throw(fmt::format(
          "there is a site '{}' already; names must be unique.", name));
    }
    // The frame of a body has its name.
    model_.frames.push_back({body_names_.contains(name) ? name + "_site" : name,
                             tree_.bodies[body].name, X_BS});
  }

  const MjcfDocument& document_;
  const MjcfContext& context_;
  ParsedModel& model_;
  MjcfTree tree_;
  MjcfNames body_names_;
  MjcfChains chains_;
};

}  // namespace

MjcfTree ReadMjcfTree(const MjcfDocument& document, const MjcfContext& context,
                      ParsedModel* model) {
  return TreeReader(document, context, model).Read();
}

}  // namespace wyvern::multibody::internal
