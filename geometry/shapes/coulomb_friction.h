#pragma once

namespace wyvern::multibody {

/** Coefficients of dry friction of a surface, or of a pair of them: the
tangential force on a contact is at most static_friction() times the normal
force while it sticks, and dynamic_friction() times it while it slides.

@tparam T double or AutoDiffXd. */
template <typename T>
class CoulombFriction {
 public:
  /** Frictionless. */
  CoulombFriction() = default;
  /** Takes the coefficients, which have no unit.
  @throws std::logic_error unless 0 <= dynamic_friction <= static_friction,
  both finite. */
  CoulombFriction(const T& static_friction, const T& dynamic_friction);

  /** The coefficient while surfaces stick. */
  const T& static_friction() const { return static_friction_; }
  /** The coefficient while surfaces slide. */
  const T& dynamic_friction() const { return dynamic_friction_; }

  friend bool operator==(const CoulombFriction& a, const CoulombFriction& b) {
    return a.static_friction_ == b.static_friction_ &&
           a.dynamic_friction_ == b.dynamic_friction_;
  }

 private:
  T static_friction_{0};
  T dynamic_friction_{0};
};

/** The friction of a contact between two surfaces: 2 m n / (m + n) for each
coefficient, and 0 if both are. It is never over twice the smaller one, and is
the coefficient itself where both are equal. */
template <typename T>
CoulombFriction<T> CalcContactFrictionFromSurfaceProperties(
    const CoulombFriction<T>& surface_properties1,
    const CoulombFriction<T>& surface_properties2);

}  // namespace wyvern::multibody
