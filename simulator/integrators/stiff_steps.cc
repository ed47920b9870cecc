#include "wyvern/simulator/integrators/stiff_steps.h"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

/* The speed of a method is the simulated time that an evaluation of the
derivatives gains. The explicit method gives way when the probe calls the System
stiff. An implicit method then takes a window of 20 steps, or 5 if it is
hopeless, and its speed is compared with the explicit one's. Of the two implicit
methods, the linearly implicit one comes first, because it knows the stiffness
of all blocks, unless its Jacobian of many states costs more than convex steps.
The other is tried unless the first is four times as fast as the explicit
method. The faster one stays. If both are slower than the explicit method, that
goes on, and the next try needs twice the score of the probe. Calm linearly
implicit steps, and a number of convex steps, also lead back to the explicit
method. */

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
// Convex steps have no Jacobian that says when the System is no longer stiff.
// The explicit method is tried again after that many, and each time that it
// gives way soon, after twice as many.
constexpr int kConvexSteps = 100;
constexpr int kMostConvexSteps = 3200;
// The cost of the three implicit steps of a convex trial, in evaluations of the
// derivatives.
constexpr int kCostOfConvexTrial = 6;

}  // namespace

void StiffSteps::Reset(std::unique_ptr<ConvexSteps<double>> convex) {
  standing_ = {};
  linearized_at_.reset();
  convex_ = std::move(convex);
  num_trials_ = {};
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

void StiffSteps::EnterImplicit(double time, const StiffnessProbe& probe) {
  Standing& s = standing_;
  s.explicit_speed = CalcSpeed(time);
  s.radius = probe.spectral_radius();
  s.implicit = true;
  const bool has_many_states =
      has_convex() && convex_->num_states() > kHopeless * kCostOfConvexTrial;
  s.method = has_many_states ? kConvex : kLinearlyImplicit;
  s.speeds = {};
  s.convex_steps = 0;
  StartWindow(time);
}

void StiffSteps::LeaveImplicit(double time) {
  standing_.implicit = false;
  standing_.calm_steps = 0;
  StartWindow(time);
}

void StiffSteps::Compare(double time) {
  Standing& s = standing_;
  const Method other = s.method == kConvex ? kLinearlyImplicit : kConvex;
  double& speed = s.speeds[s.method];
  speed = CalcSpeed(time);
  // The other method is tried once, unless this one is much faster than the
  // explicit method.
  const bool is_other_new = has_convex() && s.speeds[other] == 0 &&
                            speed < kHopeless * s.explicit_speed;
  if (is_other_new ||
      (speed < s.speeds[other] && s.speeds[other] >= s.explicit_speed)) {
    s.method = other;
    s.calm_steps = 0;
    StartWindow(time);
  } else if (speed < s.explicit_speed) {
    s.patience = std::min(2 * s.patience, kMostPatience);
    LeaveImplicit(time);
  } else {
    StartWindow(time);
  }
}

void StiffSteps::Prepare(double time, double h, const StiffnessProbe& probe) {
  linearized_at_.reset();
  Standing& s = standing_;
  ++s.steps;
  if (!s.implicit) {
    if (probe.stiff_score() >= s.patience &&
        s.steps >= StiffnessProbe::kInterval) {
      EnterImplicit(time, probe);
    } else if (s.steps >= 2 * StiffnessProbe::kInterval) {
      StartWindow(time);
    }
    return;
  }
  if (s.method == kConvex) {
    if (++s.convex_steps > s.most_convex_steps) {
      s.most_convex_steps = std::min(2 * s.most_convex_steps, kMostConvexSteps);
      s.patience = kPatience;
      LeaveImplicit(time);
      return;
    }
  } else {
    s.calm_steps = h * s.radius < 1 ? s.calm_steps + 1 : 0;
    if (s.calm_steps >= kCalmSteps) {
      s.patience = kPatience;
      LeaveImplicit(time);
      return;
    }
  }
  const double best = std::max(
      {s.explicit_speed, s.speeds[kLinearlyImplicit], s.speeds[kConvex]});
  const bool hopeless =
      s.steps > kFirstSteps && kHopeless * CalcSpeed(time) < best;
  if (hopeless || s.steps > kWindow) Compare(time);
}

bool StiffSteps::StepConvexly(
    const Eigen::VectorXd& start, double time, double end,
    const ConvexSteps<double>::Surroundings& surroundings,
    Eigen::VectorXd* error) {
  ++num_trials_[kConvex];
  const int64_t before = convex_->num_evaluations();
  bool made = false;
  try {
    made = convex_->Step(start, time, end, surroundings, error);
  } catch (const std::runtime_error&) {
    standing_.convex_failed = true;
    standing_.speeds[kConvex] = 0;
    standing_.method = kLinearlyImplicit;
  }
  standing_.evaluations +=
      kCostOfConvexTrial + convex_->num_evaluations() - before;
  return made;
}

bool StiffSteps::Step(const LinearlyImplicitMethod::Start& start, double end,
                      const LinearlyImplicitMethod::Derivatives& f,
                      StiffnessProbe* probe, Eigen::VectorXd* x,
                      Eigen::VectorXd* error) {
  ++num_trials_[kLinearlyImplicit];
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
      static_cast<double>(s.evaluations), s.explicit_speed, s.radius, s.method,
      s.speeds[0], s.speeds[1], s.convex_steps, s.most_convex_steps,
      s.convex_failed;
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
  s.method =
      carried[8] != 0 && convex_ != nullptr ? kConvex : kLinearlyImplicit;
  s.speeds = {carried[9], carried[10]};
  s.convex_steps = static_cast<int>(carried[11]);
  s.most_convex_steps = static_cast<int>(carried[12]);
  s.convex_failed = carried[13] != 0;
  linearized_at_.reset();
}

}  // namespace wyvern::systems::internal
