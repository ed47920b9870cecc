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
// What is slower than this is as good as at rest, [rad/s] or [m/s].
constexpr double kRestSpeed = 1e-3;

// One Newton solve on the lines at v: writes vdot, and from it v_next, and the
// inertial force M vdot + C v0 - g - applied, which the lines must balance.
template <typename T>
void SolveOnLines(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                  const AppliedForces<T>& applied,
                  const std::vector<bool>& is_locked, const VectorX<T>& tau,
                  const VectorX<T>& v, DynamicsResult<T>* r) {
  const double dt = core.time_step();
  const int nv = core.num_v();
  // The lines' intercepts are kept in inertial_force until v_next is known.
  for (int i = 0; i < nv; ++i) {
    if (is_locked[i]) {
      r->inertial_force[i] = T(0);
      r->slope[i] = T(0);
      r->diagonal[i] = T(engine::kLockedInertia);
    } else {
      r->laws[i].CalcLine(v[i], &r->inertial_force[i], &r->slope[i]);
      r->diagonal[i] = dt * r->slope[i];
    }
    r->tau[i] = tau[i] + r->inertial_force[i] - r->slope[i] * r->v_star[i];
  }
  SolveAccelerations<T>(core, context, NodeForces(applied), r->diagonal, r);
  for (int i = 0; i < nv; ++i) {
    if (is_locked[i]) r->vdot[i] = T(0);
    r->v_next[i] = r->v_star[i] + dt * r->vdot[i];
    r->inertial_force[i] -= r->slope[i] * r->v_next[i];
  }
}

// How far v_next is from the solution: what each difference between f(v_next)
// and the line that v_next was computed with would change in its velocity, by
// the pivot that the factorization met there; relative to velocities and to
// what each force on its own would do to them.
template <typename T>
double CalcError(const engine::Model& model, double dt,
                 const std::vector<bool>& is_locked,
                 const DynamicsResult<T>& r) {
  double speed = kRestSpeed;
  for (int i = 0; i < r.v_next.size(); ++i) {
    speed = std::max({speed, std::abs(ExtractDoubleOrThrow(r.v_next[i])),
                      dt * std::abs(ExtractDoubleOrThrow(r.vdot[i]))});
  }
  double error = 0;
  for (int i = 0; i < r.v_next.size(); ++i) {
    if (is_locked[i]) continue;
    const double line = ExtractDoubleOrThrow(r.inertial_force[i]);
    if (!std::isfinite(line)) return line;
    const double force = ExtractDoubleOrThrow(r.laws[i].CalcForce(r.v_next[i]));
    if (force == line) continue;
    const int row = i - model.nodes[model.node_of_v[i]].v_start;
    const double pivot =
        dt * ExtractDoubleOrThrow(r.articulated.D_inverse(row, i));
    const double other = ExtractDoubleOrThrow(r.tau[i]);
    const double scale =
        std::max({speed, pivot * std::abs(line), pivot * std::abs(other)});
    error = std::max(error, pivot * std::abs(force - line) / scale);
  }
  return error;
}

// The slope of the convex objective at v + alpha (v_next - v).
template <typename T>
double CalcSlope(const std::vector<bool>& is_locked, const DynamicsResult<T>& r,
                 double alpha) {
  double slope = 0;
  for (int i = 0; i < r.v_next.size(); ++i) {
    if (is_locked[i]) continue;
    const T step = r.v_next[i] - r.v_previous[i];
    const T inertial = (1 - alpha) * r.previous_inertial_force[i] +
                       alpha * r.inertial_force[i];
    const T force = r.laws[i].CalcForce(r.v_previous[i] + alpha * step);
    slope += ExtractDoubleOrThrow(step * (inertial - force));
  }
  return slope;
}

// The alpha in (0, 1] at which the objective is least.
template <typename T>
double SearchLine(const std::vector<bool>& is_locked,
                  const DynamicsResult<T>& r) {
  if (CalcSlope(is_locked, r, 1.0) <= 0) return 1.0;
  double low = 0, high = 1;
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (CalcSlope(is_locked, r, middle) > 0 ? high : low) = middle;
  }
  return high;
}

}  // namespace

template <typename T>
void CalcDiscreteStep(const MultibodyTreeSystem<T>& core,
                      const Context<T>& context,
                      const AppliedForces<T>& applied,
                      const std::vector<bool>& is_locked,
                      DynamicsResult<T>* result) {
  DynamicsResult<T>& r = *result;
  r.other_tau = r.tau;
  r.v_previous = r.v_star;
  double error = 0;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    SolveOnLines(core, context, applied, is_locked, r.other_tau, r.v_previous,
                 &r);
    error = CalcError(core.model(), core.time_step(), is_locked, r);
    if (error <= kTolerance) return;
    if (!std::isfinite(error)) {
      RequireFiniteAccelerations(core, context, r.vdot);
      break;
    }
    // The first solve has no inertial force to start a line search from.
    const double alpha = iteration == 0 ? 1.0 : SearchLine(is_locked, r);
    r.v_previous += alpha * (r.v_next - r.v_previous);
    r.previous_inertial_force =
        (1 - alpha) * r.previous_inertial_force + alpha * r.inertial_force;
  }
  ThrowNoVelocities(
      core, context,
      fmt::format("After {} iterations the worst relative error is {}.",
                  kMaxIterations, error),
      r.v_next);
}

template void CalcDiscreteStep(const MultibodyTreeSystem<double>&,
                               const Context<double>&,
                               const AppliedForces<double>&,
                               const std::vector<bool>&,
                               DynamicsResult<double>*);
#if WYVERN_AUTODIFF
template void CalcDiscreteStep(const MultibodyTreeSystem<AutoDiffXd>&,
                               const Context<AutoDiffXd>&,
                               const AppliedForces<AutoDiffXd>&,
                               const std::vector<bool>&,
                               DynamicsResult<AutoDiffXd>*);
#endif

}  // namespace wyvern::multibody::internal
