// A deformable bar in a plant, in twelve scenes, as Drake 1.51 has it: see
// tests/oracles/deformable_scenes.py. Where Drake's law is another, both sides
// are compared with the closed form.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/plant/peer_bar.h"
#include "wyvern/geometry/deformable/deformable_geometry.h"
#include "wyvern/multibody/fem/fem_stepper.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace peer_deformable_scenes_test {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using fem::MaterialModel;
using fem::internal::FemModel;
using fem::internal::MassKind;
using math::RigidTransformd;
using math::RollPitchYawd;
using peer_bar::PeerVertex;

std::vector<PeerVertex> ReadPeer(const std::string& scene) {
  return peer_bar::ReadPeer("deformable_scenes.txt", scene);
}

class Density final : public ForceDensityField<double> {
 public:
  explicit Density(const Vector3d& force)
      : ForceDensityField(ForceDensityType::kPerReferenceVolume),
        force_(force) {}

 private:
  Vector3d DoEvaluateAt(const systems::Context<double>&,
                        const Vector3d&) const override {
    return force_;
  }
  std::unique_ptr<ForceDensityFieldBase<double>> DoClone() const override {
    return std::make_unique<Density>(*this);
  }
  Vector3d force_;
};

// Defaults as in the script.
struct Scene {
  double dt{}, end{};
  double alpha{0}, beta{0}, E{1e5}, nu{0.3};
  Vector3d gravity{0, 0, -9.81}, v{0, 0, 0}, density{0, 0, 0};
  bool has_wall{}, is_fixed{}, is_in_channel{};
  MaterialModel material{MaterialModel::kLinearCorotated};
};

Scene Rests() {
  Scene scene;
  scene.alpha = 20;
  scene.dt = 0.1;
  scene.end = 60;
  return scene;
}

Scene RestsBehindWall(const Vector3d& gravity) {
  Scene scene = Rests();
  scene.has_wall = true;
  scene.gravity = gravity;
  return scene;
}

// Where the bar starts, where it is fixed, and the channel in its frame.
const RigidTransformd kX_WG(RollPitchYawd(0, 0, 0.1),
                            Vector3d(0.02, 0.01, 0.03));
const RigidTransformd kX_WA(RollPitchYawd(0.05, 0, 0), Vector3d(0, 0, 0.01));
const RigidTransformd kX_AC(Vector3d(0.013, 0.007, -0.05));

fem::DeformableBodyConfig<double> MakeConfig(const Scene& scene) {
  fem::DeformableBodyConfig<double> config;
  config.set_material_model(scene.material);
  config.set_youngs_modulus(scene.E);
  config.set_poissons_ratio(scene.nu);
  config.set_mass_density(1000);
  config.set_mass_damping_coefficient(scene.alpha);
  config.set_stiffness_damping_coefficient(scene.beta);
  return config;
}

// Along y: walls from |x| = 0.15 to 0.3 up to z = 0.3, a floor from z = -0.1 to
// 0.
geometry::Mesh MakeChannel() {
  const double profile[8][2] = {{-0.3, -0.1}, {-0.3, 0.3}, {-0.15, 0.3},
                                {-0.15, 0},   {0.15, 0},   {0.15, 0.3},
                                {0.3, 0.3},   {0.3, -0.1}};
  std::string text;
  for (const int y : {-1, 1}) {
    for (const auto& p : profile) {
      text += fmt::format("v {} {} {}\n", p[0], y, p[1]);
    }
  }
  for (int i = 0; i < 8; ++i) {
    const int j = (i + 1) % 8;
    text += fmt::format("f {} {} {} {}\n", i + 1, j + 1, j + 9, i + 9);
  }
  text += "f 1 4 3 2\nf 1 8 5 4\nf 5 8 7 6\n";
  text += "f 10 11 12 9\nf 12 13 16 9\nf 14 15 16 13\n";
  return geometry::Mesh(
      geometry::InMemoryMesh{MemoryFile(text, ".obj", "channel"), {}});
}

