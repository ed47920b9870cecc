#include "wyvern/app/sensor_blocks.h"

#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/app/element_units.h"
#include "wyvern/multibody/parsing/directives/scoped_names.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/sensors/accelerometer.h"
#include "wyvern/multibody/sensors/contact_sensor.h"
#include "wyvern/multibody/sensors/force_torque_sensor.h"
#include "wyvern/multibody/sensors/gyroscope.h"
#include "wyvern/multibody/tree/scoped_name.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/sensors/rotary_encoders.h"

/* A sensor of a scenario is two blocks: an ideal instrument that measures the
plant, and a MeasuredSignal behind it that adds noise, bias, delay, quantization
and sampling. InstrumentBuilder has one overload for each kind of sensor, which
also names the elements and units of the measurement. A sensor without errors
passes its instrument's values on. */

namespace wyvern::app {

namespace instruments = systems::sensors;
using math::RigidTransform;
using multibody::Frame;
using multibody::Joint;
using multibody::MultibodyPlant;
using systems::OutputPort;

namespace {

using Names = std::vector<std::string>;

const Joint<double>& FindJoint(const MultibodyPlant<double>& plant,
                               const std::string& name) {
  const auto scoped = multibody::ScopedName::Parse(name);
  return scoped.get_namespace().empty()
             ? plant.GetJointByName(scoped.get_element())
             : plant.GetJointByName(
                   scoped.get_element(),
                   plant.GetModelInstanceByName(scoped.get_namespace()));
}

RigidTransform<double> PoseOf(const schema::Rotation& rotation,
                              const Vector3<double>& translation) {
  return {rotation.GetDeterministicValue(), translation};
}

// Adds the ideal instrument of one sensor; gives what it measures.
class InstrumentBuilder {
 public:
  InstrumentBuilder(const MultibodyPlant<double>& plant,
                    systems::DiagramBuilder<double>* builder,
                    SensorElements* elements)
      : plant_(plant), builder_(*builder), elements_(*elements) {}

  const OutputPort<double>& operator()(const Accelerometer& sensor) {
    const auto [frame, X_BS] = Find(sensor.place);
    elements_ = {{"x", "y", "z"}, Names(3, "m/s²")};
    return instruments::Accelerometer<double>::AddToDiagram(
               frame->body(), X_BS, plant_.gravity_field().gravity_vector(),
               plant_, &builder_)
        .get_measurement_output_port();
  }

  const OutputPort<double>& operator()(const Gyroscope& sensor) {
    const auto [frame, X_BS] = Find(sensor.place);
    elements_ = {{"x", "y", "z"}, Names(3, "rad/s")};
    return instruments::Gyroscope<double>::AddToDiagram(frame->body(), X_BS,
                                                        plant_, &builder_)
        .get_measurement_output_port();
  }

  const OutputPort<double>& operator()(const ForceTorqueSensor& sensor) {
    elements_ = kWrench;
    return instruments::ForceTorqueSensor<double>::AddToDiagram(
               FindJoint(plant_, sensor.joint),
               PoseOf(sensor.rotation, sensor.translation), plant_, &builder_)
        .get_measurement_output_port();
  }

  const OutputPort<double>& operator()(const ContactSensor& sensor) {
    elements_ = kWrench;
    const auto& body =
        multibody::parsing::GetScopedFrameByName(plant_, sensor.body).body();
    return instruments::ContactSensor<double>::AddToDiagram(
               body, plant_, &builder_, sensor.threshold)
        .get_wrench_output_port();
  }

  const OutputPort<double>& operator()(const RotaryEncoders& sensor) {
    std::vector<int> positions;
    for (const std::string& name : sensor.joints) {
      const Joint<double>& joint = FindJoint(plant_, name);
      if (joint.num_positions() != 1) {
        throw std::logic_error(fmt::format(
            "joint '{}' has {} positions; encoders are for joints of one.",
            name, joint.num_positions()));
      }
      if (!sensor.ticks_per_revolution.empty() &&
          joint.type_name() == "prismatic") {
        throw std::logic_error(fmt::format(
            "joint '{}' is prismatic, and has no ticks_per_revolution; give "
            "errors.quantum [m].",
            name));
      }
      positions.push_back(joint.position_start());
      elements_.names.push_back(name);
      elements_.units.push_back(GetPositionUnit(joint, 0));
    }
    const int size = plant_.num_multibody_states();
    auto encoders = sensor.ticks_per_revolution.empty()
                        ? std::make_unique<instruments::RotaryEncoders<double>>(
                              size, positions)
                        : std::make_unique<instruments::RotaryEncoders<double>>(
                              size, positions, sensor.ticks_per_revolution);
    const auto* added = builder_.AddSystem(std::move(encoders));
    builder_.Connect(plant_.get_state_output_port(), added->get_input_port());
    return added->get_output_port();
  }

 private:
  // The frame, and the sensor's pose in its body.
  std::pair<const Frame<double>*, RigidTransform<double>> Find(
      const SensorPlace& place) const {
    const Frame<double>& frame =
        multibody::parsing::GetScopedFrameByName(plant_, place.frame);
    return {&frame, frame.GetFixedPoseInBodyFrame() *
                        PoseOf(place.rotation, place.translation)};
  }

  inline static const SensorElements kWrench{
      {"tx", "ty", "tz", "fx", "fy", "fz"},
      {"N·m", "N·m", "N·m", "N", "N", "N"}};
  const MultibodyPlant<double>& plant_;
  systems::DiagramBuilder<double>& builder_;
  SensorElements& elements_;
};

}  // namespace

std::map<const OutputPort<double>*, SensorElements> AddSensors(
    const Scenario& scenario, const MultibodyPlant<double>& plant,
    systems::DiagramBuilder<double>* builder) {
  std::map<const OutputPort<double>*, SensorElements> added;
  for (const auto& [name, sensor] : scenario.sensors) {
    const std::string ideal = name + "_ideal";
    try {
      for (const std::string& taken : {name, ideal}) {
        if (!builder->HasSubsystemNamed(taken)) continue;
        throw std::logic_error(fmt::format(
            "there is a block '{}' already; give it another name.", taken));
      }
      SensorElements elements;
      const OutputPort<double>& truth =
          std::visit(InstrumentBuilder(plant, builder, &elements), sensor);
      builder->GetMutableSystems().back()->set_name(ideal);
      const MeasurementErrors& errors = std::visit(
          [](const auto& one) -> const MeasurementErrors& {
            return one.errors;
          },
          sensor);
      auto* measured = instruments::AddMeasuredSignal(truth, errors, builder);
      measured->set_name(name);
      for (std::string& element : elements.names) {
        element = name + "_" + element;
      }
      added[&measured->get_output_port()] = std::move(elements);
    } catch (const std::exception& error) {
      throw std::logic_error(
          fmt::format("Scenario (sensors['{}']): {}", name, error.what()));
    }
  }
  return added;
}

}  // namespace wyvern::app
