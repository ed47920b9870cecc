// A pole on a cart, balanced by the regulator of its linearised motion.
//
//            o  m2            u0 (force on the cart, N)
//           /                  |
//        l / q            +----v------+   x = [p q p' q']
//     ----/----           | cart-pole |---+
//  u ->| m1    |          +-----------+   |
//     --o-----o--  p           ^  +-----+ |
//                              +--| LQR |<+
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/controllers/linear_quadratic_regulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/framework/vector_system.h"

using namespace wyvern::systems;
using Eigen::Vector4d;

constexpr double kCart = 1.0, kPole = 0.2;        // m1, m2 in kg
constexpr double kLength = 0.5, kGravity = 9.81;  // m, m/s^2

// (m1 + m2) p'' + m2 l (q'' cos q - q'^2 sin q) = u,
// l q'' + p'' cos q = g sin q, with q = 0 upright.
template <typename T>
class CartPole final : public VectorSystem<T> {
 public:
  CartPole() : VectorSystem<T>(SystemTypeTag<CartPole>{}, 1, 4, false) {
    this->DeclareContinuousState(2, 2, 0);
  }
  template <typename U>
  explicit CartPole(const CartPole<U>&) : CartPole() {}

 private:
  using In = Eigen::VectorBlock<const wyvern::VectorX<T>>;
  using Out = Eigen::VectorBlock<wyvern::VectorX<T>>;
  void DoCalcVectorTimeDerivatives(const Context<T>&, const In& u, const In& x,
                                   Out* dx) const final {
    using std::cos, std::sin;
    const T s = sin(x[1]), c = cos(x[1]);
    const T a = (u[0] + kPole * s * (kLength * x[3] * x[3] - kGravity * c)) /
                (kCart + kPole * s * s);
    *dx << x[2], x[3], a, (kGravity * s - c * a) / kLength;
  }
  void DoCalcVectorOutput(const Context<T>&, const In&, const In& x,
                          Out* y) const final {
    *y = x;
  }
};

int main() {
  const CartPole<double> model;
  auto upright = model.CreateDefaultContext();  // At x = 0.
  model.get_input_port().FixValue(upright.get(), 0.0);

  DiagramBuilder<double> builder;
  auto* cart_pole = builder.AddSystem<CartPole<double>>();
  auto* regulator = builder.AddSystem(controllers::LinearQuadraticRegulator(
      model, *upright, Vector4d(10, 10, 1, 1).asDiagonal().toDenseMatrix(),
      Eigen::MatrixXd::Identity(1, 1)));
  builder.Connect(*cart_pole, *regulator);
  builder.Connect(*regulator, *cart_pole);
  const auto diagram = builder.Build();

  Simulator<double> simulator(*diagram);
  simulator.get_mutable_context().SetContinuousState(Vector4d(0, 0.3, 0, 0));
  const auto& x = simulator.get_context().get_continuous_state_vector();
  for (int k = 0; k <= 10; ++k) {
    simulator.AdvanceTo(k);
    fmt::print("t = {:2d} s   cart {:8.5f} m   pole {:8.5f} rad\n", k, x[0],
               x[1]);
  }
  const double error = x.CopyToVector().cwiseAbs().maxCoeff();
  fmt::print("Off balance at the end: {:.1e} (m, rad, m/s, rad/s)\n", error);
  return error < 1e-3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
