#include "wyvern/multibody/parsing/mjcf_keyframe.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_defaults.h"
#include "wyvern/multibody/parsing/mjcf_element.h"
#include "wyvern/multibody/parsing/mjcf_pose.h"

/* A key lists the positions of all joints in their order in the file: of a
hinge or slide one, of a ball a quaternion, of a free joint position and
quaternion. A model that is attached has its own key, whose positions go with
the joints that are attached, and count if the document itself has no key. */

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

int NumPositions(MjcfJointKind kind) {
  switch (kind) {
    case MjcfJointKind::kFree:
      return 7;
    case MjcfJointKind::kBall:
      return 4;
    case MjcfJointKind::kHinge:
    case MjcfJointKind::kSlide:
      break;
  }
  return 1;
}

// Normalizes a quaternion; as in MuJoCo, one of length 0 does not turn.
Vector4<double> Unit(const XmlElement& key, const Vector4<double>& wxyz) {
  if (wxyz.isZero(0)) return Vector4<double>(1, 0, 0, 0);
  const Eigen::Quaternion<double> q = ToMjcfRotation(key, wxyz).ToQuaternion();
  return Vector4<double>(q.w(), q.x(), q.y(), q.z());
}

RigidTransform<double> ReadFreePose(const XmlElement& key,
                                    const VectorX<double>& q) {
  return {ToMjcfRotation(key, Unit(key, q.tail<4>())),
          Vector3<double>(q.head<3>())};
}

void SetPositions(const XmlElement& key, const MjcfMovement& moved,
                  const MjcfTree& tree, const VectorX<double>& q,
                  ParsedModel* model) {
  if (moved.joint.kind == MjcfJointKind::kFree) {
    SetMjcfFreePose(moved, tree, ReadFreePose(key, q), model);
  } else if (moved.joint.kind == MjcfJointKind::kBall) {
    model->joints[moved.index].default_positions = Unit(key, q);
  } else {
    model->joints[moved.index].default_positions = q;
  }
}

std::optional<XmlElement> FindKey(const MjcfDocument& document) {
  std::optional<XmlElement> result;
  for (const MjcfNode* const node : document.Contents("keyframe")) {
    const bool is_home = node->element.Attribute("name") == "home";
    if (!result.has_value() || is_home) result = node->element;
    if (is_home) break;
  }
  return result;
}

std::vector<double> ReadPositions(const XmlElement& key) {
  if (!key.Attribute("qpos").has_value()) return {};
  return ReadMjcfNumbers(key, "qpos", std::string_view::npos);
}

// The key places mocap bodies, in the order of the bodies.
void SetMocapPoses(const XmlElement& key, const MjcfTree& tree, WarningLog* log,
                   ParsedModel* model) {
  std::vector<ParsedJoint*> welds;
  for (const MjcfBody& body : tree.bodies) {
    if (!body.is_mocap || body.parent != 0 || body.has_joints) continue;
    welds.push_back(
        &*std::ranges::find(model->joints, body.name, &ParsedJoint::child));
  }
  const auto read = [&](const char* attribute, std::size_t size) {
    std::vector<double> result;
    if (!key.Attribute(attribute).has_value()) return result;
    result = ReadMjcfNumbers(key, attribute, std::string_view::npos);
    if (result.size() == size * welds.size()) return result;
    log->Add(key.place(),
             fmt::format("{} of the key is left out: it has {} numbers, and "
                         "{} mocap bodies have {} each.",
                         attribute, result.size(), welds.size(), size));
    return std::vector<double>{};
  };
  const std::vector<double> places = read("mpos", 3);
  const std::vector<double> turns = read("mquat", 4);
  for (std::size_t i = 0; i < welds.size(); ++i) {
    RigidTransform<double> X_WB =
        welds[i]->X_PF.value_or(RigidTransform<double>());
    if (!places.empty()) {
      X_WB.set_translation(Eigen::Map<const Vector3<double>>(&places[3 * i]));
    }
    if (!turns.empty()) {
      const Vector4<double> wxyz =
          Eigen::Map<const Vector4<double>>(&turns[4 * i]);
      X_WB.set_rotation(ToMjcfRotation(key, Unit(key, wxyz)));
    }
    welds[i]->X_PF = X_WB;
  }
}

