#include "wyvern/multibody/constraints/holonomic_constraint.h"

#include <cmath>
#include <stdexcept>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::engine {

namespace {

using Kind = HolonomicConstraint::Kind;

// Shorter than this, [m], a distance has no direction.
constexpr double kShortest = 1e-10;

template <typename T>
Vector3<T> ToT(const Vector3<double>& p) {
  return p.template cast<T>();
}

template <typename T>
void SetForce(int row, const Vector3<T>& p_WN, const Vector3<T>& direction,
              ConstraintKinematics<T>* kinematics) {
  kinematics->F.col(row).template head<3>() = p_WN.cross(direction);
  kinematics->F.col(row).template tail<3>() = direction;
}

// Twice the vector part of the quaternion of R, w >= 0.
template <typename T>
Vector3<T> RotationError(const Matrix3<T>& R) {
  const Eigen::Quaternion<T> q =
      math::RotationMatrix<T>::MakeUnchecked(R).ToQuaternion();
  const Vector3<T> e = 2.0 * q.vec();
  return q.w() < 0 ? Vector3<T>(-e) : e;
}

}  // namespace

template <typename T>
void CalcConstraintPosition(const HolonomicConstraint& c,
                            const std::vector<Pose<T>>& X_WB,
                            const Eigen::Ref<const VectorX<T>>& q,
                            ConstraintKinematics<T>* kinematics) {
  if (c.kind == Kind::kCoupler) {
    kinematics->error[0] = q[c.q[0]] - c.ratio * q[c.q[1]] - c.offset;
    return;
  }
  const Pose<T>& X_WA = X_WB[c.body_A];
  const Pose<T>& X_WBody = X_WB[c.body_B];
  const Vector3<T> p_WP = X_WA * ToT<T>(c.X_AP.p);
  const Vector3<T> p_WQ = X_WBody * ToT<T>(c.X_BQ.p);
  const Vector3<T> p_PQ = p_WQ - p_WP;
  if (c.kind == Kind::kDistance) {
    using std::sqrt;
    const T length = sqrt(p_PQ.squaredNorm());
    if (length < kShortest) {
      throw std::runtime_error(
          "The two points of a distance constraint coincide, so that its force "
          "has no direction; use a ball constraint for points that are to "
          "coincide.");
    }
    kinematics->error[0] = length - c.distance;
    SetForce<T>(0, p_WP, p_PQ / length, kinematics);
    return;
  }
  const Vector3<T> p_WN = 0.5 * (p_WP + p_WQ);
  const int first = c.kind == Kind::kWeld ? 3 : 0;
  if (c.kind == Kind::kWeld) {
    const Matrix3<T> R_WP = X_WA.R * c.X_AP.R.template cast<T>();
    const Matrix3<T> R_WQ = X_WBody.R * c.X_BQ.R.template cast<T>();
    kinematics->error.template head<3>() =
        RotationError<T>(R_WQ * R_WP.transpose());
    kinematics->F.template leftCols<3>().setZero();
    kinematics->F.template topLeftCorner<3, 3>().setIdentity();
  }
  kinematics->error.template segment<3>(first) = p_PQ;
  for (int i = 0; i < 3; ++i) {
    SetForce<T>(first + i, p_WN, Vector3<T>::Unit(i), kinematics);
  }
}

template <typename T>
Vector6<T> CalcConstraintVelocity(const HolonomicConstraint& c,
                                  const Model& model,
                                  const PositionKinematics<T>& positions,
                                  const VelocityKinematics<T>& velocities,
                                  const std::vector<Pose<T>>& X_WB,
                                  const Eigen::Ref<const VectorX<T>>& v) {
  Vector6<T> result = Vector6<T>::Zero();
  if (c.kind == Kind::kCoupler) {
    result[0] = v[c.v[0]] - c.ratio * v[c.v[1]];
    return result;
  }
  const Vector3<T> p_WP = X_WB[c.body_A] * ToT<T>(c.X_AP.p);
  const Vector3<T> p_WQ = X_WB[c.body_B] * ToT<T>(c.X_BQ.p);
  const auto velocity = [&](MobodIndex body, const Vector3<T>& p) {
    return CalcPointVelocity<T>(model, positions, velocities, body, p);
  };
  if (c.kind == Kind::kDistance) {
    using std::sqrt;
    const Vector3<T> p_PQ = p_WQ - p_WP;
    const Vector6<T> V = velocity(c.body_B, p_WQ) - velocity(c.body_A, p_WP);
    result[0] = p_PQ.dot(V.template tail<3>()) / sqrt(p_PQ.squaredNorm());
    return result;
  }
  const Vector3<T> p_WN = 0.5 * (p_WP + p_WQ);
  const Vector6<T> V = velocity(c.body_B, p_WN) - velocity(c.body_A, p_WN);
  if (c.kind == Kind::kWeld) return V;
  result.template head<3>() = V.template tail<3>();
  return result;
}

