#pragma once

#include <memory>
#include <optional>
#include <string>

#include "wyvern/systems/common/random.h"
#include "wyvern/systems/framework/cache_entry.h"
#include "wyvern/systems/framework/context_base.h"
#include "wyvern/systems/framework/port_base.h"

namespace wyvern::systems {

/** An input port, without its scalar type. */
class InputPortBase : public PortBase {
 public:
  /** The index among the input ports of the System. */
  InputPortIndex get_index() const { return InputPortIndex(get_int_index()); }
  /** The distribution that AddRandomInputs() would feed the port from. */
  bool is_random() const { return random_type_.has_value(); }
  /** The distribution, if is_random(). */
  std::optional<RandomDistribution> get_random_type() const {
    return random_type_;
  }
  /** A value of the port's type, as the System's author declared it. */
  std::unique_ptr<AbstractValue> Allocate() const;
  /** Says that the System needs no value here; the default is that it does.
  DiagramBuilder then does not list the port among those that nothing feeds. */
  void set_optional(bool is_optional = true) { is_optional_ = is_optional; }
  /** True after set_optional(). */
  bool is_optional() const { return is_optional_; }

 protected:
  InputPortBase(SystemBase* owning_system, std::string name,
                InputPortIndex index, DependencyTicket ticket,
                PortDataType data_type, int size,
                const std::optional<RandomDistribution>& random_type);

  /** The port's value in `context`, which must be that of the owning System, or
  null if nothing feeds the port. */
  const AbstractValue* DoEvalOptional(const ContextBase& context) const {
    RequireOwnContext(context);
    const ContextBase::InputSource& source =
        context.inputs_[get_int_index()].source;
    if (source.value != nullptr) {
      if (source.value->needs_recomputation()) {
        source.entry->Update(*source.context, source.value);
      }
      return &source.value->get_abstract_value();
    }
    if (source.fixed != nullptr) return &source.fixed->get_value();
    return nullptr;
  }
  /** Evaluates the port's value.
  @throws std::logic_error if nothing feeds the port. */
  const AbstractValue& DoEvalRequired(const ContextBase& context) const {
    const AbstractValue* value = DoEvalOptional(context);
    if (value == nullptr) ThrowRequiredMissing();
    return *value;
  }

 private:
  friend class SystemBase;
  void RequireOwnContext(const ContextBase& context) const {
    if (context.get_system_id() != get_system_id()) {
      ThrowForeignContext(context);
    }
  }
  [[noreturn]] void ThrowForeignContext(const ContextBase& context) const;
  [[noreturn]] void ThrowRequiredMissing() const;

  const std::optional<RandomDistribution> random_type_;
  bool is_optional_{false};
};

}  // namespace wyvern::systems
