// Where a deformable bar comes to rest on each rigid shape, as Drake 1.51 has
// it: see tests/oracles/deformable_rest.py.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/peer_bar.h"
#include "tests/multibody/plant/soft_scene.h"

namespace wyvern::multibody {
namespace peer_deformable_rest_test {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using geometry::GeometryInstance;
using math::RigidTransformd;
using math::RollPitchYawd;
using soft_scene::MakeProperties;

const Vector3d kBox(0.1, 0.12, 0.1);

geometry::InMemoryMesh MakeBoxFile() {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const auto half = [i](int axis, int bit) {
      return std::to_string((i >> bit & 1 ? 1 : -1) * kBox[axis] / 2) + " ";
    };
    text += "v " + half(0, 2) + half(1, 1) + half(2, 0) + "\n";
  }
  text += "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
  return {MemoryFile(text, ".obj", "box"), {}};
}

struct Prop {
  std::string name;
  std::unique_ptr<geometry::Shape> shape;
  bool is_along_y{};
  double up{};
  double radius{};  // The smallest of curvature where it touches; 0: flat.
};

std::vector<Prop> MakeProps() {
  std::vector<Prop> result;
  const auto add = [&result](const char* name, const geometry::Shape& shape,
                             bool is_along_y, double up, double radius) {
    result.push_back({name, shape.Clone(), is_along_y, up, radius});
  };
  add("ball", geometry::Sphere(0.08), false, 0.08, 0.08);
  add("egg", geometry::Ellipsoid(0.1, 0.08, 0.07), false, 0.07,
      0.08 * 0.08 / 0.07);
  add("roll", geometry::Cylinder(0.06, 0.3), true, 0.06, 0.06);
  add("pill", geometry::Capsule(0.06, 0.1), true, 0.06, 0.06);
  add("block", geometry::Box(kBox), false, kBox[2] / 2, 0);
  add("convex", geometry::Convex(MakeBoxFile()), false, kBox[2] / 2, 0);
  add("mesh", geometry::Mesh(MakeBoxFile()), false, kBox[2] / 2, 0);
  return result;
}

constexpr double kStep = 0.01;
constexpr double kStictionTolerance = 1e-3;
const Vector3d kSlope = 9.81 * Vector3d(0.3, 0, -1).normalized();

struct Rest {
  std::vector<peer_bar::PeerVertex> vertices;
  double speed{};  // The largest of a vertex.
};

// Behind a wall if it is propped, else on a plate.
Rest RestOn(const std::string& name, const Prop* prop,
            DiscreteContactApproximation approximation) {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, kStep);
  plant.set_discrete_contact_approximation(approximation);
  plant.set_stiction_tolerance(kStictionTolerance);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  auto bar = std::make_unique<GeometryInstance>(
      RigidTransformd(), geometry::Box(0.4, 0.2, 0.2), "bar");
  bar->set_proximity_properties(MakeProperties());
  fem::DeformableBodyConfig<double> config;
  config.set_youngs_modulus(1e5);
  config.set_poissons_ratio(0.3);
  config.set_mass_density(1000);
  config.set_mass_damping_coefficient(20);
  const DeformableBodyId id =
      model.RegisterDeformableBody(std::move(bar), config, 0.1 * (1 + 1e-9));
  auto properties = MakeProperties();
  geometry::AddRigidHydroelasticProperties(0.01, &properties);
  if (prop != nullptr) {
    model.SetWallBoundaryCondition(id, {-0.199, 0, 0}, {1, 0, 0});
    const RigidTransformd X(
        RollPitchYawd(prop->is_along_y ? M_PI / 2 : 0, 0, 0),
        Vector3d(0.15, 0.01, -0.1 - prop->up));
    plant.RegisterCollisionGeometry(plant.world_body(), X, *prop->shape,
                                    "rigid", properties);
  } else {
    plant.RegisterCollisionGeometry(
        plant.world_body(), RigidTransformd(Vector3d(0.03, 0.04, -0.6)),
        geometry::Box(2, 2, 1), "rigid", properties);
  }
  if (name == "slope") {
    plant.mutable_gravity_field().set_gravity_vector(kSlope);
  }
  plant.Finalize();
  const auto diagram = builder.Build();
  systems::Simulator<double> simulator(*diagram);
  const auto& context = plant.GetMyContextFromRoot(simulator.get_context());
  const Matrix3Xd start = model.GetPositions(context, id);
  simulator.AdvanceTo(4);
  return {peer_bar::Pair(start, model.GetPositions(context, id)),
          model.GetVelocities(context, id).colwise().norm().maxCoeff()};
}

double DistanceFromDrake(const std::string& name, const Prop* prop,
                         const std::string& peer) {
  const Rest rest = RestOn(name, prop, DiscreteContactApproximation::kLagged);
  return peer_bar::Distance(rest.vertices,
                            peer_bar::ReadPeer("deformable_rest.txt", peer));
}

// How deep in the plate Drake's is: ours gives way by 20 um.
double DepthOfDrake(const std::string& name) {
  double result = 0;
  for (const auto& vertex : peer_bar::ReadPeer("deformable_rest.txt", name)) {
    if (vertex.start.z() > -0.099) continue;
    result = std::max(result, -0.1 - vertex.end.z());
  }
  EXPECT_GT(result, 2e-5);
  return result;
}

// Drake's round shapes have edges of 0.01 m, whose chords go that far below.
TEST(PeerDeformableRest, ABarRestsOnEachShapeWhereDrakeHasIt) {
  const double depth = DepthOfDrake("ground");
  const auto spread =
      peer_bar::Distance(peer_bar::ReadPeer("deformable_rest.txt", "block"),
                         peer_bar::ReadPeer("deformable_rest.txt", "mesh"));
  for (const Prop& prop : MakeProps()) {
    if (prop.radius > 0) {
      EXPECT_LT(DistanceFromDrake(prop.name, &prop, prop.name),
                depth + 0.01 * 0.01 / (8 * prop.radius))
          << prop.name;
    } else {
      // So far apart is where Drake has it on the same box as a shape and as a
      // mesh. Ours is the same on both.
      EXPECT_LT(DistanceFromDrake(prop.name, &prop, "block"), spread)
          << prop.name;
    }
  }
}

// On the slope both creep as the law of friction says. By the time of landing
// one may touch a step before the other.
TEST(PeerDeformableRest, ABarRestsOnAPlateWhereDrakeHasIt) {
  EXPECT_LT(DistanceFromDrake("ground", nullptr, "ground"),
            DepthOfDrake("ground"));
  EXPECT_LT(DistanceFromDrake("slope", nullptr, "slope"),
            DepthOfDrake("slope") + kSlope.x() * kStep * kStep);
}

// It has no viscosity: a contact that pushed out in one step all that is in
// touch would have it bounce for ever, each step the other vertices.
TEST(PeerDeformableRest, ABarWithoutViscosityDoesNotTremble) {
  for (const auto approximation : {DiscreteContactApproximation::kTamsi,
                                   DiscreteContactApproximation::kSap,
                                   DiscreteContactApproximation::kSimilar,
                                   DiscreteContactApproximation::kLagged}) {
    EXPECT_LT(RestOn("ground", nullptr, approximation).speed,
              kStictionTolerance);
  }
}

}  // namespace peer_deformable_rest_test
}  // namespace wyvern::multibody
