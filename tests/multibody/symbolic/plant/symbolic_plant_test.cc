// Plants of expressions: of a tree with every joint and force element against
// the plant of numbers, point by point.
#include "wyvern/multibody/symbolic/plant/symbolic_plant.h"

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/symbolic/plant/expect_same.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/curvilinear_joint.h"
#include "wyvern/multibody/tree/door_hinge.h"
#include "wyvern/multibody/tree/ellipsoid_drag.h"
#include "wyvern/multibody/tree/linear_bushing_roll_pitch_yaw.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/prismatic_spring.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/revolute_spring.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/screw_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/systems/framework/diagram_builder.h"
#include "wyvern/systems/primitives/gain.h"
#include "wyvern/systems/symbolic/systems/system_symbolic_inspector.h"

namespace wyvern::multibody {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;
using math::RollPitchYawd;
using symbolic::Environment;
using symbolic::Expression;
using symbolic::Variable;
using systems::Context;
using wyvern::test::ExpectSame;
using wyvern::test::Near;
using Plant = MultibodyPlant<double>;
using SymbolicPlant = MultibodyPlant<Expression>;

using Vector1d = Eigen::Matrix<double, 1, 1>;

double DrawNumber() {
  static std::mt19937 generator(1);
  return std::uniform_real_distribution<double>(0.2, 0.9)(generator);
}

VectorXd DrawVector(int n) {
  VectorXd x(n);
  for (double& entry : x) entry = DrawNumber();
  return x;
}

RigidTransformd SomePose() {
  return RigidTransformd(
      RollPitchYawd(DrawNumber(), DrawNumber(), DrawNumber()),
      Vector3d(DrawNumber(), DrawNumber(), DrawNumber()));
}

const RigidBody<double>& AddBody(Plant* plant) {
  return plant->AddRigidBody(
      "body" + std::to_string(plant->num_bodies()),
      SpatialInertia<double>::SolidBoxWithMass(1 + DrawNumber(), DrawNumber(),
                                               DrawNumber(), DrawNumber()));
}

// A body on a joint of a type, with damping where its constructor takes it.
template <template <typename> class JointType, typename... Args>
const RigidBody<double>& AddOn(Plant* plant, const RigidBody<double>& parent,
                               const Args&... args) {
  const auto& body = AddBody(plant);
  const auto& F = plant->AddFrame(std::make_unique<FixedOffsetFrame<double>>(
      "F" + body.name(), parent, SomePose()));
  const auto& M = plant->AddFrame(std::make_unique<FixedOffsetFrame<double>>(
      "M" + body.name(), body, SomePose()));
  plant->AddJoint(
      std::make_unique<JointType<double>>(body.name(), F, M, args...));
  return body;
}

// Two trees: on a base that floats by a quaternion, and on one by angles.
void AddTreesWithEveryJoint(Plant* plant) {
  const Vector3d axis(1, 2, 2);
  const auto& base = AddBody(plant);
  plant->AddJoint<QuaternionFloatingJoint>("base", plant->world_body(), {},
                                           base, {}, 0.1, 0.2);
  const auto& a = AddOn<RevoluteJoint>(plant, base, axis, 0.3);
  const auto& b = AddOn<ScrewJoint>(plant, a, axis, 0.4, 0.1);
  AddOn<BallRpyJoint>(plant, b, 0.2);
  AddOn<PlanarJoint>(plant, base, Vector3d(0.1, 0.2, 0.3));
  const auto& other = AddOn<RpyFloatingJoint>(plant, plant->world_body());
  const auto& c = AddOn<WeldJoint>(plant, other, SomePose());
  const auto& d = AddOn<UniversalJoint>(plant, c, 0.2);
  const auto& e = AddOn<PrismaticJoint>(plant, other, axis, 0.1);
  AddOn<QuaternionBallJoint>(plant, e, 0.1);
  // And every force element.
  plant->AddForceElement<RevoluteSpring>(
      dynamic_cast<const RevoluteJoint<double>&>(
          plant->GetJointByName(a.name())),
      0.3, 2.0);
  plant->AddForceElement<PrismaticSpring>(
      dynamic_cast<const PrismaticJoint<double>&>(
          plant->GetJointByName(e.name())),
      0.3, 2.0);
  plant->AddForceElement<DoorHinge>(dynamic_cast<const RevoluteJoint<double>&>(
                                        plant->GetJointByName(a.name())),
                                    DoorHingeConfig{});
  plant->AddForceElement<LinearSpringDamper>(b, Vector3d(1, 0, 0), d,
                                             Vector3d(0, 2, 0), 0.5, 3, 0.4);
  plant->AddForceElement<LinearBushingRollPitchYaw>(
      base.body_frame(), c.body_frame(), Vector3d(1, 2, 3),
      Vector3d(0.1, 0.2, 0.3), Vector3d(2, 3, 4), Vector3d(0.3, 0.2, 0.1));
  plant->AddForceElement<EllipsoidDrag>(
      d, math::RigidTransform<double>(Vector3d(0.1, 0.2, 0.3)),
      Vector3d(0.3, 0.2, 0.1), FluidMedium{.density = 3, .viscosity = 2});
}

// A plant at a random state, in expressions and in numbers.
class Both {
 public:
  explicit Both(const Plant& plant)
      : numbers(plant),
        symbolic(ToSymbolic(plant)),
        context(plant.CreateDefaultContext()),
        symbolic_context(symbolic->CreateDefaultContext()),
        q(symbolic::MakeVectorContinuousVariable(plant.num_positions(), "q")),
        v(symbolic::MakeVectorContinuousVariable(plant.num_velocities(), "v")) {
    VectorXd q_value = DrawVector(plant.num_positions());
    for (const JointIndex index : plant.GetJointIndices()) {
      const auto& joint = plant.get_joint(index);
      if (joint.num_positions() == joint.num_velocities()) continue;
      q_value.segment<4>(joint.position_start()).normalize();
    }
    const VectorXd v_value = DrawVector(plant.num_velocities());
    plant.SetPositions(context.get(), q_value);
    plant.SetVelocities(context.get(), v_value);
    symbolic->SetPositions(symbolic_context.get(), q.cast<Expression>());
    symbolic->SetVelocities(symbolic_context.get(), v.cast<Expression>());
    values.insert(q, q_value);
    values.insert(v, v_value);
  }

