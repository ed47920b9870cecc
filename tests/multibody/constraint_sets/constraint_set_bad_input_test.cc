// Input that a ConstraintSet and its functions refuse, and empty sets.
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/constraint_sets/random_constrained_plant.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/constraint_sets/assembly.h"
#include "wyvern/multibody/constraint_sets/constrained_inverse_dynamics.h"

namespace wyvern::multibody {
namespace {

using Eigen::VectorXd;
using systems::Context;
using test::RandomConstrainedPlant;
using wyvern::test::Near;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using Set = ConstraintSet<double>;
using ForwardDynamics = decltype(&ForwardDynamicsConstraintsDirect<double>);
using Impulses = decltype(&ComputeConstraintImpulsesDirect<double>);

const std::pair<std::string, ForwardDynamics> kForward[] = {
    {"ForwardDynamicsConstraintsDirect",
     &ForwardDynamicsConstraintsDirect<double>},
    {"ForwardDynamicsConstraintsRangeSpaceSparse",
     &ForwardDynamicsConstraintsRangeSpaceSparse<double>},
    {"ForwardDynamicsConstraintsNullSpace",
     &ForwardDynamicsConstraintsNullSpace<double>},
    {"ForwardDynamicsContactsKokkevis",
     &ForwardDynamicsContactsKokkevis<double>}};
const std::pair<std::string, Impulses> kImpulses[] = {
    {"ComputeConstraintImpulsesDirect",
     &ComputeConstraintImpulsesDirect<double>},
    {"ComputeConstraintImpulsesRangeSpaceSparse",
     &ComputeConstraintImpulsesRangeSpaceSparse<double>},
    {"ComputeConstraintImpulsesNullSpace",
     &ComputeConstraintImpulsesNullSpace<double>}};

// Two rows of which one number is not finite.
enum class Flaw { kNone, kError, kJacobian, kGamma };
class Flawed final : public Constraint<double> {
 public:
  explicit Flawed(Flaw flaw) : Constraint(2, "flawed"), flaw_(flaw) {}

 private:
  double Number(Flaw flaw) const { return flaw_ == flaw ? kNaN : 0.1; }
  void DoCalcPositionError(const Plant&, const Context<double>&,
                           Eigen::Ref<VectorXd> error) const override {
    error << 0, Number(Flaw::kError);
  }
  void DoCalcJacobian(const Plant&, const Context<double>&,
                      Eigen::Ref<MatrixX<double>> G) const override {
    G.setIdentity();
    G(1, 1) = Number(Flaw::kJacobian);
  }
  void DoCalcGamma(const Plant&, const Context<double>&,
                   Eigen::Ref<VectorXd> gamma) const override {
    gamma << 0, Number(Flaw::kGamma);
  }

  Flaw flaw_;
};

class BadInput : public testing::Test {
 protected:
  BadInput() {
    none_.Bind(plant());
    contacts_.Bind(plant());
  }
  const MultibodyPlant<double>& plant() const { return model_.plant; }
  int nv() const { return plant().num_velocities(); }
  Set MakeFlawed(Flaw flaw) {
    Set set;
    set.AddCustomConstraint(std::make_shared<Flawed>(flaw), {true, 0.1});
    set.Bind(plant());
    return set;
  }
  std::vector<bool> All(bool actuated) const {
    return std::vector<bool>(nv(), actuated);
  }

