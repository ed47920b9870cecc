#pragma once

#include <string>
#include <variant>
#include <vector>

#include "wyvern/geometry/math/transform_schema.h"
#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"
#include "wyvern/systems/sensors/measured_signal.h"

/** @file
The instruments of a scenario as plain data: what is measured, where, and what
is wrong with it. */

namespace wyvern::systems::sensors {

template <typename Archive>
void Serialize(Archive* a, MeasurementErrors* errors) {
  a->Visit(
      DescribedValue("period", &errors->period,
                     "Time between samples, s; 0: measured at all times."));
  a->Visit(DescribedValue("offset", &errors->offset,
                          "Time of the first sample, s."));
  a->Visit(DescribedValue("delay", &errors->delay,
                          "Time from a sample to the output, s."));
  a->Visit(DescribedValue("bias", &errors->bias,
                          "Constant error, in the unit of the signal."));
  a->Visit(DescribedValue("noise", &errors->noise,
                          "Standard deviation of Gaussian noise, in the unit "
                          "of the signal; needs a period."));
  a->Visit(DescribedValue("quantum", &errors->quantum,
                          "Distance between values of the output, in the unit "
                          "of the signal; 0: not rounded."));
  a->Visit(DescribedValue("seed", &errors->seed, "Random seed of the noise."));
}

}  // namespace wyvern::systems::sensors

namespace wyvern::app {

using systems::sensors::MeasurementErrors;

/** Where a sensor is: a pose from a frame of the plant. */
struct SensorPlace {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(
        frame,
        "Frame that the sensor is fixed to, as model::body or model::frame."));
    a->Visit(
        WYVERN_DNVP(translation, "Position of the sensor in the frame, m."));
    a->Visit(DescribedValue("rotation", &rotation.value,
                            "Orientation of the sensor in its frame, such as "
                            "!Rpy {deg: [0, 0, 90]}."));
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
    a->Visit(WYVERN_DNVP(errors,
                         "Errors and sampling of the measurement (default: "
                         "exact, at all times)."));
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
    a->Visit(WYVERN_DNVP(errors,
                         "Errors and sampling of the measurement (default: "
                         "exact, at all times)."));
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
    a->Visit(WYVERN_DNVP(
        joint, "Joint whose force and torque are measured, as model::joint."));
    a->Visit(WYVERN_DNVP(
        translation,
        "Position of the sensor in the joint's frame on the child body, m."));
    a->Visit(DescribedValue("rotation", &rotation.value,
                            "Orientation of the sensor in its frame, such as "
                            "!Rpy {deg: [0, 0, 90]}."));
    a->Visit(WYVERN_DNVP(errors,
                         "Errors and sampling of the measurement (default: "
                         "exact, at all times)."));
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
    a->Visit(WYVERN_DNVP(
        body, "Body whose contact force is measured, as model::body."));
    a->Visit(
        WYVERN_DNVP(threshold, "Smallest force that counts as contact, N."));
    a->Visit(WYVERN_DNVP(errors,
                         "Errors and sampling of the measurement (default: "
                         "exact, at all times)."));
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
    a->Visit(WYVERN_DNVP(joints, "Joints to measure, as model::joint."));
    a->Visit(WYVERN_DNVP(ticks_per_revolution,
                         "Ticks per revolution for each joint (default: angles "
                         "are not rounded)."));
    a->Visit(WYVERN_DNVP(errors,
                         "Errors and sampling of the measurement (default: "
                         "exact, at all times)."));
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
