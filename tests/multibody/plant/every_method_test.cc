// Laws that every method of a plant keeps, whatever it computes: the same
// figures on both scalars, derivatives that are those of the figures, and
// refusal of what it cannot use.

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/multibody_forces.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::CartPole;
using wyvern::test::Near;

constexpr auto kV = JacobianWrtVariable::kV;
constexpr auto kQDot = JacobianWrtVariable::kQDot;

/** The cart-pole with a ball and a tool on it, rotors, damping and a free
stone. */
struct Rig : CartPole {
  explicit Rig(double time_step = 0) : CartPole(time_step) {
    ball = &plant.AddRigidBody("ball", instance,
                               test::MakeInertia(0.3, {0.1, 0, 0.2}, 0.02));
    tool = &plant.AddRigidBody("tool", instance,
                               test::MakeInertia(0.2, {0, 0.1, 0}, 0.01));
    const math::RigidTransform<double> X(math::RollPitchYaw<double>(1, 2, 3),
                                         Eigen::Vector3d(0.1, 0.2, 0.3));
    plant.AddJoint<BallRpyJoint>("socket", *pole, X, *ball, {}, 0.3);
    plant.WeldFrames(ball->body_frame(), tool->body_frame(), X);
    marker = &plant.AddFrame(
        std::make_unique<FixedOffsetFrame<double>>("marker", *tool, X));
    plant.get_mutable_joint_actuator(JointActuatorIndex(0))
        .set_default_rotor_inertia(0.1);
    plant.get_mutable_joint_actuator(JointActuatorIndex(0))
        .set_default_gear_ratio(3);
    plant.Finalize();
  }
  const RigidBody<double>* ball{};
  const RigidBody<double>* tool{};
  const Frame<double>* marker{};
};

// Positions, a quaternion of unit length among them, and velocities.
VectorXd SomeState(const MultibodyPlant<double>& plant) {
  VectorXd x = VectorXd::LinSpaced(plant.num_multibody_states(), -0.7, 0.9);
  auto context = plant.CreateDefaultContext();
  const RigidBody<double>& stone = plant.GetBodyByName("stone");
  plant.SetPositionsAndVelocities(context.get(), x);
  plant.SetFreeBodyPose(
      context.get(), stone,
      math::RigidTransform<double>(math::RollPitchYaw<double>(0.3, -0.4, 0.5),
                                   Eigen::Vector3d(1, 2, 3)));
  return plant.GetPositionsAndVelocities(*context);
}

template <typename T>
using Table = std::map<std::string, MatrixX<T>>;

/** Results of a plant's methods, by method. */
template <typename T>
class Answers {
 public:
  Answers(const MultibodyPlant<T>& plant, const systems::Context<T>& context)
      : plant_(plant),
        context_(context),
        B_(plant.GetFrameByName("marker")),
        A_(plant.GetFrameByName("pole")),
        E_(plant.GetFrameByName("stone")),
        p_(0.3, -0.2, 0.5) {
    AddKinematics();
    AddJacobians();
    AddDynamics();
    AddMassProperties();
  }
  const Table<T>& table() const { return table_; }

 private:
  void AddKinematics() {
    const auto& body = plant_.GetBodyByName("ball");
    table_["EvalBodyPoseInWorld"] =
        plant_.EvalBodyPoseInWorld(context_, body).GetAsMatrix34();
    table_["EvalBodySpatialVelocityInWorld"] =
        plant_.EvalBodySpatialVelocityInWorld(context_, body).get_coeffs();
    table_["EvalBodySpatialAccelerationInWorld"] =
        plant_.EvalBodySpatialAccelerationInWorld(context_, body).get_coeffs();
    table_["CalcRelativeTransform"] =
        plant_.CalcRelativeTransform(context_, A_, B_).GetAsMatrix34();
    table_["CalcRelativeRotationMatrix"] =
        plant_.CalcRelativeRotationMatrix(context_, A_, B_).matrix();
    MatrixX<T> p(3, 1);
    plant_.CalcPointsPositions(context_, B_, p_, A_, &p);
    table_["CalcPointsPositions"] = p;
    std::vector<SpatialAcceleration<T>> A(plant_.num_bodies());
    plant_.CalcSpatialAccelerationsFromVdot(context_, Ones(), &A);
    table_["CalcSpatialAccelerationsFromVdot"] = A.back().get_coeffs();
    table_["MakeVelocityToQDotMap"] =
        MatrixX<T>(plant_.MakeVelocityToQDotMap(context_));
    table_["MakeQDotToVelocityMap"] =
        MatrixX<T>(plant_.MakeQDotToVelocityMap(context_));
    VectorX<T> qdot(plant_.num_positions()), v(plant_.num_velocities());
    plant_.MapVelocityToQDot(context_, Ones(), &qdot);
    table_["MapVelocityToQDot"] = qdot;
    plant_.MapQDotToVelocity(context_, qdot, &v);
    table_["MapQDotToVelocity"] = v;
  }

