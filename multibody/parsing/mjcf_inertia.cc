#include "wyvern/multibody/parsing/mjcf_inertia.h"

#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include "wyvern/multibody/parsing/inertia_repair.h"
#include "wyvern/multibody/parsing/mjcf_pose.h"

namespace wyvern::multibody::internal {

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
