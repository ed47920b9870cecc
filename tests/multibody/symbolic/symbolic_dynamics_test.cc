// Equations of motion as expressions: of small mechanisms against textbooks, of
// larger ones against the plant's numbers; and as code, compiled.
#include <limits>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/benchmarks/multibody/description_plant.h"
#include "tests/benchmarks/multibody/model_description.h"
#include "tests/support/compiled_code.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/dynamics/singular_inertia.h"
#include "wyvern/multibody/parsing/parser.h"
#include "wyvern/multibody/symbolic/dynamics_code.h"
#include "wyvern/multibody/symbolic/symbolic_dynamics.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/systems/symbolic/algebra/expression_tape.h"
#include "wyvern/systems/symbolic/expression_kinds.h"
#include "wyvern/systems/symbolic/expression_matrix.h"

namespace wyvern::multibody {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using symbolic::Environment;
using symbolic::Expression;
using symbolic::Variable;
using symbolic::Variables;
using test::Near;
using Plant = MultibodyPlant<double>;

std::mt19937& Generator() {
  static std::mt19937 generator(1);
  return generator;
}

double DrawNumber() {
  return std::uniform_real_distribution<double>(0.3, 1.7)(Generator());
}

// Any values of all variables.
Environment DrawValues(const MatrixX<Expression>& m) {
  Environment values;
  for (const Variable& v : GetDistinctVariables(m)) {
    values.insert(v, DrawNumber());
  }
  return values;
}

void ExpectSame(const MatrixX<Expression>& given,
                const MatrixX<Expression>& wanted) {
  for (int i = 0; i < 20; ++i) {
    const Environment values = DrawValues(wanted - given + wanted);
    // A dozen products of numbers about 1.
    EXPECT_TRUE(Near(Evaluate(given, values), Evaluate(wanted, values), 1e-13));
  }
}

const SpatialInertia<double>& UnitInertiaOf() {
  static const auto inertia =
      SpatialInertia<double>::SolidSphereWithMass(1.0, 0.5);
  return inertia;
}

// A point mass at a distance below the joint, as symbols.
void SetMass(SymbolicDynamics* dynamics, int body, const Expression& mass,
             const Expression& below, const Expression& Iyy) {
  auto& b = dynamics->parameters().bodies[body];
  b.mass = mass;
  b.p_BoBcm_B = Vector3<Expression>(0, 0, -below);
  b.I_BBo_B.setZero();
  b.I_BBo_B(1, 1) = Iyy;
}

class SymbolicDynamicsTest : public ::testing::Test {
 protected:
  const Variable m1{"m1"}, m2{"m2"}, l1{"l1"}, c1{"c1"}, c2{"c2"}, I1{"I1"},
      I2{"I2"}, g{"g"};
};

TEST_F(SymbolicDynamicsTest, ThePendulumIsTheTextbooks) {
  Plant plant(0.0);
  const auto& bob = plant.AddRigidBody("bob", UnitInertiaOf());
  plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, bob, {},
                                Vector3d::UnitY(), 0.25);
  plant.Finalize();
  SymbolicDynamics dynamics(plant);
  SetMass(&dynamics, 1, m1, l1, m1 * l1 * l1);
  dynamics.parameters().gravity = Vector3<Expression>(0, 0, -g);
  dynamics.parameters().Compile(dynamics.model());
  const Expression q = dynamics.q()[0], v = dynamics.v()[0];
  EXPECT_EQ(dynamics.CalcMassMatrix()(0).to_string(), "(m1 * pow(l1, 2))");
  ExpectSame(dynamics.CalcInverseDynamics(),
             Vector1<Expression>(m1 * l1 * l1 * dynamics.vdot()[0] +
                                 m1 * g * l1 * sin(q) + 0.25 * v));
  ExpectSame(dynamics.CalcForwardDynamics(),
             Vector1<Expression>(
                 (dynamics.tau()[0] - 0.25 * v - m1 * g * l1 * sin(q)) /
                 (m1 * l1 * l1)));
}

