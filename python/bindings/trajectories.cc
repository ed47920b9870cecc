// Functions of time.
#include <memory>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::python {

using trajectories::PiecewisePolynomial;
using trajectories::PiecewiseTrajectory;
using trajectories::Trajectory;

namespace {

using Base = Trajectory<double>;
using Piecewise = PiecewisePolynomial<double>;

void BindBase(nb::module_ m) {
  DocumentedClass<Base>(m, "Trajectory", "A matrix as a function of time [s].")
      .def("value", &Base::value, "t"_a)
      .def(
          "vector_values",
          [](const Base& x, const std::vector<double>& t) {
            return x.vector_values(t);
          },
          "t"_a)
      .def("has_derivative", &Base::has_derivative)
      .def("EvalDerivative", &Base::EvalDerivative, "t"_a,
           "derivative_order"_a = 1)
      .def("MakeDerivative", &Base::MakeDerivative, "derivative_order"_a = 1)
      .def("rows", &Base::rows)
      .def("cols", &Base::cols)
      .def("start_time", &Base::start_time)
      .def("end_time", &Base::end_time);
  DocumentedClass<PiecewiseTrajectory<double>, Base>(m, "PiecewiseTrajectory")
      .def("get_number_of_segments",
           &PiecewiseTrajectory<double>::get_number_of_segments)
      .def("get_segment_times",
           &PiecewiseTrajectory<double>::get_segment_times);
}

void BindPolynomial(nb::module_ m) {
  DocumentedClass<Piecewise, PiecewiseTrajectory<double>>(m,
                                                          "PiecewisePolynomial")
      .def(nb::init<>())
      .def(
          "__init__",
          [](Piecewise* self, const MatrixXd& value) {
            new (self) Piecewise(value);
          },
          "constant_value"_a)
      .def_static(
          "ZeroOrderHold",
          [](const VectorXd& breaks, const MatrixXd& samples) {
            return Piecewise::ZeroOrderHold(breaks, samples);
          },
          "breaks"_a, "samples"_a)
      .def_static(
          "FirstOrderHold",
          [](const VectorXd& breaks, const MatrixXd& samples) {
            return Piecewise::FirstOrderHold(breaks, samples);
          },
          "breaks"_a, "samples"_a, "Samples are columns.")
      .def_static(
          "CubicHermite",
          [](const VectorXd& breaks, const MatrixXd& samples,
             const MatrixXd& samples_dot) {
            return Piecewise::CubicHermite(breaks, samples, samples_dot);
          },
          "breaks"_a, "samples"_a, "samples_dot"_a)
      .def_static(
          "CubicShapePreserving",
          [](const VectorXd& breaks, const MatrixXd& samples, bool zero) {
            return Piecewise::CubicShapePreserving(breaks, samples, zero);
          },
          "breaks"_a, "samples"_a, "zero_end_point_derivatives"_a = false)
      .def_static(
          "CubicWithContinuousSecondDerivatives",
          [](const VectorXd& breaks, const MatrixXd& samples, bool periodic) {
            return Piecewise::CubicWithContinuousSecondDerivatives(
                breaks, samples, periodic);
          },
          "breaks"_a, "samples"_a, "periodic_end_condition"_a = false)
      .def_static(
          "CubicWithContinuousSecondDerivatives",
          [](const VectorXd& breaks, const MatrixXd& samples,
             const VectorXd& start, const VectorXd& end) {
            return Piecewise::CubicWithContinuousSecondDerivatives(
                breaks, samples, start, end);
          },
          "breaks"_a, "samples"_a, "sample_dot_at_start"_a,
          "sample_dot_at_end"_a)
      .def("derivative", &Piecewise::derivative, "derivative_order"_a = 1);
}

}  // namespace

void BindTrajectories(nb::module_ m) {
  BindBase(m);
  BindPolynomial(m);
}

}  // namespace wyvern::python
