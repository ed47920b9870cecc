// The kernels of multibody/algorithms, compiled once more for expressions: the
// same sources, of which only what SymbolicDynamics calls is instantiated.

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/symbolic/formula.h"

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) static_assert(true);
#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(...) static_assert(true)

#include "wyvern/multibody/algorithms/position_kinematics.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/inverse_dynamics.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/jacobians.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/newton_euler.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/model_parameters.cc"
#undef WYVERN_INSTANTIATE

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS

namespace wyvern::multibody::engine {

using symbolic::Expression;

template struct ModelParameters<Expression>;
template struct PositionKinematics<Expression>;
template struct NewtonEulerScratch<Expression>;
#define WYVERN_KERNEL(name) \
  template decltype(name<Expression>) name<Expression>;
WYVERN_KERNEL(CalcPositionKinematics)
WYVERN_KERNEL(CalcDampingForces)
WYVERN_KERNEL(CalcSpatialVelocityJacobian)
WYVERN_KERNEL(CalcInverseDynamicsFromState)
#undef WYVERN_KERNEL

}  // namespace wyvern::multibody::engine
