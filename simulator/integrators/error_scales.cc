#include "wyvern/simulator/integrators/error_scales.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/simulator/integrators/state_component_name.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/framework/diagram_context.h"

/* A step's error is compared with the accuracy a in units of the bound (1) or
(2) in the header, divided by a. The units are constant during the iterations of
a step: Newton's method compares its changes with one another. StartStep()
computes the units from the largest magnitudes so far, and ReachEnd() once more
with the step's end. A group that was zero so far has no scale, so the change
that its derivatives promise stands in. That change does not serve later steps:
for a stiff element it is much larger than the element. */

namespace wyvern::systems::internal {
namespace {

// Scales of this size or more have absolute errors.
constexpr double kOrdinaryScale = 0.1;
// Relative errors of small scales, as a share of the accuracy.
constexpr double kShareOfSmallScale = 0.1;
// Relative error of growth, in units of the accuracy.
constexpr double kShareOfGrowth = 100;
// The largest error relative to the scale, for accuracies that ask for little.
constexpr double kMostOfScale = 0.1;
// The least bound of an error, relative to 1 and to the whole state: rounding.
constexpr double kLeastError = 1e-15;
// The least size in a relative tolerance that has no absolute one beside it, as
// a share of the element's largest magnitude.
constexpr double kLeastShareOfElement = 1e-3;
// The least scale of an element of z, as a share of the largest z of its
// System.
constexpr double kLeastShareOfSystem = 1e-2;
// Steps below this share of the longest one have absolute errors.
constexpr double kShortestRelative = 1e-7;
constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

// Appends the leaf System of each element of part `part`: 0 for q, 1 for v, 2
// for z.
template <typename T>
void AppendLeaves(const Context<T>& context, int part, int* leaf,
                  std::vector<int>* leaves) {
  if (const auto* all = dynamic_cast<const DiagramContext<T>*>(&context)) {
    for (int i = 0; i < all->num_subcontexts(); ++i) {
      AppendLeaves(all->GetSubsystemContext(SubsystemIndex(i)), part, leaf,
                   leaves);
    }
    return;
  }
  const ContinuousState<T>& xc = context.get_continuous_state();
  const std::array<int, 3> sizes{xc.num_q(), xc.num_v(), xc.num_z()};
  leaves->insert(leaves->end(), sizes[part], *leaf);
  ++*leaf;
}

// Appends the index in [q; v; z] of each element of the state's vector, in
// which the leaves follow one another. `next` has the next q, v and z.
template <typename T>
void AppendOrder(const Context<T>& context, std::array<int, 3>* next,
                 std::vector<int>* order) {
  if (const auto* all = dynamic_cast<const DiagramContext<T>*>(&context)) {
    for (int i = 0; i < all->num_subcontexts(); ++i) {
      AppendOrder(all->GetSubsystemContext(SubsystemIndex(i)), next, order);
    }
    return;
  }
  const ContinuousState<T>& xc = context.get_continuous_state();
  const std::array<int, 3> sizes{xc.num_q(), xc.num_v(), xc.num_z()};
  for (int part = 0; part < 3; ++part) {
    for (int i = 0; i < sizes[part]; ++i) order->push_back((*next)[part]++);
  }
}

// Appends the indices in the whole state of the elements of part `part` that
// belong to `target`, which is `context` or one below it. `index` counts all
// elements.
template <typename T>
void AppendElementsOf(const Context<T>& context, const Context<T>* target,
                      bool is_within, int part, int* index,
                      std::vector<int>* elements) {
  is_within = is_within || &context == target;
  if (const auto* all = dynamic_cast<const DiagramContext<T>*>(&context)) {
    for (int i = 0; i < all->num_subcontexts(); ++i) {
      AppendElementsOf(all->GetSubsystemContext(SubsystemIndex(i)), target,
                       is_within, part, index, elements);
    }
    return;
  }
  const ContinuousState<T>& xc = context.get_continuous_state();
  const std::array<int, 3> sizes{xc.num_q(), xc.num_v(), xc.num_z()};
  for (int i = 0; i < sizes[part]; ++i) {
    if (is_within) elements->push_back(*index);
    ++*index;
  }
}

// Writes a setting's values to the elements of `target`.
template <typename T>
void WriteTolerances(const Context<T>& context, const Context<T>& target,
                     const Eigen::VectorXd& values, Eigen::VectorXd* all) {
  std::vector<int> elements;
  int index = 0;
  for (int part = 0; part < 3; ++part) {
    AppendElementsOf(context, &target, false, part, &index, &elements);
  }
  const int n = static_cast<int>(elements.size());
  if (values.size() != 1) {
    wyvern::internal::RequireSize(
        wyvern::internal::Caller("IntegratorBase, tolerances")
            .Of("subsystem", target.GetSystemPathname()),
        "tolerances", values.size(), n, "give one number, or one for each");
  }
  for (int i = 0; i < n; ++i) {
    (*all)[elements[i]] = values[values.size() == 1 ? 0 : i];
  }
}

}  // namespace

// --- Set-up ----------------------------------------------------------------

template <typename T>
void ErrorScales<T>::SetOnes(int num_q, int num_v, int num_z) {
  const int n = num_q + num_v + num_z;
  num_q_ = num_q;
  num_v_ = num_v;
  group_.assign(n, 0);
  relative_.setConstant(n, kUnset);
  absolute_.setConstant(n, kUnset);
  largest_.setZero(n);
  sizes_.setZero(n);
  step_sizes_.setZero(n);
  units_.setOnes(n);
  position_units_.setOnes(num_v);
  has_own_.assign(n, 0);
  measures_alone_.assign(num_q, num_v == 0 ? 1 : 0);
  measures_by_velocity_.assign(num_v, num_q > 0 ? 1 : 0);
  measures_any_by_velocity_ = num_q > 0 && num_v > 0;
}

template <typename T>
void ErrorScales<T>::FindGroups(const Context<T>& context) {
  const int num_z = static_cast<int>(units_.size()) - num_q_ - num_v_;
  group_.clear();
  for (int part = 0; part < 2; ++part) {
    const size_t first = group_.size();
    num_leaves_ = 0;
    AppendLeaves(context, part, &num_leaves_, &group_);
    for (size_t i = first; i < group_.size(); ++i) {
      group_[i] = 2 * group_[i] + part;
    }
  }
  for (int i = 0; i < num_z; ++i) group_.push_back(2 * num_leaves_ + i);
  num_leaves_ = 0;
  AppendLeaves(context, 2, &num_leaves_, &group_);
  std::array<int, 3> next{0, num_q_, num_q_ + num_v_};
  AppendOrder(context, &next, &group_);
  // After the groups, the largest z of each leaf.
  scale_.setZero(3 * num_leaves_ + num_z);
  start_scale_.setZero(scale_.size());
}

template <typename T>
void ErrorScales<T>::Initialize(const System<T>& system,
                                const Context<T>& context) {
  const ContinuousState<T>& xc = context.get_continuous_state();
  SetOnes(xc.num_q(), xc.num_v(), xc.num_z());
  FindGroups(context);
  for (int i = 0; i < xc.size(); ++i) {
    const double size = std::abs(ToDouble(xc[i]));
    largest_[group_[group_.size() - xc.size() + i]] = size;
  }
  Resolve(system, context);
}

template <typename T>
void ErrorScales<T>::AddTolerance(Kind kind, const System<T>* part,
                                  Eigen::VectorXd values) {
  settings_.push_back({kind, part, std::move(values)});
}

template <typename T>
void ErrorScales<T>::Resolve(const System<T>& system,
                             const Context<T>& context) {
  const int n = static_cast<int>(units_.size());
  relative_.setConstant(kUnset);
  absolute_.setConstant(kUnset);
  for (const Setting& setting : settings_) {
    Eigen::VectorXd& all =
        setting.kind == Kind::kRelative ? relative_ : absolute_;
    WriteTolerances(context,
                    setting.part == nullptr
                        ? context
                        : system.GetSubsystemContext(*setting.part, context),
                    setting.values, &all);
  }
  for (int i = 0; i < n; ++i) {
    const bool has_relative = !std::isnan(relative_[i]);
    const bool has_absolute = !std::isnan(absolute_[i]);
    has_own_[i] = has_relative || has_absolute ? 1 : 0;
    if (!has_own_[i]) continue;
    const double sum = (has_relative ? relative_[i] : 0.0) +
                       (has_absolute ? absolute_[i] : 0.0);
    if (!(sum > 0)) {
      throw std::logic_error(fmt::format(
          "IntegratorBase::Initialize(): the tolerances of {} allow no error: "
          "none is positive; give a positive absolute or relative one.",
          NameStateComponent(context, i)));
    }
  }
  ChoosePositions();
}

template <typename T>
double ErrorScales<T>::CalcLeastSize(int j) const {
  const int i = group_[group_.size() - has_own_.size() + j];
  if (!has_own_[i]) return 1;
  const double r = relative_[i] > 0 ? relative_[i] : accuracy_;
  const double c = std::isnan(absolute_[i])
                       ? kLeastShareOfElement * r * sizes_[i]
                       : absolute_[i];
  return c > 0 ? std::min(1.0, c / r) : 1.0;
}

// Positions are measured along velocities, or else one by one.
template <typename T>
void ErrorScales<T>::ChoosePositions() {
  std::vector<uint8_t> is_alone(num_leaves_, 1);
  for (int k = 0; k < num_v_; ++k) is_alone[group_[num_q_ + k] / 2] = 0;
  for (int i = 0; i < num_q_; ++i) {
    if (has_own_[i]) is_alone[group_[i] / 2] = 1;
  }
  for (int i = 0; i < num_q_; ++i) measures_alone_[i] = is_alone[group_[i] / 2];
  measures_any_by_velocity_ = false;
  for (int k = 0; k < num_v_; ++k) {
    measures_by_velocity_[k] = is_alone[group_[num_q_ + k] / 2] ? 0 : 1;
    if (measures_by_velocity_[k]) measures_any_by_velocity_ = true;
  }
}

// --- Steps -----------------------------------------------------------------

template <typename T>
void ErrorScales<T>::StartStep(double accuracy, const VectorX<T>& x0,
                               const VectorX<T>& xdot0, double h,
                               double longest) {
  accuracy_ = accuracy;
  is_shortest_ = h < kShortestRelative * longest;
  const int* const order = group_.data() + group_.size() - x0.size();
  for (int j = 0; j < x0.size(); ++j) {
    const int i = order[j];
    step_sizes_[i] = std::abs(ToDouble(x0[j]));
    sizes_[i] = std::max(largest_[i], step_sizes_[i]);
  }
  CalcGroupScales();
  start_scale_ = scale_;
  for (int j = 0; j < x0.size(); ++j) {
    const int g = group_[order[j]];
    if (start_scale_[g] > 0) continue;
    scale_[g] = std::max(scale_[g], h * std::abs(ToDouble(xdot0[j])));
  }
  CalcUnits();
}

template <typename T>
void ErrorScales<T>::ReachEnd(const VectorX<T>& x1) {
  const int* const order = group_.data() + group_.size() - x1.size();
  for (int j = 0; j < x1.size(); ++j) {
    const int i = order[j];
    const double size = std::abs(ToDouble(x1[j]));
    step_sizes_[i] = std::max(step_sizes_[i], size);
    sizes_[i] = std::max(sizes_[i], size);
  }
  CalcGroupScales();
  CalcUnits();
}

template <typename T>
void ErrorScales<T>::CalcGroupScales() {
  scale_.setZero();
  for (int i = 0; i < sizes_.size(); ++i) {
    scale_[group_[i]] = std::max(scale_[group_[i]], sizes_[i]);
  }
  for (int l = 0; l < num_leaves_; ++l) {
    scale_[2 * l + 1] = std::max(scale_[2 * l + 1], scale_[2 * l]);
  }
  const int n = static_cast<int>(sizes_.size());
  const int num_z = n - num_q_ - num_v_;
  const auto leaf_scale = [&](int k) -> double& {
    return scale_[2 * num_leaves_ + num_z + group_[n + k]];
  };
  for (int k = 0; k < num_z; ++k) {
    leaf_scale(k) = std::max(leaf_scale(k), sizes_[n - num_z + k]);
  }
  for (int k = 0; k < num_z; ++k) {
    double& scale = scale_[2 * num_leaves_ + k];
    scale = std::max(scale, kLeastShareOfSystem * leaf_scale(k));
  }
}

template <typename T>
double ErrorScales<T>::CalcOwnTolerance(int i, double least) const {
  const double r = std::isnan(relative_[i]) ? 0.0 : relative_[i];
  if (std::isnan(absolute_[i])) {
    const double c = kLeastShareOfElement * r * sizes_[i];
    return std::max(c + r * step_sizes_[i], least);
  }
  return std::max(absolute_[i] + r * step_sizes_[i],
                  std::numeric_limits<double>::min());
}

template <typename T>
void ErrorScales<T>::CalcUnits() {
  const int n = static_cast<int>(sizes_.size());
  if (n == 0) return;
  const double least = kLeastError * std::max(1.0, sizes_.maxCoeff());
  const auto calc_unit = [&](int g) {
    if (is_shortest_) return 1.0;
    const double s = scale_[g];
    const double share = s / kOrdinaryScale;
    const double bound = std::max(kShareOfSmallScale * s, share * share) +
                         kShareOfGrowth * (s - start_scale_[g]);
    return std::min(1.0, std::max(std::min(bound, kMostOfScale * s / accuracy_),
                                  least / accuracy_));
  };
  for (int i = 0; i < n; ++i) {
    units_[i] = has_own_[i] ? CalcOwnTolerance(i, least) / accuracy_
                            : calc_unit(group_[i]);
  }
  for (int k = 0; k < num_v_; ++k) {
    position_units_[k] = calc_unit(group_[num_q_ + k] - 1);
  }
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::ErrorScales);
