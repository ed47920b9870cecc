#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wyvern/app/scenario_drivers.h"
#include "wyvern/app/scenario_sensors.h"
#include "wyvern/geometry/scene_graph/scene_graph_config.h"
#include "wyvern/multibody/parsing/directives/model_directives.h"
#include "wyvern/multibody/plant/multibody_plant_config.h"
#include "wyvern/simulator/analysis/simulator_config.h"
#include "wyvern/systems/blocks/diagram_data.h"
#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"

/** @file
A simulation as plain data, which a YAML document spells; README.md of this
folder has the table. Each Serialize() visits the fields by their names.
Vectors that have a number for each joint may have one for all. */

namespace wyvern::geometry {

template <typename Archive>
void Serialize(Archive* a, DefaultProximityProperties* p) {
  a->Visit(DescribedValue(
      "compliance_type", &p->compliance_type,
      "rigid, compliant or undefined, for hydroelastic contact."));
  a->Visit(DescribedValue("hydroelastic_modulus", &p->hydroelastic_modulus,
                          "Hydroelastic modulus of compliant bodies, Pa."));
  a->Visit(
      DescribedValue("resolution_hint", &p->resolution_hint,
                     "Length of the edges of meshes made from shapes, m."));
  a->Visit(
      DescribedValue("slab_thickness", &p->slab_thickness,
                     "Thickness of the compliant layer of a half space, m."));
  a->Visit(
      DescribedValue("margin", &p->margin,
                     "Margin of hydroelastic contact around the geometry, m."));
  a->Visit(DescribedValue("dynamic_friction", &p->dynamic_friction,
                          "Coefficient of friction while sliding."));
  a->Visit(DescribedValue("static_friction", &p->static_friction,
                          "Coefficient of friction while sticking."));
  a->Visit(DescribedValue("hunt_crossley_dissipation",
                          &p->hunt_crossley_dissipation,
                          "Dissipation of the Hunt-Crossley model, s/m."));
  a->Visit(
      DescribedValue("relaxation_time", &p->relaxation_time,
                     "Relaxation time of the linear dissipation model, s."));
  a->Visit(DescribedValue("point_stiffness", &p->point_stiffness,
                          "Stiffness of point contact, N/m."));
}

template <typename Archive>
void Serialize(Archive* a, SceneGraphConfig* config) {
  a->Visit(DescribedValue(
      "default_proximity_properties", &config->default_proximity_properties,
      "Contact properties of geometries that have none of their own."));
}

}  // namespace wyvern::geometry

namespace wyvern::app {

/** A file whose models are all added, by the names that they have in it. */
struct ModelFile {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(file,
                         "Model file (URDF, SDFormat, MJCF or directives): a "
                         "URL or a path from the scenario's folder."));
    a->Visit(WYVERN_DNVP(
        base,
        "free, or welded: fix the base bodies to the world where they start."));
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
    a->Visit(WYVERN_DNVP(joints,
                         "Joints of one degree of freedom to drive (default: "
                         "all that follow no other joint)."));
    a->Visit(WYVERN_DNVP(effort_limit,
                         "Largest force of each actuator, N·m or N (default: "
                         "that in the model's file)."));
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
    a->Visit(WYVERN_DNVP(mass,
                         "Mass, kg; the inertia is scaled with it. null: that "
                         "in the model's file."));
    a->Visit(WYVERN_DNVP(friction,
                         "Coefficient of friction of all collision shapes of "
                         "the body. null: those in the model's file."));
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
    a->Visit(WYVERN_DNVP(
        damping,
        "Damping, N·m·s/rad or N·s/m. null: that in the model's file."));
    a->Visit(WYVERN_DNVP(
        friction, "Dry friction, N·m or N. null: that in the model's file."));
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
    a->Visit(WYVERN_DNVP(bodies, "Parameters by the name of the body."));
    a->Visit(WYVERN_DNVP(joints, "Parameters by the name of the joint."));
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
    a->Visit(WYVERN_DNVP(
        height,
        "Height in the world, m. null: at the lowest collision shape, but not "
        "above 0; no floor if something fixed is below the model."));
  }
  /** [m] in the world. Null: at the lowest collision shape, but not above 0; no
  floor if something fixed, but no wall, is below all that moves. */
  std::optional<double> height{};
};