DeformableBodyId AddBar(const Scene& scene, MultibodyPlant<double>* plant) {
  DeformableModel<double>& model = plant->mutable_deformable_model();
  auto bar = std::make_unique<geometry::GeometryInstance>(
      scene.is_in_channel ? kX_WG : RigidTransformd(),
      geometry::Box(0.4, 0.2, 0.2), "bar");
  const DeformableBodyId id = model.RegisterDeformableBody(
      std::move(bar), MakeConfig(scene), 0.1 * (1 + 1e-9));
  if (scene.has_wall) {
    model.SetWallBoundaryCondition(id, {-0.199, 0, 0}, {1, 0, 0});
  }
  if (scene.is_fixed) {
    model.AddFixedConstraint(id, plant->world_body(), RigidTransformd(),
                             geometry::Box(0.1, 1, 1),
                             RigidTransformd(Vector3d(-0.2, 0, 0)));
  }
  if (scene.is_in_channel) {
    model.AddFixedConstraint(id, plant->world_body(), kX_WA, MakeChannel(),
                             kX_WA * kX_AC);
  }
  if (!scene.density.isZero()) {
    model.AddExternalForce(std::make_unique<Density>(scene.density));
  }
  return id;
}

// By vertex: where it started and where it is at the end.
std::vector<PeerVertex> Simulate(const Scene& scene) {
  MultibodyPlant<double> plant(scene.dt);
  plant.mutable_gravity_field().set_gravity_vector(scene.gravity);
  const DeformableBodyId id = AddBar(scene, &plant);
  plant.Finalize();
  systems::Simulator<double> simulator(plant);
  auto& context = simulator.get_mutable_context();
  const DeformableModel<double>& model = plant.deformable_model();
  const Matrix3Xd start = model.GetPositions(context, id);
  Matrix3Xd v = Matrix3Xd::Zero(3, start.cols());
  v.colwise() += scene.v;
  model.SetVelocities(&context, id, v);
  simulator.AdvanceTo(scene.end);
  const Matrix3Xd end = model.GetPositions(context, id);
  return peer_bar::Pair(start, end);
}

// The largest distance of a vertex from Drake's.
double Distance(const std::vector<PeerVertex>& ours, const std::string& name) {
  return peer_bar::Distance(ours, ReadPeer(name));
}

double Distance(const Scene& scene, const std::string& name) {
  return Distance(Simulate(scene), name);
}

// Returns the distance that the vertices of the bar's free end moved along it.
double Extension(const std::vector<PeerVertex>& vertices) {
  double sum = 0;
  int count = 0;
  for (const PeerVertex& vertex : vertices) {
    if (vertex.start.x() < 0.199) continue;
    sum += vertex.end.x() - vertex.start.x();
    ++count;
  }
  return sum / count;
}

// Motion without strain, and rest, depend on no detail of either engine except
// rounding, in the figures' 12 digits and in Drake's iterations.
constexpr double kRounding = 1e-8;  // m

TEST(PeerDeformableScenes, FallsAsThere) {
  Scene scene;
  scene.dt = 0.01;
  scene.end = 0.3;
  EXPECT_LT(Distance(scene, "fall"), kRounding);
}

TEST(PeerDeformableScenes, IsSlowedByMassDampingAsThere) {
  Scene scene;
  scene.dt = 0.01;
  scene.end = 0.5;
  scene.gravity.setZero();
  scene.v = Vector3d(1, 2, 3);
  scene.alpha = 2;
  EXPECT_LT(Distance(scene, "throw"), kRounding);
}

TEST(PeerDeformableScenes, IsLiftedByAForceDensityAsThere) {
  Scene scene;
  scene.dt = 0.01;
  scene.end = 0.2;
  scene.density = Vector3d(0, 2000, 9810);
  EXPECT_LT(Distance(scene, "density"), kRounding);
}

TEST(PeerDeformableScenes, IsPulledByAForceDensityAsThere) {
  Scene scene = RestsBehindWall({0, 0, 0});
  scene.density = Vector3d(5000, 0, 0);
  EXPECT_LT(Distance(scene, "pulled"), kRounding);
}

TEST(PeerDeformableScenes, HangsAsThereWhereItKeepsItsVolumeNearly) {
  Scene scene = RestsBehindWall({9.81, 0, 0});
  scene.nu = 0.45;
  scene.E = 2e5;
  EXPECT_LT(Distance(scene, "soft"), kRounding);
}

