#include "wyvern/geometry/shapes/rgba.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace wyvern::geometry {

void Rgba::set(double r, double g, double b, double a) {
  const Eigen::Vector4d value(r, g, b, a);
  for (int i = 0; i < 4; ++i) {
    if (!(value[i] >= 0 && value[i] <= 1)) {
      throw std::logic_error(fmt::format(
          "Rgba: was given ({}, {}, {}, {}); each must be from 0 to 1.", r, g,
          b, a));
    }
  }
  value_ = value;
}

void Rgba::set(const Eigen::Ref<const Eigen::VectorXd>& rgba) {
  if (rgba.size() != 3 && rgba.size() != 4) {
    throw std::logic_error(fmt::format(
        "Rgba::set(): was given {} numbers; a colour has 3, or 4 with the "
        "opacity.",
        rgba.size()));
  }
  set(rgba[0], rgba[1], rgba[2], rgba.size() == 4 ? rgba[3] : 1.0);
}

void Rgba::update(std::optional<double> r, std::optional<double> g,
                  std::optional<double> b, std::optional<double> a) {
  set(r.value_or(value_[0]), g.value_or(value_[1]), b.value_or(value_[2]),
      a.value_or(value_[3]));
}

Rgba Rgba::operator*(const Rgba& other) const {
  Rgba result;
  result.value_ = value_.cwiseProduct(other.value_).cwiseMin(1.0);
  return result;
}

Rgba Rgba::scale_rgb(double scale) const {
  return Rgba(std::min(1.0, scale * r()), std::min(1.0, scale * g()),
              std::min(1.0, scale * b()), a());
}

}  // namespace wyvern::geometry
