#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/multibody/constraint_sets/body_pair_constraint.h"
#include "wyvern/multibody/constraint_sets/constrained_system.h"
#include "wyvern/multibody/constraint_sets/constraint.h"
#include "wyvern/multibody/step/rows/row_pattern.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_forces.h"

namespace wyvern::multibody {

template <typename T>
class ContactConstraint;
template <typename T>
class LoopConstraint;

/** Baumgarte's stabilization of a group: G v̇ = gamma - 2 alpha ė - beta² e,
alpha = beta = 1 / time_constant, so that errors die away as by exp(-t /
time_constant). */
struct BaumgarteStabilization {
  /** True if gamma has the two terms of errors. */
  bool is_enabled{false};
  double time_constant{0.1};  // [s]
};

/** Constraints on a MultibodyPlant in addition to the plant's own: contacts of
points with the world, loops between frames of two bodies, and custom ones. The
set holds no state; functions that need the state take a Context.

@code
ConstraintSet<double> feet;
feet.AddContactConstraint(foot, p_FootHeel, Vector3<double>::UnitZ(), "heel");
feet.Bind(plant);
ForwardDynamicsConstraintsDirect<double>(plant, *context, tau, &feet, &vdot);
// Or:
ConstrainedSystem<double> mine = feet.MakeSystem();
shared::ForwardDynamicsConstraintsDirect<double>(plant, *context, tau, feet,
                                                 &mine, &vdot);
@endcode

Results go into a ConstrainedSystem. Functions that take `&feet` write into the
set's own one, which force(), G() and so on return; only one thread at a time
may use such a set. The functions of the same names in namespace shared take the
set and a separate ConstrainedSystem. They only read the set, so that any number
of threads can use one bound set, each with its own system and Context. Such a
thread reads `mine.force`, and calls CalcForcesOf() and CalcImpulsesOf(); no
thread may call a setter of the set meanwhile.

Rows are numbered from 0 in the order in which they are added; that number,
which the Add functions return, is their assigned id. Rows form groups. Loops
between the same bodies and frames with the same stabilization are one group. A
contact joins the group at the same point of its body if it has that group's
name or none. Groups are numbered in the order of their first rows, whose name,
user id and assigned id they have; the names and ids of all rows find them.

Joints that are locked in the Context do not move; constraints act on the other
joints.

`plant` is a MultibodyPlant, `context` one of its Contexts. Every function that
takes them throws std::logic_error before Bind(), for a plant that is not the
bound one, and for a Context of another System; std::runtime_error if the state,
or a result of a custom constraint, is not finite; std::out_of_range for a
group, name or id that does not exist.

@tparam T double or AutoDiffXd. */
template <typename T>
class ConstraintSet {
 public:
  /** Makes an empty set, bound to no plant. */
  ConstraintSet();
  ~ConstraintSet();
  /** Leaves the source as a new, empty set. */
  ConstraintSet(ConstraintSet&&) noexcept;
  /** Replaces this set by `other`, which is empty then. */
  ConstraintSet& operator=(ConstraintSet&&) noexcept;
  ConstraintSet(const ConstraintSet&) = delete;
  ConstraintSet& operator=(const ConstraintSet&) = delete;

