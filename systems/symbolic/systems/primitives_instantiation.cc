// Blocks, compiled once more, for expressions.

#include "wyvern/systems/framework/diagram.h"
#include "wyvern/systems/symbolic/formula.h"
#include "wyvern/systems/symbolic/systems/offered_primitives.h"
#include "wyvern/systems/symbolic/systems/symbolic_vector_system.h"

#include "wyvern/systems/symbolic/expression_scalars_private.h"
//
#include <wyvern_primitives_sources.inc>

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
