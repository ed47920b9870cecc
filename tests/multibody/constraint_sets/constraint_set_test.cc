// Building, grouping and looking up constraints; what is refused.
#include "wyvern/multibody/constraint_sets/constraint_set.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/contact_constraint.h"

namespace wyvern::multibody {
namespace {

using math::RigidTransform;
using Set = ConstraintSet<double>;
using test::Gear;
using wyvern::test::Near;

const Vector3<double> kX = Vector3<double>::UnitX();
const Vector3<double> kZ = Vector3<double>::UnitZ();
const Vector3<double> kHeel(0.1, 0.2, 0.3);

std::vector<int> RowsOf(const Set& set, int group) {
  const auto rows = set.GetGroupRows(group);
  return {rows.begin(), rows.end()};
}

TEST(ConstraintSet, ContactsOfOnePointAndNameAreOneGroup) {
  Set set;
  const BodyIndex foot(1), hand(2);
  EXPECT_EQ(set.AddContactConstraint(foot, kHeel, kX, "heel", 7), 0);
  EXPECT_EQ(set.AddContactConstraint(foot, 2 * kHeel, kX, "toe"), 1);
  EXPECT_EQ(set.AddContactConstraint(hand, kHeel, kX), 2);
  EXPECT_EQ(set.AddContactConstraint(foot, kHeel, kZ, "heel", 8), 3);
  EXPECT_EQ(set.AddContactConstraint(foot, kHeel, kZ), 4);
  EXPECT_EQ(set.AddContactConstraint(foot, kHeel, kZ, "slip"), 5);
  EXPECT_EQ(set.size(), 6);
  EXPECT_EQ(set.num_groups(), 4);
  EXPECT_EQ(set.GetGroupIndexMax(), 3);
  EXPECT_EQ(set.GetGroupSize(0), 3);
  EXPECT_EQ(RowsOf(set, 0), (std::vector<int>{0, 3, 4}));
  EXPECT_EQ(RowsOf(set, 3), (std::vector<int>{5}));
  EXPECT_EQ(set.GetGroupType(0), ConstraintType::kContact);
}

TEST(ConstraintSet, PointsMayShareAName) {
  Set set;
  set.AddContactConstraint(BodyIndex(1), kHeel, kX, "foot", 3);
  set.AddContactConstraint(BodyIndex(1), kHeel, kZ, "foot", 3);
  EXPECT_EQ(set.GetGroupIndexByName("foot"), 0);
  set.AddContactConstraint(BodyIndex(1), 2 * kHeel, kX, "foot", 4);
  EXPECT_EQ(set.num_groups(), 2);
  EXPECT_EQ(set.GetGroupIndexById(3), 0);
  EXPECT_EQ(set.GetGroupIndexById(4), 1);
  EXPECT_THROWS_MESSAGE(
      set.GetGroupIndexByName("foot"), std::logic_error,
      "groups 0, 1 are all named 'foot'; ask for one by an id");
}

TEST(ConstraintSet, GroupsAreFoundByAnyOfTheirNamesAndIds) {
  Set set;
  const BodyIndex A(1), B(2);
  const auto axis = [](int i) { return Vector6<double>::Unit(i); };
  set.AddContactConstraint(A, 2 * kHeel, kX);
  set.AddLoopConstraint(A, B, {}, {}, axis(3), false, 0.1, "pin", 7);
  set.AddLoopConstraint(A, B, {}, {}, axis(4), false, 0.1, "pin_y", 8);
  EXPECT_EQ(set.GetGroupIndexByName("pin"), 1);
  EXPECT_EQ(set.GetGroupIndexByName("pin_y"), 1);
  EXPECT_EQ(set.GetGroupIndexById(7), 1);
  EXPECT_EQ(set.GetGroupIndexById(8), 1);
  EXPECT_EQ(set.GetGroupIndexByAssignedId(2), 1);
  EXPECT_EQ(set.GetGroupName(1), "pin");
  EXPECT_EQ(set.GetGroupId(1), 7);
  EXPECT_EQ(set.GetGroupAssignedId(1), 1);
  EXPECT_EQ(set.GetGroupName(0), "");
  EXPECT_FALSE(set.GetGroupId(0).has_value());
  EXPECT_EQ(set.GetRowLabel(2), "row 2 of 'pin_y'");
}

TEST(ConstraintSet, WhatHasNoNameIsCalledByWhatItIs) {
  MultibodyPlant<double> plant(0);
  const auto M = SpatialInertia<double>::SolidCubeWithMass(1, 1);
  const auto& foot = plant.AddRigidBody("foot", M);
  const auto& hand = plant.AddRigidBody("hand", M);
  plant.Finalize();
  Set set;
  set.AddContactConstraint(foot, kHeel, kX);
  set.AddLoopConstraint(foot, hand, {}, {}, Vector6<double>::Unit(3));
  set.AddCustomConstraint(std::make_shared<Gear<double>>(0, 1, ""));
  EXPECT_EQ(set.GetRowLabel(0), "row 0, of a contact of body 1 without a name");
  EXPECT_EQ(set.GetRowLabel(1),
            "row 1, of a loop between body 1 and body 2 without a name");
  set.Bind(plant);
  EXPECT_EQ(set.GetRowLabel(0),
            "row 0, of a contact of body 'foot' without a name");
  EXPECT_EQ(set.GetRowLabel(1),
            "row 1, of a loop between body 'foot' and body 'hand' without a "
            "name");
  EXPECT_EQ(set.GetRowLabel(2),
            "row 2, of a custom constraint of 1 row without a name");
}

TEST(ConstraintSet, RefusesBodiesOfAnotherPlant) {
  test::RandomConstrainedPlant model(0), other(0);
  const auto& own = model.plant.get_body(BodyIndex(1));
  const auto& stranger = other.plant.get_body(BodyIndex(2));
  const auto axis = Vector6<double>::Unit(3);
  const std::string what = "was given a body of another plant, of index 2";
  Set contact, successor, predecessor;
  contact.AddContactConstraint(own, kHeel, kX);
  contact.AddContactConstraint(stranger, kHeel, kX, "heel");
  EXPECT_THROWS_MESSAGE(contact.Bind(model.plant), std::logic_error,
                        "row 1 of 'heel' " + what);
  successor.AddLoopConstraint(own, stranger, {}, {}, axis);
  EXPECT_THROWS_MESSAGE(successor.Bind(model.plant), std::logic_error, what);
  predecessor.AddLoopConstraint(stranger, own, {}, {}, axis);
  EXPECT_THROWS_MESSAGE(predecessor.Bind(model.plant), std::logic_error, what);
  EXPECT_FALSE(predecessor.is_bound());
  // A copy knows indices alone, and goes with a copy of the plant.
  Set copy = predecessor.Copy();
  copy.Bind(model.plant);
  EXPECT_TRUE(copy.is_bound());
}

TEST(ConstraintSet, ClearedItIsAsAfterBind) {
  test::RandomConstrainedPlant model(0);
  Set set = model.DrawIndependentConstraints(true);
  const int nc = set.size(), nv = model.plant.num_velocities();
  set.SetVPlus(VectorX<double>::Ones(nc));
  VectorX<double> vdot(nv), again(nv);
  const auto solve = [&](VectorX<double>* result) {
    ForwardDynamicsConstraintsDirect<double>(model.plant, *model.context,
                                             model.tau, &set, result);
    ComputeConstraintImpulsesDirect<double>(model.plant, *model.context, &set,
                                            &again);
  };
  solve(&vdot);
  EXPECT_GT(set.force().norm(), 0);
  set.Clear();
  EXPECT_TRUE(set.is_bound());
  EXPECT_EQ(set.size(), nc);
  for (const VectorX<double>* rows :
       {&set.force(), &set.impulse(), &set.v_plus(), &set.gamma(),
        &set.position_error(), &set.velocity_error()}) {
    EXPECT_EQ(*rows, VectorX<double>::Zero(nc));
  }
  EXPECT_EQ(set.C(), VectorX<double>::Zero(nv));
  EXPECT_EQ(set.H(), MatrixX<double>::Zero(nv, nv));
  EXPECT_EQ(set.G(), MatrixX<double>::Zero(nc, nv));
  const VectorX<double> before = vdot;
  solve(&vdot);
  EXPECT_EQ(vdot, before);
}

TEST(ConstraintSet, LoopsBetweenTheSameFramesAreOneGroup) {
  Set set;
  const BodyIndex A(1), B(2);
  const RigidTransform<double> X(kHeel);
  const auto axis = [](int i) { return Vector6<double>::Unit(i); };
  set.AddLoopConstraint(A, B, X, {}, axis(3));
  set.AddLoopConstraint(A, B, X, {}, axis(4));
  set.AddLoopConstraint(A, B, {}, X, axis(3));           // Other frames.
  set.AddLoopConstraint(B, A, X, {}, axis(3));           // Other bodies.
  set.AddLoopConstraint(A, B, X, {}, axis(5), true, 1);  // Stabilized.
  EXPECT_EQ(set.num_groups(), 4);
  EXPECT_EQ(RowsOf(set, 0), (std::vector<int>{0, 1}));
  EXPECT_EQ(set.GetGroupType(0), ConstraintType::kLoop);
  EXPECT_FALSE(set.IsBaumgarteStabilizationEnabled(0));
  EXPECT_TRUE(set.IsBaumgarteStabilizationEnabled(3));
  EXPECT_TRUE(Near(set.GetBaumgarteStabilizationCoefficients(0),
                   Vector2<double>(10, 10)));
  EXPECT_TRUE(Near(set.GetBaumgarteStabilizationCoefficients(3),
                   Vector2<double>(1, 1)));
}

TEST(ConstraintSet, StabilizationIsOfAGroup) {
  Set set;
  set.AddContactConstraint(BodyIndex(1), kHeel, kX);
  set.EnableBaumgarteStabilization(0);
  EXPECT_TRUE(set.IsBaumgarteStabilizationEnabled(0));
  set.SetBaumgarteTimeConstant(0, 0.5);
  EXPECT_TRUE(Near(set.GetBaumgarteStabilizationCoefficients(0),
                   Vector2<double>(2, 2)));
  set.DisableBaumgarteStabilization(0);
  EXPECT_FALSE(set.IsBaumgarteStabilizationEnabled(0));
  EXPECT_THROWS_MESSAGE(set.SetBaumgarteTimeConstant(0, 0), std::logic_error,
                        "the time constant given is 0 s");
}

TEST(ConstraintSet, CopiesAreIndependentAndNotBound) {
  test::RandomConstrainedPlant model(0);
  Set set = model.DrawConstraints<double>(1, true);
  set.Bind(model.plant);
  Set copy = set.Copy();
  EXPECT_TRUE(set.is_bound());
  EXPECT_FALSE(copy.is_bound());
  EXPECT_EQ(copy.size(), set.size());
  copy.AddContactConstraint(BodyIndex(1), kHeel, kX, "new");
  const BodyIndex foot = set.GetPair(0)->successor();
  copy.AddContactConstraint(
      foot,
      dynamic_cast<const ContactConstraint<double>&>(set.GetGroupConstraint(0))
          .p_BoC_B(),
      kX);
  EXPECT_EQ(set.GetGroupConstraint(0).size() + 1,
            copy.GetGroupConstraint(0).size());
  EXPECT_THROWS_MESSAGE(set.GetGroupIndexByName("new"), std::out_of_range,
                        "no constraint is named 'new'");
  copy.Bind(model.plant);
  copy = Set();
  EXPECT_EQ(copy.size(), 0);
  EXPECT_EQ(copy.num_groups(), 0);
  EXPECT_FALSE(copy.is_bound());
}

TEST(ConstraintSet, CustomConstraintsAreGroupsOfTheirOwn) {
  Set set;
  const auto gear = std::make_shared<Gear<double>>(0, 1, "gear");
  EXPECT_EQ(set.AddCustomConstraint(gear, {true, 0.2}), 0);
  EXPECT_EQ(set.GetGroupType(0), ConstraintType::kCustom);
  EXPECT_EQ(set.GetGroupIndexByName("gear"), 0);
  EXPECT_TRUE(set.IsBaumgarteStabilizationEnabled(0));
  EXPECT_THROWS_MESSAGE(set.AddCustomConstraint(nullptr), std::logic_error,
                        "is null");
  EXPECT_THROWS_MESSAGE(set.AddCustomConstraint(gear), std::logic_error,
                        "named 'gear' already");
}

TEST(ConstraintSet, RefusesWhatCannotBeAConstraint) {
  Set set;
  const BodyIndex A(1), B(2);
  const Vector3<double> zero = Vector3<double>::Zero();
  const Vector3<double> nan =
      zero.array() + std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROWS_MESSAGE(set.AddContactConstraint(A, kHeel, zero, "flat"),
                        std::logic_error, "the normal of constraint 'flat'");
  EXPECT_THROWS_MESSAGE(set.AddContactConstraint(A, nan, kX), std::logic_error,
                        "the point of the contact of body 1 without a name is "
                        "not finite");
  EXPECT_THROWS_MESSAGE(set.AddContactConstraint(A, kHeel, nan),
                        std::logic_error,
                        "the normal of the contact of body 1 without a name");
  EXPECT_THROWS_MESSAGE(
      set.AddLoopConstraint(A, B, {}, {}, Vector6<double>::Zero()),
      std::logic_error,
      "the axis of the loop between body 1 and body 2 without a name has "
      "length "
      "zero");
  EXPECT_THROWS_MESSAGE(
      set.AddLoopConstraint(A, A, {}, {}, Vector6<double>::Unit(0)),
      std::logic_error, "between body 1 and itself");
  EXPECT_THROWS_MESSAGE(
      set.AddLoopConstraint(A, B, {}, {}, Vector6<double>::Unit(0), true, -1),
      std::logic_error, "the time constant given is -1 s");
  EXPECT_EQ(set.size(), 0);
}

TEST(ConstraintSet, RefusesNamesAndIdsOfOtherGroups) {
  Set set;
  set.AddContactConstraint(BodyIndex(1), kHeel, kX, "heel", 3);
  EXPECT_THROWS_MESSAGE(
      set.AddLoopConstraint(BodyIndex(1), BodyIndex(2), {}, {},
                            Vector6<double>::Unit(0), false, 0.1, "heel"),
      std::logic_error, "named 'heel' already");
  EXPECT_THROWS_MESSAGE(
      set.AddContactConstraint(BodyIndex(2), kHeel, kX, "palm", 3),
      std::logic_error, "with the user id 3 already");
  EXPECT_EQ(set.size(), 1);
}

TEST(ConstraintSet, RefusesGroupsThatAreNotThere) {
  Set set;
  EXPECT_THROWS_MESSAGE(set.GetGroupIndexMax(), std::logic_error,
                        "has no constraints");
  EXPECT_THROWS_MESSAGE(set.GetGroupName(0), std::out_of_range,
                        "there is no group 0");
  EXPECT_THROWS_MESSAGE(set.GetGroupIndexById(4), std::out_of_range,
                        "no constraint has the user id 4");
  EXPECT_THROWS_MESSAGE(set.GetGroupIndexByAssignedId(0), std::out_of_range,
                        "no constraint was assigned the id 0");
}

TEST(ConstraintSet, RefusesWorkBeforeBindAndForAnotherPlant) {
  test::RandomConstrainedPlant model(0), other(0);
  Set set = model.DrawConstraints<double>(1, false);
  VectorX<double> vdot(model.plant.num_velocities());
  EXPECT_THROWS_MESSAGE(
      ForwardDynamicsConstraintsDirect<double>(model.plant, *model.context,
                                               model.tau, &set, &vdot),
      std::logic_error,
      "ForwardDynamicsConstraintsDirect(): the ConstraintSet is not bound");
  EXPECT_THROWS_MESSAGE(set.SetVPlus(vdot), std::logic_error, "before Bind()");
  set.Bind(model.plant);
  EXPECT_THROWS_MESSAGE(
      ForwardDynamicsConstraintsDirect<double>(other.plant, *other.context,
                                               model.tau, &set, &vdot),
      std::logic_error, "bound to another plant");
  EXPECT_THROWS_MESSAGE(set.Bind(model.plant), std::logic_error,
                        "the set is bound to a plant");
  EXPECT_THROWS_MESSAGE(set.AddContactConstraint(BodyIndex(1), kHeel, kX),
                        std::logic_error, "change a Copy()");
}

TEST(ConstraintSet, RefusesBodiesAndPlantsThatAreNotThere) {
  test::RandomConstrainedPlant model(0);
  Set set;
  set.AddContactConstraint(BodyIndex(99), kHeel, kX, "ghost");
  EXPECT_THROWS_MESSAGE(set.Bind(model.plant), std::logic_error,
                        "constraint 'ghost' is on body 99");
  MultibodyPlant<double> unfinished(0.0);
  EXPECT_THROWS_MESSAGE(Set().Bind(unfinished), std::logic_error,
                        "ConstraintSet::Bind");
}

TEST(ConstraintSet, RefusesArgumentsOfTheWrongSize) {
  test::RandomConstrainedPlant model(0);
  Set set = model.DrawConstraints<double>(1, false);
  set.Bind(model.plant);
  VectorX<double> vdot(model.plant.num_velocities()), small(1);
  const auto& plant = model.plant;
  const auto& context = *model.context;
  EXPECT_THROWS_MESSAGE(ForwardDynamicsConstraintsDirect<double>(
                            plant, context, small, &set, &vdot),
                        std::logic_error, "tau has size 1");
  EXPECT_THROWS_MESSAGE(ForwardDynamicsConstraintsDirect<double>(
                            plant, context, model.tau, &set, &small),
                        std::logic_error, "the result has size 1");
  EXPECT_THROWS_MESSAGE(ForwardDynamicsConstraintsDirect<double>(
                            plant, context, model.tau, nullptr, &vdot),
                        std::logic_error, "a pointer is null");
  EXPECT_THROWS_MESSAGE(
      CalcConstraintsPositionError<double>(plant, context, &set, nullptr),
      std::logic_error, "the result is null");
  EXPECT_THROWS_MESSAGE(set.SetActuationMap(plant, {true}), std::logic_error,
                        "the actuation map has size 1");
  EXPECT_THROWS_MESSAGE(set.SetVPlus(vdot), std::logic_error,
                        "v_plus has size 31; it must have size 10");
  EXPECT_THROWS_MESSAGE(set.SetConsistencyTolerance(0), std::logic_error,
                        "the tolerance given is 0");
}

TEST(ConstraintSet, KeepsTheActuationMap) {
  test::RandomConstrainedPlant model(0);
  const int nv = model.plant.num_velocities();
  Set set;
  EXPECT_FALSE(set.has_actuation_map());
  std::vector<bool> actuated(nv, true);
  actuated[2] = actuated[5] = false;
  set.SetActuationMap(model.plant, actuated);
  EXPECT_TRUE(set.has_actuation_map());
  EXPECT_EQ(set.actuated().size(), nv - 2);
  ASSERT_EQ(set.unactuated().size(), 2);
  EXPECT_EQ(set.unactuated()[0], 2);
  EXPECT_EQ(set.unactuated()[1], 5);
}

TEST(ConstraintSet, KokkevisRefusesCustomConstraintsByName) {
  test::RandomConstrainedPlant model(0);
  Set set = model.DrawConstraints<double>(1, true);
  set.Bind(model.plant);
  VectorX<double> vdot(model.plant.num_velocities());
  EXPECT_THROWS_MESSAGE(
      ForwardDynamicsContactsKokkevis<double>(model.plant, *model.context,
                                              model.tau, &set, &vdot),
      std::logic_error, "the forces on bodies of constraint 'gear'");
  ForwardDynamicsConstraintsDirect<double>(model.plant, *model.context,
                                           model.tau, &set, &vdot);
  EXPECT_THROWS_MESSAGE(
      [&] {
        std::vector<BodyIndex> bodies;
        std::vector<RigidTransform<double>> frames;
        std::vector<SpatialForce<double>> forces;
        set.CalcForces(set.GetGroupIndexByName("gear"), model.plant,
                       *model.context, &bodies, &frames, &forces);
      }(),
      std::logic_error, "does not say what forces its multipliers are");
}

}  // namespace
}  // namespace wyvern::multibody