// Underactuated Robotics, chapter 3: both angles 0 hanging down.
TEST_F(SymbolicDynamicsTest, TheAcrobotIsTheTextbooks) {
  Plant plant(0.0);
  const auto& upper = plant.AddRigidBody("upper", UnitInertiaOf());
  const auto& lower = plant.AddRigidBody("lower", UnitInertiaOf());
  plant.AddJoint<RevoluteJoint>("shoulder", plant.world_body(), {}, upper, {},
                                Vector3d::UnitY());
  plant.AddJoint<RevoluteJoint>("elbow", upper, {}, lower, {},
                                Vector3d::UnitY());
  plant.Finalize();
  SymbolicDynamics dynamics(plant);
  SetMass(&dynamics, 1, m1, c1, I1);
  SetMass(&dynamics, 2, m2, c2, I2);
  dynamics.parameters().bodies[2].X_PF.p = Vector3<Expression>(0, 0, -l1);
  dynamics.parameters().gravity = Vector3<Expression>(0, 0, -g);
  dynamics.parameters().Compile(dynamics.model());
  const Expression q1 = dynamics.q()[0], q2 = dynamics.q()[1];
  const Expression v1 = dynamics.v()[0], v2 = dynamics.v()[1];
  const Expression a = m2 * l1 * c2;
  Matrix2<Expression> M;
  M << I1 + I2 + m2 * l1 * l1 + 2 * a * cos(q2), I2 + a * cos(q2),
      I2 + a * cos(q2), I2;
  ExpectSame(dynamics.CalcMassMatrix(), M);
  ExpectSame(
      dynamics.CalcBiasTerm(),
      Vector2<Expression>(-2 * a * sin(q2) * v1 * v2 - a * sin(q2) * v2 * v2,
                          a * sin(q2) * v1 * v1));
  ExpectSame(
      dynamics.CalcGravityGeneralizedForces(),
      Vector2<Expression>(
          -m1 * g * c1 * sin(q1) - m2 * g * (l1 * sin(q1) + c2 * sin(q1 + q2)),
          -m2 * g * c2 * sin(q1 + q2)));
}

TEST_F(SymbolicDynamicsTest, TheCartPoleIsTheTextbooks) {
  Plant plant(0.0);
  const auto& cart = plant.AddRigidBody("cart", UnitInertiaOf());
  const auto& pole = plant.AddRigidBody("pole", UnitInertiaOf());
  plant.AddJoint<PrismaticJoint>("track", plant.world_body(), {}, cart, {},
                                 Vector3d::UnitX());
  // About -y the pole swings towards +x.
  plant.AddJoint<RevoluteJoint>("hinge", cart, {}, pole, {},
                                -Vector3d::UnitY());
  plant.Finalize();
  SymbolicDynamics dynamics(plant);
  SetMass(&dynamics, 1, m1, 0, 0);
  SetMass(&dynamics, 2, m2, l1, m2 * l1 * l1);
  dynamics.parameters().gravity = Vector3<Expression>(0, 0, -g);
  dynamics.parameters().Compile(dynamics.model());
  const Expression q = dynamics.q()[1], v = dynamics.v()[1];
  Matrix2<Expression> M;
  M << m1 + m2, m2 * l1 * cos(q), m2 * l1 * cos(q), m2 * l1 * l1;
  ExpectSame(dynamics.CalcMassMatrix(), M);
  ExpectSame(dynamics.CalcBiasTerm(),
             Vector2<Expression>(-m2 * l1 * sin(q) * v * v, 0));
  ExpectSame(dynamics.CalcGravityGeneralizedForces(),
             Vector2<Expression>(0, -m2 * g * l1 * sin(q)));
}

