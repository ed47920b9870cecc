#include "python/bindings/numpy_arrays.h"

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#define NPY_TARGET_VERSION NPY_1_23_API_VERSION
#include <numpy/arrayobject.h>

namespace wyvern::python {

namespace {

// Imports NumPy at the first array, so that `import wyvern` alone is fast.
bool HasNumpy() noexcept {
  static bool is_there = false;
  if (!is_there) is_there = _import_array() >= 0;
  return is_there;
}

PyArrayObject* AsArray(PyObject* object) {
  return reinterpret_cast<PyArrayObject*>(object);
}

bool IsPlain(PyArrayObject* array) {
  return PyArray_TYPE(array) == NPY_DOUBLE && PyArray_ISBEHAVED_RO(array);
}

}  // namespace

bool ReadArray(nanobind::handle source, bool is_vector, bool converts,
               ArrayNumbers* numbers) noexcept {
  if (!HasNumpy()) {
    PyErr_Clear();
    return false;
  }
  if (PyArray_Check(source.ptr()) && IsPlain(AsArray(source.ptr()))) {
    numbers->owner = nanobind::borrow(source);
  } else {
    if (!converts || source.is_none()) return false;
    // NumPy first chooses a type, so that None is an object and not a NaN, and
    // then casts if that is safe.
    PyObject* found = PyArray_FROM_O(source.ptr());
    PyObject* made = nullptr;
    if (found != nullptr) {
      made = PyArray_FROMANY(found, NPY_DOUBLE, 0, 2, NPY_ARRAY_BEHAVED);
    }
    Py_XDECREF(found);
    if (made == nullptr) {
      PyErr_Clear();
      return false;
    }
    numbers->owner = nanobind::steal(made);
  }
  PyArrayObject* array = AsArray(numbers->owner.ptr());
  const int num_dimensions = PyArray_NDIM(array);
  if (num_dimensions < 1 || num_dimensions > 2) return false;
  const npy_intp* shape = PyArray_DIMS(array);
  const npy_intp* strides = PyArray_STRIDES(array);
  if (is_vector && num_dimensions == 2 && shape[1] != 1) return false;
  constexpr auto kSize = static_cast<npy_intp>(sizeof(double));
  for (int i = 0; i < num_dimensions; ++i) {
    if (strides[i] % kSize != 0) return false;
  }
  numbers->data = static_cast<const double*>(PyArray_DATA(array));
  numbers->rows = shape[0];
  numbers->cols = num_dimensions == 2 ? shape[1] : 1;
  numbers->row_stride = strides[0] / kSize;
  numbers->col_stride = num_dimensions == 2 ? strides[1] / kSize : 0;
  return true;
}

PyObject* MakeVector(const double* data, Eigen::Index size) noexcept {
  if (!HasNumpy()) return nullptr;
  npy_intp shape[1] = {size};
  PyObject* result = PyArray_SimpleNew(1, shape, NPY_DOUBLE);
  if (result == nullptr) return nullptr;
  std::copy(data, data + size,
            static_cast<double*>(PyArray_DATA(AsArray(result))));
  return result;
}

PyObject* MakeMatrix(const double* data, Eigen::Index rows, Eigen::Index cols,
                     Eigen::Index col_stride) noexcept {
  if (!HasNumpy()) return nullptr;
  npy_intp shape[2] = {rows, cols};
  PyObject* result = PyArray_EMPTY(2, shape, NPY_DOUBLE, 1);
  if (result == nullptr) return nullptr;
  auto* out = static_cast<double*>(PyArray_DATA(AsArray(result)));
  for (Eigen::Index j = 0; j < cols; ++j, out += rows) {
    std::copy(data + j * col_stride, data + j * col_stride + rows, out);
  }
  return result;
}

nanobind::object MakeView(double* data, Eigen::Index size,
                          nanobind::handle owner) {
  if (!HasNumpy()) throw nanobind::python_error();
  npy_intp shape[1] = {size};
  PyObject* view = PyArray_SimpleNewFromData(1, shape, NPY_DOUBLE, data);
  if (view == nullptr) throw nanobind::python_error();
  nanobind::object result = nanobind::steal(view);
  // The array takes over a reference to the owner.
  if (PyArray_SetBaseObject(AsArray(view), owner.inc_ref().ptr()) < 0) {
    throw nanobind::python_error();
  }
  return result;
}

}  // namespace wyvern::python
