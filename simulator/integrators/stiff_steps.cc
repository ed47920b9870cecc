#include "wyvern/simulator/integrators/stiff_steps.h"

#include <algorithm>
#include <functional>

namespace wyvern::systems::internal {
namespace {

constexpr int kPatience = 4;
constexpr int kMostPatience = 256;
// Steps after which the implicit method's speed is looked at.
constexpr int kWindow = 20;
// Number of first steps when the method is this many times slower.
constexpr int kFirstSteps = 5;
constexpr double kHopeless = 4;
// Calm steps in a row after which the explicit method takes over.
constexpr int kCalmSteps = 10;

}  // namespace

void StiffSteps::Reset() {
  standing_ = {};
  linearized_at_.reset();
  num_trials_ = 0;
}

double StiffSteps::CalcSpeed(double time) const {
  return (time - standing_.window_start) /
         static_cast<double>(std::max<int64_t>(standing_.evaluations, 1));
}

void StiffSteps::StartWindow(double time) {
  standing_.window_start = time;
  standing_.steps = 0;
  standing_.evaluations = 0;
}

void StiffSteps::LeaveImplicit(double time) {
  standing_.implicit = false;
  standing_.calm_steps = 0;
  StartWindow(time);
}

void StiffSteps::Prepare(double time, double h, const StiffnessProbe& probe) {
  linearized_at_.reset();
  Standing& s = standing_;
  ++s.steps;
  if (!s.implicit) {
    if (probe.stiff_score() >= s.patience &&
        s.steps >= StiffnessProbe::kInterval) {
      s.explicit_speed = CalcSpeed(time);
      s.radius = probe.spectral_radius();
      s.implicit = true;
      StartWindow(time);
    } else if (s.steps >= 2 * StiffnessProbe::kInterval) {
      StartWindow(time);
    }
    return;
  }
  s.calm_steps = h * s.radius < 1 ? s.calm_steps + 1 : 0;
  if (s.calm_steps >= kCalmSteps) {
    s.patience = kPatience;
    LeaveImplicit(time);
    return;
  }
  const bool hopeless =
      s.steps > kFirstSteps && kHopeless * CalcSpeed(time) < s.explicit_speed;
  if (hopeless || s.steps > kWindow) {
    if (CalcSpeed(time) < s.explicit_speed) {
      s.patience = std::min(2 * s.patience, kMostPatience);
      LeaveImplicit(time);
    } else {
      StartWindow(time);
    }
  }
}

bool StiffSteps::Step(const LinearlyImplicitMethod::Start& start, double end,
                      const LinearlyImplicitMethod::Derivatives& f,
                      StiffnessProbe* probe, Eigen::VectorXd* x,
                      Eigen::VectorXd* error) {
  ++num_trials_;
  if (linearized_at_ != start.time) {
    standing_.evaluations += start.x.size() + 1;
    if (!method_.Linearize(start, f)) return false;
    linearized_at_ = start.time;
    const auto product = [this](const Eigen::VectorXd& v, Eigen::VectorXd* Jv) {
      Jv->noalias() = method_.jacobian() * v;
      return true;
    };
    probe->Estimate(std::cref(product));
    standing_.radius = probe->spectral_radius();
  }
  standing_.evaluations += 2;
  return method_.Step(start, end, f, x, error);
}

void StiffSteps::Save(Eigen::Ref<Eigen::VectorXd> carried) const {
  const Standing& s = standing_;
  carried << s.implicit, s.patience, s.calm_steps, s.window_start, s.steps,
      static_cast<double>(s.evaluations), s.explicit_speed, s.radius;
}

void StiffSteps::Restore(const Eigen::Ref<const Eigen::VectorXd>& carried) {
  Standing& s = standing_;
  s.implicit = carried[0] != 0;
  s.patience = static_cast<int>(carried[1]);
  s.calm_steps = static_cast<int>(carried[2]);
  s.window_start = carried[3];
  s.steps = static_cast<int>(carried[4]);
  s.evaluations = static_cast<int64_t>(carried[5]);
  s.explicit_speed = carried[6];
  s.radius = carried[7];
  linearized_at_.reset();
}

}  // namespace wyvern::systems::internal
