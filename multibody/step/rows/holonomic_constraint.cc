#include "wyvern/multibody/step/rows/holonomic_constraint.h"

#include <cmath>
#include <stdexcept>

#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/systems/common/default_scalars.h"

/* A kind is an error e, unit forces F, and the part of J v̇ + J̇ v that J does
not make; J, J v and forces on bodies follow from F for all kinds alike. With p
= p_PQ, its rate ṗ and u = p / |p|, distance  e = |p| - d,  ė = u·ṗ,  ë = u·p̈ +
(|ṗ|² - (u·ṗ)²) / |p|. Balls and welds have the relative motion of the points of
both bodies that are midway, so that equal and opposite forces there are on one
line. */

namespace wyvern::multibody::internal {

namespace {

using Kind = HolonomicConstraint::Kind;

// Least length of a distance, [m]; a shorter one has no direction.
constexpr double kShortest = 1e-10;

// Returns p_WQ.
template <typename T>
Vector3<T> CalcEnd(const HolonomicConstraint& c,
                   const std::vector<dynamics::Pose<T>>& X_WB) {
  return X_WB[c.body_B] * Vector3<T>(c.X_BQ.p.template cast<T>());
}

// The points P and Q with their frames, in W.
template <typename T>
struct Ends {
  Ends(const HolonomicConstraint& c_in,
       const std::vector<dynamics::Pose<T>>& X_WB)
      : c(c_in),
        A(X_WB[c.body_A]),
        B(X_WB[c.body_B]),
        p_WP(A * Vector3<T>(c.X_AP.p.template cast<T>())),
        p_WQ(CalcEnd(c, X_WB)),
        p_PQ(p_WQ - p_WP) {}
  Vector3<T> middle() const { return 0.5 * (p_WP + p_WQ); }
  Matrix3<T> R_WP() const { return A.R * c.X_AP.R.template cast<T>(); }
  Matrix3<T> R_WQ() const { return B.R * c.X_BQ.R.template cast<T>(); }
  dynamics::Pose<T> X_WP() const { return {R_WP(), p_WP}; }
  dynamics::Pose<T> X_WQ() const { return {R_WQ(), p_WQ}; }

