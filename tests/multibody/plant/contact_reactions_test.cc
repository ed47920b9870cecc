// Newton and Euler: on every body, gravity, contacts, joint reactions and
// constraints make up its rate of momentum.

#include <cmath>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/universal_joint.h"

namespace wyvern::multibody {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Vector1d = Eigen::Matrix<double, 1, 1>;
using Eigen::Vector3d;
using math::RigidTransformd;
using systems::Context;
using test::kGravity;
using test::MakeInertia;
using test::MakeProperties;
using wyvern::test::Near;
using Approximation = DiscreteContactApproximation;
using Scene = test::ContactScene;

// A force with its moment about the world's origin.
struct Wrench {
  Vector3d moment{Vector3d::Zero()};
  Vector3d force{Vector3d::Zero()};
  void Add(const Vector3d& p, const Vector3d& f,
           const Vector3d& torque = Vector3d::Zero()) {
    moment += p.cross(f) + torque;
    force += f;
  }
};

// The body's rate of momentum less gravity.
Wrench CalcInertialForce(const MultibodyPlant<double>& plant,
                         const Context<double>& context,
                         const RigidBody<double>& body) {
  const auto& A_WB = plant.get_body_spatial_accelerations_output_port()
                         .Eval<std::vector<SpatialAcceleration<double>>>(
                             context)[body.index()];
  const auto& V_WB = plant.EvalBodySpatialVelocityInWorld(context, body);
  const auto& X_WB = plant.EvalBodyPoseInWorld(context, body);
  const auto M_B = body.CalcSpatialInertiaInBodyFrame(context);
  const double mass = M_B.get_mass();
  const Vector3d r = X_WB.rotation() * M_B.get_com();
  const Matrix3d R = X_WB.rotation().matrix();
  const Matrix3d I =
      R * M_B.Shift(M_B.get_com()).CalcRotationalInertia().CopyToFullMatrix3() *
      R.transpose();
  const Vector3d w = V_WB.rotational(), alpha = A_WB.rotational();
  const Vector3d a =
      A_WB.translational() + alpha.cross(r) + w.cross(w.cross(r));
  Wrench wrench;
  wrench.Add(X_WB.translation() + r,
             mass * (a - plant.gravity_field().gravity_vector()),
             I * alpha + w.cross(I * w));
  return wrench;
}

// Returns the rest that neither contacts nor joints explain.
Wrench CalcRest(const MultibodyPlant<double>& plant,
                const Context<double>& context, const RigidBody<double>& body) {
  Wrench rest = CalcInertialForce(plant, context, body);
  for (const auto& contact : plant.get_contact_results_output_port()
                                 .Eval<ContactResults<double>>(context)
                                 .point_pairs()) {
    const Vector3d f = contact.contact_force();
    if (contact.bodyB_index() == body.index()) {
      rest.Add(contact.contact_point(), -f);
    }
    if (contact.bodyA_index() == body.index()) {
      rest.Add(contact.contact_point(), f);
    }
  }
  const auto& reactions = plant.get_reaction_forces_output_port()
                              .Eval<std::vector<SpatialForce<double>>>(context);
  for (const JointIndex i : plant.GetJointIndices()) {
    const Joint<double>& joint = plant.get_joint(i);
    const double sign = joint.child_body().index() == body.index()    ? -1
                        : joint.parent_body().index() == body.index() ? 1
                                                                      : 0;
    if (sign == 0) continue;
    const RigidTransformd X_WJ =
        joint.frame_on_child().CalcPoseInWorld(context);
    const SpatialForce<double>& F = reactions[joint.ordinal()];
    rest.Add(X_WJ.translation(), sign * (X_WJ.rotation() * F.translational()),
             sign * (X_WJ.rotation() * F.rotational()));
  }
  return rest;
}

// An arm whose tip scrapes the ground, with motors, a controller and damping; a
// box with a ball on it; and a weight on the arm by a ball constraint.
struct ArmScene {
  ArmScene(double time_step, Approximation approximation)
      : scene(time_step, approximation) {
    auto& plant = *scene.plant;
    if (time_step > 0) plant.SetUseSampledOutputPorts(false);
    plant.set_stiction_tolerance(1e-2);
    upper = &plant.AddRigidBody("upper", MakeInertia(2, {0.2, 0, 0}, 0.02));
    lower = &scene.Add("lower", MakeInertia(1, {0.1, 0, 0.01}, 0.01),
                       geometry::Sphere(0.05));
    hand = &plant.AddRigidBody("hand", MakeInertia(0.5, {0, 0.1, 0}, 0.01));
    const auto& shoulder = plant.AddJoint<UniversalJoint>(
        "shoulder", plant.world_body(), RigidTransformd(Vector3d(0, 0, 0.2)),
        *upper, {}, 0.1);
    const auto& elbow = plant.AddJoint<RevoluteJoint>(
        "elbow", *upper, RigidTransformd(Vector3d(0.4, 0, 0)), *lower, {},
        Vector3d::UnitY(), 0.2);
    plant.WeldFrames(lower->body_frame(), hand->body_frame(),
                     RigidTransformd(Vector3d(0, 0.2, 0.1)));
    box = &scene.AddBox("box", 1, 0.2);
    ball = &scene.AddBall("ball", 0.5, 0.1);
    weight = &plant.AddRigidBody("weight", MakeInertia(1, {0, 0, -0.1}, 0.01));
    const auto& motor = plant.AddJointActuator("motor", elbow);
    plant.get_mutable_joint_actuator(motor.index())
        .set_controller_gains({.p = 20, .d = 1});
    plant.AddBallConstraint(*hand, p_HP, *weight, Vector3d::Zero());
    scene.Finish();
    Context<double>* context = scene.context;
    plant.get_actuation_input_port().FixValue(context, Vector1d(0.5));
    plant.get_desired_state_input_port(default_model_instance())
        .FixValue(context, Vector2d(0.6, 0));
    shoulder.set_angles(context, Vector2d(0.1, 0.4));
    elbow.set_angle(context, 0.2);
    scene.Place(*box, Vector3d(2, 0, 0.1));
    scene.Throw(*box, Vector3d(0.7, 0.2, 0));
    scene.Place(*ball, Vector3d(2.02, 0.01, 0.3));
    plant.SetFreeBodyPoseInWorldFrame(
        context, *weight,
        RigidTransformd(hand->EvalPoseInWorld(*context) * p_HP));
  }

