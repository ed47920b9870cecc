// A deformable body by itself: what it is called, where it is and how it moves.
#include "wyvern/multibody/plant/deformable_body.h"

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include "tests/multibody/plant/soft_box.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace deformable_body_test {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using math::RigidTransformd;
using soft_box::kStep;
using soft_box::Plant;
using wyvern::test::Near;

const RigidTransformd kPose(math::RollPitchYawd(0.1, 0.2, 0.3),
                            Vector3d(1, 2, 3));

DeformableBodyId AddBox(
    Plant* plant, const std::string& name = "block",
    ModelInstanceIndex instance = default_model_instance()) {
  return soft_box::AddBox(plant, name, instance, kPose);
}

TEST(DeformableBody, IsFoundAndSaysWhatItIs) {
  Plant plant(kStep);
  const ModelInstanceIndex soft = plant.AddModelInstance("soft");
  const DeformableBodyId a = AddBox(&plant), b = AddBox(&plant, "fruit", soft);
  const DeformableBodyId c = AddBox(&plant, "block", soft);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  const DeformableBody<double>& fruit = model.GetBody(b);
  EXPECT_EQ(&fruit, &model.GetBody(DeformableBodyIndex(1)));
  EXPECT_EQ(&fruit, &model.GetMutableBody(b));
  EXPECT_EQ(&fruit, &model.GetBodyByName("fruit"));
  EXPECT_EQ(&model.GetBodyByName("block", soft), &model.GetBody(c));
  EXPECT_EQ(fruit.body_id(), b);
  EXPECT_EQ(fruit.index(), DeformableBodyIndex(1));
  EXPECT_EQ(fruit.name(), "fruit");
  EXPECT_EQ(fruit.scoped_name().get_full(), "soft::fruit");
  EXPECT_EQ(fruit.model_instance(), soft);
  EXPECT_EQ(&fruit.GetParentPlant(), &plant);
  EXPECT_EQ(fruit.geometry_id(), model.GetGeometryId(b));
  EXPECT_EQ(fruit.config().mass_density(), 1000);
  EXPECT_EQ(fruit.num_dofs(), fruit.reference_positions().size());
  EXPECT_NEAR(fruit.mass(), 16, 1e-12);
  EXPECT_TRUE(model.HasBodyNamed("block", soft));
  EXPECT_FALSE(model.HasBodyNamed("fruit", default_model_instance()));
  EXPECT_EQ(model.GetBody(a).name(), "block");
}

// The SceneGraph is given first, or last.
TEST(DeformableBody, GeometryIsInTheSceneGraphBeforeFinalize) {
  for (const bool graph_first : {true, false}) {
    geometry::SceneGraph<double> scene_graph;
    Plant plant(kStep);
    if (graph_first) plant.RegisterAsSourceForSceneGraph(&scene_graph);
    const DeformableBodyId id = AddBox(&plant);
    if (!graph_first) plant.RegisterAsSourceForSceneGraph(&scene_graph);
    const auto& inspector = scene_graph.model_inspector();
    const geometry::GeometryId geometry =
        plant.deformable_model().GetGeometryId(id);
    EXPECT_TRUE(inspector.IsDeformableGeometry(geometry));
    EXPECT_EQ(inspector.GetName(geometry), "block");
    plant.Finalize();
    EXPECT_EQ(inspector.num_geometries(), 1);
  }
}

TEST(DeformableBody, NamesThatAreNoneOrSeveralAreErrors) {
  Plant plant(kStep);
  const ModelInstanceIndex soft = plant.AddModelInstance("soft");
  const DeformableModel<double>& model = plant.deformable_model();
  EXPECT_THROWS_MESSAGE(model.GetBodyByName("x"), std::logic_error,
                        "there are none");
  AddBox(&plant);
  EXPECT_THROWS_MESSAGE(model.GetBodyByName("x"), std::logic_error,
                        "no deformable body is named 'x'; there are "
                        "'DefaultModelInstance::block'");
  EXPECT_THROWS_MESSAGE(model.GetBodyByName("block", soft), std::logic_error,
                        "of the model instance 'soft' is named 'block'");
  AddBox(&plant, "block", soft);
  EXPECT_THROWS_MESSAGE(model.GetBodyByName("block"), std::logic_error,
                        "'DefaultModelInstance' and 'soft' both have");
  EXPECT_THROW(model.GetBodyByName("block", ModelInstanceIndex(9)),
               std::out_of_range);
  EXPECT_THROW(model.HasBodyNamed("block", ModelInstanceIndex(9)),
               std::out_of_range);
  EXPECT_THROW(model.GetBody(DeformableBodyIndex(2)), std::out_of_range);
  EXPECT_THROW(model.GetBody(DeformableBodyId::get_new_id()), std::logic_error);
}

