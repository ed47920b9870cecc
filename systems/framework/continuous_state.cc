#include "wyvern/systems/framework/continuous_state.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/framework/subvector.h"

namespace wyvern::systems {
namespace {

template <typename T>
std::unique_ptr<VectorBase<T>> RequireSizes(
    std::unique_ptr<VectorBase<T>> state, int num_q, int num_v, int num_z) {
  wyvern::internal::RequireNotNull("ContinuousState", "state", state);
  if (num_q < 0 || num_v < 0 || num_z < 0 || num_v > num_q ||
      state->size() - num_q - num_v != num_z) {
    throw std::logic_error(fmt::format(
        "ContinuousState: a vector of size {} was given for num_q = {}, num_v "
        "= {}, num_z = {}; these must add up to its size, none negative and "
        "num_v not above num_q.",
        state->size(), num_q, num_v, num_z));
  }
  return state;
}

// All elements of a vector, or none unless they lie side by side.
template <typename T>
std::span<T> ElementsOf(VectorBase<T>* x) {
  if (x->size() == 0) return {};
  const std::span<T> run = x->MutableContiguousFrom(0);
  return run.size() == static_cast<std::size_t>(x->size()) ? run
                                                           : std::span<T>{};
}

}  // namespace

template <typename T>
ContinuousState<T>::ContinuousState()
    : ContinuousState(std::make_unique<BasicVector<T>>(0)) {}

template <typename T>
ContinuousState<T>::ContinuousState(std::unique_ptr<VectorBase<T>> state)
    : x_(wyvern::internal::RequireNotNull("ContinuousState", "state",
                                          std::move(state))),
      q_(std::make_unique<Subvector<T>>(x_.get(), 0, 0)),
      v_(std::make_unique<Subvector<T>>(x_.get(), 0, 0)),
      z_(std::make_unique<Subvector<T>>(x_.get(), 0, x_->size())),
      elements_(ElementsOf(x_.get())) {}

template <typename T>
ContinuousState<T>::ContinuousState(std::unique_ptr<VectorBase<T>> state,
                                    int num_q, int num_v, int num_z)
    : x_(RequireSizes(std::move(state), num_q, num_v, num_z)),
      q_(std::make_unique<Subvector<T>>(x_.get(), 0, num_q)),
      v_(std::make_unique<Subvector<T>>(x_.get(), num_q, num_v)),
      z_(std::make_unique<Subvector<T>>(x_.get(), num_q + num_v, num_z)),
      elements_(ElementsOf(x_.get())),
      num_q_(num_q),
      num_v_(num_v) {}

template <typename T>
ContinuousState<T>::ContinuousState(std::unique_ptr<VectorBase<T>> state,
                                    std::unique_ptr<VectorBase<T>> q,
                                    std::unique_ptr<VectorBase<T>> v,
                                    std::unique_ptr<VectorBase<T>> z)
    : x_(wyvern::internal::RequireNotNull("ContinuousState", "state",
                                          std::move(state))),
      q_(wyvern::internal::RequireNotNull("ContinuousState", "a vector",
                                          std::move(q))),
      v_(wyvern::internal::RequireNotNull("ContinuousState", "a vector",
                                          std::move(v))),
      z_(wyvern::internal::RequireNotNull("ContinuousState", "a vector",
                                          std::move(z))) {}

template <typename T>
ContinuousState<T>::~ContinuousState() = default;

template <typename T>
std::unique_ptr<ContinuousState<T>> ContinuousState<T>::Clone() const {
  std::unique_ptr<ContinuousState<T>> clone = DoClone();
  clone->set_system_id(system_id_);
  return clone;
}

template <typename T>
std::unique_ptr<ContinuousState<T>> ContinuousState<T>::DoClone() const {
  std::unique_ptr<BasicVector<T>> x;
  if (const auto* basic = dynamic_cast<const BasicVector<T>*>(x_.get())) {
    x = basic->Clone();
  } else {
    x = std::make_unique<BasicVector<T>>(x_->CopyToVector());
  }
  return std::make_unique<ContinuousState<T>>(std::move(x), num_q(), num_v(),
                                              num_z());
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::ContinuousState);
