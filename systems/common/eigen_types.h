#pragma once

/** @file
Short names for the Eigen types that the whole project speaks in. */

#include <cstddef>
#include <new>
#include <type_traits>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace wyvern {

namespace internal {

// How Eigen aligns matrices, and whether it leaves that to malloc, depends on
// the processor that a source is compiled for, and on the address sanitizer:
// what one way allocates the other frees wrongly. So each source names the way
// it has, and the library defines that name for its own alone: a program that
// does not fit is not linked. Compile both with the same -march and sanitizers.
#define WYVERN_LAYOUT_NAME_OF(heap, fixed, by_malloc) \
  matrices_are_aligned_to_##heap##_and_##fixed##_bytes_by_malloc_##by_malloc
#define WYVERN_LAYOUT_NAME(heap, fixed, by_malloc) \
  WYVERN_LAYOUT_NAME_OF(heap, fixed, by_malloc)
#define WYVERN_OWN_LAYOUT_NAME                                                \
  WYVERN_LAYOUT_NAME(EIGEN_DEFAULT_ALIGN_BYTES, EIGEN_MAX_STATIC_ALIGN_BYTES, \
                     EIGEN_MALLOC_ALREADY_ALIGNED)
extern const char WYVERN_OWN_LAYOUT_NAME;
[[gnu::used]] static const char* const matrix_layout = &WYVERN_OWN_LAYOUT_NAME;

}  // namespace internal

/** @name Column vectors
Vector3 has 3 entries, Vector<T, n> has n, and VectorX any number.
@{ */
template <typename T>
using Vector0 = Eigen::Matrix<T, 0, 1>;
template <typename T>
using Vector1 = Eigen::Matrix<T, 1, 1>;
template <typename T>
using Vector2 = Eigen::Matrix<T, 2, 1>;
template <typename T>
using Vector3 = Eigen::Matrix<T, 3, 1>;
template <typename T>
using Vector4 = Eigen::Matrix<T, 4, 1>;
template <typename T>
using Vector6 = Eigen::Matrix<T, 6, 1>;
template <typename T, int n>
using Vector = Eigen::Matrix<T, n, 1>;
template <typename T>
using VectorX = Eigen::Matrix<T, Eigen::Dynamic, 1>;
/** Vector of at most six entries; allocates nothing. */
template <typename T>
using VectorUpTo6 = Eigen::Matrix<T, Eigen::Dynamic, 1, 0, 6, 1>;
/** @} */

/** @name Row vectors
@{ */
template <typename T>
using RowVector2 = Eigen::Matrix<T, 1, 2>;
template <typename T>
using RowVector3 = Eigen::Matrix<T, 1, 3>;
template <typename T>
using RowVector4 = Eigen::Matrix<T, 1, 4>;
template <typename T>
using RowVector6 = Eigen::Matrix<T, 1, 6>;
template <typename T, int n>
using RowVector = Eigen::Matrix<T, 1, n>;
template <typename T>
using RowVectorX = Eigen::Matrix<T, 1, Eigen::Dynamic>;
/** @} */

/** @name Matrices
Matrix3 has 3 rows and columns, Matrix3X has 3 rows and any number of columns.
@{ */
template <typename T>
using Matrix2 = Eigen::Matrix<T, 2, 2>;
template <typename T>
using Matrix3 = Eigen::Matrix<T, 3, 3>;
template <typename T>
using Matrix4 = Eigen::Matrix<T, 4, 4>;
template <typename T>
using Matrix6 = Eigen::Matrix<T, 6, 6>;
template <typename T>
using Matrix2X = Eigen::Matrix<T, 2, Eigen::Dynamic>;
template <typename T>
using Matrix3X = Eigen::Matrix<T, 3, Eigen::Dynamic>;
template <typename T>
using Matrix4X = Eigen::Matrix<T, 4, Eigen::Dynamic>;
template <typename T>
using Matrix6X = Eigen::Matrix<T, 6, Eigen::Dynamic>;
template <typename T>
using MatrixX = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
/** Matrix of at most six rows and columns; allocates nothing. */
template <typename T>
using MatrixUpTo6 = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
/** A matrix of the same size, of another scalar. */
template <typename T, typename Derived>
using MatrixLikewise =
    Eigen::Matrix<T, Derived::RowsAtCompileTime, Derived::ColsAtCompileTime,
                  Derived::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor,
                  Derived::MaxRowsAtCompileTime, Derived::MaxColsAtCompileTime>;
/** @} */

