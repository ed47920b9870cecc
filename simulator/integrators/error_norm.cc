#include "wyvern/simulator/integrators/error_norm.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/simulator/integrators/state_component_name.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::systems::internal {

template <typename T>
void ErrorNorm<T>::Resize(const ContinuousState<T>& xc) {
  if (v_weights_.size() != xc.num_v()) v_weights_.setOnes(xc.num_v());
  if (z_weights_.size() != xc.num_z()) z_weights_.setOnes(xc.num_z());
  constexpr char kWho[] = "IntegratorBase::Initialize";
  wyvern::internal::RequireNonNegative(kWho, "generalized_state_weight",
                                       v_weights_);
  wyvern::internal::RequireNonNegative(kWho, "misc_state_weight", z_weights_);
  dq_.setZero(xc.num_q());
  dq_as_v_ = std::make_unique<BasicVector<T>>(xc.num_v());
}

template <typename T>
void ErrorNorm<T>::Include(const VectorBase<T>& x,
                           const Eigen::VectorXd* weights, int first,
                           T* norm) const {
  using std::abs;
  for (int i = 0; i < x.size(); ++i) {
    // Written so that weight zero ignores what is not finite, too.
    if (weights && (*weights)[i] == 0) continue;
    const T value = weights ? T(abs(x[i]) * (*weights)[i]) : T(abs(x[i]));
    // Written so that a NaN gets in, and stays.
    if (!(value <= *norm) && *norm == *norm) {
      *norm = value;
      worst_ = first + i;
    }
  }
}

template <typename T>
T ErrorNorm<T>::Calc(const System<T>& system, const Context<T>& context,
                     const ContinuousState<T>& dx) const {
  const int nq = dx.num_q();
  const int nv = dx.num_v();
  T norm(0.0);
  worst_ = 0;
  if (nq > 0 && nv > 0) {
    dx.get_generalized_position().CopyToPreSizedVector(&dq_);
    system.MapQDotToVelocity(context, dq_, dq_as_v_.get());
    Include(*dq_as_v_, &v_weights_, 0, &norm);
  } else {
    Include(dx.get_generalized_position(), nullptr, 0, &norm);
  }
  Include(dx.get_generalized_velocity(), &v_weights_, nq, &norm);
  Include(dx.get_misc_continuous_state(), &z_weights_, nq + nv, &norm);
  return norm;
}

template <typename T>
std::string ErrorNorm<T>::NameWorst(const Context<T>& context) const {
  const ContinuousState<T>& xc = context.get_continuous_state();
  if (worst_ < xc.num_q() && xc.num_v() > 0) {
    return fmt::format("the position change along velocity {}",
                       NameStateComponent(context, xc.num_q() + worst_));
  }
  return NameStateComponent(context, worst_);
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::ErrorNorm);
