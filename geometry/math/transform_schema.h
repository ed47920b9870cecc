#pragma once

#include <optional>
#include <string>
#include <variant>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/name_value.h"
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
    template <typename Archive>
    void Serialize(Archive*) {}
  };
  /** `!Rpy {deg: [roll, pitch, yaw]}`: Rz(yaw) Ry(pitch) Rx(roll). */
  struct Rpy {
    template <typename Archive>
    void Serialize(Archive* a) {
      a->Visit(WYVERN_NVP(deg));
    }
    DistributionVectorVariant<3> deg{Vector3<double>(0, 0, 0)};
  };
  /** `!AngleAxis {angle_deg: 90, axis: [0, 0, 1]}`; the axis may have any
  length but 0. */
  struct AngleAxis {
    template <typename Archive>
    void Serialize(Archive* a) {
      a->Visit(WYVERN_NVP(angle_deg));
      a->Visit(WYVERN_NVP(axis));
    }
    DistributionVariant angle_deg{0.0};
    DistributionVectorVariant<3> axis{Vector3<double>(0, 0, 1)};
  };
  /** `!Uniform {}`: any, all alike. */
  struct Uniform {
    template <typename Archive>
    void Serialize(Archive*) {}
  };
  using Variant = std::variant<Identity, Rpy, AngleAxis, Uniform>;

  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(value));
  }

  /** Whether nothing in it is random. */
  bool IsDeterministic() const;
  /** @throws std::logic_error if it is random, a number is not finite or the
  axis is 0. */
  math::RotationMatrix<double> GetDeterministicValue() const;
  /** @throws std::logic_error if what it is made of is not finite, out of
  order, or an axis of 0. */
  math::RotationMatrix<double> Sample(RandomGenerator* generator) const;
  void set_rpy_deg(const Vector3<double>& rpy_deg) { value = Rpy{rpy_deg}; }

  Variant value;
};

/** A pose X_BF of a frame F, in a frame B that may be named. */
struct Transform {
  Transform() = default;
  explicit Transform(const math::RigidTransform<double>& X_BF);

  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(base_frame));
    a->Visit(WYVERN_NVP(translation));
    a->Visit(MakeNameValue("rotation", &rotation.value));
  }

  /** Whether nothing in it is random. */
  bool IsDeterministic() const;
  /** @throws std::logic_error if it is random, a number is not finite or an
  axis is 0. */
  math::RigidTransform<double> GetDeterministicValue() const;
  /** @throws std::logic_error as Rotation::Sample(). */
  math::RigidTransform<double> Sample(RandomGenerator* generator) const;
  void set_rotation_rpy_deg(const Vector3<double>& rpy_deg) {
    rotation.set_rpy_deg(rpy_deg);
  }

  std::optional<std::string> base_frame;
  /** [m] */
  DistributionVectorVariant<3> translation{Vector3<double>(0, 0, 0)};
  Rotation rotation;
};

}  // namespace wyvern::schema
