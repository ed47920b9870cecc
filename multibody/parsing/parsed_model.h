#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/geometry_instance.h"
#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/multibody/tree/ellipsoid_drag.h"
#include "wyvern/multibody/tree/muscle.h"
#include "wyvern/multibody/tree/polynomial_coupler.h"
#include "wyvern/multibody/tree/tendon_force.h"
#include "wyvern/systems/common/eigen_types.h"

/** @file
What a file says of its models. Links and frames are referred to by
name, "inner::link" in a nested model, from the model that refers to them. */

namespace wyvern::multibody::internal {

/** The link that is the world, declared or not. */
inline constexpr char kWorldName[] = "world";

/** A body B. Geometries are posed in it. */
struct ParsedLink {
  std::string name;
  SpatialInertia<double> M_BBo_B{SpatialInertia<double>::Zero()};
  std::vector<geometry::GeometryInstance> visuals{};
  std::vector<geometry::GeometryInstance> collisions{};
  /** Where it starts if it is free; for an anchored model, where it is. */
  std::optional<math::RigidTransform<double>> X_WB{};
  /** "file:line", for errors; empty if not known. */
  std::string place{};
  /** Whether gravity acts on the body, provided that it acts on its model. */
  bool has_gravity{true};
  /** The fraction of its weight that is compensated; see
  GravityCompensation. */
  double weight_borne{0};
};

enum class ParsedJointType {
  kFixed,
  kRevolute,
  kPrismatic,
  kFloating,
  kBall,
  kQuaternionBall,
  kPlanar,
  kUniversal,
  kScrew
};

/** q = multiplier q_joint + offset. */
struct ParsedMimic {
  std::string joint;
  double multiplier{1};
  double offset{0};
};

/** The warning of a joint whose leader, the argument, cannot be followed. */
inline constexpr char kLostMimic[] =
    "<mimic> is left out, the joint moves by itself: there is no other joint "
    "'{}' of one degree of freedom.";

/** A joint of frame F on the parent and M on the child. */
struct ParsedJoint {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  std::string name;
  ParsedJointType type{};
  std::string parent;
  std::string child;
  /** Nothing: F is the parent's body frame. */
  std::optional<math::RigidTransform<double>> X_PF{};
  /** Nothing: M is the child's body frame. */
  std::optional<math::RigidTransform<double>> X_CM{};
  /** Axis of length 1, in F. */
  Vector3<double> axis{Vector3<double>::UnitX()};
  /** [m] a turn, of a screw. */
  double screw_pitch{0};
  /** [rad] or [m], as all below; of the types with one degree of freedom. */
  double lower{-kInfinity};
  double upper{kInfinity};
  /** Bounds on magnitudes. */
  double velocity{kInfinity};
  double acceleration{kInfinity};
  double effort{kInfinity};
  /** Viscous; of a planar joint one for each coordinate, else all alike; of a
  floating one also of its translation. */
  Vector3<double> damping{Vector3<double>::Zero()};
  /** Dry; of all coordinates alike. */
  double friction{0};
  /** Stiffness of a spring at the joint, [N·m/rad] or [N/m]. */
  double spring_stiffness{0};
  double spring_reference{0};
  std::optional<ParsedMimic> mimic{};
  /** Rotor inertia added to each degree of freedom. */
  double armature{0};
  /** As the plant's joint has them; nothing: 0. */
  std::optional<VectorX<double>> default_positions{};
  /** "file:line", for warnings; empty if not known. */
  std::string place{};
};

inline bool HasOneDof(const ParsedJoint& joint) {
  return joint.type == ParsedJointType::kRevolute ||
         joint.type == ParsedJointType::kPrismatic ||
         joint.type == ParsedJointType::kScrew;
}

/** A frame F fixed to a link. */
struct ParsedFrame {
  std::string name;
  std::string link;
  math::RigidTransform<double> X_LF;
};

/** A joint of a tendon. */
struct ParsedTendonTerm {
  std::string joint;
  double coefficient{};
};

struct ParsedActuator {
  struct Gains {
    double p{};
    double d{};
  };

  std::string name;
  /** Empty for a tendon. */
  std::string joint{};
  /** The joints of a fixed tendon. */
  std::vector<ParsedTendonTerm> terms{};
  /** The name of a tendon along a path. */
  std::string tendon{};
  double effort_limit{std::numeric_limits<double>::infinity()};
  double rotor_inertia{0};
  double gear_ratio{1};
  std::optional<Gains> gains{};
  /** Force of the file's home input at position and velocity 0, [N·m] or [N].
  With gains, the position that is held is home_force / p. */
  std::optional<double> home_force{};
  /** The actuator of a tendon or of one term may be a muscle; see
  MuscleActuation. */
  std::optional<MuscleProperties> muscle{};
  /** The excitation of a muscle in the file's home input. */
  double home_excitation{0};

