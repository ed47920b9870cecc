#pragma once

#include <cmath>

#include "wyvern/systems/framework/vector_system.h"

namespace wyvern::examples {

/** A pole on a cart, upright at q = 0:

    (m1 + m2) p'' + m2 l (q'' cos q - q'^2 sin q) = u,  l q'' + p'' cos q = g
sin q

with m1 = 1 kg, m2 = 0.2 kg, l = 0.5 m. Input u: the force on the cart [N];
state [p q p' q']; output [p q], in m and rad. */
template <typename T>
class CartPole final : public systems::VectorSystem<T> {
 public:
  CartPole()
      : systems::VectorSystem<T>(systems::SystemTypeTag<CartPole>{}, 1, 2,
                                 false) {
    this->DeclareContinuousState(2, 2, 0);
  }
  template <typename U>
  explicit CartPole(const CartPole<U>&) : CartPole() {}

 private:
  using In = Eigen::VectorBlock<const VectorX<T>>;
  using Out = Eigen::VectorBlock<VectorX<T>>;
  void DoCalcVectorTimeDerivatives(const systems::Context<T>&, const In& u,
                                   const In& x, Out* dx) const final {
    using std::cos;
    using std::sin;
    constexpr double kCart = 1.0, kPole = 0.2, kLength = 0.5, kGravity = 9.81;
    const T s = sin(x[1]), c = cos(x[1]);
    const T a = (u[0] + kPole * s * (kLength * x[3] * x[3] - kGravity * c)) /
                (kCart + kPole * s * s);
    *dx << x[2], x[3], a, (kGravity * s - c * a) / kLength;
  }
  void DoCalcVectorOutput(const systems::Context<T>&, const In&, const In& x,
                          Out* y) const final {
    *y = x.head(2);
  }
};

}  // namespace wyvern::examples
