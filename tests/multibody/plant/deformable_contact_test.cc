// Deformable bodies that touch: balance of forces, friction, momentum, energy,
// and what a step keeps.
#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/soft_scene.h"
#include "tests/support/allocation_guard.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/systems/framework/context_serialization.h"

namespace wyvern::multibody {
namespace deformable_contact_test {

using soft_scene::Context;
using soft_scene::kBlockMass;
using soft_scene::kDensity;
using soft_scene::kGravity;
using soft_scene::kSide;
using soft_scene::kStep;
using soft_scene::MakeProperties;
using soft_scene::Matrix3Xd;
using soft_scene::Plant;
using soft_scene::RigidTransformd;
using soft_scene::Simulator;
using soft_scene::SoftScene;
using soft_scene::Vector3d;

class Approximation
    : public testing::TestWithParam<DiscreteContactApproximation> {};

TEST_P(Approximation, TheGroundCarriesTheWeight) {
  SoftScene scene(GetParam());
  const auto& plate = scene.AddRigidBox("plate", 3, {1, 1, 0.1});
  const auto& weld =
      scene.plant().WeldFrames(scene.plant().world_frame(), plate.body_frame(),
                               RigidTransformd(Vector3d(0, 0, -0.05)));
  const auto block = scene.AddBlock("block", {0, 0, kSide / 2});
  scene.Build();
  scene.simulator().AdvanceTo(2);
  const auto& forces =
      scene.plant()
          .get_reaction_forces_output_port()
          .template Eval<std::vector<SpatialForce<double>>>(scene.context());
  const Vector3d f = forces[weld.ordinal()].translational();
  const double weight = (3 + kBlockMass) * kGravity;
  EXPECT_NEAR(f.z(), weight, 1e-6 * weight);
  EXPECT_LE(f.head<2>().norm(), 1e-6 * weight);
  // A sticking block creeps, well below the stiction tolerance.
  EXPECT_LE(scene.MeanVelocity(block).norm(), 2e-5);
}

// The plane of a half space, or a box's two triangles.
TEST(DeformableContact, ABlockRestsTheSameOnAnyFlatGround) {
  std::vector<Matrix3Xd> q;
  for (const bool is_box : {false, true}) {
    SoftScene scene;
    if (is_box) {
      scene.plant().RegisterCollisionGeometry(
          scene.plant().world_body(), RigidTransformd(Vector3d(0.03, 0.04, -1)),
          geometry::Box(2, 2, 2), "box", MakeProperties());
    } else {
      scene.AddGround();
    }
    const auto block = scene.AddBlock("block", {0, 0, kSide / 2});
    scene.Build();
    scene.simulator().AdvanceTo(1.5);
    q.push_back(scene.model().GetPositions(scene.context(), block));
  }
  EXPECT_LE((q[1] - q[0]).lpNorm<Eigen::Infinity>(), 1e-5);
}

TEST_P(Approximation, FrictionHoldsBelowTheConeAndSlipsAbove) {
  const auto mesh = geometry::internal::MakeDeformableMesh(
      geometry::Box(kSide, kSide, kSide), 0.05);
  for (const double slope : {0.3, 0.7}) {
    SoftScene scene(GetParam());
    scene.AddGround();
    const auto block = scene.AddBlock("block", {0, 0, kSide / 2});
    const Vector3d g =
        kGravity * Vector3d(slope, 0, -1) / std::sqrt(1 + slope * slope);
    scene.plant().mutable_gravity_field().set_gravity_vector(g);
    scene.Build();
    scene.simulator().AdvanceTo(0.5);
    const Vector3d p0 = scene.Momentum(block, mesh);
    scene.simulator().AdvanceTo(1);
    const Vector3d dp = scene.Momentum(block, mesh) - p0;
    if (slope < 0.5) {
      EXPECT_LE(scene.MeanVelocity(block).norm(), 2e-3) << slope;
    } else {
      // It chatters, so that the ground's normal impulse is more than that of
      // the weight, and some vertices stick for a moment.
      const double normal = dp.z() - kBlockMass * g.z() * 0.5;
      const double friction = kBlockMass * g.x() * 0.5 - dp.x();
      EXPECT_LE(friction, 0.5 * normal * (1 + 1e-9));
      EXPECT_NEAR(friction, 0.5 * normal, 2e-3 * normal);
    }
  }
}

// Two soft blocks with equal meshes, faces on faces: what the surfaces bear is
// what the momenta say, in each step.
TEST_P(Approximation, AStacksForcesAreItsMomentaAtEveryStep) {
  const auto mesh = geometry::internal::MakeDeformableMesh(
      geometry::Box(kSide, kSide, kSide), 0.05);
  SoftScene scene(GetParam());
  const auto ground = scene.AddGround();
  const auto low = scene.AddBlock("low", {0, 0, kSide / 2});
  const auto high = scene.AddBlock("high", {0, 0, 1.5 * kSide});
  scene.Build();
  const Vector3d weight(0, 0, -kBlockMass * kGravity);
  const auto high_id = scene.model().GetGeometryId(high);
  Vector3d p_low = Vector3d::Zero(), p_high = Vector3d::Zero();
  int count = 0;
  for (int i = 1; i <= 12; ++i) {
    scene.simulator().AdvanceTo((i - 0.5) * kStep);
    Vector3d of_ground = Vector3d::Zero(), of_high = Vector3d::Zero();
    const auto& results =
        scene.plant()
            .get_contact_results_output_port()
            .template Eval<ContactResults<double>>(scene.context());
    for (int k = 0; k < results.num_deformable_contacts(); ++k) {
      const auto& info = results.deformable_contact_info(k);
      const Vector3d f = info.F_Ac_W().translational();
      if (info.id_B() == ground) of_ground = f;
      if (info.id_B() == high_id) of_high = f;
    }
    const Vector3d dp_low = scene.Momentum(low, mesh) - p_low;
    const Vector3d dp_high = scene.Momentum(high, mesh) - p_high;
    const double rounding = 1e-9 * weight.norm();
    EXPECT_LE((of_ground + of_high + weight - dp_low / kStep).norm(), rounding);
    EXPECT_LE((weight - of_high - dp_high / kStep).norm(), rounding);
    p_low += dp_low;
    p_high += dp_high;
    if (of_ground.z() > 0 && of_high.z() < 0) ++count;
  }
  EXPECT_GE(count, 8);
}

INSTANTIATE_TEST_SUITE_P(All, Approximation,
                         testing::Values(DiscreteContactApproximation::kLagged,
                                         DiscreteContactApproximation::kSimilar,
                                         DiscreteContactApproximation::kSap,
                                         DiscreteContactApproximation::kTamsi));

// The mean height of a block's face that was at z over its middle; vertices
// weigh by the area around them.
double CalcMeanHeight(SoftScene& scene, DeformableBodyId id, double z) {
  const Matrix3Xd q = scene.model().GetPositions(scene.context(), id);
  const auto& start = scene.model().GetReferencePositions(id);
  const Vector3d middle = (start.head<3>() + start.tail<3>()) / 2;
  double sum = 0, area = 0;
  for (int v = 0; v < q.cols(); ++v) {
    const Vector3d p = start.segment<3>(3 * v) - middle;
    if (std::abs(p.z() - z) > 1e-6) continue;
    double weight = 1;
    for (int k = 0; k < 2; ++k) {
      if (std::abs(p[k]) > kSide / 2 - 1e-6) weight /= 2;
    }
    sum += weight * q(2, v);
    area += weight;
  }
  return sum / area;
}

// A bar of height H on the ground, whose material is a distance z up, sinks by
// rho g / M (H z - z²/2), where the modulus M is E if it may widen and
// E (1 - nu) / ((1 + nu) (1 - 2 nu)) if it may not: friction on its faces and
// its inside make it something between. The mean is of a block's five layers of
// vertices; contacts give by W / (k A).
//
// Let go, it swings about that place with w = pi / 2H sqrt(E / rho), at first
// at its top by rho g H² / 2E. Damping takes beta w² / 2 of it a second, and
// implicit Euler dt w² / 2.
TEST(DeformableContact, AStackComesToRestWhereTheMaterialSays) {
  SoftScene scene;
  scene.AddGround();
  const auto low = scene.AddBlock("low", {0, 0, kSide / 2});
  const auto high = scene.AddBlock("high", {0, 0, 1.5 * kSide});
  scene.Build();
  const double E = 1e5, nu = 0.3, beta = 0.01, H = 2 * kSide, t = 0.5;
  const double w = M_PI / (2 * H) * std::sqrt(E / kDensity);
  const double swing = kDensity * kGravity * H * H / (2 * E) * w *
                       std::exp(-(beta + kStep) / 2 * w * w * t);
  scene.simulator().AdvanceTo(t);
  EXPECT_LE(scene.MeanVelocity(low).norm(), swing);
  EXPECT_LE(scene.MeanVelocity(high).norm(), swing);

  scene.simulator().AdvanceTo(1.5 * t);
  const auto sinks = [H](double bottom) {
    double sum = 0;
    for (int layer = 0; layer <= 4; ++layer) {
      const double z = bottom + layer * kSide / 4;
      sum += (H * z - z * z / 2) / 5;
    }
    return kDensity * kGravity * sum;
  };
  const double stiffest = E * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
  const double gives = 2 * kBlockMass * kGravity / (1e8 * kSide * kSide);
  const double z_low = kSide / 2 - scene.Mean(low).z();
  EXPECT_LE(z_low, sinks(0) / E + gives);
  EXPECT_GE(z_low, sinks(0) / stiffest);
  // The contact of the two is half as stiff, and bears half as much.
  const double z_high = 1.5 * kSide - scene.Mean(high).z();
  EXPECT_LE(z_high, sinks(kSide) / E + 2 * gives);
  EXPECT_GE(z_high, sinks(kSide) / stiffest);
  // The lower's top is in the upper's bottom by so much.
  const double overlap = CalcMeanHeight(scene, low, kSide / 2) -
                         CalcMeanHeight(scene, high, -kSide / 2);
  EXPECT_NEAR(overlap, gives, 0.02 * gives);
}

const ContactResults<double>& ResultsOf(const Plant& plant,
                                        const Context<double>& context) {
  return plant.get_contact_results_output_port().Eval<ContactResults<double>>(
      context);
}

TEST(DeformableContact, ResultsHaveTheSurfaceAndItsForce) {
  for (const bool samples : {true, false}) {
    SoftScene scene;
    scene.plant().SetUseSampledOutputPorts(samples);
    scene.AddGround();
    const auto block = scene.AddBlock("block", {0, 0, kSide / 2});
    scene.Build();
    scene.simulator().AdvanceTo(1.5);
    const auto& results = ResultsOf(scene.plant(), scene.context());
    EXPECT_EQ(results.num_point_pair_contacts(), 0);
    ASSERT_EQ(results.num_deformable_contacts(), 1);
    EXPECT_THROW(results.deformable_contact_info(1), std::out_of_range);
    const auto& info = results.deformable_contact_info(0);
    EXPECT_EQ(info.id_A(), scene.model().GetGeometryId(block));
    EXPECT_NE(info.id_B(), info.id_A());
    const auto& mesh = info.contact_mesh();
    // The bottom, a little wider than it was.
    EXPECT_NEAR(mesh.total_area(), kSide * kSide, 0.02 * kSide * kSide);
    EXPECT_NEAR(mesh.centroid().norm(), 0, 1e-3);
    for (int f = 0; f < mesh.num_faces(); ++f) {
      EXPECT_NEAR(mesh.face_normal(f).z(), 1, 1e-12);
    }
    const double weight = kBlockMass * kGravity;
    const Vector3d f = info.F_Ac_W().translational();
    EXPECT_LE((f - Vector3d(0, 0, weight)).norm(), 1e-5 * weight);
    EXPECT_LE(info.F_Ac_W().rotational().norm(), 1e-3 * weight * kSide);
    if (!samples) continue;
    std::stringstream file;
    systems::SaveContext(scene.simulator().get_context(), &file);
    auto loaded = scene.diagram().CreateDefaultContext();
    systems::LoadContext(&file, loaded.get());
    const auto& again =
        ResultsOf(scene.plant(), scene.plant().GetMyContextFromRoot(*loaded));
    ASSERT_EQ(again.num_deformable_contacts(), 1);
    EXPECT_EQ(again.deformable_contact_info(0).id_A(), info.id_A());
    EXPECT_TRUE(again.deformable_contact_info(0).contact_mesh().Equal(mesh));
    EXPECT_EQ(again.deformable_contact_info(0).F_Ac_W().get_coeffs(),
              info.F_Ac_W().get_coeffs());
  }
}

TEST(DeformableContact, ACollisionKeepsMomentum) {
  SoftScene scene;
  scene.plant().mutable_gravity_field().set_gravity_vector(Vector3d::Zero());
  const double mass = 5;
  const auto& box = scene.AddRigidBox("box", mass, {0.3, 0.3, 0.1});
  const auto block = scene.AddBlock("block", {0, 0, 0.02 + kSide / 2});
  const auto other = scene.AddBlock("other", {0.01, 0, 0.06 + 1.5 * kSide});
  scene.Build();
  const auto mesh = geometry::internal::MakeDeformableMesh(
      geometry::Box(kSide, kSide, kSide), 0.05);
  scene.plant().SetFreeBodyPose(&scene.mutable_context(), box,
                                RigidTransformd(Vector3d(0, 0, -0.05)));
  scene.plant().SetFreeBodySpatialVelocity(
      &scene.mutable_context(), box,
      SpatialVelocity<double>(Vector3d(0.1, 0.2, 0), Vector3d(0.1, 0, 1)));
  const auto total = [&]() {
    const Vector3d v = scene.plant()
                           .EvalBodySpatialVelocityInWorld(scene.context(), box)
                           .translational();
    return Vector3d(mass * v + scene.Momentum(block, mesh) +
                    scene.Momentum(other, mesh));
  };
  const Vector3d before = total();
  scene.simulator().AdvanceTo(0.5);
  EXPECT_LE((total() - before).norm(), 1e-8 * before.norm());
  // Both blocks were hit.
  EXPECT_GE(scene.MeanVelocity(block).z(), 0.1);
  EXPECT_GE(scene.MeanVelocity(other).z(), 0.05);
}

TEST(DeformableContact, ABounceIsNoHigherThanTheDrop) {
  SoftScene scene;
  scene.AddGround();
  const auto block = scene.AddBlock("block", {0, 0, 0.1 + kSide / 2});
  scene.Build();
  double highest_after = -1, lowest = 1;
  scene.simulator().set_monitor([&](const Context<double>&) {
    const double z = scene.Mean(block).z();
    lowest = std::min(lowest, z);
    if (scene.simulator().get_context().get_time() > 0.2) {
      highest_after = std::max(highest_after, z);
    }
    return systems::EventStatus::DidNothing();
  });
  scene.simulator().AdvanceTo(1.5);
  EXPECT_LE(highest_after, 0.1 + kSide / 2);
  // It did not sink: a quarter is what softness may give.
  EXPECT_GE(lowest, 0.75 * kSide / 2);
}

// The ground, a rigid box and another soft block go through it.
TEST(DeformableContact, DisabledBodiesTouchNothing) {
  SoftScene scene;
  scene.AddGround();
  const auto block = scene.AddBlock("block", {0, 0, -0.01});
  const auto other = scene.AddBlock("other", {0.08, 0, 0.9 * kSide});
  const auto& box = scene.AddRigidBox("box", 1, {0.1, 0.1, 0.1});
  scene.Build();
  scene.plant().SetFreeBodyPose(&scene.mutable_context(), box,
                                RigidTransformd(Vector3d(-0.08, 0, 0.13)));
  const Matrix3Xd before = scene.model().GetPositions(scene.context(), block);
  const double z_other = scene.Mean(other).z();
  scene.model().Disable(block, &scene.mutable_context());
  scene.simulator().AdvanceTo(0.1);
  EXPECT_EQ(scene.model().GetPositions(scene.context(), block), before);
  // Both fell freely, before they reach the ground.
  const double fallen = 0.5 * kGravity * 0.1 * (0.1 + kStep);
  EXPECT_NEAR(scene.Mean(other).z(), z_other - fallen, 1e-6);
  EXPECT_NEAR(box.EvalPoseInWorld(scene.context()).translation().z(),
              0.13 - fallen, 1e-6);
}

// A soft block on the ground, another on it, and a rigid box on that.
TEST(DeformableContact, ResumesAndRepeatsBitForBit) {
  SoftScene scene;
  scene.AddGround();
  scene.AddRigidBox("box", 1, {0.1, 0.1, 0.1});
  const auto low = scene.AddBlock("low", {0, 0, kSide / 2});
  const auto high = scene.AddBlock("high", {0.02, 0.01, 1.5 * kSide});
  scene.Build();
  const auto& box = scene.plant().GetBodyByName("box");
  const auto place = [&](Context<double>* context) {
    auto& plant_context = scene.plant().GetMyMutableContextFromRoot(context);
    scene.plant().SetFreeBodyPose(
        &plant_context, box,
        RigidTransformd(Vector3d(0.01, 0, 2 * kSide + 0.06)));
  };
  place(&scene.simulator().get_mutable_context());
  scene.simulator().AdvanceTo(0.15);
  const auto half = scene.simulator().get_context().Clone();
  scene.simulator().AdvanceTo(0.3);
  // All three touch.
  int num_soft = 0, num_rigid = 0;
  const auto& results = ResultsOf(scene.plant(), scene.context());
  for (int i = 0; i < results.num_deformable_contacts(); ++i) {
    const bool is_soft = results.deformable_contact_info(i).id_B() ==
                         scene.model().GetGeometryId(high);
    (is_soft ? num_soft : num_rigid) += 1;
  }
  EXPECT_EQ(num_soft, 1);
  EXPECT_EQ(num_rigid, 2);

  const auto expect_same = [&](const Simulator<double>& other) {
    const auto& context =
        scene.plant().GetMyContextFromRoot(other.get_context());
    for (const auto id : {low, high}) {
      EXPECT_EQ(scene.model().GetPositionsAndVelocities(context, id),
                scene.model().GetPositionsAndVelocities(scene.context(), id));
    }
    EXPECT_EQ(scene.plant().GetPositionsAndVelocities(context),
              scene.plant().GetPositionsAndVelocities(scene.context()));
  };
  std::stringstream file;
  systems::SaveContext(*half, &file);
  auto loaded = scene.diagram().CreateDefaultContext();
  systems::LoadContext(&file, loaded.get());
  Simulator<double> resumed(scene.diagram(), std::move(loaded));
  resumed.AdvanceTo(0.3);
  expect_same(resumed);
  Simulator<double> again(scene.diagram());
  place(&again.get_mutable_context());
  again.AdvanceTo(0.3);
  expect_same(again);
}

TEST(DeformableContact, StepsAtRestAllocateNothing) {
  SoftScene scene;
  scene.AddGround();
  scene.AddBlock("block", {0, 0, kSide / 2});
  scene.Build();
  scene.simulator().AdvanceTo(0.5);
  const wyvern::test::AllocationGuard guard;
  scene.simulator().AdvanceTo(0.55);
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace deformable_contact_test
}  // namespace wyvern::multibody
