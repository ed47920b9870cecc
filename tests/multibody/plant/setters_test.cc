// Tests each setter of a plant or its elements that takes no Context and that
// after_finalize_test.cc does not list as refused by Finalize(). After the
// call, a Context whose outputs were evaluated gives the same results as a new
// one with the same state and parameters.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"

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

}  // namespace setters_test
}  // namespace wyvern::multibody
