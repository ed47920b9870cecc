#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/simulator/integrators/error_norm.h"
#include "wyvern/simulator/integrators/integrator_statistics.h"
#include "wyvern/simulator/integrators/stiffness_probe.h"
#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/framework/system.h"
#include "wyvern/systems/trajectories/piecewise_polynomial.h"

namespace wyvern::systems {

template <typename T>
class Simulator;
namespace internal {
class SimulatorArchive;
template <typename T>
class WitnessWatch;
}  // namespace internal

/** Solves xdot = f(t, x) forward in time: the continuous state of a Context.

A derived class advances the Context by one step (DoStep()) and, if it can, says
how wrong the step was; this class chooses the steps. With error control, a step
is repeated with a smaller size until its error is within the target accuracy a.
Otherwise steps have the maximum step size, on the exact grid start + k * h.
Steps end exactly at the time they were asked to reach: one that would leave a
remainder of less than 1% is stretched to it.

Errors are absolute for states of ordinary scale, 0.1 or more, and relative for
small ones: |e| <= a min(1, max(S / 10, 100 S^2)). The scale S is the largest
magnitude that an element of the same System's q, or v, has had since
Initialize(), or that the element of z itself has had, and at least 1e-2 of the
largest z of the same System. internal::ErrorScales has the whole rule.
Tolerances of single elements replace it, see set_relative_tolerance().

A state or derivative that is not finite throws std::runtime_error naming the
System, the element and the time. Whatever throws, the System included, leaves
the Context where the step started. Allocates nothing on the stepping path after
the first step (except dense output, and AutoDiffXd's derivatives).

@tparam T the scalar type: double or AutoDiffXd. */
template <typename T>
class IntegratorBase {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(IntegratorBase);

  /** Event that ended IntegrateNoFurtherThanTime(). */
  enum StepResult {
    kReachedPublishTime = 1,
    kReachedZeroCrossing = 2,
    kReachedUpdateTime = 3,
    kTimeHasAdvanced = 4,
    kReachedBoundaryTime = 5,
    kReachedStepLimit = 6,
  };

  /** `system` must outlive this; so must `context`, which can come later
  through reset_context(). */
  explicit IntegratorBase(const System<T>& system,
                          Context<T>* context = nullptr);
  virtual ~IntegratorBase();

  /** The System that is integrated. */
  const System<T>& get_system() const { return system_; }
  /** Returns the Context that is integrated.
  @throws std::logic_error if there is no Context. */
  const Context<T>& get_context() const;
  /** The Context, or null if there is none. */
  Context<T>* get_mutable_context() { return context_; }
  /** Another Context, or none; Initialize() must follow. This, Initialize(),
  Reset() and all that integrates throw std::logic_error when a step is at work,
  that is, when a System calls them while it is evaluated for one. */
  void reset_context(Context<T>* context);

  /** Checks the settings and makes ready to step from the Context as it is.
  @throws std::logic_error without a Context, without a maximum step size (error
  control takes an initial step size instead), or if settings contradict each
  other. */
  void Initialize();
  /** Forgets all settings but the maximum step size, and all results. */
  void Reset();
  /** True from Initialize() until a new Context or Reset(). */
  bool is_initialized() const { return is_initialized_; }

  /** @name Error control
  @{ */
  /** True if the method estimates the error of a step. */
  virtual bool supports_error_estimation() const = 0;
  /** p if the error estimate goes as h^p; 0 if there is none. */
  virtual int get_error_estimate_order() const = 0;
  /** The largest local error of a step, see the description of this class.
  @throws std::logic_error if there is no error estimate, or unless > 0. */
  void set_target_accuracy(double accuracy);
  /** As asked for; NaN if never. */
  double get_target_accuracy() const { return target_accuracy_; }
  /** As used: the target, or 1e-4, but not looser than 0.1. */
  double get_accuracy_in_use() const { return accuracy_in_use_; }
  /** The last step's error, element by element; zero before the first step,
  null if not estimated. */
  const ContinuousState<T>* get_error_estimate() const {
    return error_estimate_.get();
  }
  /** Fixed steps even if errors can be estimated.
  @throws std::logic_error if asked for error control without an estimate. */
  void set_fixed_step_mode(bool flag);
  /** True if steps are fixed, by choice or for lack of an error estimate. */
  bool get_fixed_step_mode() const {
    return fixed_step_mode_ || !supports_error_estimation();
  }
  /** @} */

