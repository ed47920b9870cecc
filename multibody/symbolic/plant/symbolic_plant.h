#pragma once

/** @file
MultibodyPlant<symbolic::Expression>: what a program includes that uses one. */

#include <memory>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/symbolic/expression_matrix.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::multibody {

/** A plant with expressions for numbers: positions, velocities, forces and
parameters of its Context may have variables in them.
@code
const auto formulas = ToSymbolic(plant);  // of a MultibodyPlant<double>
const auto at = formulas->CreateDefaultContext();
const int n = formulas->num_positions();
const auto q = symbolic::MakeVectorContinuousVariable(n, "q");
formulas->SetPositions(at.get(), q.cast<symbolic::Expression>());
MatrixX<symbolic::Expression> M(n, n);
formulas->CalcMassMatrix(*at, &M);
@endcode
README.md says what there is of it, and what throws. As any System, it converts
by ToSymbolic(), too, and back by ToScalarType<double>().
@throws std::logic_error if an element is of a class of the program's own, or
the plant has deformable bodies. */
std::unique_ptr<MultibodyPlant<symbolic::Expression>> ToSymbolic(
    const MultibodyPlant<double>& plant);

// A NaN of expressions is no constant.
template <>
inline void SpatialVector<SpatialVelocity, symbolic::Expression>::SetNaN() {
  V_.setConstant(symbolic::Expression::NaN());
}
template <>
inline void SpatialVector<SpatialAcceleration, symbolic::Expression>::SetNaN() {
  V_.setConstant(symbolic::Expression::NaN());
}
template <>
inline void SpatialVector<SpatialForce, symbolic::Expression>::SetNaN() {
  V_.setConstant(symbolic::Expression::NaN());
}
template <>
inline void SpatialVector<SpatialMomentum, symbolic::Expression>::SetNaN() {
  V_.setConstant(symbolic::Expression::NaN());
}
template <>
inline SpatialInertia<symbolic::Expression>::SpatialInertia()
    : mass_(symbolic::Expression::NaN()),
      p_PScm_E_(Vector3<symbolic::Expression>::Constant(mass_)) {}

namespace internal {
/** Lets plants convert to expressions and back. Who includes this header has
called it before main(), so that the library is linked. */
bool OfferSymbolicPlant();
inline const bool kSymbolicPlantIsOffered = OfferSymbolicPlant();
}  // namespace internal

// Samples are kept of numbers alone: ports show the present step.
template <>
inline bool MultibodyPlant<symbolic::Expression>::has_sampled_output_ports()
    const {
  return false;
}

extern template class MultibodyPlant<symbolic::Expression>;

}  // namespace wyvern::multibody

namespace wyvern::math {

// Constant expressions work as usual; others throw std::runtime_error, as every
// decision by the value of a variable does.
template <>
bool RotationMatrix<symbolic::Expression>::IsOrthonormal(
    const Matrix3<symbolic::Expression>& R, double tolerance);
template <>
bool RotationMatrix<symbolic::Expression>::IsExactlyIdentity() const;
template <>
bool RotationMatrix<symbolic::Expression>::IsExactlyEqualTo(
    const RotationMatrix<symbolic::Expression>& other) const;
template <>
bool RotationMatrix<symbolic::Expression>::IsNearlyEqualTo(
    const RotationMatrix<symbolic::Expression>& other, double tolerance) const;
template <>
bool RigidTransform<symbolic::Expression>::IsExactlyIdentity() const;
template <>
bool RigidTransform<symbolic::Expression>::IsExactlyEqualTo(
    const RigidTransform<symbolic::Expression>& other) const;
template <>
bool RigidTransform<symbolic::Expression>::IsNearlyEqualTo(
    const RigidTransform<symbolic::Expression>& other, double tolerance) const;
template <>
Vector4<symbolic::Expression> RigidTransform<symbolic::Expression>::operator*(
    const Vector4<symbolic::Expression>& vec_B) const;
// Whether the pitch angle is known to be in gimbal lock.
template <>
bool RollPitchYaw<symbolic::Expression>::
    DoesCosPitchAngleViolateGimbalLockTolerance(
        const symbolic::Expression& cos_pitch_angle);

}  // namespace wyvern::math
