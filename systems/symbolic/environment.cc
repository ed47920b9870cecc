#include "wyvern/systems/symbolic/environment.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"

namespace wyvern::symbolic {
namespace {

void RequireNoDummy(const Variable& v) {
  if (!v.is_dummy()) return;
  throw std::logic_error(
      "symbolic::Environment: a variable is a dummy, made without a name; "
      "give Variable(\"name\").");
}

void RequireValue(const Variable& v, double value) {
  RequireNoDummy(v);
  if (!std::isnan(value)) return;
  throw std::runtime_error(fmt::format(
      "symbolic::Environment: the value of '{}' is not a number (NaN); check "
      "what it was computed from.",
      v.get_name()));
}

}  // namespace

Environment::Environment(std::initializer_list<value_type> values)
    : Environment(map(values)) {}

Environment::Environment(std::initializer_list<Variable> variables) {
  for (const Variable& v : variables) (*this)[v] = 0;
}

Environment::Environment(map values) : values_(std::move(values)) {
  for (const auto& [v, value] : values_) RequireValue(v, value);
}

void Environment::insert(const Variable& key, double value) {
  RequireValue(key, value);
  values_.emplace(key, value);
}

void Environment::insert(const Eigen::Ref<const MatrixX<Variable>>& keys,
                         const Eigen::Ref<const Eigen::MatrixXd>& values) {
  const auto who =
      wyvern::internal::Caller("symbolic::Environment::insert").OfResults();
  wyvern::internal::RequireShape(who, "values", values, keys.rows(),
                                 keys.cols());
  for (int j = 0; j < keys.cols(); ++j) {
    for (int i = 0; i < keys.rows(); ++i) insert(keys(i, j), values(i, j));
  }
}

double& Environment::operator[](const Variable& key) {
  RequireNoDummy(key);
  return values_[key];
}

double Environment::operator[](const Variable& key) const {
  RequireNoDummy(key);
  const auto found = values_.find(key);
  if (found != values_.end()) return found->second;
  throw std::runtime_error(
      fmt::format("symbolic::Environment: the variable '{}' has no value; "
                  "insert() one.",
                  key.get_name()));
}

Variables Environment::domain() const {
  Variables result;
  for (const auto& [v, value] : values_) result.insert(v);
  return result;
}

std::string Environment::to_string() const {
  std::string text;
  for (const Variable& v : domain()) {
    text += fmt::format("{} -> {}\n", v.get_name(), values_.at(v));
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const Environment& environment) {
  return out << environment.to_string();
}

Environment PopulateRandomVariables(Environment environment,
                                    const Variables& variables,
                                    RandomGenerator* generator) {
  for (const Variable& v : variables) {
    if (!v.is_random() || environment.contains(v)) continue;
    environment.insert(v, v.Draw(generator));
  }
  return environment;
}

}  // namespace wyvern::symbolic
