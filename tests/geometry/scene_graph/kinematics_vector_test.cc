#include "wyvern/geometry/scene_graph/kinematics_vector.h"

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/scene_graph/scene_graph_config.h"

namespace wyvern::geometry {
namespace {

using math::RigidTransformd;

RigidTransformd At(double x) {
  return RigidTransformd(Eigen::Vector3d(x, 0, 0));
}

TEST(KinematicsVector, HoldsWhatWasSetSinceTheLastClear) {
  const FrameId a = FrameId::get_new_id(), b = FrameId::get_new_id(),
                c = FrameId::get_new_id();
  FramePoseVector<double> poses{{c, At(3)}, {a, At(1)}};
  EXPECT_EQ(poses.size(), 2);
  EXPECT_EQ(poses.ids(), (std::vector<FrameId>{a, c}));
  poses.set_value(b, At(2));
  poses.set_value(a, At(10));
  EXPECT_EQ(poses.size(), 3);
  EXPECT_EQ(poses.value(a).translation()[0], 10);
  EXPECT_EQ(poses.value(b).translation()[0], 2);
  poses.clear();
  EXPECT_EQ(poses.size(), 0);
  EXPECT_FALSE(poses.has_id(a));
  poses = {{b, At(5)}};
  EXPECT_EQ(poses.ids(), (std::vector<FrameId>{b}));
  EXPECT_THROWS_MESSAGE(poses.value(a), std::logic_error,
                        "there is no value for id");
}

TEST(SceneGraphConfig, DefaultsAreThoseOfTheDocuments) {
  const DefaultProximityProperties defaults =
      SceneGraphConfig().default_proximity_properties;
  EXPECT_EQ(defaults.compliance_type, "undefined");
  EXPECT_EQ(defaults.hydroelastic_modulus, 1e7);
  EXPECT_EQ(defaults.resolution_hint, 0.02);
  EXPECT_EQ(defaults.slab_thickness, std::nullopt);
  EXPECT_EQ(defaults.margin, std::nullopt);
  EXPECT_EQ(defaults.dynamic_friction, 0.5);
  EXPECT_EQ(defaults.static_friction, 0.5);
  EXPECT_EQ(defaults.hunt_crossley_dissipation, 50);
  EXPECT_EQ(defaults.relaxation_time, 0.1);
  EXPECT_EQ(defaults.point_stiffness, 1e6);
}

TEST(SceneGraphConfig, ValuesOutOfRangeAreNamed) {
  SceneGraphConfig config;
  config.ValidateOrThrow();
  auto& defaults = config.default_proximity_properties;
  defaults.point_stiffness = -1;
  EXPECT_THROWS_MESSAGE(config.ValidateOrThrow(), std::logic_error,
                        "point_stiffness is -1");
  defaults.point_stiffness.reset();
  defaults.compliance_type = "soft";
  EXPECT_THROWS_MESSAGE(config.ValidateOrThrow(), std::logic_error,
                        "compliance_type is 'soft'");
  defaults.compliance_type = "rigid";
  defaults.dynamic_friction.reset();
  EXPECT_THROWS_MESSAGE(config.ValidateOrThrow(), std::logic_error,
                        "without the other");
}

}  // namespace
}  // namespace wyvern::geometry
