#include "wyvern/systems/primitives/selector.h"

#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

std::variant<std::string, UseDefaultName> PortName(const std::string& name) {
  if (name.empty()) return kUseDefaultName;
  return name;
}

}  // namespace

template <typename T>
Selector<T>::Selector(SelectorParams params)
    : LeafSystem<T>(SystemTypeTag<Selector>{}), params_(std::move(params)) {
  RequireSelections();
  for (const auto& input : params_.inputs) {
    this->DeclareVectorInputPort(PortName(input.name), input.size);
  }
  for (int i = 0; i < static_cast<int>(params_.outputs.size()); ++i) {
    const auto& output = params_.outputs[i];
    std::set<DependencyTicket> sources{this->nothing_ticket()};
    for (const auto& selection : output.selections) {
      sources.insert(
          this->input_port_ticket(InputPortIndex(selection.input_port_index)));
    }
    this->DeclareVectorOutputPort(
        PortName(output.name), static_cast<int>(output.selections.size()),
        [this, i](const Context<T>& context, BasicVector<T>* y) {
          CalcOutput(context, i, y);
        },
        sources);
  }
}

template <typename T>
void Selector<T>::RequireSelections() const {
  const int num_inputs = static_cast<int>(params_.inputs.size());
  for (int i = 0; i < num_inputs; ++i) {
    wyvern::internal::RequireAtLeast("Selector",
                                     fmt::format("inputs[{}].size", i),
                                     params_.inputs[i].size, 0);
  }
  for (std::size_t i = 0; i < params_.outputs.size(); ++i) {
    const auto& selections = params_.outputs[i].selections;
    for (std::size_t j = 0; j < selections.size(); ++j) {
      const auto& [port, offset] = selections[j];
      const bool has_port = port >= 0 && port < num_inputs;
      if (has_port && offset >= 0 && offset < params_.inputs[port].size) {
        continue;
      }
      throw std::out_of_range(fmt::format(
          "Selector: outputs[{}].selections[{}] is element {} of input port "
          "{}; there are {} input ports{}.",
          i, j, offset, port, num_inputs,
          has_port ? fmt::format(", and that one has size {}",
                                 params_.inputs[port].size)
                   : ""));
    }
  }
}

template <typename T>
void Selector<T>::CalcOutput(const Context<T>& context, int output_port_index,
                             BasicVector<T>* output) const {
  const auto& selections = params_.outputs[output_port_index].selections;
  for (int i = 0; i < output->size(); ++i) {
    const auto& [port, offset] = selections[i];
    (*output)[i] = this->get_input_port(port).Eval(context)[offset];
  }
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::Selector);
