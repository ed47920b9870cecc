// A body has the joints that lie in it, in their order the first nearest to the
// parent: X_PB(q) = X_PB T1(q1) T2(q2) ..., each T about a place and axis in
// the body's own frame. Between two of them is a body without mass, "<body>0",
// "<body>1", .... A body without joints is welded to its parent, and one with a
// free joint is free. q is as MuJoCo counts it: at rest it is the joint's ref,
// so F is turned back by that much.
#include "wyvern/multibody/parsing/mjcf_chains.h"

#include <fmt/format.h>

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

ParsedJointType ToParsedType(MjcfJointKind kind) {
  switch (kind) {
    case MjcfJointKind::kBall:
      return ParsedJointType::kQuaternionBall;
    case MjcfJointKind::kHinge:
      return ParsedJointType::kRevolute;
    case MjcfJointKind::kSlide:
      return ParsedJointType::kPrismatic;
    case MjcfJointKind::kFree:
      break;
  }
  return ParsedJointType::kFloating;
}

}  // namespace

void MjcfChains::Add(int body, const std::vector<MjcfJoint>& joints,
                     const RigidTransform<double>& X_PB) {
  tree_.bodies[body].has_joints = !joints.empty();
  if (joints.empty()) return Weld(body, X_PB);
  for (const MjcfJoint& joint : joints) {
    if (joint.kind == MjcfJointKind::kFree) return AddFree(body, joints, X_PB);
  }
  AddChain(body, joints, X_PB);
}

const std::string& MjcfChains::ParentName(int body) const {
  return tree_.bodies[tree_.bodies[body].parent].name;
}

void MjcfChains::Weld(int body, const RigidTransform<double>& X_PB) {
  const std::string& child = tree_.bodies[body].name;
  ParsedJoint joint;
  joint.name =
      joint_names_.Make(fmt::format("{}_welds_to_{}", ParentName(body), child));
  joint.type = ParsedJointType::kFixed;
  joint.parent = ParentName(body);
  joint.child = child;
  joint.X_PF = X_PB;
  model_.joints.push_back(std::move(joint));
}

// The plant itself makes the joint of a free body; one with forces at the
// joint has its own, between the same frames.
void MjcfChains::AddFree(int body, const std::vector<MjcfJoint>& joints,
                         const RigidTransform<double>& X_WB) {
  const MjcfJoint& joint = joints[0];
  if (joints.size() > 1 || tree_.bodies[body].parent != 0) {
    joint.element.Throw(
        "a free joint must be its body's only one, and the body in the "
        "world.");
  }
  const std::string& child = tree_.bodies[body].name;
  MjcfMovement& added = tree_.joints.emplace_back(MjcfMovement{joint, body});
  added.joint.name = joint_names_.Take(joint.element, child);
  if (joint.damping != 0 || joint.armature != 0 || joint.friction != 0) {
    added.index = static_cast<int>(model_.joints.size());
    AddFloating(body, added.joint);
  }
  SetMjcfFreePose(added, tree_, X_WB, &model_);
}

void MjcfChains::AddFloating(int body, const MjcfJoint& joint) {
  ParsedJoint floating;
  floating.name = joint.name;
  floating.type = ParsedJointType::kFloating;
  floating.parent = kWorldName;
  floating.child = tree_.bodies[body].name;
  floating.damping.setConstant(joint.damping);
  floating.armature = joint.armature;
  floating.friction = joint.friction;
  model_.joints.push_back(std::move(floating));
}

void MjcfChains::AddChain(int body, const std::vector<MjcfJoint>& joints,
                          const RigidTransform<double>& X_PB) {
  const std::string last = tree_.bodies[body].name;
  std::string parent = ParentName(body);
  for (std::size_t k = 0; k < joints.size(); ++k) {
    std::string child = last;
    if (k + 1 < joints.size()) {
      child = body_names_.Make(fmt::format("{}{}", last, k));
      model_.links.push_back(ParsedLink{.name = child});
    }
    AddJoint(body, joints[k], parent, child,
             k == 0 ? X_PB : RigidTransform<double>());
    parent = child;
  }
}

void MjcfChains::AddJoint(int body, const MjcfJoint& read,
                          const std::string& parent, const std::string& child,
                          const RigidTransform<double>& X_PB) {
  MjcfMovement& added = tree_.joints.emplace_back(MjcfMovement{read, body});
  MjcfJoint& from = added.joint;
  from.name =
      joint_names_.Take(from.element, fmt::format("{}-{}", parent, child));
  added.index = static_cast<int>(model_.joints.size());
  ParsedJoint joint;
  joint.name = from.name;
  joint.place = from.element.place();
  joint.type = ToParsedType(from.kind);
  joint.parent = parent;
  joint.child = child;
  const RigidTransform<double> X_BM(from.position);
  joint.X_PF = X_PB * X_BM;
  joint.X_CM = X_BM;
  joint.axis = from.axis;
  joint.damping.setConstant(from.damping);
  joint.friction = from.friction;
  joint.armature = from.armature;
  if (from.HasOneDof()) {
    joint.X_PF = *joint.X_PF * from.Motion(-from.reference);
    joint.lower = from.lower;
    joint.upper = from.upper;
    joint.effort = from.effort;
    joint.spring_stiffness = from.stiffness;
    joint.spring_reference = from.spring_reference;
    joint.default_positions = VectorX<double>::Constant(1, from.reference);
  } else if (std::isfinite(from.upper)) {
    model_.rotation_limits.push_back({joint.name, from.upper});
  }
  model_.joints.push_back(std::move(joint));
}

}  // namespace wyvern::multibody::internal
