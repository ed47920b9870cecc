// A key lists the positions of all joints in their order in the file: of a
// hinge or slide one, of a ball a quaternion, of a free joint position and
// quaternion.
#include "wyvern/multibody/parsing/mjcf_keyframe.h"

#include <optional>

#include <fmt/format.h>

#include "wyvern/multibody/parsing/mjcf_element.h"
#include "wyvern/multibody/parsing/mjcf_pose.h"

namespace wyvern::multibody::internal {

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

// Of length 1.
Vector4<double> Unit(const XmlElement& key, const Vector4<double>& wxyz) {
  const Eigen::Quaternion<double> q = ToMjcfRotation(key, wxyz).ToQuaternion();
  return Vector4<double>(q.w(), q.x(), q.y(), q.z());
}

void SetFree(const XmlElement& key, const MjcfMovement& moved,
             const MjcfTree& tree, const VectorX<double>& q,
             ParsedModel* model) {
  const Vector3<double> p = q.head<3>();
  model->links[tree.bodies[moved.body].link].X_WB =
      math::RigidTransform<double>(ToMjcfRotation(key, q.tail<4>()), p);
  if (moved.index < 0) return;
  VectorX<double> own(7);
  own << Unit(key, q.tail<4>()), p;
  model->joints[moved.index].default_positions = own;
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

}  // namespace

void ReadMjcfKeyframe(const MjcfDocument& document, const MjcfTree& tree,
                      WarningLog* log, ParsedModel* model) {
  const std::optional<XmlElement> key = FindKey(document);
  if (!key.has_value()) return;
  if (key->Attribute("qvel").has_value()) {
    log->Add(key->place(),
             "the velocities of a key are left out; a model "
             "starts at rest.");
  }
  if (!key->Attribute("qpos").has_value()) return;
  int size = 0;
  for (const MjcfMovement& moved : tree.joints) {
    size += NumPositions(moved.joint.kind);
  }
  const std::vector<double> given =
      ReadMjcfNumbers(*key, "qpos", std::string_view::npos);
  if (given.size() != static_cast<std::size_t>(size)) {
    log->Add(key->place(),
             fmt::format("the key is left out: it has {} positions, and the "
                         "joints have {}.",
                         given.size(), size));
    return;
  }
  int start = 0;
  for (const MjcfMovement& moved : tree.joints) {
    const int n = NumPositions(moved.joint.kind);
    const VectorX<double> q =
        Eigen::Map<const VectorX<double>>(given.data() + start, n);
    start += n;
    if (moved.joint.kind == MjcfJointKind::kFree) {
      SetFree(*key, moved, tree, q, model);
    } else if (moved.joint.kind == MjcfJointKind::kBall) {
      model->joints[moved.index].default_positions = Unit(*key, q);
    } else {
      model->joints[moved.index].default_positions = q;
    }
  }
}

}  // namespace wyvern::multibody::internal
