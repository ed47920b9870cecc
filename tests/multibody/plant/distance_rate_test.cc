// Distances of geometries of a plant, and their rates.

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "wyvern/multibody/plant/add_multibody_plant_scene_graph.h"
#include "wyvern/multibody/plant/calc_distance_and_time_derivative.h"

namespace wyvern::multibody {
namespace {

using Eigen::Vector3d;
using geometry::GeometryId;
using math::RigidTransform;

// Two free bodies: a box with a lever, and a ball.
class DistanceRate : public ::testing::Test {
 public:
  DistanceRate() {
    auto [plant, scene_graph] = AddMultibodyPlantSceneGraph(&builder_, 0.0);
    plant_ = &plant;
    for (const char* name : {"box", "ball"}) {
      plant.AddRigidBody(name, test::MakeInertia(1, {0, 0, 0}, 1));
    }
    const CoulombFriction<double> friction(0.5, 0.5);
    box_ = plant.RegisterCollisionGeometry(
        plant.GetBodyByName("box"), RigidTransform<double>(Vector3d(1, 0, 0)),
        geometry::Box(0.4, 0.6, 0.8), "box", friction);
    ball_ = plant.RegisterCollisionGeometry(
        plant.GetBodyByName("ball"),
        RigidTransform<double>(Vector3d(0, 0.1, 0)), geometry::Sphere(0.2),
        "ball", friction);
    plant.Finalize();
    diagram_ = builder_.Build();
    context_ = diagram_->CreateDefaultContext();
    plant_context_ = &plant_->GetMyMutableContextFromRoot(context_.get());
  }

  // The state after a time h of q' = N v.
  double DistanceAt(const Eigen::VectorXd& q, const Eigen::VectorXd& qdot,
                    double h) {
    plant_->SetPositions(plant_context_, q + h * qdot);
    return Calc(ball_, box_).distance;
  }
  SignedDistanceWithTimeDerivative Calc(GeometryId a, GeometryId b) {
    return CalcDistanceAndTimeDerivative(*plant_, SortedPair<GeometryId>(a, b),
                                         *plant_context_);
  }

  systems::DiagramBuilder<double> builder_;
  MultibodyPlant<double>* plant_{};
  std::unique_ptr<systems::Diagram<double>> diagram_;
  std::unique_ptr<systems::Context<double>> context_;
  systems::Context<double>* plant_context_{};
  GeometryId box_, ball_;
};

// Central differences of step 1e-6: an error of 1e-10.
TEST_F(DistanceRate, IsTheDerivativeOfTheDistance) {
  plant_->SetFreeBodyPose(
      plant_context_, plant_->GetBodyByName("box"),
      RigidTransform<double>(math::RollPitchYaw<double>(0.2, 0.3, 0.4),
                             Vector3d(0.1, 0.2, 0.3)));
  plant_->SetFreeBodyPose(
      plant_context_, plant_->GetBodyByName("ball"),
      RigidTransform<double>(math::RollPitchYaw<double>(1, 2, 3),
                             Vector3d(1.5, 1.5, 0.5)));
  const Eigen::VectorXd v = Eigen::VectorXd::LinSpaced(12, -0.7, 0.9);
  plant_->SetVelocities(plant_context_, v);
  const Eigen::VectorXd q = plant_->GetPositions(*plant_context_);
  Eigen::VectorXd qdot(14);
  plant_->MapVelocityToQDot(*plant_context_, v, &qdot);
  const double rate = Calc(box_, ball_).distance_time_derivative;
  const double h = 1e-6;
  EXPECT_NEAR(
      rate, (DistanceAt(q, qdot, h) - DistanceAt(q, qdot, -h)) / (2 * h), 1e-9);
  EXPECT_GT(std::abs(rate), 0.1);
}

TEST_F(DistanceRate, IsNegativeOfBodiesThatApproach) {
  plant_->SetFreeBodyPose(plant_context_, plant_->GetBodyByName("ball"),
                          RigidTransform<double>(Vector3d(3, 0, 0)));
  plant_->SetFreeBodySpatialVelocity(
      plant_context_, plant_->GetBodyByName("ball"),
      SpatialVelocity<double>(Vector3d(0, 0, 0), Vector3d(-2, 0, 0)));
  const SignedDistanceWithTimeDerivative result = Calc(ball_, box_);
  EXPECT_NEAR(result.distance, 3 - 1.2 - 0.2, 1e-14);
  EXPECT_NEAR(result.distance_time_derivative, -2, 1e-14);
}

TEST_F(DistanceRate, NeedsAConnectedPlant) {
  test::Pendulum lone(0);
  lone.plant.Finalize();
  EXPECT_THROWS_MESSAGE(CalcDistanceAndTimeDerivative(
                            lone.plant, SortedPair<GeometryId>(box_, ball_),
                            *lone.plant.CreateDefaultContext()),
                        std::logic_error, "'geometry_query'");
  EXPECT_THROW(Calc(box_, GeometryId::get_new_id()), std::logic_error);
}

}  // namespace
}  // namespace wyvern::multibody
