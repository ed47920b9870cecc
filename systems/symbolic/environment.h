#pragma once

#include <cstddef>
#include <initializer_list>
#include <ostream>
#include <string>
#include <unordered_map>
#include <utility>

#include "wyvern/systems/common/random.h"
#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/symbolic/variables.h"

namespace wyvern::symbolic {

/** Values of variables. None is NaN, and no variable is a dummy. */
class Environment {
 public:
  /** @name Types of the standard containers
  @{ */
  using key_type = Variable;
  using mapped_type = double;
  using map = std::unordered_map<Variable, double>;
  using value_type = map::value_type;
  using iterator = map::const_iterator;
  using const_iterator = map::const_iterator;
  /** @} */

  Environment() = default;
  /** Takes pairs of a variable and its value.
  @throws std::runtime_error for a NaN, std::logic_error for a dummy. */
  Environment(std::initializer_list<value_type> values);
  /** Variables whose values are to be assigned; 0 until then.
  @throws std::logic_error for a dummy. */
  Environment(std::initializer_list<Variable> variables);
  /** Overload that takes a map. @throws as above. */
  explicit Environment(map values);

  /** @name Iteration over pairs of a variable and its value, in no order
  @{ */
  const_iterator begin() const { return values_.begin(); }
  const_iterator end() const { return values_.end(); }
  const_iterator cbegin() const { return values_.begin(); }
  const_iterator cend() const { return values_.end(); }
  /** @} */
  /** Returns the pair of a variable, or end(). */
  const_iterator find(const Variable& key) const { return values_.find(key); }
  /** Returns true if a variable has a value. */
  bool contains(const Variable& key) const { return values_.contains(key); }
  /** Returns true if no variable has a value. */
  bool empty() const { return values_.empty(); }
  /** Returns how many variables have values. */
  std::size_t size() const { return values_.size(); }

  /** Adds a value; one that is there already stays.
  @throws as the constructor. */
  void insert(const Variable& key, double value);
  /** Adds those of a matrix of variables, each its value.
  @throws std::runtime_error if the shapes differ; as above. */
  void insert(const Eigen::Ref<const MatrixX<Variable>>& keys,
              const Eigen::Ref<const Eigen::MatrixXd>& values);
  /** The value of one, which is added with 0 if it is not there.
  @throws std::logic_error for a dummy. */
  double& operator[](const Variable& key);
  /** Returns the value of a variable.
  @throws std::runtime_error if it is not there. */
  double operator[](const Variable& key) const;

  /** All variables that have values. */
  Variables domain() const;
  /** "x -> 1", a line each, in the order of ids. */
  std::string to_string() const;

 private:
  map values_;
};

/** Writes to_string(). */
std::ostream& operator<<(std::ostream& out, const Environment& environment);

/** `environment`, and of the random ones among `variables` that it lacks, a
drawn value each. @throws std::logic_error without a generator, if one lacks. */
Environment PopulateRandomVariables(Environment environment,
                                    const Variables& variables,
                                    RandomGenerator* generator);

}  // namespace wyvern::symbolic

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::symbolic::Environment> : wyvern::StreamFormatter {
};
/// @endcond
