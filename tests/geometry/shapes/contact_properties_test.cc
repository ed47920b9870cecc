#include <cmath>

#include <gtest/gtest.h>

#include "tests/support/expect_throws.h"
#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/systems/common/autodiff.h"

namespace wyvern::geometry {
namespace {

using multibody::CalcContactFrictionFromSurfaceProperties;
using multibody::CoulombFriction;

TEST(CoulombFriction, OfAPairIsTheHarmonicMean) {
  const CoulombFriction<double> a(1.0, 0.5), b(0.5, 0.5), none;
  const auto ab = CalcContactFrictionFromSurfaceProperties(a, b);
  EXPECT_DOUBLE_EQ(ab.static_friction(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(ab.dynamic_friction(), 0.5);
  EXPECT_EQ(ab, CalcContactFrictionFromSurfaceProperties(b, a));
  EXPECT_EQ(CalcContactFrictionFromSurfaceProperties(none, none), none);
  EXPECT_EQ(CalcContactFrictionFromSurfaceProperties(a, none), none);
}

TEST(CoulombFriction, CoefficientsOutOfRangeAreRefused) {
  const auto expect = [](double s, double d, const char* message) {
    EXPECT_THROWS_MESSAGE(CoulombFriction<double>(s, d), std::logic_error,
                          message);
  };
  expect(0.5, 0.6, "CoulombFriction: was given a static coefficient of 0.5");
  expect(0.5, -0.1, "CoulombFriction(): dynamic_friction is -0.1; it must be");
  expect(NAN, 0.1, "CoulombFriction(): static_friction is nan; it must be");
  expect(INFINITY, 0.1, "static_friction is inf; it must be 0 or more");
  EXPECT_THROWS_MESSAGE(CoulombFriction<AutoDiffXd>(0.1, 0.2), std::logic_error,
                        "a dynamic one of 0.2");
}

TEST(ProximityProperties, ContactMaterialHasWhatIsGiven) {
  ProximityProperties properties;
  AddContactMaterial(0.1, {}, CoulombFriction<double>(1, 0.5), &properties);
  EXPECT_EQ(
      properties.GetProperty<double>("material", "hunt_crossley_dissipation"),
      0.1);
  EXPECT_FALSE(properties.HasProperty("material", "point_contact_stiffness"));
  EXPECT_EQ(
      properties
          .GetProperty<CoulombFriction<double>>("material", "coulomb_friction")
          .dynamic_friction(),
      0.5);
}

TEST(ProximityProperties, HydroelasticValuesAreStored) {
  ProximityProperties rigid, compliant, slab;
  AddRigidHydroelasticProperties(0.01, &rigid);
  AddCompliantHydroelasticProperties(0.02, 1e6, &compliant);
  AddCompliantHydroelasticPropertiesForHalfSpace(0.5, 1e7, &slab);
  EXPECT_EQ(rigid.GetProperty<double>("hydroelastic", "resolution_hint"), 0.01);
  EXPECT_EQ(
      rigid.GetProperty<HydroelasticType>("hydroelastic", "compliance_type"),
      HydroelasticType::kRigid);
  EXPECT_EQ(
      compliant.GetProperty<double>("hydroelastic", "hydroelastic_modulus"),
      1e6);
  EXPECT_EQ(slab.GetProperty<double>("hydroelastic", "slab_thickness"), 0.5);
}

TEST(ProximityProperties, ValuesOutOfRangeAreRefused) {
  ProximityProperties p;
  EXPECT_THROWS_MESSAGE(AddContactMaterial(-1, {}, {}, &p), std::logic_error,
                        "dissipation (s/m) is -1");
  EXPECT_THROWS_MESSAGE(AddContactMaterial({}, 0, {}, &p), std::logic_error,
                        "stiffness is 0");
  EXPECT_THROWS_MESSAGE(AddContactMaterial({}, 1, {}, nullptr),
                        std::logic_error, "properties is null");
  EXPECT_THROWS_MESSAGE(AddRigidHydroelasticProperties(-1, &p),
                        std::logic_error, "resolution hint is -1");
  EXPECT_THROWS_MESSAGE(AddCompliantHydroelasticProperties(1, NAN, &p),
                        std::logic_error, "hydroelastic modulus is nan");
  EXPECT_EQ(p.num_groups(), 0);
}

}  // namespace
}  // namespace wyvern::geometry
