#pragma once

#include <optional>
#include <string>
#include <variant>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/random.h"
#include "wyvern/systems/common/stochastic.h"

/** @file
Rotations and poses as documents spell them, such as
`{base_frame: hand, translation: [0, 0, 0.1], rotation: !Rpy {deg: [90, 0,
0]}}`. A number may be random, or a vector, as systems/common/stochastic.h
spells them. */

namespace wyvern::schema {

/** A rotation R_AB in one of several spellings, told apart by a tag. */
struct Rotation {
  /** No rotation; the spelling without a tag. */
  struct Identity {
    /** Visits nothing. */
    template <typename Archive>
    void Serialize(Archive*) {}
  };
  /** `!Rpy {deg: [roll, pitch, yaw]}`: Rz(yaw) Ry(pitch) Rx(roll). */
  struct Rpy {
    /** Visits each field, to write or read it. */
    template <typename Archive>
    void Serialize(Archive* a) {
      a->Visit(WYVERN_DNVP(
          deg, "Roll, pitch and yaw, degrees; numbers or distributions."));
    }
    /** Roll, pitch and yaw, degrees. */
    DistributionVectorVariant<3> deg{Vector3<double>(0, 0, 0)};
  };
  /** `!AngleAxis {angle_deg: 90, axis: [0, 0, 1]}`; the axis may have any
  length but 0. */
  struct AngleAxis {
    /** Visits each field, to write or read it. */
    template <typename Archive>
    void Serialize(Archive* a) {
      a->Visit(WYVERN_DNVP(angle_deg, "Angle, degrees."));
      a->Visit(WYVERN_DNVP(axis, "Axis, of any length but 0."));
    }
    /** Angle, degrees. */
    DistributionVariant angle_deg{0.0};
    /** Axis, of any length but 0. */
    DistributionVectorVariant<3> axis{Vector3<double>(0, 0, 1)};
  };
  /** `!Uniform {}`: any, all alike. */
  struct Uniform {
    /** Visits nothing. */
    template <typename Archive>
    void Serialize(Archive*) {}
  };
  /** Any of the four ways to write a rotation. */
  using Variant = std::variant<Identity, Rpy, AngleAxis, Uniform>;

  /** Visits the spelling, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(value, "Rotation, with a tag such as !Rpy."));
  }

  /** Whether nothing in it is random. */
  bool IsDeterministic() const;
  /** Returns the rotation, of which nothing may be random.
  @throws std::logic_error if it is random, a number is not finite or the
  axis is 0. */
  math::RotationMatrix<double> GetDeterministicValue() const;
  /** Draws a rotation.
  @throws std::logic_error if what it is made of is not finite, out of
  order, or an axis of 0. */
  math::RotationMatrix<double> Sample(RandomGenerator* generator) const;
  /** Sets roll, pitch and yaw, degrees. */
  void set_rpy_deg(const Vector3<double>& rpy_deg) { value = Rpy{rpy_deg}; }

  /** One of the spellings. */
  Variant value;
};

/** A pose X_BF of a frame F, in a frame B that may be named. */
struct Transform {
  Transform() = default;
  /** Takes a pose without a named base frame. */
  explicit Transform(const math::RigidTransform<double>& X_BF);

  /** Visits each field, to write or read it. */
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(base_frame,
                         "Frame in which the pose is given (default: the "
                         "parent that the key implies)."));
    a->Visit(WYVERN_DNVP(
        translation,
        "Position in the base frame, m; numbers or distributions."));
    a->Visit(DescribedValue(
        "rotation", &rotation.value,
        "Orientation in the base frame, such as !Rpy {deg: [0, 0, 90]}."));
  }

  /** Whether nothing in it is random. */
  bool IsDeterministic() const;
  /** Returns the pose, of which nothing may be random.
  @throws std::logic_error if it is random, a number is not finite or an
  axis is 0. */
  math::RigidTransform<double> GetDeterministicValue() const;
  /** Draws a pose.
  @throws std::logic_error as Rotation::Sample(). */
  math::RigidTransform<double> Sample(RandomGenerator* generator) const;
  /** Sets roll, pitch and yaw of the rotation, degrees. */
  void set_rotation_rpy_deg(const Vector3<double>& rpy_deg) {
    rotation.set_rpy_deg(rpy_deg);
  }

  /** Name of B, if it is given. */
  std::optional<std::string> base_frame;
  /** [m] */
  DistributionVectorVariant<3> translation{Vector3<double>(0, 0, 0)};
  /** R_BF. */
  Rotation rotation;
};

}  // namespace wyvern::schema
