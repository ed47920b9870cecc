#include "wyvern/systems/primitives/linear/discrete_time_approximation.h"

#include "wyvern/systems/common/check_argument.h"

#include <stdexcept>

#include <fmt/format.h>
#include <unsupported/Eigen/MatrixFunctions>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

// With u constant, z = [x; u; 1] obeys dz/dt = M z, M = [A B f0; 0 0 0; 0 0 0],
// so x(h) is in the upper rows of exp(M h) z(0) (C. F. Van Loan, "Computing
// integrals involving the matrix exponential", IEEE TAC 1978). For h -> 0 the
// result tends to the identity, 0 and 0.
template <typename T>
internal::AffineCoefficients Discretize(const AffineSystem<T>& system,
                                        double time_period) {
  constexpr char kWho[] = "DiscreteTimeApproximation()";
  wyvern::internal::RequirePositive(kWho, "time_period", time_period);
  if (system.time_period() > 0) {
    throw std::logic_error(fmt::format(
        "{}: '{}' is discrete already, with period {}; give a continuous "
        "system (period 0).",
        kWho, system.GetSystemPathname(), system.time_period()));
  }
  const int n = system.num_states();
  const int m = system.num_inputs();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n + m + 1, n + m + 1);
  M.topRows(n) << system.A(), system.B(), system.f0();
  const Eigen::MatrixXd E = (M * time_period).exp();
  wyvern::internal::RequireFinite(kWho, "exp(A time_period)", E);
  return {E.topLeftCorner(n, n),
          E.block(0, n, n, m),
          E.col(n + m).head(n),
          system.C(),
          system.D(),
          system.y0()};
}

}  // namespace

template <typename T>
std::unique_ptr<LinearSystem<T>> DiscreteTimeApproximation(
    const LinearSystem<T>& system, double time_period) {
  const internal::AffineCoefficients d = Discretize(system, time_period);
  return std::make_unique<LinearSystem<T>>(d.A, d.B, d.C, d.D, time_period);
}

template <typename T>
std::unique_ptr<AffineSystem<T>> DiscreteTimeApproximation(
    const AffineSystem<T>& system, double time_period) {
  const internal::AffineCoefficients d = Discretize(system, time_period);
  return std::make_unique<AffineSystem<T>>(d.A, d.B, d.f0, d.C, d.D, d.y0,
                                           time_period);
}

#define WYVERN_INSTANTIATE_DISCRETE_TIME_APPROXIMATION(T)              \
  template std::unique_ptr<LinearSystem<T>> DiscreteTimeApproximation( \
      const LinearSystem<T>&, double);                                 \
  template std::unique_ptr<AffineSystem<T>> DiscreteTimeApproximation( \
      const AffineSystem<T>&, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_DISCRETE_TIME_APPROXIMATION)
#undef WYVERN_INSTANTIATE_DISCRETE_TIME_APPROXIMATION

}  // namespace wyvern::systems
