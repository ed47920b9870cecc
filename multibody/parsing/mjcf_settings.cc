#include "wyvern/multibody/parsing/mjcf_settings.h"

#include <algorithm>
#include <initializer_list>
#include <numbers>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_element.h"

/* <compiler> and <option> of MJCF. Either may be there several times; what
comes later counts. What is only about MuJoCo's own solver, such as its time
step, is passed over: a plant has its own. A model that is attached keeps its
<compiler>, by the text that its elements are in. */

namespace wyvern::multibody::internal {

namespace {

void ReadEulerSequence(const XmlElement& compiler, MjcfSettings* result) {
  const auto text = compiler.Attribute("eulerseq");
  if (!text.has_value()) return;
  if (text->size() != 3 ||
      text->find_first_not_of("xyzXYZ") != std::string_view::npos) {
    compiler.Throw(fmt::format(
        "eulerseq=\"{}\" is not three letters of x, y, z, X, Y, Z.", *text));
  }
  result->eulerseq = *text;
}

void ReadAngle(const XmlElement& compiler, MjcfSettings* result) {
  const auto text = compiler.Attribute("angle");
  if (!text.has_value()) return;
  if (*text != "degree" && *text != "radian") {
    compiler.Throw(
        fmt::format("angle=\"{}\" is neither degree nor radian.", *text));
  }
  result->angle = *text == "radian" ? 1 : std::numbers::pi / 180;
}

void ReadInertiaSource(const XmlElement& compiler, MjcfSettings* result) {
  using enum MjcfSettings::InertiaFrom;
  const auto text = compiler.Attribute("inertiafromgeom");
  if (!text.has_value()) return;
  if (*text == "auto") {
    result->inertia_from = kInertialOrGeoms;
  } else {
    result->inertia_from =
        ReadMjcfFlag(compiler, "inertiafromgeom", false) ? kGeoms : kInertial;
  }
}

void ReadCompiler(const XmlElement& compiler, WarningLog* log,
                  MjcfSettings* result) {
  const MjcfElement element(compiler, {});
  ReadAngle(compiler, result);
  ReadEulerSequence(compiler, result);
  ReadInertiaSource(compiler, result);
  if (element.Text("coordinate", "local") != "local") {
    compiler.Throw(
        "global coordinates are not read, as MuJoCo does no longer; give "
        "local ones.");
  }
  result->autolimits = element.Flag("autolimits", result->autolimits);
  result->strippath = element.Flag("strippath", result->strippath);
  result->meshdir =
      element.Text("meshdir", element.Text("assetdir", result->meshdir));
  result->inertia_groups =
      element.Numbers("inertiagrouprange", result->inertia_groups);
  result->balance_inertia =
      element.Flag("balanceinertia", result->balance_inertia);
  result->bound_mass = element.NotNegative("boundmass", result->bound_mass);
  result->bound_inertia =
      element.NotNegative("boundinertia", result->bound_inertia);
  result->total_mass = element.Number("settotalmass", result->total_mass);
  result->merges_options = element.Text("conflict") == "merge";
  if (element.Flag("exactmeshinertia", false)) {
    compiler.Warn(
        "exactmeshinertia is ignored, as by new versions of MuJoCo; give "
        "meshes inertia=\"exact\".",
        log);
  }
  result->aligns_free = element.Flag("alignfree", result->aligns_free);
  result->fits_boxes = element.Flag("fitaabb", result->fits_boxes);
}

// Whether a flag is on; `by_default`, most are.
bool IsFlagOn(const XmlElement& flag, std::string_view name,
              bool by_default = true) {
  const std::string_view text =
      flag.Attribute(name).value_or(by_default ? "enable" : "disable");
  if (text != "enable" && text != "disable") {
    flag.Throw(
        fmt::format("{}=\"{}\" is neither enable nor disable.", name, text));
  }
  return text == "enable";
}

void ReadFlags(const XmlElement& flag, MjcfSettings* result) {
  for (const char* const name : {"actuation", "filterparent", "clampctrl"}) {
    if (IsFlagOn(flag, name)) continue;
    flag.Throw(fmt::format("{}=\"disable\" is not modelled; remove it.", name));
  }
  const bool has_rows = IsFlagOn(flag, "constraint");
  const bool is_passive = IsFlagOn(flag, "passive");
  const auto turn = [&](bool* value, std::string_view name, bool all) {
    *value = *value && all && IsFlagOn(flag, name);
  };
  turn(&result->has_contact, "contact", has_rows);
  turn(&result->has_limits, "limit", has_rows);
  turn(&result->has_friction, "frictionloss", has_rows);
  turn(&result->has_equalities, "equality", has_rows);
  turn(&result->has_springs, "spring", is_passive);
  turn(&result->has_damping, "damper", is_passive);
  if (!IsFlagOn(flag, "gravity")) result->gravity.setZero();
  result->overrides_friction =
      IsFlagOn(flag, "override", result->overrides_friction);
}

// Reads the contact properties for the flag `override`, which may come later.
void ReadContactFriction(const MjcfElement& option, MjcfSettings* result) {
  const VectorX<double> friction = option.Numbers(
      "o_friction",
      Eigen::Vector<double, 5>(result->friction, 1, 0.005, 0.0001, 0.0001));
  if (friction.minCoeff() < 0) {
    option.Throw("a coefficient of friction, o_friction, is negative.");
  }
  result->friction = friction[0];
}

void ReadOption(const MjcfNode& node, WarningLog* log, MjcfSettings* result) {
  const MjcfElement option(node.element, {});
  ReadContactFriction(option, result);
  result->gravity = option.Triple("gravity", result->gravity);
  FluidMedium& medium = result->medium;
  medium.density = option.NotNegative("density", medium.density);
  medium.viscosity = option.NotNegative("viscosity", medium.viscosity);
  medium.wind = option.Triple("wind", medium.wind);
  if (option.Text("collision", "all") != "all") {
    node.element.Warn(
        "collision is ignored, as by new versions of MuJoCo: what touches is "
        "as masks and pairs say.",
        log);
  }
  if (option.Has("actuatorgroupdisable")) {
    option.Throw(
        "actuatorgroupdisable is not modelled; leave these actuators out.");
  }
  for (const MjcfNode& child : node.children) {
    if (child.IsNamed("flag")) ReadFlags(child.element, result);
  }
}

void ReadCompilers(const MjcfDocument& document, WarningLog* log,
                   MjcfSettings* result) {
  result->angle = std::numbers::pi / 180;
  result->folder = document.folder();
  for (const MjcfNode* const compiler : document.Sections("compiler")) {
    ReadCompiler(compiler->element, log, result);
  }
}

constexpr bool MjcfSettings::*kFlags[] = {
    &MjcfSettings::has_contact,  &MjcfSettings::has_limits,
    &MjcfSettings::has_friction, &MjcfSettings::has_springs,
    &MjcfSettings::has_damping,  &MjcfSettings::has_equalities};

void TakeOptions(const MjcfSettings& from, MjcfSettings* result) {
  result->gravity = from.gravity;
  result->medium = from.medium;
  result->overrides_friction = from.overrides_friction;
  result->friction = from.friction;
  for (bool MjcfSettings::*const flag : kFlags) result->*flag = from.*flag;
}

// Copies settings of an attached model that `result` leaves at their defaults.
void Merge(const MjcfSettings& attached, MjcfSettings* result) {
  if (result->gravity == MjcfSettings{}.gravity) {
    result->gravity = attached.gravity;
  }
  FluidMedium& medium = result->medium;
  if (medium.density == 0) medium.density = attached.medium.density;
  if (medium.viscosity == 0) medium.viscosity = attached.medium.viscosity;
  if (medium.wind.isZero(0)) medium.wind = attached.medium.wind;
  if (!result->overrides_friction && attached.overrides_friction) {
    result->overrides_friction = true;
    result->friction = attached.friction;
  }
  for (bool MjcfSettings::*const flag : kFlags) {
    result->*flag = result->*flag && attached.*flag;
  }
}

void WarnOfOptions(const MjcfDocument& model, WarningLog* log) {
  for (const MjcfNode* const option : model.Sections("option")) {
    const XmlElement& element = option->element;
    const bool is_heard = !option->children.empty() ||
                          std::ranges::any_of(
                              std::initializer_list<const char*>{
                                  "gravity", "density", "viscosity", "wind"},
                              [&element](const char* name) {
                                return element.Attribute(name).has_value();
                              });
    if (!is_heard) continue;
    log->Add(element.place(),
             "the options of a model that is attached are not taken; those of "
             "the one that it is attached to count.");
  }
}

MjcfSettings ReadSettings(const MjcfDocument& document, WarningLog* log) {
  MjcfSettings result;
  ReadCompilers(document, log, &result);
  for (const MjcfNode* const option : document.Sections("option")) {
    ReadOption(*option, log, &result);
  }
  for (const MjcfAttachment& attachment : document.attachments()) {
    if (result.merges_options) {
      Merge(ReadSettings(*attachment.model, log), &result);
    } else {
      WarnOfOptions(*attachment.model, log);
    }
  }
  return result;
}

}  // namespace

MjcfSettingsOfModels::MjcfSettingsOfModels(const MjcfDocument& document,
                                           WarningLog* log) {
  all_.emplace_back(&document, ReadSettings(document, log));
  AddModelsOf(document, log);
  if (!main().has_contact) {
    log->Add(document.root().element.place(),
             "contact is disabled: no shape of this file touches anything.");
  }
}

void MjcfSettingsOfModels::AddModelsOf(const MjcfDocument& document,
                                       WarningLog* log) {
  for (const MjcfAttachment& attachment : document.attachments()) {
    MjcfSettings settings;
    ReadCompilers(*attachment.model, log, &settings);
    TakeOptions(main(), &settings);
    all_.emplace_back(attachment.model, settings);
    AddModelsOf(*attachment.model, log);
  }
}

const MjcfSettings& MjcfSettingsOfModels::Of(const XmlElement& element) const {
  const auto found = std::ranges::find_if(
      all_, [&element](const auto& one) { return one.first->Wrote(element); });
  return found == all_.end() ? main() : found->second;
}

}  // namespace wyvern::multibody::internal
