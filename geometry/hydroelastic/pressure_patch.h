#pragma once

#include <array>
#include <vector>

#include "wyvern/geometry/hydroelastic/clipped_polygon.h"

namespace wyvern::geometry::internal {

/** A flat convex part of a contact surface, in the world frame. Its pressure p
is linear and has one sign. Let A be the area, C the centroid and A S the second
moment of the area about C. Then the force is A p(C) along the normal, and it
acts at the centre of pressure C + S grad p / p(C).

@tparam T double or AutoDiffXd. */
template <typename T>
struct PressurePatch {
  /** A point that represents an area [m²], with the pressure there [Pa]. */
  struct Point {
    Vector3<T> p_WQ;
    T pressure;
    T area;
  };
  static constexpr int kNumPoints = 4;

  /** The first face of the surface that contributes to the patch. */
  int face{};
  T area;
  Vector3<T> centroid;
  /** The axes x and y in the plane, and the normal, out of N into M. */
  std::array<Vector3<T>, 3> axes;
  /** S, m². */
  T xx, xy, yy;
  /** The pressure at the centroid [Pa], and its slope along x and y [Pa/m]. */
  T pressure, slope_x, slope_y;

  const Vector3<T>& normal() const { return axes[2]; }
  /** The trace of A S, m⁴. */
  T CalcSpread() const { return area * (xx + yy); }
  /** Returns the centre of pressure, which carries the whole force. */
  Point CalcCentre() const;
  /** Returns the points C ± a ± b, where a and b are the columns of the root of
  S, so that a a' + b b' = S. They integrate quadratic functions exactly, and
  therefore the moment of a linear pressure. The points lie in the patch: a
  convex plane figure contains √2 times the ellipse of S (Kannan, Lovász,
  Simonovits, "Isoperimetric problems for convex bodies and a localization
  lemma", 1995). */
  std::array<Point, kNumPoints> CalcPoints() const;

 private:
  Point MakePoint(const T& x, const T& y, const T& share) const;
};

/** Returns the spread [m⁴] up to which one point is enough for a patch. With
one point per patch, the points resist a relative rotation of the bodies about
any axis in the surface. They have at least three quarters of the surface's
resistance. */
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
  /** Appends the polygon's patches, one for each sign of its pressure. Parts
  that are too small are skipped. `X_WF` moves the patches to the world; `sign`
  is the sign of their normals along the polygon's. */
  void AddPatches(int face, const math::RigidTransform<T>& X_WF, double sign,
                  std::vector<PressurePatch<T>>* patches) const;

 private:
  // A corner: its place in the plane, relative to the first corner, and the
  // pressure.
  struct Corner {
    T x, y, pressure;
  };
  struct Corners {
    // A cut adds one corner to a convex polygon.
    std::array<Corner, ClippedPolygon<T>::kMaxCorners + 4> corners;
    int size{0};
  };

  // Returns the part where sign * p >= 0.
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
