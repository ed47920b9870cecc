#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>

#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/constraint_sets/assembly_units.h"
#include "wyvern/multibody/dynamics/length_scale.h"
#include "wyvern/multibody/step/rows/locked_velocities.h"
#include "wyvern/multibody/tree/argument_checks.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

// Computes velocities of an assembly: those nearest to the given ones with
// G v = 0, by steps of WeightedSteps until only rounding is left.

namespace wyvern::multibody {

using internal::MultibodyTreeSystem;
using systems::Context;

namespace {

// Returns whether each row of G v is 0 to rounding of its terms.
template <typename T>
bool IsMet(const MatrixX<T>& G, const VectorX<T>& v, const VectorX<T>& Gv) {
  for (int r = 0; r < G.rows(); ++r) {
    double size = 0;
    for (int k = 0; k < v.size(); ++k) {
      size += std::abs(ToDouble(G(r, k)) * ToDouble(v[k]));
    }
    if (std::abs(ToDouble(Gv[r])) > 1e-15 * size) return false;
  }
  return true;
}

template <typename T>
double NormOfVelocity(const VectorX<T>& v) {
  double sum = 0;
  for (int i = 0; i < v.size(); ++i) {
    const double value = ToDouble(v[i]);
    sum += value * value;
  }
  return std::sqrt(sum);
}

}  // namespace

namespace shared {

template <typename T>
void CalcAssemblyQDot(const MultibodyTreeSystem<T>& plant,
                      const Context<T>& context, const ConstraintSet<T>& set,
                      ConstrainedSystem<T>* system, EigenPtr<VectorX<T>> v,
                      const Eigen::Ref<const VectorX<double>>& weights) {
  constexpr std::string_view kFunction = "CalcAssemblyQDot";
  constexpr int kIterations = 30, kCorrections = 3;
  ConstrainedSystem<T>& s = set.RequireReady(plant, context, system, kFunction);
  internal::RequireResult<T>(kFunction, "v", v, plant.num_v());
  RequireWeights(kFunction, weights, plant.num_v());
  set.UpdateJacobian(plant, context, &s);
  internal::ClearLockedColumns(plant.EvalLockedVelocities(context).is_locked,
                               &s.G);
  const auto v0 = plant.VelocitiesOf(context);
  VectorX<T>& now = s.c;
  VectorX<T>& change = s.scratch.z;
  VectorX<T>& delta = s.scratch.w;
  VectorX<T>& error = s.velocity_error;
  now = v0;
  error.noalias() = s.G * now;
  *v = now;
  if (std::is_same_v<T, double> && IsMet(s.G, now, error)) return;
  WeightedSteps<T>& steps = s.steps;
  const auto& model = plant.model();
  const double link_length = AssemblyUnits<T>::LengthOf(plant, context);
  steps.SetWeights(weights, [&model, link_length](int i) {
    return dynamics::UnitOfVelocity(model, i, link_length);
  });
  steps.SetJacobian(s.G);
  set.SolveInNameOf(kFunction, [&] { steps.Factorize(0); });
  double last = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kIterations; ++k) {
    change = now - v0;
    steps.CalcStep(change, error, &delta);
    const double length = NormOfVelocity(delta);
    // A correction that does not shrink is rounding.
    if (!(length < 0.5 * last)) break;
    now += delta;
    error.noalias() = s.G * now;
    if (length <= 1e-15 * NormOfVelocity(now)) break;
    if (steps.is_exact() && IsMet(s.G, now, error)) break;
    last = length;
  }
  // Removes the error that rounding has left in G v; `change` = 0 means that v
  // stays where it is otherwise.
  change.setZero();
  for (int k = 0; k < kCorrections && !IsMet(s.G, now, error); ++k) {
    steps.CalcStep(change, error, &delta);
    now += delta;
    error.noalias() = s.G * now;
  }
  *v = now;
}

#define WYVERN_INSTANTIATE(T)                                                 \
  template void CalcAssemblyQDot(const MultibodyTreeSystem<T>&,               \
                                 const Context<T>&, const ConstraintSet<T>&,  \
                                 ConstrainedSystem<T>*, EigenPtr<VectorX<T>>, \
                                 const Eigen::Ref<const VectorX<double>>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace shared
}  // namespace wyvern::multibody