  /** @name Tolerances of elements of the state
  An element x_i with tolerances of its own, relative r_i and absolute c_i, may
  have an error of

      |e_i| <= c_i + r_i max(|x_i|)

  in a step; the maximum is over both ends of the step. If only r_i is given,
  c_i is 1e-3 r_i times the largest |x_i| since Initialize(). If only c_i is
  given, r_i is 0. The target accuracy then has no effect on the element. These
  functions act at once. Where calls overlap, the last one holds. Reset()
  forgets the tolerances. Implicit methods solve their equations to a twentieth
  of the tolerance.
  @{ */
  /** Sets the relative tolerance of all elements, >= 0, without unit.
  @throws std::logic_error if there is no error estimate, or the tolerance is
  negative or not finite. Initialize() throws std::logic_error if both
  tolerances of an element are 0. */
  void set_relative_tolerance(double tolerance);
  /** Overload for one tolerance for each element of x = [q; v; z], of
  num_continuous_states() elements. All q of a Diagram come first, then all v,
  then all z.
  @throws std::logic_error likewise, or if the size is another. */
  void set_relative_tolerance(const Eigen::VectorXd& tolerances);
  /** Overload for all elements of `subsystem`, which is the System or one
  within it.
  @throws std::logic_error likewise; Initialize() throws it if `subsystem` is
  not within the System. */
  void set_relative_tolerance(const System<T>& subsystem, double tolerance);
  /** Overload for each element of the [q; v; z] of `subsystem`, or one number
  for all.
  @throws std::logic_error likewise; Initialize() throws it if the size is
  another. */
  void set_relative_tolerance(const System<T>& subsystem,
                              const Eigen::VectorXd& tolerances);
  /** Sets the absolute tolerance of all elements, >= 0, in the unit of each.
  @throws std::logic_error likewise. */
  void set_absolute_tolerance(double tolerance);
  /** Overload for one tolerance for each element of x = [q; v; z].
  @throws std::logic_error likewise. */
  void set_absolute_tolerance(const Eigen::VectorXd& tolerances);
  /** Overload for all elements of `subsystem`.
  @throws std::logic_error likewise. */
  void set_absolute_tolerance(const System<T>& subsystem, double tolerance);
  /** Overload for each element of `subsystem`, or one number for all.
  @throws std::logic_error likewise. */
  void set_absolute_tolerance(const System<T>& subsystem,
                              const Eigen::VectorXd& tolerances);
  /** Returns to the target accuracy for all elements. */
  void ClearTolerances();
  /** The calls that set tolerances, in their order, for copies of the
  settings. */
  const std::vector<typename internal::ErrorScales<T>::Setting>&
  get_tolerance_settings() const {
    return norm_.scales().settings();
  }
  /** The relative tolerance of each element of x, NaN if it has none; sized by
  Initialize(). */
  const Eigen::VectorXd& get_relative_tolerances() const {
    return norm_.scales().tolerances(Scales::Kind::kRelative);
  }
  /** The absolute tolerance of each element of x, NaN if it has none; sized by
  Initialize(). */
  const Eigen::VectorXd& get_absolute_tolerances() const {
    return norm_.scales().tolerances(Scales::Kind::kAbsolute);
  }
  /** @} */

  /** @name Weights
  @{ */
  /** Weights of the generalized velocities and, through N+, positions. */
  const Eigen::VectorXd& get_generalized_state_weight_vector() const {
    return norm_.generalized_weights();
  }
  /** Writable; sized by Initialize(). */
  Eigen::VectorBlock<Eigen::VectorXd>
  get_mutable_generalized_state_weight_vector() {
    Eigen::VectorXd& weights = norm_.mutable_generalized_weights();
    return weights.head(weights.size());
  }
  /** Weights of the other state variables z. */
  const Eigen::VectorXd& get_misc_state_weight_vector() const {
    return norm_.misc_weights();
  }
  /** Writable; sized by Initialize(). */
  Eigen::VectorBlock<Eigen::VectorXd> get_mutable_misc_state_weight_vector() {
    Eigen::VectorXd& weights = norm_.mutable_misc_weights();
    return weights.head(weights.size());
  }
  /** @} */

