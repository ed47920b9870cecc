#include "wyvern/geometry/hydroelastic/pair_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "wyvern/geometry/proximity/penetration_as_point_pair.h"
#include "wyvern/systems/common/default_scalars.h"

/* Elandt, Drumwright, Sherman, Ruina, "A pressure field model for fast, robust
approximation of net contact force and moment between nominally rigid
objects", IROS 2019: the surface of two compliant bodies is where their
pressures are equal, that of a rigid and a compliant body is what the field
has of the rigid surface. On a tetrahedron a pressure is linear, so that
either is made of flat polygons.

  compliant mesh,  rigid mesh        each triangle, clipped by tetrahedra
  compliant mesh,  compliant mesh    the plane p_A = p_B of two tetrahedra
  compliant mesh,  rigid half space  its plane in each tetrahedron
  compliant mesh,  compliant half space   the plane p_A = p_H
  rigid mesh,      compliant half space   each triangle, below the plane

Planes are cut out of one tetrahedron by the values at its vertices, and
clipped by the other. Branches are chosen on values; derivatives come by way
of the poses. */

namespace wyvern::geometry::internal {
namespace {

using math::RigidTransform;
using math::internal::ValueOf;
using math::internal::ValuesOf;

constexpr double kLeastGradient = 1e-14;

// True if the gradient is not negligible and its cosine with the unit vector n
// is at least kLeastCosine.
template <typename T>
bool GrowsAlong(const Vector3<T>& n, const Vector3<T>& gradient) {
  const Eigen::Vector3d g = ValuesOf(gradient);
  const double size = g.norm();
  return size >= kLeastGradient && ValuesOf(n).dot(g) >= kLeastCosine * size;
}

template <typename T>
RigidTransform<double> ValueOfPose(const RigidTransform<T>& X) {
  return RigidTransform<double>::MakeUnchecked(ValuesOf(X.GetAsMatrix34()));
}

// The pressure on one element, a linear function, in the mesh's frame.
struct LinearPressure {
  LinearPressure(const HydroelasticGeometry& S, int element)
      : field(S.compliant->depth),
        tetrahedron(S.compliant->mesh.element(element)),
        modulus(S.modulus),
        p_0(S.compliant->mesh.vertex(tetrahedron.vertex(0))),
        gradient(modulus * field.EvaluateGradient(element)) {}

  double at(int i) const {
    return modulus * field.values()[tetrahedron.vertex(i)];
  }
  // Returns the one vertex whose pressure is positive if it is 0 at the other
  // three, whose face is then on the body's surface; otherwise -1.
  int FindOuter() const {
    int outer = -1;
    for (int i = 0; i < 4; ++i) {
      if (at(i) == 0) continue;
      if (outer >= 0 || at(i) < 0) return -1;
      outer = i;
    }
    return outer;
  }

  const PressureField& field;
  const VolumeElement& tetrahedron;
  double modulus;
  const Eigen::Vector3d& p_0;
  Eigen::Vector3d gradient;
};

template <typename T>
class PairSurface {
 public:
  PairSurface(HydroelasticContactRepresentation representation,
              PairScratch<T>* scratch, bool touching)
      : representation_(representation),
        scratch_(*scratch),
        touching_(touching) {
    scratch_.elements.clear();
  }

  void CalcCompliantRigid(const HydroelasticSide<T>& S,
                          const HydroelasticSide<T>& R) {
    const CompliantMesh& soft = *S.geometry.compliant;
    const RigidMesh& hard = *R.geometry.rigid;
    const RigidTransform<T> X_SR = S.X_WG.InvertAndCompose(R.X_WG);
    FindElementPairs(soft.mesh, soft.tree, hard.mesh, hard.tree,
                     ValueOfPose(X_SR), &scratch_.element_pairs,
                     &scratch_.elements);
    Start(S, R, S);
    for (const auto& [tet, tri] : scratch_.elements) {
      const LinearPressure p(S.geometry, tet);
      const Vector3<T> gradient = p.gradient.template cast<T>();
      const Vector3<T> n = X_SR.rotation() * Cast(hard.mesh.face_normal(tri));
      if (!GrowsAlong(n, gradient)) continue;
      SetTriangle(hard.mesh, tri, X_SR);
      polygon().ClipToTetrahedron(soft.mesh, tet, n,
                                  touching_ ? p.FindOuter() : -1);
      scratch_.builder.AddFace(polygon(), n, p.p_0, T(p.at(0)), gradient,
                               gradient, gradient);
    }
  }

