#include "wyvern/multibody/parsing/mjcf_tree.h"

#include <algorithm>

namespace wyvern::multibody::internal {

using math::RigidTransform;

const MjcfBody* MjcfTree::FindBody(const std::string& name) const {
  const auto found = std::ranges::find(bodies, name, &MjcfBody::name);
  return found == bodies.end() ? nullptr : &*found;
}

const MjcfMovement* MjcfTree::FindJoint(const std::string& name) const {
  for (const MjcfMovement& one : joints) {
    if (one.joint.name == name) return &one;
  }
  return nullptr;
}

void SetMjcfFreePose(const MjcfMovement& moved, const MjcfTree& tree,
                     const RigidTransform<double>& X_WB, ParsedModel* model) {
  model->links[tree.bodies[moved.body].link].X_WB = X_WB;
  if (moved.index < 0) return;
  const Eigen::Quaternion<double> q = X_WB.rotation().ToQuaternion();
  VectorX<double> positions(7);
  positions << q.w(), q.x(), q.y(), q.z(), X_WB.translation();
  model->joints[moved.index].default_positions = positions;
}

double MjcfTree::CalcInertiaFelt(const MjcfMovement& moved) const {
  // In B, about the joint's place.
  const RigidTransform<double> X_JW =
      (bodies[moved.body].X_WB * RigidTransform<double>(moved.joint.position))
          .inverse();
  const Vector3<double>& axis = moved.joint.axis;
  std::vector<bool> is_carried(bodies.size(), false);
  double result = 0;
  for (std::size_t i = moved.body; i < bodies.size(); ++i) {
    const MjcfBody& body = bodies[i];
    is_carried[i] = static_cast<int>(i) == moved.body ||
                    (body.parent >= 0 && is_carried[body.parent]);
    if (!is_carried[i]) continue;
    const MjcfInertia& inertia = body.inertia;
    const RigidTransform<double> X_JB = X_JW * body.X_WB;
    if (moved.joint.kind == MjcfJointKind::kSlide) {
      result += inertia.mass;
    } else {
      const Vector3<double> axis_B = X_JB.rotation().inverse() * axis;
      result += axis_B.dot(inertia.I_BBcm * axis_B) +
                inertia.mass * axis.cross(X_JB * inertia.p_BoBcm).squaredNorm();
    }
  }
  return result;
}

}  // namespace wyvern::multibody::internal
