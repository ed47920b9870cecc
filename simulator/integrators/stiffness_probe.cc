#include "wyvern/simulator/integrators/stiffness_probe.h"

#include <algorithm>
#include <cmath>

namespace wyvern::systems::internal {

void StiffnessProbe::Reset(int num_states) {
  steps_ = 0;
  stiff_score_ = 0;
  probes_ = 0;
  stiff_probes_ = 0;
  is_stiff_for_long_ = false;
  radius_ = 0;
  y_.setZero(num_states);
  x_.resize(num_states);
  ForgetDirection();
}

// Any direction will do that no symmetry makes blind to a part of the state.
void StiffnessProbe::ForgetDirection() {
  for (int i = 0; i < x_.size(); ++i) x_[i] = std::cos(1.0 + i);
  x_.normalize();
}

bool StiffnessProbe::IsDue() {
  if (++steps_ < kInterval) return false;
  steps_ = 0;
  return true;
}

void StiffnessProbe::Estimate(const Product& product) {
  // The mean growth of two products: in [0, 1; -k, 0], say, one alone is 1 or
  // k where the spectral radius is the root of k.
  double growth = 1;
  for (int i = 0; i < 2 && growth > 0; ++i) {
    const bool made = product(x_, &y_);
    const double size = made ? y_.norm() : 0.0;
    if (!(size > 0) || !std::isfinite(size)) {
      growth = 0;
      ForgetDirection();
    } else {
      growth *= size;
      x_ = y_ / size;
    }
  }
  radius_ = std::isfinite(growth) ? std::sqrt(growth) : 0.0;
}

void StiffnessProbe::Probe(double h, const Product& product) {
  Estimate(product);
  const bool stiff = h * radius_ > 1;
  stiff_score_ = stiff ? stiff_score_ + 2 : std::max(stiff_score_ - 1, 0);
  ++probes_;
  if (stiff) ++stiff_probes_;
  if (probes_ == kLongRun) {
    is_stiff_for_long_ = 10 * stiff_probes_ >= 9 * kLongRun;
    probes_ = 0;
    stiff_probes_ = 0;
  }
}

int StiffnessProbe::fastest_element() const {
  Eigen::Index index = 0;
  if (x_.size() > 0) x_.cwiseAbs().maxCoeff(&index);
  return static_cast<int>(index);
}

void StiffnessProbe::Save(Eigen::Ref<Eigen::VectorXd> carried) const {
  carried.head<5>() << steps_, stiff_score_, probes_, stiff_probes_, radius_;
  carried.tail(x_.size()) = x_;
}

void StiffnessProbe::Restore(const Eigen::Ref<const Eigen::VectorXd>& carried) {
  steps_ = static_cast<int>(carried[0]);
  stiff_score_ = static_cast<int>(carried[1]);
  probes_ = static_cast<int>(carried[2]);
  stiff_probes_ = static_cast<int>(carried[3]);
  radius_ = carried[4];
  x_ = carried.tail(x_.size());
}

}  // namespace wyvern::systems::internal
