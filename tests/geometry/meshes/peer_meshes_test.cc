#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/meshes/test_meshes.h"
#include "tests/support/near.h"
#include "wyvern/geometry/meshes/refine_volume_mesh.h"
#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"

namespace wyvern::geometry {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// Figures of tests/oracles/meshes.py, made with Drake, in the order of the
// file.
class PeerMeshes : public testing::Test {
 protected:
  PeerMeshes() {
    std::ifstream file(WYVERN_SOURCE_DIR "/tests/oracles/meshes.txt");
    for (std::string line; std::getline(file, line);) {
      std::istringstream in(line);
      std::string name;
      in >> name;
      std::vector<double> x;
      for (double number; in >> number;) x.push_back(number);
      figures_[name].push_back(
          Eigen::Map<VectorXd>(x.data(), static_cast<int>(x.size())));
    }
    for (const VectorXd& v : figures_["vertex"]) vertices_.emplace_back(v);
    // The octahedron's numbering, from any octahedron.
    wyvern::test::RandomPose random;
    volume_ = test::MakeRandomBall(&random).tetrahedra();
    triangles_ = test::MakeRandomOctahedron(&random).triangles();
  }

  void Expect(const VectorXd& ours, const std::string& name, int i) {
    EXPECT_TRUE(wyvern::test::Near(ours, figures_[name].at(i), 1e-14))
        << name << " " << i;
  }
  void Expect(double ours, const std::string& name, int i) {
    Expect(VectorXd::Constant(1, ours), name, i);
  }

  std::map<std::string, std::vector<VectorXd>> figures_;
  std::vector<Vector3d> vertices_;
  std::vector<SurfaceTriangle> triangles_;
  std::vector<VolumeElement> volume_;
};

TEST_F(PeerMeshes, TriangleSurfaceMeasuresAsDrakeDoes) {
  const TriangleSurfaceMesh<double> mesh(
      triangles_, {vertices_.begin(), vertices_.end() - 1});
  const Vector3d q = figures_["q"].at(0);
  Expect(mesh.total_area(), "total_area", 0);
  Expect(mesh.centroid(), "centroid", 0);
  Expect(mesh.CalcBoundingBox().first, "box_centre", 0);
  Expect(mesh.CalcBoundingBox().second, "box_size", 0);
  for (int t = 0; t < 8; ++t) {
    Expect(mesh.area(t), "area", t);
    Expect(mesh.face_normal(t), "face_normal", t);
    Expect(mesh.element_centroid(t), "element_centroid", t);
    Expect(mesh.CalcBarycentric(q, t), "barycentric_3", t);
  }
}

TEST_F(PeerMeshes, VolumeMeasuresAsDrakeDoes) {
  const VolumeMesh<double> mesh(volume_, vertices_);
  const Vector3d q = figures_["q"].at(0);
  Expect(mesh.CalcVolume(), "volume", 0);
  for (int e = 0; e < 8; ++e) {
    Expect(mesh.CalcTetrahedronVolume(e), "tetrahedron", e);
    Expect(mesh.CalcBarycentric(q, e), "barycentric_4", e);
    Expect(mesh.edge_vector(e, 1, 3), "edge_vector", e);
    for (int f = 0; f < 4; ++f) {
      Expect(mesh.inward_normal(e, f), "inward_normal", 4 * e + f);
    }
  }
  const auto surface = ConvertVolumeToSurfaceMesh(mesh);
  Expect(Vector3d(surface.num_vertices(), surface.num_triangles(),
                  surface.total_area()),
         "boundary", 0);
}

TEST_F(PeerMeshes, RefinedMeshesHaveAsManyElementsAsDrakes) {
  const std::vector<Vector3d> points = {
      {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<Vector3d> more = points;
  more.emplace_back(0, 0, -1);
  const auto one = RefineVolumeMesh(VolumeMesh<double>({{0, 1, 2, 3}}, points));
  const auto two =
      RefineVolumeMesh(VolumeMesh<double>({{0, 1, 2, 3}, {0, 2, 1, 4}}, more));
  Expect(Eigen::Vector2d(one.num_vertices(), one.num_elements()), "refined_one",
         0);
  Expect(Eigen::Vector2d(two.num_vertices(), two.num_elements()), "refined_two",
         0);
}

}  // namespace
}  // namespace wyvern::geometry
