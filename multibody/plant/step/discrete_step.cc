#include "wyvern/multibody/plant/step/discrete_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "wyvern/multibody/plant/step/solve_accelerations.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/math/newton.h"
#include "wyvern/systems/common/to_double.h"

/* The step of a plant in which only forces on single velocities are implicit.
f_i is piecewise linear and does not increase, so that the step's v,

  M (v - v*) / dt + C v0 - g - applied = f(v),

is the minimum of a convex function (newton.h has the loop). Newton's step
replaces f by its line at the present v, which puts dt f' on M's diagonal, and
solves by articulated bodies, O(n). The inertial force, the left side, is linear
along the step, so that a line search evaluates only f. The step is found once
it is on the lines that it was computed with. Without laws that is the first
step. */

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

constexpr int kMaxIterations = 200;
// Relative; round-off of a solve is some 1e-15.
constexpr double kTolerance = 1e-12;
// Velocities below this count as rest, [rad/s] or [m/s]. The bound is absolute
// because it decides nothing but when to stop. It counts only while all
// velocities are smaller, and also what each force alone would change of them
// in a step. The error that it then allows, 1e-15 rad/s, turns a joint by
// 3e-8 rad in a year.
constexpr double kRestSpeed = 1e-3;

// Solves one Newton step. Each law is replaced by its line at v,
// f = intercept - slope v_next. Writes vdot, v_next = v_star + dt vdot, and the
// lines' forces at v_next, which balance M vdot + C v0 - g - applied, to
// inertial_force.
template <typename T>
void SolveOnLines(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                  const StepInputs<T>& inputs, const VectorX<T>& v,
                  StepScratch<T>* s, StepOutputs<T>* outputs) {
  const double dt = inputs.dt;
  const int nv = core.num_v();
  // The lines' intercepts are kept in inertial_force until v_next is known.
  for (int i = 0; i < nv; ++i) {
    if (inputs.is_locked[i]) {
      s->inertial_force[i] = T(0);
      s->slope[i] = T(0);
      s->diagonal[i] = T(dynamics::kLockedInertia);
    } else {
      inputs.laws[i].CalcLine(v[i], &s->inertial_force[i], &s->slope[i]);
      s->diagonal[i] = dt * s->slope[i];
    }
    s->tau[i] =
        inputs.tau[i] + s->inertial_force[i] - s->slope[i] * inputs.v_star[i];
  }
  SolveAccelerations<T>(core, context, NodeForces(inputs), s->diagonal, s,
                        &outputs->vdot);
  for (int i = 0; i < nv; ++i) {
    if (inputs.is_locked[i]) outputs->vdot[i] = T(0);
    outputs->v_next[i] = inputs.v_star[i] + dt * outputs->vdot[i];
    s->inertial_force[i] -= s->slope[i] * outputs->v_next[i];
  }
}

// Returns the relative error of v_next: the largest
//   pivot |f(v_next) - line| / max(speed, pivot |line|, pivot |tau|).
// `line` is the force that v_next was computed with. The pivot, dt D^-1 of the
// articulated-body factorization, turns forces into changes of velocity.
template <typename T>
double CalcError(const dynamics::Model& model, double dt,
                 const StepInputs<T>& inputs, const StepScratch<T>& s,
                 const StepOutputs<T>& outputs) {
  const VectorX<T>& v_next = outputs.v_next;
  double speed = kRestSpeed;
  for (int i = 0; i < v_next.size(); ++i) {
    speed = std::max({speed, std::abs(ToDouble(v_next[i])),
                      dt * std::abs(ToDouble(outputs.vdot[i]))});
  }
  double error = 0;
  for (int i = 0; i < v_next.size(); ++i) {
    if (inputs.is_locked[i]) continue;
    const double line = ToDouble(s.inertial_force[i]);
    if (!std::isfinite(line)) return line;
    const double force = ToDouble(inputs.laws[i].CalcForce(v_next[i]));
    if (force == line) continue;
    const int row = i - model.nodes[model.node_of_v[i]].v_start;
    const double pivot = dt * ToDouble(s.articulated.D_inverse(row, i));
    const double other = ToDouble(s.tau[i]);
    const double scale =
        std::max({speed, pivot * std::abs(line), pivot * std::abs(other)});
    error = std::max(error, pivot * std::abs(force - line) / scale);
  }
  return error;
}

