#include "wyvern/app/starter_project.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/output_file.h"

/* The three files as text. @NAME@ stands for the project's name. The inertias
of the model are those of its solid cylinders:
  ixx = iyy = m (3 r^2 + l^2) / 12,  izz = m r^2 / 2. */

namespace wyvern::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStarterScenario =
    R"yaml(# @NAME@: an arm with two joints follows way-points, and is pushed.
#   wyvern run scenario.yaml
simulation_duration: 4.0          # s
random_seed: 0
simulator_config:
  target_realtime_rate: 0         # 0: as fast as possible
plant_config:
  time_step: 0.001                # s
model_files:
- file: model.urdf
floor:
  height: 0                       # m
initial_position:
  arm:
    shoulder: [0.2]               # rad
model_drivers:
  arm: !PdDriver
    kp: [400, 150]                # N m/rad: shoulder, elbow
    kd: [40, 15]                  # N m s/rad
    gravity_compensation: true
    reference: !Waypoints
      times: [0, 1.5, 3]          # s
      q:                          # rad: shoulder, elbow
      - [0.2, 0]
      - [0.9, -1.2]
      - [-0.5, 0.8]
disturbances:
- body: arm::forearm
  start: 3.3                      # s
  duration: 0.1                   # s
  force: [0, 30, 0]               # N, in the world
  point: [0, 0, 0.3]              # m, in the body
logs:
- file: arm.csv
  port: plant/arm_state
  period: 0.01                    # s
stop_conditions:
- port: plant/arm_state
  index: 0
  above: 2.9                      # rad
tunables:
- model: arm
  gain: kp
  min: 0                          # N m/rad
  max: 1000
)yaml";

constexpr std::string_view kStarterModel = R"xml(<?xml version="1.0"?>
<!-- An arm with two joints. SI units: m, kg, kg m^2, rad, N m. -->
<robot name="arm" xmlns:drake="drake">
  <link name="world"/>
  <joint name="mount" type="fixed">
    <parent link="world"/>
    <child link="base"/>
  </joint>

  <link name="base">
    <inertial>
      <origin xyz="0 0 0.1"/>
      <mass value="5"/>
      <inertia ixx="0.0291667" ixy="0" ixz="0" iyy="0.0291667" iyz="0" izz="0.025"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.1"/>
      <geometry><cylinder radius="0.1" length="0.2"/></geometry>
      <material name="dark"><color rgba="0.25 0.27 0.3 1"/></material>
    </visual>
  </link>

  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper_arm"/>
    <origin xyz="0 0 0.25"/>
    <axis xyz="1 0 0"/>
    <limit lower="-3" upper="3" effort="150" velocity="6"/>
    <dynamics damping="0.5"/>
  </joint>

  <link name="upper_arm">
    <inertial>
      <origin xyz="0 0 0.2"/>
      <mass value="2"/>
      <inertia ixx="0.0274667" ixy="0" ixz="0" iyy="0.0274667" iyz="0" izz="0.0016"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.2"/>
      <geometry><cylinder radius="0.04" length="0.4"/></geometry>
      <material name="light"><color rgba="0.92 0.92 0.9 1"/></material>
    </visual>
  </link>

  <joint name="elbow" type="revolute">
    <parent link="upper_arm"/>
    <child link="forearm"/>
    <origin xyz="0 0 0.4"/>
    <axis xyz="1 0 0"/>
    <limit lower="-2.5" upper="2.5" effort="80" velocity="6"/>
    <dynamics damping="0.2"/>
  </joint>

  <link name="forearm">
    <inertial>
      <origin xyz="0 0 0.15"/>
      <mass value="1"/>
      <inertia ixx="0.007725" ixy="0" ixz="0" iyy="0.007725" iyz="0" izz="0.00045"/>
    </inertial>
    <visual>
      <origin xyz="0 0 0.15"/>
      <geometry><cylinder radius="0.03" length="0.3"/></geometry>
      <material name="orange"><color rgba="0.9 0.5 0.15 1"/></material>
    </visual>
    <collision>
      <origin xyz="0 0 0.3"/>
      <geometry><sphere radius="0.04"/></geometry>
    </collision>
  </link>

  <transmission name="shoulder_transmission">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="shoulder"/>
    <actuator name="shoulder_motor"/>
  </transmission>
  <transmission name="elbow_transmission">
    <type>transmission_interface/SimpleTransmission</type>
    <joint name="elbow"/>
    <actuator name="elbow_motor"/>
  </transmission>
</robot>
)xml";

constexpr std::string_view kStarterReadme = R"md(# @NAME@

An arm with two joints follows way-points under PD control. At 3.3 s something
pushes its forearm.

```
wyvern run scenario.yaml                        4 s, with a log in arm.csv
wyvern run scenario.yaml --report report.html   the same as a page with plots
wyvern run scenario.yaml --view --open          in the browser, with sliders
wyvern run scenario.yaml --set model_drivers.arm.kp=[200,80]
wyvern diagram scenario.yaml                    the blocks, and the ports that logs may name
wyvern inspect model.urdf                       masses, joints, limits, warnings
wyvern sweep scenario.yaml --param model_drivers.arm.kp[0]=100:400:4
```

## scenario.yaml

Keys that are left out have defaults, which
`wyvern run scenario.yaml --print` shows. `wyvern schema` prints a JSON schema
that lets editors complete the keys.