template <typename T>
Vector6<T> CalcConstraintBias(const HolonomicConstraint& c, const Model& model,
                              const PositionKinematics<T>& positions,
                              const VelocityKinematics<T>& velocities,
                              const std::vector<Pose<T>>& X_WB,
                              const std::vector<Vector6<T>>& A_bias) {
  Vector6<T> bias = Vector6<T>::Zero();
  if (c.kind == Kind::kCoupler) return bias;
  const Vector3<T> p_WP = X_WB[c.body_A] * ToT<T>(c.X_AP.p);
  const Vector3<T> p_WQ = X_WB[c.body_B] * ToT<T>(c.X_BQ.p);
  const auto acceleration = [&](MobodIndex body, const Vector3<T>& p) {
    return CalcPointAcceleration<T>(model, positions, velocities, A_bias, body,
                                    p);
  };
  if (c.kind == Kind::kDistance) {
    using std::sqrt;
    const T length = sqrt((p_WQ - p_WP).squaredNorm());
    const Vector3<T> u = (p_WQ - p_WP) / length;
    const Vector6<T> V =
        CalcPointVelocity<T>(model, positions, velocities, c.body_B, p_WQ) -
        CalcPointVelocity<T>(model, positions, velocities, c.body_A, p_WP);
    const Vector3<T> v = V.template tail<3>();
    const Vector6<T> A =
        acceleration(c.body_B, p_WQ) - acceleration(c.body_A, p_WP);
    const T along = u.dot(v);
    bias[0] = u.dot(A.template tail<3>()) +
              (v.squaredNorm() - along * along) / length;
    return bias;
  }
  const Vector3<T> p_WN = 0.5 * (p_WP + p_WQ);
  const Vector6<T> A =
      acceleration(c.body_B, p_WN) - acceleration(c.body_A, p_WN);
  if (c.kind == Kind::kWeld) return A;
  bias.template head<3>() = A.template tail<3>();
  return bias;
}

template <typename T>
void AddJacobianRows(const Model& model, const PositionKinematics<T>& positions,
                     MobodIndex body, const Eigen::Ref<const Matrix6X<T>>& F,
                     double sign, int v_start, Eigen::Ref<MatrixX<T>> J) {
  const NodeIndex node = model.bodies[body].node;
  if (node == 0) return;
  const Vector3<T>& p_WO = positions.p_WO[model.nodes[node].tree];
  for (int r = 0; r < F.cols(); ++r) {
    Vector6<T> F_O = sign * F.col(r);
    const Vector3<T> f = F_O.template tail<3>();
    F_O.template head<3>() -= p_WO.cross(f);
    for (NodeIndex i = node; i > 0; i = model.nodes[i].parent) {
      const Model::Node& n = model.nodes[i];
      for (int k = n.v_start; k < n.v_start + n.nv; ++k) {
        J(r, k - v_start) += positions.H.col(k).dot(F_O);
      }
    }
  }
}

#define WYVERN_INSTANTIATE(T)                                                 \
  template void CalcConstraintPosition(                                       \
      const HolonomicConstraint&, const std::vector<Pose<T>>&,                \
      const Eigen::Ref<const VectorX<T>>&, ConstraintKinematics<T>*);         \
  template Vector6<T> CalcConstraintVelocity(                                 \
      const HolonomicConstraint&, const Model&, const PositionKinematics<T>&, \
      const VelocityKinematics<T>&, const std::vector<Pose<T>>&,              \
      const Eigen::Ref<const VectorX<T>>&);                                   \
  template Vector6<T> CalcConstraintBias(                                     \
      const HolonomicConstraint&, const Model&, const PositionKinematics<T>&, \
      const VelocityKinematics<T>&, const std::vector<Pose<T>>&,              \
      const std::vector<Vector6<T>>&);                                        \
  template void AddJacobianRows(const Model&, const PositionKinematics<T>&,   \
                                MobodIndex,                                   \
                                const Eigen::Ref<const Matrix6X<T>>&, double, \
                                int, Eigen::Ref<MatrixX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::engine
