#include "wyvern/multibody/parsing/mjcf_servo.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

/* All forms of actuators are one thing with different defaults: a <position>
in a default class sets the same gain and bias that a <general> would. So the
layers are gone through from the outermost default to the element itself, and
each sets what its form sets. A <muscle> sets its nine numbers as those of
the gain and of the bias, and its time constants as those of the dynamics. */

namespace wyvern::multibody::internal {

namespace {

/** One layer after another. */
class ServoReader {
 public:
  void ReadLayer(const XmlElement& layer) {
    const MjcfElement element(layer, {});
    for (const char* const attribute : {"delay", "nsample"}) {
      if (element.Number(attribute, 0) == 0) continue;
      element.Throw(fmt::format("{} is not modelled; remove it.", attribute));
    }
    for (const char* const attribute : {"input", "velrange", "ffrange"}) {
      if (!element.Has(attribute)) continue;
      element.Throw(fmt::format("{} is not modelled; remove it.", attribute));
    }
    if (layer.IsNamed("general")) {
      ReadGeneral(element);
    } else if (layer.IsNamed("motor")) {
      Reset();
    } else if (layer.IsNamed("position")) {
      ReadPosition(element);
    } else if (layer.IsNamed("intvelocity")) {
      ReadPosition(element);
      dyntype_ = "integrator";
    } else if (layer.IsNamed("velocity")) {
      ReadVelocity(element);
    } else if (layer.IsNamed("muscle")) {
      ReadMuscle(element);
    } else {
      is_other_ = true;
    }
  }

  MjcfServo Finish(const MjcfElement& actuator) const {
    const auto refuse = [&](bool wrong, std::string_view what) {
      if (!wrong) return;
      actuator.Throw(
          fmt::format("{} is not modelled; those of a force that is affine in "
                      "position and velocity are.",
                      what));
    };
    refuse(is_other_, fmt::format("an actuator <{}>", actuator.own().name()));
    if (gaintype_ == "muscle") return FinishMuscle(actuator);
    refuse(dyntype_ != "none" && dyntype_ != "integrator" &&
               dyntype_ != "filter" && dyntype_ != "filterexact",
           fmt::format("dyntype=\"{}\"", dyntype_));
    refuse(gaintype_ != "fixed" && !gain_.segment<2>(1).isZero(0),
           fmt::format("gaintype=\"{}\"", gaintype_));
    refuse(gaintype_ != "fixed" && gaintype_ != "affine",
           fmt::format("gaintype=\"{}\"", gaintype_));
    refuse(biastype_ != "none" && biastype_ != "affine",
           fmt::format("biastype=\"{}\"", biastype_));
    MjcfServo result{.gain = gain_[0], .dynamics = dyntype_};
    if (biastype_ == "affine") result.bias = bias_.head<3>();
    if (result.bias[2] > 0 && result.bias[1] == -result.gain) {
      result.damping_ratio = result.bias[2];
      result.bias[2] = 0;
    }
    refuse(result.bias[1] > 0 || result.bias[2] > 0,
           "a bias that grows with position or velocity");
    return result;
  }

 private:
  // As many as an attribute has.
  using Numbers = Eigen::Matrix<double, 10, 1>;

  void Reset() {
    gain_ = Numbers::Unit(0);
    bias_.setZero();
    dynamics_ = Numbers::Unit(0);
    gaintype_ = "fixed";
    biastype_ = "none";
    dyntype_ = "none";
    is_other_ = false;
  }

  MjcfServo FinishMuscle(const MjcfElement& actuator) const {
    if (dyntype_ != "muscle" || biastype_ == "affine") {
      actuator.Throw(fmt::format(
          "dyntype \"{}\" and biastype \"{}\" with the gaintype of a muscle "
          "are "
          "not modelled; give dyntype=\"muscle\" and biastype=\"muscle\".",
          dyntype_, biastype_));
    }
    if (biastype_ == "muscle" && bias_.head<9>() != gain_.head<9>()) {
      actuator.Throw(
          "the biasprm of a muscle must be its gainprm; give the same nine "
          "numbers.");
    }
    MuscleProperties muscle{.operating_range = gain_.head<2>(),
                            .peak_force = gain_[2],
                            .force_scale = gain_[3],
                            .min_length = gain_[4],
                            .max_length = gain_[5],
                            .max_velocity = gain_[6],
                            .max_passive_force = gain_[7],
                            .max_lengthening_force = gain_[8],
                            .activation_time = dynamics_[0],
                            .deactivation_time = dynamics_[1],
                            .smoothing = dynamics_[2]};
    if (biastype_ != "muscle") muscle.max_passive_force = 0;
    return {.muscle = muscle};
  }