| key | meaning |
|---|---|
| `simulation_duration` | Simulated time, s. Without this key the run goes on until Ctrl-C. |
| `random_seed` | Seed of all distributions, such as `!Uniform {min: 0, max: 1}` in place of a number. |
| `simulator_config` | How time advances. |
| `target_realtime_rate` | Simulated seconds per second; 0 is as fast as possible. |
| `plant_config` | Settings of the multibody plant. |
| `time_step` | Step of the plant, s; 0 selects continuous time with error control. |
| `model_files` | Models to load: URDF, SDFormat, MJCF or model directives. |
| `file` | Path of a model from this folder; below `logs`, path of the log from the working folder: .csv, .h5 or .mcap. |
| `floor` | Horizontal ground with friction; without this key there is none. |
| `height` | Height of the floor in the world, m. |
| `initial_position` | Positions at the start, by model and joint. |
| `arm` | Name of the model: the name of `<robot>` in model.urdf. |
| `shoulder` | Name of a joint, with its angle at the start, rad. |
| `model_drivers` | What drives the actuators of each model; `!PdDriver` is PD control. |
| `kp` | Stiffness of each joint, N m/rad, in the order of the actuators. |
| `kd` | Damping of each joint, N m s/rad. |
| `gravity_compensation` | Whether the controller also bears the weight of the links. |
| `reference` | Motion to follow; `!Waypoints` passes through points with a smooth spline. |
| `times` | Times of the points, s. |
| `q` | Joint angles at these times, rad: a row for each time, a column for each actuator. |
| `disturbances` | Forces on bodies for some time. |
| `body` | Body that is pushed, as model::link. |
| `start` | Time at which the force begins, s. |
| `duration` | Duration of the force, s. |
| `force` | Force in axes of the world, N. |
| `point` | Where the force acts, from the origin of the body, m. |
| `logs` | Ports to record. |
| `port` | Name of a port; `wyvern diagram scenario.yaml` lists them. |
| `period` | Time between samples, s. |
| `stop_conditions` | Bounds that end the run early. |
| `index` | Element of the port: element 0 of the state is the angle of the shoulder. |
| `above` | Bound; the run stops when the element is above it. |
| `tunables` | Gains that sliders change while `--view` shows the run. |
| `model` | Model whose gain is changed. |
| `gain` | Name of the gain. |
| `min` | Lower end of the slider. |
| `max` | Upper end of the slider. |

## model.urdf

| element | meaning |
|---|---|
| `robot` | The model, with its name. |
| `link` | A rigid body. The link `world` is the fixed world. |
| `joint` | A joint between the links `parent` and `child`: `fixed`, or `revolute` about `axis`. |
| `parent` | Link that carries the joint. |
| `child` | Link that the joint moves; its frame is the joint's frame at angle 0. |
| `origin` | Position of a joint, a centre of mass or a shape in the frame of its link, m. |
| `axis` | Axis of a revolute joint. |
| `limit` | Range of angles, rad; largest effort, N m; largest velocity, rad/s. |
| `dynamics` | Damping of the joint, N m s/rad. |
| `inertial` | Mass, centre of mass and inertia of a link. |
| `mass` | Mass, kg. |
| `inertia` | Moments of inertia about the centre of mass, kg m^2. |
| `visual` | Shape that is drawn. |
| `collision` | Shape that touches other bodies. |
| `geometry` | The shape itself. |
| `cylinder` | Cylinder along z, by `radius` and `length`, m. |
| `sphere` | Sphere, by `radius`, m. |
| `material` | Name of a colour. |
| `color` | Red, green, blue and opacity, from 0 to 1. |
| `transmission` | Gives a joint an actuator, so that a driver can move it. |
| `type` | Kind of transmission; a simple one has one joint and one actuator. |
| `actuator` | Name of the actuator. |
)md";

std::string WithName(std::string_view text, const std::string& name) {
  constexpr std::string_view kPlace = "@NAME@";
  std::string result(text);
  for (std::size_t at = 0; (at = result.find(kPlace, at)) != result.npos;) {
    result.replace(at, kPlace.size(), name);
    at += name.size();
  }
  return result;
}

bool IsProjectName(const std::string& name) {
  const auto is_good = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' ||
           c >= 0x80;
  };
  return !name.empty() && name[0] != '.' && name[0] != '-' &&
         std::ranges::all_of(name, is_good);
}

}  // namespace

std::vector<fs::path> MakeStarterProject(const fs::path& folder) {
  // "arm/" names the same folder as "arm".
  const fs::path path = folder.has_filename() ? folder : folder.parent_path();
  const std::string name = path.filename().string();
  if (!IsProjectName(name)) {
    throw std::runtime_error(fmt::format(
        "'{}' is no name for a folder of a project; use letters, digits, '-', "
        "'_' and '.', beginning with a letter or a digit.",
        name));
  }
  std::error_code error;
  if (fs::symlink_status(path, error).type() != fs::file_type::not_found) {
    throw std::runtime_error(
        fmt::format("{} exists already; give another name, or move it away.",
                    path.string()));
  }
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (!fs::create_directory(path, error)) {
    throw std::runtime_error(fmt::format(
        "the folder {} cannot be made: {}; choose a place that you may write "
        "to.",
        path.string(), error ? error.message() : "it exists already"));
  }
  std::vector<fs::path> files;
  try {
    for (const auto& [file, text] :
         {std::pair{"scenario.yaml", kStarterScenario},
          {"model.urdf", kStarterModel},
          {"README.md", kStarterReadme}}) {
      internal::WriteWholeFile("wyvern new", path / file, WithName(text, name));
      files.push_back(path / file);
    }
  } catch (const std::exception&) {
    for (const fs::path& file : files) fs::remove(file, error);
    fs::remove(path, error);
    throw;
  }
  return files;
}

}  // namespace wyvern::app
