#include "wyvern/multibody/parsing/mjcf_actuator.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_keyframe.h"
#include "wyvern/multibody/parsing/mjcf_names.h"
#include "wyvern/multibody/parsing/mjcf_servo.h"
#include "wyvern/multibody/parsing/mjcf_tendon.h"

/* Actuators of hinges, slides and tendons; a joint may have several. The joints
of a fixed tendon that move as one count as the first of them. MuJoCo's force
acts through a gear. Its input u is a torque, a position or a velocity before
the gear, depending on the law. A plant's actuator takes the force at the
joint and, if it is a servo, the joint's position and velocity. Gains and
limits are therefore those at the joint: p = -bias[1] gear², d = -bias[2]
gear². A muscle acts as a motor of a tendon, even on one joint, where several
muscles may pull; its law is handed on. */

namespace wyvern::multibody::internal {

namespace {

const std::vector<std::string_view> kForms{
    "general",     "motor",   "position", "velocity", "damper",
    "intvelocity", "muscle",  "cylinder", "adhesion", "orientation",
    "pid",         "dcmotor", "plugin"};

/** Reads the actuators one by one. */
class ActuatorReader {
 public:
  ActuatorReader(const MjcfDocument& document, const MjcfContext& context,
                 const MjcfTree& tree, ParsedModel* model)
      : document_(document),
        context_(context),
        tree_(tree),
        model_(*model),
        names_(document.root(), {kForms.begin(), kForms.end()}) {
    for (const MjcfNode* const key : document.Contents("keyframe")) {
      if (key->element.Attribute("qpos").has_value()) has_key_positions_ = true;
    }
  }

  /** @param control the actuator's input in the model's key, if there is one.
   */
  void Read(const XmlElement& nameless, std::optional<double> control) {
    if (std::ranges::find(kForms, nameless.name()) == kForms.end()) {
      nameless.Throw(
          fmt::format("there is no actuator <{}>.", nameless.name()));
    }
    ParsedActuator result;
    result.name = names_.Take(nameless, fmt::format("{}{}", nameless.name(),
                                                    model_.actuators.size()));
    const MjcfElement element = context_.defaults.Apply(
        nameless.About(fmt::format("actuator '{}'", result.name)), {}, kForms);
    const MjcfServo servo = ReadMjcfServo(element);
    if (servo.dynamics != "none") {
      element.own().Warn(
          fmt::format(
              "the dynamics of its activation, {}, are left out: the "
              "input ports take the activation; give them {} input.",
              servo.dynamics,
              servo.dynamics == "integrator" ? "an integrated" : "a filtered"),
          context_.log);
    }
    MjcfPull pull = ReadPull(element);
    if (servo.muscle.has_value() && pull.moved != nullptr) {
      pull.terms = {{pull.moved->joint.name, pull.coefficient}};
      pull.moved = nullptr;
    }
    if (pull.moved == nullptr) {
      ReadAtTendon(element, servo, pull, std::move(result), control);
      return;
    }
    const MjcfMovement& moved = *pull.moved;
    if (pull.is_shared && servo.damping_ratio > 0) {
      element.Throw("dampratio at several joints is not modelled; give kv.");
    }
    result.joint = moved.joint.name;
    const double gear = element.Numbers("gear", Gear())[0] * pull.coefficient;
    result.effort_limit = ReadLimit(element, servo, gear, moved.joint.effort);
    if (IsWithoutForce(element, gear, result)) return;
    ReadRotor(element, gear, moved, &result);
    double felt = 0;
    if (servo.damping_ratio > 0) {
      felt = CalcInertiaFelt(moved) / (gear * gear) +
             element.NotNegative("armature", 0);
    }
    ReadGains(element, servo, gear, felt, &result);
    result.home_force = CalcHomeForce(element, servo, gear, control);
    Add(element, std::move(result));
  }