Scene Swing() {
  Scene scene;
  scene.has_wall = true;
  scene.E = 1e6;
  scene.beta = 0.01;
  scene.dt = 1e-3;
  scene.end = 0.1;
  return scene;
}

FemModel MakeBar(const Scene& scene, MassKind kind, double hint = 0.1) {
  return FemModel("bar",
                  geometry::internal::MakeDeformableMesh(
                      geometry::Box(0.4, 0.2, 0.2), hint * (1 + 1e-9)),
                  MakeConfig(scene), kind);
}

// The bar's own steps, with masses of this kind.
std::vector<PeerVertex> SimulateAlone(
    const Scene& scene, MassKind kind,
    const std::function<void(FemModel*)>& fix = [](FemModel* model) {
      for (const int v : model->FindBehindWall({-0.199, 0, 0}, {1, 0, 0})) {
        model->FixVertex(v);
      }
    }) {
  using namespace fem::internal;  // NOLINT(build/namespaces)
  FemModel model = MakeBar(scene, kind);
  fix(&model);
  FemState state = MakeDefaultState(model);
  FemStepper stepper(&model, scene.dt, TimeScheme::Newmark(1, 0.5));
  VectorX<double> f = VectorX<double>::Zero(state.q.size());
  model.AddGravity(scene.gravity, &f);
  for (int i = 0; i < std::lround(scene.end / scene.dt); ++i) {
    stepper.Step(f, &state);
  }
  std::vector<PeerVertex> result;
  for (int v = 0; v < model.num_vertices(); ++v) {
    result.push_back({model.reference_positions().segment<3>(3 * v),
                      state.q.segment<3>(3 * v)});
  }
  return result;
}

double Difference(const std::vector<PeerVertex>& a,
                  const std::vector<PeerVertex>& b) {
  EXPECT_EQ(a.size(), b.size());
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result = std::max(result, (a[i].end - b[i].end).norm());
  }
  return result;
}

// Returns the energy, [J], that masses at centroids miss for a bar that bends
// with v_z = x².
double CalcLostEnergy(double hint) {
  double result = 0;
  for (const MassKind kind : {MassKind::kConsistent, MassKind::kAtCentroids}) {
    const FemModel bar = MakeBar(Swing(), kind, hint);
    VectorX<double> v = VectorX<double>::Zero(3 * bar.num_vertices());
    for (int i = 0; i < v.size(); i += 3) {
      v[i + 2] = std::pow(bar.reference_positions()[i], 2);
    }
    result = fem::internal::CalcKineticEnergy(bar, v) - result;
  }
  return -result;
}

// Drake takes an element's mass at its centroid; with such masses a bar swings
// here as there. A plant has consistent masses. Both integrate velocities that
// are linear to the second order of the elements' size h: with half of it a
// quarter of the difference is left, but for (h / L)² of it.
TEST(PeerDeformableScenes, SwingsAsThereButForMassesOfSecondOrder) {
  Scene scene = Swing();
  scene.beta = 0;
  EXPECT_LT(Distance(SimulateAlone(scene, MassKind::kAtCentroids), "ring"),
            kRounding);
  EXPECT_LT(
      Difference(Simulate(scene), SimulateAlone(scene, MassKind::kConsistent)),
      1e-12);
  const double coarse = CalcLostEnergy(0.1), fine = CalcLostEnergy(0.05);
  EXPECT_GT(fine, 0);
  EXPECT_NEAR(coarse / fine, 4, 4 * std::pow(0.1 / 0.4, 2));
}

// Here damping costs no rigid motion, also of what is strained; Drake's is of
// the stiffness about the rotation. The two are the same without strain, and
// what they differ by is of the strain times the velocity: of half the load it
// is a quarter.
TEST(PeerDeformableScenes, IsDampedAsThereToTheFirstOrderOfStrain) {
  Scene scene = Swing();
  const auto difference = [&scene](const char* name) {
    return Distance(SimulateAlone(scene, MassKind::kAtCentroids), name);
  };
  const double whole = difference("swing");
  scene.gravity /= 2;
  const double half = difference("halved");
  EXPECT_GT(whole, kRounding);
  EXPECT_NEAR(half / whole, 0.25, 0.02);
}