  void CalcCompliantCompliant(const HydroelasticSide<T>& A,
                              const HydroelasticSide<T>& B) {
    const CompliantMesh& a = *A.geometry.compliant;
    const CompliantMesh& b = *B.geometry.compliant;
    const RigidTransform<T> X_AB = A.X_WG.InvertAndCompose(B.X_WG);
    const RigidTransform<T> X_BA = X_AB.inverse();
    FindElementPairs(a.mesh, a.tree, b.mesh, b.tree, ValueOfPose(X_AB),
                     &scratch_.element_pairs, &scratch_.elements);
    // The surface is found in B.
    Start(A, B, B);
    for (const auto& [tet_a, tet_b] : scratch_.elements) {
      const LinearPressure p_A(A.geometry, tet_a), p_B(B.geometry, tet_b);
      const Vector3<T> gradient_B_A = X_AB.rotation() * Cast(p_B.gradient);
      const Vector3<T> p_AQ = X_AB * Cast(p_B.p_0);
      Vector4<T> h;
      double scale = 0;
      for (int i = 0; i < 4; ++i) {
        const T other =
            p_B.at(0) +
            gradient_B_A.dot(a.mesh.vertex(p_A.tetrahedron.vertex(i)) - p_AQ);
        h[i] = p_A.at(i) - other;
        scale =
            std::max({scale, std::abs(p_A.at(i)), std::abs(ValueOf(other))});
      }
      Snap(scale, &h);
      Vector3<T> n_A;
      if (HasNothing(p_A, h) ||
          !FindNormal(Cast(p_A.gradient), gradient_B_A, &n_A)) {
        continue;
      }
      Cut(a.mesh, tet_a, p_A, h, n_A);
      polygon().Transform(X_BA);
      const Vector3<T> n_B = X_BA.rotation() * n_A;
      polygon().ClipToTetrahedron(b.mesh, tet_b, n_B);
      scratch_.builder.AddFace(
          polygon(), n_B, p_B.p_0, T(p_B.at(0)), Cast(p_B.gradient),
          X_BA.rotation() * Cast(p_A.gradient), Cast(p_B.gradient));
    }
  }

  void CalcCompliantHalfSpace(const HydroelasticSide<T>& S,
                              const HydroelasticSide<T>& H) {
    const CompliantMesh& soft = *S.geometry.compliant;
    const HydroelasticGeometry& half_space = H.geometry;
    const RigidTransform<T> X_SH = S.X_WG.InvertAndCompose(H.X_WG);
    const Vector3<T> up = X_SH.rotation() * Vector3<T>(0, 0, 1);
    // The half space's pressure at height h is -slope h, slope in Pa/m. A rigid
    // half space has no pressure: the surface is its plane h = 0.
    const bool is_wall = half_space.is_rigid();
    const double slope =
        is_wall ? 0 : half_space.modulus / half_space.slab_thickness;
    const double level = ValueOf(up.dot(X_SH.translation()));
    const double high = is_wall ? 0 : half_space.margin;
    const double low = is_wall ? 0 : -S.geometry.modulus / slope;
    soft.tree.AddBetween(ValuesOf(up), level + low, level + high,
                         &scratch_.elements);
    Start(S, H, S);
    for (const auto& [tet, unused] : scratch_.elements) {
      const LinearPressure p(S.geometry, tet);
      const Vector3<T> gradient = Cast(p.gradient);
      const Vector3<T> gradient_H = -slope * up;
      Vector4<T> h;
      double scale = 0;
      for (int i = 0; i < 4; ++i) {
        const Vector3<T> p_HV =
            soft.mesh.vertex(p.tetrahedron.vertex(i)) - X_SH.translation();
        const T height = up.dot(p_HV);
        h[i] = is_wall ? height : T(p.at(i) + slope * height);
        const double far = kFar * ValuesOf(p_HV).norm();
        scale =
            std::max({scale, is_wall ? far : slope * far,
                      is_wall ? soft.mesh.vertex(p.tetrahedron.vertex(i)).norm()
                              : std::abs(p.at(i))});
      }
      Snap(scale, &h);
      if (HasNothing(p, h)) continue;
      Vector3<T> n = up;
      if (is_wall ? !GrowsAlong(up, gradient)
                  : !FindNormal(gradient, gradient_H, &n)) {
        continue;
      }
      Cut(soft.mesh, tet, p, h, n);
      if (!is_wall) {
        polygon().ClipToPositive(
            [&](const Vector3<T>& q) {
              const Vector3<T> p_HQ = q - X_SH.translation();
              return half_space.margin - SnapHeight(up.dot(p_HQ), p_HQ);
            },
            MayTouch(half_space));
      }
      scratch_.builder.AddFace(polygon(), n, p.p_0, T(p.at(0)), gradient,
                               gradient, gradient_H);
    }
  }

