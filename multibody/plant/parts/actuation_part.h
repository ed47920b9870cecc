#pragma once

#include <string>
#include <vector>

#include "wyvern/multibody/plant/parts/port_indices.h"
#include "wyvern/multibody/step/laws/dof_force_law.h"
#include "wyvern/multibody/step/laws/row_law.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/tendon_force.h"

namespace wyvern::multibody::internal {

template <typename T>
class StepProblem;

/** Values of the actuation and desired-state ports, by actuation input. */
template <typename T>
struct ActuationInput {
  VectorX<T> feed_forward;
  VectorX<T> qd;
  VectorX<T> vd;
};

/** Forces of actuators, dampers, dry friction and position limits on each
degree of freedom.

A position limit is a spring and damper on one side of the bound, the same in
both modes: tau = max(0, k (bound - q) - c v) for a lower bound. The spring is
stiff against the joint's inertia m in the default configuration: k = m (2π / 10
ms)², critically damped. It is also stiff enough that the joint's effort limit
bends it by at most a milliradian (or millimetre). A limit on an angle q_k of a
joint with velocities w, where q̇_k = n·w, exerts n times that force. A limit on
the length L of a tendon, where dL/dt = r·v, exerts r times that force, and so
does an actuator of a tendon.

Dry friction F is -clamp(b v, ±F). In continuous mode b = F / v_s, where v_s is
the stiction tolerance. In steps of dt it is at least 1000 m / dt. A joint that
is held then creeps at a thousandth of the speed that its load would give it in
a step. */
template <typename T>
class ActuationPart {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ActuationPart);
  ActuationPart(const MultibodyTreeSystem<T>& core, const PortIndices& ports)
      : core_(core), ports_(ports) {}

  /** Declares the cache entry; ports are there already. */
  void Finalize(MultibodyTreeSystem<T>* core);

  /** Returns the actuation from the input ports.
  @throws std::logic_error if a model instance has PD controllers on some of
  its actuators only, or its desired_state port is not connected, and
  std::runtime_error for a value that is not finite. */
  const ActuationInput<T>& EvalInput(const systems::Context<T>& context) const {
    return input_entry_->template Eval<ActuationInput<T>>(context);
  }
  systems::DependencyTicket input_ticket() const {
    return input_entry_->ticket();
  }

  /** Fills in the law of each velocity at the present state, with positions
  taken at the end of a step of length dt, [s]; zero for accelerations. In a
  continuous model limits are the same springs, and friction has the same slope,
  for each dt. */
  void CalcLaws(const systems::Context<T>& context, double dt,
                double stiction_tolerance,
                std::vector<DofForceLaw<T>>* laws) const;
  /** Adds the actuation that follows no law and no row: without a controller,
  and, if dt is zero, of controllers of tendons. */
  void AddFeedForward(const systems::Context<T>& context, double dt,
                      VectorX<T>* tau) const;
  /** Adds the forces of limits on quantities that are not one velocity of the
  model: roll, pitch and yaw, and the lengths of tendons. For continuous models
  only. */
  void AddLimitForces(const systems::Context<T>& context,
                      VectorX<T>* tau) const;
  /** Adds a row for each such limit to the problem of a step. */
  void AddLimitRows(const systems::Context<T>& context,
                    StepProblem<T>* problem) const;
  /** Adds a row for each controller of a tendon to the problem of a step. */
  void AddDriveRows(const systems::Context<T>& context,
                    StepProblem<T>* problem) const;
  bool has_drive_rows() const { return has_drives_; }
  bool has_limit_rows() const {
    return !angle_limits_.empty() || num_tendon_limits_ > 0;
  }
  /** The actuation at velocities v, by input, in a step of length dt. */
  void CalcNetActuation(const systems::Context<T>& context, double dt,
                        const std::vector<DofForceLaw<T>>& laws,
                        const VectorX<T>& v, VectorX<T>* net_actuation) const;
  bool has_limits() const { return !limits_.empty(); }

