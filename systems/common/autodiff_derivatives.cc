#include "wyvern/systems/common/autodiff_derivatives.h"

#include <algorithm>

#include "wyvern/systems/common/derivative_pool.h"

namespace wyvern {

using Index = Eigen::Index;

Eigen::Map<AutoDiffDerivatives::Four> AutoDiffDerivatives::Block(Index i) {
  return Eigen::Map<Four>(data() + i);
}

Eigen::Map<const AutoDiffDerivatives::Four> AutoDiffDerivatives::Block(
    Index i) const {
  return Eigen::Map<const Four>(data() + i);
}

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
  for (Index i = 0; i < size(); i += 4) Block(i) = c * a.Block(i);
}

AutoDiffDerivatives::AutoDiffDerivatives(double c, const AutoDiffDerivatives& a,
                                         double d, const AutoDiffDerivatives& b)
    : Base(NewPlace(a.size()), a.size()) {
  for (Index i = 0; i < size(); i += 4) {
    Block(i) = c * a.Block(i) + d * b.Block(i);
  }
}

AutoDiffDerivatives::AutoDiffDerivatives(const AutoDiffDerivatives& other)
    : Base(NewPlace(other.size()), other.size()) {
  for (Index i = 0; i < size(); i += 4) Block(i) = other.Block(i);
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
  for (Index i = 0; i < size(); i += 4) Block(i) *= c;
}

void AutoDiffDerivatives::SetScaled(double c, const AutoDiffDerivatives& a) {
  if (a.size() != size()) Allocate(a.size());
  for (Index i = 0; i < size(); i += 4) Block(i) = c * a.Block(i);
}

void AutoDiffDerivatives::CombineWith(double c, double d,
                                      const AutoDiffDerivatives& b) {
  for (Index i = 0; i < size(); i += 4) {
    Block(i) = c * Block(i) + d * b.Block(i);
  }
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
  for (Index i = 0; i < size(); i += 4) Block(i) = other.Block(i);
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
