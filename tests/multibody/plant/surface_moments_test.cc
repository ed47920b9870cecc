// Tests the moment of pressure on coarse surfaces: closed forms at every mesh,
// in both modes, and their consequence, that bodies come to rest.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace surface_moments_test {

using Eigen::Vector3d;
using geometry::ProximityProperties;
using math::RigidTransformd;
using math::RotationMatrixd;
using test::MakeProperties;
using test::Material;
using wyvern::test::Near;
using Approximation = DiscreteContactApproximation;

// A plate of width w along x and b along y on a foundation of modulus E and
// thickness H.
constexpr double kWidth = 0.2, kBreadth = 0.1, kHeight = 0.04;
constexpr double kModulus = 2e5, kThickness = 0.05;

ProximityProperties SoftGround(const Material& material, double margin = 0) {
  ProximityProperties properties = MakeProperties(material);
  geometry::AddCompliantHydroelasticPropertiesForHalfSpace(kThickness, kModulus,
                                                           &properties);
  properties.AddProperty("hydroelastic", "margin", margin);
  return properties;
}
ProximityProperties RigidSurface(const Material& material) {
  ProximityProperties properties = MakeProperties(material);
  geometry::AddRigidHydroelasticProperties(1, &properties);
  return properties;
}

// Makes the lower face of the plate, of n by m squares, each cut along a
// diagonal, under a roof that is too flat to be pressed.
geometry::Mesh MakePlate(int n, int m) {
  std::string text;
  const auto vertex = [&](double x, double y, double z) {
    text += "v " + std::to_string(x * kWidth) + " " +
            std::to_string(y * kBreadth) + " " + std::to_string(z * kHeight) +
            "\n";
  };
  for (int j = 0; j <= m; ++j) {
    for (int i = 0; i <= n; ++i) {
      vertex(double(i) / n - 0.5, double(j) / m - 0.5, -0.5);
    }
  }
  const auto face = [&](int a, int b, int c) {
    text += "f " + std::to_string(a) + " " + std::to_string(b) + " " +
            std::to_string(c) + "\n";
  };
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = 1 + j * (n + 1) + i, b = a + n + 1;
      face(a, b, a + 1);
      face(a + 1, b, b + 1);
    }
  }
  const int apex = (n + 1) * (m + 1) + 1, last = apex - 1;
  vertex(0, 0, 0.5);
  face(1, n + 1, apex);
  face(n + 1, last, apex);
  face(last, last - n, apex);
  face(last - n, 1, apex);
  return geometry::Mesh(
      geometry::InMemoryMesh{MemoryFile(text, ".obj", "plate"), {}});
}

// The mass is so large that a step does not move the plate.
class HeavyPlate : public test::ContactScene {
 public:
  HeavyPlate(double time_step, Approximation approximation,
             const geometry::Shape& shape, double margin = 0)
      : ContactScene(time_step, approximation, kNone,
                     SoftGround(kNone, margin)),
        plate(Add("plate", test::MakeInertia(1e12, Vector3d::Zero(), 1e10),
                  shape, RigidSurface(kNone))) {
    plant->set_contact_model(ContactModel::kHydroelastic);
    plant->mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
    Finish();
  }
  // Returns the force on the plate and its moment about its centre, in the
  // world.
  std::pair<Vector3d, Vector3d> CalcForce(const RigidTransformd& X_WP) {
    plant->SetFreeBodyPose(context, plate, X_WP);
    plant->SetFreeBodySpatialVelocity(context, plate,
                                      SpatialVelocity<double>::Zero());
    if (plant->is_discrete()) {
      simulator->AdvanceTo(simulator->get_context().get_time() +
                           plant->time_step());
    }
    Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
    for (int i = 0; i < Results().num_hydroelastic_contacts(); ++i) {
      const auto& info = Results().hydroelastic_contact_info(i);
      const Vector3d f = -info.F_Ac_W().translational();
      force += f;
      moment -= info.F_Ac_W().rotational();
      moment +=
          (info.contact_surface().centroid() - X_WP.translation()).cross(f);
    }
    return {force, moment};
  }

  static constexpr Material kNone{.mu = 0, .dissipation = 0};
  const RigidBody<double>& plate;
};

struct Way {
  double time_step;
  Approximation approximation;
};
class SurfaceMoments : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Modes, SurfaceMoments,
                         testing::Values(Way{0, Approximation::kLagged},
                                         Way{1e-3, Approximation::kLagged},
                                         Way{1e-3, Approximation::kSimilar},
                                         Way{1e-3, Approximation::kTamsi},
                                         Way{1e-3, Approximation::kSap}));

