#pragma once

#include <array>
#include <vector>

#include "wyvern/geometry/hydroelastic/clipped_polygon.h"

namespace wyvern::geometry::internal {

/** A flat convex part of a contact surface on which the pressure p is linear
and has one sign, in the world. With the area A, the centroid C and the second
moment A S of the area about C, the force is A p(C) along the normal, and it
acts at the centre of pressure C + S grad p / p(C).

@tparam T double or AutoDiffXd. */
template <typename T>
struct PressurePatch {
  /** A point that stands for an area, m², with the pressure there, Pa. */
  struct Point {
    Vector3<T> p_WQ;
    T pressure;
    T area;
  };
  static constexpr int kNumPoints = 4;

  /** The first face of the surface that has a share in it. */
  int face{};
  T area;
  Vector3<T> centroid;
  /** x and y in the plane, and the normal, out of N into M. */
  std::array<Vector3<T>, 3> axes;
  /** S, m². */
  T xx, xy, yy;
  /** At the centroid, Pa, and its slope along x and y, Pa/m. */
  T pressure, slope_x, slope_y;

  const Vector3<T>& normal() const { return axes[2]; }
  /** The trace of A S, m⁴. */
  T CalcSpread() const { return area * (xx + yy); }
  /** The centre of pressure, with the force of the whole. */
  Point CalcCentre() const;
  /** The points C ± a ± b with a and b the columns of the root of S, so that
  a a' + b b' = S. They integrate functions of second degree exactly, and so the
  moment of a linear pressure, and are in the patch: a convex figure of the
  plane holds the ellipse that is √2 times that of S (Kannan, Lovász,
  Simonovits, "Isoperimetric problems for convex bodies and a localization
  lemma", 1995). */
  std::array<Point, kNumPoints> CalcPoints() const;

 private:
  Point MakePoint(const T& x, const T& y, const T& share) const;
};

/** The spread, m⁴, up to which one point is enough for a patch. If all patches
have one point, these resist a turn of one body on the other about any axis in
the surface by three quarters at least of what the surface does. */
template <typename T>
double CalcSpreadOfOnePoint(const std::vector<PressurePatch<T>>& patches);

/** A polygon in its own plane, with a linear pressure on it.

@tparam T double or AutoDiffXd. */
template <typename T>
class PressedPolygon {
 public:
  /** @param normal unit, around which the corners run
  @param pressure at point Q
  @param gradient of the pressure */
  void Set(const ClippedPolygon<T>& polygon, const Vector3<T>& normal,
           const Vector3<double>& p_FQ, const T& pressure,
           const Vector3<T>& gradient);
  /** Adds its patches, one for each sign of the pressure that it has. Parts
  that are too small are left out. `X_WF` moves them to the world; `sign` is
  that of the patches' normals along the polygon's. */
  void AddPatches(int face, const math::RigidTransform<T>& X_WF, double sign,
                  std::vector<PressurePatch<T>>* patches) const;

 private:
  // A corner: its place in the plane, from the first, and the pressure.
  struct Corner {
    T x, y, pressure;
  };
  struct Corners {
    // A cut adds one to a convex polygon.
    std::array<Corner, ClippedPolygon<T>::kMaxCorners + 4> corners;
    int size{0};
  };

  // The part where sign * p >= 0.
  Corners Cut(double sign) const;
  void AddPatch(const Corners& part, int face,
                const math::RigidTransform<T>& X_WF, double sign,
                std::vector<PressurePatch<T>>* patches) const;

  Corners all_;
  Vector3<T> origin_;
  std::array<Vector3<T>, 3> axes_;
  T slope_x_, slope_y_;
};

}  // namespace wyvern::geometry::internal