  /** @name Building
  The Add functions throw std::logic_error after Bind(), for numbers that are
  not finite, for directions of length zero, body indices of no value, and for a
  name or user id of another group; contacts of several points may share a name.
  @{ */
  /** Keeps the point at p_BoC_B of a body from moving along a normal, of any
  length, fixed in the world, in both directions and without friction. A normal
  that points from the ground to the body makes force() positive when the ground
  pushes. Returns the number of the row. */
  int AddContactConstraint(BodyIndex body, const Vector3<double>& p_BoC_B,
                           const Vector3<double>& normal_W,
                           std::string_view name = "",
                           std::optional<int> user_id = {});
  /** Overload for a body, which Bind() requires to be of its plant. */
  int AddContactConstraint(const RigidBody<T>& body,
                           const Vector3<double>& p_BoC_B,
                           const Vector3<double>& normal_W,
                           std::string_view name = "",
                           std::optional<int> user_id = {}) {
    const int row =
        AddContactConstraint(body.index(), p_BoC_B, normal_W, name, user_id);
    rows_[row].bodies = {&body};
    return row;
  }
  /** Frame S of the successor and frame P of the predecessor do not move apart
  along an axis fixed in P: see LoopConstraint.
  @param X_predecessor Pose of P in the predecessor's frame.
  @param X_successor Pose of S in the successor's frame.
  @param axis_P [rotational; translational], not scaled to unit length.
  @param time_constant Of the stabilization, [s], positive. */
  int AddLoopConstraint(BodyIndex predecessor, BodyIndex successor,
                        const math::RigidTransform<double>& X_predecessor,
                        const math::RigidTransform<double>& X_successor,
                        const Vector6<double>& axis_P,
                        bool enable_stabilization = false,
                        double time_constant = 0.1, std::string_view name = "",
                        std::optional<int> user_id = {});
  /** Overload for bodies, which Bind() requires to be of its plant. */
  int AddLoopConstraint(const RigidBody<T>& predecessor,
                        const RigidBody<T>& successor,
                        const math::RigidTransform<double>& X_predecessor,
                        const math::RigidTransform<double>& X_successor,
                        const Vector6<double>& axis_P,
                        bool enable_stabilization = false,
                        double time_constant = 0.1, std::string_view name = "",
                        std::optional<int> user_id = {}) {
    const int row = AddLoopConstraint(
        predecessor.index(), successor.index(), X_predecessor, X_successor,
        axis_P, enable_stabilization, time_constant, name, user_id);
    rows_[row].bodies = {&successor, &predecessor};
    return row;
  }
  /** Adds a custom constraint, which is always a group of its own. Returns the
  number of its first row. */
  int AddCustomConstraint(std::shared_ptr<Constraint<T>> constraint,
                          const BaumgarteStabilization& stabilization = {});

  /** Ties the set to a plant and allocates all that its computations need. From
  then on nothing is allocated and nothing can be added.
  @throws std::logic_error if the plant is not finalized, for a body of another
  plant or an index that it does not have, for an actuation map of another
  plant, and if called twice. */
  void Bind(const internal::MultibodyTreeSystem<T>& plant);
  /** True after Bind(). */
  bool is_bound() const { return plant_ != nullptr; }
  /** Returns results and memory for use in another thread, all 0.
  @throws std::logic_error before Bind(). */
  ConstrainedSystem<T> MakeSystem() const;
  /** Returns an unbound copy without an actuation map. Custom constraints are
  shared. The copy keeps the indices of bodies, so it can be bound to a copy of
  the plant. */
  ConstraintSet Copy() const;
  /** Sets all results and v_plus() to 0, as after Bind(). Constraints, binding,
  solver and actuation map stay. To empty the set, assign ConstraintSet(). */
  void Clear();
  /** @} */

  /** @name Groups
  @{ */
  /** How many rows there are. */
  int size() const { return static_cast<int>(rows_.size()); }
  /** Number of groups. */
  int num_groups() const { return static_cast<int>(groups_.size()); }
  /** Returns the group of a name.
  @throws std::out_of_range if no constraint has it.
  @throws std::logic_error if several groups have that name. */
  int GetGroupIndexByName(std::string_view name) const;
  /** The group of the row with this user id. */
  int GetGroupIndexById(int user_id) const;
  /** The group of the row with this assigned id. */
  int GetGroupIndexByAssignedId(int assigned_id) const;
  /** The largest group index; the least is 0. @throws std::logic_error if there
  are no groups. */
  int GetGroupIndexMax() const;
  /** Name of the group's first row; may be empty. */
  const std::string& GetGroupName(int group) const;
  /** Number of rows of the group. */
  int GetGroupSize(int group) const;
  /** Kind of constraint of the group. */
  ConstraintType GetGroupType(int group) const;
  /** User id of the group's first row, if it has one. */
  std::optional<int> GetGroupId(int group) const;
  /** Assigned id of the group's first row. */
  int GetGroupAssignedId(int group) const;
  /** The rows of a group, in the order they were added. */
  std::span<const int> GetGroupRows(int group) const;
  /** The constraint that computes the group's rows. */
  const Constraint<T>& GetGroupConstraint(int group) const;
  /** Returns a row's label in messages: its number, and its name or kind. */
  std::string GetRowLabel(int row) const;
  /** @} */

