#pragma once

#include <new>
#include <utility>

#include <Eigen/Core>

namespace wyvern {

/** The derivatives of an AutoDiffXd: an Eigen column vector of doubles that
resizes like Eigen::VectorXd, and that keeps up to kInlineSize elements in the
object itself. Longer vectors are in buffers that are kept for the next long
vector when this one is gone: heap is allocated only until there are as many as
are in use at once. As an operand it is an Eigen::Map<Eigen::VectorXd>; assign
it to an Eigen::VectorXd to keep a copy.

What loops over the elements is compiled once, in the library: inlined, it would
be most of what a file of AutoDiffXd mathematics takes to compile. */
class AutoDiffDerivatives : public Eigen::Map<Eigen::VectorXd> {
 public:
  /** The vector that this is. */
  using Base = Eigen::Map<Eigen::VectorXd>;
  /** The type of sizes and indexes. */
  using Index = Eigen::Index;
  /** Most elements that are kept in the object itself. */
  static constexpr Index kInlineSize = 16;

  /** No elements. */
  AutoDiffDerivatives() : Base(inline_, 0) {}
  /** `size` zeros. */
  explicit AutoDiffDerivatives(Index size);
  /** The vector c a. */
  AutoDiffDerivatives(double c, const AutoDiffDerivatives& a);
  /** The vector c a + d b, of equal sizes. */
  AutoDiffDerivatives(double c, const AutoDiffDerivatives& a, double d,
                      const AutoDiffDerivatives& b);
  /** A copy. */
  AutoDiffDerivatives(const AutoDiffDerivatives& other);
  /** Takes the elements of `other`, which is empty then. */
  AutoDiffDerivatives(AutoDiffDerivatives&& other) noexcept
      : AutoDiffDerivatives() {
    TakeFrom(&other);
  }
  /** A copy of any expression of a vector. */
  template <typename Derived>
  explicit AutoDiffDerivatives(const Eigen::MatrixBase<Derived>& values)
      : AutoDiffDerivatives() {
    *this = values;
  }
  ~AutoDiffDerivatives() { Free(); }

  /** Becomes a copy of `other`. */
  AutoDiffDerivatives& operator=(const AutoDiffDerivatives& other) {
    if (this != &other) CopyFrom(other);
    return *this;
  }
  /** Takes the elements of `other`, which is empty then. */
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
  void resize(Index size);
  /** Overload for Eigen; the number of columns is ignored. */
  void resize(Index rows, Index) { resize(rows); }
  /** Changes the size and keeps the elements that remain; new ones are 0. */
  void conservativeResize(Index size);
  using Base::setConstant;
  using Base::setOnes;
  using Base::setZero;
  /** Resizes and fills. */
  AutoDiffDerivatives& setZero(Index size) { return setConstant(size, 0.0); }
  /** Resizes, and fills with 1. */
  AutoDiffDerivatives& setOnes(Index size) { return setConstant(size, 1.0); }
  /** Resizes, and fills with a value. */
  AutoDiffDerivatives& setConstant(Index size, double value) {
    resize(size);
    Base::setConstant(value);
    return *this;
  }

  /** True if the elements are not in the object itself. */
  bool is_on_heap() const { return data() != inline_; }

  /** @name Kernels
  They work on blocks of four elements; the storage is padded to that.
  @{ */
  /** Elements times c. */
  void ScaleBy(double c);
  /** Becomes c a. */
  void SetScaled(double c, const AutoDiffDerivatives& a);
  /** Becomes c times this + d b, of equal sizes. */
  void CombineWith(double c, double d, const AutoDiffDerivatives& b);
  /** @} */

 private:
  static Index PaddedSize(Index size) { return (size + 3) & ~Index{3}; }

  // Eigen's way to point a Map elsewhere.
  void Seat(double* data, Index size) {
    new (static_cast<Base*>(this)) Base(data, size);
  }
  void Free() {
    if (is_on_heap()) GiveBack();
  }
  void GiveBack();
  double* NewPlace(Index size);
  // Makes room; the elements are not set.
  void Allocate(Index size);
  void CopyFrom(const AutoDiffDerivatives& other);
  // Leaves `other` empty if its elements are on the heap.
  void TakeFrom(AutoDiffDerivatives* other);

  double inline_[kInlineSize];
};

}  // namespace wyvern
