// A model file, whatever is in it, is added as a whole or refused in plain
// words; what is added has finite dynamics or says what it lacks.
// WYVERN_FUZZ_TYPE is "urdf", "sdf" or "xml".
#include <exception>
#include <string>

#include "tests/fuzz/fuzz.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern {
namespace {

using multibody::MultibodyPlant;

// The dynamics of a small model at rest.
void RequireFiniteDynamics(systems::DiagramBuilder<double>* builder,
                           MultibodyPlant<double>* plant,
                           std::string_view input) {
  try {
    plant->Finalize();
    if (plant->num_velocities() > 60) return;
    const auto diagram = builder->Build();
    const auto context = diagram->CreateDefaultContext();
    const auto& of_plant = plant->GetMyContextFromRoot(*context);
    fuzz::Require(plant->GetPositions(of_plant).allFinite(),
                  "default positions are finite");
    fuzz::Require(
        plant->EvalTimeDerivatives(of_plant).CopyToVector().allFinite(),
        "accelerations are finite");
  } catch (const std::exception& error) {
    fuzz::Refused(error, input);
    return;
  }
  fuzz::Accepted();
}

}  // namespace
}  // namespace wyvern

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wyvern;  // NOLINT(build/namespaces)
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  systems::DiagramBuilder<double> builder;
  auto& plant =
      multibody::AddMultibodyPlantSceneGraph<double>(&builder, 0.0).plant;
  multibody::Parser parser(&plant);
  parser.SetWarningHandler({});
  const int instances = plant.num_model_instances();
  const int bodies = plant.num_bodies();
  try {
    parser.AddModelsFromString(std::string(input), WYVERN_FUZZ_TYPE);
  } catch (const std::exception& error) {
    fuzz::Refused(error, input);
    fuzz::Require(plant.num_model_instances() == instances &&
                      plant.num_bodies() == bodies,
                  "a refused file leaves the plant as it was");
    return 0;
  }
  RequireFiniteDynamics(&builder, &plant, input);
  return 0;
}