  void CalcHalfSpaceRigid(const HydroelasticSide<T>& H,
                          const HydroelasticSide<T>& R) {
    const RigidMesh& hard = *R.geometry.rigid;
    const double margin = H.geometry.margin;
    const double slope = H.geometry.modulus / H.geometry.slab_thickness;
    const RigidTransform<T> X_HR = H.X_WG.InvertAndCompose(R.X_WG);
    const Eigen::Vector3d up =
        ValuesOf(X_HR.rotation().matrix()).row(2).transpose();
    hard.tree.AddBetween(up, -std::numeric_limits<double>::infinity(),
                         margin - ValueOf(X_HR.translation()[2]) +
                             (touching_ ? kTouchingDistance : 0),
                         &scratch_.elements);
    Start(H, R, H);
    const Vector3<T> gradient(T(0), T(0), T(-slope));
    for (const auto& [tri, unused] : scratch_.elements) {
      const Vector3<T> n = X_HR.rotation() * Cast(hard.mesh.face_normal(tri));
      if (!GrowsAlong(n, gradient)) continue;
      SetTriangle(hard.mesh, tri, X_HR);
      polygon().ClipToPositive(
          [&](const Vector3<T>& q) { return margin - SnapHeight(q[2], q); },
          MayTouch(H.geometry));
      scratch_.builder.AddFace(polygon(), n, Eigen::Vector3d::Zero(), T(0),
                               gradient, gradient, gradient);
    }
  }

