// The kernels of multibody/algorithms, compiled once more for expressions: the
// same sources, with another list of scalars.

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/symbolic/formula.h"

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) F(::wyvern::symbolic::Expression)
#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(...) \
  template __VA_ARGS__<::wyvern::symbolic::Expression>

#include "wyvern/multibody/algorithms/position_kinematics.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/velocity_kinematics.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/inertias_in_world.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/inverse_dynamics.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/forward_dynamics.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/jacobians.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/newton_euler.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/algorithms/model_parameters.cc"
#undef WYVERN_INSTANTIATE

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS
