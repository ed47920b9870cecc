#include "wyvern/systems/trajectories/trajectory.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::trajectories {

template <typename T>
Trajectory<T>::~Trajectory() = default;

template <typename T>
std::unique_ptr<Trajectory<T>> Trajectory<T>::Clone() const {
  return DoClone();
}

template <typename T>
MatrixX<T> Trajectory<T>::vector_values(const std::vector<T>& t) const {
  return vector_values(Eigen::Map<const VectorX<T>>(
      t.data(), static_cast<Eigen::Index>(t.size())));
}

template <typename T>
MatrixX<T> Trajectory<T>::vector_values(
    const Eigen::Ref<const VectorX<T>>& t) const {
  if (rows() != 1 && cols() != 1) {
    throw std::logic_error(fmt::format(
        "Trajectory::vector_values(): the trajectory's value is {} x {}; call "
        "value() unless it is a vector.",
        rows(), cols()));
  }
  const bool is_row = cols() != 1;
  MatrixX<T> values(is_row ? t.size() : rows(), is_row ? cols() : t.size());
  for (Eigen::Index k = 0; k < t.size(); ++k) {
    if (is_row) {
      values.row(k) = value(t[k]);
    } else {
      values.col(k) = value(t[k]);
    }
  }
  return values;
}

template <typename T>
bool Trajectory<T>::has_derivative() const {
  return do_has_derivative();
}

template <typename T>
MatrixX<T> Trajectory<T>::EvalDerivative(const T& t,
                                         int derivative_order) const {
  RequireDerivativeOrder("EvalDerivative", derivative_order);
  return derivative_order == 0 ? value(t)
                               : DoEvalDerivative(t, derivative_order);
}

template <typename T>
void Trajectory<T>::EvalDerivativeInto(const T& t, int derivative_order,
                                       EigenPtr<MatrixX<T>> derivative) const {
  RequireDerivativeOrder("EvalDerivativeInto", derivative_order);
  if (derivative == nullptr || derivative->rows() != rows() ||
      derivative->cols() != cols()) {
    throw std::logic_error(fmt::format(
        "Trajectory::EvalDerivativeInto(): the matrix to fill is {} x {}; give "
        "one of {} x {}.",
        derivative == nullptr ? 0 : derivative->rows(),
        derivative == nullptr ? 0 : derivative->cols(), rows(), cols()));
  }
  DoEvalDerivativeInto(t, derivative_order, derivative);
}

template <typename T>
std::unique_ptr<Trajectory<T>> Trajectory<T>::MakeDerivative(
    int derivative_order) const {
  RequireDerivativeOrder("MakeDerivative", derivative_order);
  return derivative_order == 0 ? Clone() : DoMakeDerivative(derivative_order);
}

template <typename T>
bool Trajectory<T>::do_has_derivative() const {
  return false;
}

template <typename T>
MatrixX<T> Trajectory<T>::DoEvalDerivative(const T& t,
                                           int derivative_order) const {
  return DoMakeDerivative(derivative_order)->value(t);
}

template <typename T>
std::unique_ptr<Trajectory<T>> Trajectory<T>::DoMakeDerivative(int) const {
  throw std::logic_error(
      fmt::format("{} says that it has derivatives but does not override "
                  "DoMakeDerivative(); override it.",
                  NiceTypeName::Get(*this)));
}

template <typename T>
void Trajectory<T>::DoEvalDerivativeInto(
    const T& t, int derivative_order, EigenPtr<MatrixX<T>> derivative) const {
  *derivative =
      derivative_order == 0 ? value(t) : DoEvalDerivative(t, derivative_order);
}

template <typename T>
T Trajectory<T>::DoFindBreak(const T& t, bool later) const {
  T result = NoBreak(later);
  for (const T& end : {start_time(), end_time()}) {
    if (later ? end > t : end < t) result = Nearer(result, end, later);
  }
  return result;
}

template <typename T>
void Trajectory<T>::RequireDerivativeOrder(const char* who,
                                           int derivative_order) const {
  wyvern::internal::RequireAtLeast({"Trajectory", who}, "derivative_order",
                                   derivative_order, 0);
  if (derivative_order > 0 && !has_derivative()) {
    throw std::logic_error(
        fmt::format("Trajectory::{}(): {} has no derivatives.", who,
                    NiceTypeName::Get(*this)));
  }
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::trajectories::Trajectory);

}  // namespace wyvern::trajectories
