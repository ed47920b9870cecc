#pragma once

#include <memory>
#include <optional>
#include <variant>

#include "wyvern/systems/common/copyable_unique_ptr.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::estimators::internal {

/** The ports by which an estimator models a System. */
struct ObservedPorts {
  std::variant<InputPortSelection, InputPortIndex> input{
      InputPortSelection::kUseFirstInputIfItExists};
  std::variant<OutputPortSelection, OutputPortIndex> output{
      OutputPortSelection::kUseFirstOutputIfItExists};
  std::optional<InputPortIndex> process_noise;
  std::optional<InputPortIndex> measurement_noise;
};

/** The System that an estimator observes, as a pair of functions

    f(t, x, u, w): dx/dt, or x[n+1] of a discrete System
    g(t, x, u, v): the output y

with parameters and other inputs as in the Context that was given. Other threads
may use it at the same time, each with a Workspace of its own. */
template <typename T>
class ObservedSystem {
 public:
  /** Memory for the functions' arguments and results. */
  struct Workspace {
    copyable_unique_ptr<Context<T>> context;
    copyable_unique_ptr<DiscreteValues<T>> update;
  };

  /** Takes the System, a Context with its parameters, and the choice of ports.
  @throws std::logic_error naming `who` if the System is null or has another
  state than a continuous one or one discrete group with one periodic update, if
  it has no output, if a port is not vector-valued or is chosen twice, if the
  process noise feeds through to the output, or if the measurement noise does
  not. */
  ObservedSystem(const char* who, std::shared_ptr<const System<T>> system,
                 const Context<T>& context, const ObservedPorts& ports);

  const System<T>& system() const { return *system_; }
  /** Parameters and inputs; its state and time mean nothing. */
  const Context<T>& context() const { return *model_.context; }
  bool is_discrete() const { return timing_.has_value(); }
  /** Seconds between updates, and the time of the first; 0 if continuous. */
  double period() const { return is_discrete() ? timing_->period_sec() : 0; }
  double offset() const { return is_discrete() ? timing_->offset_sec() : 0; }
  int num_states() const;
  int num_inputs() const { return SizeOf(input_); }
  int num_outputs() const { return output_->size(); }
  /** 0 if the noise is additive. */
  int num_process_noises() const { return SizeOf(process_noise_); }
  int num_measurement_noises() const { return SizeOf(measurement_noise_); }

  std::unique_ptr<Workspace> Allocate() const {
    return std::make_unique<Workspace>(model_);
  }
  /** @name Arguments of f and g
  @{ */
  void SetTime(const T& time, Workspace* work) const;
  void SetState(const VectorX<T>& x, Workspace* work) const;
  void SetInput(const VectorX<T>& u, Workspace* work) const;
  void SetProcessNoise(const VectorX<T>& w, Workspace* work) const;
  void SetMeasurementNoise(const VectorX<T>& v, Workspace* work) const;
  /** @} */
  /** Computes f into `f`, which must have its size. */
  void CalcDynamics(Workspace* work, VectorX<T>* f) const;
  /** Returns g, valid until an argument changes. */
  const VectorX<T>& EvalOutput(const Workspace& work) const;

 private:
  static int SizeOf(const InputPort<T>* port) {
    return port == nullptr ? 0 : port->size();
  }
  const InputPort<T>* ChooseNoise(const char* who, const char* what,
                                  std::optional<InputPortIndex> index) const;
  void RequireFittingPorts(const char* who) const;
  void SetPort(const InputPort<T>* port, const VectorX<T>& value,
               Workspace* work) const;

  std::shared_ptr<const System<T>> system_;
  std::optional<PeriodicEventData> timing_;
  // Null if there is none.
  const InputPort<T>* input_{};
  const OutputPort<T>* output_{};
  const InputPort<T>* process_noise_{};
  const InputPort<T>* measurement_noise_{};
  Workspace model_;
  std::unique_ptr<CompositeEventCollection<T>> updates_;
};

}  // namespace wyvern::systems::estimators::internal
