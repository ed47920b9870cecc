#include "wyvern/systems/symbolic/variable.h"

#include <atomic>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/symbolic/cell_private.h"

namespace wyvern::symbolic {

Variable::Variable(std::string name, Type type) {
  static std::atomic<Id> next{1};
  id_ = next++ | static_cast<Id>(type) << 56;
  cell_ = internal::MakeVariable(id_, std::move(name));
}

Variable::Variable(internal::Ref cell)
    : id_(internal::AsVariable(*cell.cell()).id), cell_(std::move(cell)) {}

const std::string& Variable::get_name() const {
  static const std::string dummy("dummy");
  if (is_dummy()) return dummy;
  return internal::AsVariable(*cell_.cell()).name;
}

double Variable::Draw(RandomGenerator* generator) const {
  if (generator == nullptr) {
    throw std::logic_error(fmt::format(
        "symbolic::Variable: '{}' is random; give a RandomGenerator to draw "
        "its value with.",
        get_name()));
  }
  switch (get_type()) {
    case Type::RANDOM_UNIFORM:
      return std::uniform_real_distribution<double>(0, 1)(*generator);
    case Type::RANDOM_GAUSSIAN:
      return std::normal_distribution<double>(0, 1)(*generator);
    case Type::RANDOM_EXPONENTIAL:
      return std::exponential_distribution<double>(1)(*generator);
    default:
      throw std::logic_error(fmt::format(
          "symbolic::Variable: '{}' is not random; give its value in the "
          "environment.",
          get_name()));
  }
}

std::ostream& operator<<(std::ostream& out, const Variable& a) {
  return out << a.get_name();
}

std::ostream& operator<<(std::ostream& out, Variable::Type type) {
  switch (type) {
    case Variable::Type::CONTINUOUS:
      return out << "Continuous";
    case Variable::Type::INTEGER:
      return out << "Integer";
    case Variable::Type::BINARY:
      return out << "Binary";
    case Variable::Type::BOOLEAN:
      return out << "Boolean";
    case Variable::Type::RANDOM_UNIFORM:
      return out << "Random Uniform";
    case Variable::Type::RANDOM_GAUSSIAN:
      return out << "Random Gaussian";
    case Variable::Type::RANDOM_EXPONENTIAL:
      return out << "Random Exponential";
  }
  return out << "?";
}

MatrixX<Variable> MakeMatrixVariable(int rows, int cols,
                                     const std::string& name,
                                     Variable::Type type) {
  wyvern::internal::RequireAtLeast("MakeMatrixVariable", "rows", rows, 0);
  wyvern::internal::RequireAtLeast("MakeMatrixVariable", "cols", cols, 0);
  MatrixX<Variable> result(rows, cols);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      result(i, j) = Variable(fmt::format("{}({}, {})", name, i, j), type);
    }
  }
  return result;
}

VectorX<Variable> MakeVectorVariable(int rows, const std::string& name,
                                     Variable::Type type) {
  wyvern::internal::RequireAtLeast("MakeVectorVariable", "rows", rows, 0);
  VectorX<Variable> result(rows);
  for (int i = 0; i < rows; ++i) {
    result[i] = Variable(fmt::format("{}({})", name, i), type);
  }
  return result;
}

MatrixX<Variable> MakeMatrixBooleanVariable(int rows, int cols,
                                            const std::string& name) {
  return MakeMatrixVariable(rows, cols, name, Variable::Type::BOOLEAN);
}
MatrixX<Variable> MakeMatrixBinaryVariable(int rows, int cols,
                                           const std::string& name) {
  return MakeMatrixVariable(rows, cols, name, Variable::Type::BINARY);
}
MatrixX<Variable> MakeMatrixContinuousVariable(int rows, int cols,
                                               const std::string& name) {
  return MakeMatrixVariable(rows, cols, name);
}
VectorX<Variable> MakeVectorBooleanVariable(int rows, const std::string& name) {
  return MakeVectorVariable(rows, name, Variable::Type::BOOLEAN);
}
VectorX<Variable> MakeVectorBinaryVariable(int rows, const std::string& name) {
  return MakeVectorVariable(rows, name, Variable::Type::BINARY);
}
VectorX<Variable> MakeVectorContinuousVariable(int rows,
                                               const std::string& name) {
  return MakeVectorVariable(rows, name);
}

}  // namespace wyvern::symbolic
