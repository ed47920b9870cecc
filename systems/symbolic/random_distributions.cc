#include "wyvern/systems/symbolic/random_distributions.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/expression_kinds.h"
#include "wyvern/systems/symbolic/formula.h"

namespace wyvern::symbolic::internal {
namespace {

const char* RandomName(Variable::Type type) {
  switch (type) {
    case Variable::Type::RANDOM_UNIFORM:
      return "random_uniform";
    case Variable::Type::RANDOM_GAUSSIAN:
      return "random_gaussian";
    default:
      return "random_exponential";
  }
}

}  // namespace

Variable RandomVariables::Next() {
  if (next_ == variables_->size()) {
    variables_->emplace_back(fmt::format("{}_{}", RandomName(type_), next_),
                             type_);
  }
  return (*variables_)[next_++];
}

void RequireOrdered(const Expression& a, const Expression& b) {
  if (!is_constant(a) || !is_constant(b)) return;
  if (get_constant_value(a) <= get_constant_value(b)) return;
  throw std::runtime_error(fmt::format(
      "std::uniform_real_distribution<Expression>: a is {} and b is {}; a must "
      "be at most b.",
      a, b));
}

void RequirePositiveParameter(const char* distribution, const char* name,
                              const Expression& value) {
  wyvern::internal::RequirePositive(
      wyvern::internal::Caller(distribution).OfResults(), name,
      KnownNumberOr(value, 1));
}

}  // namespace wyvern::symbolic::internal
