// The step of a plant where only forces on single velocities are implicit. f_i
// is piecewise linear and does not increase, so M (v - v*) / dt = ... + f(v) is
// the minimum of a convex function. Each iteration replaces f by its line at v,
// which puts dt f' on M's diagonal, and solves by articulated bodies, O(n); an
// exact line search over the breakpoints of f keeps the objective falling.
#include "wyvern/multibody/plant/parts/discrete_step.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/plant/parts/solve_accelerations.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

using systems::Context;

namespace {

constexpr int kMaxIterations = 200;
// Relative; round-off of a solve is some 1e-15.
constexpr double kTolerance = 1e-12;
// Velocities below this count as rest, [rad/s] or [m/s].
constexpr double kRestSpeed = 1e-3;

// One Newton solve on the lines at v: writes vdot, and from it v_next, and the
// inertial force M vdot + C v0 - g - applied, which the lines must balance.
template <typename T>
void SolveOnLines(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                  const StepInputs<T>& inputs, const VectorX<T>& v,
                  StepScratch<T>* s, StepOutputs<T>* outputs) {
  const double dt = core.time_step();
  const int nv = core.num_v();
  // The lines' intercepts are kept in inertial_force until v_next is known.
  for (int i = 0; i < nv; ++i) {
    if (inputs.is_locked[i]) {
      s->inertial_force[i] = T(0);
      s->slope[i] = T(0);
      s->diagonal[i] = T(engine::kLockedInertia);
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

// How far v_next is from the solution: what each difference between f(v_next)
// and the line that v_next was computed with would change in its velocity, by
// the pivot that the factorization met there; relative to velocities and to
// what each force on its own would do to them.
template <typename T>
double CalcError(const engine::Model& model, double dt,
                 const StepInputs<T>& inputs, const StepScratch<T>& s,
                 const StepOutputs<T>& outputs) {
  const VectorX<T>& v_next = outputs.v_next;
  double speed = kRestSpeed;
  for (int i = 0; i < v_next.size(); ++i) {
    speed = std::max({speed, std::abs(ExtractDoubleOrThrow(v_next[i])),
                      dt * std::abs(ExtractDoubleOrThrow(outputs.vdot[i]))});
  }
  double error = 0;
  for (int i = 0; i < v_next.size(); ++i) {
    if (inputs.is_locked[i]) continue;
    const double line = ExtractDoubleOrThrow(s.inertial_force[i]);
    if (!std::isfinite(line)) return line;
    const double force =
        ExtractDoubleOrThrow(inputs.laws[i].CalcForce(v_next[i]));
    if (force == line) continue;
    const int row = i - model.nodes[model.node_of_v[i]].v_start;
    const double pivot =
        dt * ExtractDoubleOrThrow(s.articulated.D_inverse(row, i));
    const double other = ExtractDoubleOrThrow(s.tau[i]);
    const double scale =
        std::max({speed, pivot * std::abs(line), pivot * std::abs(other)});
    error = std::max(error, pivot * std::abs(force - line) / scale);
  }
  return error;
}

// The slope of the convex objective at v + alpha (v_next - v).
template <typename T>
double CalcSlope(const StepInputs<T>& inputs, const StepScratch<T>& s,
                 const VectorX<T>& v_next, double alpha) {
  double slope = 0;
  for (int i = 0; i < v_next.size(); ++i) {
    if (inputs.is_locked[i]) continue;
    const T step = v_next[i] - s.v_previous[i];
    const T inertial = (1 - alpha) * s.previous_inertial_force[i] +
                       alpha * s.inertial_force[i];
    const T force = inputs.laws[i].CalcForce(s.v_previous[i] + alpha * step);
    slope += ExtractDoubleOrThrow(step * (inertial - force));
  }
  return slope;
}

// The alpha in (0, 1] at which the objective is least.
template <typename T>
double SearchLine(const StepInputs<T>& inputs, const StepScratch<T>& s,
                  const VectorX<T>& v_next) {
  if (CalcSlope(inputs, s, v_next, 1.0) <= 0) return 1.0;
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (CalcSlope(inputs, s, v_next, middle) > 0 ? high : low) = middle;
  }
  return high;
}

}  // namespace

template <typename T>
void CalcDiscreteStep(const MultibodyTreeSystem<T>& core,
                      const Context<T>& context, const StepInputs<T>& inputs,
                      StepScratch<T>* scratch, StepOutputs<T>* outputs) {
  StepScratch<T>& s = *scratch;
  const VectorX<T>& v_next = outputs->v_next;
  s.v_previous = inputs.v_star;
  double error = 0;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    SolveOnLines(core, context, inputs, s.v_previous, &s, outputs);
    error = CalcError(core.model(), core.time_step(), inputs, s, *outputs);
    if (error <= kTolerance) return;
    if (!std::isfinite(error)) {
      RequireFiniteAccelerations(core, context, outputs->vdot);
      break;
    }
    // The first solve has no inertial force to start a line search from.
    const double alpha = iteration == 0 ? 1.0 : SearchLine(inputs, s, v_next);
    s.v_previous += alpha * (v_next - s.v_previous);
    s.previous_inertial_force =
        (1 - alpha) * s.previous_inertial_force + alpha * s.inertial_force;
  }
  ThrowNoVelocities(
      core, context,
      fmt::format("After {} iterations the worst relative error is {}.",
                  kMaxIterations, error),
      v_next);
}

#define WYVERN_INSTANTIATE(T) \
  template decltype(CalcDiscreteStep<T>) CalcDiscreteStep<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