  // Relative to the largest number; round-off of some thousand operations.
  template <typename Given, typename Wanted>
  void ExpectValue(const char* what, const Given& given,
                   const Wanted& wanted) const {
    const MatrixXd w = wanted;
    const double size = w.size() == 0 ? 1 : 1 + w.cwiseAbs().maxCoeff();
    EXPECT_TRUE(Near(Evaluate(given, values), w, 1e-11 * size)) << what;
  }

  const Plant& numbers;
  std::unique_ptr<SymbolicPlant> symbolic;
  std::unique_ptr<Context<double>> context;
  std::unique_ptr<Context<Expression>> symbolic_context;
  VectorX<Variable> q, v;
  Environment values;
};

template <typename T>
MatrixX<T> MassMatrixOf(const MultibodyPlant<T>& plant,
                        const Context<T>& context) {
  MatrixX<T> M(plant.num_velocities(), plant.num_velocities());
  plant.CalcMassMatrix(context, &M);
  return M;
}
template <typename T>
VectorX<T> BiasOf(const MultibodyPlant<T>& plant, const Context<T>& context) {
  VectorX<T> Cv(plant.num_velocities());
  plant.CalcBiasTerm(context, &Cv);
  return Cv;
}
template <typename T>
VectorX<T> InverseDynamicsOf(const MultibodyPlant<T>& plant,
                             const Context<T>& context, const VectorXd& vdot) {
  MultibodyForces<T> forces(plant);
  plant.CalcForceElementsContribution(context, &forces);
  return plant.CalcInverseDynamics(context, vdot.template cast<T>(), forces);
}
template <typename T>
MatrixX<T> JacobianOf(const MultibodyPlant<T>& plant, const Context<T>& context,
                      BodyIndex body) {
  MatrixX<T> J(6, plant.num_velocities());
  plant.CalcJacobianSpatialVelocity(
      context, JacobianWrtVariable::kV, plant.get_body(body).body_frame(),
      Vector3<T>(0.1, 0.2, 0.3), plant.get_body(BodyIndex(1)).body_frame(),
      plant.world_frame(), &J);
  return J;
}
template <typename T>
VectorX<T> DerivativesOf(const MultibodyPlant<T>& plant,
                         const Context<T>& context) {
  return plant.EvalTimeDerivatives(context).CopyToVector();
}

TEST(SymbolicPlant, EveryJointHasThePlantsDynamics) {
  Plant plant(0.0);
  AddTreesWithEveryJoint(&plant);
  plant.Finalize();
  const Both x(plant);
  const auto& e = *x.symbolic;
  const auto& at = *x.symbolic_context;
  x.ExpectValue("M", MassMatrixOf(e, at), MassMatrixOf(plant, *x.context));
  x.ExpectValue("C v", BiasOf(e, at), BiasOf(plant, *x.context));
  x.ExpectValue("g", e.CalcGravityGeneralizedForces(at),
                plant.CalcGravityGeneralizedForces(*x.context));
  const VectorXd vdot = DrawVector(plant.num_velocities());
  x.ExpectValue("inverse dynamics", InverseDynamicsOf(e, at, vdot),
                InverseDynamicsOf(plant, *x.context, vdot));
  x.ExpectValue("derivatives", DerivativesOf(e, at),
                DerivativesOf(plant, *x.context));
  Vector4<Expression> energies(
      e.CalcKineticEnergy(at), e.CalcPotentialEnergy(at),
      e.CalcConservativePower(at), e.CalcNonConservativePower(at));
  x.ExpectValue("energies", energies,
                Eigen::Vector4d(plant.CalcKineticEnergy(*x.context),
                                plant.CalcPotentialEnergy(*x.context),
                                plant.CalcConservativePower(*x.context),
                                plant.CalcNonConservativePower(*x.context)));
  x.ExpectValue("center of mass", e.CalcCenterOfMassPositionInWorld(at),
                plant.CalcCenterOfMassPositionInWorld(*x.context));
}

TEST(SymbolicPlant, EveryJointHasThePlantsKinematics) {
  Plant plant(0.0);
  AddTreesWithEveryJoint(&plant);
  plant.Finalize();
  const Both x(plant);
  const auto& e = *x.symbolic;
  const auto& at = *x.symbolic_context;
  for (BodyIndex i(1); i < plant.num_bodies(); ++i) {
    const auto& body = plant.get_body(i);
    const auto& twin = e.get_body(i);
    x.ExpectValue("pose", twin.EvalPoseInWorld(at).GetAsMatrix34(),
                  body.EvalPoseInWorld(*x.context).GetAsMatrix34());
    x.ExpectValue("velocity", twin.EvalSpatialVelocityInWorld(at).get_coeffs(),
                  body.EvalSpatialVelocityInWorld(*x.context).get_coeffs());
    x.ExpectValue("Jacobian", JacobianOf(e, at, i),
                  JacobianOf(plant, *x.context, i));
  }
  // An inertia without numbers is NaN; only its evaluation throws.
  EXPECT_THROWS_MESSAGE(SpatialInertia<Expression>::NaN().get_mass().Evaluate(),
                        std::runtime_error, "NaN");
  const auto& tip = plant.get_body(BodyIndex(4));
  x.ExpectValue(
      "acceleration",
      e.get_body(tip.index()).EvalSpatialAccelerationInWorld(at).get_coeffs(),
      tip.EvalSpatialAccelerationInWorld(*x.context).get_coeffs());
  using Forces = std::vector<SpatialForce<Expression>>;
  using Numbers = std::vector<SpatialForce<double>>;
  x.ExpectValue(
      "reaction force",
      e.get_reaction_forces_output_port().Eval<Forces>(at)[2].get_coeffs(),
      plant.get_reaction_forces_output_port()
          .Eval<Numbers>(*x.context)[2]
          .get_coeffs());
}

// Dry friction, position limits and a motor with an effort limit are clamped.
TEST(SymbolicPlant, ClampedForcesAreThePlantsOnAllBranches) {
  Plant plant(0.0);
  const auto& a = AddBody(&plant);
  auto& hinge = const_cast<RevoluteJoint<double>&>(
      plant.AddJoint<RevoluteJoint>("a", plant.world_body(), {}, a, {},
                                    Vector3d::UnitX(), -0.1, 0.5, 0.1));
  hinge.set_default_friction_vector(Vector1d(0.3));
  const auto& b = AddOn<RpyFloatingJoint>(&plant, plant.world_body());
  auto& floating = const_cast<Joint<double>&>(plant.GetJointByName(b.name()));
  constexpr double kInf = std::numeric_limits<double>::infinity();
  VectorXd upper = VectorXd::Constant(6, kInf);
  upper[1] = 0.4;
  floating.set_position_limits(VectorXd::Constant(6, -kInf), upper);
  auto& motor = const_cast<JointActuator<double>&>(
      plant.AddJointActuator("motor", hinge, 2.0));
  motor.set_controller_gains({10, 1});
  plant.Finalize();
  for (int i = 0; i < 20; ++i) {
    Both x(plant);
    VectorXd v = x.numbers.GetVelocities(*x.context);
    if (i % 2 == 1) v[0] *= -1e-3;
    if (i % 4 > 1) v[0] *= -1;
    x.numbers.SetVelocities(x.context.get(), v);
    for (int k = 0; k < v.size(); ++k) x.values[x.v[k]] = v[k];
    const VectorXd desired = DrawVector(2);
    plant.get_desired_state_input_port(ModelInstanceIndex(1))
        .FixValue(x.context.get(), desired);
    x.symbolic->get_desired_state_input_port(ModelInstanceIndex(1))
        .FixValue(x.symbolic_context.get(),
                  VectorX<Expression>(desired.cast<Expression>()));
    x.ExpectValue("derivatives",
                  DerivativesOf(*x.symbolic, *x.symbolic_context),
                  DerivativesOf(plant, *x.context));
    x.ExpectValue(
        "motor",
        x.symbolic->get_net_actuation_output_port().Eval(*x.symbolic_context),
        plant.get_net_actuation_output_port().Eval(*x.context));
  }
}

// A chain with what derivatives pass through: springs, a ball, a screw.
void AddChain(Plant* plant) {
  const auto& a =
      AddOn<RevoluteJoint>(plant, plant->world_body(), Vector3d(1, 2, 2), 0.3);
  const auto& b = AddOn<ScrewJoint>(plant, a, Vector3d(2, 1, 2), 0.4, 0.1);
  AddOn<BallRpyJoint>(plant, b, 0.2);
}

TEST(SymbolicPlant, DerivativesAreThoseOfAutoDiff) {
  Plant plant(0.0);
  AddChain(&plant);
  plant.Finalize();
  const Both x(plant);
  const auto autodiff = systems::System<double>::ToAutoDiffXd(plant);
  const auto context = autodiff->CreateDefaultContext();
  const int n = plant.num_positions();
  const VectorXd state = plant.GetPositionsAndVelocities(*x.context);
  autodiff->SetPositionsAndVelocities(context.get(),
                                      math::InitializeAutoDiff(state));
  VectorX<Variable> variables(2 * n);
  variables << x.q, x.v;
  x.ExpectValue("Jacobian",
                symbolic::Jacobian(
                    DerivativesOf(*x.symbolic, *x.symbolic_context), variables),
                math::ExtractGradient(DerivativesOf(*autodiff, *context)));
}

TEST(SymbolicPlant, ADiscreteStepIsThePlants) {
  Plant plant(0.01);
  AddChain(&plant);
  plant.Finalize();
  const Both x(plant);
  const auto state = x.context->CloneState();
  plant.CalcForcedUnrestrictedUpdate(*x.context, state.get());
  x.ExpectValue(
      "next state",
      x.symbolic->EvalUniquePeriodicDiscreteUpdate(*x.symbolic_context)
          .value(0),
      state->get_discrete_state().value(0));
  // Ports show the present step: there is no sample in expressions.
  EXPECT_TRUE(plant.has_sampled_output_ports());
  EXPECT_FALSE(x.symbolic->has_sampled_output_ports());
  x.symbolic->get_generalized_acceleration_output_port().Eval(
      *x.symbolic_context);
}

TEST(SymbolicPlant, ALockedJointStays) {
  Plant plant(0.0);
  AddChain(&plant);
  plant.Finalize();
  const Both x(plant);
  const JointIndex first(0);
  plant.get_joint(first).Lock(x.context.get());
  x.symbolic->get_joint(first).Lock(x.symbolic_context.get());
  x.ExpectValue("derivatives", DerivativesOf(*x.symbolic, *x.symbolic_context),
                DerivativesOf(plant, *x.context));
}

TEST(SymbolicPlant, ForcesOnBodiesAreThePlants) {
  Plant plant(0.0);
  AddChain(&plant);
  plant.Finalize();
  const Both x(plant);
  const VectorXd F = DrawVector(6);
  plant.get_applied_spatial_force_input_port().FixValue(
      x.context.get(),
      std::vector<ExternallyAppliedSpatialForce<double>>{
          {BodyIndex(2), Vector3d(1, 2, 3), SpatialForce<double>(F)}});
  x.symbolic->get_applied_spatial_force_input_port().FixValue(
      x.symbolic_context.get(),
      std::vector<ExternallyAppliedSpatialForce<Expression>>{
          {BodyIndex(2), Vector3<Expression>(1, 2, 3),
           SpatialForce<Expression>(F.cast<Expression>())}});
  x.ExpectValue("derivatives", DerivativesOf(*x.symbolic, *x.symbolic_context),
                DerivativesOf(plant, *x.context));
  const auto M_inverse = [](const auto& p, const auto& context) {
    auto M = MassMatrixOf(p, context);
    p.CalcMassMatrixInverse(context, &M);
    return M;
  };
  x.ExpectValue("inverse", M_inverse(*x.symbolic, *x.symbolic_context),
                M_inverse(plant, *x.context));
}

// Gain, plant: u is twice the torque.
std::unique_ptr<systems::Diagram<double>> MakeDiagram() {
  systems::DiagramBuilder<double> builder;
  auto* plant = builder.AddSystem<Plant>(0.0);
  plant->set_name("plant");
  const auto& bob = plant->AddRigidBody(
      "bob", SpatialInertia<double>::PointMass(2.0, Vector3d(0, 0, -0.5)));
  plant->AddJointActuator("motor", plant->AddJoint<RevoluteJoint>(
                                       "hinge", plant->world_body(), {}, bob,
                                       {}, Vector3d::UnitY(), 0.25));
  plant->Finalize();
  auto* gain = builder.AddSystem<systems::Gain<double>>(2.0, 1);
  builder.Connect(gain->get_output_port(), plant->get_actuation_input_port());
  builder.ExportInput(gain->get_input_port());
  builder.ExportOutput(plant->get_state_output_port());
  return builder.Build();
}

TEST(SymbolicPlant, ADiagramIsInspectedAndLinearized) {
  const auto diagram = MakeDiagram();
  const auto symbolic = diagram->ToSymbolic();
  const auto context = symbolic->CreateDefaultContext();
  const systems::SystemSymbolicInspector inspector(*symbolic, *context);
  const auto& x = inspector.continuous_state();
  const Expression u = inspector.input(0)[0];
  ExpectSame(inspector.derivatives(),
             Vector2<Expression>(
                 x[1], (2 * u - 0.25 * x[1] - 9.81 * sin(x[0])) / 0.5));
  EXPECT_TRUE(inspector.IsTimeInvariant());
  EXPECT_FALSE(inspector.HasAffineDynamics());
  EXPECT_FALSE(inspector.IsConnectedInputToOutput(0, 0));
  const auto linear = LinearizeSymbolically(inspector);
  Matrix2<Expression> A;
  A << 0, 1, -9.81 * cos(x[0]) / 0.5, -0.5;
  ExpectSame(linear.A, A);
  ExpectSame(linear.B, Vector2<Expression>(0, 4));
}

// With parameters as variables, too.
TEST(SymbolicPlant, ParametersAreVariablesOfTheInspector) {
  const auto symbolic = MakeDiagram()->ToSymbolic();
  const systems::SystemSymbolicInspector inspector(*symbolic);
  Environment values;
  values.insert(inspector.continuous_state(), Eigen::Vector2d(0.3, 0.4));
  values.insert(inspector.input(0), Vector1d(0.5));
  const auto context = symbolic->CreateDefaultContext();
  for (int i = 0; i < context->num_numeric_parameter_groups(); ++i) {
    values.insert(inspector.numeric_parameters(i),
                  ToDouble(context->get_numeric_parameter(i).value()));
  }
  EXPECT_NEAR(inspector.derivatives()[1].Evaluate(values),
              (1.0 - 0.1 - 9.81 * std::sin(0.3)) / 0.5, 1e-13);
}

TEST(SymbolicPlant, ComesBackAsItWas) {
  Plant plant(0.0);
  AddTreesWithEveryJoint(&plant);
  plant.Finalize();
  const Both x(plant);
  const auto back = x.symbolic->ToScalarType<double>();
  const auto& numbers = dynamic_cast<const Plant&>(*back);
  const auto context = numbers.CreateDefaultContext();
  numbers.SetPositionsAndVelocities(
      context.get(), plant.GetPositionsAndVelocities(*x.context));
  EXPECT_EQ(DerivativesOf(numbers, *context), DerivativesOf(plant, *x.context));
  const auto clone = systems::System<Expression>::Clone(*x.symbolic);
  EXPECT_EQ(clone->num_velocities(), plant.num_velocities());
  EXPECT_EQ(clone->num_force_elements(), plant.num_force_elements());
  // A Context's clone, and its numbers in a Context of the plant of numbers.
  const auto copy = x.symbolic_context->Clone();
  EXPECT_TRUE(CheckStructuralEquality(x.symbolic->GetPositions(*copy),
                                      x.q.cast<Expression>()));
}

TEST(SymbolicPlant, AStateOfNumbersIsTakenOver) {
  Plant plant(0.0);
  AddChain(&plant);
  plant.Finalize();
  const Both x(plant);
  x.symbolic_context->SetTimeStateAndParametersFrom(*x.context);
  EXPECT_EQ(
      ToDouble(x.symbolic->GetPositionsAndVelocities(*x.symbolic_context)),
      plant.GetPositionsAndVelocities(*x.context));
  EXPECT_TRUE(Near(ToDouble(DerivativesOf(*x.symbolic, *x.symbolic_context)),
                   DerivativesOf(plant, *x.context), 1e-11));
}

// Unsupported calls and their messages.

template <typename T>
class OwnForce final : public ForceElement<T> {
 public:
  OwnForce() : ForceElement<T>(default_model_instance()) {}
  T CalcPotentialEnergy(
      const Context<T>&,
      const internal::PositionKinematicsCache<T>&) const override {
    return T(0);
  }
  T CalcConservativePower(
      const Context<T>&, const internal::PositionKinematicsCache<T>&,
      const internal::VelocityKinematicsCache<T>&) const override {
    return T(0);
  }
  T CalcNonConservativePower(
      const Context<T>&, const internal::PositionKinematicsCache<T>&,
      const internal::VelocityKinematicsCache<T>&) const override {
    return T(0);
  }