  /** @name Step sizes [s]
  @{ */
  /** Sets the largest step size; integrators of fixed step take this size.
  @throws std::logic_error unless positive. */
  void set_maximum_step_size(const T& max_step_size);
  /** NaN if there is none. */
  const T& get_maximum_step_size() const { return max_step_size_; }
  /** Steps are stretched by up to this factor to end where asked. */
  double get_stretch_factor() const { return 1.01; }
  /** The first step to try with error control.
  @throws std::logic_error without an error estimate, or unless positive. */
  void request_initial_step_size_target(const T& step_size);
  /** NaN if not requested: then a tenth of the maximum is tried. */
  const T& get_initial_step_size_target() const {
    return initial_step_size_target_;
  }
  /** Sets the step size below which a step counts as too small.
  @throws std::logic_error on a negative size. */
  void set_requested_minimum_step_size(const T& min_step_size);
  /** The minimum that was asked for, 0 if none was. */
  const T& get_requested_minimum_step_size() const {
    return requested_min_step_size_;
  }
  /** The smallest step error control may take now: the requested minimum, but
  no less than 1e-14 max(1, |t|). */
  T get_working_minimum_step_size() const;
  /** Whether a step that should be smaller than the minimum throws
  std::runtime_error (true, the default) or is taken at the minimum, with its
  error. That holds too for a step that is below the minimum because the time to
  reach is near. A step or an error that is not finite throws in any case. */
  void set_throw_on_minimum_step_size_violation(bool throws) {
    throw_on_minimum_step_size_violation_ = throws;
  }
  /** The choice of set_throw_on_minimum_step_size_violation(). */
  bool get_throw_on_minimum_step_size_violation() const {
    return throw_on_minimum_step_size_violation_;
  }
  /** Returns the step size that error control would try next; NaN before the
  first step. */
  const T& get_ideal_next_step_size() const { return ideal_next_step_size_; }
  /** @} */

  /** @name Integration
  The Context's time and continuous state change; nothing is published and no
  event handled.
  @{ */
  /** Takes one step, of the integrator's choice, that ends at or before each of
  the three times, which are not before the Context's time. It also ends at or
  before the System's next break (System::CalcNextBreakTime()). The result is
  kTimeHasAdvanced if only a break ended the step.
  @throws std::logic_error if not initialized or if a time lies in the past. */
  StepResult IntegrateNoFurtherThanTime(const T& publish_time,
                                        const T& update_time,
                                        const T& boundary_time);
  /** Takes as many steps as needed to reach `t_final` exactly. */
  void IntegrateWithMultipleStepsToTime(const T& t_final);
  /** Takes one step to `t_target`, whatever its error. If the System has breaks
  on the way, takes one step from each break to the next.
  @returns false, with the Context unchanged, if the step cannot be made.
  @throws std::logic_error under error control, see set_fixed_step_mode(). */
  [[nodiscard]] bool IntegrateWithSingleFixedStepToTime(const T& t_target);
  /** @} */