// A robot at random states, as expressions and in numbers.
class ExpressionsOfAPlant {
 public:
  explicit ExpressionsOfAPlant(const Plant& plant)
      : plant_(plant),
        context_(plant.CreateDefaultContext()),
        dynamics_(plant) {
    const int nv = plant.num_velocities();
    q_ = VectorXd::Zero(plant.num_positions());
    v_ = vdot_ = tau_ = VectorXd::Zero(nv);
    for (VectorXd* x : {&q_, &v_, &vdot_, &tau_}) {
      for (double& entry : *x) entry = DrawNumber();
    }
    if (plant.num_positions() > nv) q_.head<4>().normalize();
    plant.SetPositions(context_.get(), q_);
    plant.SetVelocities(context_.get(), v_);
    values_.insert(dynamics_.q(), q_);
    values_.insert(dynamics_.v(), v_);
    values_.insert(dynamics_.vdot(), vdot_);
    values_.insert(dynamics_.tau(), tau_);
  }

  MatrixXd ValueOf(const MatrixX<Expression>& m) const {
    return Evaluate(m, values_);
  }
  MatrixXd MassMatrix() const {
    MatrixXd M(v_.size(), v_.size());
    plant_.CalcMassMatrix(*context_, &M);
    return M;
  }
  VectorXd BiasTerm() const {
    VectorXd Cv(v_.size());
    plant_.CalcBiasTerm(*context_, &Cv);
    return Cv;
  }
  VectorXd Gravity() const {
    return plant_.CalcGravityGeneralizedForces(*context_);
  }
  // With gravity and damping.
  VectorXd InverseDynamics(const VectorXd& vdot) const {
    MultibodyForces<double> forces(plant_);
    plant_.CalcForceElementsContribution(*context_, &forces);
    return plant_.CalcInverseDynamics(*context_, vdot, forces);
  }
  VectorXd ForwardDynamics() const {
    return MassMatrix().ldlt().solve(
        tau_ - InverseDynamics(VectorXd::Zero(v_.size())));
  }
  MatrixXd Jacobian(const Frame<double>& frame) const {
    MatrixXd J(6, v_.size());
    plant_.CalcJacobianSpatialVelocity(
        *context_, JacobianWrtVariable::kV, frame, Vector3d::Zero(),
        plant_.world_frame(), plant_.world_frame(), &J);
    return J;
  }

  const Plant& plant_;
  std::unique_ptr<systems::Context<double>> context_;
  SymbolicDynamics dynamics_;
  VectorXd q_, v_, vdot_, tau_;
  Environment values_;
};

void ExpectThePlantsNumbers(const ExpressionsOfAPlant& robot,
                            const Frame<double>& tip) {
  const SymbolicDynamics& d = robot.dynamics_;
  // Round-off of a few hundred operations on numbers of up to a few hundred.
  EXPECT_TRUE(
      Near(robot.ValueOf(d.CalcMassMatrix()), robot.MassMatrix(), 1e-11));
  EXPECT_TRUE(Near(robot.ValueOf(d.CalcBiasTerm()), robot.BiasTerm(), 1e-11));
  EXPECT_TRUE(Near(robot.ValueOf(d.CalcGravityGeneralizedForces()),
                   robot.Gravity(), 1e-11));
  EXPECT_TRUE(Near(robot.ValueOf(d.CalcInverseDynamics()),
                   robot.InverseDynamics(robot.vdot_), 1e-11));
  const VectorXd vdot = robot.ForwardDynamics();
  EXPECT_TRUE(
      Near(robot.ValueOf(d.CalcForwardDynamics()), vdot, 1e-10 * vdot.norm()));
  EXPECT_TRUE(Near(robot.ValueOf(d.CalcSpatialVelocityJacobian(tip)),
                   robot.Jacobian(tip), 1e-12));
  const auto X = tip.CalcPoseInWorld(*robot.context_);
  const auto [R, p] = d.CalcFramePose(tip);
  EXPECT_TRUE(Near(robot.ValueOf(R), X.rotation().matrix(), 1e-13));
  EXPECT_TRUE(Near(robot.ValueOf(p), X.translation(), 1e-13));
}

constexpr char kArm[] = WYVERN_SOURCE_DIR "/examples/models/arm.urdf";

TEST(SymbolicRobot, AnArmHasThePlantsNumbers) {
  Plant plant(0.0);
  Parser(&plant).AddModels(kArm);
  plant.Finalize();
  const ExpressionsOfAPlant robot(plant);
  ExpectThePlantsNumbers(robot,
                         plant.get_frame(FrameIndex(plant.num_frames() - 1)));
}