// Drake's constraint gives a little under the bar's weight and moment; ours to
// the world does not. With these vertices where Drake has them, all others are
// where Drake's are.
TEST(PeerDeformableScenes, SagsFromAFixedConstraintAsThere) {
  Scene scene = Rests();
  scene.is_fixed = true;
  const auto ours = Simulate(scene);
  const auto peers = ReadPeer("fixed");
  const auto is_held = [](const Vector3d& p) { return p.x() < -0.15; };
  double gives = 0;
  for (const PeerVertex& vertex : ours) {
    if (is_held(vertex.start)) {
      EXPECT_EQ(vertex.end, vertex.start);
    }
  }
  for (const PeerVertex& peer : peers) {
    if (!is_held(peer.start)) continue;
    gives = std::max(gives, (peer.end - peer.start).norm());
  }
  EXPECT_GT(gives, kRounding);
  const auto fix = [&](bool as_there) {
    return [&, as_there](FemModel* model) {
      for (const PeerVertex& peer : peers) {
        if (!is_held(peer.start)) continue;
        for (int v = 0; v < model->num_vertices(); ++v) {
          const Vector3d p = model->reference_positions().segment<3>(3 * v);
          if ((p - peer.start).norm() > 1e-9) continue;
          model->FixVertex(v, as_there ? peer.end : p);
        }
      }
    };
  };
  const auto kind = MassKind::kConsistent;  // Of what rests.
  EXPECT_LT(Difference(ours, SimulateAlone(scene, kind, fix(false))), 1e-12);
  // Its solver iterates to 1e-6 of the momentum, and so of what it carries.
  double sag = 0;
  for (const PeerVertex& peer : peers) {
    sag = std::max(sag, (peer.end - peer.start).norm());
  }
  EXPECT_LT(Distance(SimulateAlone(scene, kind, fix(true)), "fixed"),
            1e-6 * sag);
}

// Held is what is in the channel's walls and floor, not what is in its hollow,
// which a hull would hold too; and it is held elsewhere than where it starts.
// Drake's constraint gives way a little.
TEST(PeerDeformableScenes, IsFixedInWhatIsNotConvexAsThere) {
  Scene scene = Rests();
  scene.is_in_channel = true;
  const auto ours = Simulate(scene);
  int num_held = 0;
  double gives = 0;
  for (const auto& side : {ours, ReadPeer("channel")}) {
    for (const PeerVertex& vertex : side) {
      const Vector3d p_AV = kX_WG.inverse() * vertex.start;
      const double moved = (vertex.end - kX_WA * p_AV).norm();
      const bool is_held = std::abs(p_AV.x()) > 0.15 || p_AV.z() < -0.05;
      EXPECT_EQ(moved < 7e-4, is_held);
      if (!is_held) continue;
      if (num_held < 27) {
        EXPECT_LT(moved, 1e-15);
      }
      gives = std::max(gives, moved);
      ++num_held;
    }
  }
  EXPECT_EQ(num_held, 2 * 27);
  EXPECT_LT(gives, 1e-6);
  EXPECT_LT(Distance(ours, "channel"), 2 * gives);
}

// Drake's neo-Hookean law is softer at small strain than its Young's modulus
// says. Here all materials follow Hooke's law there, and so does Drake's
// linear-corotated one.
TEST(PeerDeformableScenes, RubberFollowsHookesLawAtSmallStrain) {
  Scene scene = RestsBehindWall({9.81, 0, 0});
  scene.dt = 0.01;
  scene.end = 3;
  scene.E = 1e6;
  EXPECT_LT(Distance(scene, "hooke"), kRounding);
  const double hooke = Extension(ReadPeer("hooke"));
  scene.material = MaterialModel::kNeoHookean;
  // Strains are up to 0.004; a law's second order is of their size.
  EXPECT_NEAR(Extension(Simulate(scene)), hooke, 0.01 * hooke);
  EXPECT_GT(Extension(ReadPeer("rubber")), 1.15 * hooke);
}

}  // namespace peer_deformable_scenes_test
}  // namespace wyvern::multibody