TEST(DeformableBody, WallsAndConstraintsAreThoseOfTheModel) {
  Plant plant(kStep);
  const DeformableBodyId id = AddBox(&plant);
  DeformableBody<double>& body =
      plant.mutable_deformable_model().GetMutableBody(id);
  plant.mutable_deformable_model().AddExternalForce(
      std::make_unique<GravityForceField<double>>(Vector3d(1, 0, 0), 1.0));
  EXPECT_EQ(body.external_forces().size(), 1);
  EXPECT_FALSE(body.has_fixed_constraint());
  const Vector3d end = kPose * Vector3d(-0.19, 0, 0);
  body.SetWallBoundaryCondition(end, kPose.rotation().matrix().col(0));
  body.AddFixedConstraint(plant.world_body(), kPose, geometry::Box(0.02, 1, 1),
                          kPose * RigidTransformd(Vector3d(0.2, 0, 0)));
  EXPECT_TRUE(body.has_fixed_constraint());
  EXPECT_EQ(body.fixed_constraint_specs().size(), 1);
  EXPECT_THROW(body.discrete_state_index(), std::logic_error);
  EXPECT_THROW(body.is_enabled_parameter_index(), std::logic_error);
  plant.Finalize();
  EXPECT_EQ(body.discrete_state_index(),
            plant.deformable_model().GetDiscreteStateIndex(id));
  systems::Simulator<double> simulator(plant);
  simulator.AdvanceTo(0.1);
  const Matrix3Xd q = body.GetPositions(simulator.get_context());
  const Matrix3Xd reference = soft_box::Reference(plant, id);
  for (int v = 0; v < q.cols(); ++v) {
    const double x = (kPose.inverse() * Vector3d(reference.col(v))).x();
    EXPECT_EQ((q.col(v) - reference.col(v)).norm() == 0, std::abs(x) > 0.18);
  }
  EXPECT_THROWS_MESSAGE(body.SetWallBoundaryCondition(end, Vector3d::UnitX()),
                        std::logic_error, "after Finalize");
}

TEST(DeformableBody, FixedConstraintsTellTheirVerticesAndPlaces) {
  Plant plant(kStep);
  const DeformableBodyId id = AddBox(&plant);
  const auto& stone = plant.AddRigidBody(
      "stone", SpatialInertia<double>::SolidSphereWithMass(1, 0.1));
  DeformableModel<double>& model = plant.mutable_deformable_model();
  EXPECT_TRUE(model.fixed_constraint_ids(id).empty());
  const RigidTransformd X_BA(Vector3d(1, 2, 3));
  const RigidTransformd X_BG = X_BA * RigidTransformd(Vector3d(0.2, 0, 0));
  const geometry::Box shape(0.02, 1, 1);
  const MultibodyConstraintId first =
      model.AddFixedConstraint(id, stone, X_BA, shape, X_BG);
  const MultibodyConstraintId second =
      model.AddFixedConstraint(id, plant.world_body(), X_BA, shape, X_BG);
  EXPECT_EQ(model.fixed_constraint_ids(id), (std::vector{first, second}));
  const auto& spec = model.fixed_constraint_spec(first);
  EXPECT_EQ(spec.constraint_id, first);
  EXPECT_EQ(spec.body_A, id);
  EXPECT_EQ(spec.body_B, stone.index());
  EXPECT_EQ(model.fixed_constraint_spec(second).body_B, world_index());
  ASSERT_FALSE(spec.vertices.empty());
  const Matrix3Xd reference = soft_box::Reference(plant, id);
  for (int i = 0; i < std::ssize(spec.vertices); ++i) {
    const Vector3d p_AV = kPose.inverse() * reference.col(spec.vertices[i]);
    EXPECT_NEAR(p_AV.x(), 0.2, 0.0101);
    EXPECT_LT((spec.p_BQs[i] - X_BA * p_AV).norm(), 1e-15);
  }
  EXPECT_THROWS_MESSAGE(
      model.fixed_constraint_spec(MultibodyConstraintId::get_new_id()),
      std::logic_error, "no deformable body has a fixed constraint");
}

TEST(DeformableBody, GravityIsTheLastFieldUnlessItIsDisabled) {
  for (const bool is_enabled : {true, false}) {
    Plant plant(kStep);
    const DeformableBodyId id = AddBox(&plant);
    plant.mutable_gravity_field().set_gravity_vector(Vector3d(1, 2, 3));
    plant.set_gravity_enabled(default_model_instance(), is_enabled);
    plant.Finalize();
    const auto& forces = plant.deformable_model().GetExternalForces(id);
    ASSERT_EQ(forces.size(), is_enabled ? 1 : 0);
    if (!is_enabled) continue;
    EXPECT_EQ(forces[0]->density_type(), ForceDensityType::kPerReferenceVolume);
    EXPECT_EQ(forces[0]->EvaluateAt(*plant.CreateDefaultContext(), {4, 5, 6}),
              Vector3d(1, 2, 3) *
                  plant.deformable_model().GetBody(id).config().mass_density());
  }
}

