#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>

#include "tests/benchmarks/multibody/dynamics_engine.h"
#include "tests/benchmarks/multibody/peers/pinocchio_model.h"

/* A free base of Pinocchio's moves by (v_WB_B, w_WB_B), Wyvern's by (w_WB_W,
v_WB_W): v_p = T v_w, vdot_p = T vdot_w - (w_B x v_B, 0), tau_w = Tᵀ tau_p, with
T⁻¹ = Tᵀ. A turn of the base by a small angle theta changes T x by -T (theta x
x) and Tᵀ y by theta x (Tᵀ y), each half of the six crossed by itself; so do
derivatives with respect to q, at constant v_w, vdot_w and tau_w, change. */

namespace wyvern::bench {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using pinocchio::Convention;

class Pinocchio final : public DynamicsEngine {
 public:
  Pinocchio(const ModelDescription& description,
            const std::vector<Sample>& samples, Convention convention)
      : floating_(description.is_floating()),
        convention_(convention),
        model_(MakeModel(description)),
        data_(model_) {
    for (const Sample& sample : samples) {
      const VectorXd q = MakePositions(description, sample);
      q_.push_back(q);
      v_.push_back(sample.v);
      vdot_.push_back(sample.vdot);
      tau_.push_back(sample.tau);
      if (!floating_) continue;
      const MatrixXd T = BaseMap(q);
      v_.back().head<6>() = T * sample.v.head<6>();
      vdot_.back().head<6>() = T * sample.vdot.head<6>();
      vdot_.back().head<3>() -= BaseTurn(v_.back());
      tau_.back().head<6>() = T * sample.tau.head<6>();
    }
  }

  std::string name() const override {
    return convention_ == Convention::WORLD ? "pinocchio" : "pinocchio_local";
  }
  bool has(Quantity quantity) const override {
    if (quantity == Quantity::kWeightlessInverseDynamics) return false;
    return convention_ == Convention::WORLD ||
           quantity == Quantity::kMassMatrix ||
           quantity == Quantity::kForwardDynamics;
  }
  void Calc(Quantity quantity, int i) override {
    switch (quantity) {
      case Quantity::kInverseDynamics:
        pinocchio::rnea(model_, data_, q_[i], v_[i], vdot_[i]);
        return;
      case Quantity::kMassMatrix:
        pinocchio::crba(model_, data_, q_[i], convention_);
        return;
      case Quantity::kForwardDynamics:
        pinocchio::aba(model_, data_, q_[i], v_[i], tau_[i], convention_);
        return;
      case Quantity::kJacobians:
        pinocchio::computeJointJacobians(model_, data_, q_[i]);
        return;
      case Quantity::kInverseDynamicsDerivatives:
        pinocchio::computeRNEADerivatives(model_, data_, q_[i], v_[i],
                                          vdot_[i]);
        return;
      case Quantity::kForwardDynamicsDerivatives:
        pinocchio::computeABADerivatives(model_, data_, q_[i], v_[i], tau_[i]);
        return;
      case Quantity::kWeightlessInverseDynamics:
        return;
    }
  }
  MatrixXd Result(Quantity quantity, int i) const override {
    MatrixXd T = MatrixXd::Identity(model_.nv, model_.nv);
    if (floating_) T.topLeftCorner<6, 6>() = BaseMap(q_[i]);
    if (quantity == Quantity::kInverseDynamics)
      return T.transpose() * data_.tau;
    if (quantity == Quantity::kMassMatrix) {
      const MatrixXd M = data_.M.selfadjointView<Eigen::Upper>();
      return T.transpose() * M * T;
    }
    if (quantity == Quantity::kForwardDynamics) {
      VectorXd vdot = data_.ddq;
      if (floating_) vdot.head<3>() += BaseTurn(v_[i]);
      return T.transpose() * vdot;
    }
    if (quantity == Quantity::kInverseDynamicsDerivatives) {
      return Convert(i, data_.dtau_dq, data_.dtau_dv,
                     data_.M.selfadjointView<Eigen::Upper>(), true);
    }
    if (quantity == Quantity::kForwardDynamicsDerivatives) {
      return Convert(i, data_.ddq_dq, data_.ddq_dv,
                     data_.Minv.selfadjointView<Eigen::Upper>(), false);
    }
    MatrixXd J(6, model_.nv);
    J << data_.J.bottomRows(3), data_.J.topRows(3);
    return J * T;
  }

