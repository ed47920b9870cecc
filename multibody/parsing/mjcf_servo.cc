// All forms of actuators are one thing with different defaults: a <position>
// in a default class sets the same gain and bias that a <general> would. So the
// layers are gone through from the outermost default to the element itself, and
// each sets what its form sets.
#include "wyvern/multibody/parsing/mjcf_servo.h"

#include <cmath>

#include <fmt/format.h>

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
    refuse(dyntype_ != "none" && dyntype_ != "integrator" &&
               dyntype_ != "filter" && dyntype_ != "filterexact",
           fmt::format("dyntype=\"{}\"", dyntype_));
    refuse(gaintype_ != "fixed" && !gain_.tail<2>().isZero(0),
           fmt::format("gaintype=\"{}\"", gaintype_));
    refuse(gaintype_ != "fixed" && gaintype_ != "affine",
           fmt::format("gaintype=\"{}\"", gaintype_));
    refuse(biastype_ != "none" && biastype_ != "affine",
           fmt::format("biastype=\"{}\"", biastype_));
    MjcfServo result{.gain = gain_[0], .dynamics = dyntype_};
    if (biastype_ == "affine") result.bias = bias_;
    if (result.bias[2] > 0 && result.bias[1] == -result.gain) {
      result.damping_ratio = result.bias[2];
      result.bias[2] = 0;
    }
    refuse(result.bias[1] > 0 || result.bias[2] > 0,
           "a bias that grows with position or velocity");
    return result;
  }

 private:
  void Reset() {
    gain_ = Vector3<double>(1, 0, 0);
    bias_.setZero();
    gaintype_ = "fixed";
    biastype_ = "none";
    dyntype_ = "none";
    is_other_ = false;
  }

  void ReadGeneral(const MjcfElement& element) {
    is_other_ = false;
    gaintype_ = element.Text("gaintype", gaintype_);
    biastype_ = element.Text("biastype", biastype_);
    dyntype_ = element.Text("dyntype", dyntype_);
    ReadFew(element, "gainprm", &gain_);
    ReadFew(element, "biasprm", &bias_);
  }

  // The first three of ten; no law that is modelled has more.
  static void ReadFew(const MjcfElement& element, const char* attribute,
                      Vector3<double>* result) {
    VectorX<double> all = VectorX<double>::Zero(10);
    all.head<3>() = *result;
    *result = element.Numbers(attribute, all).head<3>();
  }

  // Gains of one layer stay in the next layer of the same form. The damping
  // ratio is written as a positive bias.
  void ReadPosition(const MjcfElement& element) {
    if (biastype_ != "affine" || bias_[1] == 0) Reset();
    is_other_ = false;
    const double kp = element.NotNegative("kp", gain_[0]);
    gain_ = Vector3<double>(kp, 0, 0);
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

  Vector3<double> gain_{1, 0, 0};
  Vector3<double> bias_{0, 0, 0};
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
