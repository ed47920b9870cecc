// Constraints, contact, a joint limit and a motor all at once.

#include <map>
#include <memory>

#include <gtest/gtest.h>

#include "tests/multibody/plant/newton_euler.h"
#include "tests/multibody/plant/plant_models.h"
#include "tests/support/near.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::Sphere;
using math::RigidTransformd;
using systems::Context;
using test::ForceAtPoint;
using test::MakeInertia;
using wyvern::test::Near;

// An arm from a hinge at 0.5 m, past its limit and driven; a rod from its tip
// to a ball that presses on the ground and has a cap welded on by a constraint;
// a slider coupled to the arm, and a locked door.
struct Everything {
  explicit Everything(double dt) {
    systems::DiagramBuilder<double> builder;
    plant = &AddMultibodyPlantSceneGraph(&builder, dt).plant;
    if (dt > 0) plant->SetUseSampledOutputPorts(false);
    geometry::ProximityProperties properties;
    geometry::AddContactMaterial(1.0, 1e4, CoulombFriction<double>(0.5, 0.5),
                                 &properties);
    plant->RegisterCollisionGeometry(
        plant->world_body(), {}, geometry::HalfSpace(), "ground", properties);
    const Vector3d zero = Vector3d::Zero();
    arm = &plant->AddRigidBody("arm", MakeInertia(1, {0.2, 0, 0}, 0.02));
    ball = &plant->AddRigidBody("ball", MakeInertia(0.5, zero, 0.002));
    cap = &plant->AddRigidBody("cap", MakeInertia(0.3, {0, 0, 0.1}, 0.001));
    slider = &plant->AddRigidBody("slider", MakeInertia(2, zero, 0.1));
    const auto& door =
        plant->AddRigidBody("door", MakeInertia(2, {0.3, 0, 0}, 0.1));
    plant->RegisterCollisionGeometry(*ball, {}, Sphere(0.1), "ball",
                                     properties);
    hinge = &plant->AddJoint<RevoluteJoint>(
        "hinge", plant->world_body(), RigidTransformd(Vector3d(0, 0, 0.5)),
        *arm, {}, Vector3d::UnitY(), 0.16, 0.5, 0.3);
    const auto& rail = plant->AddJoint<PrismaticJoint>(
        "rail", *cap, RigidTransformd(Vector3d(0, 0, 0.2)), *slider, {},
        Vector3d::UnitZ());
    const auto& frame = plant->AddJoint<RevoluteJoint>(
        "frame", *slider, {}, door, {}, Vector3d::UnitZ());
    plant->AddJointActuator("motor", *hinge, 2);
    rod = plant->AddDistanceConstraint(*arm, Vector3d(0.4, 0, 0), *ball, zero,
                                       0.35);
    weld = plant->AddWeldConstraint(*ball, {}, *cap, {});
    plant->AddCouplerConstraint(*hinge, rail, -0.5);
    plant->Finalize();
    diagram = builder.Build();
    root = diagram->CreateDefaultContext();
    context = &plant->GetMyMutableContextFromRoot(root.get());
    hinge->set_angle(context, 0.15);
    hinge->set_angular_rate(context, 0.3);
    const RigidTransformd X_WBall(Vector3d(0.5, 0.05, 0.099));
    plant->SetFreeBodyPose(context, *ball, X_WBall);
    plant->SetFreeBodyPose(context, *cap, X_WBall);
    plant->SetFreeBodySpatialVelocity(
        context, *ball,
        SpatialVelocity<double>(Vector3d(1, 2, 3), Vector3d(.3, .1, 0)));
    frame.Lock(context);
    plant->get_actuation_input_port().FixValue(context,
                                               VectorXd::Constant(1, 3).eval());
  }

