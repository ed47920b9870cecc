#pragma once

#include <algorithm>
#include <new>
#include <utility>

#include <Eigen/Core>

namespace wyvern {

/** The derivatives of an AutoDiffXd: an Eigen column vector of doubles that
resizes like Eigen::VectorXd, and that keeps up to kInlineSize elements in the
object itself, where they cost no heap allocation. Longer vectors are on the
heap. As an operand it is an Eigen::Map<Eigen::VectorXd>; assign it to an
Eigen::VectorXd to keep a copy. */
class AutoDiffDerivatives : public Eigen::Map<Eigen::VectorXd> {
 public:
  using Base = Eigen::Map<Eigen::VectorXd>;
  using Index = Eigen::Index;
  static constexpr Index kInlineSize = 16;

  /** No elements. */
  AutoDiffDerivatives() : Base(inline_, 0) {}
  /** `size` zeros. */
  explicit AutoDiffDerivatives(Index size) : Base(NewPlace(size), size) {
    std::fill_n(data(), PaddedSize(size), 0.0);
  }
  /** The vector c a. */
  AutoDiffDerivatives(double c, const AutoDiffDerivatives& a)
      : Base(NewPlace(a.size()), a.size()) {
    for (Index i = 0; i < size(); i += 4) Block(i) = c * a.Block(i);
  }
  /** The vector c a + d b, of equal sizes. */
  AutoDiffDerivatives(double c, const AutoDiffDerivatives& a, double d,
                      const AutoDiffDerivatives& b)
      : Base(NewPlace(a.size()), a.size()) {
    for (Index i = 0; i < size(); i += 4) {
      Block(i) = c * a.Block(i) + d * b.Block(i);
    }
  }
  AutoDiffDerivatives(const AutoDiffDerivatives& other)
      : Base(NewPlace(other.size()), other.size()) {
    for (Index i = 0; i < size(); i += 4) Block(i) = other.Block(i);
  }
  AutoDiffDerivatives(AutoDiffDerivatives&& other) noexcept
      : AutoDiffDerivatives() {
    TakeFrom(&other);
  }
  template <typename Derived>
  explicit AutoDiffDerivatives(const Eigen::MatrixBase<Derived>& values)
      : AutoDiffDerivatives() {
    *this = values;
  }
  ~AutoDiffDerivatives() { Free(); }

  AutoDiffDerivatives& operator=(const AutoDiffDerivatives& other) {
    if (this != &other) CopyFrom(other);
    return *this;
  }
  AutoDiffDerivatives& operator=(AutoDiffDerivatives&& other) noexcept {
    if (this != &other) TakeFrom(&other);
    return *this;
  }
  /** Takes the size and the values of `values`, which may refer to this. */
  template <typename Derived>
  AutoDiffDerivatives& operator=(const Eigen::MatrixBase<Derived>& values) {
    if (values.size() != size()) {
      const typename Derived::PlainObject kept = values;
      resize(kept.size());
      static_cast<Base&>(*this) = kept;
    } else {
      static_cast<Base&>(*this) = values;
    }
    return *this;
  }

  /** Changes the size; the elements are not specified afterwards unless the
  size is as before. */
  void resize(Index size) {
    if (size == this->size()) return;
    Allocate(size);
    std::fill_n(data(), PaddedSize(size), 0.0);
  }
  void resize(Index rows, Index) { resize(rows); }
  /** Changes the size and keeps the elements that remain; new ones are 0. */
  void conservativeResize(Index size) {
    AutoDiffDerivatives result(size);
    std::copy_n(data(), std::min(size, this->size()), result.data());
    *this = std::move(result);
  }
  using Base::setConstant;
  using Base::setOnes;
  using Base::setZero;
  /** Resizes and fills. */
  AutoDiffDerivatives& setZero(Index size) { return setConstant(size, 0.0); }
  AutoDiffDerivatives& setOnes(Index size) { return setConstant(size, 1.0); }
  AutoDiffDerivatives& setConstant(Index size, double value) {
    resize(size);
    Base::setConstant(value);
    return *this;
  }

  /** True if a copy would allocate. */
  bool is_on_heap() const { return data() != inline_; }

  /** @name Kernels
  They work on blocks of four elements; the storage is padded to that.
  @{ */
  /** Elements times c. */
  void ScaleBy(double c) {
    for (Index i = 0; i < size(); i += 4) Block(i) *= c;
  }
  /** Becomes c a. */
  void SetScaled(double c, const AutoDiffDerivatives& a) {
    if (a.size() != size()) Allocate(a.size());
    for (Index i = 0; i < size(); i += 4) Block(i) = c * a.Block(i);
  }
  /** Becomes c times this + d b, of equal sizes. */
  void CombineWith(double c, double d, const AutoDiffDerivatives& b) {
    for (Index i = 0; i < size(); i += 4) {
      Block(i) = c * Block(i) + d * b.Block(i);
    }
  }
  /** @} */

 private:
  using Four = Eigen::Array<double, 4, 1>;

  static Index PaddedSize(Index size) { return (size + 3) & ~Index{3}; }
  Eigen::Map<Four> Block(Index i) { return Eigen::Map<Four>(data() + i); }
  Eigen::Map<const Four> Block(Index i) const {
    return Eigen::Map<const Four>(data() + i);
  }

  // Eigen's way to point a Map elsewhere.
  void Seat(double* data, Index size) {
    new (static_cast<Base*>(this)) Base(data, size);
  }
  void Free() {
    if (is_on_heap()) delete[] data();
  }
  double* NewPlace(Index size) {
    return size <= kInlineSize ? inline_ : new double[PaddedSize(size)];
  }
  // Makes room; the elements are not set.
  void Allocate(Index size) {
    const Index padded = PaddedSize(size);
    if (is_on_heap() && padded == PaddedSize(this->size())) {
      Seat(data(), size);
      return;
    }
    double* place = NewPlace(size);
    Free();
    Seat(place, size);
  }
  void CopyFrom(const AutoDiffDerivatives& other) {
    if (other.size() != size()) Allocate(other.size());
    for (Index i = 0; i < size(); i += 4) Block(i) = other.Block(i);
  }
  // Leaves `other` empty if its elements are on the heap.
  void TakeFrom(AutoDiffDerivatives* other) {
    if (!other->is_on_heap()) {
      CopyFrom(*other);
      return;
    }
    Free();
    Seat(other->data(), other->size());
    other->Seat(other->inline_, 0);
  }

  double inline_[kInlineSize];
};

}  // namespace wyvern
