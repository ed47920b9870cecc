#include "wyvern/systems/framework/diagram_state.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/framework/diagram_continuous_state.h"
#include "wyvern/systems/framework/diagram_discrete_values.h"

namespace wyvern::systems {

template <typename T>
DiagramState<T>::DiagramState(int num_substates)
    : substates_(std::max(0, num_substates)),
      owned_substates_(std::max(0, num_substates)) {
  if (num_substates < 0) {
    throw std::logic_error(fmt::format(
        "DiagramState: the number of substates given is {}; it must not be "
        "negative.",
        num_substates));
  }
}

template <typename T>
DiagramState<T>::~DiagramState() = default;

template <typename T>
void DiagramState<T>::RequireExisting(const char* function, int index) const {
  wyvern::internal::RequireIndex({"DiagramState", function}, "index", index,
                                 num_substates());
}

template <typename T>
void DiagramState<T>::set_substate(int index, State<T>* substate) {
  RequireExisting("set_substate", index);
  if (finalized_ || substate == nullptr) {
    throw std::logic_error(
        fmt::format("DiagramState::set_substate(): substate {} was {}.", index,
                    finalized_ ? "set after Finalize(); set all of them before"
                               : "given as null; pass an object"));
  }
  substates_[index] = substate;
}

template <typename T>
void DiagramState<T>::set_and_own_substate(int index,
                                           std::unique_ptr<State<T>> substate) {
  set_substate(index, substate.get());
  owned_substates_[index] = std::move(substate);
}

template <typename T>
const State<T>& DiagramState<T>::get_substate(int index) const {
  RequireExisting("get_substate", index);
  if (substates_[index] == nullptr) {
    throw std::logic_error(fmt::format(
        "DiagramState::get_substate(): substate {} was not set; call "
        "set_substate() first.",
        index));
  }
  return *substates_[index];
}

template <typename T>
State<T>& DiagramState<T>::get_mutable_substate(int index) {
  return const_cast<State<T>&>(get_substate(index));
}

template <typename T>
void DiagramState<T>::Finalize() {
  if (finalized_) {
    throw std::logic_error(
        "DiagramState::Finalize(): called a second time; call it once, when "
        "all substates are set.");
  }
  std::vector<ContinuousState<T>*> xc;
  std::vector<DiscreteValues<T>*> xd;
  std::vector<AbstractValue*> xa;
  for (int i = 0; i < num_substates(); ++i) {
    State<T>& substate = get_mutable_substate(i);
    xc.push_back(&substate.get_mutable_continuous_state());
    xd.push_back(&substate.get_mutable_discrete_state());
    AbstractValues& values = substate.get_mutable_abstract_state();
    for (int k = 0; k < values.size(); ++k) {
      xa.push_back(&values.get_mutable_value(k));
    }
  }
  this->set_continuous_state(
      std::make_unique<DiagramContinuousState<T>>(std::move(xc)));
  this->set_discrete_state(
      std::make_unique<DiagramDiscreteValues<T>>(std::move(xd)));
  this->set_abstract_state(std::make_unique<AbstractValues>(xa));
  finalized_ = true;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::DiagramState);
