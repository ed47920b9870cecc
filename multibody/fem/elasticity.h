#pragma once

#include "wyvern/multibody/fem/deformable_body_config.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::fem::internal {

/** A material's energy: which, and its two parameters in Pa as that energy
takes them. Of all models, what is linear in small strain is Hooke's law. */
struct Elasticity {
  MaterialModel model{};
  double lambda{};
  double mu{};
  /** Lamé's parameters of Hooke's law, which it follows at small strain. */
  double hooke_lambda{};
  double hooke_mu{};
};

/** From Young's modulus, Pa, and Poisson's ratio.
@throws std::logic_error unless E > 0 and -1 < nu < 0.5. */
Elasticity MakeElasticity(const wyvern::internal::Caller& who,
                          MaterialModel model, double youngs_modulus,
                          double poissons_ratio);

/** The rotation R nearest to F, with det R = 1 even of an F that turns inside
out, and F = R S. */
Eigen::Matrix3d CalcRotation(const Eigen::Matrix3d& F);

/** F = U diag(sigma) V' with rotations U and V: sigma falls, and its last is
negative where det F is. */
void DecomposeSigned(const Eigen::Matrix3d& F, Eigen::Matrix3d* U,
                     Eigen::Vector3d* sigma, Eigen::Matrix3d* V);

/** Energy density, stress and tangent at one F.

In the axes of U and V, with dF = U X V', the change of stress is dP = U Y V',
Y_aa = sum_b A_ab X_bb, and of the two axes a, b that are not k:
Y_ab = p_k X_ab + m_k X_ba. So the tangent's eigenvalues are A's, p + m and
p - m (Smith, de Goes, Kim, "Analytic Eigensystems for Isotropic Distortion
Energies", ACM TOG 2019). */
struct Stress {
  double energy{};    // J/m³ of the undeformed volume
  Eigen::Matrix3d P;  // First Piola: force per undeformed area, Pa
  Eigen::Matrix3d U, V, A;
  Eigen::Vector3d p, m;
};

/** @param R0 the rotation about which kLinearCorotated is linear; the others
do not use it. Allocates nothing. */
Stress CalcStress(const Elasticity& elasticity, const Eigen::Matrix3d& F,
                  const Eigen::Matrix3d& R0);

/** The nearest tangent that takes no energy: eigenvalues below 0 become 0. */
void ProjectToPositive(Stress* stress);

/** V g_i . (dP/dF) . g_j: the derivative of the force at the vertex with the
gradient g_j by the position of that with g_i, for the volume V. Here the
gradients are given in the axes of V: gV_i = V' g_i. */
Eigen::Matrix3d CalcStiffnessBlock(const Stress& stress, double volume,
                                   const Eigen::Vector3d& gV_j,
                                   const Eigen::Vector3d& gV_i);

}  // namespace wyvern::multibody::fem::internal
