#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "wyvern/app/scenario_sensors.h"
#include "wyvern/geometry/scene_graph/scene_graph_config.h"
#include "wyvern/multibody/parsing/directives/model_directives.h"
#include "wyvern/multibody/plant/multibody_plant_config.h"
#include "wyvern/simulator/analysis/simulator_config.h"
#include "wyvern/systems/blocks/diagram_data.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/name_value.h"

/** @file
A simulation as plain data, which a YAML document spells; README.md of this
folder has the table. Each Serialize() visits the fields by their names.
Vectors that have a number for each joint may have one for all. */

namespace wyvern::geometry {

template <typename Archive>
void Serialize(Archive* a, DefaultProximityProperties* p) {
  a->Visit(MakeNameValue("compliance_type", &p->compliance_type));
  a->Visit(MakeNameValue("hydroelastic_modulus", &p->hydroelastic_modulus));
  a->Visit(MakeNameValue("resolution_hint", &p->resolution_hint));
  a->Visit(MakeNameValue("slab_thickness", &p->slab_thickness));
  a->Visit(MakeNameValue("margin", &p->margin));
  a->Visit(MakeNameValue("dynamic_friction", &p->dynamic_friction));
  a->Visit(MakeNameValue("static_friction", &p->static_friction));
  a->Visit(MakeNameValue("hunt_crossley_dissipation",
                         &p->hunt_crossley_dissipation));
  a->Visit(MakeNameValue("relaxation_time", &p->relaxation_time));
  a->Visit(MakeNameValue("point_stiffness", &p->point_stiffness));
}

template <typename Archive>
void Serialize(Archive* a, SceneGraphConfig* config) {
  a->Visit(MakeNameValue("default_proximity_properties",
                         &config->default_proximity_properties));
}

}  // namespace wyvern::geometry

namespace wyvern::app {

/** @name References
What joints are to do, in the order of the actuators: [rad], [m]. Before the
first and after the last of their times they rest.
@{ */
/** `!Constant {q: [0.1, 0.2]}`; the one without a tag. */
struct Constant {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(q));
  }
  /** A number for each joint. */
  VectorX<double> q{VectorX<double>::Zero(1)};
};
/** `!Waypoints {times: [0, 1], q: [[0, 0], [1, 0.5]]}`: a row of q a time;
smooth, at rest at both ends, turning only at way-points; or straight lines. */
struct Waypoints {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(times));
    a->Visit(WYVERN_NVP(q));
    a->Visit(WYVERN_NVP(interpolation));
  }
  /** [s] */
  std::vector<double> times;
  /** A row for each time, a column for each joint. */
  MatrixX<double> q;
  /** "cubic" or "linear". */
  std::string interpolation{"cubic"};
};
/** `!CsvFile {file: motion.csv}`: way-points in rows `time, q...` below a row
of names; a path from the scenario's folder. */
struct CsvFile {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(file));
    a->Visit(WYVERN_NVP(interpolation));
  }
  /** Path from the scenario's folder. */
  std::string file;
  /** "cubic" or "linear". */
  std::string interpolation{"cubic"};
};
/** offset + amplitude sin(2 pi frequency t + phase). */
struct Sinusoid {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(offset));
    a->Visit(WYVERN_NVP(amplitude));
    a->Visit(WYVERN_NVP(frequency));
    a->Visit(WYVERN_NVP(phase));
  }
  /** The middle of the motion, [rad], [m]. */
  VectorX<double> offset{VectorX<double>::Zero(1)};
  /** [rad], [m] */
  VectorX<double> amplitude{VectorX<double>::Zero(1)};
  /** [Hz] */
  VectorX<double> frequency{VectorX<double>::Ones(1)};
  /** [rad] */
  VectorX<double> phase{VectorX<double>::Zero(1)};
};
/** offset + amplitude sin(2 pi (f0 t + (f1 - f0) t^2 / (2 duration))): the
frequency goes from f0 to f1 in `duration`; then the joints rest. */
struct Chirp {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(offset));
    a->Visit(WYVERN_NVP(amplitude));
    a->Visit(WYVERN_NVP(start_frequency));
    a->Visit(WYVERN_NVP(end_frequency));
    a->Visit(WYVERN_NVP(duration));
  }
  /** The middle of the motion, [rad], [m]. */
  VectorX<double> offset{VectorX<double>::Zero(1)};
  /** [rad], [m] */
  VectorX<double> amplitude{VectorX<double>::Zero(1)};
  /** [Hz] */
  double start_frequency{0.1};
  /** [Hz] */
  double end_frequency{1.0};
  /** [s] */
  double duration{10.0};
};
using Reference = std::variant<Constant, Waypoints, CsvFile, Sinusoid, Chirp>;
/** @} */

