#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/geometry/hydroelastic/pairs.h"
#include "tests/support/near.h"

// Figures of tests/oracles/hydroelastic_surfaces.py, made with Drake: area,
// force and torque of pairs of shapes.

namespace wyvern::geometry {
namespace peer_surfaces_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using test::HydroelasticGeometry;

struct Placed {
  std::string text;
  HydroelasticGeometry geometry;
  RigidTransformd X_WG;
};

// The number of vertices, their places, and four vertices a tetrahedron.
Mesh MakeVolume(const std::vector<double>& x) {
  const int num_vertices = static_cast<int>(x.at(0));
  const int num_elements =
      (static_cast<int>(x.size()) - 1 - 3 * num_vertices) / 4;
  std::ostringstream text;
  text.precision(17);
  text << "# vtk DataFile Version 3.0\nvolume\nASCII\n"
          "DATASET UNSTRUCTURED_GRID\nPOINTS "
       << num_vertices << " double\n";
  const auto cells = x.begin() + 1 + 3 * num_vertices;
  for (auto it = x.begin() + 1; it != cells; ++it) text << *it << "\n";
  text << "CELLS " << num_elements << " " << 5 * num_elements << "\n";
  for (auto it = cells; it != x.end(); ++it) {
    text << ((it - cells) % 4 == 0 ? "4 " : " ") << *it << "\n";
  }
  text << "CELL_TYPES " << num_elements << "\n";
  for (int i = 0; i < num_elements; ++i) text << "10\n";
  return Mesh(InMemoryMesh{MemoryFile(text.str(), ".vtk", "volume"), {}});
}

std::unique_ptr<Shape> MakeShape(const std::string& name,
                                 const std::vector<double>& x) {
  if (name == "box") return Box(x.at(0), x.at(1), x.at(2)).Clone();
  if (name == "sphere") return Sphere(x.at(0)).Clone();
  if (name == "cylinder") return Cylinder(x.at(0), x.at(1)).Clone();
  if (name == "capsule") return Capsule(x.at(0), x.at(1)).Clone();
  if (name == "ellipsoid") return Ellipsoid(x.at(0), x.at(1), x.at(2)).Clone();
  if (name == "half_space") return HalfSpace().Clone();
  if (name == "volume") return MakeVolume(x).Clone();
  if (name != "convex") throw std::runtime_error("no shape " + name);
  return Convex(Eigen::Map<const Eigen::Matrix3Xd>(
                    x.data(), 3, static_cast<int>(x.size()) / 3),
                "points")
      .Clone();
}

Placed ReadGeometry(std::istream* in) {
  std::string kind, shape;
  int n{};
  *in >> kind >> shape >> n;
  std::vector<double> numbers(n);
  for (double& x : numbers) *in >> x;
  double modulus{}, thickness{}, hint{}, margin{};
  Eigen::Quaterniond q;
  Vector3d p;
  *in >> modulus >> thickness >> hint >> margin >> q.w() >> q.x() >> q.y() >>
      q.z() >> p[0] >> p[1] >> p[2];
  ProximityProperties properties;
  if (kind == "rigid") {
    AddRigidHydroelasticProperties(hint, &properties);
  } else if (shape == "half_space") {
    AddCompliantHydroelasticPropertiesForHalfSpace(thickness, modulus,
                                                   &properties);
  } else {
    AddCompliantHydroelasticProperties(hint, modulus, &properties);
  }
  properties.AddProperty("hydroelastic", "margin", margin);
  return {kind + " " + shape,
          internal::MakeHydroelasticGeometry(*MakeShape(shape, numbers),
                                             properties),
          RigidTransformd(math::RotationMatrixd(q), p)};
}

struct Case {
  Placed A, B;
  double area{};
  Vector3d force, torque;
};

std::vector<Case> ReadCases() {
  std::ifstream file(WYVERN_SOURCE_DIR
                     "/tests/oracles/hydroelastic_surfaces.txt");
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    Case c{ReadGeometry(&in), ReadGeometry(&in), 0, {}, {}};
    in >> c.area;
    for (int i = 0; i < 3; ++i) in >> c.force[i];
    for (int i = 0; i < 3; ++i) in >> c.torque[i];
    EXPECT_FALSE(in.fail()) << c.A.text << ", " << c.B.text;
    cases.push_back(std::move(c));
  }
  return cases;
}

bool HasSameMesh(const Placed& g) {
  return g.text.ends_with("box") || g.text.ends_with("convex") ||
         g.text.ends_with("volume") || g.text.ends_with("half_space");
}

// Box, hull, volume and half space have one mesh in every program, and cubes in
// their margins one field; what remains is rounding. Of round shapes both
// programs have meshes of the same hint but of other vertices, and both differ
// from the true shape by its square: for the first sphere the true force is
// 2723 N, Drake's 7 % less, ours 3 %.
TEST(PeerSurfaces, AreaForceAndTorqueAreThoseOfDrake) {
  const std::vector<Case> cases = ReadCases();
  ASSERT_GE(cases.size(), 15u);
  int num_same = 0;
  for (const Case& c : cases) {
    const std::string name = c.A.text + ", " + c.B.text;
    const auto sum = test::Integrate(
        test::CalcSurface(c.A.geometry, c.A.X_WG, c.B.geometry, c.B.X_WG));
    const bool is_same = HasSameMesh(c.A) && HasSameMesh(c.B);
    num_same += is_same ? 1 : 0;
    // Drake's quadratic program has the corners of a margin to 1e-9.
    const bool has_margin =
        std::max(c.A.geometry.margin, c.B.geometry.margin) > 0;
    const double tolerance = !is_same ? 0.05 : has_margin ? 1e-9 : 1e-10;
    EXPECT_NEAR(sum.area, c.area, tolerance * c.area) << name;
    const double size = c.force.norm();
    EXPECT_TRUE(wyvern::test::Near(sum.force, c.force, tolerance * size))
        << name;
    // Arms are up to 1 m.
    EXPECT_TRUE(wyvern::test::Near(sum.torque, c.torque, tolerance * size))
        << name;
  }
  EXPECT_EQ(num_same, 23);
}

}  // namespace peer_surfaces_test
}  // namespace wyvern::geometry
