#include "wyvern/multibody/parsing/conversion/unique_names.h"

#include <map>
#include <set>

#include <fmt/format.h>

namespace wyvern::multibody::internal {

namespace {

using Renames = std::map<std::string, std::string>;

void RenameIn(const Renames& renames, std::string* name) {
  const auto found = renames.find(*name);
  if (found != renames.end()) *name = found->second;
}

void RenameReferences(const Renames& joints, const Renames& frames,
                      ParsedModel* model) {
  for (ParsedJoint& joint : model->joints) {
    RenameIn(joints, &joint.name);
    if (joint.mimic.has_value()) RenameIn(joints, &joint.mimic->joint);
  }
  for (ParsedActuator& actuator : model->actuators) {
    RenameIn(joints, &actuator.joint);
    for (ParsedTendonTerm& term : actuator.terms) RenameIn(joints, &term.joint);
  }
  for (ParsedCoupler& coupler : model->couplers) {
    RenameIn(joints, &coupler.joint0);
    RenameIn(joints, &coupler.joint1);
  }
  for (ParsedTendon& tendon : model->tendons) {
    for (ParsedTendon::Term& term : tendon.terms) RenameIn(joints, &term.joint);
  }
  for (ParsedPolynomial& one : model->polynomials) {
    RenameIn(joints, &one.joint0);
    RenameIn(joints, &one.joint1);
  }
  for (ParsedRotationLimit& limit : model->rotation_limits) {
    RenameIn(joints, &limit.joint);
  }
  for (ParsedBushing& bushing : model->bushings) {
    RenameIn(frames, &bushing.frame_A);
    RenameIn(frames, &bushing.frame_C);
  }
}

}  // namespace

std::vector<std::string> MakeJointNamesUnique(ParsedModel* model) {
  std::set<std::string> others;
  for (const ParsedLink& link : model->links) others.insert(link.name);
  for (const ParsedFrame& frame : model->frames) others.insert(frame.name);
  std::set<std::string> taken = others;
  for (const ParsedJoint& joint : model->joints) taken.insert(joint.name);
  std::vector<std::string> sentences;
  Renames joints, frames;
  for (const ParsedJoint& joint : model->joints) {
    if (!others.contains(joint.name)) continue;
    std::string name = joint.name + "_joint";
    // The joint's name also names its frames.
    const auto is_free = [&taken](const std::string& tried) {
      return !taken.contains(tried) && !taken.contains(tried + "_parent") &&
             !taken.contains(tried + "_child");
    };
    for (int i = 2; !is_free(name); ++i) {
      name = fmt::format("{}_joint{}", joint.name, i);
    }
    taken.insert(name);
    joints[joint.name] = name;
    frames[joint.name + "_parent"] = name + "_parent";
    frames[joint.name + "_child"] = name + "_child";
    sentences.push_back(fmt::format(
        "joint '{}' is called '{}' in the new file: SDFormat has one name for "
        "one element, and a link or frame has this one.",
        joint.name, name));
  }
  RenameReferences(joints, frames, model);
  return sentences;
}

}  // namespace wyvern::multibody::internal