constexpr double kStiffness = kModulus / kThickness;  // [Pa/m]

// Returns a pose in which the middle of the lower face is at a depth.
RigidTransformd MakePose(const RotationMatrixd& R, double depth) {
  return RigidTransformd(
      R, Vector3d(Vector3d(0, 0, -depth) + kHeight / 2 * R.col(2)));
}

// p = E / H (d + x sin(pitch)) on the lower face: the moment is
// -E / H sin(pitch) b w^3 / 12 about y, and nothing about x.
TEST_P(SurfaceMoments, ATiltedPlateHasTheExactMomentAtAnyMesh) {
  const double angle = 5e-3, depth = 2e-3;
  for (const auto& [n, m] :
       {std::pair(1, 1), {1, 40}, {40, 1}, {3, 2}, {20, 20}}) {
    HeavyPlate scene(GetParam().time_step, GetParam().approximation,
                     MakePlate(n, m));
    for (const bool is_pitch : {true, false}) {
      const auto R = is_pitch ? RotationMatrixd::MakeYRotation(angle)
                              : RotationMatrixd::MakeXRotation(angle);
      const auto [force, moment] = scene.CalcForce(MakePose(R, depth));
      const double across = is_pitch ? kWidth : kBreadth;
      const double area = kWidth * kBreadth;
      const double wanted =
          -kStiffness * std::sin(angle) * area * across * across / 12;
      const double rounding = 1e-6 * std::abs(wanted);
      const Vector3d in_plate = R.transpose() * moment;
      EXPECT_NEAR((R.transpose() * force)[2], kStiffness * depth * area, 1e-3);
      EXPECT_NEAR(in_plate[is_pitch ? 1 : 0], wanted, rounding) << n << m;
      EXPECT_NEAR(in_plate[is_pitch ? 0 : 1], 0, rounding) << n << m;
      EXPECT_NEAR(in_plate[2], 0, rounding) << n << m;
    }
  }
}

// A box also has sides, which stand in the ground.
TEST_P(SurfaceMoments, ATiltedBoxHasTheExactMomentOfItsTwoTriangles) {
  const double angle = 5e-3, depth = 2e-4;
  HeavyPlate scene(GetParam().time_step, GetParam().approximation,
                   geometry::Box(kWidth, kBreadth, kHeight));
  const auto R = RotationMatrixd::MakeYRotation(angle);
  const auto [force, moment] = scene.CalcForce(MakePose(R, depth));
  // The edge at x = -w / 2 is lifted; the remaining length is L.
  const double L = kWidth / 2 + depth / std::sin(angle);
  const double F = kStiffness * std::sin(angle) * kBreadth * L * L / 2;
  const double wanted = -F * (kWidth / 2 - L / 3);
  // The side's force k b d^2 / 2 has the lever H / 2.
  const double deepest = L * std::sin(angle);
  const double side =
      kStiffness * kBreadth * deepest * deepest / 2 * kHeight / 2;
  EXPECT_LT(side, 0.01 * std::abs(wanted));
  EXPECT_NEAR((R.transpose() * force)[2], F, 1e-4 * F);
  EXPECT_NEAR(moment[1], wanted, 1e-4 * F * kWidth + side);
  EXPECT_NEAR(moment[0], 0, 1e-6 * F * kWidth);
}

// Pressure on a corner is that of a fluid: the force is E / H times the volume
// below the ground, up through the volume's centroid. Edges from the corner
// reach the ground after depth / |z|.
TEST_P(SurfaceMoments, ACornerHasTheForceOfItsVolumeAtItsCentroid) {
  const double depth = 4e-3;
  const Vector3d half(kWidth / 2, kBreadth / 2, kHeight / 2);
  for (const auto& [roll, pitch] :
       {std::pair(0.15, 0.2), {0.05, 0.4}, {0.6, 0.5}, {-0.2, 1.2}}) {
    HeavyPlate scene(GetParam().time_step, GetParam().approximation,
                     geometry::Box(kWidth, kBreadth, kHeight));
    const RotationMatrixd R(math::RollPitchYawd(roll, pitch, 0.5));
    Vector3d corner = Vector3d::Zero(), centroid = Vector3d::Zero();
    double wanted = kStiffness * std::pow(depth, 3) / 6;
    for (int i = 0; i < 3; ++i) {
      const double z = R.col(i)[2];
      corner += (z > 0 ? -half[i] : half[i]) * R.col(i);
      centroid += depth / z / 4 * R.col(i);
      wanted /= std::abs(z);
    }
    const auto [force, moment] =
        scene.CalcForce({R, Vector3d(0, 0, -depth) - corner});
    const Vector3d up(0, 0, wanted);
    EXPECT_TRUE(Near(force, up, 1e-6 * wanted)) << force.transpose();
    EXPECT_TRUE(
        Near(moment, (corner + centroid).cross(up), 1e-6 * wanted * kWidth))
        << moment.transpose();
  }
}