  // A plant wants gains of all actuators of a model or of none: a motor among
  // servos is a servo without gains.
  void CompleteGains() {
    const auto has_gains = [](const ParsedActuator& actuator) {
      return actuator.gains.has_value();
    };
    if (std::ranges::none_of(model_.actuators, has_gains)) return;
    for (ParsedActuator& actuator : model_.actuators) {
      if (has_gains(actuator)) continue;
      actuator.gains = ParsedActuator::Gains{};
      const auto pull = pulls_.find(actuator.name);
      if (pull == pulls_.end()) continue;
      RequireTwoTrees(pull->second,
                      "a motor of a tendon, in a model that has servos,");
    }
  }

 private:
  // A tendon may have several actuators.
  void ReadAtTendon(const MjcfElement& element, const MjcfServo& servo,
                    const MjcfPull& pull, ParsedActuator result,
                    std::optional<double> control) {
    const double gear = element.Numbers("gear", Gear())[0];
    result.effort_limit =
        ReadLimit(element, servo, gear, ParsedJoint::kInfinity);
    if (IsWithoutForce(element, gear, result)) return;
    for (const char* const attribute : {"armature", "damping"}) {
      if (element.NotNegative(attribute, 0) == 0) continue;
      element.Throw(fmt::format(
          "{} of an actuator of a tendon is not modelled; give it to the "
          "joints.",
          attribute));
    }
    if (pull.path != nullptr && servo.damping_ratio > 0) {
      element.Throw(
          "dampratio of an actuator along a spatial tendon is not modelled; "
          "give kv.");
    }
    double felt = 0;
    for (const auto& [joint, coefficient] : pull.terms) {
      const MjcfMovement& moved = *tree_.FindJoint(joint);
      if (std::isfinite(moved.joint.effort)) {
        element.own().Warn(
            fmt::format("actuatorfrcrange of joint '{}' does not limit the "
                        "force of the tendon; give the actuator a forcerange.",
                        joint),
            context_.log);
      }
      const double moment = gear * coefficient;
      if (servo.damping_ratio == 0 || moment * moment < 1e-15) continue;
      felt += CalcInertiaFelt(moved) / (moment * moment);
    }
    if (servo.muscle.has_value()) {
      ReadMuscle(element, *servo.muscle, gear, control, &result);
    } else {
      ReadGains(element, servo, gear, felt, &result);
      result.home_force = CalcHomeForce(element, servo, gear, control);
    }
    const Pulled pulled{element, pull.terms,
                        pull.path == nullptr
                            ? std::vector<ParsedTendonSegment>{}
                            : pull.path->segments};
    if (result.gains.has_value()) {
      RequireTwoTrees(pulled, "a servo of a tendon");
    }
    pulls_.emplace(result.name, pulled);
    result.terms = pull.terms;
    if (pull.path != nullptr) result.tendon = pull.path->name;
    model_.actuators.push_back(std::move(result));
  }

  // An actuator of a tendon.
  struct Pulled {
    MjcfElement element;
    std::vector<ParsedTendonTerm> terms;
    std::vector<ParsedTendonSegment> segments;
  };

  void RequireTwoTrees(const Pulled& pulled, std::string_view what) const {
    internal::RequireTwoTrees(pulled.element, what, tree_, pulled.terms);
    internal::RequireTwoTrees(pulled.element, what, tree_, pulled.segments);
  }

  void ReadMuscle(const MjcfElement& element, MuscleProperties muscle,
                  double gear, std::optional<double> control,
                  ParsedActuator* result) {
    const Vector2<double> lengths =
        element.Numbers("lengthrange", Vector2<double>::Zero());
    if (lengths.isZero(0)) {
      element.Throw(
          "the muscle has no lengthrange; give the shortest and the longest "
          "length of what it pulls, as MuJoCo's compiled model has them.");
    }
    muscle.length_range = lengths;
    muscle.gear = gear;
    const bool autolimits = context_.settings.Of(element.own()).autolimits;
    if (element.IsLimited("ctrllimited", "ctrlrange", autolimits)) {
      muscle.control_range = element.Range("ctrlrange");
    }
    const std::string fault = FindMuscleFault(muscle);
    if (!fault.empty()) element.Throw("the muscle's " + fault);
    if (muscle.peak_force < 0 && has_key_positions_) {
      element.own().Warn(
          "the muscle's force follows from masses at the default positions, "
          "and a key of the file moves these; give force.",
          context_.log);
    }
    if (!has_muscles_) {
      element.own().Warn(
          "the muscle, like all muscles of the file, takes a force. A "
          "MuscleActuation makes the force from the excitation; the command "
          "wyvern adds one, programs connect their own.",
          context_.log);
    }
    has_muscles_ = true;
    result->home_excitation = CalcExcitation(muscle, control.value_or(0));
    result->muscle = muscle;
  }

