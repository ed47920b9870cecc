#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "wyvern/systems/common/described_value.h"
#include "wyvern/systems/common/eigen_types.h"

/** @file
References and model drivers of a scenario as plain data: what the joints are to
do, and what feeds the actuators. */

namespace wyvern::app {

/** @name References
What joints are to do, in the order of the actuators: [rad], [m]. Before the
first and after the last of their times they rest.
@{ */
/** `!Constant {q: [0.1, 0.2]}`; the one without a tag. */
struct Constant {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(
        q, "Position of each joint, rad or m; one number may stand for all."));
  }
  /** A number for each joint. */
  VectorX<double> q{VectorX<double>::Zero(1)};
};
/** `!Waypoints {times: [0, 1], q: [[0, 0], [1, 0.5]]}`: a row of q a time;
smooth, at rest at both ends, turning only at way-points; or straight lines. */
struct Waypoints {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(times, "Times of the way-points, s, rising."));
    a->Visit(WYVERN_DNVP(
        q, "A row for each time, a column for each joint, rad or m."));
    a->Visit(WYVERN_DNVP(interpolation, "cubic (smooth) or linear."));
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
    a->Visit(WYVERN_DNVP(file,
                         "Path from the scenario's folder. Columns: time, s, "
                         "then a position for each joint, rad or m."));
    a->Visit(WYVERN_DNVP(interpolation, "cubic (smooth) or linear."));
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
    a->Visit(
        WYVERN_DNVP(offset, "Middle of the motion of each joint, rad or m."));
    a->Visit(WYVERN_DNVP(amplitude, "Amplitude of each joint, rad or m."));
    a->Visit(WYVERN_DNVP(frequency, "Frequency of each joint, Hz."));
    a->Visit(WYVERN_DNVP(phase, "Phase of each joint, rad."));
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
    a->Visit(
        WYVERN_DNVP(offset, "Middle of the motion of each joint, rad or m."));
    a->Visit(WYVERN_DNVP(amplitude, "Amplitude of each joint, rad or m."));
    a->Visit(WYVERN_DNVP(start_frequency, "Frequency at time 0, Hz."));
    a->Visit(WYVERN_DNVP(end_frequency, "Frequency at `duration`, Hz."));
    a->Visit(WYVERN_DNVP(duration,
                         "Duration of the motion, s; then the joints rest."));
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
/** Any of the sources of references above. */
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
    a->Visit(
        WYVERN_DNVP(kp, "Position gain of each actuator, N·m/rad or N/m."));
    a->Visit(
        WYVERN_DNVP(kd, "Velocity gain of each actuator, N·m·s/rad or N·s/m."));
    a->Visit(WYVERN_DNVP(
        ki, "Integral gain of each actuator, N·m/(rad·s) or N/(m·s)."));
    a->Visit(WYVERN_DNVP(
        gravity_compensation,
        "Whether the driver also carries the weight of the model."));
    a->Visit(WYVERN_DNVP(reference, "Motion that the joints follow."));
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
    a->Visit(WYVERN_DNVP(kp, "Position gain of each actuator, 1/s²."));
    a->Visit(WYVERN_DNVP(kd, "Velocity gain of each actuator, 1/s."));
    a->Visit(WYVERN_DNVP(ki, "Integral gain of each actuator, 1/s³."));
    a->Visit(WYVERN_DNVP(reference, "Motion that the joints follow."));
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
    a->Visit(WYVERN_DNVP(
        stiffness, "Stiffness of the spring at each joint, N·m/rad or N/m."));
    a->Visit(
        WYVERN_DNVP(damping, "Damping at each joint, N·m·s/rad or N·s/m."));
    a->Visit(
        WYVERN_DNVP(reference, "Positions at which the springs are at rest."));
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
    a->Visit(WYVERN_DNVP(reference,
                         "Motion that the servos of the model's file follow; "
                         "null: they hold the home position."));
  }
  /** Motion that the servos follow; null: the home position. */
  std::optional<Reference> reference;
};
/** The linear quadratic regulator of the whole plant, without contact, about
rest at `position`; needs every state to be in reach of the actuators. */
struct LqrDriver {
  template <typename Archive>
  void Serialize(Archive* a) {
    a->Visit(WYVERN_DNVP(
        position,
        "Equilibrium: positions by model instance and joint, rad or m. Joints "
        "that are not named are at 0 or at their default."));
    a->Visit(
        WYVERN_DNVP(Q, "Diagonal of the cost of the plant's state [q, v]."));
    a->Visit(WYVERN_DNVP(R, "Diagonal of the cost of the model's actuators."));
  }
  /** Joints that are not named are at 0, or at their default_joint_positions.
   */
  JointPositions position;
  /** Costs of the plant's states [q, v], in order; the diagonal. */
  VectorX<double> Q{VectorX<double>::Ones(1)};
  /** Costs of the model's actuators; the diagonal. */
  VectorX<double> R{VectorX<double>::Ones(1)};
};
/** Any of the drivers above. */
using ModelDriver =
    std::variant<ZeroForceDriver, PdDriver, InverseDynamicsDriver,
                 JointImpedanceDriver, LqrDriver, ServoDriver>;
/** @} */

}  // namespace wyvern::app
