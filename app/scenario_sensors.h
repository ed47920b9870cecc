#pragma once

#include <string>
#include <variant>
#include <vector>

#include "wyvern/geometry/math/transform_schema.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/common/name_value.h"
#include "wyvern/systems/sensors/measured_signal.h"

/** @file
The instruments of a scenario as plain data: what is measured, where, and what
is wrong with it. */

namespace wyvern::systems::sensors {

template <typename Archive>
void Serialize(Archive* a, MeasurementErrors* errors) {
  a->Visit(MakeNameValue("period", &errors->period));
  a->Visit(MakeNameValue("offset", &errors->offset));
  a->Visit(MakeNameValue("delay", &errors->delay));
  a->Visit(MakeNameValue("bias", &errors->bias));
  a->Visit(MakeNameValue("noise", &errors->noise));
  a->Visit(MakeNameValue("quantum", &errors->quantum));
  a->Visit(MakeNameValue("seed", &errors->seed));
}

}  // namespace wyvern::systems::sensors

namespace wyvern::app {

using systems::sensors::MeasurementErrors;

/** Where a sensor is: a pose from a frame of the plant. */
struct SensorPlace {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(frame));
    a->Visit(WYVERN_NVP(translation));
    a->Visit(MakeNameValue("rotation", &rotation.value));
  }
  /** "arm::hand", a body or another frame. */
  std::string frame;
  /** [m] */
  Vector3<double> translation{Vector3<double>::Zero()};
  /** Orientation in the frame. */
  schema::Rotation rotation;
};

/** Proper acceleration, [m/s^2], in the sensor's axes; the sensor without a
tag. */
struct Accelerometer {
  template <typename Archive>
  void Serialize(Archive* a) {
    place.Serialize(a);
    a->Visit(WYVERN_NVP(errors));
  }
  /** Where it is, and its axes. */
  SensorPlace place;
  /** Deviations of the measurement from the truth. */
  MeasurementErrors errors;
};

/** Angular velocity, [rad/s], in the sensor's axes. */
struct Gyroscope {
  template <typename Archive>
  void Serialize(Archive* a) {
    place.Serialize(a);
    a->Visit(WYVERN_NVP(errors));
  }
  /** Where it is, and its axes. */
  SensorPlace place;
  /** Deviations of the measurement from the truth. */
  MeasurementErrors errors;
};

/** The torque [N m] and the force [N] with which a joint holds its child, about
and in a frame that has a pose in the joint's frame on the child. */
struct ForceTorqueSensor {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(joint));
    a->Visit(WYVERN_NVP(translation));
    a->Visit(MakeNameValue("rotation", &rotation.value));
    a->Visit(WYVERN_NVP(errors));
  }
  /** "arm::wrist" */
  std::string joint;
  /** [m] */
  Vector3<double> translation{Vector3<double>::Zero()};
  /** Orientation in the joint's frame on the child. */
  schema::Rotation rotation;
  /** Deviations of the measurement from the truth. */
  MeasurementErrors errors;
};

/** The torque about a body's origin [N m] and the force [N] of all its
contacts, in the world. Whether there are any is the port `in_contact` of the
ideal sensor. */
struct ContactSensor {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(body));
    a->Visit(WYVERN_NVP(threshold));
    a->Visit(WYVERN_NVP(errors));
  }
  /** "leg::foot" */
  std::string body;
  /** Least force that counts as contact, [N]. */
  double threshold{0};
  /** Deviations of the measurement from the truth. */
  MeasurementErrors errors;
};

/** Positions of joints of one degree of freedom, [rad] or [m]; angles in ticks
if these are given, for each joint. */
struct RotaryEncoders {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_NVP(joints));
    a->Visit(WYVERN_NVP(ticks_per_revolution));
    a->Visit(WYVERN_NVP(errors));
  }
  /** "arm::elbow", ... */
  std::vector<std::string> joints;
  /** Ticks for each joint; empty: angles are not rounded. */
  std::vector<int> ticks_per_revolution;
  /** Deviations of the measurement from the truth. */
  MeasurementErrors errors;
};

/** Any of the sensors above. */
using Sensor = std::variant<Accelerometer, Gyroscope, ForceTorqueSensor,
                            ContactSensor, RotaryEncoders>;

}  // namespace wyvern::app