// Where the ground's field continues above the ground, a polygon has parts that
// press and parts that do not.
TEST_P(SurfaceMoments, APlateThatIsHalfLiftedHasTheSameMomentWithAMargin) {
  const double angle = 0.02, depth = 2e-4;
  const auto R = RotationMatrixd::MakeYRotation(angle);
  const double L = kWidth / 2 + depth / std::sin(angle);
  const double F = kStiffness * std::sin(angle) * kBreadth * L * L / 2;
  for (const double margin : {0.0, 1e-4, 0.01}) {
    HeavyPlate scene(GetParam().time_step, GetParam().approximation,
                     MakePlate(1, 1), margin);
    const auto [force, moment] = scene.CalcForce(MakePose(R, depth));
    EXPECT_NEAR((R.transpose() * force)[2], F, 1e-6 * F) << margin;
    EXPECT_NEAR(moment[1], -F * (kWidth / 2 - L / 3), 1e-6 * F) << margin;
    EXPECT_NEAR(moment[0], 0, 1e-6 * F) << margin;
  }
}

// The centre of mass is e beside the middle: pitch 12 W e H / (E b w^3).
TEST_P(SurfaceMoments, ALoadedPlatePitchesAsItShouldAndDoesNotRoll) {
  const double mass = 2, e = 0.01;
  const Material material{.dissipation = 5};
  test::ContactScene scene(GetParam().time_step, GetParam().approximation,
                           material, SoftGround(material));
  scene.plant->set_contact_model(ContactModel::kHydroelastic);
  const auto& plate = scene.Add(
      "plate",
      SpatialInertia<double>(
          mass, Vector3d(e, 0, 0),
          UnitInertia<double>::SolidBox(kWidth, kBreadth, kHeight)
              .ShiftFromCenterOfMass(Vector3d(-e, 0, 0))),
      geometry::Box(kWidth, kBreadth, kHeight), RigidSurface(material));
  scene.Finish();
  const double weight = mass * test::kGravity;
  const double depth = weight / (kStiffness * kWidth * kBreadth);
  scene.Place(plate, Vector3d(0, 0, kHeight / 2 - depth));
  scene.simulator->AdvanceTo(2);
  const auto X = scene.plant->EvalBodyPoseInWorld(*scene.context, plate);
  const Eigen::Matrix3d R = X.rotation().matrix();
  const double wanted =
      12 * weight * e / (kStiffness * kBreadth * std::pow(kWidth, 3));
  EXPECT_NEAR(std::asin(-R(2, 0)), wanted, 0.01 * wanted);
  EXPECT_NEAR(std::atan2(R(2, 1), R(2, 2)), 0, 1e-3 * wanted);
  EXPECT_LT(scene.Velocity(plate).norm(), 1e-4);
}

// The force is minus the gradient of an energy only if its moment is exact;
// otherwise bodies rock forever. The energy is U = E / (2 H) times the integral
// of depth^2.
TEST_P(SurfaceMoments, ABoxThatIsDroppedOnAnEdgeComesToRest) {
  const Material material{.dissipation = 5};
  test::ContactScene scene(GetParam().time_step, GetParam().approximation,
                           material, SoftGround(material));
  scene.plant->set_contact_model(ContactModel::kHydroelastic);
  const auto& box = scene.Add(
      "box", SpatialInertia<double>::SolidBoxWithMass(1, 0.1, 0.1, 0.1),
      geometry::Box(0.1, 0.1, 0.1), RigidSurface(material));
  scene.Finish();
  scene.plant->SetFreeBodyPose(
      scene.context, box,
      RigidTransformd(math::RollPitchYawd(0.2, 0.1, 0.3),
                      Vector3d(0, 0, 0.07)));
  double last = scene.Energy();
  for (const double time : {1.0, 2.0, 3.0}) {
    scene.simulator->AdvanceTo(time);
    EXPECT_LT(scene.Energy(), last + 1e-6) << time;
    last = scene.Energy();
  }
  EXPECT_LT(scene.plant->CalcKineticEnergy(*scene.context), 1e-8);
}

}  // namespace surface_moments_test
}  // namespace wyvern::multibody
