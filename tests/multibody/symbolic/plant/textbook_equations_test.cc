// The equations of a pendulum, an acrobot and a cart-pole, with symbols for
// masses and lengths, against those of textbooks.
#include <memory>

#include <gtest/gtest.h>

#include "tests/multibody/symbolic/plant/expect_same.h"
#include "wyvern/multibody/symbolic/plant/symbolic_plant.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::multibody {
namespace textbook_equations_test {

using Eigen::Vector3d;
using math::RigidTransformd;
using symbolic::Expression;
using symbolic::Variable;
using systems::Context;
using wyvern::test::ExpectSame;
using Plant = MultibodyPlant<double>;
using SymbolicPlant = MultibodyPlant<Expression>;

// A mechanism whose bodies are point masses with a moment of inertia about y,
// hanging below their joints, all as symbols.
class Textbook : public ::testing::Test {
 protected:
  void Finish() {
    plant_.Finalize();
    symbolic_ = ToSymbolic(plant_);
    context_ = symbolic_->CreateDefaultContext();
    const int n = plant_.num_velocities();
    q_ = symbolic::MakeVectorContinuousVariable(n, "q");
    v_ = symbolic::MakeVectorContinuousVariable(n, "v");
    symbolic_->SetPositions(context_.get(), q_.cast<Expression>());
    symbolic_->SetVelocities(context_.get(), v_.cast<Expression>());
  }
  const RigidBody<double>& Add(const char* name) {
    return plant_.AddRigidBody(
        name, SpatialInertia<double>::SolidSphereWithMass(1.0, 0.5));
  }
  void SetMass(const RigidBody<double>& body, const Expression& mass,
               const Expression& below, const Expression& Iyy) {
    // Moments about y alone matter; the rest is what such a body may have.
    const auto G = UnitInertia<Expression>(Iyy / mass, Iyy / mass, Iyy / mass);
    symbolic_->get_body(body.index())
        .SetSpatialInertiaInBodyFrame(
            context_.get(), SpatialInertia<Expression>(
                                mass, Vector3<Expression>(0, 0, -below), G));
  }
  MatrixX<Expression> M() const {
    const int n = plant_.num_velocities();
    MatrixX<Expression> M(n, n);
    symbolic_->CalcMassMatrix(*context_, &M);
    return M;
  }
  VectorX<Expression> Cv() const {
    VectorX<Expression> Cv(plant_.num_velocities());
    symbolic_->CalcBiasTerm(*context_, &Cv);
    return Cv;
  }
  VectorX<Expression> Gravity() const {
    return symbolic_->CalcGravityGeneralizedForces(*context_);
  }

  Plant plant_{0.0};
  std::unique_ptr<SymbolicPlant> symbolic_;
  std::unique_ptr<Context<Expression>> context_;
  VectorX<Variable> q_, v_;
  const Variable m1{"m1"}, m2{"m2"}, l1{"l1"}, c1{"c1"}, c2{"c2"}, I1{"I1"},
      I2{"I2"}, tau{"tau"};
  const double g = 9.81;
};

TEST_F(Textbook, ThePendulumSwingsByItsFormula) {
  const auto& bob = Add("bob");
  const auto& hinge = plant_.AddJoint<RevoluteJoint>(
      "hinge", plant_.world_body(), {}, bob, {}, Vector3d::UnitY(), 0.25);
  plant_.AddJointActuator("motor", hinge);
  Finish();
  symbolic_->get_body(bob.index())
      .SetSpatialInertiaInBodyFrame(context_.get(),
                                    SpatialInertia<Expression>::PointMass(
                                        m1, Vector3<Expression>(0, 0, -l1)));
  symbolic_->get_actuation_input_port().FixValue(
      context_.get(), VectorX<Expression>(Vector1<Expression>(tau)));
  EXPECT_EQ(M()(0).to_string(), "(m1 * pow(l1, 2))");
  const Expression vdot =
      (tau - 0.25 * v_[0] - m1 * g * l1 * sin(q_[0])) / (m1 * l1 * l1);
  ExpectSame(symbolic_->EvalTimeDerivatives(*context_).CopyToVector(),
             Vector2<Expression>(v_[0], vdot));
  ExpectSame(Vector1<Expression>(symbolic_->CalcKineticEnergy(*context_)),
             Vector1<Expression>(0.5 * m1 * pow(l1 * v_[0], 2)));
  ExpectSame(Vector1<Expression>(symbolic_->CalcPotentialEnergy(*context_)),
             Vector1<Expression>(-m1 * g * l1 * cos(q_[0])));
}

// Underactuated Robotics, chapter 3: both angles 0 hanging down.
TEST_F(Textbook, TheAcrobotHasItsMatrices) {
  const auto& upper = Add("upper");
  const auto& lower = Add("lower");
  plant_.AddJoint<RevoluteJoint>("shoulder", plant_.world_body(), {}, upper, {},
                                 Vector3d::UnitY());
  const auto& elbow =
      plant_.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
          "elbow_frame", upper, RigidTransformd(Vector3d(0, 0, -1))));
  plant_.AddJoint(std::make_unique<RevoluteJoint<double>>(
      "elbow", elbow, lower.body_frame(), Vector3d::UnitY()));
  Finish();
  SetMass(upper, m1, c1, I1);
  SetMass(lower, m2, c2, I2);
  // A length, too, is a parameter.
  dynamic_cast<const FixedOffsetFrame<Expression>&>(
      symbolic_->GetFrameByName("elbow_frame"))
      .SetPoseInParentFrame(
          context_.get(),
          math::RigidTransform<Expression>(Vector3<Expression>(0, 0, -l1)));
  const Expression q1 = q_[0], q2 = q_[1], v1 = v_[0], v2 = v_[1];
  const Expression a = m2 * l1 * c2;
  Matrix2<Expression> wanted;
  wanted << I1 + I2 + m2 * l1 * l1 + 2 * a * cos(q2), I2 + a * cos(q2),
      I2 + a * cos(q2), I2;
  ExpectSame(M(), wanted);
  ExpectSame(Cv(), Vector2<Expression>(
                       -2 * a * sin(q2) * v1 * v2 - a * sin(q2) * v2 * v2,
                       a * sin(q2) * v1 * v1));
  ExpectSame(Gravity(), Vector2<Expression>(
                            -m1 * g * c1 * sin(q1) -
                                m2 * g * (l1 * sin(q1) + c2 * sin(q1 + q2)),
                            -m2 * g * c2 * sin(q1 + q2)));
}

TEST_F(Textbook, TheCartPoleHasItsMatrices) {
  const auto& cart = Add("cart");
  const auto& pole = Add("pole");
  plant_.AddJoint<PrismaticJoint>("track", plant_.world_body(), {}, cart, {},
                                  Vector3d::UnitX());
  // About -y the pole swings towards +x.
  plant_.AddJoint<RevoluteJoint>("hinge", cart, {}, pole, {},
                                 -Vector3d::UnitY());
  Finish();
  SetMass(cart, m1, 0, I1);
  SetMass(pole, m2, l1, m2 * l1 * l1);
  const Expression q = q_[1], v = v_[1];
  Matrix2<Expression> wanted;
  wanted << m1 + m2, m2 * l1 * cos(q), m2 * l1 * cos(q), m2 * l1 * l1;
  ExpectSame(M(), wanted);
  ExpectSame(Cv(), Vector2<Expression>(-m2 * l1 * sin(q) * v * v, 0));
  ExpectSame(Gravity(), Vector2<Expression>(0, -m2 * g * l1 * sin(q)));
}

}  // namespace textbook_equations_test
}  // namespace wyvern::multibody
