// A saved simulation that was changed anywhere is refused in plain words, and
// leaves the Simulator that was to load it as it was.
#include <exception>
#include <memory>
#include <sstream>
#include <string>

#include "tests/fuzz/fuzz.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/simulator/simulator_serialization.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/discrete_time_delay.h"
#include "wyvern/systems/primitives/integrator.h"
#include "wyvern/systems/primitives/sine.h"

namespace wyvern {
namespace {

using multibody::MultibodyPlant;
using systems::Simulator;

// A ball on the ground, and beside it a sine that is delayed and integrated.
std::unique_ptr<systems::Diagram<double>> MakeDiagram() {
  systems::DiagramBuilder<double> builder;
  auto& plant =
      multibody::AddMultibodyPlantSceneGraph<double>(&builder, 1e-3).plant;
  const multibody::CoulombFriction<double> friction(0.5, 0.5);
  const auto& ball = plant.AddRigidBody(
      "ball", multibody::SpatialInertia<double>::SolidSphereWithMass(1, 0.1));
  plant.RegisterCollisionGeometry(ball, {}, geometry::Sphere(0.1), "ball",
                                  friction);
  plant.RegisterCollisionGeometry(plant.world_body(), {}, geometry::HalfSpace(),
                                  "ground", friction);
  plant.Finalize();
  const auto* sine = builder.AddSystem<systems::Sine<double>>(1, 3, 0, 2);
  const auto* delay =
      builder.AddSystem<systems::DiscreteTimeDelay<double>>(0.01, 3, 2);
  const auto* integral = builder.AddSystem<systems::Integrator<double>>(2);
  builder.Connect(sine->get_output_port(0), delay->get_input_port());
  builder.Connect(*delay, *integral);
  return builder.Build();
}

struct Original {
  Original() : diagram(MakeDiagram()) {
    Simulator<double> simulator(*diagram);
    simulator.AdvanceTo(0.0512);
    std::stringstream stream;
    systems::SaveSimulation(simulator, &stream);
    saved = stream.str();
  }

  std::unique_ptr<systems::Diagram<double>> diagram;
  std::string saved;
};

// Bytes changed, dropped or put in, and perhaps an end cut off.
std::string Change(std::string bytes, fuzz::Choices* choices) {
  const auto anywhere = [&bytes, choices]() {
    const size_t high = choices->Below(256), low = choices->Below(256);
    return (256 * high + low) * bytes.size() / 65536;
  };
  for (int i = choices->Below(4); i >= 0 && !bytes.empty(); --i) {
    const size_t at = anywhere();
    switch (choices->Below(8)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.erase(at, 1 + choices->Below(16));
        break;
      case 2:
        bytes.insert(at, 1 + choices->Below(16),
                     static_cast<char>(choices->Below(256)));
        break;
      default:
        bytes[at] = static_cast<char>(choices->Below(256));
    }
  }
  return bytes;
}

}  // namespace
}  // namespace wyvern

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wyvern;  // NOLINT(build/namespaces)
  static const Original original;
  fuzz::Choices choices(data, size);
  const std::string changed = Change(original.saved, &choices);
  Simulator<double> simulator(*original.diagram);
  std::stringstream stream(changed);
  try {
    systems::LoadSimulation(&stream, &simulator);
  } catch (const std::exception& error) {
    fuzz::Refused(error);
    fuzz::Require(simulator.get_context().get_time() == 0,
                  "a Simulator stays as it was");
    return 0;
  }
  fuzz::Require(changed == original.saved, "a changed file is refused");
  fuzz::Accepted();
  return 0;
}
