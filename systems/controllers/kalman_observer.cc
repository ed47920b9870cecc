#include "wyvern/systems/controllers/kalman_observer.h"

#include <Eigen/Cholesky>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/matrix_equations/continuous_algebraic_riccati_equation.h"
#include "wyvern/systems/matrix_equations/discrete_algebraic_riccati_equation.h"

namespace wyvern::systems::controllers {

using Eigen::MatrixXd;

KalmanGainResult CalcKalmanGain(const LinearSystem<double>& system,
                                const Eigen::Ref<const Eigen::MatrixXd>& W,
                                const Eigen::Ref<const Eigen::MatrixXd>& V) {
  const MatrixXd& A = system.A();
  const MatrixXd& C = system.C();
  wyvern::internal::RequireShape("CalcKalmanGain", "W", W.rows(), W.cols(),
                                 A.rows(), A.rows());
  wyvern::internal::RequireShape("CalcKalmanGain", "V", V.rows(), V.cols(),
                                 C.rows(), C.rows());
  KalmanGainResult result;
  if (system.time_period() == 0) {
    result.P = math::ContinuousAlgebraicRiccatiEquation(A.transpose(),
                                                        C.transpose(), W, V);
    result.L = V.llt().solve(C * result.P).transpose();
  } else {
    result.P = math::DiscreteAlgebraicRiccatiEquation(A.transpose(),
                                                      C.transpose(), W, V);
    const MatrixXd innovation = C * result.P * C.transpose() + V;
    result.L = innovation.llt().solve(C * result.P * A.transpose()).transpose();
  }
  return result;
}

std::unique_ptr<LinearSystem<double>> MakeObserver(
    const LinearSystem<double>& system,
    const Eigen::Ref<const Eigen::MatrixXd>& L) {
  const Eigen::Index n = system.A().rows();
  const Eigen::Index m = system.B().cols();
  const Eigen::Index p = system.C().rows();
  wyvern::internal::RequireShape("MakeObserver", "L", L.rows(), L.cols(), n, p);
  MatrixXd B(n, m + p);
  B << system.B() - L * system.D(), L;
  return std::make_unique<LinearSystem<double>>(
      system.A() - L * system.C(), B, MatrixXd::Identity(n, n),
      MatrixXd::Zero(n, m + p), system.time_period());
}

}  // namespace wyvern::systems::controllers