  void AddJacobians() {
    for (auto [name, s, n] :
         {std::tuple("v", kV, plant_.num_velocities()),
          std::tuple("qdot", kQDot, plant_.num_positions())}) {
      MatrixX<T> J6(6, n), J3k(3, n);
      Matrix3X<T> J3(3, n);
      plant_.CalcJacobianSpatialVelocity(context_, s, B_, p_, A_, E_, &J6);
      table_[fmt::format("CalcJacobianSpatialVelocity {}", name)] = J6;
      plant_.CalcJacobianAngularVelocity(context_, s, B_, A_, E_, &J3);
      table_[fmt::format("CalcJacobianAngularVelocity {}", name)] = J3;
      plant_.CalcJacobianTranslationalVelocity(context_, s, B_, p_, A_, E_,
                                               &J3k);
      table_[fmt::format("CalcJacobianTranslationalVelocity {}", name)] = J3k;
      plant_.CalcJacobianCenterOfMassTranslationalVelocity(context_, s, A_, E_,
                                                           &J3);
      table_[fmt::format("CalcJacobianCenterOfMass {}", name)] = J3;
      plant_.CalcJacobianCenterOfMassTranslationalVelocity(
          context_, OneInstance(), s, A_, E_, &J3);
      table_[fmt::format("CalcJacobianCenterOfMass of one {}", name)] = J3;
    }
    MatrixX<T> Jq(3, plant_.num_positions());
    plant_.CalcJacobianPositionVector(context_, B_, p_, A_, E_, &Jq);
    table_["CalcJacobianPositionVector"] = Jq;
    table_["CalcBiasSpatialAcceleration"] =
        plant_.CalcBiasSpatialAcceleration(context_, kV, B_, p_, A_, E_)
            .get_coeffs();
    table_["CalcBiasTranslationalAcceleration"] =
        plant_.CalcBiasTranslationalAcceleration(context_, kV, B_, p_, A_, E_);
    table_["CalcBiasCenterOfMassTranslationalAcceleration"] =
        plant_.CalcBiasCenterOfMassTranslationalAcceleration(context_, kV, A_,
                                                             E_);
    table_["CalcBiasCenterOfMassTranslationalAcceleration of one"] =
        plant_.CalcBiasCenterOfMassTranslationalAcceleration(
            context_, OneInstance(), kV, A_, E_);
  }

  void AddDynamics() {
    const int nv = plant_.num_velocities();
    MatrixX<T> M(nv, nv);
    VectorX<T> tau(nv);
    plant_.CalcMassMatrix(context_, &M);
    table_["CalcMassMatrix"] = M;
    plant_.CalcMassMatrixViaInverseDynamics(context_, &M);
    table_["CalcMassMatrixViaInverseDynamics"] = M;
    plant_.CalcBiasTerm(context_, &tau);
    table_["CalcBiasTerm"] = tau;
    table_["CalcGravityGeneralizedForces"] =
        plant_.CalcGravityGeneralizedForces(context_);
    MultibodyForces<T> forces(plant_);
    plant_.CalcForceElementsContribution(context_, &forces);
    table_["CalcForceElementsContribution"] = forces.generalized_forces();
    plant_.CalcGeneralizedForces(context_, forces, &tau);
    table_["CalcGeneralizedForces"] = tau;
    table_["CalcInverseDynamics"] =
        plant_.CalcInverseDynamics(context_, Ones(), forces);
    Scalar("CalcPotentialEnergy", plant_.CalcPotentialEnergy(context_));
    Scalar("CalcKineticEnergy", plant_.CalcKineticEnergy(context_));
    Scalar("CalcConservativePower", plant_.CalcConservativePower(context_));
    Scalar("CalcNonConservativePower",
           plant_.CalcNonConservativePower(context_));
    table_["generalized_acceleration"] =
        plant_.get_generalized_acceleration_output_port().Eval(context_);
  }

