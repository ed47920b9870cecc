#include "wyvern/multibody/parsing/mjcf_reader.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_actuator.h"
#include "wyvern/multibody/parsing/mjcf_assets.h"
#include "wyvern/multibody/parsing/mjcf_bodies.h"
#include "wyvern/multibody/parsing/mjcf_contact.h"
#include "wyvern/multibody/parsing/mjcf_defaults.h"
#include "wyvern/multibody/parsing/mjcf_document.h"
#include "wyvern/multibody/parsing/mjcf_equality.h"
#include "wyvern/multibody/parsing/mjcf_keyframe.h"
#include "wyvern/multibody/parsing/mjcf_schema.h"
#include "wyvern/multibody/parsing/mjcf_settings.h"
#include "wyvern/multibody/parsing/mjcf_springdamper.h"
#include "wyvern/multibody/parsing/mjcf_tendon.h"
#include "wyvern/multibody/parsing/mjcf_tree.h"
#include "wyvern/multibody/parsing/parse_number.h"

/* An MJCF document to a ParsedModel: first what all elements refer to
(includes, settings, defaults, meshes), then the bodies, their masses as the
settings change them, then what refers to bodies and joints. The rule for
what is not modelled: what would move the robot otherwise is an error, the
rest is passed over. */

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

std::string ReadName(const XmlDocument& document, WarningLog* log) {
  const XmlElement root = document.root();
  if (!Trim(root.Attribute("model").value_or("")).empty()) {
    return root.RequiredName("model");
  }
  const std::string name =
      document.folder().has_value()
          ? std::filesystem::path(document.source()).stem().string()
          : "mujoco";
  log->Add(root.place(),
           fmt::format("<mujoco> has no attribute 'model'; it is called '{}'.",
                       name));
  return name;
}

void RequireKnownSections(const MjcfDocument& document, WarningLog* log) {
  static const std::set<std::string_view> known{
      "compiler", "option",   "size",      "statistic", "visual",
      "default",  "asset",    "worldbody", "contact",   "equality",
      "tendon",   "actuator", "keyframe",  "custom",    "sensor"};
  for (const MjcfNode& section : document.root().children) {
    const XmlElement& element = section.element;
    if (known.contains(element.name())) continue;
    if (element.IsNamed("deformable") || element.IsNamed("extension")) {
      element.Throw(
          fmt::format("<{}> is not modelled; remove it.", element.name()));
    }
    log->Add(element.place(),
             fmt::format("<{}> in <mujoco> is not known and is ignored.",
                         element.name()));
  }
  const auto sensors = document.Sections("sensor");
  if (!sensors.empty()) {
    log->Add(sensors[0]->element.place(), "sensors are not read.");
  }
}

// Boundaries, the total mass, and inertias that bodies can have.
void SetInertias(const MjcfContext& context, MjcfTree* tree,
                 ParsedModel* model) {
  double total = 0;
  for (MjcfBody& body : tree->bodies) {
    if (body.link < 0) continue;
    if (body.inertia.mass == 0 && body.inertia.p_BoBcm.isZero(0)) {
      // As in MuJoCo, the mass that boundmass gives to a body without any is as
      // far from the body as the body is from its parent.
      body.inertia.p_BoBcm =
          (tree->bodies[body.parent].X_WB.inverse() * body.X_WB).translation();
    }
    BoundMjcfInertia(context.settings.Of(body.element), &body.inertia);
    if (body.inertia.mass == 0) body.inertia.p_BoBcm.setZero();
    total += body.inertia.mass;
  }
  const double wanted = context.settings.main().total_mass;
  const double factor = wanted > 0 && total > 0 ? wanted / total : 1;
  for (MjcfBody& body : tree->bodies) {
    if (body.link < 0) continue;
    body.inertia.mass *= factor;
    body.inertia.I_BBcm *= factor;
    model->links[body.link].M_BBo_B =
        ToSpatialInertia(body.inertia, body.element, context.log);
  }
}

// Moves free joints to the centres of mass of their bodies. Child elements of
// such a body keep their place in the world. Later references to the body, as
// in keys and equalities, use its new frame.
void AlignFreeBodies(MjcfTree* tree, ParsedModel* model) {
  for (const MjcfMovement& moved : tree->joints) {
    MjcfBody& body = tree->bodies[moved.body];
    if (!moved.joint.is_aligned || body.inertia.mass == 0 ||
        std::ranges::find(tree->bodies, moved.body, &MjcfBody::parent) !=
            tree->bodies.end()) {
      continue;
    }
    const RigidTransform<double> X_BI = body.inertia.X_BI();
    const RigidTransform<double> X_IB = X_BI.inverse();
    body.X_WB = body.X_WB * X_BI;
    body.inertia = body.inertia.In(X_IB);
    ParsedLink& link = model->links[body.link];
    for (auto* shapes : {&link.visuals, &link.collisions}) {
      for (auto& shape : *shapes) shape.set_pose(X_IB * shape.pose());
    }
    for (MjcfFluidShape& shape : body.fluid_shapes) {
      shape.X_BD = X_IB * shape.X_BD;
    }
    for (ParsedFrame& frame : model->frames) {
      if (frame.link == link.name) frame.X_LF = X_IB * frame.X_LF;
    }
    for (auto& [name, site] : tree->sites) {
      if (site.body == moved.body) site.X_BS = X_IB * site.X_BS;
    }
    for (auto& [name, geom] : tree->round_geoms) {
      if (geom.body == moved.body) geom.X_BG = X_IB * geom.X_BG;
    }
    SetMjcfFreePose(moved, *tree, body.X_WB, model);
  }
}