 private:
  void DoCalcAndAddForceContribution(
      const Context<T>&, const internal::PositionKinematicsCache<T>&,
      const internal::VelocityKinematicsCache<T>&,
      MultibodyForces<T>*) const override {}
  std::unique_ptr<ForceElement<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>&) const override {
    return nullptr;
  }
  std::unique_ptr<ForceElement<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>&) const override {
    return nullptr;
  }
};

TEST(SymbolicPlant, AnActuatorOfATendonIsCopied) {
  Plant plant(0.0);
  const auto& body =
      AddOn<RevoluteJoint>(&plant, plant.world_body(), Vector3d::UnitY(), 0.3);
  AddOn<PrismaticJoint>(&plant, body, Vector3d::UnitX(), 0.1);
  const std::vector<JointIndex> joints = plant.GetJointIndices();
  plant.AddTendonActuator("pull", {{&plant.get_joint(joints[0]), 2.0},
                                   {&plant.get_joint(joints[1]), -0.5}});
  plant.Finalize();
  const auto symbolic = ToSymbolic(plant);
  const auto B = symbolic->MakeActuationMatrix();
  EXPECT_TRUE(B(0, 0).EqualTo(2));
  EXPECT_TRUE(B(1, 0).EqualTo(-0.5));
}

TEST(SymbolicPlant, AnElementOfTheProgramsOwnIsRefused) {
  Plant plant(0.0);
  plant.AddForceElement<OwnForce>();
  plant.Finalize();
  EXPECT_THROWS_MESSAGE(ToSymbolic(plant), std::logic_error, "OwnForce");
}

