#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "wyvern/multibody/parsing/package_map.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::app {

/** A body of a model. */
struct BodyReport {
  /** Name of the body, "hand" or "arm::hand". */
  std::string name;
  /** [kg] */
  double mass{};
  /** From the body's origin, in the body, [m]. */
  Vector3<double> center_of_mass;
  /** About the centre of mass, falling, [kg·m²]. */
  Vector3<double> principal_moments;
  /** Semi-axes of the uniform solid ellipsoid with that mass and inertia, [m];
  0 without mass. A mass within the shapes has semi-axes of at most sqrt(5)
  times the shapes' reach. */
  Vector3<double> ellipsoid_semi_axes;
  /** From the centre of mass to the farthest point of the body's shapes, or of
  a box about a round one, [m]; 0 without shapes, infinite with a half space. */
  double shape_reach{};
  /** How many visual shapes it has. */
  int num_visuals{};
  /** How many collision shapes it has. */
  int num_collisions{};
};

/** A joint of a model. */
struct JointReport {
  /** Name of the joint. */
  std::string name;
  /** As Joint::type_name(), such as "revolute". */
  std::string type;
  /** Name of the parent body. */
  std::string parent;
  /** Name of the child body. */
  std::string child;
  /** How many positions it has. */
  int num_positions{};
  /** How many velocities it has. */
  int num_velocities{};
  /** [rad], [m]; a number for each position. */
  VectorX<double> lower_limits;
  /** [rad], [m]; a number for each position. */
  VectorX<double> upper_limits;
  /** Upper limits, [rad/s], [m/s]; a number for each velocity. */
  VectorX<double> velocity_limits;
  /** Whether an actuator moves it. */
  bool has_actuator{false};
  /** Sum over the actuators, of tendons by their coefficients, [N·m], [N]. */
  double effort_limit{std::numeric_limits<double>::infinity()};
  /** Gains of the file, [N·m/rad] and [N·m·s/rad], or [N/m] and [N·s/m]; those
  of a servo at a tendon times the squared coefficient. NaN without a
  controller. */
  double proportional_gain{std::numeric_limits<double>::quiet_NaN()};
  /** [N·m·s/rad], [N·s/m]; see proportional_gain. */
  double derivative_gain{std::numeric_limits<double>::quiet_NaN()};
  /** Where the joint starts, [rad], [m]; a number for each position. */
  VectorX<double> default_positions;
};

/** Content of a model file. */
struct ModelReport {
  /** The file that was read. */
  std::string file;
  /** Names of the model instances. */
  std::vector<std::string> model_instances;
  /** The bodies; the world is none of them. */
  std::vector<BodyReport> bodies;
  /** The joints. */
  std::vector<JointReport> joints;
  /** How many positions the model has. */
  int num_positions{};
  /** How many velocities the model has. */
  int num_velocities{};
  /** How many actuators the model has. */
  int num_actuators{};
  /** [kg] */
  double total_mass{};
  /** Warnings: repaired inertias, tags that are not read, inertias that do not
  fit the shapes. */
  std::vector<std::string> warnings;
  /** The bodies and joints for Graphviz. */
  std::string graphviz;
};

/** Reads a file that Parser reads.
@param packages that URLs may name, besides those that are found.
@throws as Parser::AddModels(). */
ModelReport InspectModel(const std::filesystem::path& file,
                         const multibody::PackageMap& packages = {});

/** Text for people: the tree of joints, a table of bodies, warnings. */
std::string ToText(const ModelReport& report);
/** One JSON object with the fields of the structs; null for infinite limits and
for gains of joints without a controller. */
std::string ToJson(const ModelReport& report);

}  // namespace wyvern::app
