#pragma once

#include <memory>

#include "wyvern/multibody/control/controlled_plant.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::systems::controllers {

/** The generalized forces under which a plant accelerates as desired,

    tau = M(q) vdot_d + C(q, v) v - tau_g(q) - tau_app,

or, in the mode kGravityCompensation, those under which it would stay where it
is but for its other forces, tau = -tau_g(q). tau_app is of the plant's force
elements (springs, bushings) and of the damping and dry friction of its joints;
friction is that of a continuous plant at v, zero at rest. What comes into the
plant by its ports is not known here. Effort limits are not heeded.

A joint that follows another by an active coupler, v_f = ratio v_l, moves as its
leader does, whatever the input ports say of its velocity and acceleration; its
leader bears its force, tau_l + ratio tau_f, and its own is 0. Any other loop
counts as cut: see MultibodyPlant.

Input ports `estimated_state`, x = [q; v], and, unless the mode is
kGravityCompensation, `desired_acceleration`, vdot_d (nv). Output port
`generalized_force` (nv), direct feedthrough from both; N and N m. Allocates
nothing after the first evaluation. */
template <typename T>
class InverseDynamics final : public LeafSystem<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(InverseDynamics);

  /** The forces that are computed. */
  enum InverseDynamicsMode {
    /** M vdot_d + C v - tau_g - tau_app. */
    kInverseDynamics,
    /** -tau_g. */
    kGravityCompensation,
  };

  /** `plant` must outlive this. The masses and other parameters are those of
  `plant_context` as it is now, or the defaults if it is null.
  @throws std::logic_error if the plant is null or not finalized, or the Context
  is of another System. */
  explicit InverseDynamics(const multibody::MultibodyPlant<T>* plant,
                           InverseDynamicsMode mode = kInverseDynamics,
                           const Context<T>* plant_context = nullptr);
  /** Owns the plant. */
  explicit InverseDynamics(std::unique_ptr<multibody::MultibodyPlant<T>> plant,
                           InverseDynamicsMode mode = kInverseDynamics,
                           const Context<T>* plant_context = nullptr);
  /** Scalar-converting copy constructor; the plant is converted too, and
  owned. */
  template <typename U>
  explicit InverseDynamics(const InverseDynamics<U>& other);
  ~InverseDynamics() final;

  /** True in the mode kGravityCompensation. */
  bool is_pure_gravity_compensation() const {
    return mode_ == kGravityCompensation;
  }
  /** The port `estimated_state`, [q; v]. */
  const InputPort<T>& get_input_port_estimated_state() const {
    return this->get_input_port(0);
  }
  /** The port `desired_acceleration`, nv elements.
  @throws std::logic_error in the mode kGravityCompensation. */
  const InputPort<T>& get_input_port_desired_acceleration() const;
  /** The port `generalized_force`, nv elements. */
  const OutputPort<T>& get_output_port_generalized_force() const {
    return this->get_output_port(0);
  }

 private:
  template <typename U>
  friend class InverseDynamics;
  template <typename U>
  friend class InverseDynamicsController;
  using ControlledPlant = internal::ControlledPlant<T>;
  using AtState = typename ControlledPlant::AtState;

  // Either `owned` or `plant` is given; `who` refuses what is wrong with it.
  InverseDynamics(const char* who,
                  std::unique_ptr<multibody::MultibodyPlant<T>> owned,
                  const multibody::MultibodyPlant<T>* plant,
                  InverseDynamicsMode mode, const Context<T>* plant_context);
  std::unique_ptr<AtState> AllocateAtState() const {
    return controlled_.Allocate();
  }
  void CalcAtState(const Context<T>& context, AtState* at) const;
  void CalcAcceleration(const Context<T>& context, VectorX<T>* vdot) const;
  void CalcForce(const Context<T>& context, BasicVector<T>* force) const;

  ControlledPlant controlled_;
  const InverseDynamicsMode mode_;
  const CacheEntry* at_state_{};
  // The desired one, of joints that follow as their couplers say.
  const CacheEntry* vdot_{};
};

}  // namespace wyvern::systems::controllers
