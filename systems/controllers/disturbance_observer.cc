#include "wyvern/systems/controllers/disturbance_observer.h"

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/controllers/kalman_observer.h"

namespace wyvern::systems::controllers {

using Eigen::MatrixXd;

std::unique_ptr<LinearSystem<double>> MakeDisturbanceModel(
    const LinearSystem<double>& system,
    const Eigen::Ref<const Eigen::MatrixXd>& Bd,
    const Eigen::Ref<const Eigen::MatrixXd>& Dd) {
  const Eigen::Index n = system.A().rows();
  const Eigen::Index m = system.B().cols();
  const Eigen::Index p = system.C().rows();
  const bool is_at_input = Bd.size() == 0;
  const MatrixXd to_state = is_at_input ? system.B() : MatrixXd(Bd);
  const Eigen::Index q = to_state.cols();
  MatrixXd to_output = Dd;
  if (Dd.size() == 0) {
    to_output = is_at_input ? system.D() : MatrixXd(MatrixXd::Zero(p, q));
  }
  const char* const who = "MakeDisturbanceModel";
  wyvern::internal::RequireAtLeast(who, "the number of disturbances", q, 1);
  wyvern::internal::RequireShape(who, "Bd", to_state, n, q);
  wyvern::internal::RequireShape(who, "Dd", to_output, p, q);
  MatrixXd A = MatrixXd::Zero(n + q, n + q);
  A.topLeftCorner(n, n) = system.A();
  A.topRightCorner(n, q) = to_state;
  if (system.time_period() > 0) A.bottomRightCorner(q, q).setIdentity();
  MatrixXd B = MatrixXd::Zero(n + q, m);
  B.topRows(n) = system.B();
  MatrixXd C(p, n + q);
  C << system.C(), to_output;
  return std::make_unique<LinearSystem<double>>(A, B, C, system.D(),
                                                system.time_period());
}

std::unique_ptr<LinearSystem<double>> MakeDisturbanceObserver(
    const LinearSystem<double>& system,
    const Eigen::Ref<const Eigen::MatrixXd>& L) {
  const auto model = MakeDisturbanceModel(system);
  wyvern::internal::RequireShape("MakeDisturbanceObserver", "L", L.rows(),
                                 L.cols(), model->A().rows(),
                                 model->C().rows());
  return MakeObserver(*model, L);
}

}  // namespace wyvern::systems::controllers
