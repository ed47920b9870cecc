#pragma once

#include <memory>
#include <string>

#include "wyvern/systems/framework/context.h"

namespace wyvern::systems {

/** The Context of a LeafSystem: holds its own State. */
template <typename T>
class LeafContext : public Context<T> {
 public:
  /** Makes a Context without state and parameters. */
  LeafContext();
  ~LeafContext() override;

  /** @name For LeafSystem, which allocates the parts
  @{ */
  /** Sets the continuous state.
  @throws std::logic_error if null. */
  void init_continuous_state(std::unique_ptr<ContinuousState<T>> xc);
  /** Sets the discrete state.
  @throws std::logic_error if null. */
  void init_discrete_state(std::unique_ptr<DiscreteValues<T>> xd);
  /** Sets the abstract state.
  @throws std::logic_error if null. */
  void init_abstract_state(std::unique_ptr<AbstractValues> xa);
  /** Sets the parameters. */
  void init_parameters(std::unique_ptr<Parameters<T>> parameters) {
    Context<T>::init_parameters(std::move(parameters));
  }
  /** @} */

 protected:
  LeafContext(const LeafContext<T>& source);
  std::unique_ptr<ContextBase> DoCloneWithoutPointers() const override;
  std::unique_ptr<State<T>> DoCloneState() const override;
  const State<T>& do_access_state() const final { return *state_; }
  State<T>& do_access_mutable_state() final { return *state_; }
  std::string do_to_string() const override;

 private:
  std::unique_ptr<State<T>> state_;
};

}  // namespace wyvern::systems
