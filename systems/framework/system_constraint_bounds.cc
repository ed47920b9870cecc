#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/framework/system_constraint.h"

namespace wyvern::systems {

using Eigen::VectorXd;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

int RequireNumEquations(int size) {
  wyvern::internal::RequireAtLeast("SystemConstraintBounds",
                                   "the number of equations", size, 0);
  return size;
}
}  // namespace

SystemConstraintBounds::SystemConstraintBounds(int size, double value)
    : type_(SystemConstraintType::kEquality),
      lower_(VectorXd::Constant(RequireNumEquations(size), value)),
      upper_(lower_) {}

namespace {
// The bounds given, or as many infinities as the others are.
VectorXd ValuesOr(const std::optional<VectorXd>& given,
                  const std::optional<VectorXd>& other, double infinity) {
  if (!given.has_value() && !other.has_value()) {
    throw std::logic_error(
        "SystemConstraintBounds: both the lower and the upper bounds are "
        "empty; give at least one.");
  }
  return given.has_value() ? *given
                           : VectorXd::Constant(other->size(), infinity);
}
}  // namespace

SystemConstraintBounds::SystemConstraintBounds(
    const std::optional<VectorXd>& lower, const std::optional<VectorXd>& upper)
    : type_(SystemConstraintType::kInequality),
      lower_(ValuesOr(lower, upper, -kInf)),
      upper_(ValuesOr(upper, lower, kInf)) {
  RequireOrderedBounds();
}

void SystemConstraintBounds::RequireOrderedBounds() {
  if (lower_.size() != upper_.size()) {
    throw std::logic_error(fmt::format(
        "SystemConstraintBounds: {} lower bounds and {} upper bounds were "
        "given; give as many of each.",
        lower_.size(), upper_.size()));
  }
  for (int i = 0; i < lower_.size(); ++i) {
    if (!(lower_[i] <= upper_[i])) {
      throw std::logic_error(fmt::format(
          "SystemConstraintBounds: element {} has the bounds [{}, {}]; the "
          "lower bound must not exceed the upper.",
          i, lower_[i], upper_[i]));
    }
  }
  if (lower_ == upper_ && lower_.isZero(0)) {
    type_ = SystemConstraintType::kEquality;
  }
}

}  // namespace wyvern::systems