  /** @name Statistics since construction or ResetStatistics()
  @{ */
  /** Sets all statistics to what they are before the first step. */
  void ResetStatistics();
  /** Steps that could not be made, such as for lack of convergence. */
  int64_t get_num_substep_failures() const {
    return statistics_.num_substep_failures;
  }
  /** Steps that were halved because they could not be made. */
  int64_t get_num_step_shrinkages_from_substep_failures() const {
    return statistics_.num_shrinkages_from_substep_failures;
  }
  /** Steps that were made smaller because their error was too large. */
  int64_t get_num_step_shrinkages_from_error_control() const {
    return statistics_.num_shrinkages_from_error_control;
  }
  /** Time derivatives that were computed. */
  int64_t get_num_derivative_evaluations() const {
    return statistics_.num_derivative_evaluations;
  }
  /** Steps that were accepted. */
  int64_t get_num_steps_taken() const { return statistics_.num_steps_taken; }
  /** Size of the first step; NaN before it. */
  const T& get_actual_initial_step_size_taken() const {
    return statistics_.actual_initial_step_size;
  }
  /** Size of the smallest step that error control chose freely; NaN if none. */
  const T& get_smallest_adapted_step_size_taken() const {
    return statistics_.smallest_adapted_step_size;
  }
  /** Size of the largest step; 0 before the first. */
  const T& get_largest_step_size_taken() const {
    return statistics_.largest_step_size;
  }
  /** Size of the last step; NaN before the first. */
  const T& get_previous_integration_step_size() const {
    return statistics_.previous_step_size;
  }
  /** For derived classes: adds to the number of derivatives. */
  void add_derivative_evaluations(double evals) {
    statistics_.num_derivative_evaluations += static_cast<int64_t>(evals);
  }
  /** @} */

  /** @name Dense output
  @{ */
  /** Records every step from now on, as one cubic Hermite polynomial a step:
  see HermitianDenseOutput. Steps of less than 2e-16 s are left out.
  @throws std::logic_error if not initialized, without continuous state, or if
  recording already. */
  void StartDenseIntegration();
  /** Returns the dense output recorded so far; null if not recording. It has no
  segments before the first step. */
  const trajectories::PiecewisePolynomial<T>* get_dense_output() const {
    return dense_output_.get();
  }
  /** Ends the recording and hands it over.
  @throws std::logic_error if not recording. */
  std::unique_ptr<trajectories::PiecewisePolynomial<T>> StopDenseIntegration();
  /** @} */

 protected:
  /** Advances the Context from step_start_time() to step_end_time(), which is h
  later up to rounding; the state and derivative there are at hand. May leave
  anything in the Context when it returns false.
  @returns false if a step of this size cannot be made but a smaller one
  might. */
  virtual bool DoStep(const T& h) = 0;
  /** Sizes work space; called by Initialize() with a Context in place. */
  virtual void DoInitialize() {}
  virtual void DoReset() {}
  virtual void DoResetStatistics() {}
  /** Writes to `carried` all that the method carries from step to step besides
  what this class knows, and takes it from there: the Simulator takes a step
  back if only the boundary of a call to AdvanceTo() made it what it was, and
  can be saved. */
  virtual void DoSavePlace(VectorX<T>* carried) const { carried->resize(0); }
  virtual void DoReturnToPlace(const VectorX<T>& /* carried */) {}
  /** Settings of the method, in words, that a simulation must be loaded with
  because they change its numbers. */
  virtual std::string DoDescribeSettings() const { return {}; }