  void AddMassProperties() {
    const std::vector<ModelInstanceIndex> one = OneInstance();
    Scalar("CalcTotalMass", plant_.CalcTotalMass(context_));
    Scalar("CalcTotalMass of one", plant_.CalcTotalMass(context_, one));
    table_["CalcCenterOfMassPositionInWorld"] =
        plant_.CalcCenterOfMassPositionInWorld(context_);
    table_["CalcCenterOfMassPositionInWorld of one"] =
        plant_.CalcCenterOfMassPositionInWorld(context_, one);
    table_["CalcCenterOfMassTranslationalVelocityInWorld"] =
        plant_.CalcCenterOfMassTranslationalVelocityInWorld(context_);
    table_["CalcCenterOfMassTranslationalVelocityInWorld of one"] =
        plant_.CalcCenterOfMassTranslationalVelocityInWorld(context_, one);
    table_["CalcCenterOfMassTranslationalAccelerationInWorld"] =
        plant_.CalcCenterOfMassTranslationalAccelerationInWorld(context_);
    table_["CalcCenterOfMassTranslationalAccelerationInWorld of one"] =
        plant_.CalcCenterOfMassTranslationalAccelerationInWorld(context_, one);
    table_["CalcSpatialInertia"] =
        plant_
            .CalcSpatialInertia(context_, A_,
                                {plant_.GetBodyByName("ball").index(),
                                 plant_.GetBodyByName("tool").index()})
            .CopyToFullMatrix6();
    table_["CalcSpatialMomentumInWorldAboutPoint"] =
        plant_.CalcSpatialMomentumInWorldAboutPoint(context_, p_).get_coeffs();
    table_["CalcSpatialMomentumInWorldAboutPoint of one"] =
        plant_.CalcSpatialMomentumInWorldAboutPoint(context_, one, p_)
            .get_coeffs();
  }

  std::vector<ModelInstanceIndex> OneInstance() const {
    return {plant_.GetModelInstanceByName("cart_pole")};
  }
  void Scalar(const std::string& name, const T& value) {
    table_[name] = MatrixX<T>::Constant(1, 1, value);
  }
  VectorX<T> Ones() const {
    return VectorX<T>::Constant(plant_.num_velocities(), T(1));
  }

  const MultibodyPlant<T>& plant_;
  const systems::Context<T>& context_;
  const Frame<T>& B_;
  const Frame<T>& A_;
  const Frame<T>& E_;
  const Vector3<T> p_;
  Table<T> table_;
};

Table<double> AnswersAt(const MultibodyPlant<double>& plant,
                        systems::Context<double>* context, const VectorXd& x) {
  plant.SetPositionsAndVelocities(context, x);
  return Answers<double>(plant, *context).table();
}

// At x + s dx, with s the one variable.
Table<AutoDiffXd> AutoDiffAnswersAt(const MultibodyPlant<double>& plant,
                                    const VectorXd& x, const VectorXd& dx) {
  const MultibodyPlant<AutoDiffXd> copy(plant);
  auto context = copy.CreateDefaultContext();
  VectorX<AutoDiffXd> x_ad(x.size());
  for (int i = 0; i < x.size(); ++i) {
    x_ad[i] = AutoDiffXd(x[i], VectorXd::Constant(1, dx[i]));
  }
  copy.SetPositionsAndVelocities(context.get(), x_ad);
  return Answers<AutoDiffXd>(copy, *context).table();
}

MatrixXd Derivative(const MatrixX<AutoDiffXd>& m) {
  MatrixXd result = MatrixXd::Zero(m.rows(), m.cols());
  for (int i = 0; i < m.size(); ++i) {
    const auto& derivatives = m.data()[i].derivatives();
    if (derivatives.size() > 0) result.data()[i] = derivatives[0];
  }
  return result;
}

