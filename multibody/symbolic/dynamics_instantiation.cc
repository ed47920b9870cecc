// The sources of multibody/dynamics, compiled once more for expressions: of
// their functions, those that SymbolicDynamics calls.

#include "wyvern/systems/symbolic/expression_scalars_private.h"
#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) static_assert(true);

#include <wyvern_dynamics_sources.inc>

namespace wyvern::multibody::dynamics {

using symbolic::Expression;

template struct NewtonEulerScratch<Expression>;
#define WYVERN_FOR_EXPRESSIONS(name) \
  template decltype(name<Expression>) name<Expression>;
WYVERN_FOR_EXPRESSIONS(CalcPositionKinematics)
WYVERN_FOR_EXPRESSIONS(CalcDampingForces)
WYVERN_FOR_EXPRESSIONS(CalcSpatialVelocityJacobian)
WYVERN_FOR_EXPRESSIONS(CalcInverseDynamicsFromState)
#undef WYVERN_FOR_EXPRESSIONS

}  // namespace wyvern::multibody::dynamics
