// Spatial vectors and inertias, of multibody/math.
#include <string>

#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/multibody/math/spatial_algebra.h"
#include "wyvern/multibody/math/spatial_inertia.h"

namespace wyvern::python {

using namespace multibody;  // NOLINT(build/namespaces)

namespace {

using Vector6d = Eigen::Matrix<double, 6, 1>;

// A spatial vector; its two parts are named in the constructor.
template <typename V>
void BindSpatialVector(nb::module_ m, const char* name, const char* rotational,
                       const char* translational) {
  DocumentedClass<V>(m, name, "Rotational part first.")
      .def(
          "__init__",
          [](V* self, const Vector3d& w, const Vector3d& v) {
            new (self) V(w, v);
          },
          nb::arg(rotational), nb::arg(translational))
      .def(
          "__init__",
          [](V* self, const Vector6d& coeffs) { new (self) V(coeffs); },
          "coeffs"_a)
      .def_static("Zero", [] { return V(Vector6d::Zero()); })
      .def("rotational", [](const V& v) -> Vector3d { return v.rotational(); })
      .def("translational",
           [](const V& v) -> Vector3d { return v.translational(); })
      .def("get_coeffs", [](const V& v) -> Vector6d { return v.get_coeffs(); })
      .def("__add__",
           [](const V& a, const V& b) {
             return V(a.get_coeffs() + b.get_coeffs());
           })
      .def("__sub__",
           [](const V& a, const V& b) {
             return V(a.get_coeffs() - b.get_coeffs());
           })
      .def("__repr__", [name = std::string(name)](const V& v) {
        const Vector6d& c = v.get_coeffs();
        return fmt::format("{}([{}, {}, {}], [{}, {}, {}])", name, c[0], c[1],
                           c[2], c[3], c[4], c[5]);
      });
}

void BindRotationalInertias(nb::module_ m) {
  using I = RotationalInertia<double>;
  DocumentedClass<I>(m, "RotationalInertia", "[kg m2], about a point.")
      .def(nb::init<double, double, double>(), "Ixx"_a, "Iyy"_a, "Izz"_a)
      .def(nb::init<double, double, double, double, double, double>(), "Ixx"_a,
           "Iyy"_a, "Izz"_a, "Ixy"_a, "Ixz"_a, "Iyz"_a)
      .def("get_moments", &I::get_moments)
      .def("get_products", &I::get_products)
      .def("CopyToFullMatrix3", &I::CopyToFullMatrix3)
      .def("Trace", &I::Trace);
  using G = UnitInertia<double>;
  DocumentedClass<G, I>(m, "UnitInertia", "Rotational inertia per mass [m2].")
      .def(nb::init<double, double, double>(), "Ixx"_a, "Iyy"_a, "Izz"_a)
      .def(nb::init<double, double, double, double, double, double>(), "Ixx"_a,
           "Iyy"_a, "Izz"_a, "Ixy"_a, "Ixz"_a, "Iyz"_a)
      .def_static("SolidBox", &G::SolidBox, "Lx"_a, "Ly"_a, "Lz"_a)
      .def_static("SolidSphere", &G::SolidSphere, "r"_a)
      .def_static("SolidCube", &G::SolidCube, "L"_a)
      .def_static("TriaxiallySymmetric", &G::TriaxiallySymmetric,
                  "I_triaxial"_a);
}

void BindSpatialInertia(nb::module_ m) {
  using M = SpatialInertia<double>;
  DocumentedClass<M>(m, "SpatialInertia", "Mass, centre of mass, unit inertia.")
      .def(
          nb::init<double, const Vector3d&, const UnitInertia<double>&, bool>(),
          "mass"_a, "p_PScm_E"_a, "G_SP_E"_a, "skip_validity_check"_a = false)
      .def_static("MakeFromCentralInertia", &M::MakeFromCentralInertia,
                  "mass"_a, "p_PScm_E"_a, "I_SScm_E"_a)
      .def_static("PointMass", &M::PointMass, "mass"_a, "position"_a)
      .def_static("SolidBoxWithMass", &M::SolidBoxWithMass, "mass"_a, "lx"_a,
                  "ly"_a, "lz"_a)
      .def_static("SolidCubeWithMass", &M::SolidCubeWithMass, "mass"_a,
                  "length"_a)
      .def_static("SolidSphereWithMass", &M::SolidSphereWithMass, "mass"_a,
                  "radius"_a)
      .def_static("SolidCylinderWithMass", &M::SolidCylinderWithMass, "mass"_a,
                  "radius"_a, "length"_a, "unit_vector"_a)
      .def_static("SolidCapsuleWithMass", &M::SolidCapsuleWithMass, "mass"_a,
                  "radius"_a, "length"_a, "unit_vector"_a)
      .def_static("ThinRodWithMass", &M::ThinRodWithMass, "mass"_a, "length"_a,
                  "unit_vector"_a)
      .def_static("Zero", &M::Zero)
      .def("get_mass", &M::get_mass)
      .def("get_com", &M::get_com)
      .def("get_unit_inertia", &M::get_unit_inertia, nb::rv_policy::copy)
      .def("CalcRotationalInertia", &M::CalcRotationalInertia)
      .def("CopyToFullMatrix6", &M::CopyToFullMatrix6)
      .def("IsPhysicallyValid", &M::IsPhysicallyValid)
      .def("Shift", &M::Shift, "p_PQ_E"_a)
      .def("ReExpress", &M::ReExpress, "R_AE"_a);
}

}  // namespace

void BindSpatialAlgebra(nb::module_ m) {
  BindSpatialVector<SpatialVelocity<double>>(m, "SpatialVelocity", "w", "v");
  BindSpatialVector<SpatialAcceleration<double>>(m, "SpatialAcceleration",
                                                 "alpha", "a");
  BindSpatialVector<SpatialForce<double>>(m, "SpatialForce", "tau", "f");
  BindSpatialVector<SpatialMomentum<double>>(m, "SpatialMomentum", "h", "l");
  BindRotationalInertias(m);
  BindSpatialInertia(m);
}

}  // namespace wyvern::python
