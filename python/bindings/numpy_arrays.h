#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <nanobind/nanobind.h>
#include <Eigen/Core>

/** @file
Eigen matrices of double as NumPy arrays. Every conversion copies: an argument
becomes an Eigen matrix, and a result becomes a new array, in the column-major
order of Eigen. MakeView() alone shares memory. Only numpy_arrays.cc includes
NumPy's headers, so the other sources compile faster. */

namespace wyvern::python {

/** @name Matrices of functions that are bound
@{ */
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Matrix4d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;
/** @} */

/** Numbers that an argument gives, with the owner that keeps them alive. */
struct ArrayNumbers {
  const double* data{};
  Eigen::Index rows{};
  Eigen::Index cols{};
  /** Distances of neighbours in a column and in a row, in doubles. */
  Eigen::Index row_stride{1};
  Eigen::Index col_stride{1};
  nanobind::object owner;
};

/** Reads a vector or a matrix from an array, a list or a tuple. NumPy converts
other numbers to double if that is a safe cast, which excludes complex numbers
and texts.
@param is_vector whether one dimension is wanted; a matrix of one column is a
vector too, and a vector is a matrix of one column.
@param converts whether anything but an array of double is accepted.
@returns false, without a Python error, if `source` does not fit. */
bool ReadArray(nanobind::handle source, bool is_vector, bool converts,
               ArrayNumbers* numbers) noexcept;

/** Copies numbers into a new array of one dimension; null with a Python error
if there is no memory. */
PyObject* MakeVector(const double* data, Eigen::Index size) noexcept;
/** Copies a column-major matrix into a new array; see MakeVector(). */
PyObject* MakeMatrix(const double* data, Eigen::Index rows, Eigen::Index cols,
                     Eigen::Index col_stride) noexcept;

/** Returns an array that shows `size` numbers at `data`, and keeps `owner`
alive. Writing into it writes there.
@throws nanobind::python_error if there is no memory. */
nanobind::object MakeView(double* data, Eigen::Index size,
                          nanobind::handle owner);

}  // namespace wyvern::python

namespace nanobind::detail {

/** Vectors are arrays of one dimension, matrices of two. */
template <int R, int C, int O, int MR, int MC>
struct type_caster<Eigen::Matrix<double, R, C, O, MR, MC>> {
  using Matrix = Eigen::Matrix<double, R, C, O, MR, MC>;
  static constexpr bool kIsVector = C == 1;
  NB_TYPE_CASTER(Matrix, io_name("numpy.typing.ArrayLike",
                                 "numpy.typing.NDArray[numpy.float64]"))

  bool from_python(handle src, uint32_t flags, cleanup_list*) noexcept {
    wyvern::python::ArrayNumbers numbers;
    if (!wyvern::python::ReadArray(
            src, kIsVector, (flags & cast_flags::convert) != 0, &numbers)) {
      return false;
    }
    if constexpr (R != Eigen::Dynamic) {
      if (numbers.rows != R) return false;
    }
    if constexpr (C != Eigen::Dynamic) {
      if (numbers.cols != C) return false;
    }
    try {
      value.resize(numbers.rows, numbers.cols);
    } catch (const std::exception&) {
      return false;
    }
    for (Eigen::Index j = 0; j < numbers.cols; ++j) {
      for (Eigen::Index i = 0; i < numbers.rows; ++i) {
        value(i, j) =
            numbers.data[i * numbers.row_stride + j * numbers.col_stride];
      }
    }
    return true;
  }

  static handle from_cpp(const Matrix& matrix, rv_policy,
                         cleanup_list*) noexcept {
    static_assert(!Matrix::IsRowMajor || kIsVector);
    if constexpr (kIsVector) {
      return wyvern::python::MakeVector(matrix.data(), matrix.size());
    } else {
      return wyvern::python::MakeMatrix(matrix.data(), matrix.rows(),
                                        matrix.cols(), matrix.rows());
    }
  }
};

/** Parts of vectors, which functions of the library return. */
template <typename Part>
struct numpy_part_caster {
  using Plain = typename Part::PlainObject;
  static constexpr auto Name = make_caster<Plain>::Name;
  template <typename>
  using Cast = Part;
  template <typename>
  static constexpr bool can_cast() {
    return true;
  }
  static handle from_cpp(const Part& part, rv_policy policy,
                         cleanup_list* cleanup) noexcept {
    return make_caster<Plain>::from_cpp(Plain(part), policy, cleanup);
  }
};
template <typename V, int N>
struct type_caster<Eigen::VectorBlock<V, N>>
    : numpy_part_caster<Eigen::VectorBlock<V, N>> {};
template <typename M, int R, int C, bool P>
struct type_caster<Eigen::Block<M, R, C, P>>
    : numpy_part_caster<Eigen::Block<M, R, C, P>> {};

}  // namespace nanobind::detail