 private:
  static Vector3<T> Cast(const Eigen::Vector3d& v) {
    return v.template cast<T>();
  }
  ClippedPolygon<T>& polygon() { return scratch_.polygon; }
  // Normals are to point out of B into A; faces come in the frame of `frame`.
  void Start(const HydroelasticSide<T>& A, const HydroelasticSide<T>& B,
             const HydroelasticSide<T>& frame) {
    scratch_.builder.Start(A.id, B.id, representation_, frame.X_WG,
                           A.geometry.is_compliant(),
                           B.geometry.is_compliant());
  }
  void SetTriangle(const TriangleSurfaceMesh<double>& mesh, int t,
                   const RigidTransform<T>& X) {
    polygon().Clear();
    for (int i = 0; i < 3; ++i) {
      polygon().Add(X * Cast(mesh.vertex(mesh.element(t).vertex(i))));
    }
  }
  // Returns whether a face in the plane of a half space counts as in contact.
  bool MayTouch(const HydroelasticGeometry& half_space) const {
    return touching_ && half_space.margin == 0;
  }
  // The height of a point q over a half space, both in its frame; zero if it is
  // no more than rounding.
  T SnapHeight(const T& height, const Vector3<T>& q) const {
    const bool is_zero = touching_ && std::abs(ValueOf(height)) <=
                                          1e-12 * (ValuesOf(q).norm() + 1e-3);
    return is_zero ? T(0) : height;
  }
  // Returns whether the tetrahedron has a face on the body's surface, and this
  // face is in the plane h = 0, with the tetrahedron at h > 0.
  bool TouchesPlane(const LinearPressure& p, const Vector4<T>& h) const {
    if (!touching_) return false;
    const int outer = p.FindOuter();
    if (outer < 0 || !(h[outer] > 0)) return false;
    for (int i = 0; i < 4; ++i) {
      if (i != outer && h[i] != 0) return false;
    }
    return true;
  }
  bool HasNothing(const LinearPressure& p, const Vector4<T>& h) const {
    return HasOneSign(h) && !TouchesPlane(p, h);
  }
  // Sets the polygon to the part of the plane h = 0 in a tetrahedron.
  void Cut(const VolumeMesh<double>& mesh, int element, const LinearPressure& p,
           const Vector4<T>& h, const Vector3<T>& normal) {
    if (!HasOneSign(h)) {
      CutTetrahedron(mesh, element, h, normal, &polygon());
      return;
    }
    polygon().Clear();
    for (int i = 0; i < 4; ++i) {
      if (i == p.FindOuter()) continue;
      polygon().Add(Cast(mesh.vertex(p.tetrahedron.vertex(i))));
    }
    if (polygon().CalcAreaVector().dot(normal) < 0) polygon().Reverse();
  }
  // Finds the normal of the plane of equal pressure, out of B into A; returns
  // false if it is too small to count.
  static bool FindNormal(const Vector3<T>& gradient_A,
                         const Vector3<T>& gradient_B, Vector3<T>* n) {
    const Vector3<T> difference = gradient_A - gradient_B;
    if (!(ValuesOf(difference).norm() >= kLeastGradient)) return false;
    *n = difference / difference.norm();
    return GrowsAlong(*n, gradient_A) &&
           GrowsAlong(Vector3<T>(-*n), gradient_B);
  }

  HydroelasticContactRepresentation representation_;
  PairScratch<T>& scratch_;
  bool touching_;
};

}  // namespace

bool CanHaveSurface(const HydroelasticGeometry& A,
                    const HydroelasticGeometry& B) {
  const auto is_ready = [](const HydroelasticGeometry& g) {
    return g.type != HydroelasticType::kUndefined && g.missing.empty();
  };
  return is_ready(A) && is_ready(B) && !(A.is_rigid() && B.is_rigid()) &&
         !(A.is_half_space && B.is_half_space);
}

template <typename T>
void AddPairSurface(const HydroelasticSide<T>& A, const HydroelasticSide<T>& B,
                    HydroelasticContactRepresentation representation,
                    PairScratch<T>* scratch, ContactSurfaceList<T>* list,
                    bool touching) {
  // A compliant mesh goes before all others, a half space before a rigid mesh.
  const auto rank = [](const HydroelasticGeometry& g) {
    return g.compliant != nullptr ? 0 : g.is_half_space ? 1 : 2;
  };
  if (rank(B.geometry) < rank(A.geometry)) {
    AddPairSurface(B, A, representation, scratch, list, touching);
    return;
  }
  PairSurface<T> surface(representation, scratch, touching);
  if (A.geometry.is_half_space) {
    surface.CalcHalfSpaceRigid(A, B);
  } else if (B.geometry.is_half_space) {
    surface.CalcCompliantHalfSpace(A, B);
  } else if (B.geometry.is_compliant()) {
    surface.CalcCompliantCompliant(A, B);
  } else {
    surface.CalcCompliantRigid(A, B);
  }
  scratch->builder.Finish(list);
}

#define WYVERN_INSTANTIATE(T)                                 \
  template void AddPairSurface<T>(                            \
      const HydroelasticSide<T>&, const HydroelasticSide<T>&, \
      HydroelasticContactRepresentation, PairScratch<T>*,     \
      ContactSurfaceList<T>*, bool);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