TEST(SymbolicRobot, AFloatingBaseHasThePlantsNumbers) {
  Plant plant(0.0);
  const auto& base = plant.AddRigidBody("base", UnitInertiaOf());
  const auto& arm = plant.AddRigidBody(
      "arm", SpatialInertia<double>::SolidBoxWithMass(2, 0.1, 0.2, 0.3));
  plant.AddJoint<RevoluteJoint>(
      "joint", base, math::RigidTransformd(Vector3d(0.1, 0.2, 0.3)), arm,
      math::RigidTransformd(math::RollPitchYawd(0.1, 0.2, 0.3),
                            Vector3d(0, 0, 0.4)),
      Vector3d(1, 2, 2) / 3);
  plant.Finalize();
  ExpectThePlantsNumbers(ExpressionsOfAPlant(plant), arm.body_frame());
}

TEST(SymbolicRobot, TheDerivativeOfTheMassMatrixGivesTheBiasTerm) {
  Plant plant(0.0);
  Parser(&plant).AddModels(kArm);
  plant.Finalize();
  const ExpressionsOfAPlant robot(plant);
  const SymbolicDynamics& d = robot.dynamics_;
  const MatrixX<Expression> M = d.CalcMassMatrix();
  // Lagrange: C v = Ṁ v - 1/2 ∂(v'M v)/∂q.
  const VectorX<Expression> p = M * d.v();
  const Expression twice = d.v().dot(p);
  const VectorX<Expression> Cv =
      Jacobian(p, d.q()) * d.v() - 0.5 * twice.Jacobian(d.q()).transpose();
  EXPECT_TRUE(Near(robot.ValueOf(Cv), robot.BiasTerm(), 1e-11));
}

// By articulated bodies, which the expressions are not made by.
VectorXd EngineForwardDynamics(const ExpressionsOfAPlant& robot) {
  const Plant& plant = robot.plant_;
  plant.get_applied_generalized_force_input_port().FixValue(
      robot.context_.get(), robot.tau_);
  return plant.EvalTimeDerivatives(*robot.context_)
      .get_generalized_velocity()
      .CopyToVector();
}

using From1 = void(const double*, double*);
using From2 = void(const double*, const double*, double*);
using From3 = void(const double*, const double*, const double*, double*);
using From3To2 = void(const double*, const double*, const double*, double*,
                      double*);
using From3To3 = void(const double*, const double*, const double*, double*,
                      double*, double*);

testing::AssertionResult Agrees(const MatrixXd& given, const MatrixXd& wanted) {
  return Near(given, wanted, 1e-12 * (1 + wanted.norm()));
}

void ExpectTheEnginesMotion(const test::CompiledCode& code,
                            const ExpressionsOfAPlant& robot) {
  const int n = static_cast<int>(robot.v_.size());
  MatrixXd M(n, n);
  VectorXd x(n);
  const double *const q = robot.q_.data(), *const v = robot.v_.data();
  code.Get<From1>("robot_mass_matrix")(q, M.data());
  EXPECT_TRUE(Agrees(M, robot.MassMatrix()));
  code.Get<From2>("robot_bias_term")(q, v, x.data());
  EXPECT_TRUE(Agrees(x, robot.BiasTerm()));
  code.Get<From1>("robot_gravity")(q, x.data());
  EXPECT_TRUE(Agrees(x, robot.Gravity()));
  code.Get<From3>("robot_inverse_dynamics")(q, v, robot.vdot_.data(), x.data());
  EXPECT_TRUE(Agrees(x, robot.InverseDynamics(robot.vdot_)));
  code.Get<From3>("robot_forward_dynamics")(q, v, robot.tau_.data(), x.data());
  EXPECT_TRUE(Agrees(x, EngineForwardDynamics(robot)));
}