TEST(SymbolicPlant, ContactAndConstraintsAreRefusedWhereTheyWouldAct) {
  systems::DiagramBuilder<double> builder;
  auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.0);
  const auto& ball = AddBody(&plant);
  plant.RegisterCollisionGeometry(ball, {}, geometry::Sphere(0.1), "ball",
                                  CoulombFriction<double>(0.5, 0.5));
  plant.Finalize();
  const auto symbolic = ToSymbolic(plant);
  const auto context = symbolic->CreateDefaultContext();
  EXPECT_EQ(MassMatrixOf(*symbolic, *context).rows(), 6);
  EXPECT_EQ(symbolic->num_collision_geometries(), 1);
  EXPECT_EQ(
      symbolic->GetCollisionGeometriesForBody(symbolic->get_body(ball.index()))
          .size(),
      1);
  EXPECT_THROWS_MESSAGE(symbolic->EvalTimeDerivatives(*context),
                        std::logic_error, "collision geometry");

  Plant tied(0.0);
  AddChain(&tied);
  const auto id =
      tied.AddDistanceConstraint(tied.get_body(BodyIndex(1)), Vector3d::Zero(),
                                 tied.world_body(), Vector3d(1, 2, 3), 1.0);
  tied.Finalize();
  const Both x(tied);
  EXPECT_THROWS_MESSAGE(DerivativesOf(*x.symbolic, *x.symbolic_context),
                        std::logic_error, "may be redundant");
  EXPECT_THROWS_MESSAGE(
      x.symbolic->ProjectOntoConstraints(x.symbolic_context.get()),
      std::logic_error, "iteration");
  EXPECT_THROWS_MESSAGE(x.symbolic->CalcConstraintErrors(*x.symbolic_context),
                        std::logic_error, "numbers alone");
  x.symbolic->SetConstraintActiveStatus(x.symbolic_context.get(), id, false);
  tied.SetConstraintActiveStatus(x.context.get(), id, false);
  x.ExpectValue("derivatives", DerivativesOf(*x.symbolic, *x.symbolic_context),
                DerivativesOf(tied, *x.context));
}

