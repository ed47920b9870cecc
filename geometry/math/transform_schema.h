#pragma once

#include <optional>
#include <string>
#include <variant>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/math/rotation_matrix.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/name_value.h"

/** @file
Rotations and poses as documents spell them, such as
`{base_frame: hand, translation: [0, 0, 0.1], rotation: !Rpy {deg: [90, 0,
0]}}`.
*/

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
    Vector3<double> deg{Vector3<double>::Zero()};
  };
  /** `!AngleAxis {angle_deg: 90, axis: [0, 0, 1]}`; the axis may have any
  length but 0. */
  struct AngleAxis {
    template <typename Archive>
    void Serialize(Archive* a) {
      a->Visit(WYVERN_NVP(angle_deg));
      a->Visit(WYVERN_NVP(axis));
    }
    double angle_deg{0};
    Vector3<double> axis{Vector3<double>::UnitZ()};
  };
  using Variant = std::variant<Identity, Rpy, AngleAxis>;

  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(value));
  }

  /** @throws std::logic_error if a number is not finite or the axis is 0. */
  math::RotationMatrix<double> GetDeterministicValue() const;
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

  /** @throws std::logic_error if a number is not finite or an axis is 0. */
  math::RigidTransform<double> GetDeterministicValue() const;
  void set_rotation_rpy_deg(const Vector3<double>& rpy_deg) {
    rotation.set_rpy_deg(rpy_deg);
  }

  std::optional<std::string> base_frame;
  /** [m] */
  Vector3<double> translation{Vector3<double>::Zero()};
  Rotation rotation;
};

}  // namespace wyvern::schema