  void ReadGeneral(const MjcfElement& element) {
    is_other_ = false;
    gaintype_ = element.Text("gaintype", gaintype_);
    biastype_ = element.Text("biastype", biastype_);
    dyntype_ = element.Text("dyntype", dyntype_);
    gain_ = element.Numbers("gainprm", gain_);
    bias_ = element.Numbers("biasprm", bias_);
    dynamics_ = element.Numbers("dynprm", dynamics_);
  }

  // A muscle's number that is still what it is for all actuators takes the
  // default of muscles; an attribute that is negative leaves it so.
  void ReadMuscle(const MjcfElement& element) {
    is_other_ = false;
    const std::array<double, 9> usual{0.75, 1.05, -1,  200, 0.5,
                                      1.6,  1.5,  1.3, 1.2};
    for (int i = 0; i < 9; ++i) {
      if (gain_[i] == (i == 0 ? 1 : 0)) gain_[i] = usual[i];
    }
    if (dynamics_[0] == 1) dynamics_[0] = 0.01;
    if (dynamics_[1] == 0) dynamics_[1] = 0.04;
    dynamics_[2] = element.NotNegative("tausmooth", dynamics_[2]);
    const Vector2<double> absent(-1, -1);
    const auto take = [](double given, double* number) {
      if (given >= 0) *number = given;
    };
    for (int i = 0; i < 2; ++i) {
      take(element.Numbers("timeconst", absent)[i], &dynamics_[i]);
      take(element.Numbers("range", absent)[i], &gain_[i]);
    }
    const std::array<const char*, 7> names{"force", "scale", "lmin", "lmax",
                                           "vmax",  "fpmax", "fvmax"};
    for (int i = 0; i < 7; ++i) {
      take(element.Number(names[i], -1), &gain_[i + 2]);
    }
    bias_ = gain_;
    dyntype_ = gaintype_ = biastype_ = "muscle";
  }

  // Gains of one layer stay in the next layer of the same form. The damping
  // ratio is written as a positive bias.
  void ReadPosition(const MjcfElement& element) {
    if (biastype_ != "affine" || bias_[1] == 0) Reset();
    is_other_ = false;
    const double kp = element.NotNegative("kp", gain_[0]);
    gain_ = kp * Numbers::Unit(0);
    bias_[0] = 0;
    bias_[1] = -kp;
    gaintype_ = "fixed";
    biastype_ = "affine";
    dyntype_ = element.Number("timeconst", 0) > 0 ? "filterexact" : "none";
    if (element.Has("kv")) bias_[2] = -element.NotNegative("kv", 0);
    if (element.Has("dampratio")) {
      bias_[2] = element.NotNegative("dampratio", 0);
    }
  }

  void ReadVelocity(const MjcfElement& element) {
    const bool was_one = biastype_ == "affine" && bias_[1] == 0;
    const double kv = element.NotNegative("kv", was_one ? gain_[0] : 1);
    Reset();
    gain_[0] = kv;
    bias_[2] = -kv;
    biastype_ = "affine";
  }

  Numbers gain_{Numbers::Unit(0)};
  Numbers bias_{Numbers::Zero()};
  Numbers dynamics_{Numbers::Unit(0)};
  std::string gaintype_{"fixed"};
  std::string biastype_{"none"};
  std::string dyntype_{"none"};
  bool is_other_{false};
};

}  // namespace

MjcfServo ReadMjcfServo(const MjcfElement& actuator) {
  ServoReader reader;
  const auto& layers = actuator.layers();
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    reader.ReadLayer(*layer);
  }
  return reader.Finish(actuator);
}

}  // namespace wyvern::multibody::internal
