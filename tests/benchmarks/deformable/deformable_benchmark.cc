// deformable_benchmark MESH.vtk SCENE MATERIAL: reads numbers of steps from
// stdin, takes them, and prints a line of JSON for each: microseconds of the
// processor a step, and where the middle of the body is. compare.py runs it;
// the scenes are in README.md.
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace {

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double kStep = 0.01;  // [s]

double ProcessorTime() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

int Run(const std::string& mesh, const std::string& scene,
        const std::string& material) {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, kStep);
  plant.set_discrete_contact_approximation(
      DiscreteContactApproximation::kLagged);
  const CoulombFriction<double> friction(0.5, 0.5);
  if (scene == "ground") {
    geometry::ProximityProperties hard;
    geometry::AddContactMaterial({}, {}, friction, &hard);
    geometry::AddRigidHydroelasticProperties(1.0, &hard);
    plant.RegisterCollisionGeometry(plant.world_body(),
                                    math::RigidTransformd(Vector3d(0, 0, -0.6)),
                                    geometry::Box(2, 2, 1), "ground", hard);
  }
  auto instance = std::make_unique<geometry::GeometryInstance>(
      math::RigidTransformd(), geometry::Mesh(mesh), "bar");
  geometry::ProximityProperties touch;
  geometry::AddContactMaterial({}, {}, friction, &touch);
  instance->set_proximity_properties(touch);
  fem::DeformableBodyConfig<double> config;
  config.set_youngs_modulus(1e5);
  config.set_poissons_ratio(0.3);
  config.set_mass_density(1000);
  config.set_stiffness_damping_coefficient(0.01);
  const std::map<std::string, fem::MaterialModel> materials{
      {"linear_corotated", fem::MaterialModel::kLinearCorotated},
      {"neo_hookean", fem::MaterialModel::kNeoHookean},
      {"corotated", fem::MaterialModel::kCorotated}};
  config.set_material_model(materials.at(material));
  auto& model = plant.mutable_deformable_model();
  const DeformableBodyId id =
      model.RegisterDeformableBody(std::move(instance), config, 1.0);
  if (scene == "wall") {
    model.SetWallBoundaryCondition(id, Vector3d(-0.199, 0, 0),
                                   Vector3d::UnitX());
  }
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  const auto& context = plant.GetMyContextFromRoot(simulator.get_context());
  std::int64_t num_steps = 0;
  for (int n; std::cin >> n;) {
    const double start = ProcessorTime();
    num_steps += n;
    simulator.AdvanceTo(static_cast<double>(num_steps) * kStep);
    const double us = 1e6 * (ProcessorTime() - start) / n;
    const Vector3d p = model.GetPositions(context, id).rowwise().mean();
    fmt::print("{{\"us\": {}, \"middle\": [{}, {}, {}]}}\n", us, p.x(), p.y(),
               p.z());
    std::fflush(stdout);
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    // As one of all benchmarks: its figures need the peer's script.
    fmt::print("deformable_benchmark: run it by compare.py; see README.md.\n");
    return EXIT_SUCCESS;
  }
  return Run(argv[1], argv[2], argv[3]);
}