  // Computes the force at position and velocity 0. An integrated input is a
  // rate, which says nothing about the force.
  std::optional<double> CalcHomeForce(const MjcfElement& element,
                                      const MjcfServo& servo, double gear,
                                      std::optional<double> control) const {
    if (!control.has_value() || servo.dynamics == "integrator") return {};
    return gear * (servo.gain * Clamp(element, *control) + servo.bias[0]);
  }

  bool IsWithoutForce(const MjcfElement& element, double gear,
                      const ParsedActuator& actuator) const {
    if (gear != 0 && actuator.effort_limit != 0) return false;
    element.own().Warn(
        "the actuator is left out: its gear is 0, or its forces are limited "
        "to 0.",
        context_.log);
    return true;
  }

  double CalcInertiaFelt(const MjcfMovement& moved) const {
    return tree_.CalcInertiaFelt(moved) + moved.joint.armature;
  }

  // A plant's joint has one actuator. The forces of several actuators add up,
  // and so do their gains: p1 (q1 - q) + p2 (q2 - q) = (p1 + p2) (qd - q).
  void Add(const MjcfElement& element, ParsedActuator added) {
    const auto found = std::ranges::find(model_.actuators, added.joint,
                                         &ParsedActuator::joint);
    if (found == model_.actuators.end()) {
      model_.actuators.push_back(std::move(added));
      return;
    }
    ParsedActuator& first = *found;
    element.own().Warn(
        fmt::format("joint '{}' has the actuator '{}' already, and the two "
                    "become one, '{}', with the sum of their gains and of "
                    "their limits; give it the sum of their forces, and the "
                    "mean by gains of their desired positions and velocities.",
                    first.joint, first.name, first.name),
        context_.log);
    const double rotor =
        first.gear_ratio * first.gear_ratio * first.rotor_inertia +
        added.gear_ratio * added.gear_ratio * added.rotor_inertia;
    const double ratio = first.gear_ratio * first.gear_ratio;
    if (std::isfinite(rotor / ratio)) {
      first.rotor_inertia = rotor / ratio;
    } else {
      first.gear_ratio = 1;
      first.rotor_inertia = rotor;
    }
    const double limit = tree_.FindJoint(first.joint)->joint.effort;
    first.effort_limit =
        std::min(limit, first.effort_limit + added.effort_limit);
    if (added.home_force.has_value()) {
      first.home_force = first.home_force.value_or(0) + *added.home_force;
    }
    if (!added.gains.has_value()) return;
    if (!first.gains.has_value()) first.gains.emplace();
    first.gains->p += added.gains->p;
    first.gains->d += added.gains->d;
  }

  // As in MuJoCo, an input stays within its range.
  double Clamp(const MjcfElement& element, double control) const {
    const bool autolimits = context_.settings.Of(element.own()).autolimits;
    if (!element.IsLimited("ctrllimited", "ctrlrange", autolimits)) {
      return control;
    }
    const Vector2<double> range = element.Range("ctrlrange");
    return std::clamp(control, range[0], range[1]);
  }

  static VectorX<double> Gear() { return VectorX<double>::Unit(6, 0); }

  MjcfPull ReadPull(const MjcfElement& element) const {
    const auto found = element.OneOf(
        {"joint", "jointinparent", "tendon", "site", "body", "cranksite"});
    if (!found.has_value() || found->second == "site" ||
        found->second == "body" || found->second == "cranksite") {
      element.Throw(
          "an actuator that acts neither on a joint nor on a tendon is not "
          "modelled; name one.");
    }
    const std::string name(found->first.RequiredAttribute(found->second));
    if (found->second == "tendon") {
      return FindMjcfPull(element, name, document_, tree_, model_);
    }
    return {.moved = &RequireMjcfJoint(element, name, tree_)};
  }

