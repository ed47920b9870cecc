#pragma once

#include <optional>

#include <Eigen/Core>

#include "wyvern/systems/common/name_value.h"

namespace wyvern::geometry {

/** A colour: red, green, blue and opacity, each in [0, 1]; opaque white by
default. A value outside throws std::logic_error. */
class Rgba {
 public:
  Rgba() = default;
  /** Makes a colour, opaque unless `a` is given. */
  Rgba(double r, double g, double b, double a = 1.0) { set(r, g, b, a); }

  /** Red. */
  double r() const { return value_[0]; }
  /** Green. */
  double g() const { return value_[1]; }
  /** Blue. */
  double b() const { return value_[2]; }
  /** Opacity. */
  double a() const { return value_[3]; }
  /** Red, green, blue and opacity. */
  Eigen::Vector4d rgba() const { return value_; }

  /** Sets all four. */
  void set(double r, double g, double b, double a = 1.0);
  /** From 3 elements (opaque) or 4. */
  void set(const Eigen::Ref<const Eigen::VectorXd>& rgba);
  /** Sets those that are given. */
  void update(std::optional<double> r = {}, std::optional<double> g = {},
              std::optional<double> b = {}, std::optional<double> a = {});

  /** True if no channel differs by more than `tolerance`. */
  bool AlmostEqual(const Rgba& other, double tolerance = 0.0) const {
    return (value_ - other.value_).cwiseAbs().maxCoeff() <= tolerance;
  }
  /** True if all channels are equal. */
  bool operator==(const Rgba& other) const { return value_ == other.value_; }
  /** True unless all channels are equal. */
  bool operator!=(const Rgba& other) const { return !(*this == other); }
  /** Channel by channel, each at most 1. */
  Rgba operator*(const Rgba& other) const;
  /** Scales red, green and blue, each at most 1, and keeps the opacity. */
  Rgba scale_rgb(double scale) const;

  /** Visits "rgba", a vector of 3 elements or 4, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    Eigen::VectorXd rgba = value_;
    a->Visit(MakeNameValue("rgba", &rgba));
    set(rgba);
  }

 private:
  Eigen::Vector4d value_{1, 1, 1, 1};
};

}  // namespace wyvern::geometry