TEST(EveryMethod, AnswersTheSameOnAutoDiff) {
  const Rig rig;
  auto context = rig.plant.CreateDefaultContext();
  const VectorXd x = SomeState(rig.plant);
  const Table<double> expected = AnswersAt(rig.plant, context.get(), x);
  const Table<AutoDiffXd> answers =
      AutoDiffAnswersAt(rig.plant, x, VectorXd::Zero(x.size()));
  ASSERT_EQ(answers.size(), expected.size());
  for (const auto& [name, value] : expected) {
    EXPECT_TRUE(Near(ToDouble(answers.at(name)), value, 1e-11)) << name;
  }
}

// Central differences: their error is h² third derivatives and 1e-16/h of
// round-off, of figures of the order of 10.
TEST(EveryMethod, DerivativesAreThoseOfItsAnswers) {
  const Rig rig;
  auto context = rig.plant.CreateDefaultContext();
  const VectorXd x = SomeState(rig.plant);
  const VectorXd dx = VectorXd::LinSpaced(x.size(), 1, -0.8);
  const double h = 1e-5;
  const Table<double> after = AnswersAt(rig.plant, context.get(), x + h * dx);
  const Table<double> before = AnswersAt(rig.plant, context.get(), x - h * dx);
  const Table<AutoDiffXd> answers = AutoDiffAnswersAt(rig.plant, x, dx);
  for (const auto& [name, value] : answers) {
    const MatrixXd expected = (after.at(name) - before.at(name)) / (2 * h);
    const double scale = 1 + expected.cwiseAbs().maxCoeff();
    EXPECT_TRUE(Near(Derivative(value), expected, 1e-6 * scale)) << name;
  }
}

// Figures that follow from others.
TEST(EveryMethod, JacobiansAndBiasesMakeTheVelocitiesAndAccelerations) {
  const Rig rig;
  const auto& plant = rig.plant;
  auto context = plant.CreateDefaultContext();
  const Table<double> t = AnswersAt(plant, context.get(), SomeState(plant));
  const VectorXd v = plant.GetVelocities(*context);
  const auto& B = *rig.marker;
  const auto& A = rig.pole->body_frame();
  const auto& E = rig.stone->body_frame();
  // Quantities of the point p of B, in A, follow from B's own by a shift.
  const Eigen::Vector3d p(0.3, -0.2, 0.5);
  const Eigen::Vector3d p_E = B.CalcRotationMatrix(*context, E) * p;
  const SpatialVelocity<double> V =
      B.CalcSpatialVelocity(*context, A, E).Shift(p_E);
  const MatrixXd& J = t.at("CalcJacobianSpatialVelocity v");
  EXPECT_TRUE(Near(J * v, V.get_coeffs(), 1e-12));
  EXPECT_TRUE(Near(t.at("CalcJacobianAngularVelocity v"), J.topRows(3)));
  EXPECT_TRUE(
      Near(t.at("CalcJacobianTranslationalVelocity v"), J.bottomRows(3)));
  const SpatialAcceleration<double> a =
      B.CalcSpatialAcceleration(*context, A, E)
          .Shift(p_E, B.CalcAngularVelocity(*context, A, E));
  EXPECT_TRUE(Near(J * t.at("generalized_acceleration") +
                       t.at("CalcBiasSpatialAcceleration"),
                   a.get_coeffs(), 1e-11));
  EXPECT_TRUE(Near(t.at("CalcBiasTranslationalAcceleration"),
                   t.at("CalcBiasSpatialAcceleration").bottomRows(3), 1e-12));
  const MatrixXd N = t.at("MakeVelocityToQDotMap");
  EXPECT_TRUE(
      Near(t.at("CalcJacobianSpatialVelocity qdot") * (N * v), J * v, 1e-12));
}