  const HolonomicConstraint& c;
  const dynamics::Pose<T>&A, &B;
  Vector3<T> p_WP;
  Vector3<T> p_WQ;
  Vector3<T> p_PQ;
};

template <typename T>
T CalcLength(const Vector3<T>& p_PQ) {
  using std::sqrt;
  const T length = sqrt(p_PQ.squaredNorm());
  if (length < kShortest) {
    throw std::runtime_error(
        "The two points of a distance constraint coincide, so that its force "
        "has no direction; use a ball constraint for points that are to "
        "coincide.");
  }
  return length;
}

// Returns 2 sin(angle / 2) axis of R: twice the vector part of its quaternion
// with w >= 0.
template <typename T>
Vector3<T> RotationError(const Matrix3<T>& R) {
  const Eigen::Quaternion<T> q =
      math::RotationMatrix<T>::MakeUnchecked(R).ToQuaternion();
  const Vector3<T> e = 2.0 * q.vec();
  return q.w() < 0 ? Vector3<T>(-e) : e;
}

template <typename T>
void SetForce(const Vector3<T>& p_WN, const Vector3<T>& f, int row,
              Eigen::Ref<Matrix6X<T>> F) {
  F.col(row).template head<3>() = p_WN.cross(f);
  F.col(row).template tail<3>() = f;
}

// Returns V of a body about Wo; 0 for the world.
template <typename T>
Vector6<T> VelocityAboutWo(const dynamics::Model& model,
                           const dynamics::PositionKinematics<T>& positions,
                           const dynamics::VelocityKinematics<T>& velocities,
                           dynamics::MobodIndex body) {
  return dynamics::CalcPointVelocity<T>(model, positions, velocities, body,
                                        Vector3<T>::Zero());
}

}  // namespace

int HolonomicConstraint::num_rows() const {
  switch (kind) {
    case Kind::kCoupler:
    case Kind::kDistance:
      return 1;
    case Kind::kBall:
      return 3;
    case Kind::kWeld:
      return 6;
    case Kind::kLoop:
      return loop->size();
    case Kind::kPoint:
      break;
  }
  return static_cast<int>(normals.size());
}

template <typename T>
void CalcConstraintErrors(const HolonomicConstraint& c,
                          const std::vector<dynamics::Pose<T>>& X_WB,
                          const Eigen::Ref<const VectorX<T>>& q,
                          Eigen::Ref<VectorX<T>> errors) {
  if (c.kind == Kind::kCoupler) {
    errors[0] = q[c.q[0]] - c.ratio * q[c.q[1]] - c.offset;
    return;
  }
  if (c.kind == Kind::kPoint) {
    errors.setZero();
    return;
  }
  const Ends<T> ends(c, X_WB);
  if (c.kind == Kind::kDistance) {
    errors[0] = CalcLength<T>(ends.p_PQ) - c.distance;
    return;
  }
  if (c.kind == Kind::kLoop) {
    CalcLoopErrors<T>(*c.loop, ends.X_WP(), ends.X_WQ(), errors);
    return;
  }
  errors.template tail<3>() = ends.p_PQ;
  if (c.kind != Kind::kWeld) return;
  errors.template head<3>() =
      RotationError<T>(ends.R_WQ() * ends.R_WP().transpose());
}

template <typename T>
void CalcUnitForces(const HolonomicConstraint& c,
                    const std::vector<dynamics::Pose<T>>& X_WB,
                    Eigen::Ref<Matrix6X<T>> F, RowRates rates) {
  if (c.kind == Kind::kCoupler) {
    F.setZero();
    return;
  }
  if (c.kind == Kind::kPoint) {
    const Vector3<T> p_WQ = CalcEnd(c, X_WB);
    for (int r = 0; r < c.num_rows(); ++r) {
      SetForce<T>(p_WQ, c.normals[r].template cast<T>(), r, F);
    }
    return;
  }
  const Ends<T> ends(c, X_WB);
  switch (c.kind) {
    case Kind::kDistance:
      SetForce<T>(ends.p_WP, ends.p_PQ / CalcLength<T>(ends.p_PQ), 0, F);
      return;
    case Kind::kLoop:
      CalcLoopForces<T>(*c.loop, ends.X_WP(), ends.X_WQ(),
                        rates == RowRates::kErrors, F);
      return;
    case Kind::kWeld:
      F.template leftCols<3>().setZero();
      F.template topLeftCorner<3, 3>().setIdentity();
      break;
    default:
      break;
  }
  const Vector3<T> p_WN = ends.middle();
  const int first = c.num_rows() - 3;
  for (int i = 0; i < 3; ++i) {
    SetForce<T>(p_WN, Vector3<T>::Unit(i), first + i, F);
  }
}

template <typename T>
void CalcConstraintVelocities(const HolonomicConstraint& c,
                              const dynamics::Model& model,
                              const dynamics::PositionKinematics<T>& positions,
                              const dynamics::VelocityKinematics<T>& velocities,
                              const Eigen::Ref<const Matrix6X<T>>& F,
                              const Eigen::Ref<const VectorX<T>>& v,
                              Eigen::Ref<VectorX<T>> result) {
  if (c.kind == Kind::kCoupler) {
    result[0] = v[c.v[0]] - c.ratio * v[c.v[1]];
    return;
  }
  const Vector6<T> V =
      VelocityAboutWo<T>(model, positions, velocities, c.body_B) -
      VelocityAboutWo<T>(model, positions, velocities, c.body_A);
  for (int r = 0; r < F.cols(); ++r) result[r] = F.col(r).dot(V);
}

template <typename T>
void CalcConstraintBias(const HolonomicConstraint& c,
                        const dynamics::Model& model,
                        const dynamics::PositionKinematics<T>& positions,
                        const dynamics::VelocityKinematics<T>& velocities,
                        const std::vector<dynamics::Pose<T>>& X_WB,
                        const std::vector<Vector6<T>>& A_bias,
                        Eigen::Ref<VectorX<T>> bias) {
  if (c.kind == Kind::kCoupler) {
    bias[0] = T(0);
    return;
  }
  const auto velocity = [&](dynamics::MobodIndex body, const Vector3<T>& p) {
    return dynamics::CalcPointVelocity<T>(model, positions, velocities, body,
                                          p);
  };
  const auto acceleration = [&](dynamics::MobodIndex body,
                                const Vector3<T>& p) {
    return dynamics::CalcPointAcceleration<T>(model, positions, velocities,
                                              A_bias, body, p);
  };
  if (c.kind == Kind::kPoint) {
    const Vector6<T> A = acceleration(c.body_B, CalcEnd(c, X_WB));
    for (int r = 0; r < c.num_rows(); ++r) {
      bias[r] = A.template tail<3>().dot(c.normals[r].template cast<T>());
    }
    return;
  }
  const Ends<T> ends(c, X_WB);
  if (c.kind == Kind::kLoop) {
    LoopMotion<T> motion;
    motion.V_P = velocity(c.body_A, ends.p_WP);
    motion.A_P = acceleration(c.body_A, ends.p_WP);
    motion.V = velocity(c.body_B, ends.p_WQ) - motion.V_P;
    motion.A = acceleration(c.body_B, ends.p_WQ) - motion.A_P;
    CalcLoopBias<T>(*c.loop, ends.X_WP(), ends.X_WQ(), motion, bias);
    return;
  }
  if (c.kind == Kind::kDistance) {
    const T length = CalcLength<T>(ends.p_PQ);
    const Vector3<T> u = ends.p_PQ / length;
    const Vector6<T> V =
        velocity(c.body_B, ends.p_WQ) - velocity(c.body_A, ends.p_WP);
    const Vector3<T> v = V.template tail<3>();
    const Vector6<T> A =
        acceleration(c.body_B, ends.p_WQ) - acceleration(c.body_A, ends.p_WP);
    const T along = u.dot(v);
    bias[0] = u.dot(A.template tail<3>()) +
              (v.squaredNorm() - along * along) / length;
    return;
  }
  const Vector3<T> p_WN = ends.middle();
  const Vector6<T> A =
      acceleration(c.body_B, p_WN) - acceleration(c.body_A, p_WN);
  bias = A.tail(c.num_rows());
}

template <typename T>
void AddForcePair(const HolonomicConstraint& constraint, const Vector6<T>& F_Wo,
                  const std::vector<dynamics::Pose<T>>& X_WB,
                  std::vector<Vector6<T>>* F_BBo_W) {
  const Vector3<T> f = F_Wo.template tail<3>();
  const auto add = [&](dynamics::MobodIndex body, double sign) {
    Vector6<T> F = F_Wo;
    F.template head<3>() -= X_WB[body].p.cross(f);
    (*F_BBo_W)[body] += sign * F;
  };
  add(constraint.body_B, 1.0);
  add(constraint.body_A, -1.0);
}

#define WYVERN_INSTANTIATE(T)                                                \
  template void CalcConstraintErrors(                                        \
      const HolonomicConstraint&, const std::vector<dynamics::Pose<T>>&,     \
      const Eigen::Ref<const VectorX<T>>&, Eigen::Ref<VectorX<T>>);          \
  template void CalcUnitForces(const HolonomicConstraint&,                   \
                               const std::vector<dynamics::Pose<T>>&,        \
                               Eigen::Ref<Matrix6X<T>>, RowRates);           \
  template void CalcConstraintVelocities(                                    \
      const HolonomicConstraint&, const dynamics::Model&,                    \
      const dynamics::PositionKinematics<T>&,                                \
      const dynamics::VelocityKinematics<T>&,                                \
      const Eigen::Ref<const Matrix6X<T>>&,                                  \
      const Eigen::Ref<const VectorX<T>>&, Eigen::Ref<VectorX<T>>);          \
  template void CalcConstraintBias(                                          \
      const HolonomicConstraint&, const dynamics::Model&,                    \
      const dynamics::PositionKinematics<T>&,                                \
      const dynamics::VelocityKinematics<T>&,                                \
      const std::vector<dynamics::Pose<T>>&, const std::vector<Vector6<T>>&, \
      Eigen::Ref<VectorX<T>>);                                               \
  template void AddForcePair(const HolonomicConstraint&, const Vector6<T>&,  \
                             const std::vector<dynamics::Pose<T>>&,          \
                             std::vector<Vector6<T>>*);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
