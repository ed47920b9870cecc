// Shapes and the SceneGraph.
#include <filesystem>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include "python/bindings/core_types.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::python {

namespace nb = nanobind;
using nb::literals::operator""_a;
using namespace geometry;  // NOLINT(build/namespaces)

void BindGeometry(nb::module_ m) {
  nb::class_<Shape>(m, "Shape", "A shape of its own frame.");
  nb::class_<Box, Shape>(m, "Box")
      .def(nb::init<double, double, double>(), "width"_a, "depth"_a, "height"_a)
      .def("size", &Box::size);
  nb::class_<Sphere, Shape>(m, "Sphere")
      .def(nb::init<double>(), "radius"_a)
      .def("radius", &Sphere::radius);
  nb::class_<Cylinder, Shape>(m, "Cylinder")
      .def(nb::init<double, double>(), "radius"_a, "length"_a)
      .def("radius", &Cylinder::radius)
      .def("length", &Cylinder::length);
  nb::class_<Capsule, Shape>(m, "Capsule")
      .def(nb::init<double, double>(), "radius"_a, "length"_a)
      .def("radius", &Capsule::radius)
      .def("length", &Capsule::length);
  nb::class_<Ellipsoid, Shape>(m, "Ellipsoid")
      .def(nb::init<double, double, double>(), "a"_a, "b"_a, "c"_a);
  nb::class_<HalfSpace, Shape>(m, "HalfSpace", "All below its plane z = 0.")
      .def(nb::init<>());
  nb::class_<Mesh, Shape>(m, "Mesh").def(
      nb::init<const std::filesystem::path&, double>(), "filename"_a,
      "scale"_a = 1.0);
  nb::class_<Convex, Shape>(m, "Convex")
      .def(nb::init<const std::filesystem::path&, double>(), "filename"_a,
           "scale"_a = 1.0);
  using Graph = SceneGraph<double>;
  nb::class_<Graph, systems::LeafSystem<double>>(m, "SceneGraph",
                                                 "The geometry of a diagram.")
      .def(nb::init<>())
      .def("get_query_output_port", &Graph::get_query_output_port,
           nb::rv_policy::reference_internal);
}

}  // namespace wyvern::python
