// An arm swings down and comes to rest, measured by an encoder at its shoulder
// and a force sensor in its wrist, and recorded to three files.
//
//     (o)==========[F]==#      shoulder, upper arm, sensor in a weld, 2 kg
//     encoder: 1000 ticks, sampled at 100 Hz, 5 ms late
//     F: at 1 kHz with 0.05 N of noise    ---> arm_record.csv, .h5, .mcap
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/recording/record_plant.h"
#include "wyvern/multibody/sensors/force_torque_sensor.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"
#include "wyvern/systems/sensors/measured_signal.h"
#include "wyvern/systems/sensors/rotary_encoders.h"

using namespace wyvern::multibody;         // NOLINT(build/namespaces)
using namespace wyvern::systems;           // NOLINT(build/namespaces)
using namespace wyvern::systems::sensors;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using wyvern::math::RigidTransformd;

int main() {
  const double mass = 2, length = 0.5, tick = std::numbers::pi / 500;
  DiagramBuilder<double> builder;
  auto* plant = builder.AddNamedSystem<MultibodyPlant>("plant", 0.001 /* s */);
  const auto& arm = plant->AddRigidBody(
      "arm", SpatialInertia<double>::PointMass(1.0, {0, 0, -length / 2}));
  const auto& load = plant->AddRigidBody(
      "load", SpatialInertia<double>::SolidSphereWithMass(mass, 0.05));
  const auto& shoulder = plant->AddJoint<RevoluteJoint>(
      "shoulder", plant->world_body(), {}, arm, {}, Vector3d::UnitY(),
      2.0 /* N m s/rad */);
  const auto& wrist =
      plant->WeldFrames(arm.body_frame(), load.body_frame(),
                        RigidTransformd(Vector3d(0, 0, -length)));
  plant->Finalize();
  auto* encoder = builder.AddSystem<RotaryEncoders<double>>(
      2, std::vector<int>{0}, std::vector<int>{1000});
  builder.Connect(plant->get_state_output_port(), encoder->get_input_port());
  auto* angle = AddMeasuredSignal<double>(
      encoder->get_output_port(), {.period = 0.01, .delay = 0.005}, &builder);
  const auto& sensor =
      ForceTorqueSensor<double>::AddToDiagram(wrist, {}, *plant, &builder);
  auto* force = AddMeasuredSignal<double>(
      sensor.get_measurement_output_port(),
      {.period = 0.001, .noise = Eigen::VectorXd::Constant(1, 0.05), .seed = 1},
      &builder);
  for (const std::string ending : {".csv", ".mcap", ".h5"}) {
    if (ending == ".h5" && !Hdf5RecordingSink::is_available()) continue;
    auto* recorder = builder.AddSystem<Recorder<double>>("arm_record" + ending);
    RecordPort(plant->get_state_output_port(), *plant, 0.001, recorder,
               &builder);
    const SignalDescription of_angle{"angle", "rad", {}, 0.001};
    const SignalDescription of_force{"wrist", "N", {}, 0.001};
    Record(angle->get_output_port(), of_angle, recorder, &builder);
    Record(force->get_output_port(), of_force, recorder, &builder);
  }
  Simulator<double> simulator(builder.Build());
  const auto& root = simulator.get_context();
  shoulder.set_angle(
      &plant->GetMyMutableContextFromRoot(&simulator.get_mutable_context()),
      std::numbers::pi / 2);
  simulator.AdvanceTo(10.0);
  const auto look = [&](const MeasuredSignal<double>& signal, int i) {
    return signal.get_output_port().Eval(signal.GetMyContextFromRoot(root))[i];
  };
  const double seen = look(*angle, 0), borne = look(*force, 5);
  fmt::print("Encoder: {:.4f} rad of {:.4f}; wrist: {:.3f} N of {:.3f} N\n",
             seen, tick, borne, mass * 9.81);
  // At rest; the force has noise of 0.05 N, of which five are allowed.
  const bool is_borne = std::abs(borne - mass * 9.81) < 0.25;
  return is_borne && std::abs(seen) <= tick ? EXIT_SUCCESS : EXIT_FAILURE;
}
