#pragma once

#include <limits>
#include <memory>
#include <string>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/parsing/mjcf_geom.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

enum class MjcfJointKind { kFree, kBall, kHinge, kSlide };

/** A <joint> or <freejoint> of body B. */
struct MjcfJoint {
  XmlElement element;
  MjcfJointKind kind{};
  /** Empty if not given. */
  std::string name{};
  /** In B's frame where the joint, and those before it, are at rest. */
  Vector3<double> position{Vector3<double>::Zero()};
  /** Axis of length 1, in the same frame. */
  Vector3<double> axis{Vector3<double>::UnitZ()};
  /** Value of q in that pose. */
  double reference{0};
  double lower{-ParsedJoint::kInfinity};
  /** For a ball joint, the largest angle. */
  double upper{ParsedJoint::kInfinity};
  /** On the sum of its actuators' forces. */
  double effort{ParsedJoint::kInfinity};
  /** Whether MuJoCo counts the weight that is borne to that sum. */
  bool limits_weight{false};
  double damping{0};
  double friction{0};
  double stiffness{0};
  double spring_reference{0};
  double armature{0};
  /** For a free joint: whether it is at the centre of mass of its body, along
  the principal axes, unless another body is in that body. */
  bool is_aligned{false};
  /** The time constant [s] and the damping ratio that stiffness and damping
  follow from; not positive: they do not. */
  Vector2<double> spring_damper{Vector2<double>::Zero()};
  /** Where the key of a model that is attached has it; null: nowhere. */
  std::shared_ptr<const VectorX<double>> key{};

  bool HasOneDof() const {
    return kind == MjcfJointKind::kHinge || kind == MjcfJointKind::kSlide;
  }
  /** How B moves, in its own frame, from where it is at rest; of one degree of
  freedom. */
  math::RigidTransform<double> Motion(double q) const;
};

/** Returns the kind of a joint by its attribute `type`.
@throws std::runtime_error "file:line: ..." if there is no such type. */
MjcfJointKind ReadMjcfJointKind(const MjcfElement& joint);

/** Reads a <joint>, or a <freejoint>, which has no defaults.
@param X_BF the frame of what it says of places.
@throws std::runtime_error "file:line: ..." if it is not valid, or moves in a
way that is not modelled. */
MjcfJoint ReadMjcfJoint(const MjcfElement& joint,
                        const math::RigidTransform<double>& X_BF,
                        const MjcfContext& context);

}  // namespace wyvern::multibody::internal