template <typename T>
class EveryMethodOn : public ::testing::Test {
 public:
  EveryMethodOn()
      : plant_(test::CopyOn<T>(rig_.plant)),
        context_(plant_.CreateDefaultContext()),
        B_(plant_.GetFrameByName("marker")) {}
  Rig rig_;
  MultibodyPlant<T> plant_;
  std::unique_ptr<systems::Context<T>> context_;
  const Frame<T>& B_;
};
TYPED_TEST_SUITE(EveryMethodOn, test::Scalars);

TYPED_TEST(EveryMethodOn, RefusesOutputsOfTheWrongShape) {
  using T = TypeParam;
  const auto& plant = this->plant_;
  const auto& c = *this->context_;
  const Frame<T>& B = this->B_;
  const Vector3<T> p(0, 0, 0);
  MatrixX<T> M(3, 4);
  Matrix3X<T> M3(3, 2);
  VectorX<T> v(1);
  std::vector<SpatialAcceleration<T>> A(2);
  const VectorX<T> ones = VectorX<T>::Constant(plant.num_velocities(), T(1));
  const VectorX<T> qs = VectorX<T>::Constant(plant.num_positions(), T(1));
  EXPECT_THROW(plant.CalcMassMatrix(c, &M), std::logic_error);
  EXPECT_THROW(plant.CalcMassMatrixViaInverseDynamics(c, &M), std::logic_error);
  EXPECT_THROW(plant.CalcBiasTerm(c, &v), std::logic_error);
  EXPECT_THROW(plant.MapVelocityToQDot(c, ones, &v), std::logic_error);
  EXPECT_THROW(plant.MapQDotToVelocity(c, qs, &v), std::logic_error);
  EXPECT_THROW(plant.CalcSpatialAccelerationsFromVdot(c, ones, &A),
               std::logic_error);
  EXPECT_THROW(plant.CalcPointsPositions(c, B, p, B, &M), std::logic_error);
  EXPECT_THROW(plant.CalcJacobianSpatialVelocity(c, kV, B, p, B, B, &M),
               std::logic_error);
  EXPECT_THROW(plant.CalcJacobianAngularVelocity(c, kV, B, B, B, &M3),
               std::logic_error);
  EXPECT_THROW(plant.CalcJacobianTranslationalVelocity(c, kV, B, p, B, B, &M),
               std::logic_error);
  EXPECT_THROW(plant.CalcJacobianPositionVector(c, B, p, B, B, &M),
               std::logic_error);
  EXPECT_THROW(
      plant.CalcJacobianCenterOfMassTranslationalVelocity(c, kV, B, B, &M3),
      std::logic_error);
}

TYPED_TEST(EveryMethodOn, RefusesNullOutputs) {
  using T = TypeParam;
  const auto& plant = this->plant_;
  const auto& c = *this->context_;
  const Frame<T>& B = this->B_;
  const Vector3<T> p(0, 0, 0);
  const VectorX<T> ones = VectorX<T>::Constant(plant.num_velocities(), T(1));
  const VectorX<T> qs = VectorX<T>::Constant(plant.num_positions(), T(1));
  const MultibodyForces<T> forces(plant);
  EXPECT_THROW(plant.CalcMassMatrix(c, nullptr), std::logic_error);
  EXPECT_THROW(plant.CalcMassMatrixViaInverseDynamics(c, nullptr),
               std::logic_error);
  EXPECT_THROW(plant.CalcBiasTerm(c, nullptr), std::logic_error);
  EXPECT_THROW(plant.MapVelocityToQDot(c, ones, EigenPtr<VectorX<T>>()),
               std::logic_error);
  EXPECT_THROW(plant.MapQDotToVelocity(c, qs, EigenPtr<VectorX<T>>()),
               std::logic_error);
  EXPECT_THROW(plant.CalcSpatialAccelerationsFromVdot(c, ones, nullptr),
               std::logic_error);
  EXPECT_THROW(plant.CalcForceElementsContribution(c, nullptr),
               std::logic_error);
  EXPECT_THROW(plant.CalcGeneralizedForces(c, forces, nullptr),
               std::logic_error);
  EXPECT_THROW(plant.CalcPointsPositions(c, B, p, B, nullptr),
               std::logic_error);
  EXPECT_THROW(plant.CalcJacobianSpatialVelocity(c, kV, B, p, B, B, nullptr),
               std::logic_error);
  EXPECT_THROW(plant.CalcJacobianAngularVelocity(c, kV, B, B, B, nullptr),
               std::logic_error);
  EXPECT_THROW(
      plant.CalcJacobianTranslationalVelocity(c, kV, B, p, B, B, nullptr),
      std::logic_error);
  EXPECT_THROW(plant.CalcJacobianPositionVector(c, B, p, B, B, nullptr),
               std::logic_error);
}