  /** @name Stabilization
  @{ */
  /** True if gamma of the group has stabilization. */
  bool IsBaumgarteStabilizationEnabled(int group) const;
  /** Adds stabilization to gamma of the group from now on. */
  void EnableBaumgarteStabilization(int group);
  /** Leaves stabilization out of gamma of the group from now on. */
  void DisableBaumgarteStabilization(int group);
  /** (beta, alpha): of position and velocity errors, [1/s], enabled or not. */
  Vector2<double> GetBaumgarteStabilizationCoefficients(int group) const;
  /** Sets the time constant of a group: alpha = beta = 1 / time_constant.
  @throws std::logic_error unless it is positive and finite, [s]. */
  void SetBaumgarteTimeConstant(int group, double time_constant);
  /** -2 alpha ė - beta² e, enabled or not. */
  void CalcBaumgarteStabilizationForces(
      int group, const Eigen::Ref<const VectorX<T>>& position_error,
      const Eigen::Ref<const VectorX<T>>& velocity_error,
      EigenPtr<VectorX<T>> stabilization) const;
  /** @} */

  /** @name Solving
  @{ */
  /** Chooses the factorization that solutions use; kSymmetric unless set. */
  void SetSolver(LinearSolver solver) { solver_ = solver; }
  /** The factorization that solutions use. */
  LinearSolver solver() const { return solver_; }
  /** Rows by which gamma contradicts itself are refused if they do so by more
  than this, relative to the largest; 1e-6 unless set. */
  void SetConsistencyTolerance(double tolerance);
  /** The tolerance that SetConsistencyTolerance() sets. */
  double consistency_tolerance() const { return consistency_tolerance_; }
  /** By velocity: whether it is actuated. For InverseDynamicsConstraints...().
  @throws std::logic_error unless there is one entry for each velocity, and for
  another plant than was bound. */
  void SetActuationMap(const internal::MultibodyTreeSystem<T>& plant,
                       const std::vector<bool>& actuated);
  /** True after SetActuationMap(). */
  bool has_actuation_map() const { return !is_actuated_.empty(); }
  /** By velocity: true if it is actuated; empty without a map. */
  const std::vector<bool>& actuation_map() const { return is_actuated_; }
  /** Velocities that are actuated, and those that are not. */
  std::span<const int> actuated() const { return actuated_; }
  /** Velocities that are not actuated, in increasing order. */
  std::span<const int> unactuated() const { return unactuated_; }
  /** @} */

  /** @name One group's errors and forces
  @{ */
  /** Computes e of the group's rows, 0 for rows that keep no position. */
  void CalcPositionError(int group,
                         const internal::MultibodyTreeSystem<T>& plant,
                         const systems::Context<T>& context,
                         EigenPtr<VectorX<T>> error) const;
  /** Computes ė = G v of the group's rows. */
  void CalcVelocityError(int group,
                         const internal::MultibodyTreeSystem<T>& plant,
                         const systems::Context<T>& context,
                         EigenPtr<VectorX<T>> error) const;
  /** Computes the spatial forces of force() of this group, after one of the
  dynamics functions in the same Context, each on a body at the origin of a
  frame X_BF and in its axes. Contact: the body, at C, in the axes of the body;
  the world, at C, in its axes. Loop: the predecessor at P, in the axes of P;
  the successor at S, in those of S. With `in_world`, bodies are the world, and
  the same forces are at the same points, in its axes.
  @throws std::logic_error if q or v are not those at which force() was
  computed, or no dynamics function was called yet. */
  void CalcForces(int group, const internal::MultibodyTreeSystem<T>& plant,
                  const systems::Context<T>& context,
                  std::vector<BodyIndex>* bodies,
                  std::vector<math::RigidTransform<T>>* frames,
                  std::vector<SpatialForce<T>>* forces,
                  bool in_world = false) const {
    CalcForcesOf(own_, group, plant, context, bodies, frames, forces, in_world);
  }
  /** Overload for the force in a system of the caller's. */
  void CalcForcesOf(const ConstrainedSystem<T>& system, int group,
                    const internal::MultibodyTreeSystem<T>& plant,
                    const systems::Context<T>& context,
                    std::vector<BodyIndex>* bodies,
                    std::vector<math::RigidTransform<T>>* frames,
                    std::vector<SpatialForce<T>>* forces,
                    bool in_world = false) const;
  /** Computes the impulses on the bodies, -impulse() along the rows, after one
  of the impulse functions, at the same q. */
  void CalcImpulses(int group, const internal::MultibodyTreeSystem<T>& plant,
                    const systems::Context<T>& context,
                    std::vector<BodyIndex>* bodies,
                    std::vector<math::RigidTransform<T>>* frames,
                    std::vector<SpatialForce<T>>* impulses,
                    bool in_world = false) const {
    CalcImpulsesOf(own_, group, plant, context, bodies, frames, impulses,
                   in_world);
  }
  /** Overload for the impulse in a system of the caller's. */
  void CalcImpulsesOf(const ConstrainedSystem<T>& system, int group,
                      const internal::MultibodyTreeSystem<T>& plant,
                      const systems::Context<T>& context,
                      std::vector<BodyIndex>* bodies,
                      std::vector<math::RigidTransform<T>>* frames,
                      std::vector<SpatialForce<T>>* impulses,
                      bool in_world = false) const;
  /** @} */

