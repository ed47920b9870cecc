#pragma once

#include <initializer_list>
#include <ostream>
#include <span>
#include <utility>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/scalar_cast.h"
#include "wyvern/systems/common/stream_formatter.h"

namespace wyvern::systems {

namespace internal {
[[noreturn]] void ThrowMismatchedVectors(const char* caller, int given,
                                         int wanted);
}  // namespace internal

/** A column of scalars of fixed length whose storage need not be contiguous: a
vector of its own (BasicVector), part of another (Subvector), or several others
end to end (Supervector).

Whole-vector operations work on the contiguous runs that ContiguousFrom() gives,
one virtual call per run, and allocate nothing. Elements stay where they are in
memory for the vector's life. Wrong sizes throw std::logic_error, and checked
element access std::out_of_range. */
template <typename T>
class VectorBase {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(VectorBase);
  virtual ~VectorBase() = default;

  /** Number of elements. */
  virtual int size() const = 0;

  /** Returns an element.
  @throws std::out_of_range on a bad index; so do the next three.
  For long vectors, ContiguousFrom() is faster. */
  const T& operator[](int index) const { return DoGetAtIndexChecked(index); }
  /** A writable element. */
  T& operator[](int index) { return DoGetAtIndexChecked(index); }
  /** An element. */
  const T& GetAtIndex(int index) const { return DoGetAtIndexChecked(index); }
  /** A writable element. */
  T& GetAtIndex(int index) { return DoGetAtIndexChecked(index); }
  /** Sets an element. */
  void SetAtIndex(int index, const T& value) { GetAtIndex(index) = value; }

  /** The elements from `first` on that lie side by side in memory: at least
  one, as many as are known to. `first` is in [0, size()), unchecked. */
  std::span<const T> ContiguousFrom(int first) const {
    return DoContiguousFrom(first);
  }
  /** Mutable variant of ContiguousFrom(). */
  std::span<T> MutableContiguousFrom(int first) {
    const std::span<const T> run = DoContiguousFrom(first);
    return {const_cast<T*>(run.data()), run.size()};
  }

  /** Copies all of `value`, which has this size. */
  void SetFrom(const VectorBase<T>& value);
  /** Copies all of `value`, which has this size. */
  virtual void SetFromVector(const Eigen::Ref<const VectorX<T>>& value);
  /** Sets all elements to zero. */
  virtual void SetZero();

  /** A copy as a column of size() rows. */
  virtual VectorX<T> CopyToVector() const;
  /** Copies into `vec`, which has this size already. */
  void CopyToPreSizedVector(EigenPtr<VectorX<T>> vec) const;
  /** Does *vec += scale * this. */
  virtual void ScaleAndAddToVector(const T& scale,
                                   EigenPtr<VectorX<T>> vec) const;

  /** this += scale * rhs. */
  VectorBase& PlusEqScaled(const T& scale, const VectorBase<T>& rhs) {
    return PlusEqScaled({{scale, rhs}});
  }
  /** this += scale1 * rhs1 + scale2 * rhs2 + ... */
  VectorBase& PlusEqScaled(
      const std::initializer_list<std::pair<T, const VectorBase<T>&>>&
          rhs_scale);
  /** Adds `rhs`, which has this size. */
  VectorBase& operator+=(const VectorBase<T>& rhs) {
    return PlusEqScaled(T(1), rhs);
  }
  /** Subtracts `rhs`, which has this size. */
  VectorBase& operator-=(const VectorBase<T>& rhs) {
    return PlusEqScaled(T(-1), rhs);
  }

  /** Limits on each element that a derived class promises; sized zero if it
  makes no promise. */
  virtual void GetElementBounds(Eigen::VectorXd* lower,
                                Eigen::VectorXd* upper) const {
    lower->resize(0);
    upper->resize(0);
  }

 protected:
  VectorBase() = default;

  virtual const T& DoGetAtIndexUnchecked(int index) const = 0;
  virtual T& DoGetAtIndexUnchecked(int index) = 0;
  /** Throws std::out_of_range through ThrowOutOfRange() on a bad index. */
  virtual const T& DoGetAtIndexChecked(int index) const = 0;
  virtual T& DoGetAtIndexChecked(int index) = 0;

  /** One element at a time unless overridden. */
  virtual std::span<const T> DoContiguousFrom(int first) const {
    return {&DoGetAtIndexUnchecked(first), 1};
  }
  /** The sizes are right when this is called. */
  virtual void DoPlusEqScaled(
      const std::initializer_list<std::pair<T, const VectorBase<T>&>>&
          rhs_scale);

  [[noreturn]] void ThrowOutOfRange(int index) const;
  /** Checks the size of a vector that is given.
  @throws std::logic_error naming `function` unless `given` is size(). */
  void RequireFittingSize(const char* function, Eigen::Index given) const {
    if (given != size()) ThrowMismatchedSize(function, given);
  }

 private:
  [[noreturn]] void ThrowMismatchedSize(const char* function,
                                        Eigen::Index given) const;
};

/** Prints "[1, 2, 3]". */
template <typename T>
std::ostream& operator<<(std::ostream& os, const VectorBase<T>& vec) {
  os << '[';
  for (int i = 0; i < vec.size(); ++i) os << (i > 0 ? ", " : "") << vec[i];
  return os << ']';
}

namespace internal {

/** Copies values between vectors of one size and any two scalar types.
@throws std::logic_error naming `caller` if the sizes differ. */
template <typename T, typename U>
void ConvertVector(const char* caller, const VectorBase<U>& from,
                   VectorBase<T>* to) {
  if (from.size() != to->size()) {
    ThrowMismatchedVectors(caller, from.size(), to->size());
  }
  for (int i = 0; i < to->size(); ++i) (*to)[i] = ScalarCast<T>(from[i]);
}

}  // namespace internal

}  // namespace wyvern::systems

/// @cond  Doxygen does not see what it specializes.
// VectorBase and every class derived from it.
template <typename Vector>
requires requires(const Vector& x) {
  []<typename T>(const wyvern::systems::VectorBase<T>&) {}(x);
}
struct fmt::formatter<Vector> : wyvern::StreamFormatter {};
/// @endcond
