// The kernels of multibody/algorithms that a plant calls, compiled once more
// for expressions. Those that SymbolicDynamics calls, too, are in
// engine_instantiation.cc.

#include "wyvern/multibody/symbolic/plant/symbolic_scalar_private.h"
#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) static_assert(true);

#include <wyvern_kernels_sources.inc>

namespace wyvern::multibody::engine {

using symbolic::Expression;

template struct ArticulatedInertias<Expression>;
template struct InverseDynamicsScratch<Expression>;
#define WYVERN_KERNEL(name) \
  template decltype(name<Expression>) name<Expression>;
WYVERN_KERNEL(CalcBodyPose)
WYVERN_KERNEL(CalcBodyPoses)
WYVERN_KERNEL(CalcPointVelocity)
WYVERN_KERNEL(CalcBodyVelocities)
WYVERN_KERNEL(CalcPointAcceleration)
WYVERN_KERNEL(CalcBodyAccelerations)
WYVERN_KERNEL(CalcCenterOfMass)
WYVERN_KERNEL(CalcCenterOfMassVelocity)
WYVERN_KERNEL(CalcCenterOfMassAcceleration)
WYVERN_KERNEL(CalcCenterOfMassJacobian)
WYVERN_KERNEL(CalcCentroidalMomentumMatrix)
WYVERN_KERNEL(CalcCentroidalMomentum)
WYVERN_KERNEL(CalcCentroidalMomentumBias)
WYVERN_KERNEL(MapVelocityToQDot)
WYVERN_KERNEL(MapQDotToVelocity)
WYVERN_KERNEL(CalcN)
WYVERN_KERNEL(CalcNPlus)
WYVERN_KERNEL(SetZeroPositions)
WYVERN_KERNEL(RequireQuaternions)
WYVERN_KERNEL(NormalizeQuaternions)
WYVERN_KERNEL(CalcInertiasInWorld)
WYVERN_KERNEL(CalcCompositeInertias)
WYVERN_KERNEL(CalcGravityForce)
WYVERN_KERNEL(CalcAngularVelocityJacobian)
WYVERN_KERNEL(CalcTranslationalVelocityJacobian)
WYVERN_KERNEL(AddVelocityJacobian)
WYVERN_KERNEL(AddGeneralizedForceAtPoint)
WYVERN_KERNEL(CalcSpatialMomentum)
WYVERN_KERNEL(CalcKineticEnergy)
WYVERN_KERNEL(CalcGravityPotentialEnergy)
WYVERN_KERNEL(CalcGravityPower)
WYVERN_KERNEL(AddForceAtPoint)
WYVERN_KERNEL(AddBodyForces)
WYVERN_KERNEL(CalcGeneralizedForces)
WYVERN_KERNEL(CalcReactionForces)
WYVERN_KERNEL(CalcVelocityKinematics)
WYVERN_KERNEL(CalcAccelerationKinematics)
WYVERN_KERNEL(CalcBiasAccelerations)
WYVERN_KERNEL(CalcInverseDynamics)
WYVERN_KERNEL(CalcMassMatrixViaInverseDynamics)
#undef WYVERN_KERNEL

}  // namespace wyvern::multibody::engine
