#include <functional>
#include <memory>

#include <gtest/gtest.h>

#include "wyvern/geometry/shapes/proximity_properties.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/simulator/simulator.h"
#include "wyvern/systems/framework/diagram_builder.h"

// Friction, limits and contact that are far faster than the motion do not hold
// up a continuous plant with the Simulator's own integrator.

namespace wyvern::multibody {
namespace continuous_stiffness_test {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::RigidTransformd;

/** A continuous plant and its simulation, from what `build` adds. */
class Motion {
 public:
  explicit Motion(const std::function<void(MultibodyPlant<double>*)>& build) {
    systems::DiagramBuilder<double> builder;
    auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder, 0.0);
    plant_ = &plant;
    build(plant_);
    plant_->Finalize();
    simulator_ = std::make_unique<systems::Simulator<double>>(builder.Build());
    simulator_->set_warning_handler(nullptr);
  }
  const MultibodyPlant<double>& plant() const { return *plant_; }
  systems::Context<double>& context() {
    return plant_->GetMyMutableContextFromRoot(
        &simulator_->get_mutable_context());
  }
  /** @returns the number of derivatives that it took. */
  int64_t AdvanceTo(double time) {
    simulator_->AdvanceTo(time);
    return simulator_->get_integrator().get_num_derivative_evaluations();
  }

 private:
  MultibodyPlant<double>* plant_{};
  std::unique_ptr<systems::Simulator<double>> simulator_;
};

/** A bob half a meter below a hinge. */
const RevoluteJoint<double>& AddHinge(double mass,
                                      MultibodyPlant<double>* plant) {
  const auto& bob = plant->AddRigidBody(
      "bob", SpatialInertia<double>::PointMass(mass, Vector3d(0, 0, -0.5)));
  return plant->AddJoint<RevoluteJoint>("hinge", plant->world_body(), {}, bob,
                                        {}, Vector3d::UnitY());
}

VectorXd Scalar(double x) { return VectorXd::Constant(1, x); }

TEST(ContinuousStiffness, DryFrictionOfALightHinge) {
  Motion run([](MultibodyPlant<double>* plant) {
    const JointIndex hinge = AddHinge(0.05, plant).index();
    plant->get_mutable_joint(hinge).set_default_friction_vector(Scalar(1.0));
  });
  run.plant().SetPositions(&run.context(), Scalar(1.0));
  // Explicit steps alone take 88,368.
  EXPECT_LT(run.AdvanceTo(1), 2000);
  // It holds: 0.2 N m of gravity against 1 N m of friction.
  EXPECT_NEAR(run.plant().GetPositions(run.context())[0], 1.0, 1e-3);
}

TEST(ContinuousStiffness, DryFrictionThatNothingMoves) {
  Motion run([](MultibodyPlant<double>* plant) {
    const JointIndex hinge = AddHinge(1.0, plant).index();
    plant->get_mutable_joint(hinge).set_default_friction_vector(Scalar(1e6));
  });
  run.plant().SetPositions(&run.context(), Scalar(1.0));
  EXPECT_LT(run.AdvanceTo(1), 2000);
  EXPECT_NEAR(run.plant().GetPositions(run.context())[0], 1.0, 1e-6);
}

TEST(ContinuousStiffness, LimitsWithoutRoom) {
  Motion run([](MultibodyPlant<double>* plant) {
    const JointIndex hinge = AddHinge(1.0, plant).index();
    plant->get_mutable_joint(hinge).set_position_limits(Scalar(0.3),
                                                        Scalar(0.3));
  });
  run.plant().SetPositions(&run.context(), Scalar(0.3));
  EXPECT_LT(run.AdvanceTo(1), 5000);
  EXPECT_NEAR(run.plant().GetPositions(run.context())[0], 0.3, 2e-3);
}

geometry::ProximityProperties Surface(double friction) {
  geometry::ProximityProperties result;
  geometry::AddContactMaterial(
      {}, 1e6, CoulombFriction<double>(friction, friction), &result);
  return result;
}

void AddCube(double mass, double friction, MultibodyPlant<double>* plant) {
  const auto& cube = plant->AddRigidBody(
      "cube" + std::to_string(plant->num_bodies()),
      SpatialInertia<double>::SolidBoxWithMass(mass, 0.1, 0.1, 0.1));
  plant->RegisterCollisionGeometry(cube, RigidTransformd(),
                                   geometry::Box(0.1, 0.1, 0.1), "shape",
                                   Surface(friction));
}

void AddGround(double friction, MultibodyPlant<double>* plant) {
  plant->RegisterCollisionGeometry(plant->world_body(), RigidTransformd(),
                                   geometry::HalfSpace(), "ground",
                                   Surface(friction));
}

TEST(ContinuousStiffness, ContactWithAFrictionOfAMillion) {
  Motion run([](MultibodyPlant<double>* plant) {
    AddCube(1.0, 1e6, plant);
    AddGround(1e6, plant);
  });
  const RigidBody<double>& cube = run.plant().get_body(BodyIndex(1));
  run.plant().SetFreeBodyPose(&run.context(), cube,
                              RigidTransformd(Vector3d(0, 0, 0.05)));
  EXPECT_LT(run.AdvanceTo(1), 2000);
  const Vector3d p =
      run.plant().EvalBodyPoseInWorld(run.context(), cube).translation();
  EXPECT_NEAR(p.z(), 0.05, 1e-4);
  EXPECT_NEAR(p.head<2>().norm(), 0, 1e-6);
}

TEST(ContinuousStiffness, AMassRatioOfAMillion) {
  Motion run([](MultibodyPlant<double>* plant) {
    AddCube(1.0, 0.5, plant);
    AddCube(1e6, 0.5, plant);
    AddGround(0.5, plant);
  });
  for (int i = 1; i <= 2; ++i) {
    run.plant().SetFreeBodyPose(
        &run.context(), run.plant().get_body(BodyIndex(i)),
        RigidTransformd(Vector3d(0, 0, 0.1 * i - 0.05)));
  }
  EXPECT_LT(run.AdvanceTo(1), 50000);
  EXPECT_TRUE(run.plant().GetPositions(run.context()).allFinite());
}

}  // namespace continuous_stiffness_test
}  // namespace wyvern::multibody
