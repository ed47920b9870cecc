#include "wyvern/systems/framework/leaf_context.h"

#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/scalar_text.h"

namespace wyvern::systems {
namespace {

template <typename T>
std::string FormatVector(const VectorX<T>& x) {
  std::string result;
  for (int i = 0; i < x.size(); ++i) {
    result += fmt::format("{}{}", i == 0 ? "" : " ", ScalarText(x[i]));
  }
  return result;
}

template <typename T>
std::unique_ptr<State<T>> CloneStateOf(const State<T>& source) {
  auto clone = std::make_unique<State<T>>();
  clone->set_continuous_state(source.get_continuous_state().Clone());
  clone->set_discrete_state(source.get_discrete_state().Clone());
  clone->set_abstract_state(source.get_abstract_state().Clone());
  return clone;
}

}  // namespace

template <typename T>
LeafContext<T>::LeafContext() : state_(std::make_unique<State<T>>()) {}

template <typename T>
LeafContext<T>::~LeafContext() = default;

template <typename T>
LeafContext<T>::LeafContext(const LeafContext<T>& source)
    : Context<T>(source), state_(CloneStateOf(*source.state_)) {
  Context<T>::init_parameters(source.get_parameters().Clone());
}

template <typename T>
void LeafContext<T>::init_continuous_state(
    std::unique_ptr<ContinuousState<T>> xc) {
  state_->set_continuous_state(std::move(xc));
}
template <typename T>
void LeafContext<T>::init_discrete_state(
    std::unique_ptr<DiscreteValues<T>> xd) {
  state_->set_discrete_state(std::move(xd));
}
template <typename T>
void LeafContext<T>::init_abstract_state(std::unique_ptr<AbstractValues> xa) {
  state_->set_abstract_state(std::move(xa));
}

template <typename T>
std::unique_ptr<ContextBase> LeafContext<T>::DoCloneWithoutPointers() const {
  return std::unique_ptr<ContextBase>(new LeafContext<T>(*this));
}

template <typename T>
std::unique_ptr<State<T>> LeafContext<T>::DoCloneState() const {
  return CloneStateOf(*state_);
}

template <typename T>
std::string LeafContext<T>::do_to_string() const {
  std::string result = "States:\n";
  result +=
      fmt::format("  {} continuous states\n", this->num_continuous_states());
  if (this->num_continuous_states() > 0) {
    result += fmt::format(
        "    {}\n",
        FormatVector<T>(this->get_continuous_state_vector().CopyToVector()));
  }
  result += fmt::format("  {} discrete state groups\n",
                        this->num_discrete_state_groups());
  for (int i = 0; i < this->num_discrete_state_groups(); ++i) {
    result += fmt::format("    {}\n",
                          FormatVector<T>(this->get_discrete_state(i).value()));
  }
  result += fmt::format("  {} abstract states\n", this->num_abstract_states());
  result += fmt::format("Parameters:\n  {} numeric parameter groups\n",
                        this->num_numeric_parameter_groups());
  for (int i = 0; i < this->num_numeric_parameter_groups(); ++i) {
    result += fmt::format(
        "    {}\n", FormatVector<T>(this->get_numeric_parameter(i).value()));
  }
  result += fmt::format("  {} abstract parameters\n",
                        this->num_abstract_parameters());
  return result;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::LeafContext);