  RandomConstrainedPlant model_{3};
  const Context<double>& context_{*model_.context};
  Set none_;
  Set contacts_{model_.DrawConstraints<double>(1, false)};
  VectorXd vdot_{VectorXd::Zero(nv())};
  VectorXd tau_{VectorXd::Zero(nv())};
};

TEST_F(BadInput, ASetOfNothingLeavesThePlantFree) {
  MatrixX<double> M(nv(), nv());
  plant().CalcMassMatrix(context_, &M);
  MultibodyForces<double> none(plant());
  const VectorXd C =
      plant().CalcInverseDynamics(context_, VectorXd::Zero(nv()), none);
  const VectorXd free =
      model_.tau - C + plant().CalcGravityGeneralizedForces(context_);
  for (const auto& [name, f] : kForward) {
    f(plant(), context_, model_.tau, &none_, &vdot_, nullptr);
    EXPECT_TRUE(Near(M * vdot_, free, 1e-11)) << name;
  }
  for (const auto& [name, f] : kImpulses) {
    f(plant(), context_, &none_, &vdot_);
    EXPECT_TRUE(Near(vdot_, plant().GetVelocities(context_), 1e-11)) << name;
  }
}

TEST_F(BadInput, ASetOfNothingIsAssembledAndMovesAsWished) {
  const VectorXd ones = VectorXd::Ones(nv());
  VectorXd q(plant().num_positions());
  EXPECT_TRUE(CalcAssemblyQ<double>(plant(), context_, &none_, &q, ones));
  EXPECT_EQ(q, plant().GetPositions(context_));
  CalcAssemblyQDot<double>(plant(), context_, &none_, &vdot_, ones);
  EXPECT_EQ(vdot_, plant().GetVelocities(context_));
  none_.SetActuationMap(plant(), All(true));
  EXPECT_TRUE(
      IsConstrainedSystemFullyActuated<double>(plant(), context_, &none_));
  InverseDynamicsConstraints<double>(plant(), context_, ones, &none_, &vdot_,
                                     &tau_);
  EXPECT_EQ(vdot_, ones);
  none_.SetActuationMap(plant(), All(false));
  EXPECT_FALSE(
      IsConstrainedSystemFullyActuated<double>(plant(), context_, &none_));
}

TEST_F(BadInput, ResultsThatAreNullAreNamed) {
  EXPECT_THROWS_MESSAGE(
      CalcConstraintsPositionError<double>(plant(), context_, &none_, nullptr),
      std::logic_error, "CalcConstraintsPositionError(): the result is null");
  EXPECT_THROWS_MESSAGE(
      CalcConstraintsJacobian<double>(plant(), context_, &none_, nullptr),
      std::logic_error, "CalcConstraintsJacobian(): G is null");
  EXPECT_THROWS_MESSAGE(CalcAssemblyQDot<double>(plant(), context_, &none_,
                                                 nullptr, VectorXd::Ones(nv())),
                        std::logic_error, "CalcAssemblyQDot(): v is null");
  VectorXd e = VectorXd::Zero(contacts_.GetGroupSize(0));
  EXPECT_THROWS_MESSAGE(
      contacts_.CalcBaumgarteStabilizationForces(0, e, e, nullptr),
      std::logic_error, "CalcBaumgarteStabilizationForces(): the result is");
}

TEST_F(BadInput, ForcesThatAreNotFiniteAreNamed) {
  tau_[3] = kNaN;
  MultibodyForces<double> generalized(plant()), body(plant());
  generalized.mutable_generalized_forces()[1] = kNaN;
  body.mutable_body_forces()[1].translational()[0] = kNaN;
  for (Set* set : {&none_, &contacts_}) {
    for (const auto& [name, f] : kForward) {
      EXPECT_THROWS_MESSAGE(f(plant(), context_, tau_, set, &vdot_, nullptr),
                            std::logic_error, name + "(): tau[3] is");
      EXPECT_THROWS_MESSAGE(
          f(plant(), context_, model_.tau, set, &vdot_, &generalized),
          std::logic_error, "the generalized forces[1] is nan");
      EXPECT_THROWS_MESSAGE(
          f(plant(), context_, model_.tau, set, &vdot_, &body),
          std::logic_error, "a body force[3] is nan; it must be finite");
    }
  }
}

TEST_F(BadInput, WishesThatAreNotFiniteAreNamed) {
  VectorXd v_plus = VectorXd::Zero(contacts_.size());
  v_plus[1] = kNaN;
  EXPECT_THROWS_MESSAGE(contacts_.SetVPlus(v_plus), std::logic_error,
                        "SetVPlus(): v_plus[1] is nan");
  VectorXd wish = VectorXd::Zero(nv());
  wish[2] = kNaN;
  contacts_.SetActuationMap(plant(), All(true));
  for (auto* f : {&InverseDynamicsConstraints<double>,
                  &InverseDynamicsConstraintsRelaxed<double>}) {
    EXPECT_THROWS_MESSAGE(
        f(plant(), context_, wish, &contacts_, &vdot_, &tau_, nullptr),
        std::logic_error, "the wanted acceleration[2] is nan");
  }
}

TEST_F(BadInput, StatesThatAreNotFiniteAreNamed) {
  // Past the functions that check what they set.
  plant().MutableStateVector(
      model_.context.get())[plant().num_positions() + 4] = kNaN;
  const std::string what = "(): entry 4 of the Context's velocities is nan";
  for (const auto& [name, f] : kForward) {
    EXPECT_THROWS_MESSAGE(
        f(plant(), context_, model_.tau, &none_, &vdot_, nullptr),
        std::runtime_error, name + what);
  }
  for (const auto& [name, f] : kImpulses) {
    EXPECT_THROWS_MESSAGE(f(plant(), context_, &contacts_, &vdot_),
                          std::runtime_error, name + what);
  }
  EXPECT_THROWS_MESSAGE(CalcAssemblyQDot<double>(plant(), context_, &contacts_,
                                                 &vdot_, VectorXd::Ones(nv())),
                        std::runtime_error, "CalcAssemblyQDot" + what);
}

TEST_F(BadInput, CustomConstraintsThatAreNotFiniteAreNamed) {
  const std::pair<Flaw, std::string> flaws[] = {
      {Flaw::kError, "CalcPositionError"},
      {Flaw::kJacobian, "CalcJacobian"},
      {Flaw::kGamma, "CalcGamma"}};
  for (const auto& [flaw, function] : flaws) {
    Set set = MakeFlawed(flaw);
    set.SetActuationMap(plant(), All(true));
    const std::string what =
        function + "(): row 1 of constraint 'flawed' is nan; it is to be";
    for (int i = 0; i < 3; ++i) {
      EXPECT_THROWS_MESSAGE(kForward[i].second(plant(), context_, model_.tau,
                                               &set, &vdot_, nullptr),
                            std::runtime_error, what);
    }
    EXPECT_THROWS_MESSAGE(
        InverseDynamicsConstraintsRelaxed<double>(plant(), context_, model_.tau,
                                                  &set, &vdot_, &tau_),
        std::runtime_error, what);
  }
  VectorXd q(plant().num_positions()), e(2);
  Set set = MakeFlawed(Flaw::kError);
  EXPECT_THROWS_MESSAGE(
      CalcAssemblyQ<double>(plant(), context_, &set, &q, VectorXd::Ones(nv())),
      std::runtime_error, "row 1 of constraint 'flawed'");
  EXPECT_THROWS_MESSAGE(set.CalcPositionError(0, plant(), context_, &e),
                        std::runtime_error, "row 1 of constraint 'flawed'");
  set = MakeFlawed(Flaw::kJacobian);
  for (const auto& [name, f] : kImpulses) {
    EXPECT_THROWS_MESSAGE(f(plant(), context_, &set, &vdot_),
                          std::runtime_error, "row 1 of constraint 'flawed'");
  }
}

// A row so large that its squares are not finite.
class Vast final : public Constraint<double> {
 public:
  Vast() : Constraint(1, "vast") {}