TEST(DeformableBody, PositionsAndVelocitiesAreSetAndRead) {
  Plant plant(kStep);
  const DeformableBodyId id = AddBox(&plant);
  plant.Finalize();
  const DeformableModel<double>& model = plant.deformable_model();
  const DeformableBody<double>& body = model.GetBody(id);
  auto context = plant.CreateDefaultContext();
  const Matrix3Xd q = 2 * body.GetPositions(*context), v = -q;
  const int n = static_cast<int>(q.cols());
  body.SetPositionsAndVelocities(context.get(), q, v);
  EXPECT_EQ(body.GetPositions(*context), q);
  EXPECT_EQ(body.GetVelocities(*context), v);
  EXPECT_EQ(body.GetPositionsAndVelocities(*context).leftCols(n), q);
  EXPECT_EQ(model.GetPositionsAndVelocities(*context, id).rightCols(n), v);
  // Invalid values change nothing.
  Matrix3Xd wrong = v;
  wrong(0, 0) = NAN;
  EXPECT_THROWS_MESSAGE(
      model.SetPositionsAndVelocities(context.get(), id, v, wrong),
      std::logic_error, "deformable body 'block'");
  EXPECT_THROW(
      model.SetPositionsAndVelocities(context.get(), id, v, v.leftCols(3)),
      std::logic_error);
  EXPECT_EQ(body.GetPositions(*context), q);
  const auto& is_enabled =
      context->get_abstract_parameter(body.is_enabled_parameter_index());
  EXPECT_TRUE(is_enabled.get_value<bool>());
  body.Disable(context.get());
  EXPECT_FALSE(body.is_enabled(*context));
  EXPECT_FALSE(is_enabled.get_value<bool>());
  body.Enable(context.get());
  EXPECT_TRUE(model.is_enabled(id, *context));
  EXPECT_THROW(body.Disable(nullptr), std::logic_error);
}

TEST(DeformableBody, ADefaultPoseIsWhereADefaultContextHasIt) {
  for (const bool before : {true, false}) {
    Plant plant(kStep);
    const DeformableBodyId id = AddBox(&plant);
    DeformableBody<double>& body =
        plant.mutable_deformable_model().GetMutableBody(id);
    EXPECT_TRUE(body.get_default_pose().IsExactlyEqualTo(kPose));
    const RigidTransformd X_WD(math::RollPitchYawd(-1, 0.5, 2),
                               Vector3d(7, -8, 9));
    if (before) body.set_default_pose(X_WD);
    plant.Finalize();
    auto context = plant.CreateDefaultContext();
    if (!before) {
      EXPECT_TRUE(Near(body.CalcCenterOfMassPositionInWorld(*context),
                       kPose.translation(), 1e-12));
      body.set_default_pose(X_WD);
      plant.SetDefaultContext(context.get());
    }
    EXPECT_TRUE(body.get_default_pose().IsExactlyEqualTo(X_WD));
    const Matrix3Xd q = body.GetPositions(*context);
    for (int v = 0; v < q.cols(); ++v) {
      const Vector3d p = body.reference_positions().segment<3>(3 * v);
      EXPECT_TRUE(
          Near(Vector3d(q.col(v)), X_WD * (kPose.inverse() * p), 1e-12));
    }
    // Without stress there, too: it falls as it is.
    systems::Simulator<double> simulator(plant, std::move(context));
    simulator.AdvanceTo(0.1);
    const Matrix3Xd fallen =
        q.colwise() + Vector3d(0, 0, -0.5 * 9.81 * 0.1 * 0.1);
    EXPECT_TRUE(Near(body.GetPositions(simulator.get_context()), fallen, 1e-9));
  }
}

TEST(DeformableBody, ItsMassCenterAndSpinAreThoseOfARigidBodyThatMovesAlike) {
  Plant plant(kStep);
  const DeformableBodyId id = AddBox(&plant);
  plant.Finalize();
  const DeformableBody<double>& body = plant.deformable_model().GetBody(id);
  auto context = plant.CreateDefaultContext();
  const Vector3d w(1, -2, 3), v0(4, 5, 6);
  const Matrix3Xd q = body.GetPositions(*context);
  Matrix3Xd v(3, q.cols());
  for (int i = 0; i < v.cols(); ++i) {
    v.col(i) = v0 + w.cross(Vector3d(q.col(i)) - kPose.translation());
  }
  body.SetVelocities(context.get(), v);
  EXPECT_TRUE(Near(body.CalcCenterOfMassPositionInWorld(*context),
                   kPose.translation(), 1e-12));
  EXPECT_TRUE(Near(body.CalcCenterOfMassTranslationalVelocityInWorld(*context),
                   v0, 1e-12));
  EXPECT_TRUE(Near(body.CalcEffectiveAngularVelocity(*context), w, 1e-12));
  // A body on a line has no angular velocity about it.
  Matrix3Xd line = q;
  line.bottomRows(2).setZero();
  body.SetPositions(context.get(), line);
  EXPECT_THROWS_MESSAGE(body.CalcEffectiveAngularVelocity(*context),
                        std::runtime_error, "'block' is on a line");
}

}  // namespace deformable_body_test
}  // namespace wyvern::multibody
