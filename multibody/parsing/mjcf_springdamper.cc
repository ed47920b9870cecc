// A joint that is to swing about its rest with a time constant T and a damping
// ratio z, all other joints being free, has the stiffness I / (T z)^2 and the
// damping 2 I / T, where 1 / I is its element on the diagonal of the inverse
// mass matrix, where the file draws it (MuJoCo's XML reference, joint,
// springdamper). The mass matrix is the sum of J' M J over the bodies, armature
// on its diagonal; a column of J is a spatial velocity about the world's
// origin, [w; v]. Order n b for n degrees of freedom and b bodies, and n^3.
#include "wyvern/multibody/parsing/mjcf_springdamper.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

namespace wyvern::multibody::internal {

using math::RigidTransform;

namespace {

/** A degree of freedom. */
struct Motion {
  // Velocity of the moved body about the world's origin, in the drawn pose.
  Vector6<double> V_WB;
  int body{};
  double armature{};
};

Vector6<double> Turn(const Vector3<double>& axis_W,
                     const Vector3<double>& p_W) {
  Vector6<double> V;
  V << axis_W, p_W.cross(axis_W);
  return V;
}

Vector6<double> Shift(const Vector3<double>& axis_W) {
  Vector6<double> V;
  V << Vector3<double>::Zero(), axis_W;
  return V;
}

// Adds the motions of a joint; a ball and a free joint use any axes that span
// their motions.
void AddMotions(const MjcfTree& tree, const MjcfMovement& moved,
                std::vector<Motion>* motions) {
  const RigidTransform<double>& X_WB = tree.bodies[moved.body].X_WB;
  const Vector3<double> axis_W = X_WB.rotation() * moved.joint.axis;
  const Vector3<double> p_W = X_WB * moved.joint.position;
  const auto add = [&](const Vector6<double>& V_WB) {
    motions->push_back({V_WB, moved.body, moved.joint.armature});
  };
  switch (moved.joint.kind) {
    case MjcfJointKind::kHinge:
      return add(Turn(axis_W, p_W));
    case MjcfJointKind::kSlide:
      return add(Shift(axis_W));
    case MjcfJointKind::kFree:
      for (int i = 0; i < 3; ++i) add(Shift(Vector3<double>::Unit(i)));
      [[fallthrough]];
    case MjcfJointKind::kBall:
      for (int i = 0; i < 3; ++i) add(Turn(Vector3<double>::Unit(i), p_W));
  }
}

// Returns the inertia of a body about the world's origin, in the world's axes.
Matrix6<double> SpatialInertiaOf(const MjcfBody& body) {
  const MjcfInertia& inertia = body.inertia;
  const Matrix3<double> R = body.X_WB.rotation().matrix();
  const Vector3<double> p = body.X_WB * inertia.p_BoBcm;
  Matrix3<double> cross;
  cross << 0, -p[2], p[1], p[2], 0, -p[0], -p[1], p[0], 0;
  Matrix6<double> M;
  M.topLeftCorner<3, 3>() =
      R * inertia.I_BBcm * R.transpose() - inertia.mass * cross * cross;
  M.topRightCorner<3, 3>() = inertia.mass * cross;
  M.bottomLeftCorner<3, 3>() = -inertia.mass * cross;
  M.bottomRightCorner<3, 3>() = inertia.mass * Matrix3<double>::Identity();
  return M;
}

MatrixX<double> CalcMassMatrix(const MjcfTree& tree,
                               const std::vector<Motion>& motions) {
  const int n = static_cast<int>(motions.size());
  MatrixX<double> M = MatrixX<double>::Zero(n, n);
  std::vector<int> moving;
  for (int b = 1; b < static_cast<int>(tree.bodies.size()); ++b) {
    moving.clear();
    for (int i = 0; i < n; ++i) {
      int above = b;
      while (above > motions[i].body) above = tree.bodies[above].parent;
      if (above == motions[i].body) moving.push_back(i);
    }
    const Matrix6<double> inertia = SpatialInertiaOf(tree.bodies[b]);
    for (const int i : moving) {
      const Vector6<double> momentum = inertia * motions[i].V_WB;
      for (const int j : moving) M(j, i) += motions[j].V_WB.dot(momentum);
    }
  }
  for (int i = 0; i < n; ++i) M(i, i) += motions[i].armature;
  return M;
}

bool HasSpringDamper(const MjcfMovement& moved) {
  return moved.joint.spring_damper.minCoeff() > 0;
}

}  // namespace

void SetMjcfSpringDampers(const MjcfSettings& settings, const MjcfTree& tree,
                          ParsedModel* model) {
  if (std::ranges::none_of(tree.joints, HasSpringDamper)) return;
  std::vector<Motion> motions;
  std::vector<int> first;
  for (const MjcfMovement& moved : tree.joints) {
    first.push_back(static_cast<int>(motions.size()));
    AddMotions(tree, moved, &motions);
  }
  const int n = static_cast<int>(motions.size());
  const MatrixX<double> inverse = CalcMassMatrix(tree, motions)
                                      .ldlt()
                                      .solve(MatrixX<double>::Identity(n, n));
  for (std::size_t k = 0; k < tree.joints.size(); ++k) {
    const MjcfMovement& moved = tree.joints[k];
    if (!HasSpringDamper(moved)) continue;
    const double inertia = 1 / inverse(first[k], first[k]);
    const double time = moved.joint.spring_damper[0];
    const double ratio = moved.joint.spring_damper[1];
    const double stiffness = inertia / (time * time * ratio * ratio);
    const double damping = 2 * inertia / time;
    if (!(inertia > 0) || !std::isfinite(stiffness) ||
        !std::isfinite(damping)) {
      moved.joint.element.Throw(
          "springdamper gives no spring and damper, as the joint moves no mass "
          "or the time is too short; give stiffness and damping.");
    }
    ParsedJoint& joint = model->joints[moved.index];
    if (settings.has_springs) joint.spring_stiffness = stiffness;
    if (settings.has_damping) joint.damping.setConstant(damping);
  }
}

}  // namespace wyvern::multibody::internal