/** A quaternion, which need not be of unit length. */
template <typename T>
using Quaternion = Eigen::Quaternion<T>;
/** An angle [rad] about an axis of unit length. */
template <typename T>
using AngleAxis = Eigen::AngleAxis<T>;
/** A rigid transform as Eigen has it; math::RigidTransform says what is
checked. */
template <typename T>
using Isometry3 = Eigen::Transform<T, 3, Eigen::Isometry>;
/** A translation in space. */
template <typename T>
using Translation3 = Eigen::Translation<T, 3>;

/** @name Short names for double
@{ */
using Vector0d = Vector0<double>;
using Vector1d = Vector1<double>;
using Vector6d = Vector6<double>;
using Matrix6d = Matrix6<double>;
/** @} */

namespace internal {
template <typename Derived>
void TakeEigen(const Eigen::EigenBase<Derived>&);
}  // namespace internal

/** Whether a type is an Eigen matrix or array, or an expression of one, also
one like v.head(n), whose class derives from another expression's. */
template <typename Derived>
    struct is_eigen_type : std::bool_constant < requires(const Derived& x) {
  internal::TakeEigen(x);
} > {};
/** Matrix of the same shape with entries of the given scalar. */
template <typename Derived, typename Scalar>
    struct is_eigen_scalar_same : std::bool_constant < requires {
  requires is_eigen_type<Derived>::value;
  requires std::is_same_v<typename Derived::Scalar, Scalar>;
} > {};
/** Whether it is known to have one column. */
template <typename Derived>
    struct is_eigen_vector : std::bool_constant < requires {
  requires is_eigen_type<Derived>::value;
  requires Derived::ColsAtCompileTime == 1;
} > {};
/** Whether it is known to have one column, of this scalar. */
template <typename Derived, typename Scalar>
struct is_eigen_vector_of
    : std::bool_constant<is_eigen_scalar_same<Derived, Scalar>::value &&
                         is_eigen_vector<Derived>::value> {};
/** Whether it has this scalar and may have several columns. */
template <typename Derived, typename Scalar>
struct is_eigen_nonvector_of
    : std::bool_constant<is_eigen_scalar_same<Derived, Scalar>::value &&
                         !is_eigen_vector<Derived>::value> {};

/** A pointer to any writable Eigen expression of one type, nullable: what an
output argument takes, so that a block of a larger matrix can be filled in
place. Dereference gives an Eigen::Ref. */
template <typename PlainObjectType>
class EigenPtr {
 public:
  /** The type that dereferencing returns. */
  using RefType = Eigen::Ref<PlainObjectType>;

  EigenPtr() = default;
  /** Makes a null EigenPtr. */
  EigenPtr(std::nullptr_t) {}  // NOLINT(runtime/explicit)
  /** Points where `other` does. */
  EigenPtr(const EigenPtr& other) { Assign(other); }

  /** Points at `*m`; a null `m` gives a null EigenPtr. */
  template <typename EigenType>
  EigenPtr(EigenType* m) {  // NOLINT(runtime/explicit)
    if (m != nullptr) Reset(*m);
  }

  /** From a pointer to a compatible type, such as a fixed-size one. */
  template <typename Other>
  EigenPtr(const EigenPtr<Other>& other) {  // NOLINT(runtime/explicit)
    if (other != nullptr) Reset(*other);
  }

  /** Points where `other` does. */
  EigenPtr& operator=(const EigenPtr& other) {
    Assign(other);
    return *this;
  }

  /** The matrix; must not be null. */
  RefType& operator*() const { return *get(); }
  /** The matrix; must not be null. */
  RefType* operator->() const { return get(); }

  /** True unless null. */
  explicit operator bool() const { return valid_; }
  /** True if null. */
  bool operator==(std::nullptr_t) const { return !valid_; }
  /** True unless null. */
  bool operator!=(std::nullptr_t) const { return valid_; }

 private:
  void Assign(const EigenPtr& other) {
    if (other.valid_) {
      Reset(*other);
    } else {
      valid_ = false;
    }
  }
  // Eigen::Ref can be constructed anew in place but not assigned.
  template <typename EigenType>
  void Reset(EigenType& m) {
    new (&storage_) RefType(m);
    valid_ = true;
  }
  RefType* get() const {
    return valid_ ? reinterpret_cast<RefType*>(&storage_) : nullptr;
  }

  alignas(RefType) mutable unsigned char storage_[sizeof(RefType)];
  bool valid_{false};
};

}  // namespace wyvern