/** Positions of joints by model instance and joint: [rad], [m]. */
using JointPositions =
    std::map<std::string, std::map<std::string, VectorX<double>>>;

/** @name Model drivers
What feeds the actuators of a model instance. Gains are by actuator.
@{ */
/** No force; the one without a tag. */
struct ZeroForceDriver {
  template <typename Archive>
  void Serialize(Archive*) {}
};
/** kp (q_d - q) + kd (v_d - v) + ki times the integral of q_d - q, and what
bears the weight. */
struct PdDriver {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(kp));
    a->Visit(WYVERN_NVP(kd));
    a->Visit(WYVERN_NVP(ki));
    a->Visit(WYVERN_NVP(gravity_compensation));
    a->Visit(WYVERN_NVP(reference));
  }
  /** [N·m/rad], [N/m] */
  VectorX<double> kp{VectorX<double>::Constant(1, 100)};
  /** [N·m·s/rad], [N·s/m] */
  VectorX<double> kd{VectorX<double>::Constant(1, 20)};
  /** [N·m/(rad·s)], [N/(m·s)] */
  VectorX<double> ki{VectorX<double>::Zero(1)};
  /** Whether the driver bears the weight. */
  bool gravity_compensation{true};
  /** Motion that the joints are to make. */
  Reference reference;
};
/** The force that makes the joints accelerate as the reference does, corrected
by kp (q_d - q) + kd (v_d - v) [rad/s^2] and the integral; other joints are
taken not to accelerate, nor is contact known. */
struct InverseDynamicsDriver {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(kp));
    a->Visit(WYVERN_NVP(kd));
    a->Visit(WYVERN_NVP(ki));
    a->Visit(WYVERN_NVP(reference));
  }
  /** [1/s²] */
  VectorX<double> kp{VectorX<double>::Constant(1, 100)};
  /** [1/s] */
  VectorX<double> kd{VectorX<double>::Constant(1, 20)};
  /** [1/s³] */
  VectorX<double> ki{VectorX<double>::Zero(1)};
  /** Motion that the joints are to make. */
  Reference reference;
};
/** A spring and a damper at each joint, about the reference; weight, Coriolis
forces and passive forces of the joints are borne. */
struct JointImpedanceDriver {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(stiffness));
    a->Visit(WYVERN_NVP(damping));
    a->Visit(WYVERN_NVP(reference));
  }
  /** [N·m/rad], [N/m] */
  VectorX<double> stiffness{VectorX<double>::Constant(1, 100)};
  /** [N·m·s/rad], [N·s/m] */
  VectorX<double> damping{VectorX<double>::Constant(1, 20)};
  /** Where the spring is at rest. */
  Reference reference;
};
/** The servos of the model's own file, with their gains: each follows the
reference, or holds its home position without one. The home position of an
actuator is that of `ctrl` in the model's key (MJCF), unless the joint starts
elsewhere than in the file; otherwise, where the joint starts. */
struct ServoDriver {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(reference));
  }
  /** Motion that the servos follow; null: the home position. */
  std::optional<Reference> reference;
};
/** The linear quadratic regulator of the whole plant, without contact, about
rest at `position`; needs every state to be in reach of the actuators. */
struct LqrDriver {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(position));
    a->Visit(WYVERN_NVP(Q));
    a->Visit(WYVERN_NVP(R));
  }
  /** Joints that are not named are at 0, or at their default_joint_positions.
   */
  JointPositions position;
  /** Costs of the plant's states [q, v], in order; the diagonal. */
  VectorX<double> Q{VectorX<double>::Ones(1)};
  /** Costs of the model's actuators; the diagonal. */
  VectorX<double> R{VectorX<double>::Ones(1)};
};
using ModelDriver =
    std::variant<ZeroForceDriver, PdDriver, InverseDynamicsDriver,
                 JointImpedanceDriver, LqrDriver, ServoDriver>;
/** @} */

