#include "wyvern/systems/primitives/linear_transform_density.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/LU>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/primitives/overflow_check.h"
#include "wyvern/systems/primitives/probability_density.h"

namespace wyvern::systems {

template <typename T>
LinearTransformDensity<T>::LinearTransformDensity(
    RandomDistribution distribution, int input_size, int output_size)
    : LeafSystem<T>(SystemTypeTag<LinearTransformDensity>{}),
      distribution_(distribution),
      input_size_(input_size),
      output_size_(output_size) {
  wyvern::internal::RequireAtLeast("LinearTransformDensity", "input_size",
                                   input_size, 1);
  wyvern::internal::RequireAtLeast("LinearTransformDensity", "output_size",
                                   output_size, 1);
  this->DeclareVectorInputPort("w_in", input_size, distribution);
  this->DeclareVectorInputPort("A", input_size * output_size);
  this->DeclareVectorInputPort("b", output_size).set_optional();
  this->DeclareVectorOutputPort("w_out", output_size,
                                &LinearTransformDensity<T>::CalcOutput,
                                {this->all_input_ports_ticket()});
  this->DeclareVectorOutputPort("w_out_density", 1,
                                &LinearTransformDensity<T>::CalcDensityOutput,
                                {this->all_input_ports_ticket()});
}

template <typename T>
FixedInputPortValue& LinearTransformDensity<T>::FixConstantA(
    Context<T>* context, const Eigen::Ref<const MatrixX<T>>& A) const {
  wyvern::internal::RequireShape("LinearTransformDensity::FixConstantA()", "A",
                                 A, output_size_, input_size_);
  const MatrixX<T> contiguous = A;
  const VectorX<T> columns =
      Eigen::Map<const VectorX<T>>(contiguous.data(), contiguous.size());
  return get_input_port_A().FixValue(context, columns);
}

template <typename T>
FixedInputPortValue& LinearTransformDensity<T>::FixConstantB(
    Context<T>* context, const Eigen::Ref<const VectorX<T>>& b) const {
  wyvern::internal::RequireSize("LinearTransformDensity::FixConstantB()", "b",
                                b.size(), output_size_);
  return get_input_port_b().FixValue(context, VectorX<T>(b));
}

template <typename T>
Eigen::Map<const MatrixX<T>> LinearTransformDensity<T>::EvalA(
    const Context<T>& context) const {
  return {get_input_port_A().Eval(context).data(), output_size_, input_size_};
}

template <typename T>
T LinearTransformDensity<T>::CalcDensity(const Context<T>& context) const {
  using std::abs;
  this->ValidateContext(context);
  if (input_size_ != output_size_) {
    throw std::logic_error(
        fmt::format("LinearTransformDensity::CalcDensity(): A of '{}' is "
                    "{} x {}; the density "
                    "of w_out needs a square A.",
                    this->GetSystemPathname(), output_size_, input_size_));
  }
  const MatrixX<T> A = EvalA(context);
  const Eigen::MatrixXd A_value = math::internal::CastTo<double>(A);
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(A_value);
  if (!lu.isInvertible()) {
    throw std::runtime_error(
        fmt::format("LinearTransformDensity::CalcDensity(): A of '{}' is "
                    "singular, so w_out "
                    "has no density; give an invertible A.",
                    this->GetSystemPathname()));
  }
  // d det(A) = det(A) tr(A⁻¹ dA).
  const double value = lu.determinant();
  const Eigen::MatrixXd inverse = lu.inverse();
  T determinant = value;
  for (int i = 0; i < A.rows(); ++i) {
    for (int j = 0; j < A.cols(); ++j) {
      determinant += value * inverse(j, i) * (A(i, j) - A_value(i, j));
    }
  }
  const T density = internal::CalcProbabilityDensity<T>(
                        distribution_, get_input_port_w_in().Eval(context)) /
                    abs(determinant);
  if (!std::isfinite(value) || !std::isfinite(ToDouble(density))) {
    throw std::runtime_error(fmt::format(
        "LinearTransformDensity::CalcDensity(): the determinant of A of '{}' "
        "is {}, so that the density {} of w_out is out of range; scale w_out.",
        this->GetSystemPathname(), value, ToDouble(density)));
  }
  return density;
}

template <typename T>
void LinearTransformDensity<T>::CalcOutput(const Context<T>& context,
                                           BasicVector<T>* w_out) const {
  auto y = w_out->get_mutable_value();
  if (get_input_port_b().HasValue(context)) {
    y = get_input_port_b().Eval(context);
  } else {
    y.setZero();
  }
  y.noalias() += EvalA(context) * get_input_port_w_in().Eval(context);
  internal::RequireNoOverflow(*this, context, *w_out);
}

template <typename T>
void LinearTransformDensity<T>::CalcDensityOutput(
    const Context<T>& context, BasicVector<T>* density) const {
  (*density)[0] = CalcDensity(context);
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::LinearTransformDensity);