  const T& step_end_time() const { return step_end_time_; }
  /** Time, state and derivative where the step begins. */
  const T& step_start_time() const { return start_time_; }
  const VectorX<T>& step_start_state() const { return start_state_; }
  const VectorX<T>& step_start_derivative() const { return start_derivative_; }
  /** The derivatives of the Context as it is, from the cache if they are there;
  counts what is computed. */
  const ContinuousState<T>& EvalTimeDerivatives(const Context<T>& context);
  /** Copies the derivatives at the Context into `xdot`, of the right size.
  @returns false if an element is not finite, having noted which, for the
  message if no smaller step helps. */
  bool CopyTimeDerivatives(VectorX<T>* xdot);
  /** Where DoStep() leaves its error estimate: of a step's end state, absolute.
  Null if errors are not estimated. */
  ContinuousState<T>* get_mutable_error_estimate() {
    return error_estimate_.get();
  }
  /** Null if not recording. */
  trajectories::PiecewisePolynomial<T>* get_mutable_dense_output() {
    return dense_output_.get();
  }
  /** Decides what error control does after a step of size `attempted_step_size`
  [s] whose error has the norm `err`: whether it accepts the step, and the next
  size, between the smallest allowed and the maximum. A step that is at the
  smallest size, by `at_minimum_step_size` on entry, cannot shrink: it is
  accepted. On return that says whether the next size is still the smallest
  only because no smaller one is allowed.
  @throws std::logic_error if not initialized, without an error estimate, or if
  `at_minimum_step_size` is null. */
  std::pair<bool, T> CalcAdjustedStepSize(const T& err,
                                          const T& attempted_step_size,
                                          bool* at_minimum_step_size) const;
  /** Moves the Context to time t, but not past a break at either end of the
  step. For example, before a break that ends the step, the old values still
  hold.
  @returns the continuous state there, to be set. */
  VectorBase<T>& MoveWithinStep(const T& t) {
    return context_->SetTimeAndGetMutableContinuousStateVector(ClampToStep(t));
  }
  /** Returns the time nearest to t between the breaks at the ends of the
  step. */
  const T& ClampToStep(const T& t) const {
    return t < earliest_ ? earliest_ : t > latest_ ? latest_ : t;
  }
  /** Computes the derivatives at (t, x), where MoveWithinStep() moves the
  Context.
  @returns false if one is not finite. */
  bool CalcDerivatives(const T& t, const VectorX<T>& x, VectorX<T>* xdot);
  /** Called where a step under error control begins, before its trials: the
  time for the method to change what it carries from step to step. */
  virtual void DoPrepareStep() {}
  /** Whether steps are bounded by the fastest motion, however small it is: true
  of explicit methods. Then stiffness_probe() says whether they are. */
  virtual bool DoIsBoundByStability() const { return true; }
  /** Whether DoStep() reads step_start_derivative(); if not, it is computed for
  dense output alone. */
  virtual bool DoNeedsStartDerivative() const { return true; }
  internal::StiffnessProbe& stiffness_probe() { return stiffness_; }
  const internal::StiffnessProbe& stiffness_probe() const { return stiffness_; }
  /** The size that element i of the state has at least in differences of the
  derivatives: 1, or less if its tolerances say so. */
  double CalcLeastSize(int i) const { return norm_.scales().CalcLeastSize(i); }
  /** The size of a small change of the continuous state, in the norm that
  errors are measured by, at the Context as it is. */
  T CalcStateChangeNorm(const ContinuousState<T>& dx) const {
    return norm_.Calc(system_, get_context(), dx);
  }

 private:
  using Scales = internal::ErrorScales<T>;
  friend class Simulator<T>;
  friend class internal::SimulatorArchive;
  friend class internal::WitnessWatch<T>;

  // Where the integrator stands, so that it can be made to stand there again.
  struct Place {
    T time{0.0};
    VectorX<T> xc;
    T ideal_next_step_size{0.0};
    T grid_start{0.0};
    int64_t grid_count{0};
    std::optional<T> grid_time;
    int num_dense_segments{0};
    // Largest magnitude of each element of the state so far.
    Eigen::VectorXd sizes;
    Eigen::VectorXd stiffness;
    // Data that DoSavePlace() adds.
    VectorX<T> carried;
  };
  // A value that is not finite, where DoStep() met it.
  struct NonFinite {
    bool is_derivative{};
    int index{};
    double time{};
    double value{};
  };

  void SavePlace(Place* place) const;
  void ReturnTo(const Place& place);
  // The type and all settings that change numbers, in words.
  std::string DescribeSettings() const;
  // From (t0, x0), for a step whose end cannot be used.
  void TakeBackStep(const T& t0, const VectorX<T>& x0);
  // Infinity if there is no maximum step size.
  T StepSizeLimit() const;
  // Where the next step would end if nothing were in the way.
  T CalcNaturalStepEnd() const;
  // Returns the end of the next step if only breaks limited it, and the length
  // that it may have in order to end at a requested time.
  struct FreeStep {
    T end;
    T longest;
  };
  FreeStep PlanFreeStep();
  // Looks for breaks at both ends of a step from the Context's present time.
  void LookForBreaks();
  // Returns whether the next break comes before a time, by more than rounding.
  bool IsBreakBefore(const T& time) const;
  // Returns whether the last step ended at a break.
  bool is_at_break() const { return context_->get_time() > latest_; }
  // Takes one piece of IntegrateWithSingleFixedStepToTime(), between breaks.
  bool TakeFixedStep(const T& t_target);
  // From (t0, x0) to t1 in one step without error control or statistics.
  void Redo(const T& t0, const VectorX<T>& x0, const T& t1);
  // Makes the last recorded step end at the Context as it is.
  void AmendDenseOutput();

