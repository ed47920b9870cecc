#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/multibody/tree/linear_coordinate.h"
#include "wyvern/multibody/tree/multibody_element.h"
#include "wyvern/multibody/tree/pd_controller_gains.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::multibody {

template <typename T>
class Joint;
template <typename T>
class MultibodyForces;
template <typename T>
class SpatialTendon;

namespace internal {
template <typename T>
class TendonForce;
}  // namespace internal

/** A motor on a joint with one degree of freedom, or on a tendon. Its input and
its effort limit, which bounds the output of a PD controller, not that of inputs
alone, are at the joint, after the gears. Rotor inertia [kg·m², or kg for a
slider] and gear ratio (rotor speed over joint speed) are parameters; they add
gear_ratio² rotor_inertia to the joint's inertia.

A tendon that joints wind up has the length L = sum of coefficient q over its
terms. An actuator of a tendon with the force u exerts coefficient u on each
joint. The position and velocity that its PD controller follows are L and
dL/dt. Several actuators may act on the joints of tendons.

An actuator of a SpatialTendon, of length L(q), exerts u dL/dq: a positive force
lengthens the tendon. */
template <typename T>
class JointActuator final : public MultibodyElement<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(JointActuator);

  /** @param effort_limit [N] or [N·m], positive; infinite for none.
  @throws std::logic_error if it is not positive. */
  JointActuator(const std::string& name, const Joint<T>& joint,
                double effort_limit = std::numeric_limits<double>::infinity());
  /** An actuator of a tendon. It has no rotor.
  @param terms one or more. @param effort_limit of the force on the tendon.
  @throws std::logic_error if there is no term, a joint is null or has not one
  degree of freedom, a coefficient is not finite or above 1e100, or the limit
  is not positive. */
  JointActuator(const std::string& name, std::vector<TendonTerm<T>> terms,
                double effort_limit = std::numeric_limits<double>::infinity());
  /** An actuator along a spatial tendon of the same plant. It has no rotor.
  @throws std::logic_error if the limit is not positive. */
  JointActuator(const std::string& name, const SpatialTendon<T>& tendon,
                double effort_limit = std::numeric_limits<double>::infinity());
  ~JointActuator() override;

  /** Index among the actuators of the model. */
  JointActuatorIndex index() const { return index_; }
  /** Name, unique among actuators of the model instance. */
  const std::string& name() const { return name_; }
  /** The joint, or the first joint of the tendon.
  @throws std::logic_error if the tendon is a spatial one. */
  const Joint<T>& joint() const;
  /** The joints that it acts on: `joint()` with the coefficient 1, or those of
  the tendon; none for a spatial tendon. */
  const std::vector<TendonTerm<T>>& terms() const { return linear_.terms(); }
  /** True if the actuator acts on a tendon of either kind. */
  bool acts_on_tendon() const { return acts_on_tendon_; }
  /** True if the actuator acts on a SpatialTendon. */
  bool acts_on_spatial_tendon() const { return tendon_ != nullptr; }
  /** Returns the joints that it acts on, each once, in the order of its terms;
  for a spatial tendon those that may change its length, by index.
  @throws std::logic_error for a spatial tendon before Finalize(). */
  std::vector<const Joint<T>*> FindJoints() const;
  /** Returns the coordinate that the actuator acts along: the position of its
  joint, or the length of its tendon. */
  const internal::ScalarCoordinate<T>& coordinate() const;
  /** Largest output of the PD controller, [N·m] or [N]; infinite for none. */
  double effort_limit() const { return effort_limit_; }
  /** Number of inputs: 1 for a tendon, else the joint's number of
  velocities. */
  int num_inputs() const;
  /** Where this actuator's input begins in the whole model's actuation.
  @throws std::logic_error before Finalize(). */
  int input_start() const;

  /** This actuator's part of the whole model's actuation `u`.
  @throws std::logic_error if the size of `u` is not the model's. */
  const Eigen::Ref<const VectorX<T>> get_actuation_vector(
      const VectorX<T>& u) const;
  /** Writes this actuator's part of the whole model's actuation `u`.
  @throws std::logic_error if a size is wrong or `u` is null. */
  void set_actuation_vector(const Eigen::Ref<const VectorX<T>>& u_actuator,
                            EigenPtr<VectorX<T>> u) const;
  /** Adds a generalized force on the actuated joint, or `tau` times their
  coefficients on the joints of the tendon, or the force `tau` along the spatial
  tendon. */
  void AddInOneForce(const systems::Context<T>& context, int joint_dof,
                     const T& tau, MultibodyForces<T>* forces) const;

  /** @name Reflected inertia
  Setters throw std::logic_error if a value is not finite, or the inertia
  negative, or if the actuator of a tendon is given an inertia.
  @{ */
  /** Rotor inertia that a new Context starts with. */
  double default_rotor_inertia() const { return default_rotor_inertia_; }
  /** Gear ratio that a new Context starts with. */
  double default_gear_ratio() const { return default_gear_ratio_; }
  /** Sets the rotor inertia that a new Context starts with. */
  void set_default_rotor_inertia(double rotor_inertia);
  /** Sets the gear ratio that a new Context starts with. */
  void set_default_gear_ratio(double gear_ratio);
  /** Inertia that the rotor adds to the joint's, gear_ratio² rotor_inertia. */
  double default_reflected_inertia() const {
    return default_gear_ratio_ * default_gear_ratio_ * default_rotor_inertia_;
  }
  /** Rotor inertia in `context`. */
  const T& rotor_inertia(const systems::Context<T>& context) const;
  /** Gear ratio in `context`. */
  const T& gear_ratio(const systems::Context<T>& context) const;
  /** Sets the rotor inertia in `context`. */
  void SetRotorInertia(systems::Context<T>* context,
                       const T& rotor_inertia) const;
  /** Sets the gear ratio in `context`. */
  void SetGearRatio(systems::Context<T>* context, const T& gear_ratio) const;
  /** Inertia that the rotor adds to the joint's in `context`. */
  T calc_reflected_inertia(const systems::Context<T>& context) const;
  /** @} */

  /** @name PD control
  u = clamp(-p (q - qd) - d (v - vd) + u_ff) within the effort limit.
  @{ */
  /** True after set_controller_gains(). */
  bool has_controller() const { return gains_.has_value(); }
  /** Sets the gains. After Finalize() it can only replace gains that were set
  before; it acts at once in every Context.
  @throws std::logic_error if a gain is negative or not finite, or if gains are
  set for the first time after Finalize(). */
  void set_controller_gains(PdControllerGains gains);
  /** Returns the gains of the controller.
  @throws std::logic_error if there is no controller. */
  const PdControllerGains& get_controller_gains() const;
  /** @} */

  /** A copy for a model on another scalar, whose joints and force elements are
  already there. */
  template <typename ToScalar>
  std::unique_ptr<JointActuator<ToScalar>> CloneToScalar(
      const internal::MultibodyTree<ToScalar>& cloned_tree) const {
    auto copy = MakeCopy(cloned_tree);
    copy->default_rotor_inertia_ = default_rotor_inertia_;
    copy->default_gear_ratio_ = default_gear_ratio_;
    copy->gains_ = gains_;
    return copy;
  }

 private:
  template <typename>
  friend class JointActuator;
  friend class internal::MultibodyTree<T>;

  // Along the tendon, unless it is null.
  JointActuator(const std::string& name, ModelInstanceIndex model_instance,
                std::vector<TendonTerm<T>> terms,
                const internal::TendonForce<T>* tendon, bool acts_on_tendon,
                double effort_limit);

  template <typename ToScalar>
  std::unique_ptr<JointActuator<ToScalar>> MakeCopy(
      const internal::MultibodyTree<ToScalar>& cloned_tree) const;
  void RequireEffortLimit() const;
  void RequireNoRotor(double rotor_inertia) const;
  void RequireModelSize(int given, const char* function) const;
  void DoDeclareParameters(
      internal::MultibodyTreeSystem<T>* tree_system) override;
  void DoSetDefaultParameters(
      systems::Parameters<T>* parameters) const override;
  const VectorX<T>& parameter(const systems::Context<T>& context) const;
  void SetParameter(systems::Context<T>* context, int index, const T& value,
                    const char* what) const;

  const std::string name_;
  const double effort_limit_;
  double default_rotor_inertia_{0};
  double default_gear_ratio_{1};
  std::optional<PdControllerGains> gains_;
  JointActuatorIndex index_;
  int input_start_{-1};
  // Rotor inertia, gear ratio.
  systems::NumericParameterIndex parameter_;
  const internal::LinearCoordinate<T> linear_;
  const internal::TendonForce<T>* const tendon_;
  const bool acts_on_tendon_;
};

}  // namespace wyvern::multibody
