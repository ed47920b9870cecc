// Tests each setter of a plant or its elements that takes no Context and that
// after_finalize_test.cc does not list as refused by Finalize(). After the
// call, a Context whose outputs were evaluated gives the same results as a new
// one with the same state and parameters. Gravity has a setter of each kind.
#include <cmath>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/linkages.h"
#include "tests/multibody/plant/plant_models.h"
#include "tests/multibody/plant/soft_box.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/tree/gravity_compensation.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/context_serialization.h"

namespace wyvern::multibody {
namespace setters_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using systems::Context;

// A ball that slips on the ground, with the plant's default stiffness, and a
// slider with a controller.
struct Scene {
  explicit Scene(double time_step) {
    const auto added = AddMultibodyPlantSceneGraph(&builder, time_step);
    plant = &added.plant;
    scene_graph = &added.scene_graph;
    geometry::SceneGraphConfig config;
    config.default_proximity_properties.point_stiffness.reset();
    config.default_proximity_properties.hunt_crossley_dissipation.reset();
    scene_graph->set_config(config);
    if (time_step > 0) plant->SetUseSampledOutputPorts(false);
    const CoulombFriction<double> friction(0.5, 0.5);
    plant->RegisterCollisionGeometry(plant->world_body(), {},
                                     geometry::HalfSpace(), "ground", friction);
    ball = &plant->AddRigidBody("ball", test::MakeInertia(1, {0, 0, 0}, 0.004));
    plant->RegisterCollisionGeometry(*ball, {}, geometry::Sphere(0.1), "ball",
                                     friction);
    const auto instance = plant->AddModelInstance("servo");
    const auto& cart = plant->AddRigidBody(
        "cart", instance, test::MakeInertia(1, {0, 0, 0}, 0.1));
    plant->AddJoint<PrismaticJoint>("slider", plant->world_body(), {}, cart, {},
                                    Vector3d::UnitX(), -1, 1, 0.1);
    plant->AddJointActuator("motor", slider());
    motor().set_controller_gains({100, 10});
    gravity = &plant->mutable_gravity_field();
    plant->Finalize();
    diagram = builder.Build();
  }
  PrismaticJoint<double>& slider() {
    return plant->GetMutableJointByName<PrismaticJoint>("slider");
  }
  JointActuator<double>& motor() {
    return plant->get_mutable_joint_actuator(JointActuatorIndex(0));
  }
  std::unique_ptr<Context<double>> MakeContext() const {
    auto root = diagram->CreateDefaultContext();
    auto& context = plant->GetMyMutableContextFromRoot(root.get());
    plant->SetFreeBodyPose(&context, *ball,
                           math::RigidTransformd(Vector3d(0, 0, 0.0999)));
    plant->SetFreeBodySpatialVelocity(
        &context, *ball,
        SpatialVelocity<double>(Vector3d::Zero(), Vector3d(1e-3, 0, 0)));
    plant->get_desired_state_input_port(ModelInstanceIndex(2))
        .FixValue(&context, Eigen::Vector2d(0.1, 0));
    return root;
  }
  // Returns all vector outputs, the forces of contacts, derivatives and the
  // next state.
  std::vector<VectorXd> Evaluate(const Context<double>& root) const {
    const Context<double>& context = plant->GetMyContextFromRoot(root);
    std::vector<VectorXd> all;
    for (systems::OutputPortIndex i(0); i < plant->num_output_ports(); ++i) {
      const auto& port = plant->get_output_port(i);
      if (port.get_data_type() != systems::kVectorValued) continue;
      all.push_back(port.Eval(context));
    }
    const auto& contacts =
        plant->get_contact_results_output_port().Eval<ContactResults<double>>(
            context);
    for (int i = 0; i < contacts.num_point_pair_contacts(); ++i) {
      all.push_back(contacts.point_pair_contact_info(i).contact_force());
    }
    all.push_back(diagram->EvalTimeDerivatives(root).CopyToVector());
    if (plant->is_discrete()) {
      all.push_back(diagram->EvalUniquePeriodicDiscreteUpdate(root).value(0));
    }
    return all;
  }

