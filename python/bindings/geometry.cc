// Shapes and the SceneGraph.
#include <filesystem>
#include <string>

#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include "python/bindings/core_types.h"
#include "python/bindings/documented_class.h"
#include "python/bindings/numpy_arrays.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::python {

using namespace geometry;  // NOLINT(build/namespaces)

void BindGeometry(nb::module_ m) {
  DocumentedClass<Shape>(m, "Shape", "A shape of its own frame.");
  DocumentedClass<Box, Shape>(m, "Box")
      .def(nb::init<double, double, double>(), "width"_a, "depth"_a, "height"_a)
      .def("size", &Box::size);
  DocumentedClass<Sphere, Shape>(m, "Sphere")
      .def(nb::init<double>(), "radius"_a)
      .def("radius", &Sphere::radius);
  DocumentedClass<Cylinder, Shape>(m, "Cylinder")
      .def(nb::init<double, double>(), "radius"_a, "length"_a)
      .def("radius", &Cylinder::radius)
      .def("length", &Cylinder::length);
  DocumentedClass<Capsule, Shape>(m, "Capsule")
      .def(nb::init<double, double>(), "radius"_a, "length"_a)
      .def("radius", &Capsule::radius)
      .def("length", &Capsule::length);
  DocumentedClass<Ellipsoid, Shape>(m, "Ellipsoid")
      .def(nb::init<double, double, double>(), "a"_a, "b"_a, "c"_a);
  DocumentedClass<HalfSpace, Shape>(m, "HalfSpace",
                                    "All below its plane z = 0.")
      .def(nb::init<>());
  DocumentedClass<Mesh, Shape>(m, "Mesh").def(
      nb::init<const std::filesystem::path&, double>(), "filename"_a,
      "scale"_a = 1.0);
  DocumentedClass<Convex, Shape>(m, "Convex")
      .def(nb::init<const std::filesystem::path&, double>(), "filename"_a,
           "scale"_a = 1.0);
  using Graph = SceneGraph<double>;
  DocumentedClass<Graph, systems::LeafSystem<double>>(
      m, "SceneGraph", "The geometry of a diagram.")
      .def(nb::init<>())
      .def("get_query_output_port", &Graph::get_query_output_port,
           nb::rv_policy::reference_internal);
}

}  // namespace wyvern::python
