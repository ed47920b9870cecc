#include "wyvern/geometry/shapes/geometry_properties.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/shapes/geometry_frame.h"
#include "wyvern/geometry/shapes/geometry_instance.h"

namespace wyvern::geometry {
namespace {

TEST(GeometryProperties, WhatIsAddedIsFound) {
  ProximityProperties p;
  p.AddProperty("material", "friction", 0.5);
  p.AddProperty("material", "name", "steel");
  EXPECT_EQ(p.GetProperty<double>("material", "friction"), 0.5);
  EXPECT_EQ(p.GetProperty<std::string>("material", "name"), "steel");
  EXPECT_EQ(p.num_groups(), 1);
  EXPECT_EQ(p.GetPropertiesInGroup("material").size(), 2);
  EXPECT_EQ(p.GetPropertyOrDefault("material", "missing", 3), 3);
}

TEST(GeometryProperties, MisuseSaysWhichProperty) {
  ProximityProperties p;
  p.AddProperty("g", "x", 1.0);
  EXPECT_THROWS_MESSAGE(p.AddProperty("g", "x", 2.0), std::logic_error,
                        "('g', 'x') exists");
  EXPECT_THROWS_MESSAGE(p.UpdateProperty("g", "x", 2), std::logic_error,
                        "double");
  EXPECT_THROWS_MESSAGE(p.GetProperty<int>("g", "x"), std::logic_error,
                        "not a int");
  EXPECT_THROWS_MESSAGE(p.GetProperty<int>("g", "y"), std::logic_error,
                        "('g', 'y')");
  EXPECT_THROWS_MESSAGE(p.GetPropertiesInGroup("h"), std::logic_error, "'h'");
}

TEST(GeometryProperties, ACopyIsItsOwn) {
  ProximityProperties p;
  p.AddProperty("g", "x", 1.0);
  ProximityProperties copy(p);
  copy.UpdateProperty("g", "x", 2.0);
  EXPECT_EQ(p.GetProperty<double>("g", "x"), 1.0);
  EXPECT_TRUE(copy.RemoveProperty("g", "x"));
  EXPECT_FALSE(copy.HasProperty("g", "x"));
  EXPECT_TRUE(p.HasProperty("g", "x"));
}

TEST(Rgba, IsCheckedAndScaled) {
  EXPECT_THROWS_MESSAGE(Rgba(1, 1.5, 0), std::logic_error, "from 0 to 1");
  EXPECT_EQ(Rgba(0.4, 0.8, 0).scale_rgb(2), Rgba(0.8, 1, 0));
  EXPECT_EQ(Rgba(0.5, 1, 1, 0.5) * Rgba(0.5, 1, 0, 0.5),
            Rgba(0.25, 1, 0, 0.25));
}

TEST(GeometryInstance, CopiesShareTheIdAndNotTheShape) {
  GeometryInstance one({}, Sphere(1), "  ball ");
  EXPECT_EQ(one.name(), "ball");
  one.set_proximity_properties(ProximityProperties());
  GeometryInstance two(one);
  EXPECT_EQ(two.id(), one.id());
  EXPECT_NE(two.proximity_properties(), one.proximity_properties());
  two.release_shape();
  EXPECT_EQ(one.shape().type_name(), "Sphere");
  EXPECT_THROWS_MESSAGE(two.shape(), std::logic_error, "released");
}

TEST(GeometryInstance, NeedsANameAndAShape) {
  EXPECT_THROWS_MESSAGE(GeometryInstance({}, Sphere(1), "  "), std::logic_error,
                        "name");
  EXPECT_THROWS_MESSAGE(GeometryInstance({}, nullptr, "ball"), std::logic_error,
                        "null");
  EXPECT_THROWS_MESSAGE(GeometryFrame("f", -1), std::logic_error, "negative");
}

}  // namespace
}  // namespace wyvern::geometry
