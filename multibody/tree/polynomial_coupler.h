#pragma once

#include <array>
#include <tuple>

#include "wyvern/multibody/tree/tendon_force.h"
#include "wyvern/multibody/tree/typed_force_element.h"

namespace wyvern::multibody {

/** A polynomial of degree 4 about x0: sum of c[k] (x - x0)^k. */
struct CouplerPolynomial {
  /** Coefficients, c[k] of the power k. */
  std::array<double, 5> c{};
  /** Point about which the polynomial is written. */
  double x0{0};
};

namespace internal {

/** The coordinate s = q0 - p(q1) of two joints of one degree of freedom. */
template <typename T>
class PolynomialGap final : public ScalarCoordinate<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PolynomialGap);
  PolynomialGap(const Joint<T>& joint0, const Joint<T>& joint1,
                const CouplerPolynomial& polynomial);
  ~PolynomialGap() override;

  const Joint<T>& joint0() const { return joint0_; }
  const Joint<T>& joint1() const { return joint1_; }
  const CouplerPolynomial& polynomial() const { return polynomial_; }

  ModelInstanceIndex model_instance() const override;
  T CalcValue(const MultibodyTreeSystem<T>& system,
              const ForceState<T>& state) const override;
  T CalcRate(const MultibodyTreeSystem<T>& system,
             const ForceState<T>& state) const override;
  void AddForce(const MultibodyTreeSystem<T>& system,
                const ForceState<T>& state, const T& force,
                MultibodyForces<T>* forces) const override;
  void AddGeneralizedForce(const MultibodyTreeSystem<T>& system,
                           const ForceState<T>& state, const T& force,
                           Eigen::Ref<VectorX<T>> tau) const override;
  std::vector<const Joint<T>*> FindJoints(
      const MultibodyTree<T>& tree) const override;
  void RequireMembers(const MultibodyTree<T>& tree,
                      std::string_view function) const override;

 private:
  T CalcSlope(const ForceState<T>& state) const;

  const Joint<T>& joint0_;
  const Joint<T>& joint1_;
  const CouplerPolynomial polynomial_;
};

}  // namespace internal

/** Keeps q0 = p(q1) of two joints of one degree of freedom, where p is a
polynomial, as a plant keeps limits of joints: near-rigid in steps, a stiff
spring in continuous time. The plant's coupler constraints are exact, and serve
if p is linear. */
template <typename T>
class PolynomialCoupler final
    : public internal::TypedForceElement<PolynomialCoupler, T,
                                         internal::TendonForce<T>> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(PolynomialCoupler);

  /** Makes the law q0 = polynomial(q1) between two joints of one plant.
  @throws std::logic_error if the joints are the same, a joint has not one
  degree of freedom, or a coefficient is not finite or above 1e50. */
  PolynomialCoupler(const Joint<T>& joint0, const Joint<T>& joint1,
                    const CouplerPolynomial& polynomial);
  ~PolynomialCoupler() override;

  /** Joint with the position q0. */
  const Joint<T>& joint0() const { return gap().joint0(); }
  /** Joint with the position q1. */
  const Joint<T>& joint1() const { return gap().joint1(); }
  /** The polynomial p. */
  const CouplerPolynomial& polynomial() const { return gap().polynomial(); }

 private:
  friend class internal::TypedForceElement<PolynomialCoupler, T,
                                           internal::TendonForce<T>>;
  const internal::PolynomialGap<T>& gap() const {
    return static_cast<const internal::PolynomialGap<T>&>(this->coordinate());
  }
  template <typename U>
  auto clone_arguments(const internal::MultibodyTree<U>& tree) const {
    return std::tuple<const Joint<U>&, const Joint<U>&, CouplerPolynomial>(
        tree.get_joint(joint0().index()), tree.get_joint(joint1().index()),
        polynomial());
  }
};

}  // namespace wyvern::multibody
