// Atlas, unpowered, falls on the ground.
//
//     O           30 bodies on 36 degrees of freedom, joint limits;
//    /|\          at last it lies, and the ground carries its weight
//    / \   __O--<
//
// `26_atlas_falls FOLDER`: of the package drake_models.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "examples/support/contact_scene.h"
#include "examples/support/models_folder.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

int main(int argc, char* argv[]) {
  const auto folder = examples::FindModelsFolder(argc, argv);
  if (!folder) return examples::kSkipped;
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] =
      AddMultibodyPlantSceneGraph(&builder, 0.002 /* time step, s */);
  Parser parser(&plant);
  parser.package_map().AddPackageXml((*folder / "package.xml").string());
  parser.AddModels(*folder / "atlas/atlas_convex_hull.urdf");
  examples::AddFloor(CoulombFriction<double>(0.5, 0.5), &plant);
  const auto& pelvis = plant.GetBodyByName("pelvis");
  plant.SetDefaultFreeBodyPose(
      pelvis, math::RigidTransformd(Vector3d(0, 0, 0.95 /* m */)));
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  const auto& context = plant.GetMyContextFromRoot(simulator.get_context());

  const Eigen::VectorXd lower = plant.GetPositionLowerLimits();
  const Eigen::VectorXd upper = plant.GetPositionUpperLimits();
  const double start = plant.CalcPotentialEnergy(context);
  double beyond = 0, energy = start, gain = 0;  // rad, J
  fmt::print("time [s]  pelvis at [m]  kinetic [J]  ground carries [N]\n");
  for (int i = 1; i <= 40; ++i) {
    simulator.AdvanceTo(0.1 * i);
    const Eigen::VectorXd q = plant.GetPositions(context);
    beyond = std::max({beyond, (lower - q).maxCoeff(), (q - upper).maxCoeff()});
    const double kinetic = plant.CalcKineticEnergy(context);
    const double now = kinetic + plant.CalcPotentialEnergy(context);
    gain = std::max(gain, now - energy);
    energy = now;
    if (i % 5 != 0) continue;
    fmt::print(
        "{:8.1f}  {:13.3f}  {:11.2e}  {:18.1f}\n", 0.1 * i,
        plant.EvalBodyPoseInWorld(context, pelvis).translation().z(), kinetic,
        -examples::CalcContactForce(plant, context, plant.world_body()).z());
  }
  const double weight = 9.81 * plant.CalcTotalMass(context);
  const double carried =
      -examples::CalcContactForce(plant, context, plant.world_body()).z();
  fmt::print(
      "it weighs {:.1f} N; no joint was more than {:.3f} rad beyond its "
      "limits\n",
      weight, beyond);
  const bool lies =
      std::abs(carried / weight - 1) < 0.05 && beyond < 0.1 &&
      gain < 0.01 * start &&
      plant.EvalBodyPoseInWorld(context, pelvis).translation().z() < 0.5;
  return lies ? EXIT_SUCCESS : EXIT_FAILURE;
}
