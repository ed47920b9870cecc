#include "wyvern/systems/common/autodiff_derivatives.h"

#include <algorithm>

#include "wyvern/systems/common/derivative_pool.h"

namespace wyvern {

using Index = Eigen::Index;

namespace {

// Four elements. The kernels are loops over them, so that the compiler needs no
// care for what the loop leaves, nor for results in the place of an operand.
using Four = Eigen::Array<double, 4, 1>;
EIGEN_STRONG_INLINE Eigen::Map<Four> At(double* x) {
  return Eigen::Map<Four>(x);
}
EIGEN_STRONG_INLINE Eigen::Map<const Four> At(const double* x) {
  return Eigen::Map<const Four>(x);
}

// x = c a
EIGEN_STRONG_INLINE void Scale(double c, const double* a, double* x,
                               Index size) {
  for (Index i = 0; i < size; i += 4) At(x + i) = c * At(a + i);
}

// x = c a + d b
EIGEN_STRONG_INLINE void Combine(double c, const double* a, double d,
                                 const double* b, double* x, Index size) {
  for (Index i = 0; i < size; i += 4) {
    At(x + i) = c * At(a + i) + d * At(b + i);
  }
}

EIGEN_STRONG_INLINE void Copy(const double* a, double* x, Index size) {
  for (Index i = 0; i < size; i += 4) At(x + i) = At(a + i);
}

}  // namespace

double* AutoDiffDerivatives::NewPlace(Index size) {
  if (size <= kInlineSize) return inline_;
  return internal::DerivativePool::Take(PaddedSize(size));
}

void AutoDiffDerivatives::GiveBack() {
  internal::DerivativePool::GiveBack(data(), PaddedSize(size()));
}

AutoDiffDerivatives::AutoDiffDerivatives(Index size)
    : Base(NewPlace(size), size) {
  std::fill_n(data(), PaddedSize(size), 0.0);
}

AutoDiffDerivatives::AutoDiffDerivatives(double c, const AutoDiffDerivatives& a)
    : Base(NewPlace(a.size()), a.size()) {
  Scale(c, a.data(), data(), size());
}

AutoDiffDerivatives::AutoDiffDerivatives(double c, const AutoDiffDerivatives& a,
                                         double d, const AutoDiffDerivatives& b)
    : Base(NewPlace(a.size()), a.size()) {
  Combine(c, a.data(), d, b.data(), data(), size());
}

AutoDiffDerivatives::AutoDiffDerivatives(const AutoDiffDerivatives& other)
    : Base(NewPlace(other.size()), other.size()) {
  Copy(other.data(), data(), size());
}

void AutoDiffDerivatives::resize(Index size) {
  if (size == this->size()) return;
  Allocate(size);
  std::fill_n(data(), PaddedSize(size), 0.0);
}

void AutoDiffDerivatives::conservativeResize(Index size) {
  AutoDiffDerivatives result(size);
  std::copy_n(data(), std::min(size, this->size()), result.data());
  *this = std::move(result);
}

void AutoDiffDerivatives::ScaleBy(double c) {
  Scale(c, data(), data(), size());
}

void AutoDiffDerivatives::SetScaled(double c, const AutoDiffDerivatives& a) {
  if (a.size() != size()) Allocate(a.size());
  Scale(c, a.data(), data(), size());
}

void AutoDiffDerivatives::CombineWith(double c, double d,
                                      const AutoDiffDerivatives& b) {
  Combine(c, data(), d, b.data(), data(), size());
}

void AutoDiffDerivatives::Allocate(Index size) {
  const Index padded = PaddedSize(size);
  if (is_on_heap() && padded == PaddedSize(this->size())) {
    Seat(data(), size);
    return;
  }
  double* place = NewPlace(size);
  Free();
  Seat(place, size);
}

void AutoDiffDerivatives::CopyFrom(const AutoDiffDerivatives& other) {
  if (other.size() != size()) Allocate(other.size());
  Copy(other.data(), data(), size());
}

void AutoDiffDerivatives::TakeFrom(AutoDiffDerivatives* other) {
  if (!other->is_on_heap()) {
    CopyFrom(*other);
    return;
  }
  Free();
  Seat(other->data(), other->size());
  other->Seat(other->inline_, 0);
}

}  // namespace wyvern
