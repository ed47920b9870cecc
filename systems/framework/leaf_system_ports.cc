#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/scalar_text.h"
#include "wyvern/systems/framework/leaf_system.h"
#include "wyvern/systems/framework/symbolic_feedthrough.h"

/* An input port is a ticket and a model of its value. An output port is a cache
entry, computed when it is looked at and something that it depends on has
changed; its ticket is the entry's. Direct feedthrough is not declared but
follows from what the entries list as prerequisites, through any number of
entries in between; the default is everything, unless expressions know better
(symbolic_feedthrough.h). Output vectors of a given size
start as nan and are checked for nan after each computation, which finds
elements that a block forgot to write. */

namespace wyvern::systems {

template <typename T>
InputPort<T>& LeafSystem<T>::DeclareVectorInputPort(
    std::variant<std::string, UseDefaultName> name,
    const BasicVector<T>& model_vector,
    std::optional<RandomDistribution> random_type) {
  InputPort<T>& port = this->DeclareInputPort(std::move(name), kVectorValued,
                                              model_vector.size(), random_type);
  SetModelInput(port,
                std::make_unique<Value<BasicVector<T>>>(model_vector.Clone()));
  MaybeDeclareBounds(
      "input port " + port.get_name(), model_vector,
      [&port](const Context<T>& context) -> const VectorBase<T>& {
        return port.template Eval<BasicVector<T>>(context);
      });
  return port;
}

template <typename T>
InputPort<T>& LeafSystem<T>::DeclareVectorInputPort(
    std::variant<std::string, UseDefaultName> name, int size,
    std::optional<RandomDistribution> random_type) {
  RequireFittingSize("DeclareVectorInputPort", size);
  BasicVector<T> model(size);
  model.SetZero();
  return DeclareVectorInputPort(std::move(name), model, random_type);
}

template <typename T>
InputPort<T>& LeafSystem<T>::DeclareAbstractInputPort(
    std::variant<std::string, UseDefaultName> name,
    const AbstractValue& model_value) {
  InputPort<T>& port =
      this->DeclareInputPort(std::move(name), kAbstractValued, 0);
  SetModelInput(port, model_value.Clone());
  return port;
}

template <typename T>
void LeafSystem<T>::SetModelInput(const InputPort<T>& port,
                                  std::unique_ptr<AbstractValue> model) {
  model_inputs_.resize(port.get_index() + 1);
  model_inputs_.back() = std::move(model);
}

template <typename T>
void LeafSystem<T>::DeprecateInputPort(const InputPort<T>& port,
                                       std::string message) {
  this->mutable_input_port(port.get_index())
      .set_deprecation(std::move(message));
}

template <typename T>
void LeafSystem<T>::DeprecateOutputPort(const OutputPort<T>& port,
                                        std::string message) {
  this->mutable_output_port(port.get_index())
      .set_deprecation(std::move(message));
}

template <typename T>
std::unique_ptr<AbstractValue> LeafSystem<T>::DoAllocateInputValue(
    const InputPort<T>& port) const {
  const int index = port.get_index();
  if (index < static_cast<int>(model_inputs_.size()) &&
      model_inputs_[index] != nullptr) {
    return model_inputs_[index]->Clone();
  }
  if (port.get_data_type() == kAbstractValued) {
    throw std::logic_error(fmt::format(
        "System::AllocateInputAbstract(): {} was declared without a model "
        "value; use DeclareAbstractInputPort().",
        port.GetFullDescription()));
  }
  return std::make_unique<Value<BasicVector<T>>>(
      VectorX<T>(VectorX<T>::Zero(port.size())));
}

template <typename T>
LeafOutputPort<T>& LeafSystem<T>::DeclareOutputPort(
    std::variant<std::string, UseDefaultName> name, PortDataType type, int size,
    ValueProducer producer, std::set<DependencyTicket> prerequisites) {
  std::string port_name = this->NextOutputPortName(std::move(name));
  CacheEntry& entry =
      this->DeclareCacheEntry("output port " + port_name, std::move(producer),
                              std::move(prerequisites));
  auto port = std::make_unique<LeafOutputPort<T>>(
      this, this, std::move(port_name),
      OutputPortIndex(this->num_output_ports()), entry.ticket(), type, size,
      &entry);
  LeafOutputPort<T>& result = *port;
  this->AddOutputPort(std::move(port), &entry);
  return result;
}

template <typename T>
LeafOutputPort<T>& LeafSystem<T>::DeclareVectorOutputPort(
    std::variant<std::string, UseDefaultName> name,
    const BasicVector<T>& model_vector, CalcVectorCallback calc,
    std::set<DependencyTicket> prerequisites_of_calc) {
  RequireHandler(calc != nullptr);
  return DeclareVectorPort(
      std::move(name), model_vector,
      [calc = std::move(calc)](const ContextBase& context,
                               AbstractValue* value) {
        calc(static_cast<const Context<T>&>(context),
             &value->get_mutable_value<BasicVector<T>>());
      },
      std::move(prerequisites_of_calc));
}

template <typename T>
void LeafSystem<T>::RequireNumericOutput(const SystemBase& system,
                                         const CacheEntry& entry,
                                         const ContextBase& context,
                                         const AbstractValue& output) {
  const VectorX<T>& values =
      output.template get_value<BasicVector<T>>().value();
  for (int i = 0; i < values.size(); ++i) {
    if (!std::isnan(wyvern::internal::NumberIn(values[i]))) continue;
    OutputPortIndex port(0);
    while (system.get_output_port_base(port).ticket() != entry.ticket()) ++port;
    throw std::runtime_error(fmt::format(
        "OutputPort::Eval(): element {} of {} is nan at time {} s; all must be "
        "numbers, and all be written.",
        i, system.get_output_port_base(port).GetFullDescription(),
        ScalarText(static_cast<const Context<T>&>(context).get_time())));
  }
}

template <typename T>
LeafOutputPort<T>& LeafSystem<T>::DeclareVectorPort(
    std::variant<std::string, UseDefaultName> name,
    const BasicVector<T>& model_vector, ValueProducer::CalcCallback calc,
    std::set<DependencyTicket> prerequisites) {
  std::shared_ptr<const BasicVector<T>> model = model_vector.Clone();
  LeafOutputPort<T>& port = DeclareOutputPort(
      std::move(name), kVectorValued, model_vector.size(),
      ValueProducer(
          [model]() -> std::unique_ptr<AbstractValue> {
            return std::make_unique<Value<BasicVector<T>>>(model->Clone());
          },
          std::move(calc)),
      std::move(prerequisites));
  port.set_result_check(&RequireNumericOutput);
  MaybeDeclareBounds(
      "output port " + port.get_name(), model_vector,
      [&port](const Context<T>& context) -> const VectorBase<T>& {
        return port.template Eval<BasicVector<T>>(context);
      });
  return port;
}

template <typename T>
LeafOutputPort<T>& LeafSystem<T>::DeclareVectorOutputPort(
    std::variant<std::string, UseDefaultName> name, int size,
    CalcVectorCallback calc, std::set<DependencyTicket> prerequisites_of_calc) {
  RequireFittingSize("DeclareVectorOutputPort", size);
  return DeclareVectorOutputPort(std::move(name), BasicVector<T>(size),
                                 std::move(calc),
                                 std::move(prerequisites_of_calc));
}

template <typename T>
LeafOutputPort<T>& LeafSystem<T>::DeclareAbstractOutputPort(
    std::variant<std::string, UseDefaultName> name,
    std::function<std::unique_ptr<AbstractValue>()> allocate,
    std::function<void(const Context<T>&, AbstractValue*)> calc,
    std::set<DependencyTicket> prerequisites_of_calc) {
  RequireHandler(allocate != nullptr && calc != nullptr);
  return DeclareOutputPort(
      std::move(name), kAbstractValued, 0,
      ValueProducer(std::move(allocate),
                    [calc = std::move(calc)](const ContextBase& context,
                                             AbstractValue* value) {
                      calc(static_cast<const Context<T>&>(context), value);
                    }),
      std::move(prerequisites_of_calc));
}

template <typename T>
LeafOutputPort<T>& LeafSystem<T>::DeclareStateOutputPort(
    std::variant<std::string, UseDefaultName> name, ContinuousStateIndex) {
  return DeclareVectorOutputPort(
      std::move(name), *model_continuous_state_,
      [](const Context<T>& context, BasicVector<T>* value) {
        value->SetFrom(context.get_continuous_state_vector());
      },
      {SystemBase::xc_ticket()});
}

template <typename T>
LeafOutputPort<T>& LeafSystem<T>::DeclareStateOutputPort(
    std::variant<std::string, UseDefaultName> name,
    DiscreteStateIndex state_index) {
  const DependencyTicket ticket = this->discrete_state_ticket(state_index);
  return DeclareVectorOutputPort(
      std::move(name), *model_discrete_states_[state_index],
      [state_index](const Context<T>& context, BasicVector<T>* value) {
        value->SetFrom(context.get_discrete_state(state_index));
      },
      {ticket});
}

template <typename T>
LeafOutputPort<T>& LeafSystem<T>::DeclareStateOutputPort(
    std::variant<std::string, UseDefaultName> name,
    AbstractStateIndex state_index) {
  const DependencyTicket ticket = this->abstract_state_ticket(state_index);
  const AbstractValue* model = model_abstract_states_[state_index].get();
  return DeclareAbstractOutputPort(
      std::move(name), [model] { return model->Clone(); },
      [state_index](const Context<T>& context, AbstractValue* value) {
        value->SetFrom(context.get_abstract_state().get_value(state_index));
      },
      {ticket});
}

// A declared dependence is trusted. An output that declares nothing depends on
// everything, so its expressions decide, if symbolic support is linked.
template <typename T>
std::multimap<int, int> LeafSystem<T>::GetDirectFeedthroughs() const {
  std::multimap<int, int> result;
  internal::FeedthroughPairs assumed;
  for (int out = 0; out < this->num_output_ports(); ++out) {
    const std::vector<bool> closure =
        this->DependencyClosure(this->output_port_ticket(OutputPortIndex(out)));
    const auto* const port =
        dynamic_cast<const LeafOutputPort<T>*>(&this->get_output_port(out));
    const bool is_declared =
        port == nullptr || !port->cache_entry().has_default_prerequisites();
    for (int in = 0; in < this->num_input_ports(); ++in) {
      if (!closure[this->input_port_ticket(InputPortIndex(in))]) continue;
      if (is_declared) {
        result.emplace(in, out);
      } else {
        assumed.emplace(in, out);
      }
    }
  }
  if (!assumed.empty() && internal::remove_false_feedthroughs<T> != nullptr) {
    internal::remove_false_feedthroughs<T>(*this, &assumed);
  }
  result.insert(assumed.begin(), assumed.end());
  return result;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::LeafSystem);
