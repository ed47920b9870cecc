// One plant in one Diagram, a Context in each thread: all const functions at
// once, in contact and out of it. Meant to be run with the thread sanitizer
// too.
#include <functional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/multibody/plant/contact_scene.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"

namespace wyvern::multibody {
namespace plant_threads_test {

constexpr int kThreads = 8;
using Numbers = std::vector<double>;

template <typename Derived>
void Append(const Eigen::MatrixBase<Derived>& values, Numbers* numbers) {
  for (int j = 0; j < values.cols(); ++j) {
    for (int i = 0; i < values.rows(); ++i) numbers->push_back(values(i, j));
  }
}

// A box and a ball that fall beside each other, and an arm that swings.
class PlantsInThreads : public ::testing::TestWithParam<double> {
 protected:
  PlantsInThreads() : scene_(GetParam()) {
    box_ = &scene_.AddBox("box", 1, 0.2);
    ball_ = &scene_.AddBall("ball", 1, 0.1);
    MultibodyPlant<double>& plant = *scene_.plant;
    const auto& arm = plant.AddRigidBody(
        "arm", test::MakeInertia(1, Eigen::Vector3d(0, 0, -0.3), 0.01));
    joint_ = &plant.AddJoint<RevoluteJoint>(
        "shoulder", plant.world_body(),
        math::RigidTransformd(Eigen::Vector3d(0, 3, 2)), arm, {},
        Eigen::Vector3d::UnitY());
    plant.AddJointActuator("motor", *joint_);
    scene_.Finish();
  }

  // Evaluates what a plant has to say.
  void Evaluate(const systems::Context<double>& root, Numbers* numbers) const {
    const MultibodyPlant<double>& plant = *scene_.plant;
    const auto& context = plant.GetMyContextFromRoot(root);
    const int nv = plant.num_velocities();
    Append(plant.GetPositionsAndVelocities(context), numbers);
    Eigen::MatrixXd M(nv, nv);
    plant.CalcMassMatrix(context, &M);
    Append(M, numbers);
    Eigen::VectorXd bias(nv);
    plant.CalcBiasTerm(context, &bias);
    Append(bias, numbers);
    Append(plant.CalcGravityGeneralizedForces(context), numbers);
    MultibodyForces<double> forces(plant);
    plant.CalcForceElementsContribution(context, &forces);
    Append(
        plant.CalcInverseDynamics(context, Eigen::VectorXd::Ones(nv), forces),
        numbers);
    Eigen::MatrixXd J(6, nv);
    plant.CalcJacobianSpatialVelocity(
        context, JacobianWrtVariable::kV, box_->body_frame(),
        Eigen::Vector3d::Zero(), plant.world_frame(), plant.world_frame(), &J);
    Append(J, numbers);
    Append(plant.EvalBodyPoseInWorld(context, *ball_).translation(), numbers);
    Append(plant.CalcCenterOfMassPositionInWorld(context), numbers);
    numbers->push_back(plant.CalcKineticEnergy(context));
    numbers->push_back(plant.CalcPotentialEnergy(context));
    const auto& contact =
        plant.get_contact_results_output_port().Eval<ContactResults<double>>(
            context);
    numbers->push_back(contact.num_point_pair_contacts());
    const auto& query = plant.get_geometry_query_input_port()
                            .Eval<geometry::QueryObject<double>>(context);
    numbers->push_back(query.ComputePointPairPenetration().size());
    for (const auto& pair :
         query.ComputeSignedDistancePairwiseClosestPoints(10)) {
      numbers->push_back(pair.distance);
    }
    Append(scene_.diagram->EvalTimeDerivatives(root).CopyToVector(), numbers);
  }

  // The run of thread `i`, from a place of its own.
  Numbers SimulateIn(int i) const {
    const MultibodyPlant<double>& plant = *scene_.plant;
    Numbers numbers;
    systems::Simulator<double> simulator(*scene_.diagram);
    auto& context =
        plant.GetMyMutableContextFromRoot(&simulator.get_mutable_context());
    plant.get_actuation_input_port().FixValue(&context,
                                              Eigen::VectorXd::Ones(1));
    plant.SetFreeBodyPose(
        &context, *box_,
        math::RigidTransformd(Eigen::Vector3d(0, 0, 0.11 + 0.01 * i)));
    plant.SetFreeBodyPose(
        &context, *ball_,
        math::RigidTransformd(Eigen::Vector3d(0.21, 0, 0.12)));
    joint_->set_angle(&context, 0.1 * i);
    for (const double t : {0.0, 0.02, 0.1}) {
      simulator.AdvanceTo(t);
      Evaluate(simulator.get_context(), &numbers);
      Evaluate(*simulator.get_context().Clone(), &numbers);
    }
    return numbers;
  }

  test::ContactScene scene_;
  const RigidBody<double>* box_{};
  const RigidBody<double>* ball_{};
  const RevoluteJoint<double>* joint_{};
};

TEST_P(PlantsInThreads, GiveTheBitsOfOneAlone) {
  std::vector<Numbers> results(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, &results, i] { results[i] = SimulateIn(i); });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < kThreads; ++i) {
    EXPECT_EQ(results[i], SimulateIn(i)) << "thread " << i;
    EXPECT_GT(results[i].size(), 500u);
  }
}

INSTANTIATE_TEST_SUITE_P(DiscreteAndContinuous, PlantsInThreads,
                         ::testing::Values(1e-3, 0.0), [](const auto& suite) {
                           return suite.param > 0 ? "Discrete" : "Continuous";
                         });

}  // namespace plant_threads_test
}  // namespace wyvern::multibody