 private:
  struct Limit {
    int q{};
    int v{};
    double lower{};
    double upper{};
    double inertia{};    // of the default configuration
    double stiffness{};  // in continuous time
    double damping{};
    int angle{};
  };
  // Force = stiffness * (what is left of the way to the bound) - damping *
  // rate, of the rate at the end of a step of size dt, or now for dt = 0.
  struct LimitLaw {
    double stiffness{};
    double damping{};
  };
  LimitLaw MakeLimitLaw(const Limit& limit, double dt) const;
  // Used in continuous time only: the force of the bound that is violated, if
  // any.
  static T CalcLimitForce(const T& stiffness, const T& damping, double lower,
                          double upper, const T& q, const T& rate);

  // A coordinate s of rate r·v, with limits or an actuator. Limits and PD
  // controllers are rows r of a step; their joints are in one or two trees.
  struct TendonRow {
    const ScalarCoordinate<T>* coordinate{};
    int tree_a{-1};
    int tree_b{-1};
    // Null for limits.
    const JointActuator<T>* actuator{};
    double lower{};
    double upper{};
  };
  // State of all TendonRows: s, r (a column each) and 1 / (r' D^-1 r), where D
  // is the diagonal of M in the default configuration.
  struct TendonState {
    VectorX<T> length;
    MatrixX<T> r;
    VectorX<T> inertia;
  };
  const TendonState& EvalTendons(const systems::Context<T>& context) const {
    return tendon_entry_->template Eval<TendonState>(context);
  }
  void CalcTendons(const systems::Context<T>& context,
                   TendonState* state) const;
  // Force = clamp(a - b dL/dt, ±effort), dL/dt at the end of a step of size dt,
  // or now for dt = 0.
  struct DriveLaw {
    T a;
    double b{};
  };
  DriveLaw MakeDriveLaw(const systems::Context<T>& context,
                        const JointActuator<T>& actuator, const T& length,
                        double dt) const;
  static T CalcDriveForce(const DriveLaw& law, double effort, const T& rate);
  TendonRow MakeTendonRow(const ScalarCoordinate<T>& coordinate,
                          const std::string& owner) const;
  // Adds the row of tendon i.
  void AddTendonRow(const systems::Context<T>& context, int i,
                    const RowLaw<T>& law, StepProblem<T>* problem) const;

  void CollectLimits();
  void CollectTendonLimits();
  void CollectTendonActuators();
  void AddTendonLimitRows(const systems::Context<T>& context,
                          StepProblem<T>* problem) const;
  Vector3<T> CalcAngleRow(const systems::Context<T>& context,
                          const Limit& limit) const;
  void CalcInput(const systems::Context<T>& context,
                 ActuationInput<T>* input) const;
  void AddPort(const systems::Context<T>& context, systems::InputPortIndex port,
               const std::vector<int>* indices, VectorX<T>* feed_forward) const;
  void RequireControllers(ModelInstanceIndex instance) const;
  void CalcDesiredState(const systems::Context<T>& context,
                        ModelInstanceIndex instance,
                        ActuationInput<T>* input) const;

  const MultibodyTreeSystem<T>& core_;
  const PortIndices& ports_;
  // Set by Finalize(); the latter two by model instance.
  systems::InputPortIndex actuation_port_;
  std::vector<systems::InputPortIndex> instance_actuation_ports_;
  std::vector<systems::InputPortIndex> desired_state_ports_;
  const systems::CacheEntry* input_entry_{};
  // Values in the default configuration, by velocity.
  VectorX<double> inertia_;
  std::vector<Limit> limits_;
  // Limits of angles; `v` is the first of the joint's three angular velocities,
  // `q` the first of its angles, and `angle` the index of the limited angle.
  std::vector<Limit> angle_limits_;
  // Limits, then actuators.
  std::vector<TendonRow> tendon_rows_;
  int num_tendon_limits_{0};
  // Whether an actuator of a tendon has a controller.
  bool has_drives_{false};
  // Null without tendon rows.
  const systems::CacheEntry* tendon_entry_{};
};

/** @throws std::runtime_error, naming port, entry and time, unless `value` is
finite. */
template <typename T>
void RequireFiniteInput(const systems::System<T>& system,
                        const systems::Context<T>& context,
                        systems::InputPortIndex port, int index,
                        const T& value);

}  // namespace wyvern::multibody::internal