TEST(SymbolicPlant, DiscreteStepsThatIterateAreRefused) {
  const auto step = [](const Plant& plant) {
    const auto symbolic = ToSymbolic(plant);
    const auto context = symbolic->CreateDefaultContext();
    VectorX<Expression> v(plant.num_velocities());
    for (auto& entry : v) entry = Variable("v");
    symbolic->SetVelocities(context.get(), v);
    symbolic->EvalUniquePeriodicDiscreteUpdate(*context);
  };
  Plant limited(0.01);
  const auto& a = AddBody(&limited);
  limited.AddJoint<RevoluteJoint>("a", limited.world_body(), {}, a, {},
                                  Vector3d::UnitX(), -0.1, 0.5, 0.1);
  limited.Finalize();
  EXPECT_THROWS_MESSAGE(step(limited), std::logic_error, "position limits");
  Plant free(0.01);
  AddBody(&free);
  free.Finalize();
  EXPECT_THROWS_MESSAGE(step(free), std::logic_error, "turns freely");
}

TEST(SymbolicPlant, WhatNumbersDecideSaysSo) {
  Plant plant(0.0);
  AddChain(&plant);
  plant.Finalize();
  const Both x(plant);
  const int n = plant.num_velocities();
  MatrixX<Expression> a(n, n), b(n, n), c(n, n);
  EXPECT_THROWS_MESSAGE(
      x.symbolic->CalcInverseDynamicsDerivatives(
          *x.symbolic_context, VectorX<Expression>::Zero(n),
          MultibodyForces<Expression>(*x.symbolic), &a, &b, &c),
      std::logic_error, "Jacobian()");
  EXPECT_THROWS_MESSAGE(x.symbolic->get_body(BodyIndex(1))
                            .EvalPoseInWorld(*x.symbolic_context)
                            .IsNearlyEqualTo({}, 1e-3),
                        std::runtime_error, "q(0)");
  // Checks of numbers are as ever.
  EXPECT_THROWS_MESSAGE(
      SpatialInertia<Expression>(-1, Vector3<Expression>::Zero(),
                                 UnitInertia<Expression>::SolidSphere(1)),
      std::logic_error, "mass");
  EXPECT_THROWS_MESSAGE(x.symbolic->SetPositions(x.symbolic_context.get(),
                                                 VectorX<Expression>(1)),
                        std::logic_error, "5");
}