 private:
  static MatrixXd BaseMap(const VectorXd& q) {
    const Eigen::Quaterniond base(q[6], q[3], q[4], q[5]);
    const Eigen::Matrix3d R_BW = base.toRotationMatrix().transpose();
    MatrixXd T = MatrixXd::Zero(6, 6);
    T.topRightCorner<3, 3>() = R_BW;
    T.bottomLeftCorner<3, 3>() = R_BW;
    return T;
  }
  static Vector3d BaseTurn(const VectorXd& v) {
    return v.segment<3>(3).cross(v.head<3>());
  }
  // Both halves of x crossed by theta.
  static VectorXd Turn(const Vector3d& theta, const VectorXd& x) {
    VectorXd result = VectorXd::Zero(x.size());
    result.head<3>() = theta.cross(x.head<3>());
    result.segment<3>(3) = theta.cross(x.segment<3>(3));
    return result;
  }
  // The change of BaseTurn() by that of v.
  static VectorXd BaseTurnChange(const VectorXd& v, const VectorXd& dv) {
    VectorXd result = VectorXd::Zero(v.size());
    result.head<3>() = dv.segment<3>(3).cross(v.head<3>()) +
                       v.segment<3>(3).cross(dv.head<3>());
    return result;
  }
  // [d/dq d/dv d/dx] in Wyvern's velocities, of tau with x = vdot, or of vdot
  // with x = tau.
  MatrixXd Convert(int i, const MatrixXd& by_q, const MatrixXd& by_v,
                   const MatrixXd& by_x, bool of_tau) const {
    const int n = model_.nv;
    MatrixXd result(n, 3 * n);
    result << by_q, by_v, by_x;
    if (!floating_) return result;
    MatrixXd T = MatrixXd::Identity(n, n);
    T.topLeftCorner<6, 6>() = BaseMap(q_[i]);
    const VectorXd v_w = T.transpose() * v_[i];
    VectorXd vdot_p = of_tau ? vdot_[i] : data_.ddq;
    vdot_p.head<3>() += BaseTurn(v_[i]);
    const VectorXd vdot_w = T.transpose() * vdot_p;
    const VectorXd tau_w = T.transpose() * (of_tau ? data_.tau : tau_[i]);
    const VectorXd& x_w = of_tau ? vdot_w : tau_w;
    const VectorXd& y_w = of_tau ? tau_w : vdot_w;
    // Derivative of the result by BaseTurn().
    const MatrixXd by_turn =
        of_tau ? MatrixXd(-by_x) : MatrixXd(MatrixXd::Identity(n, n));
    for (int k = 0; k < n; ++k) {
      const Vector3d theta =
          k < 3 ? Vector3d(Vector3d::Unit(k)) : Vector3d(0, 0, 0);
      const VectorXd dv_q = -T * Turn(theta, v_w), dv = T.col(k);
      result.col(k) = Turn(theta, y_w) +
                      T.transpose() * (by_q * T.col(k) + by_v * dv_q -
                                       by_x * T * Turn(theta, x_w) +
                                       by_turn * BaseTurnChange(v_[i], dv_q));
      result.col(n + k) =
          T.transpose() * (by_v * dv + by_turn * BaseTurnChange(v_[i], dv));
    }
    result.rightCols(n) = T.transpose() * by_x * T;
    return result;
  }

  bool floating_{};
  Convention convention_{};
  pinocchio::Model model_;
  pinocchio::Data data_;
  std::vector<VectorXd> q_, v_, vdot_, tau_;
};

}  // namespace

std::vector<std::unique_ptr<DynamicsEngine>> MakePinocchioEngines(
    const ModelDescription& description, const std::vector<Sample>& samples) {
  std::vector<std::unique_ptr<DynamicsEngine>> engines;
  for (Convention convention : {Convention::WORLD, Convention::LOCAL}) {
    engines.push_back(
        std::make_unique<Pinocchio>(description, samples, convention));
  }
  return engines;
}

}  // namespace wyvern::bench