  // Returns the limit on the force at the joint or the tendon, at most `most`;
  // of an uneven range the larger.
  double ReadLimit(const MjcfElement& element, const MjcfServo& servo,
                   double gear, double most) const {
    const bool autolimits = context_.settings.Of(element.own()).autolimits;
    double result = most;
    const auto bound = [&](const char* range, double factor) {
      const Vector2<double> ends = element.Range(range);
      if (ends[0] != -ends[1]) {
        element.own().Warn(fmt::format("{} is not even: the larger bound is "
                                       "taken on both sides.",
                                       range),
                           context_.log);
      }
      result = std::min(result, factor * ends.cwiseAbs().maxCoeff());
    };
    if (element.IsLimited("forcelimited", "forcerange", autolimits)) {
      bound("forcerange", std::abs(gear));
    }
    if (servo.bias.isZero(0) && servo.damping_ratio == 0 &&
        !servo.muscle.has_value()) {
      const bool integrates = servo.dynamics == "integrator";
      const char* const range = integrates ? "actrange" : "ctrlrange";
      if (element.IsLimited(integrates ? "actlimited" : "ctrllimited", range,
                            autolimits)) {
        bound(range, std::abs(gear * servo.gain));
      }
    }
    return result;
  }

  // The joint's own armature goes to its first actuator.
  void ReadRotor(const MjcfElement& element, double gear,
                 const MjcfMovement& moved, ParsedActuator* result) {
    ParsedJoint& joint = model_.joints[moved.index];
    if (context_.settings.main().has_damping) {
      joint.damping.array() += element.NotNegative("damping", 0) * gear * gear;
    }
    double felt = element.NotNegative("armature", 0) * gear * gear;
    if (actuated_.insert(moved.index).second) felt += joint.armature;
    joint.armature = 0;
    const double rotor = felt / (gear * gear);
    if (std::isfinite(rotor)) {
      result->gear_ratio = gear;
      result->rotor_inertia = rotor;
    } else {
      result->rotor_inertia = felt;
    }
  }

  // `felt` is the inertia before the gear.
  void ReadGains(const MjcfElement& element, const MjcfServo& servo,
                 double gear, double felt, ParsedActuator* result) const {
    if (servo.bias[0] != 0 && servo.bias[1] == 0) {
      element.Throw("a constant force is not modelled; give it as an input.");
    }
    double damping = -servo.bias[2];
    if (servo.damping_ratio > 0) {
      damping = 2 * servo.damping_ratio * std::sqrt(servo.gain * felt);
    }
    if (servo.bias[1] == 0 && damping == 0) return;
    result->gains = ParsedActuator::Gains{.p = -servo.bias[1] * gear * gear,
                                          .d = damping * gear * gear};
    if (!std::isfinite(result->gains->p) || !std::isfinite(result->gains->d)) {
      element.Throw("the gains at the joint are too large; give smaller ones.");
    }
  }

  const MjcfDocument& document_;
  const MjcfContext& context_;
  const MjcfTree& tree_;
  ParsedModel& model_;
  MjcfNames names_;
  // By index of the joint.
  std::set<int> actuated_;
  // By name of the actuator.
  std::map<std::string, Pulled> pulls_;
  bool has_key_positions_{false};
  bool has_muscles_{false};
};

}  // namespace

void ReadMjcfActuators(const MjcfDocument& document, const MjcfContext& context,
                       const MjcfTree& tree, ParsedModel* model) {
  ActuatorReader reader(document, context, tree, model);
  const auto nodes = document.Contents("actuator");
  const std::optional<std::vector<double>> controls = ReadMjcfKeyControls(
      document, static_cast<int>(nodes.size()), context.log);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    reader.Read(nodes[i]->element, controls.has_value()
                                       ? std::optional((*controls)[i])
                                       : std::nullopt);
  }
  reader.CompleteGains();
}

}  // namespace wyvern::multibody::internal
