// Steps out of a depth, and falls onto a surface: contact on surfaces of equal
// pressure yields within a step, whatever faces a surface has.
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/box_hull.h"
#include "tests/multibody/plant/contact_scene.h"

namespace wyvern::multibody {
namespace pressed_bodies_test {

using Eigen::Vector3d;
using geometry::ProximityProperties;
using geometry::Shape;
using math::RigidTransformd;
using math::RotationMatrixd;
using test::kGravity;
using test::MakeBoxMesh;
using test::MakeProperties;
using test::Material;
using Approximation = DiscreteContactApproximation;

constexpr double kMass = 1, kRadius = 0.1, kPi = std::numbers::pi;

struct Pose {
  std::string name;
  std::shared_ptr<const Shape> shape;
  RotationMatrixd R;
  double height;  // Of the origin, where the lowest point is at zero.
};

// Upright, on an edge, and tilted by little and by much.
std::vector<Pose> MakePoses() {
  const auto about_x = [](double angle) {
    return RotationMatrixd::MakeXRotation(angle);
  };
  const auto box = std::make_shared<geometry::Box>(0.3, 0.2, 0.1);
  const auto cylinder = std::make_shared<geometry::Cylinder>(kRadius, 0.1);
  const auto capsule = std::make_shared<geometry::Capsule>(kRadius, 0.2);
  // Its elements all reach to its centre.
  const auto hull =
      std::make_shared<geometry::Convex>(MakeBoxMesh(0.15, 0.15, 0.01));
  std::vector<Pose> poses;
  for (const double angle : {0.0, 5e-4, 2e-3, 0.02, 0.3, kPi / 4}) {
    const double lowest = 0.1 * std::sin(angle) + 0.05 * std::cos(angle);
    poses.push_back({"box", box, about_x(angle), lowest});
  }
  for (const double angle : {0.0, 0.02, kPi / 2}) {
    const double lowest = kRadius * std::sin(angle) + 0.05 * std::cos(angle);
    poses.push_back({"cylinder", cylinder, about_x(angle), lowest});
  }
  poses.push_back({"capsule", capsule, about_x(0), 0.1 + kRadius});
  poses.push_back({"capsule", capsule, about_x(kPi / 2), kRadius});
  poses.push_back(
      {"ball", std::make_shared<geometry::Sphere>(kRadius), {}, kRadius});
  poses.push_back({"ellipsoid",
                   std::make_shared<geometry::Ellipsoid>(0.15, 0.1, 0.02),
                   {},
                   0.02});
  for (const double angle : {0.02, 0.3, kPi / 4}) {
    poses.push_back({"hull", hull, about_x(angle),
                     0.15 * std::sin(angle) + 0.01 * std::cos(angle)});
  }
  poses.push_back(
      {"mesh", std::make_shared<geometry::Mesh>(MakeBoxMesh(0.1, 0.1, 0.05)),
       about_x(0.02), 0.1 * std::sin(0.02) + 0.05 * std::cos(0.02)});
  poses.push_back({"hull", hull, {}, 0.01});
  poses.push_back({"hull", hull, about_x(kPi / 2), 0.15});
  return poses;
}

enum class Ground { kRigidPlane, kRigidBox, kSoftPlane, kSoftBox };
constexpr Ground kGrounds[] = {Ground::kRigidPlane, Ground::kRigidBox,
                               Ground::kSoftPlane, Ground::kSoftBox};

// One body in contact with a ground, both of one modulus; on a soft plane, a
// rigid body if `is_rigid`.
struct Scene {
  Scene(const Pose& pose, Ground ground, bool is_rigid, double modulus,
        double dt, Approximation approximation, const Material& material,
        double gravity = kGravity) {
    systems::DiagramBuilder<double> builder;
    plant = &AddMultibodyPlantSceneGraph(&builder, dt).plant;
    plant->set_discrete_contact_approximation(approximation);
    plant->set_contact_model(ContactModel::kHydroelastic);
    ProximityProperties soft = MakeProperties(material), hard = soft;
    ProximityProperties slab = soft;
    geometry::AddCompliantHydroelasticProperties(0.02, modulus, &soft);
    geometry::AddCompliantHydroelasticPropertiesForHalfSpace(0.05, modulus,
                                                             &slab);
    geometry::AddRigidHydroelasticProperties(0.02, &hard);
    const bool is_plane =
        ground == Ground::kRigidPlane || ground == Ground::kSoftPlane;
    const bool is_soft =
        ground == Ground::kSoftPlane || ground == Ground::kSoftBox;
    const RigidTransformd X_WG(Vector3d(0, 0, is_plane ? 0 : -0.25));
    if (is_plane) {
      plant->RegisterCollisionGeometry(plant->world_body(), X_WG,
                                       geometry::HalfSpace(), "ground",
                                       is_soft ? slab : hard);
    } else {
      plant->RegisterCollisionGeometry(plant->world_body(), X_WG,
                                       geometry::Box(1, 1, 0.5), "ground",
                                       is_soft ? soft : hard);
    }
    body = &plant->AddRigidBody(
        "body", SpatialInertia<double>::SolidBoxWithMass(kMass, 0.3, 0.2, 0.1));
    plant->RegisterCollisionGeometry(*body, {}, *pose.shape, "body",
                                     is_rigid ? hard : soft);
    plant->mutable_gravity_field().set_gravity_vector(Vector3d(0, 0, -gravity));
    plant->Finalize();
    diagram = builder.Build();
    simulator = std::make_unique<systems::Simulator<double>>(*diagram);
    context =
        &plant->GetMyMutableContextFromRoot(&simulator->get_mutable_context());
  }
  void Place(const Pose& pose, double height) {
    plant->SetFreeBodyPose(
        context, *body,
        RigidTransformd(pose.R, Vector3d(0, 0, pose.height + height)));
  }
  double Energy() const {
    return plant->CalcKineticEnergy(*context) +
           plant->CalcPotentialEnergy(*context);
  }