/** A force on a body from `start` on, for `duration`. */
struct Disturbance {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(
        WYVERN_DNVP(body, "Body on which the force acts, as model::body."));
    a->Visit(WYVERN_DNVP(start, "Time at which the force starts, s."));
    a->Visit(WYVERN_DNVP(duration, "Duration of the force, s."));
    a->Visit(WYVERN_DNVP(force, "Force in the world, N."));
    a->Visit(WYVERN_DNVP(torque, "Torque in the world, N·m."));
    a->Visit(WYVERN_DNVP(
        point, "Point at which the force acts, in the body's frame, m."));
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
    a->Visit(WYVERN_DNVP(
        file,
        "File for the samples, from the working folder: .csv, .h5 or .mcap."));
    a->Visit(WYVERN_DNVP(
        port, "Output port, as system/port; `wyvern diagram` lists them."));
    a->Visit(WYVERN_DNVP(ports, "Several output ports, instead of `port`."));
    a->Visit(WYVERN_DNVP(period, "Time between samples, s."));
    a->Visit(WYVERN_DNVP(largest_file,
                         "Largest model or mesh file to store in the log, "
                         "bytes; for larger ones the log has a checksum."));
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
    a->Visit(WYVERN_DNVP(port, "Output port to watch, as system/port."));
    a->Visit(WYVERN_DNVP(index, "Element of the port."));
    a->Visit(WYVERN_DNVP(
        above, "End the run when the element is larger; null: never."));
    a->Visit(WYVERN_DNVP(
        below, "End the run when the element is smaller; null: never."));
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
    a->Visit(WYVERN_DNVP(model,
                         "Model in model_drivers whose gain the slider sets; "
                         "empty if there is a `path`."));
    a->Visit(WYVERN_DNVP(
        gain, "kp, ki or kd; for an impedance stiffness or damping."));
    a->Visit(WYVERN_DNVP(path,
                         "Path of a number in the scenario that the slider "
                         "sets, such as gravity[2]."));
    a->Visit(WYVERN_DNVP(min, "Left end of the slider."));
    a->Visit(WYVERN_DNVP(max, "Right end of the slider."));
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
    a->Visit(WYVERN_DNVP(random_seed, "Random seed for all distributions."));
    a->Visit(WYVERN_DNVP(simulation_duration,
                         "Simulated time at which the run ends, s."));
    a->Visit(
        WYVERN_DNVP(simulator_config,
                    "Settings of the simulator: integrator, steps, accuracy."));
    a->Visit(
        WYVERN_DNVP(plant_config,
                    "Settings of the plant: time step, contact, constraints."));
    a->Visit(WYVERN_DNVP(
        scene_graph_config,
        "Settings of the scene graph: default contact properties."));
    a->Visit(WYVERN_DNVP(packages,
                         "Folders of packages by name, for URLs such as "
                         "package://NAME/arm.obj."));
    a->Visit(WYVERN_DNVP(model_files,
                         "Model files to load, before the directives."));
    a->Visit(WYVERN_DNVP(
        directives,
        "Models, frames and welds to add, as in Drake's model directives."));
    a->Visit(WYVERN_DNVP(
        floor, "A horizontal floor that is fixed to the world; null: none."));
    a->Visit(WYVERN_DNVP(actuators,
                         "Actuators for joints that have none in the model's "
                         "file, by model instance."));
    a->Visit(WYVERN_DNVP(gravity,
                         "Acceleration of gravity in the world, m/s²; null: "
                         "that of the models, or 9.81 downwards."));
    a->Visit(WYVERN_DNVP(model_parameters,
                         "Masses, friction and damping instead of those in the "
                         "model's file, by model instance."));
    a->Visit(WYVERN_DNVP(initial_position,
                         "Positions at the start by model instance and joint, "
                         "rad or m; others as in the model."));
    a->Visit(WYVERN_DNVP(
        model_drivers,
        "Controllers by model instance, each with a tag such as !PdDriver."));
    a->Visit(WYVERN_DNVP(
        sensors, "Sensors by name, each with a tag such as !Gyroscope."));
    a->Visit(
        WYVERN_DNVP(disturbances, "Forces on bodies over windows of time."));
    a->Visit(WYVERN_DNVP(blocks,
                         "Blocks by name, each with a tag that names "
                         "its type: `error: !Adder {signs: '+-'}`."));
    a->Visit(WYVERN_DNVP(connections,
                         "Wires from output ports to input ports of blocks, "
                         "sensors and the plant."));
    a->Visit(WYVERN_DNVP(logs, "Output ports to write to files."));
    a->Visit(
        WYVERN_DNVP(stop_conditions, "Conditions that end the run early."));
    a->Visit(WYVERN_DNVP(tunables, "Numbers that sliders on the page change."));
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
