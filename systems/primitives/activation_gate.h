#pragma once

#include <optional>
#include <vector>

#include "wyvern/systems/primitives/activation_options.h"
#include "wyvern/systems/primitives/modal_block.h"

namespace wyvern::systems::internal {

/** Which of the Systems of a ConditionalDiagram a condition selects. */
struct ActivationRule {
  enum class Kind {
    /** The first System whose condition is above zero. */
    kFirstTrue,
    /** The System that has the selector, rounded, among its cases. */
    kCase,
    /** The only System, for a moment, at an edge of the trigger. */
    kTrigger,
  };
  Kind kind{Kind::kFirstTrue};
  /** Number of Systems. One more than there are conditions or cases: the last
  one is active if no other is. */
  int num_systems{1};
  /** kFirstTrue: number of conditions. */
  int num_conditions{1};
  /** kCase: the integers that select each System. */
  std::vector<std::vector<int>> cases{};
  /** kTrigger. */
  TriggerEdge edge{TriggerEdge::kRising};
};

/** The next task of a ConditionalDiagram. */
enum class GatePhase {
  kSteady,      ///< Nothing.
  kRun,         ///< Triggered: the updates of the System.
  kSample,      ///< Triggered: to hold the System's outputs. They are live.
  kInitialize,  ///< Activated: the System's updates of initialization.
};

/** The block in a ConditionalDiagram that says which System is active, and
holds the outputs.

Input port 0 is the condition; the others are the outputs of all Systems, all of
System 0 first. The output ports have the sizes that are given. An output shows
that of the active System, or else what is held. It has direct feedthrough from
the Systems' outputs, but not from the condition. The discrete state has the
active System, what the guards need, the phase, and the held outputs. */
template <typename T>
class ActivationGate final : public ModalBlock<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ActivationGate);

  /** Makes a gate for Systems that all have outputs of these sizes.
  @throws std::logic_error if the initial outputs do not fit or are not
  finite. */
  ActivationGate(const ActivationRule& rule,
                 const std::vector<int>& output_sizes,
                 const ActivationOptions& options);

  /** Scalar-converting copy constructor. */
  template <typename U>
  explicit ActivationGate(const ActivationGate<U>& other)
      : ActivationGate(other.rule(), other.output_sizes(), other.options()) {}

  ~ActivationGate() override;

  const ActivationRule& rule() const { return rule_; }
  const std::vector<int>& output_sizes() const { return output_sizes_; }
  const ActivationOptions& options() const { return options_; }

  /** Index of the active System, or -1. */
  int GetActive(const Context<T>& context) const;
  int GetActive(const DiscreteValues<T>& state) const;
  GatePhase GetPhase(const Context<T>& context) const;
  /** False until the simulation is initialized. */
  bool IsStarted(const Context<T>& context) const;
  /** Index of the System that the condition selects at this moment, or -1; for
  a trigger always -1. @throws std::runtime_error if the condition is NaN. */
  int CalcSelected(const Context<T>& context) const;

  /** Computes the state after the gate has looked at the condition. */
  void Follow(const Context<T>& context, DiscreteValues<T>* next) const;
  /** Does the same after a reset of the state to its default. */
  void Restart(const Context<T>& context, DiscreteValues<T>* next) const;
  /** Ends the phase. */
  const DiscreteUpdateEvent<T>& advance_event() const { return advance_; }

 private:
  // The discrete state has these numbers, then the outputs.
  enum { kKey, kActive, kIsStarted, kPhase, kFirstOutput };
  using Kind = ActivationRule::Kind;

  // Returns the condition as a number: the index of the first true condition
  // (or their number), the selector as an integer, or 1 for a trigger that is
  // on.
  double CalcKey(const Context<T>& context) const;
  double GetKey(const Context<T>& context) const;
  int FindSystem(double key) const;
  void Change(const Context<T>& context, DiscreteValues<T>* next) const;
  void Capture(const Context<T>& context, int system,
               DiscreteValues<T>* next) const;
  void ResetOutputs(DiscreteValues<T>* next) const;
  EventStatus Start(const Context<T>& context, DiscreteValues<T>* next) const;
  EventStatus Advance(const Context<T>& context, DiscreteValues<T>* next) const;
  const VectorX<T>& EvalOutputOf(const Context<T>& context, int system,
                                 int port) const;
  void CalcOutput(const Context<T>& context, int port, int offset,
                  BasicVector<T>* y) const;

  bool IsGuardActive(const Context<T>& context, int guard) const final;
  T CalcGuard(const Context<T>& context, int guard) const final;
  bool IsGuardDue(const Context<T>& context, int guard) const final;
  bool ChangeMode(const Context<T>& context, int guard,
                  State<T>* state) const final;

  const ActivationRule rule_;
  const std::vector<int> output_sizes_;
  const ActivationOptions options_;
  const DiscreteUpdateEvent<T> advance_;
};

}  // namespace wyvern::systems::internal