  // Marks the time in which a step is at work.
  class Stepping {
   public:
    explicit Stepping(IntegratorBase<T>* integrator) : integrator_(integrator) {
      integrator_->is_stepping_ = true;
    }
    ~Stepping() { integrator_->is_stepping_ = false; }

   private:
    IntegratorBase<T>* const integrator_;
  };
  void RequireNotStepping(const char* function) const;
  void RequireInitialized(const char* function) const;
  void RequireErrorEstimate(const char* function) const;
  void SetTolerance(const char* function, typename Scales::Kind kind,
                    const System<T>* part, const Eigen::VectorXd& tolerances);
  void RequireTimes(const T& publish_time, const T& update_time,
                    const T& boundary_time) const;
  void RequireSettings() const;
  // One step to t_target, or less far under error control.
  void StepTowards(const T& t_target);
  void StepWithErrorControl(const T& t_target);
  void StepOnGrid(const T& t_target);
  void ProbeStiffness();
  // Returns, in whole sentences, the reason for the size of the steps: the
  // fastest part of the state, or the part with the last error. Adds the
  // System's own reason.
  std::string DescribeSmallSteps() const;
  // Returns the System's description of its difficulties, after a space; empty
  // if there are none.
  std::string DescribeDifficulties() const;
  bool IsStiffForLong() const {
    return DoIsBoundByStability() && stiffness_.is_stiff_for_long();
  }
  // DoStep() from the saved start to t_end, with all checks.
  bool TryStep(const T& t_end);
  void SaveStart();
  void RestoreStart();
  void RecordDenseStep();
  // Adds a segment to the dense output, unless it is too short.
  void RecordDenseSegment(const T& t0, const MatrixX<T>& x0,
                          const MatrixX<T>& xdot0, const T& t1);
  void FinishStep(const T& h, bool adapted);
  [[noreturn]] void ThrowNonFinite() const;
  [[noreturn]] void ThrowUnderflow(double step_size, bool made,
                                   double error) const;

  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  const System<T>& system_;
  Context<T>* context_{};
  bool is_initialized_{false};

  // Settings.
  double target_accuracy_{kNone};
  double accuracy_in_use_{kNone};
  bool fixed_step_mode_{false};
  bool throw_on_minimum_step_size_violation_{true};
  T max_step_size_{kNone};
  T initial_step_size_target_{kNone};
  T requested_min_step_size_{0.0};

  // Progress: fixed steps end at grid_start_ + k max_step_size_, as long as the
  // time is where the last of them ended, grid_time_.
  T ideal_next_step_size_{kNone};
  T grid_start_{0.0};
  int64_t grid_count_{0};
  std::optional<T> grid_time_;

  // The step at work.
  bool is_stepping_{false};
  T start_time_{0.0};
  VectorX<T> start_state_;
  VectorX<T> start_derivative_;
  T step_end_time_{0.0};
  // The first break after the step's start, and the range of times in which the
  // derivatives are evaluated, a little inside the breaks at both ends.
  T next_break_{std::numeric_limits<double>::infinity()};
  T earliest_{-std::numeric_limits<double>::infinity()};
  T latest_{std::numeric_limits<double>::infinity()};
  std::optional<NonFinite> non_finite_;
  VectorX<T> end_state_;

  std::unique_ptr<ContinuousState<T>> error_estimate_;
  internal::ErrorNorm<T> norm_;
  internal::StiffnessProbe stiffness_;
  VectorX<T> nearby_state_;
  VectorX<T> nearby_derivative_;
  // Start of IntegrateWithSingleFixedStepToTime(), if there are breaks.
  VectorX<T> first_state_;
  internal::IntegratorStatistics<T> statistics_;
  std::unique_ptr<trajectories::PiecewisePolynomial<T>> dense_output_;
  // The last step is the last segment.
  bool is_last_step_recorded_{false};
};

}  // namespace wyvern::systems