  /** @name What was last computed into the set's own system
  Of size from Bind() on.
  @{ */
  /** Multipliers lambda of the rows, for M v̇ + C = tau + Gᵀ lambda. */
  const VectorX<T>& force() const { return own_.force; }
  /** Λ of M v⁺ + Gᵀ Λ = M v⁻: impulses that the bodies exert, of the opposite
  sign to force(). A contact that pushes the body away has a negative one. */
  const VectorX<T>& impulse() const { return own_.impulse; }
  /** Required value of G v after an impact; zero unless set. */
  const VectorX<T>& v_plus() const { return v_plus_; }
  /** Sets the required G v after an impact, size() entries.
  @throws std::logic_error before Bind(), or for another size. */
  void SetVPlus(const Eigen::Ref<const VectorX<T>>& v_plus);
  /** Mass matrix, nv x nv. */
  const MatrixX<T>& H() const { return own_.H; }
  /** C(q, v) v less gravity's forces and applied body forces, nv. */
  const VectorX<T>& C() const { return own_.C; }
  /** Jacobian of the rows, size() x nv. */
  const MatrixX<T>& G() const { return own_.G; }
  /** Required values of G v̇, stabilization included. */
  const VectorX<T>& gamma() const { return own_.gamma; }
  /** Errors e of the rows. */
  const VectorX<T>& position_error() const { return own_.position_error; }
  /** Rates ė of the errors. */
  const VectorX<T>& velocity_error() const { return own_.velocity_error; }
  /** Rows that were linear combinations of other rows in the last solution, in
  increasing order. */
  std::span<const int> dependent_rows() const { return own_.dependent_rows(); }
  /** @} */

  /** @name For the functions that work on a set
  @{ */
  /** The set's own, which functions write that are given a pointer to it. */
  ConstrainedSystem<T>& own_system() { return own_; }
  /** Returns the row pattern of contacts and loops. */
  const internal::RowPattern& pattern() const { return pattern_; }
  /** Checks that the set is bound to `plant`.
  @throws std::logic_error, in the name of `function`, unless bound to
  `plant`. */
  void RequireBound(const internal::MultibodyTreeSystem<T>& plant,
                    std::string_view function) const;
  /** Also throws for a Context of another System, and std::runtime_error for a
  state that is not finite. */
  void RequireReady(const internal::MultibodyTreeSystem<T>& plant,
                    const systems::Context<T>& context,
                    std::string_view function) const;
  /** Also throws std::logic_error for a system that is null or not of this
  set's and plant's size; hands it back, set up for the set's tolerance. */
  ConstrainedSystem<T>& RequireReady(
      const internal::MultibodyTreeSystem<T>& plant,
      const systems::Context<T>& context, ConstrainedSystem<T>* system,
      std::string_view function) const;
  /** Fills in F and G.
  @param rates kErrors: of position errors, where these differ. */
  void UpdateJacobian(
      const internal::MultibodyTreeSystem<T>& plant,
      const systems::Context<T>& context, ConstrainedSystem<T>* system,
      internal::RowRates rates = internal::RowRates::kVelocities) const;
  /** Fills in F and G of position errors. */
  void UpdatePositionJacobian(const internal::MultibodyTreeSystem<T>& plant,
                              const systems::Context<T>& context,
                              ConstrainedSystem<T>* system) const {
    UpdateJacobian(plant, context, system, internal::RowRates::kErrors);
  }
  /** Fills in e of all rows. */
  void UpdatePositionError(const internal::MultibodyTreeSystem<T>& plant,
                           const systems::Context<T>& context,
                           ConstrainedSystem<T>* system) const;
  /** ė of all rows; F must be there, and G of custom constraints. */
  void UpdateVelocityError(const internal::MultibodyTreeSystem<T>& plant,
                           const systems::Context<T>& context,
                           ConstrainedSystem<T>* system) const;
  /** Fills in gamma, with stabilization where it is enabled; F must be there,
  and G of custom constraints. */
  void UpdateGamma(const internal::MultibodyTreeSystem<T>& plant,
                   const systems::Context<T>& context,
                   ConstrainedSystem<T>* system) const;
  /** A custom constraint; null if there is none. */
  const Constraint<T>* FindCustomConstraint() const;
  /** The groups' pairs of bodies; null for custom constraints. */
  const BodyPairConstraint<T>* GetPair(int group) const;
  /** Checks that gamma does not contradict itself.
  @throws std::runtime_error naming the rows by which gamma contradicts
  itself, if there are any. */
  void RequireConsistent(const ConstrainedSystem<T>& system,
                         std::string_view function) const;
  /** `solve()`, whose errors of rows get a row's label. */
  template <typename Solve>
  void SolveInNameOf(std::string_view function, const Solve& solve) const {
    try {
      solve();
    } catch (const internal::RowError& error) {
      ThrowOfRow(function, error);
    }
  }
  /** @} */

