#include <algorithm>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/geometry_roles.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/multibody/math/spatial_inertia.h"
#include "wyvern/multibody/math/spatial_momentum.h"
#include "wyvern/multibody/parsing/collision_filter_groups.h"
#include "wyvern/multibody/tree/scoped_name.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/framework/basic_vector.h"
#include "wyvern/systems/primitives/constant_vector_source.h"
#include "wyvern/systems/symbolic/algebra/polynomial.h"
#include "wyvern/systems/symbolic/algebra/rational_function.h"

namespace wyvern {
namespace {

template <typename Value>
void ExpectAsStreamed(const Value& value) {
  std::ostringstream text;
  text << value;
  ASSERT_FALSE(text.str().empty());
  EXPECT_EQ(fmt::format("{}", value), text.str());
  // A width counts characters: bytes of UTF-8 that do not continue one.
  const auto width = 3 + std::ranges::count_if(text.str(), [](char c) {
                       return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                     });
  EXPECT_EQ(fmt::format("{:>{}}", value, width), "   " + text.str());
}

TEST(Formatters, PosesAndRotationsPrintAsStreamed) {
  const math::RigidTransformd X(math::RollPitchYawd(0.1, 0.2, 0.3),
                                Eigen::Vector3d(1, 2, 3));
  ExpectAsStreamed(X);
  ExpectAsStreamed(X.rotation());
  ExpectAsStreamed(math::RollPitchYawd(X.rotation()));
  ExpectAsStreamed(X.cast<AutoDiffXd>());
  ExpectAsStreamed(AutoDiffXd(1.25));
}

TEST(Formatters, SpatialVectorsAndInertiasPrintAsStreamed) {
  Vector6<double> numbers;
  numbers << 1, 2, 3, 4, 5, 6;
  ExpectAsStreamed(multibody::SpatialVelocity<double>(numbers));
  ExpectAsStreamed(multibody::SpatialAcceleration<double>(numbers));
  ExpectAsStreamed(multibody::SpatialForce<double>(numbers));
  ExpectAsStreamed(multibody::SpatialMomentum<AutoDiffXd>(
      Vector6<AutoDiffXd>(numbers.cast<AutoDiffXd>())));
  const auto M =
      multibody::SpatialInertia<double>::SolidBoxWithMass(2, 1, 2, 3);
  ExpectAsStreamed(M);
  ExpectAsStreamed(M.get_unit_inertia());
  ExpectAsStreamed(M.CalcRotationalInertia());
}

TEST(Formatters, ExpressionsPrintAsStreamed) {
  const symbolic::Variable x("x"), y("y");
  ExpectAsStreamed(x);
  ExpectAsStreamed(x.get_type());
  ExpectAsStreamed(symbolic::Variables{x, y});
  ExpectAsStreamed(x + sin(y));
  ExpectAsStreamed(x < y);
  ExpectAsStreamed(symbolic::Environment{{x, 2.0}});
  ExpectAsStreamed(symbolic::Monomial(x, 2));
  ExpectAsStreamed(symbolic::Polynomial(x * x + y));
  ExpectAsStreamed(symbolic::RationalFunction(symbolic::Polynomial(x),
                                              symbolic::Polynomial(y)));
}

TEST(Formatters, VectorsContextsAndFilterGroupsPrintAsStreamed) {
  ExpectAsStreamed(systems::BasicVector<double>{1, 2, 3});
  const systems::ConstantVectorSource<double> source(Eigen::Vector2d(4, 5));
  ExpectAsStreamed(*source.CreateDefaultContext());
  multibody::CollisionFilterGroups groups;
  groups.AddGroup("hands", {"left", "right"});
  ExpectAsStreamed(groups);
}

TEST(Formatters, GeometryPrintsItsShapeRoleAndProperties) {
  const geometry::Box box(1, 2, 3);
  EXPECT_EQ(fmt::format("{}", box), box.to_string());
  const geometry::Shape& shape = box;
  EXPECT_EQ(fmt::format("{:>40}", shape),
            fmt::format("{:>40}", box.to_string()));
  ExpectAsStreamed(geometry::Role::kProximity);
  geometry::ProximityProperties properties;
  properties.AddProperty("material", "friction", 0.5);
  properties.AddProperty("material", "density", 1);
  EXPECT_EQ(fmt::format("{}", properties),
            "[material]\n  density: int\n  friction: double\n");
}

TEST(Formatters, ScopedNamesPrintInFull) {
  EXPECT_EQ(fmt::format("{}", multibody::ScopedName("a", "b")), "a::b");
}

}  // namespace
}  // namespace wyvern