  /** Whether a double holds what the joint feels of the rotor. */
  bool HasFiniteReflectedInertia() const {
    return std::isfinite(gear_ratio * gear_ratio * rotor_inertia);
  }
};

/** See LinearBushingRollPitchYaw. */
struct ParsedBushing {
  std::string frame_A;
  std::string frame_C;
  Vector3<double> torque_stiffness;
  Vector3<double> torque_damping;
  Vector3<double> force_stiffness;
  Vector3<double> force_damping;
};

/** See LinearSpringDamper. */
struct ParsedSpringDamper {
  std::string body_A;
  std::string body_B;
  Vector3<double> p_AP;
  Vector3<double> p_BQ;
  double free_length{};
  double stiffness{};
  double damping{};
};

/** See PlantConstraints::AddBallConstraint(). */
struct ParsedBallConstraint {
  std::string body_A;
  std::string body_B;
  Vector3<double> p_AP;
  Vector3<double> p_BQ;
};

/** See PlantConstraints::AddCouplerConstraint(). */
struct ParsedCoupler {
  std::string joint0;
  std::string joint1;
  double gear_ratio{};
  double offset{};
};

/** See PlantConstraints::AddWeldConstraint(). */
struct ParsedWeldConstraint {
  std::string body_A;
  math::RigidTransform<double> X_AP;
  std::string body_B;
  math::RigidTransform<double> X_BQ;
};

/** See TendonPoint. */
struct ParsedTendonPoint {
  std::string link;
  Vector3<double> p_LP{Vector3<double>::Zero()};
};

/** See TendonObstacle. */
struct ParsedTendonObstacle {
  std::string link;
  math::RigidTransform<double> X_LG;
  double radius{};
  bool is_cylinder{};
  std::optional<Vector3<double>> p_GS{};
};

/** See TendonSegment. */
struct ParsedTendonSegment {
  ParsedTendonPoint start;
  ParsedTendonPoint end;
  std::optional<ParsedTendonObstacle> obstacle{};
  double divisor{1};
};

/** See FixedTendon or, if it has segments, SpatialTendon. */
struct ParsedTendon {
  using Term = ParsedTendonTerm;
  std::string name;
  std::vector<Term> terms{};
  std::vector<ParsedTendonSegment> segments{};
  TendonProperties properties{};
};

/** See PolynomialCoupler. */
struct ParsedPolynomial {
  std::string joint0;
  std::string joint1;
  CouplerPolynomial polynomial{};
};

/** See RotationLimit. */
struct ParsedRotationLimit {
  std::string joint;
  double largest_angle{};
};

/** See FluidDrag or, if it has coefficients, EllipsoidDrag. */
struct ParsedDrag {
  std::string link;
  math::RigidTransform<double> X_LD;
  /** Edges of the box, or semi-axes of the ellipsoid. */
  Vector3<double> size;
  FluidMedium medium;
  std::optional<EllipsoidDragCoefficients> coefficients{};
};

/** Shapes that touch, none of the first with any of the second: each by the
names of its link and its own. */
struct ParsedExclusion {
  using Shapes = std::vector<std::pair<std::string, std::string>>;
  Shapes first{};
  Shapes second{};
};

/** Bodies by name, and which of these groups they do not collide with. */
struct ParsedFilterGroup {
  std::string name;
  std::vector<std::string> members{};
  std::vector<std::string> member_groups{};
  std::vector<std::string> ignored_groups{};
};

/** Contents of one model in a file. Names are unique, references are resolved,
and numbers are valid. */
struct ParsedModel {
  /** Empty for the top of a world: what is in it belongs to the world. */
  std::string name;
  std::vector<ParsedModel> nested{};
  /** Without the world. */
  std::vector<ParsedLink> links{};
  /** The shapes that are fixed to the world. */
  ParsedLink world{kWorldName};
  std::vector<ParsedJoint> joints{};
  std::vector<ParsedFrame> frames{};
  std::vector<ParsedActuator> actuators{};
  std::vector<ParsedBushing> bushings{};
  std::vector<ParsedSpringDamper> spring_dampers{};
  std::vector<ParsedBallConstraint> ball_constraints{};
  std::vector<ParsedCoupler> couplers{};
  std::vector<ParsedWeldConstraint> weld_constraints{};
  std::vector<ParsedTendon> tendons{};
  std::vector<ParsedPolynomial> polynomials{};
  std::vector<ParsedRotationLimit> rotation_limits{};
  std::vector<ParsedDrag> drags{};
  std::vector<ParsedFilterGroup> filter_groups{};
  std::vector<ParsedExclusion> exclusions{};
  /** Its links are welded to the world where they are. */
  bool is_static{false};
  bool has_gravity{true};
  /** [m/s²] What the plant's gravity becomes; nothing: it stays. */
  std::optional<Vector3<double>> gravity{};
};

}  // namespace wyvern::multibody::internal