void WarnOfKeyParts(const XmlElement& key, WarningLog* log) {
  if (key.Attribute("qvel").has_value()) {
    log->Add(key.place(),
             "the velocities of a key are left out; a model starts at rest.");
  }
  if (key.Attribute("act").has_value()) {
    log->Add(key.place(),
             "act of a key is left out; actuators have no activation.");
  }
}

// A joint, and how many positions it has.
struct Counted {
  MjcfNode* node{};
  int size{};
};

// The joints of a body and those below it, in MuJoCo's order: a body's own come
// before those of the bodies in it, however they are mixed.
void CountJoints(const MjcfDefaults& defaults, const std::string& inherited,
                 MjcfNode* body, std::vector<Counted>* result) {
  std::vector<std::pair<MjcfNode*, std::string>> bodies;
  const auto visit = [&](const auto& self, MjcfNode* node,
                         const std::string& childclass) -> void {
    for (MjcfNode& child : node->children) {
      const std::string own = defaults.ChildClass(child.element, childclass);
      if (child.IsNamed("joint") || child.IsNamed("freejoint")) {
        const MjcfElement joint = defaults.Apply(child.element, own);
        result->push_back({&child, NumPositions(ReadMjcfJointKind(joint))});
      } else if (child.IsNamed("body")) {
        bodies.emplace_back(&child, own);
      } else if (child.IsNamed("frame") || child.IsNamed("replicate")) {
        self(self, &child, own);
      }
    }
  };
  visit(visit, body, inherited);
  for (const auto& [child, childclass] : bodies) {
    CountJoints(defaults, childclass, child, result);
  }
}

}  // namespace

void SetMjcfKeyOfJoints(const MjcfDocument& model, MjcfNode* root) {
  const std::optional<XmlElement> key = FindKey(model);
  if (!key.has_value()) return;
  const std::vector<double> given = ReadPositions(*key);
  const MjcfDefaults defaults(model);
  std::vector<Counted> joints;
  for (MjcfNode& section : root->children) {
    if (section.IsNamed("worldbody")) {
      CountJoints(defaults, {}, &section, &joints);
    }
  }
  std::size_t size = 0;
  for (const Counted& joint : joints) size += joint.size;
  if (given.empty()) return;
  if (given.size() != size) {
    key->Throw(
        fmt::format("the key of a model to attach has {} positions, and the "
                    "model's joints have {}.",
                    given.size(), size));
  }
  const double* next = given.data();
  for (const Counted& joint : joints) {
    joint.node->key = std::make_shared<const VectorX<double>>(
        Eigen::Map<const VectorX<double>>(next, joint.size));
    next += joint.size;
  }
}

std::optional<std::vector<double>> ReadMjcfKeyControls(
    const MjcfDocument& document, int num_actuators, WarningLog* log) {
  const std::optional<XmlElement> key = FindKey(document);
  if (!key.has_value() || !key->Attribute("ctrl").has_value()) return {};
  std::vector<double> result =
      ReadMjcfNumbers(*key, "ctrl", std::string_view::npos);
  if (static_cast<int>(result.size()) == num_actuators) return result;
  log->Add(key->place(),
           fmt::format("ctrl of the key is left out: it has {} numbers, and "
                       "the model has {} actuators.",
                       result.size(), num_actuators));
  return {};
}

void ReadMjcfKeyframe(const MjcfDocument& document, const MjcfTree& tree,
                      WarningLog* log, ParsedModel* model) {
  const std::optional<XmlElement> key = FindKey(document);
  if (!key.has_value()) {
    for (const MjcfMovement& moved : tree.joints) {
      if (moved.joint.key == nullptr) continue;
      SetPositions(moved.joint.element, moved, tree, *moved.joint.key, model);
    }
    return;
  }
  WarnOfKeyParts(*key, log);
  SetMocapPoses(*key, tree, log, model);
  const std::vector<double> given = ReadPositions(*key);
  if (given.empty()) return;
  std::size_t size = 0;
  for (const MjcfMovement& moved : tree.joints) {
    size += NumPositions(moved.joint.kind);
  }
  if (given.size() != size) {
    log->Add(key->place(),
             fmt::format("the key is left out: it has {} positions, and the "
                         "joints have {}.",
                         given.size(), size));
    return;
  }
  const double* next = given.data();
  for (const MjcfMovement& moved : tree.joints) {
    const int n = NumPositions(moved.joint.kind);
    SetPositions(*key, moved, tree, Eigen::Map<const VectorX<double>>(next, n),
                 model);
    next += n;
  }
}

}  // namespace wyvern::multibody::internal
