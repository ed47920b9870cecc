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

std::unique_ptr<Shape> MakeShape(const std::string& name,
                                 const std::vector<double>& x) {
  if (name == "box") return Box(x.at(0), x.at(1), x.at(2)).Clone();
  if (name == "sphere") return Sphere(x.at(0)).Clone();
  if (name == "cylinder") return Cylinder(x.at(0), x.at(1)).Clone();
  if (name == "capsule") return Capsule(x.at(0), x.at(1)).Clone();
  if (name == "ellipsoid") return Ellipsoid(x.at(0), x.at(1), x.at(2)).Clone();
  if (name == "half_space") return HalfSpace().Clone();
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
  double modulus{}, thickness{}, hint{};
  Eigen::Quaterniond q;
  Vector3d p;
  *in >> modulus >> thickness >> hint >> q.w() >> q.x() >> q.y() >> q.z() >>
      p[0] >> p[1] >> p[2];
  ProximityProperties properties;
  if (kind == "rigid") {
    AddRigidHydroelasticProperties(hint, &properties);
  } else if (shape == "half_space") {
    AddCompliantHydroelasticPropertiesForHalfSpace(thickness, modulus,
                                                   &properties);
  } else {
    AddCompliantHydroelasticProperties(hint, modulus, &properties);
  }
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
         g.text.ends_with("half_space");
}

// Box, hull and half space have one mesh in every program; what remains is
// rounding. Of round shapes both programs have meshes of the same hint but of
// other vertices, and both differ from the true shape by its square: for the
// first sphere the true force is 2723 N, Drake's 7 % less, ours 3 %.
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
    const double tolerance = is_same ? 1e-10 : 0.05;
    EXPECT_NEAR(sum.area, c.area, tolerance * c.area) << name;
    const double size = c.force.norm();
    EXPECT_TRUE(wyvern::test::Near(sum.force, c.force, tolerance * size))
        << name;
    // Arms are up to 1 m.
    EXPECT_TRUE(wyvern::test::Near(sum.torque, c.torque, tolerance * size))
        << name;
  }
  EXPECT_EQ(num_same, 14);
}

}  // namespace peer_surfaces_test
}  // namespace wyvern::geometry
