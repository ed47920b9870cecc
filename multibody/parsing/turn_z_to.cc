#include "wyvern/multibody/parsing/turn_z_to.h"

namespace wyvern::multibody::internal {

math::RotationMatrix<double> TurnZTo(const Vector3<double>& z) {
  const Vector3<double> u = z.stableNormalized();
  const double c = u.z();
  const double s = u.head<2>().norm();
  // A direction along z or against it, up to rounding.
  if (s < 1e-14) {
    return c > 0 ? math::RotationMatrix<double>()
                 : math::RotationMatrix<double>::MakeFromOrthonormalColumns(
                       Vector3<double>::UnitX(), -Vector3<double>::UnitY(),
                       -Vector3<double>::UnitZ());
  }
  // R = c 1 + s [k]x + (1 - c) k k' about k = (-h_y, h_x, 0).
  const Vector2<double> h = u.head<2>() / s;
  const double d = (1 - c) * h.x() * h.y();
  return math::RotationMatrix<double>::MakeFromOrthonormalColumns(
      Vector3<double>(1 - (1 - c) * h.x() * h.x(), -d, -u.x()),
      Vector3<double>(-d, 1 - (1 - c) * h.y() * h.y(), -u.y()), u);
}

}  // namespace wyvern::multibody::internal
