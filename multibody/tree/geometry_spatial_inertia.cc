#include "wyvern/multibody/tree/geometry_spatial_inertia.h"

#include <array>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/geometry/shapes/mesh_reader.h"
#include "wyvern/systems/common/check_argument.h"

/* Inertia of a solid of uniform density. Shapes with a closed form use it. Of a
mesh or a hull, the volume integrals of 1, x and x x' are summed over
tetrahedra: those of the file, or the signed cones from the origin over the
triangles of a closed surface (divergence theorem). Then I = tr(S) 1 - S with
S the integral of x x' times the density. */

namespace wyvern::multibody {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Mass moments for density 1: volume V, integral of x, integral of x x'.
class SolidMoments {
 public:
  // Adds a tetrahedron with vertices x_i: V = det(x_1 - x_0, x_2 - x_0, x_3 -
  // x_0) / 6, and with s = sum x_i: V s / 4 and V / 20 (sum x_i x_i' + s s').
  void AddTetrahedron(const std::array<Vector3d, 4>& x) {
    const double V = (x[1] - x[0]).dot((x[2] - x[0]).cross(x[3] - x[0])) / 6;
    Vector3d s = Vector3d::Zero();
    Matrix3d squares = Matrix3d::Zero();
    for (const Vector3d& x_i : x) {
      s += x_i;
      squares += x_i * x_i.transpose();
    }
    volume_ += V;
    first_ += V / 4 * s;
    second_ += V / 20 * (squares + s * s.transpose());
  }
  // Adds the cone from the origin over a triangle. The cone is negative if the
  // triangle is seen from inside, so the cones over a closed surface add up to
  // the volume inside.
  void AddTriangle(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    AddTetrahedron({Vector3d::Zero(), a, b, c});
  }
  double volume() const { return volume_; }
  // Compute I = tr(S) 1 - S, where S is the second moment.
  SpatialInertia<double> ToInertia(double density) const {
    const Matrix3d S = second_ / volume_;
    const Matrix3d G = S.trace() * Matrix3d::Identity() - S;
    return SpatialInertia<double>(
        density * volume_, first_ / volume_,
        UnitInertia<double>(G(0, 0), G(1, 1), G(2, 2), G(0, 1), G(0, 2),
                            G(1, 2)));
  }

 private:
  double volume_{};
  Vector3d first_{Vector3d::Zero()};
  Matrix3d second_{Matrix3d::Zero()};
};

using Inertia = SpatialInertia<double>;

Inertia InertiaOf(const geometry::Box& s, double density) {
  return Inertia::SolidBoxWithDensity(density, s.width(), s.depth(),
                                      s.height());
}
Inertia InertiaOf(const geometry::Capsule& s, double density) {
  return Inertia::SolidCapsuleWithDensity(density, s.radius(), s.length(),
                                          Vector3d::UnitZ());
}
Inertia InertiaOf(const geometry::Cylinder& s, double density) {
  return Inertia::SolidCylinderWithDensity(density, s.radius(), s.length(),
                                           Vector3d::UnitZ());
}
Inertia InertiaOf(const geometry::Ellipsoid& s, double density) {
  return Inertia::SolidEllipsoidWithDensity(density, s.a(), s.b(), s.c());
}
Inertia InertiaOf(const geometry::Sphere& s, double density) {
  return Inertia::SolidSphereWithDensity(density, s.radius());
}

Inertia InertiaOf(const geometry::Convex& s, double density) {
  const geometry::PolygonSurfaceMesh<double>& hull = s.GetConvexHull();
  SolidMoments moments;
  for (int f = 0; f < hull.num_faces(); ++f) {
    const geometry::SurfacePolygon face = hull.element(f);
    for (int i = 2; i < face.num_vertices(); ++i) {
      moments.AddTriangle(hull.vertex(face.vertex(0)),
                          hull.vertex(face.vertex(i - 1)),
                          hull.vertex(face.vertex(i)));
    }
  }
  return moments.ToInertia(density);
}

Inertia InertiaOf(const geometry::Mesh& s, double density) {
  SolidMoments moments;
  const std::string label = s.source().description();
  if (s.extension() == ".vtk") {
    const auto mesh =
        geometry::internal::ReadTetrahedronMesh(s.source(), s.scale());
    mesh.CalcVolume(label);  // Throws if an index is of no vertex.
    for (const std::array<int, 4>& t : mesh.tetrahedra) {
      moments.AddTetrahedron({mesh.vertices[t[0]], mesh.vertices[t[1]],
                              mesh.vertices[t[2]], mesh.vertices[t[3]]});
    }
  } else {
    const auto mesh =
        geometry::internal::ReadTriangleMesh(s.source(), s.scale());
    mesh.CalcVolume(label);  // Throws if the surface is open.
    for (const std::array<int, 3>& t : mesh.triangles) {
      moments.AddTriangle(mesh.vertices[t[0]], mesh.vertices[t[1]],
                          mesh.vertices[t[2]]);
    }
  }
  if (!(moments.volume() > 0)) {
    throw std::runtime_error(fmt::format(
        "CalcSpatialInertia(): {} encloses a volume of {} m^3; the vertices of "
        "its faces must run counter-clockwise seen from outside.",
        label, moments.volume()));
  }
  return moments.ToInertia(density);
}

[[noreturn]] Inertia RefuseInertia(const geometry::Shape& shape) {
  throw std::logic_error(
      fmt::format("CalcSpatialInertia(): a {} has no inertia; give a shape "
                  "that encloses a volume.",
                  shape.type_name()));
}
Inertia InertiaOf(const geometry::HalfSpace& s, double) { RefuseInertia(s); }
Inertia InertiaOf(const geometry::MeshcatCone& s, double) { RefuseInertia(s); }

}  // namespace

SpatialInertia<double> CalcSpatialInertia(const geometry::Shape& shape,
                                          double density) {
  wyvern::internal::RequirePositive("CalcSpatialInertia", "density", density);
  return shape.Visit<Inertia>(
      [density](const auto& s) { return InertiaOf(s, density); });
}

SpatialInertia<double> CalcSpatialInertia(
    const geometry::TriangleSurfaceMesh<double>& mesh, double density) {
  wyvern::internal::RequirePositive("CalcSpatialInertia", "density", density);
  SolidMoments moments;
  for (const geometry::SurfaceTriangle& t : mesh.triangles()) {
    moments.AddTriangle(mesh.vertex(t.vertex(0)), mesh.vertex(t.vertex(1)),
                        mesh.vertex(t.vertex(2)));
  }
  wyvern::internal::RequirePositive("CalcSpatialInertia", "enclosed volume",
                                    moments.volume());
  return moments.ToInertia(density);
}

}  // namespace wyvern::multibody
