// An Allegro hand that closes on YCB's can of soup, and turns upside down:
// `25_allegro_can FOLDER`, of the package drake_models.
//
//     \__(can)__/        palm up: the can lies on it, the fingers close;
//   wrist--| palm |      then half a turn about the wrist: they hold it
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>

#include "examples/support/allegro_hand.h"
#include "examples/support/contact_scene.h"
#include "examples/support/models_folder.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using math::RigidTransformd;
using math::RotationMatrixd;

constexpr double kPi = std::numbers::pi;
constexpr double kWeight = 0.349 * 9.81;  // N

int main(int argc, char* argv[]) {
  const auto folder = examples::FindModelsFolder(argc, argv);
  if (!folder) return examples::kSkipped;
  systems::DiagramBuilder<double> builder;
  MultibodyPlant<double>& plant =
      AddMultibodyPlantSceneGraph(&builder, 0.002 /* time step, s */).plant;
  const RigidTransformd X_WF(RotationMatrixd::MakeYRotation(-kPi / 2),
                             Vector3d(0, 0, 0.5));
  const examples::AllegroHand hand(*folder, X_WF, &plant);
  Parser parser(&plant);
  parser.package_map().AddPackageXml((*folder / "package.xml").string());
  parser.AddModels(*folder / "ycb/005_tomato_soup_can.sdf");
  const auto& can = plant.GetBodyByName("base_link_soup");
  plant.SetDefaultFreeBodyPose(
      can, X_WF * RigidTransformd(Vector3d(0.0544, 0, 0.05)));
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  auto& context =
      plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
  const auto move_to = [&](double close, double turn, double time) {
    hand.SetDesired(close, turn, &context);
    simulator.AdvanceTo(time);
  };
  const auto place_in_hand = [&]() {
    return Vector3d(plant
                        .CalcRelativeTransform(
                            context, hand.palm().body_frame(), can.body_frame())
                        .translation());
  };
  for (int i = 1; i <= 50; ++i) move_to(i / 50.0, 0, 0.02 * i);
  simulator.AdvanceTo(1.5);
  const Vector3d before = place_in_hand();
  for (int i = 1; i <= 100; ++i) move_to(1, kPi * i / 100, 1.5 + 0.01 * i);
  simulator.AdvanceTo(3.5);

  const double moved = (place_in_hand() - before).norm();
  const double held = examples::CalcContactForce(plant, context, can).z();
  fmt::print("the can moved in the hand by {:.4f} m\n", moved);
  fmt::print("the hand holds it with {:.3f} N, it weighs {:.3f} N\n", held,
             kWeight);
  const bool is_held = moved < 0.01 && std::abs(held / kWeight - 1) < 0.05;
  return is_held ? EXIT_SUCCESS : EXIT_FAILURE;
}