  // Returns the forces of the contact, the rod and the weld.
  std::map<BodyIndex, Vector6<double>> Forces() const {
    std::map<BodyIndex, Vector6<double>> F;
    for (const auto* body : {arm, ball, cap}) {
      F[body->index()] = Vector6<double>::Zero();
    }
    const auto& contacts =
        plant->get_contact_results_output_port().Eval<ContactResults<double>>(
            *context);
    EXPECT_EQ(contacts.num_point_pair_contacts(), 1);
    const auto& contact = contacts.point_pair_contact_info(0);
    const Vector6<double> F_Bc =
        ForceAtPoint(contact.contact_point(), contact.contact_force());
    const bool ball_is_B = contact.bodyB_index() == ball->index();
    F[ball->index()] += ball_is_B ? F_Bc : -F_Bc;
    EXPECT_GT(contact.contact_force().norm(), 1);
    const VectorXd lambda =
        plant->get_constraint_multipliers_output_port().Eval(*context);
    const Vector3d p_WP = arm->EvalPoseInWorld(*context) * Vector3d(0.4, 0, 0);
    const Vector3d p_WQ = ball->EvalPoseInWorld(*context).translation();
    const Vector6<double> F_rod =
        ForceAtPoint(p_WQ, lambda[plant->GetConstraintMultiplierStart(rod)] *
                               (p_WQ - p_WP).normalized());
    F[ball->index()] += F_rod;
    F[arm->index()] -= F_rod;
    const auto on_cap =
        lambda.segment<6>(plant->GetConstraintMultiplierStart(weld));
    Vector6<double> F_weld = ForceAtPoint(p_WQ, on_cap.tail<3>());
    F_weld.head<3>() += on_cap.head<3>();
    F[cap->index()] += F_weld;
    F[ball->index()] -= F_weld;
    return F;
  }

  MultibodyPlant<double>* plant{};
  std::unique_ptr<systems::Diagram<double>> diagram;
  std::unique_ptr<Context<double>> root;
  Context<double>* context{};
  const RigidBody<double>* arm{};
  const RigidBody<double>* ball{};
  const RigidBody<double>* cap{};
  const RigidBody<double>* slider{};
  const RevoluteJoint<double>* hinge{};
  MultibodyConstraintId rod, weld;
};

class CombinedForces : public ::testing::TestWithParam<double> {};

TEST_P(CombinedForces, CloseNewtonEulerOnEveryBody) {
  Everything all(GetParam());
  const auto& ledger = all.plant->CalcPowerLedger(*all.context);
  EXPECT_GT(std::abs(ledger.joint_limits), 1e-3);
  EXPECT_GT(std::abs(ledger.actuation), 1e-3);
  EXPECT_GT(std::abs(ledger.contact), 1e-3);
  EXPECT_GT(std::abs(ledger.constraints), 1e-3);
  test::ExpectNewtonEuler(*all.plant, *all.context, *all.context, all.Forces());
}

INSTANTIATE_TEST_SUITE_P(Modes, CombinedForces, ::testing::Values(0.0, 1e-3));

TEST(CombinedForces, LedgerSumsToTheRateOfKineticEnergy) {
  Everything all(0);
  const auto& plant = *all.plant;
  const int nv = plant.num_velocities();
  const VectorXd v = plant.GetVelocities(*all.context);
  MatrixX<double> M(nv, nv);
  plant.CalcMassMatrix(*all.context, &M);
  VectorXd Cv(nv);
  plant.CalcBiasTerm(*all.context, &Cv);
  const VectorXd vdot =
      plant.get_generalized_acceleration_output_port().Eval(*all.context);
  EXPECT_NEAR(plant.CalcPowerLedger(*all.context).Sum(), v.dot(M * vdot + Cv),
              1e-9);
}

TEST(CombinedForces, ConstraintsAreStabilizedBesidesTheOthers) {
  Everything all(0);
  const auto& plant = *all.plant;
  // ë + 2 ė / s + e / s² = 0, ë by differences of J v along the motion.
  const VectorXd x = plant.GetPositionsAndVelocities(*all.context);
  const VectorXd xdot = plant.EvalTimeDerivatives(*all.context).CopyToVector();
  const VectorXd e = plant.CalcConstraintErrors(*all.context);
  const VectorXd rate = plant.CalcConstraintVelocities(*all.context);
  const double h = 1e-6, s = 0.1;
  plant.SetPositionsAndVelocities(all.context, x + h * xdot);
  const VectorXd next = plant.CalcConstraintVelocities(*all.context);
  plant.SetPositionsAndVelocities(all.context, x - h * xdot);
  const VectorXd last = plant.CalcConstraintVelocities(*all.context);
  const VectorXd needed = -2 / s * rate - e / (s * s);
  EXPECT_GT(needed.norm(), 1);
  // The weld's points part at once, which costs its three translations a term
  // of second order in rates; the others are exact.
  for (int i : {0, 1, 2, 3, 7}) {
    EXPECT_NEAR((next - last)[i] / (2 * h), needed[i],
                1e-4 * (1 + needed.norm()))
        << i;
  }
}

}  // namespace
}  // namespace wyvern::multibody
