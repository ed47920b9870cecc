// The kernels of multibody/algorithms, compiled once more for expressions: of
// their functions, those that SymbolicDynamics calls.

#include "wyvern/systems/symbolic/expression_scalars_private.h"
#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) static_assert(true);

#include <wyvern_engine_sources.inc>

namespace wyvern::multibody::engine {

using symbolic::Expression;

template struct NewtonEulerScratch<Expression>;
#define WYVERN_KERNEL(name) \
  template decltype(name<Expression>) name<Expression>;
WYVERN_KERNEL(CalcPositionKinematics)
WYVERN_KERNEL(CalcDampingForces)
WYVERN_KERNEL(CalcSpatialVelocityJacobian)
WYVERN_KERNEL(CalcInverseDynamicsFromState)
#undef WYVERN_KERNEL

}  // namespace wyvern::multibody::engine
