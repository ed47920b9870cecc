#include "wyvern/geometry/shapes/geometry_set.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/shapes/collision_filter_declaration.h"
#include "wyvern/geometry/shapes/geometry_version.h"

namespace wyvern::geometry {
namespace {

TEST(GeometrySet, GathersIdsFromEveryKindOfContainer) {
  const GeometryId g1 = GeometryId::get_new_id();
  const GeometryId g2 = GeometryId::get_new_id();
  const FrameId f1 = FrameId::get_new_id();
  GeometrySet set(std::vector<GeometryId>{g1, g1}, {f1});
  set.Add({g2});
  set.Add(GeometrySet(std::set<FrameId>{f1, FrameId::get_new_id()}));
  EXPECT_EQ(set.geometries().size(), 2);
  EXPECT_EQ(set.frames().size(), 2);
  EXPECT_TRUE(set.geometries().contains(g2));
}

TEST(CollisionFilterDeclaration, KeepsItsStatementsInOrder) {
  using Op = CollisionFilterDeclaration::StatementOp;
  const GeometrySet a(GeometryId::get_new_id()), b(GeometryId::get_new_id());
  const auto declaration =
      CollisionFilterDeclaration().ExcludeBetween(a, b).AllowWithin(a);
  ASSERT_EQ(declaration.statements().size(), 2);
  EXPECT_EQ(declaration.statements()[0].operation, Op::kExcludeBetween);
  EXPECT_EQ(declaration.statements()[1].operation, Op::kAllowWithin);
  EXPECT_TRUE(declaration.statements()[1].set_B.geometries().empty());
}

TEST(GeometryVersion, ChangesOnlyForTheRoleModified) {
  GeometryVersion one;
  GeometryVersion two(one);
  EXPECT_TRUE(one.IsSameAs(two, Role::kProximity));
  two.Modify(Role::kProximity);
  EXPECT_FALSE(one.IsSameAs(two, Role::kProximity));
  EXPECT_TRUE(one.IsSameAs(two, Role::kIllustration));
  EXPECT_FALSE(one.IsSameAs(GeometryVersion(), Role::kPerception));
  EXPECT_THROWS_MESSAGE(one.IsSameAs(two, Role::kUnassigned), std::logic_error,
                        "unassigned");
}

}  // namespace
}  // namespace wyvern::geometry