 private:
  void DoCalcJacobian(const Plant&, const Context<double>&,
                      Eigen::Ref<MatrixX<double>> G) const override {
    G.setConstant(1e200);
  }
  void DoCalcGamma(const Plant&, const Context<double>&,
                   Eigen::Ref<VectorXd> gamma) const override {
    gamma.setZero();
  }
};

TEST_F(BadInput, RowsTooLargeToComputeWithAreNamed) {
  const Vector3<double> z = Vector3<double>::UnitZ();
  Set set;
  set.AddContactConstraint(BodyIndex(1), z, z, "heel");
  set.AddCustomConstraint(std::make_shared<Vast>());
  set.Bind(plant());
  const std::string what = "(): row 1 of 'vast' gives numbers that are not";
  for (int i : {0, 1}) {
    const auto& [name, f] = kForward[i];
    EXPECT_THROWS_MESSAGE(
        f(plant(), context_, model_.tau, &set, &vdot_, nullptr),
        std::runtime_error, name + what);
  }
  EXPECT_THROWS_MESSAGE(CalcAssemblyQDot<double>(plant(), context_, &set,
                                                 &vdot_, VectorXd::Ones(nv())),
                        std::runtime_error, "CalcAssemblyQDot" + what);
}

TEST_F(BadInput, BodyIndicesOfNoValueAreRefused) {
  Set set;
  const Vector3<double> z = Vector3<double>::UnitZ();
  EXPECT_THROWS_MESSAGE(set.AddContactConstraint(BodyIndex(), z, z, "lost"),
                        std::logic_error,
                        "AddContactConstraint(): a body index of constraint "
                        "'lost' was given no value");
  EXPECT_THROWS_MESSAGE(set.AddLoopConstraint(BodyIndex(1), BodyIndex(), {}, {},
                                              Vector6<double>::Unit(0)),
                        std::logic_error, "AddLoopConstraint(): a body index");
  EXPECT_EQ(set.size(), 0);
}

TEST_F(BadInput, ActuationMapsOfAnotherPlantAreRefused) {
  RandomConstrainedPlant other(4);
  const std::vector<bool> map(other.plant.num_velocities(), true);
  EXPECT_THROWS_MESSAGE(contacts_.SetActuationMap(other.plant, map),
                        std::logic_error,
                        "SetActuationMap(): the ConstraintSet is bound to "
                        "another plant");
  Set copy = contacts_.Copy();
  copy.SetActuationMap(other.plant, map);
  EXPECT_THROWS_MESSAGE(copy.Bind(plant()), std::logic_error,
                        "what is actuated was said of another plant");
  EXPECT_FALSE(copy.Copy().has_actuation_map());
  MultibodyPlant<double> unfinished(0.0);
  EXPECT_THROWS_MESSAGE(Set().SetActuationMap(unfinished, {}), std::logic_error,
                        "ConstraintSet::SetActuationMap");
}

TEST_F(BadInput, ContextsOfAnotherSystemAreRefused) {
  RandomConstrainedPlant other(3);
  for (const auto& [name, f] : kForward) {
    EXPECT_THROW(
        f(plant(), *other.context, model_.tau, &contacts_, &vdot_, nullptr),
        std::logic_error)
        << name;
  }
  VectorXd e(contacts_.GetGroupSize(0));
  EXPECT_THROW(contacts_.CalcPositionError(0, plant(), *other.context, &e),
               std::logic_error);
  EXPECT_THROW(CalcAssemblyQDot<double>(plant(), *other.context, &contacts_,
                                        &vdot_, VectorXd::Ones(nv())),
               std::logic_error);
}

TEST_F(BadInput, ForcesOfAnotherPlantAreRefused) {
  RandomConstrainedPlant other(4);
  contacts_.SetActuationMap(plant(), All(true));
  for (const auto& [name, f] : kForward) {
    EXPECT_THROWS_MESSAGE(f(plant(), context_, model_.tau, &contacts_, &vdot_,
                            other.forces.get()),
                          std::logic_error,
                          name + "(): the MultibodyForces given are for");
  }
  EXPECT_THROWS_MESSAGE(
      InverseDynamicsConstraints<double>(plant(), context_, tau_, &contacts_,
                                         &vdot_, &tau_, other.forces.get()),
      std::logic_error, "InverseDynamicsConstraints(): the MultibodyForces");
}

TEST_F(BadInput, GroupsThatAreNotThereHaveNoForces) {
  std::vector<BodyIndex> bodies;
  std::vector<math::RigidTransform<double>> frames;
  std::vector<SpatialForce<double>> forces;
  EXPECT_THROWS_MESSAGE(
      contacts_.CalcForces(77, plant(), context_, &bodies, &frames, &forces),
      std::out_of_range, "ConstraintSet::CalcForces(): there is no group 77");
  EXPECT_THROWS_MESSAGE(
      contacts_.CalcImpulses(0, plant(), context_, nullptr, &frames, &forces),
      std::logic_error, "ConstraintSet::CalcImpulses(): a pointer is null");
}

TEST_F(BadInput, AnEmptiedSetCanBeFilledAndBoundAgain) {
  contacts_ = Set();
  EXPECT_THROWS_MESSAGE(ForwardDynamicsConstraintsDirect<double>(
                            plant(), context_, model_.tau, &contacts_, &vdot_),
                        std::logic_error, "the ConstraintSet is not bound");
  EXPECT_THROWS_MESSAGE(contacts_.GetRowLabel(0), std::out_of_range,
                        "no constraint was assigned the id 0; the set has 0");
  const Vector3<double> z = Vector3<double>::UnitZ();
  contacts_.AddContactConstraint(BodyIndex(1), z, z, "heel", 1);
  contacts_.Bind(plant());
  ForwardDynamicsConstraintsDirect<double>(plant(), context_, model_.tau,
                                           &contacts_, &vdot_);
  EXPECT_TRUE(Near(contacts_.G() * vdot_, contacts_.gamma(), 1e-11));
}

TEST_F(BadInput, GravityIsNotAddedTwice) {
  contacts_.SetActuationMap(plant(), All(true));
  MultibodyForces<double> all(plant());
  plant().CalcForceElementsContribution(context_, &all);
  MultibodyForces<double> sum(plant());
  sum.AddInForces(all);
  const std::string what = "(): the MultibodyForces given have gravity in them";
  for (const MultibodyForces<double>* forces : {&all, &sum}) {
    for (const auto& [name, f] : kForward) {
      EXPECT_THROWS_MESSAGE(
          f(plant(), context_, model_.tau, &contacts_, &vdot_, forces),
          std::logic_error, name + what);
    }
    EXPECT_THROWS_MESSAGE(
        InverseDynamicsConstraintsRelaxed<double>(
            plant(), context_, model_.tau, &contacts_, &vdot_, &tau_, forces),
        std::logic_error, what);
  }
  // Without gravity in the Context, nothing is added twice.
  auto weightless = context_.Clone();
  plant().tree().gravity_field().SetGravityVector(weightless.get(),
                                                  Vector3<double>::Zero());
  ForwardDynamicsConstraintsDirect<double>(plant(), *weightless, model_.tau,
                                           &contacts_, &vdot_, &all);
  // The message's advice is right: gravity is the only force here.
  VectorXd tau(nv()), without(nv());
  plant().CalcGeneralizedForces(context_, all, &tau);
  tau -= plant().CalcGravityGeneralizedForces(context_);
  ForwardDynamicsConstraintsDirect<double>(plant(), context_, tau, &contacts_,
                                           &vdot_);
  ForwardDynamicsConstraintsDirect<double>(
      plant(), context_, VectorXd::Zero(nv()), &contacts_, &without);
  EXPECT_TRUE(Near(vdot_, without, 1e-9));
  all.SetZero();
  ForwardDynamicsConstraintsDirect<double>(
      plant(), context_, VectorXd::Zero(nv()), &contacts_, &vdot_, &all);
  EXPECT_TRUE(Near(vdot_, without, 0));
}

TEST_F(BadInput, ForcesOfAnotherStateAreRefused) {
  std::vector<BodyIndex> bodies;
  std::vector<math::RigidTransform<double>> frames;
  std::vector<SpatialForce<double>> forces;
  const auto ask = [&](bool impulses) {
    const auto f = impulses ? &Set::CalcImpulses : &Set::CalcForces;
    (contacts_.*f)(0, plant(), context_, &bodies, &frames, &forces, false);
  };
  EXPECT_THROWS_MESSAGE(ask(false), std::logic_error,
                        "ConstraintSet::CalcForces(): there are no multipliers "
                        "yet; call a ForwardDynamics");
  EXPECT_THROWS_MESSAGE(ask(true), std::logic_error,
                        "ConstraintSet::CalcImpulses(): there are no");
  const int nq = plant().num_positions();
  Context<double>* const context = model_.context.get();
  for (const auto& [name, f] : kForward) {
    f(plant(), context_, model_.tau, &contacts_, &vdot_, nullptr);
    ask(false);
    plant().MutableStateVector(context)[nq + 2] += 0.5;
    EXPECT_THROWS_MESSAGE(ask(false), std::logic_error, "velocity 2 is ");
  }
  // An impact changes velocities, and its impulses stay.
  ComputeConstraintImpulsesDirect<double>(plant(), context_, &contacts_,
                                          &vdot_);
  ask(true);
  plant().SetVelocities(context, vdot_);
  ask(true);
  plant().MutableStateVector(context)[nq - 1] += 0.5;
  EXPECT_THROWS_MESSAGE(
      ask(true), std::logic_error,
      fmt::format("ConstraintSet::CalcImpulses(): position {} is", nq - 1));
  contacts_.Clear();
  EXPECT_THROWS_MESSAGE(ask(false), std::logic_error, "there are no");
}

// A bound set of one contact, moved away.
TEST(MovedConstraintSet, IsAsNew) {
  MultibodyPlant<double> plant(0);
  const auto& body =
      plant.AddRigidBody("a", SpatialInertia<double>::SolidCubeWithMass(1, 1));
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const VectorXd tau = VectorXd::Zero(plant.num_velocities());
  VectorXd vdot(plant.num_velocities()), moved_vdot(plant.num_velocities());
  const auto solve = [&](Set* set, VectorXd* result) {
    ForwardDynamicsConstraintsDirect<double>(plant, *context, tau, set, result);
  };
  Set set;
  set.AddContactConstraint(body.index(), Vector3<double>::Ones(),
                           Vector3<double>::UnitZ(), "heel", 7);
  set.SetSolver(LinearSolver::kHouseholderQR);
  set.Bind(plant);
  solve(&set, &vdot);
  Set moved(std::move(set));
  Set again;
  again = std::move(moved);
  solve(&again, &moved_vdot);
  EXPECT_TRUE(Near(moved_vdot, vdot, 0));
  EXPECT_EQ(again.GetGroupIndexByName("heel"), 0);
  EXPECT_EQ(again.GetGroupIndexById(7), 0);
  for (Set* empty : {&set, &moved}) {
    EXPECT_FALSE(empty->is_bound());
    EXPECT_EQ(empty->size(), 0);
    EXPECT_EQ(empty->solver(), LinearSolver::kSymmetric);
    EXPECT_THROWS_MESSAGE(solve(empty, &vdot), std::logic_error, "Bind()");
    EXPECT_THROWS_MESSAGE(empty->GetRowLabel(0), std::out_of_range, "");
    EXPECT_THROWS_MESSAGE(empty->GetGroupIndexByName("heel"), std::out_of_range,
                          "heel");
    empty->AddContactConstraint(body.index(), Vector3<double>::Ones(),
                                Vector3<double>::UnitZ(), "heel", 7);
    empty->Bind(plant);
    solve(empty, &moved_vdot);
    // By another solver: some epsilons of 4.5.
    EXPECT_TRUE(Near(moved_vdot, vdot, 1e-14));
  }
  // To itself, it stays.
  Set& same = again;
  again = std::move(same);
  EXPECT_EQ(again.size(), 1);
}

// About x and y S is to stay, about z it turns freely: turned half around about
// x its z is opposite to P's, and no way back is the shortest.
TEST(LoopsOfNoDirection, AreNamed) {
  MultibodyPlant<double> plant(0.0);
  const RigidBody<double>& lid = plant.AddRigidBody(
      "lid", SpatialInertia<double>::SolidBoxWithMass(1, 0.1, 0.2, 0.3));
  plant.Finalize();
  for (const bool is_named : {true, false}) {
    Set set;
    for (int axis = 0; axis < 2; ++axis) {
      set.AddLoopConstraint(world_index(), lid.index(), {}, {},
                            Vector6<double>::Unit(axis), false, 0.1,
                            is_named ? "hinge" : "");
    }
    set.Bind(plant);
    auto context = plant.CreateDefaultContext();
    plant.SetFreeBodyPose(
        context.get(), lid,
        math::RigidTransform<double>(
            math::RotationMatrix<double>::MakeXRotation(M_PI)));
    VectorXd vdot(6);
    const std::string who = is_named ? "constraint 'hinge': the axes"
                                     : "a loop between body 'world' and body "
                                       "'lid' without a name: the axes";
    for (const auto& [name, f] : kForward) {
      EXPECT_THROWS_MESSAGE(
          f(plant, *context, VectorXd::Zero(6), &set, &vdot, nullptr),
          std::runtime_error, who);
    }
  }
}

}  // namespace
}  // namespace wyvern::multibody
