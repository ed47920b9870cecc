#include "wyvern/geometry/shapes/shape_specification.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/systems/common/check_argument.h"

/* Shapes check their sizes when they are made, so that nobody else need. A
ShapeReifier refuses, by name, every shape that a derived class does not
override. The volume of a mesh is that inside of its triangles or
tetrahedra, that of a Convex of its hull. */

namespace wyvern::geometry {
namespace {

using std::numbers::pi;
using wyvern::internal::RequirePositive;

}  // namespace

ShapeReifier::~ShapeReifier() = default;

void ShapeReifier::DefaultImplementGeometry(const Shape& shape) {
  throw std::logic_error(fmt::format(
      "ShapeReifier: a {} was given to one that does not handle it; override "
      "ImplementGeometry() for that shape.",
      shape.type_name()));
}
void ShapeReifier::ImplementGeometry(const Box& box, void*) {
  DefaultImplementGeometry(box);
}
void ShapeReifier::ImplementGeometry(const Capsule& capsule, void*) {
  DefaultImplementGeometry(capsule);
}
void ShapeReifier::ImplementGeometry(const Convex& convex, void*) {
  DefaultImplementGeometry(convex);
}
void ShapeReifier::ImplementGeometry(const Cylinder& cylinder, void*) {
  DefaultImplementGeometry(cylinder);
}
void ShapeReifier::ImplementGeometry(const Ellipsoid& ellipsoid, void*) {
  DefaultImplementGeometry(ellipsoid);
}
void ShapeReifier::ImplementGeometry(const HalfSpace& half_space, void*) {
  DefaultImplementGeometry(half_space);
}
void ShapeReifier::ImplementGeometry(const Mesh& mesh, void*) {
  DefaultImplementGeometry(mesh);
}
void ShapeReifier::ImplementGeometry(const MeshcatCone& cone, void*) {
  DefaultImplementGeometry(cone);
}
void ShapeReifier::ImplementGeometry(const Sphere& sphere, void*) {
  DefaultImplementGeometry(sphere);
}

Shape::~Shape() = default;

void Shape::Reify(ShapeReifier* reifier, void* user_data) const {
  wyvern::internal::RequireNotNull("Shape::Reify", "reifier", reifier,
                                   "pass one");
  DoReify(reifier, user_data);
}

Box::Box(double width, double depth, double height)
    : size_(RequirePositive("Box", "width", width),
            RequirePositive("Box", "depth", depth),
            RequirePositive("Box", "height", height)) {}
Box::Box(const Eigen::Vector3d& measures)
    : Box(measures[0], measures[1], measures[2]) {}
Box Box::MakeCube(double edge_size) {
  return Box(edge_size, edge_size, edge_size);
}
std::string Box::do_to_string() const {
  return fmt::format("Box(width={}, depth={}, height={})", width(), depth(),
                     height());
}

Capsule::Capsule(double radius, double length)
    : radius_(RequirePositive("Capsule", "radius", radius)),
      length_(RequirePositive("Capsule", "length", length)) {}
Capsule::Capsule(const Eigen::Vector2d& measures)
    : Capsule(measures[0], measures[1]) {}
std::string Capsule::do_to_string() const {
  return fmt::format("Capsule(radius={}, length={})", radius_, length_);
}

Cylinder::Cylinder(double radius, double length)
    : radius_(RequirePositive("Cylinder", "radius", radius)),
      length_(RequirePositive("Cylinder", "length", length)) {}
Cylinder::Cylinder(const Eigen::Vector2d& measures)
    : Cylinder(measures[0], measures[1]) {}
std::string Cylinder::do_to_string() const {
  return fmt::format("Cylinder(radius={}, length={})", radius_, length_);
}

Ellipsoid::Ellipsoid(double a, double b, double c)
    : radii_(RequirePositive("Ellipsoid", "semi-axis a", a),
             RequirePositive("Ellipsoid", "semi-axis b", b),
             RequirePositive("Ellipsoid", "semi-axis c", c)) {}
Ellipsoid::Ellipsoid(const Eigen::Vector3d& measures)
    : Ellipsoid(measures[0], measures[1], measures[2]) {}
std::string Ellipsoid::do_to_string() const {
  return fmt::format("Ellipsoid(a={}, b={}, c={})", a(), b(), c());
}

math::RigidTransform<double> HalfSpace::MakePose(
    const Eigen::Vector3d& Hz_dir_F, const Eigen::Vector3d& p_FB) {
  const double norm = Hz_dir_F.norm();
  wyvern::internal::RequireFinite("HalfSpace::MakePose", "p_FB", p_FB);
  wyvern::internal::RequireFinite("HalfSpace::MakePose", "Hz_dir_F", Hz_dir_F);
  wyvern::internal::RequireInRange("HalfSpace::MakePose",
                                   "the length of Hz_dir_F", norm, 1e-10,
                                   std::numeric_limits<double>::max());
  const Eigen::Vector3d Hz_F = Hz_dir_F / norm;
  const auto R_FH =
      math::RotationMatrix<double>::MakeFromOneUnitVector(Hz_F, 2);
  return {R_FH, Hz_F * Hz_F.dot(p_FB)};
}

MeshcatCone::MeshcatCone(double height, double a, double b)
    : height_(RequirePositive("MeshcatCone", "height", height)),
      a_(RequirePositive("MeshcatCone", "semi-axis a", a)),
      b_(RequirePositive("MeshcatCone", "semi-axis b", b)) {}
MeshcatCone::MeshcatCone(const Eigen::Vector3d& measures)
    : MeshcatCone(measures[0], measures[1], measures[2]) {}
std::string MeshcatCone::do_to_string() const {
  return fmt::format("MeshcatCone(height={}, a={}, b={})", height_, a_, b_);
}

Sphere::Sphere(double radius)
    : radius_(
          wyvern::internal::RequireNonNegative("Sphere", "radius", radius)) {}
std::string Sphere::do_to_string() const {
  return fmt::format("Sphere(radius={})", radius_);
}

namespace {
double Volume(const Box& s) { return s.size().prod(); }
double Volume(const Cylinder& s) {
  return pi * s.radius() * s.radius() * s.length();
}
double Volume(const Sphere& s) {
  return 4.0 / 3 * pi * s.radius() * s.radius() * s.radius();
}
double Volume(const Capsule& s) {
  return Volume(Cylinder(s.radius(), s.length())) + Volume(Sphere(s.radius()));
}
double Volume(const Ellipsoid& s) {
  return 4.0 / 3 * pi * s.a() * s.b() * s.c();
}
double Volume(const Convex& s) { return s.GetConvexHull().CalcVolume(); }
double Volume(const Mesh& s) {
  if (s.extension() == ".vtk") {
    return internal::ReadTetrahedronMesh(s.source(), s.scale())
        .CalcVolume(s.source().description());
  }
  return internal::ReadTriangleMesh(s.source(), s.scale())
      .CalcVolume(s.source().description());
}
double Volume(const MeshcatCone& s) {
  return pi / 3 * s.a() * s.b() * s.height();
}
double Volume(const HalfSpace&) {
  return std::numeric_limits<double>::infinity();
}
}  // namespace

double CalcVolume(const Shape& shape) {
  return shape.Visit<double>([](const auto& s) { return Volume(s); });
}

}  // namespace wyvern::geometry
