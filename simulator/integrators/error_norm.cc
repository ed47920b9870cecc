#include "wyvern/simulator/integrators/error_norm.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/simulator/integrators/state_component_name.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::systems::internal {

template <typename T>
void ErrorNorm<T>::Resize(const ContinuousState<T>& xc) {
  if (v_weights_.size() != xc.num_v()) v_weights_.setOnes(xc.num_v());
  if (z_weights_.size() != xc.num_z()) z_weights_.setOnes(xc.num_z());
  constexpr char kWho[] = "IntegratorBase::Initialize";
  wyvern::internal::RequireNonNegative(kWho, "generalized_state_weight",
                                       v_weights_);
  wyvern::internal::RequireNonNegative(kWho, "misc_state_weight", z_weights_);
  scales_.SetOnes(xc.num_q(), xc.num_v(), xc.num_z());
  dq_.setZero(xc.num_q());
  dq_as_v_ = std::make_unique<BasicVector<T>>(xc.num_v());
}

template <typename T>
void ErrorNorm<T>::Include(const T& x, double weight, double unit, int index,
                           T* norm) const {
  using std::abs;
  // Written so that weight zero ignores what is not finite, too.
  if (weight == 0) return;
  const T value = T(abs(x) * (weight / unit));
  // Written so that a NaN gets in, and stays.
  if (!(value <= *norm) && *norm == *norm) {
    *norm = value;
    worst_ = index;
  }
}

template <typename T>
T ErrorNorm<T>::Calc(const System<T>& system, const Context<T>& context,
                     const ContinuousState<T>& dx) const {
  const int nq = dx.num_q();
  const int nv = dx.num_v();
  const VectorBase<T>& dq = dx.get_generalized_position();
  const VectorBase<T>& dv = dx.get_generalized_velocity();
  const VectorBase<T>& dz = dx.get_misc_continuous_state();
  T norm(0.0);
  worst_ = 0;
  if (scales_.measures_by_velocity()) {
    dq.CopyToPreSizedVector(&dq_);
    system.MapQDotToVelocity(context, dq_, dq_as_v_.get());
    for (int k = 0; k < nv; ++k) {
      if (!scales_.is_measured_by_velocity(k)) continue;
      const double weight = v_weights_[k];
      Include((*dq_as_v_)[k], weight, scales_.CalcPositionUnit(k, weight),
              -1 - k, &norm);
    }
  }
  for (int i = 0; i < nq; ++i) {
    if (!scales_.is_measured_alone(i)) continue;
    Include(dq[i], 1, scales_.CalcUnit(i, 1), i, &norm);
  }
  for (int k = 0; k < nv; ++k) {
    const int i = nq + k;
    Include(dv[k], v_weights_[k], scales_.CalcUnit(i, v_weights_[k]), i, &norm);
  }
  for (int k = 0; k < dz.size(); ++k) {
    const int i = nq + nv + k;
    Include(dz[k], z_weights_[k], scales_.CalcUnit(i, z_weights_[k]), i, &norm);
  }
  return norm;
}

template <typename T>
std::string ErrorNorm<T>::NameWorst(const Context<T>& context) const {
  if (worst_ < 0) {
    const int num_q = context.get_continuous_state().num_q();
    return fmt::format("the position change along velocity {}",
                       NameStateComponent(context, num_q - 1 - worst_));
  }
  return NameStateComponent(context, worst_);
}

}  // namespace wyvern::systems::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::internal::ErrorNorm);
