#include "wyvern/multibody/plant/step/solve_accelerations.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/length_scale.h"
#include "wyvern/multibody/tree/articulated_inertias.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::internal {

using systems::Context;

template <typename T>
void SolveAccelerations(const MultibodyTreeSystem<T>& core,
                        const systems::Context<T>& context,
                        std::span<const Vector6<T>> F,
                        const Eigen::Ref<const VectorX<T>>& diagonal,
                        StepScratch<T>* scratch, VectorX<T>* vdot) {
  const dynamics::Motion<T> motion = core.EvalMotion(context);
  CalcArticulatedInertias<T>(core, motion, diagonal, &scratch->articulated);
  dynamics::CalcForwardDynamics<T>(motion, scratch->tau, F,
                                   dynamics::Gravity::kOn,
                                   &scratch->articulated, &scratch->A, *vdot);
}

template <typename T>
void RequireFiniteAccelerations(const MultibodyTreeSystem<T>& core,
                                const Context<T>& context,
                                const VectorX<T>& vdot) {
  if (AllFinite(vdot)) return;
  for (int i = 0; i < vdot.size(); ++i) {
    const double value = ToDouble(vdot[i]);
    if (std::isfinite(value)) continue;
    const dynamics::Model& model = core.model();
    const dynamics::MobodIndex body = model.nodes[model.node_of_v[i]].body;
    throw std::runtime_error(fmt::format(
        "MultibodyPlant '{}': at time {} the acceleration of velocity {}, of "
        "joint '{}', is {}; positions, velocities or forces are too large to "
        "compute with.",
        core.GetSystemPathname(), ToDouble(context.get_time()), i,
        core.tree().inboard_joints()[body]->name(), value));
  }
}

template <typename T>
std::string DescribeJointOutside(const MultibodyTreeSystem<T>& core,
                                 const Context<T>& context, double slack) {
  const auto q = core.PositionsOf(context);
  const dynamics::Model& model = core.model();
  const double longest =
      dynamics::CalcLengthScale<T>(model, core.EvalModelParameters(context));
  const double length = longest > 0 ? longest : 1;
  for (const Joint<T>* joint : core.tree().joints().elements()) {
    // Limits on a quaternion do not act.
    const auto& traits = joint->mobilizer_traits();
    const int first = traits.has_quaternion ? 4 : 0;
    for (int i = first; i < joint->num_positions(); ++i) {
      const double x = ToDouble(q[joint->position_start() + i]);
      const double lower = joint->position_lower_limits()[i];
      const double upper = joint->position_upper_limits()[i];
      const double range = upper - lower;
      const int rate = traits.rate_of_position[i];
      double unit = 1;
      if (std::isfinite(range)) {
        unit = range;
      } else if (rate != dynamics::kNoVelocity) {
        unit = dynamics::UnitOfVelocity(model, joint->velocity_start() + rate,
                                        length);
      }
      const double allowed = slack * unit;
      if (lower - allowed <= x && x <= upper + allowed) continue;
      return fmt::format(
          "Joint '{}' is at {}, outside its limits [{}, {}]; start it within "
          "them.",
          joint->name(), x, lower, upper);
    }
  }
  return {};
}

template <typename T>
void ThrowNoVelocities(const MultibodyTreeSystem<T>& core,
                       const Context<T>& context, double dt,
                       std::string_view why, const VectorX<T>& v) {
  int largest = 0;
  for (int i = 1; i < v.size(); ++i) {
    using std::abs;
    if (abs(v[i]) > abs(v[largest])) largest = i;
  }
  std::string fastest;
  if (v.size() > 0) {
    const dynamics::Model& model = core.model();
    const dynamics::MobodIndex body =
        model.nodes[model.node_of_v[largest]].body;
    fastest = fmt::format(
        " The largest velocity is {}, of joint '{}': look there for forces, "
        "gains or stiffnesses out of proportion to the masses.",
        ToDouble(v[largest]), core.tree().inboard_joints()[body]->name());
  }
  const std::string outside = DescribeJointOutside(core, context, 0);
  throw std::runtime_error(fmt::format(
      "MultibodyPlant '{}': the step from time {} found no velocities that "
      "balance all forces. {} Take a time step shorter than {} s.{}{}",
      core.GetSystemPathname(), ToDouble(context.get_time()), why, dt, fastest,
      outside.empty() ? outside : " " + outside));
}

#define WYVERN_INSTANTIATE(T)                                         \
  template decltype(SolveAccelerations<T>) SolveAccelerations<T>;     \
  template decltype(RequireFiniteAccelerations<T>)                    \
      RequireFiniteAccelerations<T>;                                  \
  template decltype(DescribeJointOutside<T>) DescribeJointOutside<T>; \
  template decltype(ThrowNoVelocities<T>) ThrowNoVelocities<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