  systems::DiagramBuilder<double> builder;
  MultibodyPlant<double>* plant{};
  geometry::SceneGraph<double>* scene_graph{};
  const RigidBody<double>* ball{};
  UniformGravityFieldElement<double>* gravity{};
  std::unique_ptr<systems::Diagram<double>> diagram;
};

struct Setter {
  std::string name;
  // Whether the setter acts on existing Contexts; others affect only later
  // Contexts.
  bool acts;
  std::function<void(Scene*)> set;
};

const Setter kSetters[] = {
    {"StictionTolerance", true,
     [](auto* s) { s->plant->set_stiction_tolerance(0.01); }},
    {"PenetrationAllowance", true,
     [](auto* s) { s->plant->set_penetration_allowance(0.01); }},
    {"ControllerGains", true,
     [](auto* s) {
       s->motor().set_controller_gains({500, 1});
     }},
    {"RotorInertia", false,
     [](auto* s) { s->motor().set_default_rotor_inertia(3); }},
    {"GearRatio", false,
     [](auto* s) {
       s->motor().set_default_rotor_inertia(3);
       s->motor().set_default_gear_ratio(3);
     }},
    {"VelocityLimits", false,
     [](auto* s) {
       s->slider().set_velocity_limits(VectorXd::Constant(1, -1),
                                       VectorXd::Ones(1));
     }},
    {"AccelerationLimits", false,
     [](auto* s) {
       s->slider().set_acceleration_limits(VectorXd::Constant(1, -1),
                                           VectorXd::Ones(1));
     }},
    {"DefaultTranslation", false,
     [](auto* s) { s->slider().set_default_translation(0.5); }},
    {"RandomTranslation", false,
     [](auto* s) { s->slider().set_random_translation_distribution(0.5); }},
    {"DefaultPositions", false,
     [](auto* s) {
       s->plant->SetDefaultPositions(0.7 * s->plant->GetDefaultPositions());
     }},
    {"DefaultFreeBodyPose", false,
     [](auto* s) {
       s->plant->SetDefaultFreeBodyPose(
           *s->ball, math::RigidTransformd(Vector3d(1, 2, 3)));
     }},
    {"SceneGraphConfig", false,
     [](auto* s) { s->scene_graph->set_config({}); }},
    {"ModelFilter", false,
     [](auto* s) {
       s->scene_graph->collision_filter_manager().Apply(
           geometry::CollisionFilterDeclaration().ExcludeWithin(
               geometry::GeometrySet(
                   s->plant->GetCollisionGeometriesForBody(*s->ball))));
     }},
};

class Setters : public ::testing::TestWithParam<std::tuple<double, Setter>> {};

TEST_P(Setters, LeaveNothingOldInACache) {
  const auto& [time_step, setter] = GetParam();
  Scene scene(time_step);
  const auto root = scene.MakeContext();
  const std::vector<VectorXd> before = scene.Evaluate(*root);
  const auto copy = root->Clone();
  setter.set(&scene);
  const auto fresh = scene.MakeContext();
  fresh->SetTimeStateAndParametersFrom(*root);
  const std::vector<VectorXd> wanted = scene.Evaluate(*fresh);
  EXPECT_EQ(wanted != before, setter.acts);
  EXPECT_EQ(scene.Evaluate(*root), wanted);
  EXPECT_EQ(scene.Evaluate(*copy), wanted);
}

INSTANTIATE_TEST_SUITE_P(All, Setters,
                         ::testing::Combine(::testing::Values(0.0, 0.001),
                                            ::testing::ValuesIn(kSetters)),
                         [](const auto& test) {
                           return std::get<1>(test.param).name +
                                  (std::get<0>(test.param) > 0 ? "Discrete"
                                                               : "Continuous");
                         });

// A setter of a kept reference is refused, too.
TEST(Setters, ThatAPlantCannotFollowAreRefused) {
  Scene scene(0);
  const VectorXd one = VectorXd::Ones(1);
  EXPECT_THROW(scene.gravity->set_gravity_vector(Vector3d::Zero()),
               std::logic_error);
  EXPECT_THROW(scene.gravity->set_enabled(ModelInstanceIndex(2), false),
               std::logic_error);
  EXPECT_THROW(scene.slider().set_position_limits(-one, one), std::logic_error);
  EXPECT_THROW(scene.slider().set_default_damping(2), std::logic_error);
  EXPECT_THROW(scene.slider().set_default_friction_vector(one),
               std::logic_error);
  EXPECT_THROW(scene.slider().set_default_armature_vector(one),
               std::logic_error);
  EXPECT_THROW(scene.plant->set_constraint_stabilization_time(1),
               std::logic_error);
}

const Vector3d kOtherGravity(1, 2, -3);

// All results of a model that depend on gravity: forces, energy, acceleration.
std::vector<VectorXd> EvaluateGravity(const MultibodyPlant<double>& plant,
                                      const Context<double>& context) {
  MultibodyForces<double> forces(plant);
  plant.CalcForceElementsContribution(context, &forces);
  VectorXd tau(plant.num_velocities());
  plant.CalcGeneralizedForces(context, forces, &tau);
  return {plant.CalcGravityGeneralizedForces(context), tau,
          VectorXd::Constant(1, plant.CalcPotentialEnergy(context)),
          VectorXd::Constant(1, plant.CalcConservativePower(context)),
          test::Acceleration(plant, context)};
}

// The four-bar linkage has half of a body's mass on each side of its cut.
TEST(GravityOfAContext, ActsAsThatOfAPlantBuiltWithIt) {
  for (const bool is_loop : {true, false}) {
    const auto build = [&](const Vector3d& g_W) {
      const auto closure = is_loop ? test::FourBar::Closure::kJoint
                                   : test::FourBar::Closure::kNone;
      auto result = std::make_unique<test::FourBar>(0, closure, false);
      result->plant.mutable_gravity_field().set_gravity_vector(g_W);
      result->plant.AddForceElement<GravityCompensation>(*result->rocker, 0.4);
      result->Finalize();
      result->SetAngles(0.7);
      result->hinge_O->set_angular_rate(result->context.get(), 2);
      return result;
    };
    const auto built = build(kOtherGravity);
    const auto changed = build({0, 0, -9.81});
    const auto& gravity = changed->plant.gravity_field();
    const auto old = EvaluateGravity(changed->plant, *changed->context);
    gravity.SetGravityVector(changed->context.get(), kOtherGravity);
    EXPECT_EQ(gravity.GetGravityVector(*changed->context), kOtherGravity);
    const auto now = EvaluateGravity(changed->plant, *changed->context);
    const auto wanted = EvaluateGravity(built->plant, *built->context);
    for (std::size_t i = 0; i < now.size(); ++i) {
      EXPECT_NE(now[i], old[i]) << i;
      EXPECT_EQ(now[i], wanted[i]) << i;
    }
    // It is no other Context's, and no default.
    EXPECT_EQ(gravity.gravity_vector(), Vector3d(0, 0, -9.81));
    EXPECT_EQ(
        gravity.GetGravityVector(*changed->plant.CreateDefaultContext()).z(),
        -9.81);
  }
}

TEST(GravityOfAContext, CountsFromTheNextStepOn) {
  for (const double time_step : {0.0, 0.01}) {
    MultibodyPlant<double> plant(time_step);
    const auto& stone =
        plant.AddRigidBody("stone", test::MakeInertia(2, {0, 0, 0}, 0.1));
    plant.Finalize();
    systems::Simulator<double> simulator(plant);
    auto& context = simulator.get_mutable_context();
    simulator.AdvanceTo(0.5);
    plant.gravity_field().SetGravityVector(&context, kOtherGravity);
    simulator.AdvanceTo(1);
    EXPECT_TRUE(wyvern::test::Near(
        stone.EvalSpatialVelocityInWorld(context).translational(),
        Vector3d(0, 0, -4.905) + 0.5 * kOtherGravity, 1e-12));
  }
}

TEST(GravityOfAContext, IsSavedAndConverted) {
  test::CartPole model(0);
  model.plant.Finalize();
  const auto& plant = model.plant;
  const auto context = plant.CreateDefaultContext();
  plant.gravity_field().SetGravityVector(context.get(), kOtherGravity);
  std::stringstream file;
  systems::SaveContext(*context, &file);
  const auto loaded = plant.CreateDefaultContext();
  systems::LoadContext(&file, loaded.get());
  EXPECT_EQ(plant.gravity_field().GetGravityVector(*loaded), kOtherGravity);
  if constexpr (!kHasScalar<AutoDiffXd>) {
    GTEST_SKIP() << "This build is for double alone.";
  } else {
    // A free body accelerates as gravity says, and so do the derivatives.
    const auto twin = systems::System<double>::ToAutoDiffXd(plant);
    const auto other = twin->CreateDefaultContext();
    other->SetTimeStateAndParametersFrom(*context);
    const auto& gravity = twin->gravity_field();
    Vector3<AutoDiffXd> g_W = gravity.GetGravityVector(*other);
    EXPECT_EQ(g_W.z().value(), -3);
    g_W.x() = AutoDiffXd(1, 1, 0);
    gravity.SetGravityVector(other.get(), g_W);
    const VectorX<AutoDiffXd> vdot =
        twin->get_generalized_acceleration_output_port().Eval(*other);
    const int v =
        twin->GetBodyByName("stone").floating_velocities_start_in_v() + 3;
    EXPECT_NEAR(vdot[v].value(), 1, 1e-12);
    EXPECT_NEAR(vdot[v].derivatives()[0], 1, 1e-12);
    EXPECT_NEAR(vdot[v + 1].value(), 2, 1e-12);
  }
}

TEST(GravityOfAContext, MovesSoftBodies) {
  soft_box::Plant plant(soft_box::kStep);
  const auto id = soft_box::AddBox(&plant);
  plant.Finalize();
  systems::Simulator<double> simulator(plant);
  auto& context = simulator.get_mutable_context();
  plant.gravity_field().SetGravityVector(&context, kOtherGravity);
  const auto& model = plant.deformable_model();
  EXPECT_EQ(model.GetExternalForces(id).back()->EvaluateAt(context, {}),
            1000 * kOtherGravity);
  simulator.AdvanceTo(0.1);
  const Eigen::Matrix3Xd expected = soft_box::Reference(plant, id).colwise() +
                                    Vector3d(0.5 * kOtherGravity * 0.01);
  EXPECT_TRUE(
      wyvern::test::Near(model.GetPositions(context, id), expected, 1e-9));
}

TEST(GravityOfAContext, RefusesMistakes) {
  test::CartPole model(0), other(0);
  const auto& gravity = model.plant.gravity_field();
  model.plant.Finalize();
  other.plant.Finalize();
  const auto context = model.plant.CreateDefaultContext();
  const auto foreign = other.plant.CreateDefaultContext();
  EXPECT_THROWS_MESSAGE(
      gravity.SetGravityVector(context.get(), {0, std::nan(""), 0}),
      std::logic_error, "gravity vector[1] is nan");
  EXPECT_THROWS_MESSAGE(gravity.SetGravityVector(nullptr, kOtherGravity),
                        std::logic_error, "SetGravityVector");
  EXPECT_THROW(gravity.SetGravityVector(foreign.get(), kOtherGravity),
               std::logic_error);
  EXPECT_THROW(gravity.GetGravityVector(*foreign), std::logic_error);
  test::CartPole unfinished(0);
  EXPECT_THROW(unfinished.plant.gravity_field().GetGravityVector(*context),
               std::logic_error);
  EXPECT_EQ(gravity.GetGravityVector(*context).z(), -9.81);
}

}  // namespace setters_test
}  // namespace wyvern::multibody