// Newton's method on the lines that f follows.
template <typename T>
class LineIteration {
 public:
  LineIteration(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                const StepInputs<T>& inputs, StepScratch<T>* scratch,
                StepOutputs<T>* outputs)
      : core_(core),
        context_(context),
        inputs_(inputs),
        s_(*scratch),
        outputs_(*outputs) {
    s_.v_previous = inputs.v_star;
  }

  double error() const { return error_; }

  bool IsSolved() const { return error_ <= kTolerance; }

  bool CalcNewtonStep() {
    SolveOnLines(core_, context_, inputs_, s_.v_previous, &s_, &outputs_);
    error_ = CalcError(core_.model(), inputs_.dt, inputs_, s_, outputs_);
    return std::isfinite(error_);
  }

  double SearchLine() const {
    // The first solve has no inertial force to start a search from.
    if (IsSolved() || is_first_) return 1;
    const double slope_0 = CalcLine(0).slope;
    // The rest of the way is no more than rounding.
    if (!(slope_0 < 0)) return 1;
    return wyvern::internal::FindLineMinimum(
        slope_0, [this](double alpha) { return CalcLine(alpha); });
  }

  void Move(double alpha) {
    if (IsSolved()) return;
    s_.v_previous += alpha * (outputs_.v_next - s_.v_previous);
    if (is_first_) {
      s_.previous_inertial_force = s_.inertial_force;
    } else {
      s_.previous_inertial_force =
          (1 - alpha) * s_.previous_inertial_force + alpha * s_.inertial_force;
    }
    is_first_ = false;
  }

 private:
  // The derivatives of the convex function at v + alpha (v_next - v).
  wyvern::internal::LineDerivatives CalcLine(double alpha) const {
    wyvern::internal::LineDerivatives line;
    for (int i = 0; i < outputs_.v_next.size(); ++i) {
      if (inputs_.is_locked[i]) continue;
      const T step = outputs_.v_next[i] - s_.v_previous[i];
      const T& start = s_.previous_inertial_force[i];
      const T change = s_.inertial_force[i] - start;
      const T v = s_.v_previous[i] + alpha * step;
      T intercept, slope;
      inputs_.laws[i].CalcLine(v, &intercept, &slope);
      line.slope += ToDouble(
          T(step * (start + alpha * change - (intercept - slope * v))));
      line.curvature += ToDouble(T(step * (change + slope * step)));
    }
    return line;
  }

  const MultibodyTreeSystem<T>& core_;
  const Context<T>& context_;
  const StepInputs<T>& inputs_;
  StepScratch<T>& s_;
  StepOutputs<T>& outputs_;
  double error_{std::numeric_limits<double>::infinity()};
  bool is_first_{true};
};

}  // namespace

template <typename T>
void CalcDiscreteStep(const MultibodyTreeSystem<T>& core,
                      const Context<T>& context, const StepInputs<T>& inputs,
                      StepScratch<T>* scratch, StepOutputs<T>* outputs) {
  LineIteration<T> iteration(core, context, inputs, scratch, outputs);
  const auto result =
      wyvern::internal::MinimizeByNewton(kMaxIterations, &iteration);
  if (result.is_solved) return;
  RequireFiniteAccelerations(core, context, outputs->vdot);
  ThrowNoVelocities(
      core, context, inputs.dt,
      fmt::format("After {} iterations the worst relative error is {}.",
                  result.num_iterations, iteration.error()),
      outputs->v_next);
}

#define WYVERN_INSTANTIATE(T) \
  template decltype(CalcDiscreteStep<T>) CalcDiscreteStep<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
