// Laws of contact of deformable bodies: energy and the cone of friction, by all
// approximations; filters, rigid meshes that are not convex, threads.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/soft_scene.h"
#include "tests/support/allocation_guard.h"
#include "wyvern/geometry/deformable/deformable_contact_surface.h"
#include "wyvern/multibody/fem/fem_stepper.h"
#include "wyvern/systems/framework/context_serialization.h"

namespace wyvern::multibody {
namespace deformable_laws_test {

using Eigen::VectorXd;
using fem::internal::FemModel;
using soft_scene::kBlockMass;
using soft_scene::kGravity;
using soft_scene::kSide;
using soft_scene::kStep;
using soft_scene::MakeProperties;
using soft_scene::Matrix3Xd;
using soft_scene::RigidTransformd;
using soft_scene::Simulator;
using soft_scene::SoftScene;
using soft_scene::Vector3d;

class SoftContact
    : public testing::TestWithParam<DiscreteContactApproximation> {};

// Kinetic and elastic energy, and that of its weight over z = 0, J.
double CalcEnergy(SoftScene* scene, DeformableBodyId id,
                  const FemModel& model) {
  const auto& body = scene->model().GetBody(id);
  const auto vector = [](const Matrix3Xd& x) {
    return VectorXd(Eigen::Map<const VectorXd>(x.data(), x.size()));
  };
  const VectorXd q = vector(body.GetPositions(scene->context()));
  const VectorXd v = vector(body.GetVelocities(scene->context()));
  const double height =
      body.CalcCenterOfMassPositionInWorld(scene->context()).z();
  return fem::internal::CalcKineticEnergy(model, v) +
         model.CalcElasticEnergy(q, q) + body.mass() * kGravity * height;
}

// Blocks fall on the ground, askew and sideways, and on each other. What a
// stiff contact stores for a step or two, which is not counted here, comes
// back: so the bound is what they had at first.
TEST_P(SoftContact, EnergyIsNeverMoreThanAtFirst) {
  SoftScene scene(GetParam());
  scene.AddGround();
  const auto low = scene.AddBlock("low", {0, 0, 0.02 + kSide / 2});
  const auto high = scene.AddBlock("high", {0.07, 0.03, 0.04 + 1.5 * kSide});
  scene.Build();
  const auto mesh = geometry::internal::MakeDeformableMesh(
      geometry::Box(kSide, kSide, kSide), 0.05);
  const FemModel model("block", mesh, scene.model().GetBody(low).config());
  Matrix3Xd v = scene.model().GetVelocities(scene.context(), high);
  v.row(0).setConstant(1);
  scene.model().SetVelocities(&scene.mutable_context(), high, v);
  const auto energy = [&] {
    return CalcEnergy(&scene, low, model) + CalcEnergy(&scene, high, model);
  };
  const double first = energy();
  double largest = -HUGE_VAL;
  for (int i = 1; i <= 160; ++i) {
    scene.simulator().AdvanceTo(i * kStep);
    largest = std::max(largest, energy());
  }
  EXPECT_LE(largest, first);
  // The throw is used up, and more.
  EXPECT_LT(energy(), first - 0.5 * kBlockMass);
}

// Friction mu v / |(v, eps)| with eps the stiction tolerance holds a share of
// the cone at this speed, m/s.
double CalcCreep(double eps, double share) {
  return eps * share / std::sqrt(1 - share * share);
}

// The law of kSimilar lifts what slips, which must be less than how deep the
// block presses itself into the ground: at the tolerance of
// MultibodyPlantConfig it is, at ten times that not (see below).
TEST_P(SoftContact, FrictionHoldsWithinTheConeAndNotOutside) {
  const double mu = 0.5;
  const bool lifts = GetParam() == DiscreteContactApproximation::kSimilar;
  const double eps = lifts ? MultibodyPlantConfig{}.stiction_tolerance : 1e-3;
  for (const double slope : {0.98 * mu, 1.02 * mu}) {
    SoftScene scene(GetParam());
    scene.plant().set_stiction_tolerance(eps);
    scene.AddGround();
    const auto block = scene.AddBlock("block", {0, 0, kSide / 2}, mu);
    const double cosine = 1 / std::sqrt(1 + slope * slope);
    scene.plant().mutable_gravity_field().set_gravity_vector(
        kGravity * cosine * Vector3d(slope, 0, -1));
    scene.Build();
    const auto velocity = [&] {
      return scene.model()
          .GetBody(block)
          .CalcCenterOfMassTranslationalVelocityInWorld(scene.context())
          .x();
    };
    scene.simulator().AdvanceTo(1.5);
    const double v = velocity();
    scene.simulator().AdvanceTo(2.5);
    const double slips = kGravity * cosine * (slope - mu);
    if (slope < mu) {
      // That of kSap is less.
      const double creep = CalcCreep(eps, slope / mu);
      EXPECT_LE(std::abs(velocity()), 1.05 * creep);
      EXPECT_LE(std::abs(velocity() - v), 0.05 * creep);
    } else {
      // Its vertices do not all slip the same way while it trembles.
      EXPECT_NEAR(velocity() - v, slips, 0.007 * mu * kGravity * cosine);
    }
  }
}

// A flat slab on a slope creeps by kSimilar at the speed of its tolerance, and
// lies higher by 2 dt mu (|(v, eps)| - eps) than its weight would have it, as
// the normal impulse of v_n - mu (|(v, eps)| - eps) says, with the relaxation
// time dt. By kLagged it is not lifted.
TEST_P(SoftContact, CreepAndLiftAreThoseOfTheLaw) {
  if (GetParam() == DiscreteContactApproximation::kSap) return;
  const double mu = 0.5, size = 0.4, height = 0.02, density = 1e4;
  const double share = 0.9, eps = 1e-3;
  SoftScene scene(GetParam());
  scene.plant().set_stiction_tolerance(eps);
  scene.AddGround();
  auto shape = std::make_unique<geometry::GeometryInstance>(
      RigidTransformd(Vector3d(0, 0, height / 2)),
      geometry::Box(size, size, height), "slab");
  shape->set_proximity_properties(MakeProperties(mu));
  fem::DeformableBodyConfig<double> config;
  config.set_youngs_modulus(1e6);
  config.set_poissons_ratio(0.3);
  config.set_mass_density(density);
  config.set_stiffness_damping_coefficient(0.01);
  const auto slab =
      scene.plant().mutable_deformable_model().RegisterDeformableBody(
          std::move(shape), config, 0.1 * (1 + 1e-9));
  const double slope = share * mu, cosine = 1 / std::sqrt(1 + slope * slope);
  scene.plant().mutable_gravity_field().set_gravity_vector(
      kGravity * cosine * Vector3d(slope, 0, -1));
  scene.Build();
  scene.simulator().AdvanceTo(2);
  const double v = scene.MeanVelocity(slab).x();
  const double creep = CalcCreep(eps, share);
  EXPECT_NEAR(v, creep, 1e-3 * creep);
  double area = 0, volume = 0;
  std::vector<geometry::internal::DeformableContactSurface> surfaces;
  scene.plant()
      .get_geometry_query_input_port()
      .Eval<geometry::QueryObject<double>>(scene.context())
      .ComputeDeformableContact(&surfaces);
  for (const auto& point : surfaces.at(0).points) {
    area += point.area;
    volume -= point.area * point.phi;
  }
  const bool lifts = GetParam() == DiscreteContactApproximation::kSimilar;
  const double lift =
      lifts ? 2 * kStep * mu * (std::hypot(creep, eps) - eps) : 0;
  const double pressure = density * height * kGravity * cosine;
  const double depth = pressure / 1e8;
  EXPECT_GT(depth, 2 * lift);
  EXPECT_NEAR(volume / area, depth - lift, 1e-3 * depth);
}

INSTANTIATE_TEST_SUITE_P(All, SoftContact,
                         testing::Values(DiscreteContactApproximation::kLagged,
                                         DiscreteContactApproximation::kSimilar,
                                         DiscreteContactApproximation::kSap,
                                         DiscreteContactApproximation::kTamsi));

TEST(SoftContactLaws, WhatIsFilteredPassesThrough) {
  SoftScene scene;
  const auto ground = scene.AddGround();
  const auto free = scene.AddBlock("free", {0, 0, kSide / 2});
  const auto held = scene.AddBlock("held", {1, 0, kSide / 2});
  scene.Build();
  scene.scene_graph().collision_filter_manager().Apply(
      geometry::CollisionFilterDeclaration().ExcludeBetween(
          geometry::GeometrySet(scene.model().GetGeometryId(free)),
          geometry::GeometrySet(ground)));
  Simulator<double> simulator(scene.diagram());
  simulator.AdvanceTo(0.3);
  const auto& context =
      scene.plant().GetMyContextFromRoot(simulator.get_context());
  const double fallen = 0.5 * kGravity * 0.3 * (0.3 + kStep);
  EXPECT_NEAR(
      scene.model().GetBody(free).CalcCenterOfMassPositionInWorld(context).z(),
      kSide / 2 - fallen, 1e-6);
  EXPECT_GT(
      scene.model().GetBody(held).CalcCenterOfMassPositionInWorld(context).z(),
      0.9 * kSide / 2);
}

// A channel of three bars, as one mesh: its hull is full, but it is not.
std::string WriteChannel() {
  const std::string file = testing::TempDir() + "/soft_channel.obj";
  std::ofstream out(file);
  // Along y from -1 to 1; the profile in x and z, counterclockwise from +y.
  const double profile[8][2] = {{-0.3, -0.1}, {-0.3, 0.3}, {-0.15, 0.3},
                                {-0.15, 0},   {0.15, 0},   {0.15, 0.3},
                                {0.3, 0.3},   {0.3, -0.1}};
  for (const double y : {-1.0, 1.0}) {
    for (const auto& p : profile) {
      out << "v " << p[0] << " " << y << " " << p[1] << "\n";
    }
  }
  for (int i = 1; i <= 8; ++i) {
    const int j = i % 8 + 1;
    out << "f " << j << " " << j + 8 << " " << i + 8 << " " << i << "\n";
  }
  const int ends[3][4] = {{1, 2, 3, 4}, {1, 4, 5, 8}, {5, 6, 7, 8}};
  for (const auto& q : ends) {
    out << "f " << q[3] << " " << q[2] << " " << q[1] << " " << q[0] << "\n";
    out << "f " << q[0] + 8 << " " << q[1] + 8 << " " << q[2] + 8 << " "
        << q[3] + 8 << "\n";
  }
  return file;
}

TEST(SoftContactLaws, ARigidMeshIsTouchedAtItsOwnTriangles) {
  SoftScene scene;
  scene.plant().RegisterCollisionGeometry(
      scene.plant().world_body(), RigidTransformd(),
      geometry::Mesh(WriteChannel()), "channel", MakeProperties());
  const auto block = scene.AddBlock("block", {0, 0, kSide / 2});
  scene.Build();
  scene.simulator().AdvanceTo(1.5);
  // As on a plane: see ABlockRestsTheSameOnAnyFlatGround.
  SoftScene flat;
  flat.AddGround();
  const auto other = flat.AddBlock("block", {0, 0, kSide / 2});
  flat.Build();
  flat.simulator().AdvanceTo(1.5);
  const Matrix3Xd q = scene.model().GetPositions(scene.context(), block);
  const Matrix3Xd expected = flat.model().GetPositions(flat.context(), other);
  EXPECT_LE((q - expected).lpNorm<Eigen::Infinity>(), 1e-5);
}

// A box on a block on the ground, saved and resumed on the way.
Matrix3Xd SimulateWith(Parallelism parallelism, bool resumes) {
  SoftScene scene;
  scene.AddGround();
  const auto& box = scene.AddRigidBox("box", 1, {0.1, 0.1, 0.1});
  const auto block = scene.AddBlock("block", {0, 0, kSide / 2});
  scene.plant().mutable_deformable_model().SetParallelism(parallelism);
  EXPECT_EQ(scene.model().parallelism().num_threads(),
            parallelism.num_threads());
  scene.Build();
  scene.plant().SetFreeBodyPose(
      &scene.mutable_context(), box,
      RigidTransformd(Vector3d(0.01, 0, kSide + 0.06)));
  scene.simulator().AdvanceTo(0.2);
  std::stringstream file;
  systems::SaveContext(scene.simulator().get_context(), &file);
  auto context = scene.diagram().CreateDefaultContext();
  systems::LoadContext(&file, context.get());
  Simulator<double> resumed(scene.diagram(), std::move(context));
  Simulator<double>& simulator = resumes ? resumed : scene.simulator();
  simulator.AdvanceTo(0.4);
  return scene.model().GetPositions(
      scene.plant().GetMyContextFromRoot(simulator.get_context()), block);
}

TEST(SoftContactLaws, AnyNumberOfThreadsGivesTheSameBitsAndResumes) {
  const Matrix3Xd expected = SimulateWith(Parallelism(1), false);
  for (const int threads : {2, 3}) {
    EXPECT_EQ(SimulateWith(Parallelism(threads), false), expected);
    EXPECT_EQ(SimulateWith(Parallelism(threads), true), expected);
  }
}

// Friction of kSap gives way as that of rigid bodies does, and so does not
// stick point by point: three times as many iterations if each point gives way
// to its own impulse as the whole bodies do.
TEST(SoftContactLaws, AStackOfEqualMeshesIsSolvedInFewIterations) {
  SoftScene scene(DiscreteContactApproximation::kSap);
  scene.AddGround();
  scene.AddBlock("low", {0, 0, kSide / 2});
  scene.AddBlock("high", {0, 0, 1.5 * kSide});
  scene.Build();
  scene.simulator().AdvanceTo(6 * kStep);
  const SolverStatistics statistics =
      scene.plant().GetSolverStatistics(scene.context());
  EXPECT_EQ(statistics.num_solves, 6);
  EXPECT_LE(statistics.num_iterations, 6 * 30);
}

// Where several of Newton's iterations are needed, threads work, and forces of
// contact change from step to step.
TEST(SoftContactLaws, NeoHookeanStepsWithThreadsAllocateNothing) {
  SoftScene scene;
  scene.AddGround();
  auto block = std::make_unique<geometry::GeometryInstance>(
      RigidTransformd(Vector3d(0, 0, kSide / 2)),
      geometry::Box(kSide, kSide, kSide), "block");
  block->set_proximity_properties(MakeProperties());
  fem::DeformableBodyConfig<double> config;
  config.set_youngs_modulus(1e5);
  config.set_poissons_ratio(0.3);
  config.set_mass_density(1000);
  config.set_stiffness_damping_coefficient(0.01);
  config.set_material_model(fem::MaterialModel::kNeoHookean);
  auto& model = scene.plant().mutable_deformable_model();
  model.RegisterDeformableBody(std::move(block), config, 0.05);
  model.SetParallelism(Parallelism(2));
  scene.Build();
  scene.simulator().AdvanceTo(0.5);
  const std::int64_t solves =
      scene.plant().GetSolverStatistics(scene.context()).num_solves;
  const wyvern::test::AllocationGuard guard;
  scene.simulator().AdvanceTo(0.55);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_EQ(scene.plant().GetSolverStatistics(scene.context()).num_solves,
            solves + 10);
}

}  // namespace deformable_laws_test
}  // namespace wyvern::multibody
