#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/systems/framework/context.h"
#include "wyvern/systems/framework/diagram_state.h"

namespace wyvern::systems {

namespace internal {
/** A Diagram's connections by number, as its Contexts need them. */
struct DiagramWiring {
  /** Source of a subsystem's input port: port `port` of subsystem `system`;
  or, if `system` is -1, the Diagram's own input port `port`; nothing if `port`
  is -1. */
  struct Source {
    int system{-1};
    int port{-1};
  };
  /** By subsystem, by input port. */
  std::vector<std::vector<Source>> inputs;
  /** By output port of the Diagram: subsystem and its output port. */
  std::vector<std::pair<int, int>> outputs;
};
}  // namespace internal

/** The Context of a Diagram: owns one Context for each subsystem and presents
their states and parameters as its own, in subsystem order. */
template <typename T>
class DiagramContext final : public Context<T> {
 public:
  /** Takes the subsystems' Contexts in order. Made by Diagram. */
  DiagramContext(std::vector<std::unique_ptr<Context<T>>> subcontexts,
                 std::shared_ptr<const internal::DiagramWiring> wiring);
  ~DiagramContext() final;

  /** Number of direct subsystems. */
  int num_subcontexts() const { return static_cast<int>(subcontexts_.size()); }
  /** Returns the Context of a direct subsystem, owned by this.
  @throws std::out_of_range on a bad index. */
  const Context<T>& GetSubsystemContext(SubsystemIndex index) const;
  /** Mutable variant of GetSubsystemContext(). */
  Context<T>& GetMutableSubsystemContext(SubsystemIndex index);
  /** Returns the Context of direct subsystem `index`, which is not checked. */
  const Context<T>& subcontext(int index) const { return *subcontexts_[index]; }
  /** Mutable variant of subcontext(). */
  Context<T>& mutable_subcontext(int index) { return *subcontexts_[index]; }

 private:
  DiagramContext(const DiagramContext<T>& source);
  std::unique_ptr<ContextBase> DoCloneWithoutPointers() const final;
  bool is_diagram() const final { return true; }
  void DoForEachSubcontext(
      const std::function<void(ContextBase*)>& visit) const final;
  void DoResolveSubcontextInputs() final;
  std::unique_ptr<State<T>> DoCloneState() const final;
  const State<T>& do_access_state() const final { return *state_; }
  State<T>& do_access_mutable_state() final { return *state_; }
  std::string do_to_string() const final;
  void Assemble();

  std::vector<std::unique_ptr<Context<T>>> subcontexts_;
  std::shared_ptr<const internal::DiagramWiring> wiring_;
  std::unique_ptr<DiagramState<T>> state_;
};

}  // namespace wyvern::systems