// The engine's are in closed form, by composite bodies.
void ExpectTheEnginesDerivatives(const test::CompiledCode& code,
                                 const ExpressionsOfAPlant& robot) {
  const Plant& plant = robot.plant_;
  const int nq = plant.num_positions(), nv = plant.num_velocities();
  const MatrixXd N = plant.MakeVelocityToQDotMap(*robot.context_);
  const MultibodyForces<double> none(plant);
  MatrixXd dq(nv, nq), dv(nv, nv), dtau(nv, nv);
  MatrixXd wanted_dq(nv, nv), wanted_dv(nv, nv), wanted_dtau(nv, nv);
  const double *const q = robot.q_.data(), *const v = robot.v_.data();
  code.Get<From3To2>("robot_inverse_dynamics_derivatives")(
      q, v, robot.vdot_.data(), dq.data(), dv.data());
  plant.CalcInverseDynamicsDerivatives(*robot.context_, robot.vdot_, none,
                                       &wanted_dq, &wanted_dv, &wanted_dtau);
  EXPECT_TRUE(Agrees(dq * N, wanted_dq));
  EXPECT_TRUE(Agrees(dv, wanted_dv));
  code.Get<From3To3>("robot_forward_dynamics_derivatives")(
      q, v, robot.tau_.data(), dq.data(), dv.data(), dtau.data());
  plant.CalcForwardDynamicsDerivatives(*robot.context_, robot.tau_, none,
                                       &wanted_dq, &wanted_dv, &wanted_dtau);
  EXPECT_TRUE(Agrees(dq * N, wanted_dq));
  EXPECT_TRUE(Agrees(dv, wanted_dv));
  EXPECT_TRUE(Agrees(dtau, wanted_dtau));
}

// All of a robot's code against the engine, to rounding.
void ExpectTheEngine(const Plant& plant) {
  const Frame<double>& tip =
      plant.get_frame(FrameIndex(plant.num_frames() - 1));
  DynamicsCodeRequest what;
  what.inverse_dynamics_derivatives = what.forward_dynamics_derivatives = true;
  what.frames = {tip.index()};
  const DynamicsCode code = GenerateDynamicsCode(plant, what);
  EXPECT_EQ(code.source, GenerateDynamicsCode(plant, what).source);
  const test::CompiledCode library({{"robot.h", code.header},
                                    {"robot.c", code.source},
                                    {"user.cc", "#include \"robot.h\"\n"}});
  for (int i = 0; i < 5; ++i) {
    const ExpressionsOfAPlant robot(plant);
    ExpectTheEnginesMotion(library, robot);
    ExpectTheEnginesDerivatives(library, robot);
    MatrixXd J(6, plant.num_velocities()), X(3, 4);
    library.Get<From1>(("robot_jacobian_" + tip.name()).c_str())(
        robot.q_.data(), J.data());
    EXPECT_TRUE(Agrees(J, robot.Jacobian(tip)));
    library.Get<From1>(("robot_pose_" + tip.name()).c_str())(robot.q_.data(),
                                                             X.data());
    EXPECT_TRUE(
        Agrees(X, tip.CalcPoseInWorld(*robot.context_).GetAsMatrix34()));
  }
}

TEST(SymbolicRobot, CodeOfAnArmHasTheEnginesNumbers) {
  Plant plant(0.0);
  Parser(&plant).AddModels(kArm);
  plant.Finalize();
  ExpectTheEngine(plant);
}

// KUKA's iiwa 14, whose centres of mass are beside its joints.
TEST(SymbolicRobot, CodeOfAnIiwaHasTheEnginesNumbers) {
  Plant plant(0.0);
  bench::AddBodies(bench::MakeIiwa14(), &plant);
  ExpectTheEngine(plant);
}

