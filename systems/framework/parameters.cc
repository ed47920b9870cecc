#include "wyvern/systems/framework/parameters.h"

#include <stdexcept>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

constexpr char kEmptyIfNoParameters[] =
    "give one that is empty if there are none";

}  // namespace

template <typename T>
Parameters<T>::Parameters()
    : numeric_(std::make_unique<DiscreteValues<T>>()),
      abstract_(std::make_unique<AbstractValues>()) {}

template <typename T>
Parameters<T>::Parameters(
    std::vector<std::unique_ptr<BasicVector<T>>>&& numeric,
    std::vector<std::unique_ptr<AbstractValue>>&& abstract)
    : numeric_(std::make_unique<DiscreteValues<T>>(std::move(numeric))),
      abstract_(std::make_unique<AbstractValues>(std::move(abstract))) {}

template <typename T>
Parameters<T>::Parameters(
    std::vector<std::unique_ptr<BasicVector<T>>>&& numeric)
    : numeric_(std::make_unique<DiscreteValues<T>>(std::move(numeric))),
      abstract_(std::make_unique<AbstractValues>()) {}

template <typename T>
Parameters<T>::Parameters(
    std::vector<std::unique_ptr<AbstractValue>>&& abstract)
    : numeric_(std::make_unique<DiscreteValues<T>>()),
      abstract_(std::make_unique<AbstractValues>(std::move(abstract))) {}

template <typename T>
Parameters<T>::Parameters(std::unique_ptr<BasicVector<T>> vec)
    : numeric_(std::make_unique<DiscreteValues<T>>(std::move(vec))),
      abstract_(std::make_unique<AbstractValues>()) {}

template <typename T>
Parameters<T>::Parameters(std::unique_ptr<AbstractValue> value)
    : numeric_(std::make_unique<DiscreteValues<T>>()),
      abstract_(std::make_unique<AbstractValues>(std::move(value))) {}

template <typename T>
Parameters<T>::~Parameters() = default;

template <typename T>
void Parameters<T>::set_numeric_parameters(
    std::unique_ptr<DiscreteValues<T>> numeric_params) {
  numeric_ = wyvern::internal::RequireNotNull(
      "Parameters::set_numeric_parameters", "numeric_params",
      std::move(numeric_params), kEmptyIfNoParameters);
}

template <typename T>
void Parameters<T>::set_abstract_parameters(
    std::unique_ptr<AbstractValues> abstract_params) {
  abstract_ = wyvern::internal::RequireNotNull(
      "Parameters::set_abstract_parameters", "abstract_params",
      std::move(abstract_params), kEmptyIfNoParameters);
}

template <typename T>
std::unique_ptr<Parameters<T>> Parameters<T>::Clone() const {
  auto clone = std::make_unique<Parameters<T>>();
  clone->numeric_ = numeric_->Clone();
  clone->abstract_ = abstract_->Clone();
  clone->system_id_ = system_id_;
  return clone;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Parameters);
