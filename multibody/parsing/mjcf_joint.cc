#include "wyvern/multibody/parsing/mjcf_joint.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

/* Reads a <joint>. Hinges and slides support all of MuJoCo's features except
nonlinear springs and dampers, and negative damping, which is a warning. Ball
joints support limits; springs of ball and free joints are refused. */

namespace wyvern::multibody::internal {

using math::RigidTransform;

MjcfJointKind ReadMjcfJointKind(const MjcfElement& joint) {
  if (joint.own().IsNamed("freejoint")) return MjcfJointKind::kFree;
  static const std::map<std::string, MjcfJointKind> kinds{
      {"free", MjcfJointKind::kFree},
      {"ball", MjcfJointKind::kBall},
      {"hinge", MjcfJointKind::kHinge},
      {"slide", MjcfJointKind::kSlide}};
  const std::string type = joint.Text("type", "hinge");
  const auto found = kinds.find(type);
  if (found == kinds.end()) {
    joint.Throw(fmt::format(
        "there is no joint of type \"{}\"; those are free, ball, hinge and "
        "slide.",
        type));
  }
  return found->second;
}

namespace {

/** Reads one joint. */
class JointReader {
 public:
  JointReader(const MjcfElement& joint, const MjcfContext& context)
      : joint_(joint),
        settings_(context.settings.Of(joint.own())),
        log_(context.log) {}

  MjcfJoint Read(const RigidTransform<double>& X_BF) {
    MjcfJoint result{.element = joint_.own(),
                     .kind = ReadMjcfJointKind(joint_)};
    result.name = std::string(joint_.own().Attribute("name").value_or(""));
    unit_ = result.kind == MjcfJointKind::kSlide ? 1 : settings_.angle;
    if (result.kind != MjcfJointKind::kFree) ReadPlace(X_BF, &result);
    if (!joint_.own().IsNamed("freejoint")) ReadForces(&result);
    if (result.kind == MjcfJointKind::kFree) {
      result.is_aligned = joint_.Text("align", "auto") == "auto"
                              ? settings_.aligns_free
                              : joint_.Flag("align", false);
    }
    if (result.HasOneDof()) {
      ReadOneDof(&result);
    } else {
      RefuseOnOthers(result);
      if (result.kind == MjcfJointKind::kBall) ReadLargestAngle(&result);
    }
    return result;
  }

 private:
  void ReadPlace(const RigidTransform<double>& X_BF, MjcfJoint* result) const {
    result->position = X_BF * joint_.Triple("pos", Vector3<double>::Zero());
    const Vector3<double> axis =
        joint_.Triple("axis", Vector3<double>::UnitZ());
    const double length = axis.stableNorm();
    if (!(length > 1e-14) || !std::isfinite(length)) {
      joint_.Throw("the axis is 0 or too long; give a direction.");
    }
    result->axis = X_BF.rotation() * (axis / length);
  }

  // The first of several numbers; those after it are of powers of the speed or
  // the way.
  double Linear(const char* attribute) const {
    const VectorX<double> all =
        joint_.Numbers(attribute, Vector3<double>::Zero());
    if (!all.tail<2>().isZero(0)) {
      joint_.Throw(
          fmt::format("{} that is not linear is not modelled; give "
                      "one number.",
                      attribute));
    }
    return all[0];
  }

  // In MuJoCo, a negative damping drives the joint. A joint of the plant has
  // none.
  double ReadDamping() const {
    const double damping = Linear("damping");
    if (damping >= 0) return damping;
    joint_.own().Warn(
        fmt::format("damping is {}, which would drive the joint; it is taken "
                    "as 0. Give 0 or a positive number.",
                    damping),
        log_);
    return 0;
  }

  double ReadStiffness() const {
    const double stiffness = Linear("stiffness");
    if (stiffness >= 0) return stiffness;
    joint_.Throw(
        fmt::format("stiffness is {}; it must not be negative.", stiffness));
  }

  void ReadForces(MjcfJoint* result) const {
    if (!joint_.Numbers("springyield", Vector2<double>::Zero()).isZero(0)) {
      joint_.Throw("springyield is not modelled; give stiffness and damping.");
    }
    result->spring_damper =
        joint_.Numbers("springdamper", Vector2<double>::Zero());
    if (settings_.has_damping) result->damping = ReadDamping();
    if (settings_.has_springs) result->stiffness = ReadStiffness();
    if (settings_.has_friction) {
      result->friction = joint_.NotNegative("frictionloss", 0);
    }
    result->armature = joint_.NotNegative("armature", 0);
  }

  void ReadOneDof(MjcfJoint* result) const {
    result->reference = unit_ * joint_.Number("ref", 0);
    result->spring_reference = unit_ * joint_.Number("springref", 0);
    if (IsLimited()) {
      const Vector2<double> range = unit_ * joint_.Range("range");
      result->lower = range[0];
      result->upper = range[1];
    }
    if (joint_.IsLimited("actuatorfrclimited", "actuatorfrcrange",
                         settings_.autolimits)) {
      result->effort = joint_.Range("actuatorfrcrange").cwiseAbs().maxCoeff();
      result->limits_weight = joint_.Flag("actuatorgravcomp", false);
    }
  }

  // A ball joint turns from 0 to the upper number, about any axis.
  void ReadLargestAngle(MjcfJoint* result) const {
    if (!IsLimited()) return;
    const Vector2<double> range = unit_ * joint_.Range("range");
    if (range[0] != 0 || !(range[1] > 0)) {
      joint_.Throw(fmt::format(
          "range of a ball joint is \"{}\"; give 0 and the largest angle.",
          joint_.Text("range")));
    }
    if (range[1] < std::numbers::pi) result->upper = range[1];
  }

  bool IsLimited() const {
    return joint_.IsLimited("limited", "range", settings_.autolimits) &&
           settings_.has_limits;
  }

  void RefuseOnOthers(const MjcfJoint& joint) const {
    const auto refuse = [&](bool has_it, const char* what) {
      if (!has_it) return;
      joint_.Throw(fmt::format(
          "{} of a joint that is not a hinge or slide is not modelled; remove "
          "it.",
          what));
    };
    refuse(joint.stiffness > 0, "a spring");
    refuse(joint.spring_damper.minCoeff() > 0, "springdamper");
  }

  const MjcfElement& joint_;
  const MjcfSettings& settings_;
  WarningLog* log_;
  // [rad] or [m] of the file's unit.
  double unit_{1};
};

}  // namespace

RigidTransform<double> MjcfJoint::Motion(double q) const {
  if (kind == MjcfJointKind::kSlide) return RigidTransform<double>(q * axis);
  return RigidTransform<double>(
      math::RotationMatrix<double>(Eigen::AngleAxis<double>(q, axis)),
      Vector3<double>::Zero());
}

MjcfJoint ReadMjcfJoint(const MjcfElement& joint,
                        const RigidTransform<double>& X_BF,
                        const MjcfContext& context) {
  return JointReader(joint, context).Read(X_BF);
}

}  // namespace wyvern::multibody::internal