// The mass that gravity pulls differs from the mass that moves; both are added
// to parents with the rest.
TEST(SymbolicRobot, SomeBodiesOfARobotMayBeWeightless) {
  Plant plant(0.0);
  const auto weightless = plant.AddModelInstance("weightless");
  plant.set_gravity_enabled(weightless, false);
  const auto inertia =
      SpatialInertia<double>::SolidBoxWithMass(2, 0.1, 0.2, 0.3);
  const RigidBody<double>* parent = &plant.world_body();
  for (int i = 0; i < 4; ++i) {
    const std::string name = fmt::format("link{}", i);
    const auto& link =
        i == 1 ? plant.AddRigidBody(name, weightless, inertia)
               : plant.AddRigidBody(name, default_model_instance(), inertia);
    plant.AddJoint<RevoluteJoint>(
        name, *parent,
        math::RigidTransformd(math::RollPitchYawd(0.4, 0.2, 0.3),
                              Vector3d(0.1, 0.2, 0.3)),
        link, math::RigidTransformd(Vector3d(0.2, 0.1, 0)),
        Vector3d(1, 2, 2) / 3);
    parent = &link;
  }
  plant.Finalize();
  ExpectThePlantsNumbers(ExpressionsOfAPlant(plant), parent->body_frame());
}

TEST(SymbolicRobot, CodeOfACartPoleHasTheEnginesNumbers) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Plant plant(0.0);
  const auto& cart = plant.AddRigidBody("cart", UnitInertiaOf());
  const auto& pole = plant.AddRigidBody("pole", UnitInertiaOf());
  plant.AddJoint<PrismaticJoint>("track", plant.world_body(), {}, cart, {},
                                 Vector3d::UnitX(), -kInf, kInf, 0.3);
  plant.AddJoint<RevoluteJoint>("hinge", cart, {}, pole,
                                math::RigidTransformd(Vector3d(0, 0, 0.4)),
                                -Vector3d::UnitY(), 0.2);
  plant.Finalize();
  ExpectTheEngine(plant);
}

// Two fingers on a palm, with a rotor: what branches, and is more than a chain.
TEST(SymbolicRobot, CodeOfAHandHasTheEnginesNumbers) {
  Plant plant(0.0);
  const auto inertia =
      SpatialInertia<double>::SolidBoxWithMass(0.7, 0.1, 0.2, 0.3);
  const auto& palm = plant.AddRigidBody("palm", inertia);
  const auto& wrist = plant.AddJoint<RevoluteJoint>(
      "wrist", plant.world_body(), {}, palm, {}, Vector3d::UnitX());
  auto& actuator =
      const_cast<JointActuator<double>&>(plant.AddJointActuator("m", wrist));
  actuator.set_default_rotor_inertia(1e-3);
  actuator.set_default_gear_ratio(20);
  for (const double side : {-1.0, 1.0}) {
    const RigidBody<double>* parent = &palm;
    for (const char* part : {"near", "far"}) {
      const std::string name = fmt::format("{}{}", part, side);
      const auto& finger = plant.AddRigidBody(name, inertia);
      plant.AddJoint<RevoluteJoint>(
          name, *parent,
          math::RigidTransformd(math::RollPitchYawd(0.1, 0.2, side),
                                Vector3d(0.1 * side, 0, 0.2)),
          finger, {}, Vector3d(1, 2, 2) / 3);
      parent = &finger;
    }
  }
  plant.Finalize();
  ExpectTheEngine(plant);
  // The fingers do not touch each other's equations.
  const MatrixX<Expression> M = SymbolicDynamics(plant).CalcMassMatrix();
  EXPECT_TRUE(is_zero(M(1, 3)) && is_zero(M(2, 4)));
}

TEST(SymbolicRobot, CodeOfAFloatingBaseHasTheEnginesNumbers) {
  Plant plant(0.0);
  const auto inertia =
      SpatialInertia<double>::SolidBoxWithMass(2, 0.1, 0.2, 0.3);
  const auto& base = plant.AddRigidBody("base", inertia);
  const auto& arm = plant.AddRigidBody("arm", inertia);
  plant.AddJoint<RevoluteJoint>(
      "joint", base, math::RigidTransformd(Vector3d(0.1, 0.2, 0.3)), arm,
      math::RigidTransformd(math::RollPitchYawd(0.1, 0.2, 0.3),
                            Vector3d(0, 0, 0.4)),
      Vector3d(1, 2, 2) / 3);
  plant.Finalize();
  ExpectTheEngine(plant);
}

