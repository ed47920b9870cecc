#pragma once

/** @file
URDF for tests, and its reading. */

#include <string>
#include <vector>

#include "wyvern/multibody/parsing/urdf_reader.h"
#include "wyvern/multibody/parsing/warning_log.h"
#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody {

/** A robot of the links `a` (lines 2 to 5) and `b` (6 to 9) with `more` from
line 10 on. */
inline std::string TwoLinks(const std::string& more) {
  std::string text = "<robot name=\"r\" xmlns:drake=\"http://drake\">\n";
  for (const char* name : {"a", "b"}) {
    text += std::string("<link name=\"") + name + "\"><inertial>\n";
    text +=
        "<origin xyz=\"0.1 0 0\"/><mass value=\"2\"/>\n"
        "<inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.3\" ixy=\"0\" ixz=\"0\" "
        "iyz=\"0\"/>\n</inertial></link>\n";
  }
  return text + more + "\n</robot>\n";
}

/** The joint `j` from `a` to `b` on one line, with `more` in it. */
inline std::string JointText(const std::string& more,
                             const std::string& type = "revolute") {
  return "<joint name=\"j\" type=\"" + type +
         "\"><parent link=\"a\"/><child link=\"b\"/>" + more + "</joint>";
}

/** The transmission `t` of joint `j` and actuator `m`, on one line. */
inline std::string TransmissionText(const std::string& in_actuator = "",
                                    const std::string& more = "") {
  return "<transmission name=\"t\"><type>SimpleTransmission</type>"
         "<joint name=\"j\"/><actuator name=\"m\">" +
         in_actuator + "</actuator>" + more + "</transmission>";
}

/** A robot of one link with this inside, from line 2 on. */
inline std::string OneLink(const std::string& inside) {
  return "<robot name=\"r\"><link name=\"a\">\n" + inside + "\n</link></robot>";
}

/** Reads `text`, appending warnings to `warnings` if not null; with shapes if
`packages` is not null. */
inline internal::ParsedModel ReadText(
    const std::string& text, std::vector<std::string>* warnings = nullptr,
    const PackageMap* packages = nullptr) {
  internal::WarningLog log;
  log.set_handler({});
  auto model = internal::ReadUrdf(
      internal::XmlDocument::FromString(text, "r.urdf"), packages, &log);
  log.EndFile();
  if (warnings != nullptr) *warnings = log.warnings();
  return model;
}

/** The warnings of `text`. */
inline std::vector<std::string> WarningsOf(const std::string& text) {
  std::vector<std::string> warnings;
  ReadText(text, &warnings);
  return warnings;
}

/** A robot that uses every element that is read. */
inline std::string FullRobot() {
  return TwoLinks(
      R"(
<link name="world"/>
<link name="c">
  <inertial>
    <origin xyz="0.01 -0.02 0.03" rpy="0.1 -0.2 0.3"/>
    <mass value="1.5"/>
    <inertia ixx="0.02" ixy="0.001" ixz="-0.002" iyy="0.03" iyz="0.003"
             izz="0.04"/>
  </inertial>
  <visual>
    <origin xyz="0 0 1"/>
    <geometry><mesh filename="package://p/m.obj" scale="1 1 1"/></geometry>
    <material name="grey"/>
  </visual>
  <collision><geometry><box size="1 2 3"/></geometry></collision>
</link>
<joint name="base" type="fixed">
  <parent link="world"/> <child link="a"/> <origin xyz="0 0 1"/>
</joint>
<joint name="j" type="revolute">
  <origin xyz="0 0 0.5" rpy="0 0 1.5"/>
  <parent link="a"/> <child link="b"/>
  <axis xyz="0 2 0"/>
  <limit lower="-1" upper="2" velocity="3" effort="4" drake:acceleration="5"/>
  <dynamics damping="0.25" friction="0"/>
</joint>
<joint name="slide" type="prismatic">
  <parent link="b"/> <child link="c"/> <axis xyz="0 0 -1"/>
  <limit effort="20"/> <mimic joint="j" multiplier="0.5" offset="0.1"/>
</joint>
<frame name="tip" link="c" xyz="1 2 3" rpy="0 0 0"/>)" +
      TransmissionText("<drake:rotor_inertia value=\"0.01\"/>"
                       "<wyvern:gear_ratio value=\"50\"/>"
                       "<drake:controller_gains p=\"100\" d=\"7\"/>"
                       "<mechanicalReduction>50</mechanicalReduction>") +
      R"(
<transmission type="transmission_interface/SimpleTransmission">
  <joint name="slide"/> <actuator name="pusher"/>
</transmission>
<drake:linear_bushing_rpy>
  <drake:bushing_frameA name="a"/> <drake:bushing_frameC name="tip"/>
  <drake:bushing_torque_stiffness value="1 2 3"/>
  <drake:bushing_torque_damping value="4 5 6"/>
  <drake:bushing_force_stiffness value="7 8 9"/>
  <drake:bushing_force_damping value="10 11 12"/>
</drake:linear_bushing_rpy>
<drake:linear_spring_damper>
  <drake:linear_spring_damper_body_A name="world"/>
  <drake:linear_spring_damper_body_B name="c"/>
  <drake:linear_spring_damper_p_AP value="1 2 3"/>
  <drake:linear_spring_damper_p_BQ value="4 5 6"/>
  <drake:linear_spring_damper_free_length value="0.5"/>
  <drake:linear_spring_damper_stiffness value="100"/>
  <drake:linear_spring_damper_damping value="2"/>
</drake:linear_spring_damper>
<drake:ball_constraint>
  <drake:ball_constraint_body_A name="a"/>
  <drake:ball_constraint_body_B name="c"/>
  <drake:ball_constraint_p_AP value="1 2 3"/>
  <drake:ball_constraint_p_BQ value="4 5 6"/>
</drake:ball_constraint>
<drake:collision_filter_group name="arm">
  <drake:member link="a"/> <drake:member link="b"/>
  <drake:ignored_collision_filter_group name="hand"/>
  <drake:ignored_collision_filter_group name="hand"/>
</drake:collision_filter_group>
<drake:collision_filter_group name="hand">
  <drake:member link="c"/> <drake:member_group name="arm"/>
</drake:collision_filter_group>
<gazebo/> <material name="grey"/>)");
}

}  // namespace wyvern::multibody
