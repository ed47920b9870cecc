#pragma once

#include <memory>

#include "wyvern/systems/primitives/linear/affine_coefficients.h"
#include "wyvern/systems/primitives/linear/time_varying_affine_system.h"
#include "wyvern/systems/symbolic/expression.h"

namespace wyvern::systems {

/** An affine system with constant coefficients.

    continuous (time_period = 0):     dx/dt  = A x + B u + f0
    discrete, every time_period [s]:  x[n+1] = A x + B u + f0
    output:                           y      = C x + D u + y0

Ports and state as TimeVaryingAffineSystem. The input feeds through to the
output if D is not zero. */
template <typename T>
class AffineSystem : public TimeVaryingAffineSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(AffineSystem);

  /** An empty coefficient is zero; the sizes are those of the others.
  @throws std::logic_error if the shapes do not fit, an entry is not finite, or
  the period is negative or not finite. */
  explicit AffineSystem(
      const Eigen::Ref<const Eigen::MatrixXd>& A = Eigen::MatrixXd(),
      const Eigen::Ref<const Eigen::MatrixXd>& B = Eigen::MatrixXd(),
      const Eigen::Ref<const Eigen::VectorXd>& f0 = Eigen::VectorXd(),
      const Eigen::Ref<const Eigen::MatrixXd>& C = Eigen::MatrixXd(),
      const Eigen::Ref<const Eigen::MatrixXd>& D = Eigen::MatrixXd(),
      const Eigen::Ref<const Eigen::VectorXd>& y0 = Eigen::VectorXd(),
      double time_period = 0.0);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit AffineSystem(const AffineSystem<U>& other)
      : AffineSystem(SystemTypeTag<AffineSystem>{}, other.coefficients_,
                     other.time_period()) {
    this->ConfigureDefaultAndRandomStateFrom(other);
  }

  /** From dynamics and output that are affine in `state_vars` and `input_vars`
  with constant coefficients. For programs that link wyvern::symbolic.
  @throws std::runtime_error if they are not; std::logic_error as the
  constructor. */
  static std::unique_ptr<AffineSystem<T>> MakeAffineSystem(
      const Eigen::Ref<const VectorX<symbolic::Expression>>& dynamics,
      const Eigen::Ref<const VectorX<symbolic::Expression>>& output,
      const Eigen::Ref<const VectorX<symbolic::Variable>>& state_vars,
      const Eigen::Ref<const VectorX<symbolic::Variable>>& input_vars,
      double time_period = 0.0);

  /** Matrix A, n x n. */
  const Eigen::MatrixXd& A() const { return coefficients_.A; }
  /** Matrix B, n x m. */
  const Eigen::MatrixXd& B() const { return coefficients_.B; }
  /** Vector f0, n elements. */
  const Eigen::VectorXd& f0() const { return coefficients_.f0; }
  /** Matrix C, p x n. */
  const Eigen::MatrixXd& C() const { return coefficients_.C; }
  /** Matrix D, p x m. */
  const Eigen::MatrixXd& D() const { return coefficients_.D; }
  /** Vector y0, p elements. */
  const Eigen::VectorXd& y0() const { return coefficients_.y0; }

  MatrixX<T> A(const T&) const final { return A().template cast<T>(); }
  MatrixX<T> B(const T&) const final { return B().template cast<T>(); }
  VectorX<T> f0(const T&) const final { return f0().template cast<T>(); }
  MatrixX<T> C(const T&) const final { return C().template cast<T>(); }
  MatrixX<T> D(const T&) const final { return D().template cast<T>(); }
  VectorX<T> y0(const T&) const final { return y0().template cast<T>(); }

  /** Replaces the coefficients, at once in every Context.
  @throws std::logic_error if a shape changes or an entry is not finite. It also
  throws if C or D was zero at construction and no longer is, because the
  dependences of the output are fixed then. */
  void UpdateCoefficients(const Eigen::Ref<const Eigen::MatrixXd>& A,
                          const Eigen::Ref<const Eigen::MatrixXd>& B,
                          const Eigen::Ref<const Eigen::VectorXd>& f0,
                          const Eigen::Ref<const Eigen::MatrixXd>& C,
                          const Eigen::Ref<const Eigen::MatrixXd>& D,
                          const Eigen::Ref<const Eigen::VectorXd>& y0);

 protected:
  /** For derived classes, whom the converter names. Empty coefficients are as
  above. */
  AffineSystem(SystemScalarConverter converter,
               const internal::AffineCoefficients& given, double time_period);

 private:
  template <typename U>
  friend class AffineSystem;

  // Takes coefficients in which no matrix is empty.
  AffineSystem(SystemScalarConverter converter, double time_period,
               internal::AffineCoefficients complete);

  void CalcOutputY(const Context<T>& context, BasicVector<T>* y) const final;
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final;
  EventStatus CalcDiscreteUpdate(const Context<T>& context,
                                 DiscreteValues<T>* updates) const final;
  // A x + B u + f0, into `result`.
  void CalcRightHandSide(const Context<T>& context,
                         Eigen::Map<VectorX<T>> result) const;

  internal::AffineCoefficients coefficients_;
  const bool output_depends_on_state_;
  const bool output_depends_on_input_;
};

}  // namespace wyvern::systems
