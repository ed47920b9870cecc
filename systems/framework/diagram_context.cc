#include "wyvern/systems/framework/diagram_context.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

/* A Diagram's Context owns the Contexts of its subsystems. Its state and its
parameters own no numbers: they gather references to those of the subcontexts,
in the order of the subsystems. A copy therefore clones the subcontexts and
gathers anew, and a change made through either is seen through both. */

namespace wyvern::systems {

template <typename T>
DiagramContext<T>::DiagramContext(
    std::vector<std::unique_ptr<Context<T>>> subcontexts,
    std::shared_ptr<const internal::DiagramWiring> wiring)
    : subcontexts_(std::move(subcontexts)), wiring_(std::move(wiring)) {
  Assemble();
}

template <typename T>
DiagramContext<T>::~DiagramContext() = default;

template <typename T>
DiagramContext<T>::DiagramContext(const DiagramContext<T>& source)
    : Context<T>(source), wiring_(source.wiring_) {
  for (const auto& subcontext : source.subcontexts_) {
    subcontexts_.emplace_back(static_cast<Context<T>*>(
        ContextBase::CloneWithoutPointers(*subcontext).release()));
  }
  Assemble();
}

// Gathers the subcontexts' parts: state, parameters, and the flat list of all
// Contexts inside.
template <typename T>
void DiagramContext<T>::Assemble() {
  std::vector<BasicVector<T>*> numeric;
  std::vector<AbstractValue*> abstract;
  state_ = std::make_unique<DiagramState<T>>(num_subcontexts());
  for (int i = 0; i < num_subcontexts(); ++i) {
    Context<T>* sub = subcontexts_[i].get();
    ContextBase::set_parent(sub, this);
    state_->set_substate(i, &Context<T>::access_mutable_state(sub));
    Parameters<T>& p = Context<T>::access_mutable_parameters(sub);
    for (int k = 0; k < p.num_numeric_parameter_groups(); ++k) {
      numeric.push_back(&p.get_mutable_numeric_parameter(k));
    }
    for (int k = 0; k < p.num_abstract_parameters(); ++k) {
      abstract.push_back(&p.get_mutable_abstract_parameter(k));
    }
    this->AddContent(sub);
  }
  state_->Finalize();
  auto parameters = std::make_unique<Parameters<T>>();
  parameters->set_numeric_parameters(
      std::make_unique<DiscreteValues<T>>(numeric));
  parameters->set_abstract_parameters(
      std::make_unique<AbstractValues>(abstract));
  Context<T>::init_parameters(std::move(parameters));
}

template <typename T>
const Context<T>& DiagramContext<T>::GetSubsystemContext(
    SubsystemIndex index) const {
  if (index >= num_subcontexts()) {
    throw std::out_of_range(fmt::format(
        "DiagramContext::GetSubsystemContext(): {} has no subsystem {}; it has "
        "{}.",
        this->GetSystemPathname(), index, num_subcontexts()));
  }
  return *subcontexts_[index];
}

template <typename T>
Context<T>& DiagramContext<T>::GetMutableSubsystemContext(
    SubsystemIndex index) {
  return const_cast<Context<T>&>(GetSubsystemContext(index));
}

template <typename T>
std::unique_ptr<ContextBase> DiagramContext<T>::DoCloneWithoutPointers() const {
  return std::unique_ptr<ContextBase>(new DiagramContext<T>(*this));
}

template <typename T>
void DiagramContext<T>::DoForEachSubcontext(
    const std::function<void(ContextBase*)>& visit) const {
  for (const auto& subcontext : subcontexts_) visit(subcontext.get());
}

template <typename T>
void DiagramContext<T>::DoResolveSubcontextInputs() {
  // Follows an exported output port into the Diagram, down to the leaf that
  // computes it.
  const auto resolve_output = [this](int system, int port) {
    const Context<T>* context = subcontexts_[system].get();
    while (const auto* diagram =
               dynamic_cast<const DiagramContext<T>*>(context)) {
      // A class derived from Diagram may declare ports of its own, which come
      // after the exported ones and which the Diagram computes itself.
      if (port >= static_cast<int>(diagram->wiring_->outputs.size())) break;
      const auto [inner_system, inner_port] = diagram->wiring_->outputs[port];
      context = diagram->subcontexts_[inner_system].get();
      port = inner_port;
    }
    return typename ContextBase::InputSource{
        .fixed = nullptr,
        .context = context,
        .entry = ContextBase::output_entry(*context, port)};
  };
  for (int i = 0; i < num_subcontexts(); ++i) {
    Context<T>* sub = subcontexts_[i].get();
    for (int p = 0; p < sub->num_input_ports(); ++p) {
      const auto& from = wiring_->inputs[i][p];
      typename ContextBase::InputSource source;
      if (from.port >= 0) {
        source = from.system >= 0 ? resolve_output(from.system, from.port)
                                  : this->input_source(from.port);
      }
      ContextBase::ResolveInput(sub, p, source);
    }
    ContextBase::ResolveSubcontextInputs(sub);
  }
}

template <typename T>
std::unique_ptr<State<T>> DiagramContext<T>::DoCloneState() const {
  auto clone = std::make_unique<DiagramState<T>>(num_subcontexts());
  for (int i = 0; i < num_subcontexts(); ++i) {
    clone->set_and_own_substate(i, subcontexts_[i]->CloneState());
  }
  clone->Finalize();
  return clone;
}

template <typename T>
std::string DiagramContext<T>::do_to_string() const {
  std::string result;
  for (const auto& subcontext : subcontexts_) {
    if (subcontext->num_total_states() == 0 &&
        subcontext->num_numeric_parameter_groups() == 0 &&
        subcontext->num_abstract_parameters() == 0) {
      continue;
    }
    result += "\n" + subcontext->to_string();
  }
  return result;
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::DiagramContext);
