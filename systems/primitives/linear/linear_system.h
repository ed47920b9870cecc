#pragma once

#include <memory>

#include "wyvern/systems/primitives/linear/affine_system.h"
#include "wyvern/systems/primitives/linear/controllability.h"
#include "wyvern/systems/primitives/linear/linearization.h"
#include "wyvern/systems/primitives/linear/time_varying_linear_system.h"

namespace wyvern::systems {

/** A linear system with constant coefficients: an AffineSystem with f0 = 0 and
y0 = 0.

    continuous (time_period = 0):     dx/dt  = A x + B u
    discrete, every time_period [s]:  x[n+1] = A x + B u
    output:                           y      = C x + D u */
template <typename T>
class LinearSystem : public AffineSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LinearSystem);

  /** As the constructor of AffineSystem. */
  explicit LinearSystem(
      const Eigen::Ref<const Eigen::MatrixXd>& A = Eigen::MatrixXd(),
      const Eigen::Ref<const Eigen::MatrixXd>& B = Eigen::MatrixXd(),
      const Eigen::Ref<const Eigen::MatrixXd>& C = Eigen::MatrixXd(),
      const Eigen::Ref<const Eigen::MatrixXd>& D = Eigen::MatrixXd(),
      double time_period = 0.0);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit LinearSystem(const LinearSystem<U>& other)
      : LinearSystem(SystemTypeTag<LinearSystem>{}, other.A(), other.B(),
                     other.C(), other.D(), other.time_period()) {
    this->ConfigureDefaultAndRandomStateFrom(other);
  }

  /** From dynamics and output that are affine in `state_vars` and `input_vars`
  with constant coefficients, and no
  constants. For programs that link wyvern::symbolic.
  @throws std::runtime_error if they are not; std::logic_error as the
  constructor. */
  static std::unique_ptr<LinearSystem<T>> MakeLinearSystem(
      const Eigen::Ref<const VectorX<symbolic::Expression>>& dynamics,
      const Eigen::Ref<const VectorX<symbolic::Expression>>& output,
      const Eigen::Ref<const VectorX<symbolic::Variable>>& state_vars,
      const Eigen::Ref<const VectorX<symbolic::Variable>>& input_vars,
      double time_period = 0.0);

 protected:
  /** For derived classes, whom the converter names. */
  LinearSystem(SystemScalarConverter converter, const Eigen::MatrixXd& A,
               const Eigen::MatrixXd& B, const Eigen::MatrixXd& C,
               const Eigen::MatrixXd& D, double time_period);
};

}  // namespace wyvern::systems