  MultibodyPlant<double>* plant{};
  const RigidBody<double>* body{};
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<systems::Simulator<double>> simulator;
  systems::Context<double>* context{};
};

constexpr double kDepth = 1e-3;

// How fast a body leaves after a step out of the depth, as a share of depth /
// dt.
double CalcLeavingShare(const Pose& pose, Ground ground, bool is_rigid,
                        double modulus, double dt, Approximation approximation,
                        double mu) {
  Scene scene(pose, ground, is_rigid, modulus, dt, approximation,
              {.mu = mu, .dissipation = 0, .relaxation_time = 0.1 * dt}, 0);
  scene.Place(pose, -kDepth);
  scene.simulator->AdvanceTo(dt);
  const SpatialVelocity<double> V =
      scene.plant->EvalBodySpatialVelocityInWorld(*scene.context, *scene.body);
  return V.translational().norm() * dt / kDepth;
}

class PressedBodies : public testing::TestWithParam<Approximation> {};

// Expects the law of a pose on all grounds, with all moduli and both steps.
void ExpectLeavingShares(const Pose& pose, Approximation approximation,
                         double mu,
                         const std::vector<double>& moduli = {1e6, 1e9}) {
  for (const Ground ground : kGrounds) {
    const bool is_soft =
        ground == Ground::kSoftPlane || ground == Ground::kSoftBox;
    for (const bool is_rigid : {false, true}) {
      if (is_rigid && !is_soft) continue;
      for (const double modulus : moduli) {
        for (const double dt : {1e-3, 1e-2}) {
          EXPECT_LT(CalcLeavingShare(pose, ground, is_rigid, modulus, dt,
                                     approximation, mu),
                    2)
              << pose.name << " at " << pose.height << ", ground "
              << static_cast<int>(ground) << ", rigid " << is_rigid << ", E "
              << modulus << ", dt " << dt << ", mu " << mu;
        }
      }
    }
  }
}

// A force that yields has nothing left once the bodies are apart. Sides push
// across the way out too, and faces that yield by themselves at an angle to it.
TEST_P(PressedBodies, LeaveNoFasterThanTheirDepthInAStep) {
  for (const Pose& pose : MakePoses()) {
    ExpectLeavingShares(pose, GetParam(), 0);
  }
}

// The friction of sides that stand in soft ground must not hold a body back
// while the bottom pushes it out. The iteration of kTamsi finds no balance of
// some bodies of 1e9 Pa.
TEST_P(PressedBodies, LeaveNoFasterWithFriction) {
  const std::vector<double> moduli = GetParam() == Approximation::kTamsi
                                         ? std::vector{1e6}
                                         : std::vector{1e6, 1e9};
  for (const Pose& pose : MakePoses()) {
    ExpectLeavingShares(pose, GetParam(), 0.5, moduli);
  }
}

// The material that SceneGraphConfig gives a geometry, and one that dissipates
// nothing.
constexpr Material kDamped{
    .mu = 0.5, .dissipation = 50, .relaxation_time = 0.1};
constexpr Material kUndamped{.mu = 0.5, .dissipation = 0, .relaxation_time = 0};
constexpr Material kFrictionless{
    .mu = 0, .dissipation = 0, .relaxation_time = 0};

// The most that the energy of a body rises above the start's in a fall of 0.3
// s, as a share of that of the fall.
double CalcGainOfAFall(const Pose& pose, Ground ground, bool is_rigid,
                       double modulus, Approximation approximation,
                       const Material& material, double dt) {
  constexpr double kHeight = 1e-3;
  Scene scene(pose, ground, is_rigid, modulus, dt, approximation, material);
  scene.Place(pose, kHeight);
  const double start = scene.Energy();
  double most = start;
  for (int i = 1; i * dt < 0.3 + 0.5 * dt; ++i) {
    scene.simulator->AdvanceTo(dt * i);
    most = std::max(most, scene.Energy());
  }
  return (most - start) / (kMass * kGravity * kHeight);
}

// Expects the law of falls of all bodies onto all grounds.
void ExpectNoGain(Approximation approximation, const Material& material,
                  const std::vector<double>& moduli, double dt = 1e-2) {
  for (const Pose& pose : MakePoses()) {
    for (const Ground ground : kGrounds) {
      const bool is_soft =
          ground == Ground::kSoftPlane || ground == Ground::kSoftBox;
      for (const bool is_rigid : {false, true}) {
        if (is_rigid && !is_soft) continue;
        for (const double modulus : moduli) {
          // The iteration of kTamsi finds no balance of some stiff bodies.
          if (approximation == Approximation::kTamsi && modulus >= 1e8 &&
              is_soft && material.dissipation > 0) {
            continue;
          }
          EXPECT_LT(CalcGainOfAFall(pose, ground, is_rigid, modulus,
                                    approximation, material, dt),
                    0.01)
              << pose.name << " at " << pose.height << ", ground "
              << static_cast<int>(ground) << ", rigid " << is_rigid << ", E "
              << modulus << ", dt " << dt << ", mu " << material.mu;
        }
      }
    }
  }
}

// A plate that topples is some 10 mm deep in stiff ground after a step, with a
// million times the energy of its fall in the pressure.
TEST_P(PressedBodies, GainNoEnergyFromAFall) {
  ExpectNoGain(GetParam(), kDamped, {1e6, 1e8, 1e9});
}

// Steps of 10 ms do not resolve these contacts.
TEST_P(PressedBodies, GainNoEnergyFromAFallWithoutDissipation) {
  ExpectNoGain(GetParam(), kUndamped, {1e6, 1e9});
}

// Without friction plates topple so fast that a step takes them deeper than
// their middle, where their pressure says nothing of how deep they are.
TEST_P(PressedBodies, GainNoEnergyFromAFallWithoutFriction) {
  ExpectNoGain(GetParam(), kFrictionless, {1e6, 1e9});
}

// The whole, of which the tests above are the stiffest and softest part. It
// takes some ten minutes.
TEST_P(PressedBodies, DISABLED_GainNoEnergyFromAnyFall) {
  for (const Material& material : {kUndamped, kFrictionless}) {
    for (const double dt : {1e-2, 1e-3}) {
      ExpectNoGain(GetParam(), material, {1e6, 1e7, 1e8, 1e9}, dt);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EachLaw, PressedBodies, test::AllApproximations());

}  // namespace pressed_bodies_test
}  // namespace wyvern::multibody
