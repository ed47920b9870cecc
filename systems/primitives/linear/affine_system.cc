#include "wyvern/systems/primitives/linear/affine_system.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/primitives/constant_matrix_product.h"
#include "wyvern/systems/primitives/overflow_check.h"

namespace wyvern::systems {

template <typename T>
AffineSystem<T>::AffineSystem(const Eigen::Ref<const Eigen::MatrixXd>& A,
                              const Eigen::Ref<const Eigen::MatrixXd>& B,
                              const Eigen::Ref<const Eigen::VectorXd>& f0,
                              const Eigen::Ref<const Eigen::MatrixXd>& C,
                              const Eigen::Ref<const Eigen::MatrixXd>& D,
                              const Eigen::Ref<const Eigen::VectorXd>& y0,
                              double time_period)
    : AffineSystem(SystemTypeTag<AffineSystem>{},
                   internal::AffineCoefficients{A, B, f0, C, D, y0},
                   time_period) {}

template <typename T>
AffineSystem<T>::AffineSystem(SystemScalarConverter converter,
                              const internal::AffineCoefficients& given,
                              double time_period)
    : AffineSystem(std::move(converter), time_period,
                   internal::CompleteAndCheck("AffineSystem", given)) {}

template <typename T>
AffineSystem<T>::AffineSystem(SystemScalarConverter converter,
                              double time_period,
                              internal::AffineCoefficients complete)
    : TimeVaryingAffineSystem<T>(
          std::move(converter), static_cast<int>(complete.A.rows()),
          static_cast<int>(complete.B.cols()),
          static_cast<int>(complete.C.rows()), time_period,
          {.on_state = !complete.C.isZero(0),
           .on_input = !complete.D.isZero(0),
           .on_time = false}),
      coefficients_(std::move(complete)),
      output_depends_on_state_(!coefficients_.C.isZero(0)),
      output_depends_on_input_(!coefficients_.D.isZero(0)) {}

template <typename T>
void AffineSystem<T>::UpdateCoefficients(
    const Eigen::Ref<const Eigen::MatrixXd>& A,
    const Eigen::Ref<const Eigen::MatrixXd>& B,
    const Eigen::Ref<const Eigen::VectorXd>& f0,
    const Eigen::Ref<const Eigen::MatrixXd>& C,
    const Eigen::Ref<const Eigen::MatrixXd>& D,
    const Eigen::Ref<const Eigen::VectorXd>& y0) {
  constexpr char kWho[] = "AffineSystem::UpdateCoefficients()";
  internal::AffineCoefficients updated{A, B, f0, C, D, y0};
  internal::RequireShapesAndValues(kWho, updated, this->num_states(),
                                   this->num_inputs(), this->num_outputs());
  const bool adds_state = !output_depends_on_state_ && !C.isZero(0);
  const bool adds_input = !output_depends_on_input_ && !D.isZero(0);
  if (adds_state || adds_input) {
    throw std::logic_error(fmt::format(
        "{}: {} was zero when '{}' was constructed and is not any more, but "
        "what the output depends on is fixed then; construct a new system.",
        kWho, adds_state ? "C" : "D", this->GetSystemPathname()));
  }
  coefficients_ = std::move(updated);
  this->NoteSettingsChange();
}

template <typename T>
void AffineSystem<T>::CalcOutputY(const Context<T>& context,
                                  BasicVector<T>* output_vector) const {
  auto y = output_vector->get_mutable_value();
  y = y0().template cast<T>();
  if (output_depends_on_state_) {
    internal::AddProduct(C(), this->StateOf(context), y);
  }
  if (output_depends_on_input_) {
    internal::AddProduct(D(), this->get_input_port().Eval(context), y);
  }
  internal::RequireNoOverflow(*this, context, *output_vector);
}

template <typename T>
void AffineSystem<T>::CalcRightHandSide(const Context<T>& context,
                                        Eigen::Map<VectorX<T>> result) const {
  result = f0().template cast<T>();
  internal::AddProduct(A(), this->StateOf(context), result);
  if (this->num_inputs() > 0) {
    internal::AddProduct(B(), this->get_input_port().Eval(context), result);
  }
}

template <typename T>
void AffineSystem<T>::DoCalcTimeDerivatives(
    const Context<T>& context, ContinuousState<T>* derivatives) const {
  if (this->num_states() == 0 || this->time_period() > 0) return;
  CalcRightHandSide(
      context, internal::MutableViewOf<T>(&derivatives->get_mutable_vector()));
}

template <typename T>
EventStatus AffineSystem<T>::CalcDiscreteUpdate(
    const Context<T>& context, DiscreteValues<T>* updates) const {
  CalcRightHandSide(
      context, internal::MutableViewOf<T>(&updates->get_mutable_vector(0)));
  return EventStatus::Succeeded();
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::AffineSystem);
