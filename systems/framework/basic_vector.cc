#include "wyvern/systems/framework/basic_vector.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"

namespace wyvern::systems {
namespace {

int RequireVectorSize(int size) {
  wyvern::internal::RequireAtLeast("BasicVector", "size", size, 0);
  return size;
}

}  // namespace

template <typename T>
BasicVector<T>::BasicVector(int size)
    : values_(VectorX<T>::Constant(RequireVectorSize(size),
                                   T(std::numeric_limits<T>::quiet_NaN()))) {}

template <typename T>
BasicVector<T>::BasicVector(const std::initializer_list<T>& init)
    : values_(static_cast<Eigen::Index>(init.size())) {
  std::copy(init.begin(), init.end(), values_.data());
}

template <typename T>
void BasicVector<T>::ScaleAndAddToVector(const T& scale,
                                         EigenPtr<VectorX<T>> vec) const {
  this->RequireFittingSize("ScaleAndAddToVector",
                           vec == nullptr ? -1 : vec->size());
  *vec += scale * values_;
}

template <typename T>
std::unique_ptr<BasicVector<T>> BasicVector<T>::Clone() const {
  std::unique_ptr<BasicVector<T>> clone(DoClone());
  if (clone == nullptr || typeid(*clone) != typeid(*this)) {
    const std::string name = NiceTypeName::Get(*this);
    throw std::logic_error(fmt::format(
        "BasicVector::Clone(): DoClone() of {} returned {}; override DoClone() "
        "in that class to return a new object of its own type.",
        name, clone == nullptr ? "null" : NiceTypeName::Get(*clone)));
  }
  clone->set_value(values_);
  return clone;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::BasicVector);
