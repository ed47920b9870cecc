#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "wyvern/systems/common/random.h"

namespace wyvern::symbolic {

/** A named unknown. Copies are the same variable; two made separately are not,
whatever their names. */
class Variable {
 public:
  using Id = std::uint64_t;

  /** What values it may take. A random one is drawn anew for each evaluation:
  uniform on [0, 1), Gaussian of mean 0 and variance 1, or exponential of rate
  1. */
  enum class Type : std::uint8_t {
    CONTINUOUS,
    INTEGER,
    BINARY,
    BOOLEAN,
    RANDOM_UNIFORM,
    RANDOM_GAUSSIAN,
    RANDOM_EXPONENTIAL,
  };

  explicit Variable(std::string name, Type type = Type::CONTINUOUS);

  Id get_id() const { return id_; }
  const std::string& get_name() const { return name_; }
  const std::string& to_string() const { return name_; }
  Type get_type() const { return type_; }
  bool is_random() const { return type_ >= Type::RANDOM_UNIFORM; }

  bool equal_to(const Variable& other) const { return id_ == other.id_; }
  bool less(const Variable& other) const { return id_ < other.id_; }

  /** A value of a random variable.
  @throws std::logic_error if it is not random or `generator` null. */
  double Draw(RandomGenerator* generator) const;

 private:
  Id id_;
  std::string name_;
  Type type_;
};

struct VariableLess {
  bool operator()(const Variable& a, const Variable& b) const {
    return a.less(b);
  }
};

/** Values of variables. */
using Environment = std::map<Variable, double, VariableLess>;

}  // namespace wyvern::symbolic