/** A file whose models are all added, by the names that they have in it. */
struct ModelFile {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(file));
    a->Visit(WYVERN_NVP(base));
  }
  /** URDF, SDFormat, MJCF or directives; a URL or a path from the scenario's
  folder. */
  std::string file;
  /** "free": bodies that no joint ties to the world are free. "welded": those
  that carry joints are welded to the world where they start; if none does, all
  are. */
  std::string base{"free"};
};

/** Actuators for joints of one degree of freedom that have none. */
struct Actuators {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(joints));
    a->Visit(WYVERN_NVP(effort_limit));
  }
  /** Empty: all joints that follow no other joint. */
  std::vector<std::string> joints;
  /** [N·m] or [N]; empty: those of the model's file. */
  VectorX<double> effort_limit;
};

/** Numbers of a simulated body in place of those of the model's file. */
struct BodyParameters {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(mass));
    a->Visit(WYVERN_NVP(friction));
  }
  /** [kg]; the inertia is scaled with it, the centre of mass stays. */
  std::optional<double> mass{};
  /** Coefficient of friction of all collision shapes of the body. */
  std::optional<double> friction{};
};

/** Numbers of a simulated joint of one degree of freedom in place of those of
the model's file. */
struct JointParameters {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(damping));
    a->Visit(WYVERN_NVP(friction));
  }
  /** [N·m·s/rad], [N·s/m] */
  std::optional<double> damping{};
  /** Dry friction, [N·m], [N]. */
  std::optional<double> friction{};
};

/** Numbers of a simulated model, which its drivers do not know: they keep the
numbers of the model's file. */
struct ModelParameters {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(bodies));
    a->Visit(WYVERN_NVP(joints));
  }
  /** By body. */
  std::map<std::string, BodyParameters> bodies;
  /** By joint. */
  std::map<std::string, JointParameters> joints;
};

/** A horizontal half space that is fixed to the world, with friction 1. */
struct Floor {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(height));
  }
  /** [m] in the world. Null: at the lowest collision shape, but not above 0; no
  floor if something fixed, but no wall, is below all that moves. */
  std::optional<double> height{};
};

/** A force on a body from `start` on, for `duration`. */
struct Disturbance {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(body));
    a->Visit(WYVERN_NVP(start));
    a->Visit(WYVERN_NVP(duration));
    a->Visit(WYVERN_NVP(force));
    a->Visit(WYVERN_NVP(torque));
    a->Visit(WYVERN_NVP(point));
  }
  /** "arm::hand" */
  std::string body;
  /** [s] */
  double start{0};
  /** [s] */
  double duration{0.1};
  /** In the world, [N], [N·m]. */
  Vector3<double> force{Vector3<double>::Zero()};
  /** In the world, [N·m]. */
  Vector3<double> torque{Vector3<double>::Zero()};
  /** Where it acts, from the body's origin, in the body, [m]. */
  Vector3<double> point{Vector3<double>::Zero()};
};

/** Output ports into a file, a sample a period. */
struct Log {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(file));
    a->Visit(WYVERN_NVP(port));
    a->Visit(WYVERN_NVP(ports));
    a->Visit(WYVERN_NVP(period));
    a->Visit(WYVERN_NVP(largest_file));
  }
  /** From the working folder; .csv, .h5 or .mcap. */
  std::string file;
  /** "system/port"; `wyvern diagram` lists them. */
  std::string port{"plant/state"};
  /** Several, which then stand for `port`. */
  std::vector<std::string> ports{};
  /** [s] */
  double period{0.01};
  /** [bytes] Size of models and meshes whose contents are in .h5 and .mcap; of
  larger ones the log has a checksum. */
  std::int64_t largest_file{std::int64_t{1} << 24};

  /** Returns `ports`, or `port` if that is empty. */
  std::vector<std::string> port_names() const {
    return ports.empty() ? std::vector<std::string>{port} : ports;
  }
};

/** Ends the run when an element of a port is above or below a bound. */
struct StopCondition {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(port));
    a->Visit(WYVERN_NVP(index));
    a->Visit(WYVERN_NVP(above));
    a->Visit(WYVERN_NVP(below));
  }
  /** "system/port" */
  std::string port{"plant/state"};
  /** Element of the port. */
  int index{0};
  /** Ends the run when the element is larger; null: never. */
  std::optional<double> above{};
  /** Ends the run when the element is smaller; null: never. */
  std::optional<double> below{};
};

