#include "wyvern/simulator/integrators/dense_output.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems {

template <typename T>
DenseOutput<T>::~DenseOutput() = default;

template <typename T>
void DenseOutput<T>::RequireAnySegment(const char* function) const {
  if (is_empty()) {
    throw std::logic_error(
        fmt::format("DenseOutput::{}(): the output is empty; integrate between "
                    "StartDenseIntegration() and its use.",
                    function));
  }
}

template <typename T>
void DenseOutput<T>::RequireTimeWithin(const char* function, const T& t) const {
  RequireAnySegment(function);
  // Written so that a NaN is refused too.
  if (!(t >= start_time() && t <= end_time())) {
    throw std::runtime_error(fmt::format(
        "DenseOutput::{}(): time {} is outside the interval [{}, {}] of the "
        "output.",
        function, ToDouble(t), ToDouble(start_time()), ToDouble(end_time())));
  }
}

template <typename T>
VectorX<T> DenseOutput<T>::Evaluate(const T& t) const {
  RequireTimeWithin("Evaluate", t);
  return DoEvaluate(t);
}

template <typename T>
T DenseOutput<T>::EvaluateNth(const T& t, int n) const {
  RequireTimeWithin("EvaluateNth", t);
  if (n < 0 || n >= size()) {
    throw std::out_of_range(fmt::format(
        "DenseOutput::EvaluateNth(): element {} of a solution of {} elements.",
        n, size()));
  }
  return DoEvaluateNth(t, n);
}

template <typename T>
int DenseOutput<T>::size() const {
  RequireAnySegment("size");
  return do_size();
}

template <typename T>
const T& DenseOutput<T>::start_time() const {
  RequireAnySegment("start_time");
  return do_start_time();
}

template <typename T>
const T& DenseOutput<T>::end_time() const {
  RequireAnySegment("end_time");
  return do_end_time();
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::DenseOutput);
