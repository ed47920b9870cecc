#pragma once

#include <map>
#include <memory>
#include <vector>

#include "wyvern/multibody/control/controlled_plant.h"
#include "wyvern/multibody/tree/muscle.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::multibody {

/** The actuators of a model instance, some of which are muscles: what the
nerves send in, forces out. See MuscleProperties for the law. The block has the
state of the muscles, their activations a:

  - of a continuous plant a continuous state, da/dt = (u - a) / tau(u, a);
  - of a discrete one a discrete state, with the plant's time step h:
    a⁺ = u + (a - u) exp(-h / tau(u, a)), which never passes u.

Input ports: `state`, the plant's [q; v], and `control`, one number an actuator
in the order of the model instance: the excitation u of a muscle, and the force
of another actuator, [N] or [N·m]. Output ports: `actuation`, for the plant's
port of the model instance, in [N] or [N·m], with direct feedthrough from
`state` and, if an actuator is no muscle, from `control`; and `activation`, in
the order of the muscles' indices. Forces of muscles stay within the effort
limits of their actuators. Allocates nothing after the first evaluation. */
template <typename T>
class MuscleActuation final : public systems::LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MuscleActuation);

  /** Properties of muscles by the actuators that they replace. */
  using PropertiesMap = std::map<JointActuatorIndex, MuscleProperties>;

  /** `plant` must outlive this.
  @param muscles the muscles among the actuators of `instance`; see
  Parser::actuator_facts(). A negative peak_force is computed at the plant's
  default positions, with its default masses.
  @throws std::logic_error if the plant is not finalized, an actuator is not of
  `instance`, or a number is out of its range. */
  MuscleActuation(const MultibodyPlant<T>& plant, ModelInstanceIndex instance,
                  const PropertiesMap& muscles);
  /** Owns the plant. */
  MuscleActuation(std::unique_ptr<MultibodyPlant<T>> plant,
                  ModelInstanceIndex instance, const PropertiesMap& muscles);
  /** Scalar-converting copy constructor; the plant is converted too, and
  owned. */
  template <typename U>
  explicit MuscleActuation(const MuscleActuation<U>& other);
  ~MuscleActuation() final;

  /** Input: the state [q; v] of the plant. */
  const systems::InputPort<T>& get_state_input_port() const {
    return this->get_input_port(0);
  }
  /** Input: a number for each actuator of the model instance, an excitation for
  muscles and a force, N or N·m, for others. */
  const systems::InputPort<T>& get_control_input_port() const {
    return this->get_input_port(1);
  }
  /** Output: forces, N or N·m, for the plant's actuation port of the model
  instance. */
  const systems::OutputPort<T>& get_actuation_output_port() const {
    return this->get_output_port(0);
  }
  /** Output: activations of the muscles, in the order of their indices. */
  const systems::OutputPort<T>& get_activation_output_port() const {
    return this->get_output_port(1);
  }
  /** Number of muscles. */
  int num_muscles() const { return static_cast<int>(muscles_.size()); }
  /** Returns the properties, with their peak forces. */
  PropertiesMap GetProperties() const;
  /** Sets the activations, in the order of the muscles' indices.
  @throws std::logic_error unless there is one of 0 to 1 for each muscle. */
  void SetActivations(systems::Context<T>* context,
                      const Eigen::Ref<const VectorX<T>>& activations) const;

 private:
  template <typename U>
  friend class MuscleActuation;
  using ControlledPlant = systems::controllers::internal::ControlledPlant<T>;
  using AtState = typename ControlledPlant::AtState;

  struct Muscle {
    JointActuatorIndex actuator;
    // In the control and the actuation of the model instance.
    int slot{};
    MuscleProperties properties;
  };

  MuscleActuation(std::unique_ptr<MultibodyPlant<T>> owned,
                  const MultibodyPlant<T>* plant, ModelInstanceIndex instance,
                  const PropertiesMap& muscles);
  void TakeMuscle(JointActuatorIndex index, const MuscleProperties& properties);
  void DeclareStateAndPorts();
  double CalcPeakForce(const JointActuator<T>& actuator,
                       const MuscleProperties& properties) const;

  std::unique_ptr<AtState> AllocateAtState() const {
    return controlled_.Allocate();
  }
  void CalcAtState(const systems::Context<T>& context, AtState* at) const;
  const VectorX<T>& GetActivations(const systems::Context<T>& context) const;
  void CalcActuation(const systems::Context<T>& context,
                     systems::BasicVector<T>* actuation) const;
  void CopyActivation(const systems::Context<T>& context,
                      systems::BasicVector<T>* activation) const;
  void Update(const systems::Context<T>& context,
              systems::DiscreteValues<T>* values) const;
  void DoCalcTimeDerivatives(
      const systems::Context<T>& context,
      systems::ContinuousState<T>* derivatives) const final;

  ControlledPlant controlled_;
  const ModelInstanceIndex instance_;
  std::vector<Muscle> muscles_;
  // Where actuators that are no muscles are in `control`.
  std::vector<int> others_;
  const systems::CacheEntry* at_state_{};
};

}  // namespace wyvern::multibody