TYPED_TEST(EveryMethodOn, RefusesBiasesWithRespectToQDot) {
  using T = TypeParam;
  const auto& c = *this->context_;
  const Frame<T>& B = this->B_;
  const Vector3<T> p(0, 0, 0);
  EXPECT_THROW(this->plant_.CalcBiasSpatialAcceleration(c, kQDot, B, p, B, B),
               std::logic_error);
  EXPECT_THROW(
      this->plant_.CalcBiasTranslationalAcceleration(c, kQDot, B, p, B, B),
      std::logic_error);
  EXPECT_THROW(this->plant_.CalcBiasCenterOfMassTranslationalAcceleration(
                   c, kQDot, B, B),
               std::logic_error);
}

TYPED_TEST(EveryMethodOn, RefusesContextsAndElementsOfOtherPlants) {
  using T = TypeParam;
  const MultibodyPlant<T> other = test::CopyOn<T>(this->rig_.plant);
  const auto foreign = other.CreateDefaultContext();
  const auto& plant = this->plant_;
  const auto& c = *this->context_;
  const Frame<T>& B = this->B_;
  const Frame<T>& F = other.GetFrameByName("marker");
  const RigidBody<T>& alien = other.GetBodyByName("ball");
  const RigidBody<T>& own = plant.GetBodyByName("ball");
  const Vector3<T> p(0, 0, 0);
  MatrixX<T> M(plant.num_velocities(), plant.num_velocities());
  MatrixX<T> J(6, plant.num_velocities());
  VectorX<T> v(plant.num_velocities());
  EXPECT_THROW(plant.EvalBodyPoseInWorld(*foreign, own), std::logic_error);
  EXPECT_THROW(plant.EvalBodyPoseInWorld(c, alien), std::logic_error);
  EXPECT_THROW(plant.EvalBodySpatialVelocityInWorld(c, alien),
               std::logic_error);
  EXPECT_THROW(plant.EvalBodySpatialAccelerationInWorld(c, alien),
               std::logic_error);
  EXPECT_THROW(plant.CalcRelativeTransform(*foreign, B, B), std::logic_error);
  EXPECT_THROW(plant.CalcRelativeTransform(c, B, F), std::logic_error);
  EXPECT_THROW(plant.CalcRelativeRotationMatrix(c, F, B), std::logic_error);
  EXPECT_THROW(plant.CalcJacobianSpatialVelocity(c, kV, F, p, B, B, &J),
               std::logic_error);
  EXPECT_THROW(plant.CalcJacobianSpatialVelocity(*foreign, kV, B, p, B, B, &J),
               std::logic_error);
  EXPECT_THROW(plant.CalcMassMatrix(*foreign, &M), std::logic_error);
  EXPECT_THROW(plant.CalcBiasTerm(*foreign, &v), std::logic_error);
  EXPECT_THROW(plant.CalcTotalMass(*foreign), std::logic_error);
  EXPECT_THROW(plant.CalcPotentialEnergy(*foreign), std::logic_error);
  EXPECT_THROW(plant.GetFreeBodyPose(c, own), std::logic_error);
  EXPECT_THROW(plant.CalcSpatialInertia(c, B, {own.index(), own.index()}),
               std::logic_error);
  EXPECT_THROW(plant.CalcTotalMass(c, {ModelInstanceIndex(9)}),
               std::out_of_range);
}

