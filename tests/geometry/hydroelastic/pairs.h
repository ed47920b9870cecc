#pragma once

/** @file
Pairs of geometries, their surface, and what it amounts to. */

#include <memory>
#include <utility>
#include <vector>

#include "tests/geometry/math/random_pose.h"
#include "wyvern/geometry/hydroelastic/pair_surface.h"

namespace wyvern::geometry::test {

using internal::HydroelasticGeometry;
using Representation = HydroelasticContactRepresentation;

inline HydroelasticGeometry MakeCompliant(const Shape& shape, double hint,
                                          double modulus, double margin = 0) {
  ProximityProperties properties;
  AddCompliantHydroelasticProperties(hint, modulus, &properties);
  properties.AddProperty("hydroelastic", "margin", margin);
  return internal::MakeHydroelasticGeometry(shape, properties);
}

inline HydroelasticGeometry MakeCompliantHalfSpace(double thickness,
                                                   double modulus,
                                                   double margin = 0) {
  ProximityProperties properties;
  AddCompliantHydroelasticPropertiesForHalfSpace(thickness, modulus,
                                                 &properties);
  properties.AddProperty("hydroelastic", "margin", margin);
  return internal::MakeHydroelasticGeometry(HalfSpace(), properties);
}

inline HydroelasticGeometry MakeRigid(const Shape& shape, double hint = 1) {
  ProximityProperties properties;
  AddRigidHydroelasticProperties(hint, &properties);
  return internal::MakeHydroelasticGeometry(shape, properties);
}

/** Two ids, a < b. */
struct TwoIds {
  GeometryId a{GeometryId::get_new_id()}, b{GeometryId::get_new_id()};
};

/** The surface of A and B; nothing if there is none. */
template <typename T>
std::vector<ContactSurface<T>> CalcSurface(
    const HydroelasticGeometry& A, const math::RigidTransform<T>& X_WA,
    const HydroelasticGeometry& B, const math::RigidTransform<T>& X_WB,
    Representation representation = Representation::kPolygon,
    const TwoIds& ids = {}) {
  internal::PairScratch<T> scratch;
  ContactSurfaceList<T> list;
  internal::AddPairSurface<T>({A, ids.a, X_WA}, {B, ids.b, X_WB},
                              representation, &scratch, &list);
  std::vector<ContactSurface<T>> result;
  list.MoveTo(&result);
  return result;
}

/** Integrals over a surface: its area, the force on M and its torque about the
world's origin. */
template <typename T>
struct Sum {
  T area{0};
  Vector3<T> force{Vector3<T>::Zero()};
  Vector3<T> torque{Vector3<T>::Zero()};
  T largest_pressure{0};
};

/** Integrates exactly: the pressure is linear on each face. */
template <typename T>
Sum<T> Integrate(const std::vector<ContactSurface<T>>& surfaces) {
  Sum<T> sum;
  for (const ContactSurface<T>& s : surfaces) {
    sum.area += s.total_area();
    const auto& vertices = s.is_triangle() ? s.tri_mesh_W().vertices()
                                           : s.poly_mesh_W().vertices();
    const auto add = [&](int f, int i, int j, int k, const auto& field) {
      // Over a triangle, the mean of the product of two linear functions: by
      // the middles of its sides.
      const Vector3<T>&a = vertices[i], &b = vertices[j], &c = vertices[k];
      const T area = 0.5 * (b - a).cross(c - a).dot(s.face_normal(f));
      const T p[] = {field.values()[i], field.values()[j], field.values()[k]};
      const Vector3<T> middle[] = {(a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0};
      for (int m = 0; m < 3; ++m) {
        const Vector3<T> force =
            (area / 3.0 * (p[m] + p[(m + 1) % 3]) / 2.0) * s.face_normal(f);
        sum.force += force;
        sum.torque += middle[m].cross(force);
        if (p[m] > sum.largest_pressure) sum.largest_pressure = p[m];
      }
    };
    for (int f = 0; f < s.num_faces(); ++f) {
      if (s.is_triangle()) {
        const auto& t = s.tri_mesh_W().element(f);
        add(f, t.vertex(0), t.vertex(1), t.vertex(2), s.tri_e_MN());
        continue;
      }
      const SurfacePolygon polygon = s.poly_mesh_W().element(f);
      for (int k = 1; k + 1 < polygon.num_vertices(); ++k) {
        add(f, polygon.vertex(0), polygon.vertex(k), polygon.vertex(k + 1),
            s.poly_e_MN());
      }
    }
  }
  return sum;
}

/** A pair of geometries by name, and poses at which they overlap. */
struct Pair {
  const char* name;
  HydroelasticGeometry A, B;
  math::RigidTransformd X_WA, X_WB;
};

/** Every kind of pair, tilted against each other; all lengths times `s`. */
inline std::vector<Pair> MakePairs(double s = 1) {
  using math::RigidTransformd;
  wyvern::test::RandomPose random(7);
  const auto at = [&random, s](double x, double y, double z) {
    return RigidTransformd(random.Rotation(), s * Eigen::Vector3d(x, y, z));
  };
  const RigidTransformd flat(math::RotationMatrixd::MakeXRotation(0.2),
                             s * Eigen::Vector3d(0, 0, -0.3));
  const auto box = [s](double x, double y, double z) {
    return Box(s * x, s * y, s * z);
  };
  const double hint = 0.3 * s;
  const HydroelasticGeometry soft_box = MakeCompliant(box(1, 1.2, 0.8), s, 1e5);
  const HydroelasticGeometry soft_ball =
      MakeCompliant(Sphere(0.6 * s), hint, 2e5);
  return {
      {"ball, plate", soft_ball, MakeRigid(box(3, 3, 1)), at(0, 0, 0),
       RigidTransformd(Eigen::Vector3d(0, 0, -0.9 * s))},
      {"box, ball", soft_box, MakeRigid(Sphere(0.6 * s), hint), at(0, 0, 0),
       at(0.1, 0, 0.8)},
      {"box, box", soft_box, MakeCompliant(box(0.5, 1, 1), s, 3e5), at(0, 0, 0),
       at(0.5, 0.4, 0.3)},
      {"ball, capsule", soft_ball,
       MakeCompliant(Capsule(0.4 * s, s), hint, 1e5), at(0, 0, 0),
       at(0.3, 0.5, 0)},
      {"cylinder, ellipsoid", MakeCompliant(Cylinder(0.5 * s, s), hint, 1e5),
       MakeCompliant(Ellipsoid(0.5 * s, 0.6 * s, 0.7 * s), hint, 3e5),
       at(0, 0, 0), at(0.6, 0.2, 0.3)},
      {"box, wall", soft_box, MakeRigid(HalfSpace()), at(0, 0, 0), flat},
      {"ball, soft ground", soft_ball, MakeCompliantHalfSpace(0.5 * s, 1e5),
       at(0, 0, 0), flat},
      {"soft ground, rigid box", MakeCompliantHalfSpace(0.5 * s, 1e5),
       MakeRigid(box(1, 1, 1)), flat, at(0, 0, 0)},
  };
}

}  // namespace wyvern::geometry::test
