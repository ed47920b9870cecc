#include "tests/simulator/copies.h"

#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/externally_applied_spatial_force_multiplexer.h"
#include "wyvern/multibody/plant/propeller.h"
#include "wyvern/multibody/plant/wing.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/systems/primitives/zero_order_hold.h"

// Clones and saves of Contexts with plants, contact and geometry.

namespace wyvern::multibody {
namespace copies_test {

using Eigen::Vector3d;
using systems::Context;
using systems::Diagram;
using systems::DiagramBuilder;
using systems::copies::CopiesOfARun;
using systems::copies::Probe;
using AppliedForces = std::vector<ExternallyAppliedSpatialForce<double>>;

struct Kind {
  const char* name;
  double time_step;
  bool sampled{false};
  DiscreteContactApproximation approximation{
      DiscreteContactApproximation::kLagged};
};

void PrintTo(const Kind& kind, std::ostream* os) { *os << kind.name; }

// Two boxes that fall onto the ground, one of them blown at by a propeller and
// a wing, all of which is held for a while in between.
std::unique_ptr<Diagram<double>> MakeFallingBoxes(const Kind& kind) {
  DiagramBuilder<double> builder;
  auto [plant, graph] = AddMultibodyPlantSceneGraph(&builder, kind.time_step);
  if (kind.time_step > 0) {
    plant.SetUseSampledOutputPorts(kind.sampled);
    plant.set_discrete_contact_approximation(kind.approximation);
  }
  geometry::ProximityProperties material;
  geometry::AddContactMaterial(5.0, 1e5, CoulombFriction<double>(0.5, 0.5),
                               &material);
  material.AddProperty("material", "relaxation_time", 0.01);
  plant.RegisterCollisionGeometry(plant.world_body(), {}, geometry::HalfSpace(),
                                  "ground", material);
  for (const double x : {0.0, 0.15}) {
    const auto& box =
        plant.AddRigidBody(x > 0 ? "right" : "left",
                           SpatialInertia<double>::SolidCubeWithMass(1, 0.2));
    plant.RegisterCollisionGeometry(box, {}, geometry::Box(0.2, 0.2, 0.2),
                                    box.name(), material);
    plant.SetDefaultFreeBodyPose(
        box, math::RigidTransformd(math::RollPitchYawd(0.1, x, 0),
                                   Vector3d(x, 0, 0.12 + x)));
  }
  plant.Finalize();
  auto* propeller = builder.AddSystem<Propeller<double>>(
      plant.GetBodyByName("left").index(), math::RigidTransformd(), 2.0, 0.1);
  auto* wing = builder.AddSystem<Wing<double>>(
      plant.GetBodyByName("left").index(), 0.1, math::RigidTransformd());
  auto* forces =
      builder.AddSystem<ExternallyAppliedSpatialForceMultiplexer<double>>(2);
  auto* hold = builder.AddSystem<systems::ZeroOrderHold<double>>(
      0.005, Value<AppliedForces>());
  auto* contacts = builder.AddSystem<systems::ZeroOrderHold<double>>(
      0.01, Value<ContactResults<double>>());
  builder.Connect(plant.get_contact_results_output_port(),
                  contacts->get_input_port());
  builder.Connect(plant.get_body_poses_output_port(),
                  propeller->get_body_poses_input_port());
  builder.Connect(plant.get_body_poses_output_port(),
                  wing->get_body_poses_input_port());
  builder.Connect(plant.get_body_spatial_velocities_output_port(),
                  wing->get_body_spatial_velocities_input_port());
  builder.ExportInput(propeller->get_command_input_port(), "command");
  builder.Connect(propeller->get_spatial_forces_output_port(),
                  forces->get_input_port(0));
  builder.Connect(wing->get_spatial_force_output_port(),
                  forces->get_input_port(1));
  builder.Connect(forces->get_output_port(), hold->get_input_port());
  builder.Connect(hold->get_output_port(),
                  plant.get_applied_spatial_force_input_port());
  builder.AddSystem<Probe>();
  return builder.Build();
}

class Copies : public ::testing::TestWithParam<Kind> {};

TEST_P(Copies, OfFallingBoxesGoOnAsTheyWould) {
  CopiesOfARun([this] { return MakeFallingBoxes(GetParam()); },
               [](const Diagram<double>& diagram, Context<double>* root) {
                 diagram.GetInputPort("command").FixValue(root, 3.0);
               });
}

// The forces and the poses of frames are fixed, not connected.
TEST_P(Copies, OfFixedForcesGoOnAsTheyWould) {
  const auto make = [this] {
    DiagramBuilder<double> builder;
    auto* plant =
        builder.AddSystem<MultibodyPlant<double>>(GetParam().time_step);
    const auto& body = plant->AddRigidBody(
        "body", SpatialInertia<double>::SolidCubeWithMass(1, 0.2));
    plant->AddJoint<RevoluteJoint>("joint", plant->world_body(), {}, body, {},
                                   Vector3d::UnitY());
    plant->Finalize();
    builder.ExportInput(plant->get_applied_spatial_force_input_port(), "force");
    builder.AddSystem<Probe>();
    return builder.Build();
  };
  CopiesOfARun(make, [](const Diagram<double>& diagram, Context<double>* root) {
    ExternallyAppliedSpatialForce<double> force;
    force.body_index = BodyIndex(1);
    force.p_BoBq_B = Vector3d(0.1, 0, 0);
    force.F_Bq_W = SpatialForce<double>(Vector3d(1, 2, 3), Vector3d(4, 5, 6));
    diagram.GetInputPort("force").FixValue(root, AppliedForces{force});
  });
}

// A clone in the middle of a fall lands where the original does.
TEST_P(Copies, OfAnotherSimulatorLandOnTheGround) {
  const auto diagram = MakeFallingBoxes(GetParam());
  systems::Simulator<double> simulator(*diagram);
  diagram->GetInputPort("command").FixValue(&simulator.get_mutable_context(),
                                            0.0);
  simulator.AdvanceTo(0.05);
  systems::Simulator<double> clone(*diagram, simulator.get_context().Clone());
  simulator.AdvanceTo(0.4);
  clone.AdvanceTo(0.4);
  const auto& plant = *dynamic_cast<const MultibodyPlant<double>*>(
      &diagram->GetSubsystemByName("plant"));
  const auto height = [&plant](const systems::Simulator<double>& s) {
    return plant.GetBodyByName("left")
        .EvalPoseInWorld(plant.GetMyContextFromRoot(s.get_context()))
        .translation()[2];
  };
  EXPECT_GT(height(clone), 0.08);
  EXPECT_NEAR(height(clone), height(simulator), 1e-3);
}

using enum DiscreteContactApproximation;
INSTANTIATE_TEST_SUITE_P(
    All, Copies,
    ::testing::Values(Kind{"continuous", 0}, Kind{"sampled", 2e-3, true},
                      Kind{"live", 2e-3, false},
                      Kind{"tamsi", 2e-3, true, kTamsi},
                      Kind{"sap", 2e-3, true, kSap},
                      Kind{"similar", 2e-3, true, kSimilar}),
    [](const auto& suite) { return std::string(suite.param.name); });

}  // namespace copies_test
}  // namespace wyvern::multibody