// The first joint's angle turns all alike. In world axes it is in every entry.
TEST(SymbolicRobot, TheFirstAngleOfAnArmIsNotInItsEquations) {
  Plant plant(0.0);
  bench::AddBodies(bench::MakeIiwa14(), &plant);
  const SymbolicDynamics d(plant);
  const Variable& first = d.q()[0];
  EXPECT_FALSE(GetDistinctVariables(d.CalcMassMatrix()).include(first));
  EXPECT_FALSE(GetDistinctVariables(d.CalcBiasTerm()).include(first));
  // It is about the vertical.
  EXPECT_FALSE(GetDistinctVariables(d.CalcForwardDynamics()).include(first));
}

// The generated code of an arm has a bound on its number of operations.
TEST(SymbolicRobot, ForwardDynamicsIsInTheBodiesAxes) {
  Plant plant(0.0);
  Parser(&plant).AddModels(kArm);
  plant.Finalize();
  const SymbolicDynamics d(plant);
  VectorX<Variable> variables(21);
  variables << d.q(), d.v(), d.tau();
  // There are 1129, and a tenth is left for other simplifications. In world
  // axes there were above 5500.
  EXPECT_LT(
      symbolic::ExpressionTape(variables, d.CalcForwardDynamics()).num_steps(),
      1250);
}

TEST(SymbolicRobot, AJointThatMovesNoInertiaIsNamed) {
  Plant plant(0.0);
  const auto& heavy = plant.AddRigidBody("heavy", UnitInertiaOf());
  const auto& light =
      plant.AddRigidBody("light", SpatialInertia<double>::Zero());
  plant.AddJoint<RevoluteJoint>("a", plant.world_body(), {}, heavy, {},
                                Vector3d::UnitY());
  plant.AddJoint<RevoluteJoint>("b", heavy, {}, light, {}, Vector3d::UnitY());
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(SymbolicDynamics(plant).CalcForwardDynamics(),
                        dynamics::SingularInertia, "velocity 1");
}

TEST(SymbolicRobot, SaysWhatItCannotDo) {
  Plant plant(0.0);
  const auto& bob = plant.AddRigidBody("bob", UnitInertiaOf());
  plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, bob, {},
                                Vector3d::UnitY());
  EXPECT_THROWS_MESSAGE(SymbolicDynamics{plant}, std::logic_error,
                        "not finalized");
  plant.Finalize();
  Plant other(0.0);
  other.Finalize();
  const SymbolicDynamics dynamics(plant);
  EXPECT_THROWS_MESSAGE(dynamics.CalcFramePose(other.world_frame()),
                        std::logic_error, "of another plant");
  DynamicsCodeRequest what;
  what.name = "2 arms";
  EXPECT_THROWS_MESSAGE(GenerateDynamicsCode(plant, what), std::logic_error,
                        "is no identifier");
  what.name = "arm";
  what.frames = {FrameIndex(99)};
  EXPECT_THROWS_MESSAGE(GenerateDynamicsCode(plant, what), std::out_of_range,
                        "frame is 99");
  what.frames = {bob.body_frame().index(), bob.body_frame().index()};
  EXPECT_THROWS_MESSAGE(GenerateDynamicsCode(plant, what), std::logic_error,
                        "arm_pose_bob");
  DynamicsCodeRequest nothing;
  nothing.mass_matrix = nothing.bias_term = nothing.gravity = false;
  nothing.inverse_dynamics = nothing.forward_dynamics = false;
  EXPECT_THROWS_MESSAGE(GenerateDynamicsCode(plant, nothing), std::logic_error,
                        "nothing is requested");
}

TEST(SymbolicRobot, RefusesAClosedLoop) {
  Plant plant(0.0);
  const auto& bob = plant.AddRigidBody("bob", UnitInertiaOf());
  plant.AddJoint<RevoluteJoint>("hinge", plant.world_body(), {}, bob, {},
                                Vector3d::UnitY());
  plant.AddBallConstraint(plant.world_body(), Vector3d(0.6, 0, 0), bob,
                          Vector3d(0.6, 0, 0));
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(GenerateDynamicsCode(plant), std::logic_error,
                        "1 constraints");
}

}  // namespace
}  // namespace wyvern::multibody
