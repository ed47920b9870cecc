// A thermostat: a continuous temperature and a heater that is on or off.
//
//   22 C  - - - -/\- - - - -/\- -      T' = -(T - T_out) / tau + [on] r
//               /  \       /  \        off when T rises through 22 C,
//   20 C  -/- -/- - \- - -/- - \-      on when it falls through 20 C
//         off: on  off   on
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/leaf_system.h"

using namespace wyvern::systems;  // NOLINT(build/namespaces)

constexpr double kOutside = 10, kLow = 20, kHigh = 22;               // C
constexpr double kTimeConstant = 1800 /* s */, kHeating = 1.0 / 60;  // K/s

class Room final : public LeafSystem<double> {
 public:
  Room() {
    DeclareContinuousState(BasicVector<double>{21});
    DeclareAbstractState(wyvern::Value<bool>(false));  // Is the heater on?
    limit_ = MakeWitnessFunction(
        "limit", WitnessFunctionDirection::kPositiveThenNonPositive,
        &Room::CalcDistanceToLimit, &Room::Switch);
  }
  const std::vector<double>& times_on() const { return times_on_; }

 private:
  static bool IsOn(const Context<double>& context) {
    return context.get_abstract_state<bool>(0);
  }
  static double Temperature(const Context<double>& context) {
    return context.get_continuous_state_vector()[0];
  }
  void DoCalcTimeDerivatives(const Context<double>& context,
                             ContinuousState<double>* xdot) const final {
    xdot->get_mutable_vector()[0] =
        (kOutside - Temperature(context)) / kTimeConstant +
        (IsOn(context) ? kHeating : 0);
  }
  void DoGetWitnessFunctions(
      const Context<double>&,
      std::vector<const WitnessFunction<double>*>* all) const final {
    all->push_back(limit_.get());
  }
  double CalcDistanceToLimit(const Context<double>& context) const {
    return IsOn(context) ? kHigh - Temperature(context)
                         : Temperature(context) - kLow;
  }
  void Switch(const Context<double>& context,
              const UnrestrictedUpdateEvent<double>&,
              State<double>* state) const {
    state->get_mutable_abstract_state<bool>(0) = !IsOn(context);
    if (!IsOn(context)) times_on_.push_back(context.get_time());
  }
  std::unique_ptr<WitnessFunction<double>> limit_;
  mutable std::vector<double> times_on_;
};

int main() {
  const Room room;
  Simulator<double> simulator(room);
  simulator.get_mutable_integrator().set_maximum_step_size(60);  // s
  simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  simulator.AdvanceTo(3600);
  // Exponentials towards 40 C and 10 C.
  const auto& on = room.times_on();
  const double hot = kOutside + kHeating * kTimeConstant;
  const double period =
      kTimeConstant * std::log((hot - kLow) / (hot - kHigh) *
                               (kHigh - kOutside) / (kLow - kOutside));
  for (const double t : on) fmt::print("on at {:11.6f} s\n", t);
  const double error = (on.back() - on.front()) / (on.size() - 1) - period;
  fmt::print("closed form: {:.6f} s, off by {:.1e} s\n", period, error);
  return std::abs(error) < 1e-5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
