// Blocks, compiled once more, for expressions: the same sources, with another
// list of scalars.

#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/symbolic/formula.h"
#include "wyvern/systems/symbolic/systems/offered_primitives.h"
#include "wyvern/systems/symbolic/systems/symbolic_vector_system.h"

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS
#define WYVERN_FOR_EACH_DEFAULT_SCALAR(F) F(::wyvern::symbolic::Expression)
#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(...) \
  template __VA_ARGS__<::wyvern::symbolic::Expression>

#include "wyvern/systems/primitives/adder.cc"
#include "wyvern/systems/primitives/constant_value_source.cc"
#include "wyvern/systems/primitives/constant_vector_source.cc"
#include "wyvern/systems/primitives/demultiplexer.cc"
#include "wyvern/systems/primitives/discrete_derivative.cc"
#include "wyvern/systems/primitives/discrete_time_delay.cc"
#include "wyvern/systems/primitives/discrete_time_integrator.cc"
#include "wyvern/systems/primitives/first_order_low_pass_filter.cc"
#include "wyvern/systems/primitives/gain.cc"
#include "wyvern/systems/primitives/integrator.cc"
#include "wyvern/systems/primitives/linear/affine_system.cc"
#include "wyvern/systems/primitives/linear/linear_system.cc"
#include "wyvern/systems/primitives/linear/matrix_gain.cc"
#include "wyvern/systems/primitives/linear/time_varying_affine_system.cc"
#include "wyvern/systems/primitives/multiplexer.cc"
#include "wyvern/systems/primitives/overflow_check.cc"
#include "wyvern/systems/primitives/pass_through.cc"
#include "wyvern/systems/primitives/saturation.cc"
#include "wyvern/systems/primitives/sine.cc"
#include "wyvern/systems/primitives/sparse_matrix_gain.cc"
#include "wyvern/systems/primitives/zero_order_hold.cc"

#undef WYVERN_FOR_EACH_DEFAULT_SCALAR
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS

namespace wyvern::systems::internal {

void OfferSymbolicPrimitives() {
  SystemScalarConverter::OfferSymbolic<Adder>();
  SystemScalarConverter::OfferSymbolic<AffineSystem>();
  SystemScalarConverter::OfferSymbolic<ConstantValueSource>();
  SystemScalarConverter::OfferSymbolic<ConstantVectorSource>();
  SystemScalarConverter::OfferSymbolic<Demultiplexer>();
  SystemScalarConverter::OfferSymbolic<DiscreteDerivative>();
  SystemScalarConverter::OfferSymbolic<DiscreteTimeDelay>();
  SystemScalarConverter::OfferSymbolic<DiscreteTimeIntegrator>();
  SystemScalarConverter::OfferSymbolic<FirstOrderLowPassFilter>();
  SystemScalarConverter::OfferSymbolic<Gain>();
  SystemScalarConverter::OfferSymbolic<Integrator>();
  SystemScalarConverter::OfferSymbolic<LinearSystem>();
  SystemScalarConverter::OfferSymbolic<MatrixGain>();
  SystemScalarConverter::OfferSymbolic<Multiplexer>();
  SystemScalarConverter::OfferSymbolic<PassThrough>();
  SystemScalarConverter::OfferSymbolic<Saturation>();
  SystemScalarConverter::OfferSymbolic<Sine>();
  SystemScalarConverter::OfferSymbolic<SparseMatrixGain>();
  SystemScalarConverter::OfferSymbolic<SymbolicVectorSystem>();
  SystemScalarConverter::OfferSymbolic<ZeroOrderHold>();
}

}  // namespace wyvern::systems::internal
