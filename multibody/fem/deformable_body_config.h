#pragma once

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::multibody::fem {

/** How stress follows from strain. F is the deformation gradient, R its
rotation, lambda and mu are Lamé's parameters; see multibody/fem/README.md. */
enum class MaterialModel {
  /** Linear in strain about the rotation at the start of each step: a step is
  one linear system. */
  kLinearCorotated,
  /** Strain about the rotation of the same moment; volume by det F. */
  kCorotated,
  /** Stable neo-Hookean: rubber at large strain. */
  kNeoHookean,
  /** Linear elasticity: small strains and small rotations only. */
  kLinear,
};

/** The physical parameters of a deformable body. The default is a hard rubber
without damping. A setter throws std::logic_error if its value is out of the
range given here.

@tparam T double or AutoDiffXd. */
template <typename T>
class DeformableBodyConfig {
 public:
  /** Pa, positive. */
  void set_youngs_modulus(T value) {
    wyvern::internal::RequirePositive(
        "DeformableBodyConfig::set_youngs_modulus", "youngs_modulus", value);
    youngs_modulus_ = value;
  }
  /** In -1 < nu < 0.5: at the ends a body changes its shape, or its volume,
  without any force, or not by any. */
  void set_poissons_ratio(T value);
  /** 1/s, 0 or more: alpha in the damping matrix alpha M + beta K. */
  void set_mass_damping_coefficient(T value) {
    wyvern::internal::RequireNonNegative(
        "DeformableBodyConfig::set_mass_damping_coefficient",
        "mass_damping_coefficient", value);
    mass_damping_coefficient_ = value;
  }
  /** s, 0 or more: beta in the damping matrix alpha M + beta K, K the stiffness
  without strain, moved with the body so that rigid motion is not damped. */
  void set_stiffness_damping_coefficient(T value) {
    wyvern::internal::RequireNonNegative(
        "DeformableBodyConfig::set_stiffness_damping_coefficient",
        "stiffness_damping_coefficient", value);
    stiffness_damping_coefficient_ = value;
  }
  /** kg/m³, positive. */
  void set_mass_density(T value) {
    wyvern::internal::RequirePositive("DeformableBodyConfig::set_mass_density",
                                      "mass_density", value);
    mass_density_ = value;
  }
  /** Sets how stress follows from strain. */
  void set_material_model(MaterialModel model) { material_model_ = model; }

  /** Young's modulus, Pa. */
  const T& youngs_modulus() const { return youngs_modulus_; }
  /** Poisson's ratio. */
  const T& poissons_ratio() const { return poissons_ratio_; }
  /** Damping by mass, 1/s. */
  const T& mass_damping_coefficient() const {
    return mass_damping_coefficient_;
  }
  /** Damping by stiffness, s. */
  const T& stiffness_damping_coefficient() const {
    return stiffness_damping_coefficient_;
  }
  /** Density without stress, kg/m³. */
  const T& mass_density() const { return mass_density_; }
  /** How stress follows from strain. */
  MaterialModel material_model() const { return material_model_; }

 private:
  T youngs_modulus_{1e8};
  T poissons_ratio_{0.49};
  T mass_damping_coefficient_{0};
  T stiffness_damping_coefficient_{0};
  T mass_density_{1.5e3};
  MaterialModel material_model_{MaterialModel::kLinearCorotated};
};

namespace internal {

/** @throws std::logic_error unless -1 < nu < 0.5. */
void RequirePoissonsRatio(const wyvern::internal::Caller& who, double nu);

}  // namespace internal

template <typename T>
void DeformableBodyConfig<T>::set_poissons_ratio(T value) {
  internal::RequirePoissonsRatio("DeformableBodyConfig::set_poissons_ratio",
                                 wyvern::internal::NumberIn(value));
  poissons_ratio_ = value;
}

}  // namespace wyvern::multibody::fem
