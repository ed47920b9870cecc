#include "wyvern/simulator/integrators/hermitian_dense_output.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::systems {

template <typename T>
void HermitianDenseOutput<T>::Append(Segment segment) {
  const auto n = segment.x0.size();
  const bool sizes_agree =
      segment.xdot0.size() == n && segment.x1.size() == n &&
      segment.xdot1.size() == n &&
      (segments_.empty() || segments_.front().x0.size() == n);
  if (!sizes_agree) {
    throw std::logic_error(
        "HermitianDenseOutput::Append(): the states and derivatives differ in "
        "size; all must have the size of the first state.");
  }
  const bool in_order =
      segment.t0 < segment.t1 &&
      (segments_.empty() || segments_.back().t1 <= segment.t0);
  if (!in_order) {
    throw std::logic_error(fmt::format(
        "HermitianDenseOutput::Append(): the step from {} to {} does not "
        "follow the output so far; times must increase.",
        ExtractDoubleOrThrow(segment.t0), ExtractDoubleOrThrow(segment.t1)));
  }
  segments_.push_back(std::move(segment));
}

template <typename T>
void HermitianDenseOutput<T>::Truncate(int num_segments) {
  while (this->num_segments() > num_segments) segments_.pop_back();
}

template <typename T>
void HermitianDenseOutput<T>::ReplaceEnd(const T& t1, const VectorX<T>& x1,
                                         const VectorX<T>& xdot1) {
  this->ThrowIfEmpty("ReplaceEnd");
  Segment segment = std::move(segments_.back());
  segments_.pop_back();
  segment.t1 = t1;
  segment.x1 = x1;
  segment.xdot1 = xdot1;
  Append(std::move(segment));
}

// The last segment that starts at or before t.
template <typename T>
const typename HermitianDenseOutput<T>::Segment& HermitianDenseOutput<T>::Find(
    const T& t) const {
  auto after = std::upper_bound(
      segments_.begin() + 1, segments_.end(), t,
      [](const T& time, const Segment& segment) { return time < segment.t0; });
  return *(after - 1);
}

template <typename T>
VectorX<T> HermitianDenseOutput<T>::DoEvaluate(const T& t) const {
  const Segment& segment = Find(t);
  const T h = segment.t1 - segment.t0;
  const T s = (t - segment.t0) / h;
  const VectorX<T> d = segment.x1 - segment.x0;
  const VectorX<T> a = h * segment.xdot0;
  const VectorX<T> b = h * segment.xdot1;
  return segment.x0 +
         s * (a + s * (T(3.0) * d - T(2.0) * a - b + s * (a + b - T(2.0) * d)));
}

template <typename T>
VectorX<T> HermitianDenseOutput<T>::EvaluateDerivative(const T& t) const {
  this->Evaluate(t);  // Checks the time.
  const Segment& segment = Find(t);
  const T h = segment.t1 - segment.t0;
  const T s = (t - segment.t0) / h;
  const VectorX<T> d = (segment.x1 - segment.x0) / h;
  const VectorX<T>& a = segment.xdot0;
  const VectorX<T>& b = segment.xdot1;
  return a + s * (T(6.0) * d - T(4.0) * a - T(2.0) * b +
                  s * (T(3.0) * (a + b) - T(6.0) * d));
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::HermitianDenseOutput);
