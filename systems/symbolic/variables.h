#pragma once

#include <cstddef>
#include <initializer_list>
#include <ostream>
#include <set>
#include <string>

#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/symbolic/variable.h"

namespace wyvern::symbolic {

/** A set of variables, in the order of their ids. */
class Variables {
 public:
  /** @name Types of the standard containers
  @{ */
  using set = std::set<Variable>;
  using size_type = set::size_type;
  using iterator = set::const_iterator;
  using const_iterator = set::const_iterator;
  /** @} */

  Variables() = default;
  /** The set of some variables; one that is there twice counts once. */
  Variables(std::initializer_list<Variable> variables)
      : variables_(variables) {}
  /** Overload that takes a vector. */
  explicit Variables(const Eigen::Ref<const VectorX<Variable>>& variables)
      : variables_(variables.data(), variables.data() + variables.size()) {}

  /** Returns how many variables there are. */
  size_type size() const { return variables_.size(); }
  /** Returns true if there is none. */
  bool empty() const { return variables_.empty(); }
  /** Returns the names, as "{x, y}". */
  std::string to_string() const;

  /** @name Iteration over the variables, in the order of their ids
  @{ */
  const_iterator begin() const { return variables_.begin(); }
  const_iterator end() const { return variables_.end(); }
  const_iterator cbegin() const { return variables_.begin(); }
  const_iterator cend() const { return variables_.end(); }
  /** @} */
  /** Returns the place of a variable, or end(). */
  const_iterator find(const Variable& key) const {
    return variables_.find(key);
  }
  /** Returns true if a variable is there. */
  bool include(const Variable& key) const { return variables_.contains(key); }

  /** Adds a variable, if it is not there. */
  void insert(const Variable& variable) { variables_.insert(variable); }
  /** Adds all variables of a set. */
  void insert(const Variables& variables) {
    variables_.insert(variables.begin(), variables.end());
  }
  /** Adds the variables of a range. */
  template <class InputIt>
  void insert(InputIt first, InputIt last) {
    variables_.insert(first, last);
  }
  /** How many were removed. */
  size_type erase(const Variable& key) { return variables_.erase(key); }
  /** Removes those that are in `keys`, and returns how many were removed. */
  size_type erase(const Variables& keys);

  /** Returns true if all of these are in `others`. */
  bool IsSubsetOf(const Variables& others) const;
  /** Returns true if all of `others` are in this set. */
  bool IsSupersetOf(const Variables& others) const {
    return others.IsSubsetOf(*this);
  }
  /** Returns true if `others` has all of these and more. */
  bool IsStrictSubsetOf(const Variables& others) const {
    return size() < others.size() && IsSubsetOf(others);
  }
  /** Returns true if this set has all of `others` and more. */
  bool IsStrictSupersetOf(const Variables& others) const {
    return others.IsStrictSubsetOf(*this);
  }

  friend bool operator==(const Variables& a, const Variables& b) {
    return a.size() == b.size() && a.IsSubsetOf(b);
  }
  /** By their ids, in order. */
  friend bool operator<(const Variables& a, const Variables& b);

 private:
  set variables_;
};

/** Writes to_string(). */
std::ostream& operator<<(std::ostream& out, const Variables& variables);

/** @name Union, difference and intersection
@{ */
Variables operator+=(Variables& a, const Variables& b);
Variables operator+=(Variables& a, const Variable& b);
Variables operator+(Variables a, const Variables& b);
Variables operator+(Variables a, const Variable& b);
Variables operator+(const Variable& a, Variables b);
Variables operator-=(Variables& a, const Variables& b);
Variables operator-=(Variables& a, const Variable& b);
Variables operator-(Variables a, const Variables& b);
Variables operator-(Variables a, const Variable& b);
Variables intersect(const Variables& a, const Variables& b);
/** @} */

}  // namespace wyvern::symbolic

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::symbolic::Variables> : wyvern::StreamFormatter {};
/// @endcond
