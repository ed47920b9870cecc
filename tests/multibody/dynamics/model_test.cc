#include "wyvern/multibody/dynamics/model.h"

#include <cmath>
#include <stdexcept>
#include <type_traits>

#include <gtest/gtest.h>

#include "tests/multibody/dynamics/random_model.h"
#include "tests/support/allocation_guard.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/length_scale.h"
#include "wyvern/multibody/math/line_and_arc_path.h"

namespace wyvern::multibody::dynamics {
namespace {

using test::RandomSystem;

SpanningForest Chain(int links) {
  LinkJointGraph graph;
  for (int i = 0; i < links; ++i) graph.AddJoint(i, graph.AddLink());
  return SpanningForest(graph);
}

template <class Values, class Index>
concept Takes = requires(Values values, Index i) {
  values[i];
};

TEST(Indexes, OfOneSpaceAreNotTakenForThoseOfAnother) {
  using Bodies = decltype(Model::bodies);
  using Nodes = decltype(Model::nodes);
  using Links = decltype(Model::body_of_link);
  static_assert(Takes<Bodies, MobodIndex> && Takes<Bodies, int>);
  static_assert(!Takes<Bodies, NodeIndex> && !Takes<Bodies, LinkIndex>);
  static_assert(!Takes<const Bodies, LinkIndex>);
  static_assert(Takes<Nodes, NodeIndex> && !Takes<Nodes, MobodIndex>);
  static_assert(Takes<Links, LinkIndex> && !Takes<Links, MobodIndex>);
  static_assert(std::is_convertible_v<MobodIndex, MobodArgument>);
  static_assert(!std::is_convertible_v<NodeIndex, MobodArgument>);
  static_assert(!std::is_convertible_v<LinkIndex, MobodArgument>);
}

TEST(Model, MergesWeldedBodiesIntoOneNode) {
  using enum MobilizerType;
  const MobilizerType types[] = {kWeld, kRevolute, kWeld, kPlanar};
  const Model model = MakeModel(Chain(4), [&](int j) { return types[j]; });
  EXPECT_EQ(model.num_nodes(), 3);
  EXPECT_EQ(model.bodies[1].node, 0);
  EXPECT_EQ(model.bodies[3].node, 1);
  EXPECT_EQ(model.nodes[2].body, 4);
  EXPECT_EQ(model.nodes[2].parent, 1);
  EXPECT_EQ(model.num_trees(), 1);
  EXPECT_EQ(model.trees[0].base_body, 2);
}

TEST(Model, LaysOutPositionsAndVelocitiesDepthFirst) {
  using enum MobilizerType;
  LinkJointGraph graph;
  for (int i = 0; i < 3; ++i) graph.AddLink();
  graph.AddJoint(0, 1);
  graph.AddJoint(0, 2);
  graph.AddJoint(1, 3);
  const MobilizerType types[] = {kQuaternionBall, kRevolute, kUniversal};
  const Model model =
      MakeModel(SpanningForest(graph), [&](int j) { return types[j]; });
  EXPECT_EQ(model.bodies[model.body_of_link[1]].q_start, 0);
  EXPECT_EQ(model.bodies[model.body_of_link[3]].q_start, 4);
  EXPECT_EQ(model.bodies[model.body_of_link[2]].q_start, 6);
  EXPECT_EQ(model.bodies[model.body_of_link[2]].v_start, 5);
  EXPECT_EQ(model.trees[0].nq, 6);
  EXPECT_EQ(model.trees[0].nv, 5);
  EXPECT_EQ(model.tree_of_v, (std::vector<int>{0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(std::vector<int>(model.node_of_v.begin(), model.node_of_v.end()),
            (std::vector<int>{1, 1, 1, 2, 2, 3}));
}

TEST(Model, FloatsABaseLinkByDefault) {
  LinkJointGraph graph;
  graph.AddLink();
  const Model model = MakeModel(SpanningForest(graph), nullptr);
  EXPECT_EQ(model.bodies[1].type, MobilizerType::kQuaternionFloating);
  EXPECT_EQ(model.bodies[1].joint, -1);
  EXPECT_EQ(model.num_q, 7);
  EXPECT_EQ(model.num_v, 6);
}

TEST(Model, RefusesABaseMobilizerThatIsNoBase) {
  LinkJointGraph graph;
  graph.AddLink();
  EXPECT_THROWS_MESSAGE(MakeModel(SpanningForest(graph), nullptr,
                                  [](int) { return MobilizerType::kPlanar; }),
                        std::logic_error,
                        "base link 1 was given a mobilizer of type 5");
}

TEST(Model, RefusesALoop) {
  LinkJointGraph graph;
  for (int i = 0; i < 2; ++i) graph.AddLink();
  graph.AddJoint(0, 1);
  graph.AddJoint(1, 2);
  graph.AddJoint(2, 0);
  EXPECT_THROWS_MESSAGE(MakeModel(SpanningForest(graph),
                                  [](int) { return MobilizerType::kRevolute; }),
                        std::logic_error, "joint 1 closes a loop");
}

TEST(Model, SubtreesAreRangesOfNodesAndVelocities) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomSystem system(seed, 30);
    const Model& model = system.model;
    for (int i = 1; i < model.num_nodes(); ++i) {
      const Model::Node& node = model.nodes[i];
      const Model::Node& parent = model.nodes[node.parent];
      EXPECT_LT(node.parent, i);
      EXPECT_LE(node.subtree_end, parent.subtree_end);
      int nv = 0;
      for (int k = i; k < node.subtree_end; ++k) nv += model.nodes[k].nv;
      EXPECT_EQ(nv, node.subtree_nv);
      EXPECT_TRUE(parent.has_children || node.parent == 0);
    }
    EXPECT_EQ(static_cast<int>(model.node_of_v.size()), model.num_v);
  }
}

TEST(ModelParameters, RefusesAnAxisThatIsNotOfUnitLength) {
  const Model model =
      MakeModel(Chain(1), [](int) { return MobilizerType::kRevolute; });
  ModelParameters<double> parameters(model);
  parameters.bodies[1].axis = {0, 0, 2};
  EXPECT_THROWS_MESSAGE(parameters.Compile(model), std::logic_error,
                        "axis of body 1's mobilizer is of length 2");
}

TEST(ModelParameters, RefusesAPathWithoutSegments) {
  const Model model =
      MakeModel(Chain(1), [](int) { return MobilizerType::kCurvilinear; });
  ModelParameters<double> parameters(model);
  const internal::LineAndArcPath<double> empty;
  parameters.bodies[1].path = &empty;
  EXPECT_THROWS_MESSAGE(parameters.Compile(model), std::logic_error,
                        "path of body 1's mobilizer has no segment");
}

TEST(ModelParameters, RefusesSizesThatDoNotFit) {
  const Model model =
      MakeModel(Chain(1), [](int) { return MobilizerType::kRevolute; });
  ModelParameters<double> parameters(model);
  parameters.reflected_inertia.setZero(2);
  EXPECT_THROWS_MESSAGE(parameters.Compile(model), std::logic_error,
                        "reflected_inertia has 2 entries; the model wants 1");
  parameters.reflected_inertia.resize(0);
  parameters.bodies.resize(5);
  EXPECT_THROWS_MESSAGE(parameters.Compile(model), std::logic_error,
                        "bodies has 5 entries; the model wants 2");
}

TEST(ModelParameters, NodeInertiaIsThatOfItsBodies) {
  test::Random random(5);
  using enum MobilizerType;
  const MobilizerType types[] = {kRevolute, kWeld};
  const Model model = MakeModel(Chain(2), [&](int j) { return types[j]; });
  ModelParameters<double> parameters(model);
  for (int i : {1, 2}) parameters.bodies[i] = test::RandomBody(&random);
  parameters.Compile(model);
  const NodeConstants<double>& node = parameters.nodes[1];
  Eigen::Vector3d h = Eigen::Vector3d::Zero();
  for (int i : {1, 2}) {
    const auto& body = parameters.bodies[i];
    h += body.mass * (parameters.X_NB[i] * body.p_BoBcm_B);
  }
  EXPECT_NEAR(node.mass, parameters.bodies[1].mass + parameters.bodies[2].mass,
              1e-14);
  EXPECT_TRUE(wyvern::test::Near(node.h, h, 1e-14));
}

TEST(ModelParameters, CompilingAgainAllocatesNothing) {
  RandomSystem system(4);
  const wyvern::test::AllocationGuard guard;
  system.computed.parameters.Compile(system.model);
  EXPECT_EQ(guard.count(), 0);
}

// A rod of 2 kg and 1 m about its end, and a link of 1e-6 kg whose moment is
// that of a body of 40 m: the rod's root mean square distance is sqrt(1 / 3) m.
TEST(LengthScale, LeavesOutLinksTooLightForTheirMoments) {
  const Model model =
      MakeModel(Chain(2), [](int) { return MobilizerType::kRevolute; });
  ModelParameters<double> parameters(model);
  auto& rod = parameters.bodies[MobodIndex(1)];
  rod.mass = 2;
  rod.p_BoBcm_B = {0.5, 0, 0};
  rod.I_BBo_B = Vector3<double>(0, 2.0 / 3, 2.0 / 3).asDiagonal();
  auto& dummy = parameters.bodies[MobodIndex(2)];
  dummy.X_PF.p = {0.25, 0, 0};
  dummy.mass = 1e-6;
  dummy.I_BBo_B = 1e-3 * Matrix3<double>::Identity();
  parameters.Compile(model);
  EXPECT_NEAR(CalcLengthScale(model, parameters), std::sqrt(1.0 / 3), 1e-12);
  // A joint that is farther away than that sets the length.
  dummy.X_PF.p = {0.75, 0, 0};
  parameters.Compile(model);
  EXPECT_NEAR(CalcLengthScale(model, parameters), 0.75, 1e-12);
}

}  // namespace
}  // namespace wyvern::multibody::dynamics
