#pragma once

#include <memory>

#include "wyvern/systems/estimators/observed_system.h"

namespace wyvern::systems::estimators {

/** A state observer of any System with at most one input port, u, and one
vector-valued output port, y: a copy of the System that its error corrects,

    dz/dt or z[n+1] = f(z, u) + L (y - g(z, u)).

The state of the System is continuous, or one discrete group with one periodic
update, whose timing the observer shares.

Input ports `observed_system_output` (y) and `observed_system_input` (u, size 0
if there is none), output port `estimated_state` (z), which depends on the state
of the observer only. The observer starts at z = 0.

It converts to other scalars if the observed System does. */
template <typename T>
class LuenbergerObserver final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LuenbergerObserver);

  /** @param observed_system must outlive this observer.
  @param observed_system_context has the parameters of the System; a copy is
  kept.
  @param observer_gain L, n x p.
  @throws std::logic_error if L has a wrong shape or is not finite, or the
  System has other ports or state than above. */
  LuenbergerObserver(const System<T>& observed_system,
                     const Context<T>& observed_system_context,
                     const Eigen::Ref<const Eigen::MatrixXd>& observer_gain);

  /** Overload that shares ownership of the System.
  @throws std::logic_error also if it is null. */
  LuenbergerObserver(std::shared_ptr<const System<T>> observed_system,
                     const Context<T>& observed_system_context,
                     const Eigen::Ref<const Eigen::MatrixXd>& observer_gain);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit LuenbergerObserver(const LuenbergerObserver<U>& other);

  /** The port of the observed System's input u. */
  const InputPort<T>& get_observed_system_input_input_port() const {
    return this->get_input_port(1);
  }
  /** The port of the observed System's output y. */
  const InputPort<T>& get_observed_system_output_input_port() const {
    return this->get_input_port(0);
  }
  /** The port of the estimate z. */
  const OutputPort<T>& get_estimated_state_output_port() const {
    return this->get_output_port(0);
  }

  /** The gain L, n x p. */
  const Eigen::MatrixXd& observer_gain() const { return L_; }
  /** The gain L, n x p. */
  const Eigen::MatrixXd& L() const { return L_; }

 private:
  template <typename U>
  friend class LuenbergerObserver;

  // The observed System of another scalar.
  struct Converted {
    template <typename U>
    explicit Converted(const internal::ObservedSystem<U>& other);
    std::shared_ptr<const System<T>> system;
    std::unique_ptr<Context<T>> context;
  };
  LuenbergerObserver(Converted observed, const Eigen::MatrixXd& L);

  // The model at the estimate, and what comes of it.
  struct Work {
    typename internal::ObservedSystem<T>::Workspace model;
    VectorX<T> z;
    VectorX<T> f;
    VectorX<T> error;
  };

  std::unique_ptr<Work> AllocateWork() const;
  // f(z, u) + L (y - g(z, u)).
  void CalcNext(const Context<T>& context, Work* work) const;
  void CalcEstimate(const Context<T>& context, BasicVector<T>* z) const;
  void DoCalcTimeDerivatives(const Context<T>& context,
                             ContinuousState<T>* derivatives) const final;
  EventStatus Update(const Context<T>& context, DiscreteValues<T>* next) const;
  Eigen::Map<const VectorX<T>> StateOf(const Context<T>& context) const;

  const internal::ObservedSystem<T> model_;
  const Eigen::MatrixXd L_;
  const CacheEntry* next_{};
};

}  // namespace wyvern::systems::estimators
