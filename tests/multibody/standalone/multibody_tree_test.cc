// Building a tree, and its topology.

#include "wyvern/multibody/standalone/standalone_tree.h"

#include <typeinfo>

#include <gtest/gtest.h>

#include "tests/multibody/standalone/standalone_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"

namespace wyvern::multibody {
namespace {

using test::MakeInertia;
using test::Mixed;
using wyvern::test::Near;

TEST(MultibodyTree, AnEmptyTreeIsTheWorld) {
  MultibodyTree<double> tree;
  EXPECT_EQ(tree.get_num_bodies(), 1);
  EXPECT_EQ(tree.get_num_frames(), 1);
  EXPECT_EQ(tree.get_num_mobilizers(), 0);
  EXPECT_FALSE(tree.topology_is_valid());
  EXPECT_EQ(&tree.get_world_frame().body(), &tree.get_world_body());
  tree.Finalize();
  EXPECT_TRUE(tree.topology_is_valid());
  EXPECT_EQ(tree.get_tree_height(), 1);
  EXPECT_EQ(tree.get_num_states(), 0);
  EXPECT_NO_THROW(tree.CreateDefaultContext());
}

TEST(MultibodyTree, ElementsAreCountedAndFound) {
  Mixed<double> model;
  MultibodyTree<double>& tree = model.tree;
  EXPECT_EQ(tree.get_num_mobilizers(), 3);
  tree.Finalize();
  EXPECT_EQ(tree.get_num_bodies(), 5);
  // A body's frame each, and two more.
  EXPECT_EQ(tree.get_num_frames(), 7);
  EXPECT_EQ(tree.get_num_mobilizers(), tree.get_num_bodies() - 1);
  EXPECT_EQ(tree.get_num_positions(), 3 + 1 + 3 + 7);
  EXPECT_EQ(tree.get_num_velocities(), 3 + 1 + 3 + 6);
  EXPECT_EQ(tree.get_num_states(), 27);
  EXPECT_EQ(tree.get_tree_height(), 4);
  EXPECT_EQ(&tree.get_body(model.hand->index()), model.hand);
  EXPECT_EQ(&tree.get_frame(model.elbow->index()), model.elbow);
  EXPECT_EQ(&tree.get_mobilizer(model.hinge->index()), model.hinge);
}

TEST(MultibodyTree, UnnamedElementsAreNamedByTheirIndices) {
  Mixed<double> model;
  EXPECT_EQ(model.stone->name(), "body_4");
  EXPECT_EQ(model.stone->body_frame().name(), "body_4");
  EXPECT_EQ(model.elbow->name(), "frame_5");
}

TEST(MultibodyTree, TopologyTellsWhoHangsOnWhom) {
  Mixed<double> model;
  model.tree.Finalize();
  const MultibodyTreeTopology& topology = model.tree.get_topology();
  const BodyTopology& tip = topology.bodies[model.tip->index()];
  EXPECT_EQ(tip.parent_body, model.hand->index());
  EXPECT_EQ(tip.level, 3);
  EXPECT_EQ(tip.inboard_mobilizer, model.wrist->index());
  EXPECT_EQ(tip.body_node, model.Node(*model.tip));
  const BodyTopology& hand = topology.bodies[model.hand->index()];
  EXPECT_EQ(hand.child_bodies, std::vector<BodyIndex>{model.tip->index()});
  // As the user gave them, though the tree grows the other way here.
  const MobilizerTopology& wrist = model.wrist->get_topology();
  EXPECT_EQ(wrist.inboard_body, model.tip->index());
  EXPECT_EQ(wrist.positions_start, 4);
  EXPECT_EQ(wrist.velocities_start, model.wrist->velocity_start_in_v());
  EXPECT_EQ(model.wrist->position_start_in_q(), 4);
}

TEST(MultibodyTree, PiecesOfArraysAreTheMobilizers) {
  Mixed<double> model;
  model.tree.Finalize();
  const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(14, 0, 13);
  Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(13, 0, 12);
  const SpaceXYZMobilizer<double>& wrist = *model.wrist;
  EXPECT_EQ(wrist.get_positions_from_array(q), Eigen::Vector3d(4, 5, 6));
  EXPECT_EQ(wrist.get_velocities_from_array(v), Eigen::Vector3d(4, 5, 6));
  EXPECT_EQ(wrist.get_accelerations_from_array(v), Eigen::Vector3d(4, 5, 6));
  EXPECT_EQ(wrist.get_generalized_forces_from_array(v),
            Eigen::Vector3d(4, 5, 6));
  wrist.get_mutable_velocities_from_array(&v)[0] = 1;
  wrist.get_mutable_accelerations_from_array(&v)[1] = 2;
  wrist.get_mutable_generalized_forces_from_array(&v)[2] = 3;
  EXPECT_EQ(v.segment<3>(4), Eigen::Vector3d(1, 2, 3));
  Eigen::VectorXd q2 = q;
  wrist.get_mutable_positions_from_array(&q2).setZero();
  EXPECT_EQ(q2.segment<3>(4), Eigen::Vector3d::Zero());
  EXPECT_THROW(wrist.get_positions_from_array(v), std::logic_error);
  EXPECT_THROW(wrist.get_velocities_from_array(q), std::logic_error);
  EXPECT_THROW(wrist.get_mutable_positions_from_array(&v), std::logic_error);
  EXPECT_THROW(wrist.get_mutable_velocities_from_array(nullptr),
               std::logic_error);
}

TEST(MultibodyTree, NothingIsAddedOrFinalizedTwiceAfterFinalize) {
  Mixed<double> model;
  MultibodyTree<double>& tree = model.tree;
  tree.Finalize();
  EXPECT_THROWS_MESSAGE(tree.Finalize(), std::logic_error, "called again");
  EXPECT_THROW(tree.AddBody<RigidBody>("late", MakeInertia(1, {0, 0, 0}, 1)),
               std::logic_error);
  EXPECT_THROW(tree.AddFrame<FixedOffsetFrame>(*model.arm,
                                               Isometry3<double>::Identity()),
               std::logic_error);
  EXPECT_THROW(tree.AddMobilizer<SpaceXYZMobilizer>(tree.get_world_frame(),
                                                    model.tip->body_frame()),
               std::logic_error);
}

// The class that errors name is the one that was used, not the plant's.
TEST(MultibodyTree, ErrorsNameTheTree) {
  Mixed<double> model, other;
  MultibodyTree<double>& tree = model.tree;
  const SpatialInertia<double> M = MakeInertia(1, {0, 0, 0}, 1);
  EXPECT_THROWS_MESSAGE(tree.AddBody(std::unique_ptr<RigidBody<double>>()),
                        std::logic_error, "MultibodyTree::AddBody():");
  EXPECT_THROWS_MESSAGE(tree.AddBody<RigidBody>("arm", M), std::runtime_error,
                        "MultibodyTree: model instance");
  EXPECT_THROWS_MESSAGE(tree.AddFrame<FixedOffsetFrame>(
                            *other.arm, Isometry3<double>::Identity()),
                        std::logic_error, "MultibodyTree::AddFrame():");
  EXPECT_THROWS_MESSAGE(tree.AddMobilizer<SpaceXYZMobilizer>(
                            tree.get_world_frame(), other.stone->body_frame()),
                        std::logic_error, "MultibodyTree::AddMobilizer():");
  EXPECT_THROWS_MESSAGE(tree.get_body(BodyIndex(5)), std::out_of_range,
                        "MultibodyTree: there is no body");
  EXPECT_THROWS_MESSAGE(model.arm->is_floating(), std::logic_error,
                        "MultibodyTree::");
  tree.Finalize();
  EXPECT_THROWS_MESSAGE(tree.AddBody<RigidBody>("late", M), std::logic_error,
                        "MultibodyTree::AddBody(): body 'late'");
  EXPECT_THROWS_MESSAGE(tree.AddFrame<FixedOffsetFrame>(
                            *model.arm, Isometry3<double>::Identity()),
                        std::logic_error, "MultibodyTree::AddFrame():");
}

TEST(MultibodyTree, NullElementsAreRefused) {
  MultibodyTree<double> tree;
  EXPECT_THROW(tree.AddBody(std::unique_ptr<RigidBody<double>>()),
               std::logic_error);
  EXPECT_THROW(tree.AddFrame(std::unique_ptr<FixedOffsetFrame<double>>()),
               std::logic_error);
  EXPECT_THROW(tree.AddMobilizer(std::unique_ptr<SpaceXYZMobilizer<double>>()),
               std::logic_error);
}

TEST(MultibodyTree, MobilizersConnectTwoBodiesOnce) {
  Mixed<double> model;
  MultibodyTree<double>& tree = model.tree;
  EXPECT_THROWS_MESSAGE(
      tree.AddMobilizer<SpaceXYZMobilizer>(*model.elbow, *model.elbow),
      std::runtime_error, "frame_5");
  EXPECT_THROWS_MESSAGE(tree.AddMobilizer<SpaceXYZMobilizer>(
                            model.arm->body_frame(), *model.elbow),
                        std::runtime_error, "both fixed to body 'arm'");
  EXPECT_THROWS_MESSAGE(tree.AddMobilizer<SpaceXYZMobilizer>(
                            model.arm->body_frame(), model.hand->body_frame()),
                        std::runtime_error, "already a mobilizer between");
  EXPECT_THROW(tree.AddMobilizer<SpaceXYZMobilizer>(model.hand->body_frame(),
                                                    model.arm->body_frame()),
               std::runtime_error);
}

TEST(MultibodyTree, FramesOfOtherTreesAreRefused) {
  Mixed<double> model, other;
  EXPECT_THROW(model.tree.AddMobilizer<SpaceXYZMobilizer>(
                   model.tree.get_world_frame(), other.stone->body_frame()),
               std::logic_error);
  EXPECT_THROW(model.tree.AddFrame<FixedOffsetFrame>(
                   *other.arm, Isometry3<double>::Identity()),
               std::logic_error);
}

TEST(MultibodyTree, LoopsAreRefusedByTheNamesOfTheirBodies) {
  Mixed<double> model;
  model.tree.AddMobilizer<SpaceXYZMobilizer>(model.tree.get_world_frame(),
                                             model.tip->body_frame());
  EXPECT_THROWS_MESSAGE(model.tree.Finalize(), std::logic_error,
                        "closes a loop");
  EXPECT_FALSE(model.tree.topology_is_valid());
}

TEST(MultibodyTree, WhatNeedsATopologyThrowsWithoutOne) {
  Mixed<double> model;
  const MultibodyTree<double>& tree = model.tree;
  EXPECT_THROW(tree.get_topology(), std::logic_error);
  EXPECT_THROW(tree.get_num_positions(), std::logic_error);
  EXPECT_THROW(tree.get_tree_height(), std::logic_error);
  EXPECT_THROW(tree.CreateDefaultContext(), std::logic_error);
  EXPECT_THROW(model.shoulder->get_topology(), std::logic_error);
  EXPECT_THROW(model.shoulder->position_start_in_q(), std::logic_error);
}

TEST(MultibodyTree, WrongIndicesAreOutOfRange) {
  Mixed<double> model;
  EXPECT_THROW(model.tree.get_body(BodyIndex(5)), std::out_of_range);
  EXPECT_THROW(model.tree.get_frame(FrameIndex(99)), std::out_of_range);
  EXPECT_THROW(model.tree.get_mobilizer(MobilizerIndex(3)), std::out_of_range);
  EXPECT_THROW(model.tree.get_mobilizer(MobilizerIndex()), std::out_of_range);
}

TEST(MultibodyTree, DefaultsAreTheZeroConfigurationAtRest) {
  Mixed<double> model;
  auto context = model.RandomContext(1);
  model.tree.SetDefaults(context.get());
  const Eigen::VectorXd x =
      context->get_continuous_state_vector().CopyToVector();
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(27);
  expected[7] = 1;  // The real part of the free body's quaternion.
  EXPECT_EQ(x, expected);
  EXPECT_THROW(model.tree.SetDefaults(nullptr), std::logic_error);
}

TEST(MultibodyTree, OtherContextsAreBadCasts) {
  Mixed<double> model, other;
  model.tree.Finalize();
  other.tree.Finalize();
  const systems::LeafContext<double> plain;
  PositionKinematicsCache<double> pc(model.tree.get_topology());
  EXPECT_THROWS_MESSAGE(model.tree.CalcPositionKinematicsCache(plain, &pc),
                        std::bad_cast, "not a MultibodyTreeContext");
  EXPECT_THROW(model.tree.CalcPositionKinematicsCache(
                   *other.tree.CreateDefaultContext(), &pc),
               std::logic_error);
}

TEST(MultibodyTree, CopiesHaveTheSameTopologyAndVariants) {
  Mixed<double> model;
  model.tree.Finalize();
  const auto copy = model.tree.ToAutoDiffXd();
  ASSERT_TRUE(copy->topology_is_valid());
  EXPECT_EQ(copy->get_num_mobilizers(), 4);
  const SpaceXYZMobilizer<AutoDiffXd>& wrist = copy->get_variant(*model.wrist);
  EXPECT_EQ(wrist.position_start_in_q(), model.wrist->position_start_in_q());
  const RigidBody<AutoDiffXd>& tip = copy->get_variant(*model.tip);
  EXPECT_EQ(tip.name(), "tip");
  EXPECT_EQ(copy->get_topology().bodies[tip.index()].body_node,
            model.Node(*model.tip));
  const Frame<AutoDiffXd>& elbow = copy->get_variant(*model.elbow);
  EXPECT_EQ(elbow.name(), model.elbow->name());
  const auto back = copy->CloneToScalar<double>();
  EXPECT_EQ(back->get_variant(wrist).velocity_start_in_v(),
            model.wrist->velocity_start_in_v());
}

TEST(MultibodyTree, UnfinishedTreesCopyAsTheyAre) {
  Mixed<double> model;
  auto copy = model.tree.Clone();
  EXPECT_FALSE(copy->topology_is_valid());
  EXPECT_EQ(copy->get_num_mobilizers(), 3);
  copy->Finalize();
  EXPECT_EQ(copy->get_num_velocities(), 13);
}

TEST(MultibodyTree, BodiesThatMoveNothingHaveAMassMatrixOfZero) {
  MultibodyTree<double> tree;
  const auto& body =
      tree.AddBody<RigidBody>("ghost", SpatialInertia<double>::Zero());
  tree.AddMobilizer<RevoluteMobilizer>(
      tree.get_world_frame(), body.body_frame(), Eigen::Vector3d::UnitX());
  tree.Finalize();
  const auto context = tree.CreateDefaultContext();
  MatrixX<double> M = MatrixX<double>::Ones(1, 1);
  tree.CalcMassMatrixViaInverseDynamics(*context, &M);
  EXPECT_EQ(M(0, 0), 0);
}

}  // namespace
}  // namespace wyvern::multibody