TEST(SymbolicPlant, ACurvilinearJointNeedsANumber) {
  Plant plant(0.0);
  AddOn<CurvilinearJoint>(
      &plant, plant.world_body(),
      trajectories::PiecewiseConstantCurvatureTrajectory<double>(
          {0, 1, 2}, {0, 1}, Vector3d::UnitX(), Vector3d::UnitZ(),
          Vector3d::Zero()),
      0.1);
  plant.Finalize();
  const Both x(plant);
  EXPECT_THROWS_MESSAGE(MassMatrixOf(*x.symbolic, *x.symbolic_context),
                        std::runtime_error, "q(0)");
}

// A pose of variables is set, by conditions, as one of numbers is.
TEST(SymbolicPlant, AFreeBodyIsPutAtAPose) {
  Plant plant(0.0);
  AddBody(&plant);
  plant.Finalize();
  const Both x(plant);
  for (int i = 0; i < 5; ++i) {
    const RigidTransformd X(
        RollPitchYawd(6 * DrawNumber(), 2 * DrawNumber() - 1, 6 * DrawNumber()),
        Vector3d(1, 2, 3));
    MatrixX<Variable> R(3, 3);
    Environment values;
    for (int k = 0; k < 9; ++k) {
      R(k) = Variable("r" + std::to_string(k));
      values.insert(R(k), X.rotation().matrix()(k));
    }
    x.symbolic->SetFreeBodyPose(
        x.symbolic_context.get(), x.symbolic->get_body(BodyIndex(1)),
        math::RigidTransform<Expression>(
            math::RotationMatrix<Expression>(
                Matrix3<Expression>(R.cast<Expression>())),
            Vector3<Expression>(1, 2, 3)));
    plant.SetFreeBodyPose(x.context.get(), plant.get_body(BodyIndex(1)), X);
    EXPECT_TRUE(
        Near(Evaluate(x.symbolic->GetPositions(*x.symbolic_context), values),
             plant.GetPositions(*x.context), 1e-14));
  }
}

}  // namespace
}  // namespace wyvern::multibody
