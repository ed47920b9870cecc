#include "wyvern/simulator/integrators/integrator_base.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "wyvern/simulator/integrators/difference_step.h"
#include "wyvern/simulator/integrators/state_component_name.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/nice_type_name.h"
#include "wyvern/systems/common/to_double.h"

// Watches the steps for stiffness.

namespace wyvern::systems {

// Computes differences of the derivatives at the start of the step, along
// directions that the probe chooses.
template <typename T>
void IntegratorBase<T>::ProbeStiffness() {
  double size = 0;
  for (int i = 0; i < start_state_.size(); ++i) {
    size = std::max(size, std::abs(ToDouble(start_state_[i])));
  }
  const double step = internal::ForwardDifferenceStep(size);
  const auto product = [&](const Eigen::VectorXd& x, Eigen::VectorXd* y) {
    nearby_state_ = start_state_ + (step * x).template cast<T>();
    if (!CalcDerivatives(start_time_, nearby_state_, &nearby_derivative_)) {
      return false;
    }
    for (int i = 0; i < y->size(); ++i) {
      (*y)[i] =
          ToDouble(T(nearby_derivative_[i] - start_derivative_[i])) / step;
    }
    return true;
  };
  stiffness_.Probe(ToDouble(ideal_next_step_size_), std::cref(product));
  non_finite_.reset();
  RestoreStart();
}

template <typename T>
std::string IntegratorBase<T>::DescribeDifficulties() const {
  const std::string difficulties = system_.DescribeDifficulties(*context_);
  return difficulties.empty() ? "" : " " + difficulties;
}

template <typename T>
std::string IntegratorBase<T>::DescribeSmallSteps() const {
  const double h = ToDouble(ideal_next_step_size_);
  if (DoIsBoundByStability() && h * stiffness_.spectral_radius() > 1) {
    return fmt::format(
        "The derivatives are stiff: the fastest part of the state, mostly {}, "
        "settles or swings within {:.2g} s, and {} is stable only with steps "
        "as small as that. Look for dry friction, contact, joint limits, stiff "
        "springs or high gains there; soften them, or choose an integrator for "
        "stiff systems, such as RadauIntegrator or ImplicitEulerIntegrator.{}",
        internal::NameStateElement(*context_, stiffness_.fastest_element()),
        1 / stiffness_.spectral_radius(), NiceTypeName::Get(*this),
        DescribeDifficulties());
  }
  return fmt::format(
      "The largest error of a step is in {}. Look for a derivative that jumps "
      "or swings fast there, or loosen the accuracy ({}).{}",
      norm_.NameWorst(*context_), accuracy_in_use_, DescribeDifficulties());
}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::IntegratorBase);
