#include "wyvern/systems/common/symbolic_variable.h"

#include <atomic>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace wyvern::symbolic {

Variable::Variable(std::string name, Type type)
    : name_(std::move(name)), type_(type) {
  static std::atomic<Id> next{1};
  id_ = next++;
}

double Variable::Draw(RandomGenerator* generator) const {
  if (generator == nullptr) {
    throw std::logic_error(fmt::format(
        "symbolic::Variable: '{}' is random; give a RandomGenerator to draw "
        "its value with.",
        name_));
  }
  switch (type_) {
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
          name_));
  }
}

}  // namespace wyvern::symbolic