// Adds the drag of each body that has mass, by its fluid shapes or, if it has
// none, by the box of its inertia.
void AddDrags(const MjcfContext& context, const MjcfTree& tree,
              ParsedModel* model) {
  const MjcfSettings& settings = context.settings.main();
  if (!settings.has_medium()) return;
  for (const MjcfBody& body : tree.bodies) {
    if (body.link < 0 || !(body.inertia.mass > 1e-15)) continue;
    for (const MjcfFluidShape& shape : body.fluid_shapes) {
      model->drags.push_back({.link = body.name,
                              .X_LD = shape.X_BD,
                              .size = shape.semi_axes,
                              .medium = settings.medium,
                              .coefficients = shape.coefficients});
    }
    if (!body.fluid_shapes.empty()) continue;
    const Vector3<double> box = CalcMjcfInertiaBox(body.inertia);
    if (!box.allFinite()) {
      body.element.Throw(
          "its inertia is too large for its mass, to be dragged by a medium.");
    }
    model->drags.push_back({.link = body.name,
                            .X_LD = body.inertia.X_BI(),
                            .size = box,
                            .medium = settings.medium});
  }
}

// Gravity may be absent, or compensated for all bodies, for some, or partly.
void SetGravity(const MjcfContext& context, const MjcfTree& tree,
                ParsedModel* model) {
  const Vector3<double>& gravity = context.settings.main().gravity;
  model->has_gravity = !gravity.isZero(0);
  if (!model->has_gravity) return;
  if (gravity != MjcfSettings{}.gravity) {
    model->gravity = gravity;
    context.log->Add(
        tree.bodies[0].element.place(),
        fmt::format("gravity becomes ({}, {}, {}) m/s² for the whole plant.",
                    gravity[0], gravity[1], gravity[2]));
  }
  if (!context.settings.main().has_passive_forces()) return;
  const auto is_weightless = [](const MjcfBody& body) {
    return body.inertia.mass == 0 || body.gravity_compensation == 1;
  };
  const auto has_mass = [](const MjcfBody& body) {
    return body.inertia.mass > 0;
  };
  if (std::ranges::any_of(tree.bodies, has_mass) &&
      std::ranges::all_of(tree.bodies, is_weightless)) {
    model->has_gravity = false;
    return;
  }
  // MuJoCo applies negative fractions only if another body has a positive one.
  if (std::ranges::none_of(tree.bodies, [](const MjcfBody& body) {
        return body.gravity_compensation > 0;
      })) {
    for (const MjcfBody& body : tree.bodies) {
      if (body.gravity_compensation == 0) continue;
      body.element.Warn("gravcomp is ignored: no body has a positive one.",
                        context.log);
    }
    return;
  }
  for (const MjcfBody& body : tree.bodies) {
    if (body.link < 0 || body.inertia.mass == 0) continue;
    model->links[body.link].weight_borne = body.gravity_compensation;
  }
}

}  // namespace

ParsedModel ReadMjcf(const XmlDocument& document, const PackageMap& packages,
                     bool with_shapes, WarningLog* log) {
  const MjcfDocument all(document, packages.file_record());
  RequireKnownSections(all, log);
  WarnOfUnknownMjcf(all.root(), log);
  const MjcfSettingsOfModels settings(all, log);
  const MjcfDefaults defaults(all);
  const MjcfAssets assets(all, defaults, settings, packages);
  const MjcfContext context{.settings = settings,
                            .defaults = defaults,
                            .assets = assets,
                            .paired = FindPairedGeoms(all),
                            .with_shapes = with_shapes,
                            .log = log};
  ParsedModel model;
  model.name = ReadName(document, log);
  MjcfTree tree = ReadMjcfTree(all, context, &model);
  AlignFreeBodies(&tree, &model);
  SetInertias(context, &tree, &model);
  SetGravity(context, tree, &model);
  AddDrags(context, tree, &model);
  SetMjcfSpringDampers(settings.main(), tree, &model);
  ReadMjcfTendons(all, context, tree, &model);
  ReadMjcfEqualities(all, context, tree, &model);
  ReadMjcfActuators(all, context, tree, &model);
  ReadMjcfContact(all, context, tree, &model);
  ReadMjcfKeyframe(all, tree, log, &model);
  return model;
}

}  // namespace wyvern::multibody::internal
