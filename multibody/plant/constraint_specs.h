#pragma once

#include <limits>
#include <optional>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/tree/multibody_tree_indexes.h"
#include "wyvern/systems/common/identifier.h"

namespace wyvern::multibody {

/** Names a constraint of a plant. */
using MultibodyConstraintId = Identifier<class ConstraintTag>;

namespace internal {

/** q0 = gear_ratio q1 + offset for two joints of one degree of freedom. */
struct CouplerConstraintSpec {
  JointIndex joint0_index;
  JointIndex joint1_index;
  double gear_ratio{1.0};
  double offset{0.0};
  MultibodyConstraintId id;
};

/** |p_PQ| = distance, or a spring and damper of that free length. */
struct DistanceConstraintSpec {
  BodyIndex body_A;
  Vector3<double> p_AP;
  BodyIndex body_B;
  Vector3<double> p_BQ;
  double distance{};                                          // [m]
  double stiffness{std::numeric_limits<double>::infinity()};  // [N/m]
  double damping{0.0};                                        // [N s/m]
  MultibodyConstraintId id;
};

/** P and Q coincide. */
struct BallConstraintSpec {
  BodyIndex body_A;
  Vector3<double> p_AP;
  BodyIndex body_B;
  /** Set at Finalize() if it was not given. */
  std::optional<Vector3<double>> p_BQ;
  MultibodyConstraintId id;
};

/** Frames P and Q coincide. */
struct WeldConstraintSpec {
  BodyIndex body_A;
  math::RigidTransform<double> X_AP;
  BodyIndex body_B;
  math::RigidTransform<double> X_BQ;
  MultibodyConstraintId id;
};

}  // namespace internal
}  // namespace wyvern::multibody
