#include "wyvern/systems/blocks/arithmetic_blocks.h"

#include <utility>

#include "wyvern/systems/blocks/block_fields.h"
#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/blocks/standard_blocks.h"
#include "wyvern/systems/primitives/adder.h"
#include "wyvern/systems/primitives/comparison.h"
#include "wyvern/systems/primitives/dot_product.h"
#include "wyvern/systems/primitives/elementwise_function.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/primitives/linear/matrix_gain.h"
#include "wyvern/systems/primitives/lookup_table.h"
#include "wyvern/systems/primitives/nary_function.h"
#include "wyvern/systems/primitives/product.h"

/* Make() passes the fields to the constructor, which checks them; sizes that a
file gives have a limit. From() is its inverse: it reads the fields from a block
of the type, and gives nothing for another one. Names of enumerations are those
of C++ in the style of YAML, in a table for both directions.
*/

namespace wyvern::systems {

namespace blocks {

namespace {

const internal::EnumNames<UnaryFunction> kUnaryFunctions{
    {"abs", UnaryFunction::kAbs},
    {"sign", UnaryFunction::kSign},
    {"square", UnaryFunction::kSquare},
    {"sqrt", UnaryFunction::kSqrt},
    {"signed_sqrt", UnaryFunction::kSignedSqrt},
    {"reciprocal", UnaryFunction::kReciprocal},
    {"exp", UnaryFunction::kExp},
    {"log", UnaryFunction::kLog},
    {"sin", UnaryFunction::kSin},
    {"cos", UnaryFunction::kCos},
    {"tan", UnaryFunction::kTan},
    {"asin", UnaryFunction::kAsin},
    {"acos", UnaryFunction::kAcos},
    {"atan", UnaryFunction::kAtan},
    {"sinh", UnaryFunction::kSinh},
    {"cosh", UnaryFunction::kCosh},
    {"tanh", UnaryFunction::kTanh},
    {"floor", UnaryFunction::kFloor},
    {"ceil", UnaryFunction::kCeil},
    {"round", UnaryFunction::kRound},
    {"truncate", UnaryFunction::kTruncate},
    {"not", UnaryFunction::kNot},
};
const internal::EnumNames<NaryOperation> kNaryOperations{
    {"min", NaryOperation::kMin},   {"max", NaryOperation::kMax},
    {"and", NaryOperation::kAnd},   {"or", NaryOperation::kOr},
    {"nand", NaryOperation::kNand}, {"nor", NaryOperation::kNor},
    {"xor", NaryOperation::kXor},
};
const internal::EnumNames<Relation> kRelations{
    {"less", Relation::kLess},
    {"less_or_equal", Relation::kLessOrEqual},
    {"equal", Relation::kEqual},
    {"not_equal", Relation::kNotEqual},
    {"greater_or_equal", Relation::kGreaterOrEqual},
    {"greater", Relation::kGreater},
};
const internal::EnumNames<TableInterpolation> kInterpolations{
    {"previous", TableInterpolation::kPrevious},
    {"linear", TableInterpolation::kLinear},
    {"cubic", TableInterpolation::kCubic},
};
const internal::EnumNames<TableExtrapolation> kExtrapolations{
    {"hold", TableExtrapolation::kHold},
    {"linear", TableExtrapolation::kLinear},
    {"error", TableExtrapolation::kError},
};

}  // namespace

std::unique_ptr<System<double>> Adder::Make() const {
  return std::make_unique<systems::Adder<double>>(
      signs, internal::CheckSize("Adder", "size", size, 0));
}

std::optional<Adder> Adder::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Adder<double>*>(&system);
  if (block == nullptr) return {};
  return Adder{.signs = block->signs(),
               .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> Product::Make() const {
  return std::make_unique<systems::Product<double>>(
      operations, internal::CheckSize("Product", "size", size, 0));
}

std::optional<Product> Product::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Product<double>*>(&system);
  if (block == nullptr) return {};
  return Product{.operations = block->operations(),
                 .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> DotProduct::Make() const {
  return std::make_unique<systems::DotProduct<double>>(
      internal::CheckSize("DotProduct", "size", size, 1));
}

std::optional<DotProduct> DotProduct::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::DotProduct<double>*>(&system);
  if (block == nullptr) return {};
  return DotProduct{.size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> Gain::Make() const {
  auto block = std::make_unique<systems::Gain<double>>(k);
  if (tunable) block->MakeTunable();
  return block;
}

std::optional<Gain> Gain::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Gain<double>*>(&system);
  if (block == nullptr) return {};
  return Gain{.k = block->get_gain_vector(), .tunable = block->is_tunable()};
}

std::unique_ptr<System<double>> MatrixGain::Make() const {
  return std::make_unique<systems::MatrixGain<double>>(D);
}

std::optional<MatrixGain> MatrixGain::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::MatrixGain<double>*>(&system);
  if (block == nullptr) return {};
  return MatrixGain{.D = block->D()};
}

std::unique_ptr<System<double>> ElementwiseFunction::Make() const {
  return std::make_unique<systems::ElementwiseFunction<double>>(
      internal::FindEnum("ElementwiseFunction", "function", function,
                         kUnaryFunctions),
      internal::CheckSize("ElementwiseFunction", "size", size, 1));
}

std::optional<ElementwiseFunction> ElementwiseFunction::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::ElementwiseFunction<double>*>(&system);
  if (block == nullptr ||
      block->kind() != systems::ElementwiseFunction<double>::Kind::kUnary)
    return {};
  return ElementwiseFunction{
      .function = internal::NameOf(block->function(), kUnaryFunctions),
      .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> DeadZone::Make() const {
  return systems::ElementwiseFunction<double>::DeadZone(
      low, high, internal::CheckSize("DeadZone", "size", size, 1));
}

std::optional<DeadZone> DeadZone::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::ElementwiseFunction<double>*>(&system);
  if (block == nullptr ||
      block->kind() != systems::ElementwiseFunction<double>::Kind::kDeadZone)
    return {};
  return DeadZone{.low = block->coefficients().first,
                  .high = block->coefficients().second,
                  .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> Quantizer::Make() const {
  return systems::ElementwiseFunction<double>::Quantizer(
      step, internal::CheckSize("Quantizer", "size", size, 1));
}

std::optional<Quantizer> Quantizer::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::ElementwiseFunction<double>*>(&system);
  if (block == nullptr ||
      block->kind() != systems::ElementwiseFunction<double>::Kind::kQuantizer)
    return {};
  return Quantizer{.step = block->coefficients().first,
                   .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> CoulombAndViscous::Make() const {
  return systems::ElementwiseFunction<double>::CoulombAndViscous(
      coulomb, viscous,
      internal::CheckSize("CoulombAndViscous", "size", size, 1));
}

std::optional<CoulombAndViscous> CoulombAndViscous::From(
    const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::ElementwiseFunction<double>*>(&system);
  if (block == nullptr ||
      block->kind() !=
          systems::ElementwiseFunction<double>::Kind::kCoulombAndViscous)
    return {};
  return CoulombAndViscous{.coulomb = block->coefficients().first,
                           .viscous = block->coefficients().second,
                           .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> NaryFunction::Make() const {
  return std::make_unique<systems::NaryFunction<double>>(
      internal::FindEnum("NaryFunction", "operation", operation,
                         kNaryOperations),
      internal::CheckSize("NaryFunction", "num_inputs", num_inputs, 1),
      internal::CheckSize("NaryFunction", "size", size, 1));
}

std::optional<NaryFunction> NaryFunction::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::NaryFunction<double>*>(&system);
  if (block == nullptr) return {};
  return NaryFunction{
      .operation = internal::NameOf(block->operation(), kNaryOperations),
      .num_inputs = block->num_input_ports(),
      .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> Comparison::Make() const {
  const Relation chosen =
      internal::FindEnum("Comparison", "relation", relation, kRelations);
  if (b.has_value()) {
    return std::make_unique<systems::Comparison<double>>(chosen, *b);
  }
  return std::make_unique<systems::Comparison<double>>(
      chosen, internal::CheckSize("Comparison", "size", size, 1));
}

std::optional<Comparison> Comparison::From(const System<double>& system) {
  const auto* block = dynamic_cast<const systems::Comparison<double>*>(&system);
  if (block == nullptr) return {};
  return Comparison{.relation = internal::NameOf(block->relation(), kRelations),
                    .b = block->num_input_ports() == 1
                             ? std::optional(VectorX<double>(block->b()))
                             : std::nullopt,
                    .size = block->get_input_port(0).size()};
}

std::unique_ptr<System<double>> LookupTable::Make() const {
  return std::make_unique<systems::LookupTable<double>>(
      grid, values,
      internal::FindEnum("LookupTable", "interpolation", interpolation,
                         kInterpolations),
      internal::FindEnum("LookupTable", "extrapolation", extrapolation,
                         kExtrapolations));
}

std::optional<LookupTable> LookupTable::From(const System<double>& system) {
  const auto* block =
      dynamic_cast<const systems::LookupTable<double>*>(&system);
  if (block == nullptr) return {};
  return LookupTable{.grid = block->grid(),
                     .values = block->values(),
                     .interpolation = internal::NameOf(block->interpolation(),
                                                       kInterpolations),
                     .extrapolation = internal::NameOf(block->extrapolation(),
                                                       kExtrapolations)};
}

}  // namespace blocks

void internal::AddArithmeticBlocks(BlockRegistry* registry) {
  registry->Add<blocks::Adder>();
  registry->Add<blocks::Product>();
  registry->Add<blocks::DotProduct>();
  registry->Add<blocks::Gain>();
  registry->Add<blocks::MatrixGain>();
  registry->Add<blocks::ElementwiseFunction>();
  registry->Add<blocks::DeadZone>();
  registry->Add<blocks::Quantizer>();
  registry->Add<blocks::CoulombAndViscous>();
  registry->Add<blocks::NaryFunction>();
  registry->Add<blocks::Comparison>();
  registry->Add<blocks::LookupTable>();
}

}  // namespace wyvern::systems