/** Numbers that sliders of a page set. While the scenario runs change gains of
a driver, one for each actuator; numbers of model_parameters; gravity; and
parameters of blocks: tunable gains and the values of a ConstantVectorSource.
Another number changes when the page starts the run again. Nothing changes until
somebody moves a slider. */
struct Tunable {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(model));
    a->Visit(WYVERN_NVP(gain));
    a->Visit(WYVERN_NVP(path));
    a->Visit(WYVERN_NVP(min));
    a->Visit(WYVERN_NVP(max));
  }
  /** Name of the model in model_drivers; empty if there is a `path`. */
  std::string model;
  /** "kp", "ki" or "kd"; of an impedance "stiffness" or "damping". */
  std::string gain{"kp"};
  /** Path of a number in the scenario: "disturbances[0].force[2]",
  "gravity[2]", "model_parameters.arm.bodies.hand.mass". The last two need not
  be in the file. */
  std::string path;
  /** Left end of the slider. */
  double min{0};
  /** Right end of the slider. */
  double max{1000};
};

/** A simulation: what is in it, what drives it, what is kept of it. */
struct Scenario {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(random_seed));
    a->Visit(WYVERN_NVP(simulation_duration));
    a->Visit(WYVERN_NVP(simulator_config));
    a->Visit(WYVERN_NVP(plant_config));
    a->Visit(WYVERN_NVP(scene_graph_config));
    a->Visit(WYVERN_NVP(packages));
    a->Visit(WYVERN_NVP(model_files));
    a->Visit(WYVERN_NVP(directives));
    a->Visit(WYVERN_NVP(floor));
    a->Visit(WYVERN_NVP(actuators));
    a->Visit(WYVERN_NVP(gravity));
    a->Visit(WYVERN_NVP(model_parameters));
    a->Visit(WYVERN_NVP(initial_position));
    a->Visit(WYVERN_NVP(model_drivers));
    a->Visit(WYVERN_NVP(sensors));
    a->Visit(WYVERN_NVP(disturbances));
    a->Visit(WYVERN_DNVP(blocks,
                         "Blocks by name, each with a tag that names "
                         "its type: `error: !Adder {signs: '+-'}`."));
    a->Visit(WYVERN_DNVP(connections,
                         "Wires from output ports to input ports of blocks, "
                         "sensors and the plant."));
    a->Visit(WYVERN_NVP(logs));
    a->Visit(WYVERN_NVP(stop_conditions));
    a->Visit(WYVERN_NVP(tunables));
  }

  /** Random seed of all distributions, of the scenario and of models. */
  std::uint64_t random_seed{0};
  /** [s] */
  double simulation_duration{std::numeric_limits<double>::infinity()};
  /** Settings of the Simulator. */
  systems::SimulatorConfig simulator_config;
  /** Settings of the plant. */
  multibody::MultibodyPlantConfig plant_config;
  /** Settings of the scene graph. */
  geometry::SceneGraphConfig scene_graph_config;
  /** Folders of packages by name, for URLs; paths from the scenario's folder.
   */
  std::map<std::string, std::string> packages;
  /** Files whose models are added before the directives. */
  std::vector<ModelFile> model_files;
  /** Files are URLs or paths from the scenario's folder. */
  std::vector<multibody::parsing::ModelDirective> directives;
  /** A floor; null: none. */
  std::optional<Floor> floor;
  /** By model instance. */
  std::map<std::string, Actuators> actuators;
  /** Acceleration of gravity in the world, [m/s²]; null: that of the models, or
  else 9.81 downwards. */
  std::optional<Vector3<double>> gravity;
  /** By model instance. */
  std::map<std::string, ModelParameters> model_parameters;
  /** Positions of joints at the start; the others as in the models. */
  JointPositions initial_position;
  /** By model instance. */
  std::map<std::string, ModelDriver> model_drivers;
  /** By the names of their blocks. */
  std::map<std::string, Sensor> sensors;
  /** Forces on bodies. */
  std::vector<Disturbance> disturbances;
  /** Blocks of one's own, in the order of the document, and the wires between
  them and the plant. An actuation port that a wire feeds needs no driver. */
  systems::NamedList<systems::Block> blocks;
  std::vector<systems::Connection> connections;
  /** Files of samples. */
  std::vector<Log> logs;
  /** Ends of the run besides its duration. */
  std::vector<StopCondition> stop_conditions;
  /** Gains that a page's sliders set. */
  std::vector<Tunable> tunables;
};

}  // namespace wyvern::app