  const Vector3d p_HP{0.05, 0, 0};
  Scene scene;
  const RigidBody<double>* upper{};
  const RigidBody<double>* lower{};
  const RigidBody<double>* hand{};
  const RigidBody<double>* box{};
  const RigidBody<double>* ball{};
  const RigidBody<double>* weight{};
};

void ExpectNothing(const Wrench& rest, const std::string& name) {
  EXPECT_TRUE(Near(rest.force, Vector3d::Zero(), 1e-9)) << name;
  EXPECT_TRUE(Near(rest.moment, Vector3d::Zero(), 1e-9)) << name;
}

// Runs it, and checks every so often.
void ExpectClosure(ArmScene* s) {
  const auto& plant = *s->scene.plant;
  const Context<double>& context = *s->scene.context;
  int contacts = 0;
  for (int i = 1; i <= 15; ++i) {
    s->scene.simulator->AdvanceTo(0.02 * i);
    contacts += s->scene.Results().num_point_pair_contacts();
    for (const auto* body : {s->upper, s->lower, s->box, s->ball}) {
      ExpectNothing(CalcRest(plant, context, *body), body->name());
    }
    // The constraint's force on the hand is opposite to that on the weight, and
    // has no moment about the point that it holds together.
    const Wrench hand = CalcRest(plant, context, *s->hand);
    Wrench both = CalcRest(plant, context, *s->weight);
    both.moment += hand.moment;
    both.force += hand.force;
    ExpectNothing(both, "hand and weight");
    EXPECT_GT(hand.force.norm(), 0.1);
    const Vector3d p_WP = s->hand->EvalPoseInWorld(context) * s->p_HP;
    const Vector3d moment = hand.moment - p_WP.cross(hand.force);
    // The force acts between P and Q, which are apart by the error.
    EXPECT_LT(moment.norm(), 1e-3 * hand.force.norm());
  }
  EXPECT_GT(contacts, 30);
}

class ContactReactions : public ::testing::TestWithParam<Approximation> {};

INSTANTIATE_TEST_SUITE_P(All, ContactReactions, test::AllApproximations());

TEST_P(ContactReactions, CloseNewtonAndEulerOnEveryBody) {
  ArmScene scene(2e-3, GetParam());
  ExpectClosure(&scene);
}

TEST(ContinuousContactReactions, CloseNewtonAndEulerOnEveryBody) {
  ArmScene scene(0, Approximation::kLagged);
  ExpectClosure(&scene);
}

}  // namespace
}  // namespace wyvern::multibody
