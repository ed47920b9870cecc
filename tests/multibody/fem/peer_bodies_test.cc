// Where bodies come to rest, and how one spins, as Drake 1.51 has it: see
// tests/oracles/deformable_bodies.py.
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/multibody/fem/test_bodies.h"
#include "tests/support/near.h"

namespace wyvern::multibody::fem::internal {
namespace {

using Eigen::Vector3d;
using wyvern::test::Near;

struct PeerVertex {
  Vector3d start, end;
};

// By scene and material.
std::map<std::pair<std::string, int>, std::vector<PeerVertex>> ReadPeers() {
  std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/deformable_bodies.txt");
  std::map<std::pair<std::string, int>, std::vector<PeerVertex>> result;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string scene;
    int material = -1;
    PeerVertex vertex;
    words >> scene >> material;
    for (int i = 0; i < 3; ++i) words >> vertex.start[i];
    for (int i = 0; i < 3; ++i) words >> vertex.end[i];
    EXPECT_TRUE(words) << line;
    result[{scene, material}].push_back(vertex);
  }
  return result;
}

FemState RunScene(FemModel* model, const std::string& scene) {
  const bool spins = scene == "spin";
  const double dt = spins ? 1e-3 : 0.1;
  FemState state = MakeDefaultState(*model);
  VectorX<double> f = VectorX<double>::Zero(state.q.size());
  if (spins) {
    for (int v = 0; v < model->num_vertices(); ++v) {
      const Vector3d p = state.q.segment<3>(3 * v);
      state.v.segment<3>(3 * v) = Vector3d(0, 0, 3).cross(p);
    }
  } else {
    test::FixBehindWall({-0.199, 0, 0}, {1, 0, 0}, model);
    f = test::Gravity(*model, scene == "hanging" ? Vector3d(9.81, 0, 0)
                                                 : Vector3d(0, 0, -9.81));
  }
  FemStepper stepper(model, dt, TimeScheme::Newmark(1, 0.5));
  for (int i = 0; i < (spins ? 100 : 300); ++i) stepper.Step(f, &state);
  return state;
}

TEST(PeerBodies, RestWhereDrakeHasThemAndSpinAsThereNearly) {
  const auto peers = ReadPeers();
  ASSERT_EQ(peers.size(), 6);
  for (const auto& [key, vertices] : peers) {
    const auto& [scene, material] = key;
    DeformableBodyConfig<double> config =
        test::MakeConfig(static_cast<MaterialModel>(material));
    const bool spins = scene == "spin";
    config.set_mass_damping_coefficient(spins ? 0 : 20);
    FemModel model("bar", test::MakeBox({0.4, 0.2, 0.2}, 0.1), config);
    const FemState state = RunScene(&model, scene);
    ASSERT_EQ(static_cast<int>(vertices.size()), model.num_vertices());
    // Drake iterates to a tolerance. Of what moves, it integrates masses at one
    // point of each element, and it has turned by 0.06 m.
    const double tolerance = spins ? 1e-3 : 2e-7;
    for (int v = 0; v < model.num_vertices(); ++v) {
      const Vector3d start = model.reference_positions().segment<3>(3 * v);
      const Vector3d end = state.q.segment<3>(3 * v);
      int found = 0;
      for (const PeerVertex& peer : vertices) {
        if ((peer.start - start).norm() > 1e-9) continue;
        EXPECT_TRUE(Near(end, peer.end, tolerance)) << scene << material;
        ++found;
      }
      EXPECT_EQ(found, 1);
    }
  }
}

}  // namespace
}  // namespace wyvern::multibody::fem::internal