TYPED_TEST(EveryMethodOn, ResidualIsWhatInverseDynamicsLacks) {
  using T = TypeParam;
  const auto& plant = this->plant_;
  auto& context = *this->context_;
  plant.SetPositionsAndVelocities(
      &context, SomeState(this->rig_.plant).template cast<T>());
  const int nq = plant.num_positions(), nv = plant.num_velocities();
  const VectorX<T> u = VectorX<T>::LinSpaced(plant.num_actuated_dofs(), 2, 3);
  plant.get_actuation_input_port().FixValue(&context, u);
  const VectorX<T> tau = VectorX<T>::LinSpaced(nv, -1, 2);
  plant.get_applied_generalized_force_input_port().FixValue(&context, tau);
  const VectorX<T> proposed = VectorX<T>::LinSpaced(nq + nv, -3, 4);
  const auto derivatives = plant.AllocateTimeDerivatives();
  derivatives->SetFromVector(proposed);
  VectorX<T> residual(nq + nv), qdot(nq);
  plant.CalcImplicitTimeDerivativesResidual(context, *derivatives, &residual);

  plant.MapVelocityToQDot(context, plant.GetVelocities(context), &qdot);
  MultibodyForces<T> forces(plant);
  plant.CalcForceElementsContribution(context, &forces);
  VectorX<T> wanted(nq + nv);
  wanted << proposed.head(nq) - qdot,
      plant.CalcInverseDynamics(context, proposed.tail(nv), forces) -
          plant.MakeActuationMatrix() * u - tau;
  // Relative to forces of some ten newton.
  EXPECT_TRUE(Near(ToDouble(residual), ToDouble(wanted), 1e-12));
}

TYPED_TEST(EveryMethodOn, ResidualVanishesAtTheDerivatives) {
  using T = TypeParam;
  this->plant_.SetPositionsAndVelocities(
      this->context_.get(), SomeState(this->rig_.plant).template cast<T>());
  const auto derivatives = this->plant_.AllocateTimeDerivatives();
  this->plant_.CalcTimeDerivatives(*this->context_, derivatives.get());
  VectorX<T> residual =
      VectorX<T>::Constant(this->plant_.num_multibody_states(), T(7));
  this->plant_.CalcImplicitTimeDerivativesResidual(*this->context_,
                                                   *derivatives, &residual);
  EXPECT_TRUE(Near(ToDouble(residual), VectorXd::Zero(residual.size()), 1e-12));
  derivatives->SetFromVector(derivatives->CopyToVector() +
                             VectorX<T>::Constant(residual.size(), T(1)));
  this->plant_.CalcImplicitTimeDerivativesResidual(*this->context_,
                                                   *derivatives, &residual);
  EXPECT_GT(ToDouble(residual).norm(), 0.5);
  VectorX<T> small(2);
  EXPECT_THROW(this->plant_.CalcImplicitTimeDerivativesResidual(
                   *this->context_, *derivatives, &small),
               std::logic_error);
}

TEST(ExtremeNumbers, NeverBecomeNotANumberSilently) {
  const Rig rig;
  auto context = rig.plant.CreateDefaultContext();
  VectorXd v = VectorXd::Constant(rig.plant.num_velocities(), 1e300);
  rig.plant.SetVelocities(context.get(), v);
  auto derivatives = rig.plant.AllocateTimeDerivatives();
  EXPECT_THROW(rig.plant.CalcTimeDerivatives(*context, derivatives.get()),
               std::runtime_error);
}

TEST(ExtremeNumbers, MassesOfAnySizeWork) {
  for (double scale : {1e-200, 1e-30, 1e30, 1e200}) {
    MultibodyPlant<double> plant(0);
    const auto& bob = plant.AddRigidBody(
        "bob", test::MakeInertia(scale, {0, 0, -0.5}, 0.02 * scale));
    const auto& hinge = plant.AddJoint<RevoluteJoint>(
        "hinge", plant.world_body(), {}, bob, {}, Vector3<double>::UnitY());
    plant.Finalize();
    auto context = plant.CreateDefaultContext();
    hinge.set_angle(context.get(), 0.3);
    // The equation of a pendulum has no mass in it.
    const double expected = -9.81 * 0.5 * std::sin(0.3) / (0.02 + 0.25);
    const double vdot =
        plant.get_generalized_acceleration_output_port().Eval(*context)[0];
    EXPECT_NEAR(vdot, expected, 1e-13) << scale;
  }
}

}  // namespace
}  // namespace wyvern::multibody
