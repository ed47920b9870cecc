#include "wyvern/multibody/parsing/mjcf_inertia.h"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "wyvern/multibody/parsing/inertia_repair.h"
#include "wyvern/multibody/parsing/mjcf_pose.h"

namespace wyvern::multibody::internal {

using math::RigidTransform;
using math::RotationMatrix;

// Jacobi's method: each rotation sets one off-diagonal element to 0. The order
// and the tolerance are MuJoCo's, because many axes are principal if moments
// are equal.
RotationMatrix<double> FindMjcfAxes(const Matrix3<double>& I) {
  constexpr double kSmall = 1e-12;
  RotationMatrix<double> R;
  Matrix3<double> D = I;
  for (int i = 0; i < 500; ++i) {
    D = R.matrix().transpose() * I * R.matrix();
    int k = 1, l = 2;
    if (std::abs(D(0, 1)) > std::abs(D(0, 2)) &&
        std::abs(D(0, 1)) > std::abs(D(1, 2))) {
      k = 0;
      l = 1;
    } else if (std::abs(D(0, 2)) > std::abs(D(1, 2))) {
      k = 0;
    }
    if (!(std::abs(D(k, l)) >= kSmall)) break;
    const double tau = (D(l, l) - D(k, k)) / (2 * D(k, l));
    const double t =
        std::copysign(1, tau) / (std::abs(tau) + std::hypot(1, tau));
    const double c = 1 / std::hypot(1, t);
    if (c > 1 - kSmall) break;
    Matrix3<double> turn = Matrix3<double>::Identity();
    turn(k, k) = turn(l, l) = c;
    turn(k, l) = c * t;
    turn(l, k) = -c * t;
    R = RotationMatrix<double>::ProjectToRotationMatrix(R.matrix() * turn);
  }
  Vector3<double> moments = D.diagonal();
  for (const int j : {0, 1, 0}) {
    if (!(moments[j] + kSmall < moments[j + 1])) continue;
    std::swap(moments[j], moments[j + 1]);
    // Swap two axes by a quarter turn about the third axis.
    R = R * RotationMatrix<double>(Eigen::AngleAxis<double>(
                std::numbers::pi / 2, Vector3<double>::Unit((j + 2) % 3)));
  }
  return R;
}

RigidTransform<double> MjcfInertia::X_BI() const {
  return {R_BI.has_value() ? *R_BI : FindMjcfAxes(I_BBcm), p_BoBcm};
}

MjcfInertia MjcfInertia::In(const RigidTransform<double>& X_AB) const {
  const Matrix3<double>& R_AB = X_AB.rotation().matrix();
  MjcfInertia result{.mass = mass,
                     .p_BoBcm = X_AB * p_BoBcm,
                     .I_BBcm = R_AB * I_BBcm * R_AB.transpose()};
  if (R_BI.has_value()) result.R_BI = X_AB.rotation() * *R_BI;
  return result;
}

// A box with edges (a, b, c) has the moment m (b² + c²) / 12 along a.
Vector3<double> CalcMjcfInertiaBox(const MjcfInertia& inertia) {
  const Matrix3<double> R = inertia.X_BI().rotation().matrix();
  const Vector3<double> I = (R.transpose() * inertia.I_BBcm * R).diagonal();
  const Vector3<double> squares =
      6 / inertia.mass * (Vector3<double>::Constant(I.sum()) - 2 * I);
  return squares.cwiseMax(0.0).cwiseSqrt();
}

MjcfInertia ReadMjcfInertial(const XmlElement& inertial,
                             const MjcfContext& context) {
  const MjcfElement element(inertial, {});
  inertial.RequiredAttribute("mass");
  const math::RigidTransform<double> X_BC =
      ReadMjcfPose(element, context.settings);
  MjcfInertia result{.mass = element.NotNegative("mass", 0),
                     .p_BoBcm = X_BC.translation()};
  Matrix3<double> I = Matrix3<double>::Zero();
  if (element.Has("fullinertia")) {
    const std::vector<double> full =
        ReadMjcfNumbers(inertial, "fullinertia", 6);
    if (full.size() != 6) {
      inertial.Throw("fullinertia is not 6 numbers: Ixx Iyy Izz Ixy Ixz Iyz.");
    }
    I << full[0], full[3], full[4],  //
        full[3], full[1], full[5],   //
        full[4], full[5], full[2];
  } else {
    I = element.Triple("diaginertia", Vector3<double>::Zero()).asDiagonal();
    result.R_BI = X_BC.rotation();
  }
  const Matrix3<double>& R = X_BC.rotation().matrix();
  result.I_BBcm = R * I * R.transpose();
  return result;
}

MjcfInertia FromMoments(const MassMoments& moments) {
  return {.mass = moments.mass,
          .p_BoBcm = moments.center(),
          .I_BBcm = moments.CentralInertia()};
}

void BoundMjcfInertia(const MjcfSettings& settings, MjcfInertia* inertia) {
  if (inertia->mass < settings.bound_mass) inertia->mass = settings.bound_mass;
  if (settings.bound_inertia <= 0 && !settings.balance_inertia) return;
  const Eigen::SelfAdjointEigenSolver<Matrix3<double>> solver(inertia->I_BBcm);
  const Vector3<double> before = solver.eigenvalues();
  Vector3<double> moments = before.cwiseMax(settings.bound_inertia);
  // In rising order.
  if (settings.balance_inertia && moments[0] + moments[1] < moments[2]) {
    moments.setConstant(moments.sum() / 3);
  }
  if (moments == before) return;
  const Matrix3<double>& V = solver.eigenvectors();
  inertia->I_BBcm = V * moments.asDiagonal() * V.transpose();
}

SpatialInertia<double> ToSpatialInertia(const MjcfInertia& inertia,
                                        const XmlElement& element,
                                        WarningLog* log) {
  const Matrix3<double>& I = inertia.I_BBcm;
  const WrittenInertia written{
      .mass = inertia.mass,
      .X_BC = math::RigidTransform<double>(inertia.p_BoBcm),
      .moments = I.diagonal(),
      .products = Vector3<double>(I(0, 1), I(0, 2), I(1, 2))};
  std::string remark;
  try {
    const SpatialInertia<double> result = RepairInertia(written, &remark);
    if (!remark.empty()) element.Warn(remark, log);
    return result;
  } catch (const std::logic_error& error) {
    element.Throw(fmt::format("no body has this inertia. {}", error.what()));
  }
}

}  // namespace wyvern::multibody::internal
