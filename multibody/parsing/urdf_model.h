#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::internal {

/** The link that is the world, declared or not. */
inline constexpr char kUrdfWorld[] = "world";

/** A body B. */
struct UrdfLink {
  std::string name;
  SpatialInertia<double> M_BBo_B{SpatialInertia<double>::Zero()};
};

enum class UrdfJointType { kFixed, kRevolute, kPrismatic, kFloating };

/** A joint whose frame M is the child's body frame. */
struct UrdfJoint {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  std::string name;
  UrdfJointType type{};
  std::string parent;
  std::string child;
  /** Frame F in the parent. */
  math::RigidTransform<double> X_PF;
  /** Of length 1, in F. */
  Vector3<double> axis{Vector3<double>::UnitX()};
  /** [rad] or [m], as all below. */
  double lower{-kInfinity};
  double upper{kInfinity};
  /** Bounds on magnitudes. */
  double velocity{kInfinity};
  double acceleration{kInfinity};
  double effort{kInfinity};
  /** Viscous. */
  double damping{0};
};

/** A frame F fixed to a link. */
struct UrdfFrame {
  std::string name;
  std::string link;
  math::RigidTransform<double> X_LF;
};

struct UrdfActuator {
  struct Gains {
    double p{};
    double d{};
  };

  std::string name;
  std::string joint;
  double effort_limit{std::numeric_limits<double>::infinity()};
  double rotor_inertia{0};
  double gear_ratio{1};
  std::optional<Gains> gains;
};

/** What a URDF file says of a robot's motion; its names are unique and refer to
what is there, and its numbers are valid. */
struct UrdfModel {
  std::string name;
  /** Without the world. */
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<UrdfFrame> frames;
  std::vector<UrdfActuator> actuators;
};

}  // namespace wyvern::multibody::internal