 private:
  [[noreturn]] void ThrowOfRow(std::string_view function,
                               const internal::RowError& error) const;
  struct Group {
    std::shared_ptr<Constraint<T>> constraint;
    // The constraint, if it is one of these.
    ContactConstraint<T>* contact{};
    LoopConstraint<T>* loop{};
    BodyPairConstraint<T>* pair{};
    BaumgarteStabilization baumgarte;
    std::vector<int> rows;
  };
  struct Row {
    int group{};
    std::string name;
    std::optional<int> user_id;
    // Successor and predecessor, if they were not given by index.
    std::array<const RigidBody<T>*, 2> bodies{};
  };

  void Swap(ConstraintSet* other) noexcept;
  const Group& GetGroup(int group, std::string_view function) const;
  Group& GetMutableGroup(int group, std::string_view function);
  void RequireNotBound(std::string_view function) const;
  // Contacts may share a name with contacts of other points.
  void RequireFreeLabels(std::string_view function, int group, bool is_contact,
                         std::string_view name, std::optional<int> user_id);
  int AddRow(int group, std::string_view name, std::optional<int> user_id);
  void RequireBodyOf(const internal::MultibodyTreeSystem<T>& plant, int row,
                     int side, BodyIndex body) const;
  void RequireSizeOf(const ConstrainedSystem<T>& system,
                     std::string_view function) const;
  void RequireStateOfMultipliers(std::string_view function,
                                 const internal::MultibodyTreeSystem<T>& plant,
                                 const systems::Context<T>& context,
                                 const NotedState& state) const;
  void CalcMultiplierForces(std::string_view function,
                            const ConstrainedSystem<T>& system, int group,
                            const internal::MultibodyTreeSystem<T>& plant,
                            const systems::Context<T>& context,
                            const VectorX<T>& multipliers, double sign,
                            const NotedState& state, bool in_world,
                            std::vector<BodyIndex>* bodies,
                            std::vector<math::RigidTransform<T>>* frames,
                            std::vector<SpatialForce<T>>* forces) const;

  std::vector<Group> groups_;
  std::vector<Row> rows_;
  std::map<std::string, std::vector<int>, std::less<>> groups_of_name_;
  std::map<int, int> group_of_user_id_;
  LinearSolver solver_{LinearSolver::kSymmetric};
  double consistency_tolerance_{1e-6};
  const internal::MultibodyTreeSystem<T>* plant_{};
  const internal::MultibodyTreeSystem<T>* actuated_plant_{};
  std::vector<bool> is_actuated_;
  std::vector<int> actuated_;
  std::vector<int> unactuated_;
  internal::RowPattern pattern_;
  int largest_group_{0};
  VectorX<T> v_plus_;
  ConstrainedSystem<T> own_;
};

/** The system that functions write which are given a pointer to a set.
@throws std::logic_error, in the name of `function`, if the set is null. */
template <typename T>
ConstrainedSystem<T>* OwnSystemOf(ConstraintSet<T>* set,
                                  std::string_view function) {
  return &internal::Deref(set, function).own_system();
}

}  // namespace wyvern::multibody
