#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <utility>

#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/random.h"
#include "wyvern/systems/common/stream_formatter.h"
#include "wyvern/systems/symbolic/cell_pointer.h"

namespace wyvern::symbolic {

/** A named unknown. Copies are the same variable; two made separately are not,
whatever their names. */
class Variable {
 public:
  /** Number that only this variable has. */
  using Id = std::uint64_t;

  /** Set of values of the variable. A random variable is drawn anew for each
  evaluation: uniform on [0, 1), Gaussian of mean 0 and variance 1, or
  exponential of rate 1. A BOOLEAN variable belongs in formulas, the others in
  expressions. */
  enum class Type : std::uint8_t {
    CONTINUOUS,
    INTEGER,
    BINARY,
    BOOLEAN,
    RANDOM_UNIFORM,
    RANDOM_GAUSSIAN,
    RANDOM_EXPONENTIAL,
  };

  /** A dummy, to be assigned to: it may stand nowhere. */
  Variable() = default;
  /** Makes a dummy; Eigen fills matrices this way. */
  explicit Variable(std::nullptr_t) {}
  /** Makes a new variable; two of one name are different. */
  explicit Variable(std::string name, Type type = Type::CONTINUOUS);
  Variable(const Variable&) = default;
  Variable& operator=(const Variable&) = default;
  /** Moves a variable; `other` becomes a dummy. */
  Variable(Variable&& other) noexcept
      : id_(std::exchange(other.id_, 0)), cell_(std::move(other.cell_)) {}
  /** Moves a variable; `other` becomes a dummy. */
  Variable& operator=(Variable&& other) noexcept {
    Variable taken(std::move(other));
    std::swap(id_, taken.id_);
    cell_.swap(taken.cell_);
    return *this;
  }
  ~Variable() = default;

  /** Returns the id, which no other variable has; 0 of a dummy. */
  Id get_id() const { return id_; }
  /** Variables of one type are ordered by their creation. */
  Type get_type() const { return static_cast<Type>(id_ >> 56); }
  /** Returns true if the variable is a dummy. */
  bool is_dummy() const { return id_ == 0; }
  /** Returns true if the type is a RANDOM one. */
  bool is_random() const { return get_type() >= Type::RANDOM_UNIFORM; }
  /** Returns the name; "dummy" of a dummy. */
  const std::string& get_name() const;
  /** Returns the name. */
  const std::string& to_string() const { return get_name(); }

  /** Returns true if both are the same variable. */
  bool equal_to(const Variable& other) const { return id_ == other.id_; }
  /** Orders variables by their ids. */
  bool less(const Variable& other) const { return id_ < other.id_; }
  /** Returns a number that copies share. */
  std::size_t get_hash() const { return std::hash<Id>{}(id_); }

  /** A value of a random variable.
  @throws std::logic_error if it is not random or `generator` null. */
  double Draw(RandomGenerator* generator) const;

  // For the functions of this folder.
  explicit Variable(internal::Ref cell);
  const internal::Ref& ref() const { return cell_; }

 private:
  Id id_{0};
  internal::Ref cell_;
};

/** Writes the name. */
std::ostream& operator<<(std::ostream& out, const Variable& a);
/** Writes the type, such as "Continuous". */
std::ostream& operator<<(std::ostream& out, Variable::Type type);

/** @name Matrices and vectors of variables
The variables of a matrix are named name(row, col), those of a vector name(row).
@throws std::logic_error if a size is negative.
@{ */
MatrixX<Variable> MakeMatrixVariable(
    int rows, int cols, const std::string& name,
    Variable::Type type = Variable::Type::CONTINUOUS);
MatrixX<Variable> MakeMatrixBooleanVariable(int rows, int cols,
                                            const std::string& name);
MatrixX<Variable> MakeMatrixBinaryVariable(int rows, int cols,
                                           const std::string& name);
MatrixX<Variable> MakeMatrixContinuousVariable(int rows, int cols,
                                               const std::string& name);
VectorX<Variable> MakeVectorVariable(
    int rows, const std::string& name,
    Variable::Type type = Variable::Type::CONTINUOUS);
VectorX<Variable> MakeVectorBooleanVariable(int rows, const std::string& name);
VectorX<Variable> MakeVectorBinaryVariable(int rows, const std::string& name);
VectorX<Variable> MakeVectorContinuousVariable(int rows,
                                               const std::string& name);
/** @} */

}  // namespace wyvern::symbolic

/* x < y and x == y of two variables are formulas, so that containers have words
of their own. */
template <>
struct std::hash<wyvern::symbolic::Variable> {
  std::size_t operator()(const wyvern::symbolic::Variable& v) const {
    return v.get_hash();
  }
};
template <>
struct std::less<wyvern::symbolic::Variable> {
  bool operator()(const wyvern::symbolic::Variable& a,
                  const wyvern::symbolic::Variable& b) const {
    return a.less(b);
  }
};
template <>
struct std::equal_to<wyvern::symbolic::Variable> {
  bool operator()(const wyvern::symbolic::Variable& a,
                  const wyvern::symbolic::Variable& b) const {
    return a.equal_to(b);
  }
};

namespace Eigen {
template <>
struct NumTraits<wyvern::symbolic::Variable>
    : GenericNumTraits<wyvern::symbolic::Variable> {
  using Real = wyvern::symbolic::Variable;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 20,
    MulCost = 20
  };
};
}  // namespace Eigen

namespace wyvern::symbolic {

/** @name Matrices and vectors of variables, with sizes known at compile time
@{ */
template <int rows, int cols>
Eigen::Matrix<Variable, rows, cols> MakeMatrixVariable(
    const std::string& name, Variable::Type type = Variable::Type::CONTINUOUS) {
  return MakeMatrixVariable(rows, cols, name, type);
}
template <int rows, int cols>
Eigen::Matrix<Variable, rows, cols> MakeMatrixBooleanVariable(
    const std::string& name) {
  return MakeMatrixBooleanVariable(rows, cols, name);
}
template <int rows, int cols>
Eigen::Matrix<Variable, rows, cols> MakeMatrixBinaryVariable(
    const std::string& name) {
  return MakeMatrixBinaryVariable(rows, cols, name);
}
template <int rows, int cols>
Eigen::Matrix<Variable, rows, cols> MakeMatrixContinuousVariable(
    const std::string& name) {
  return MakeMatrixContinuousVariable(rows, cols, name);
}
template <int rows>
Vector<Variable, rows> MakeVectorVariable(
    const std::string& name, Variable::Type type = Variable::Type::CONTINUOUS) {
  return MakeVectorVariable(rows, name, type);
}
template <int rows>
Vector<Variable, rows> MakeVectorBooleanVariable(const std::string& name) {
  return MakeVectorBooleanVariable(rows, name);
}
template <int rows>
Vector<Variable, rows> MakeVectorBinaryVariable(const std::string& name) {
  return MakeVectorBinaryVariable(rows, name);
}
template <int rows>
Vector<Variable, rows> MakeVectorContinuousVariable(const std::string& name) {
  return MakeVectorContinuousVariable(rows, name);
}
/** @} */

}  // namespace wyvern::symbolic

/// @cond  Doxygen does not see what it specializes.
template <>
struct fmt::formatter<wyvern::symbolic::Variable> : wyvern::StreamFormatter {};
template <>
struct fmt::formatter<wyvern::symbolic::Variable::Type>
    : wyvern::StreamFormatter {};
/// @endcond
