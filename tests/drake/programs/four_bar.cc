// A four-bar linkage, its loop closed by a bushing, and by a ball constraint.
#include <cmath>
#include <string>

#include "drake/math/rigid_transform.h"
#include "drake/multibody/parsing/parser.h"
#include "drake/multibody/plant/multibody_plant.h"
#include "drake/multibody/tree/fixed_offset_frame.h"
#include "drake/multibody/tree/linear_bushing_roll_pitch_yaw.h"
#include "drake/multibody/tree/revolute_joint.h"
#include "drake/systems/analysis/runge_kutta3_integrator.h"
#include "drake/systems/analysis/simulator.h"
#include "figures.h"

namespace four_bar {

using drake::math::RigidTransformd;
using drake::multibody::FixedOffsetFrame;
using drake::multibody::LinearBushingRollPitchYaw;
using drake::multibody::MultibodyPlant;
using Eigen::Vector3d;

// Lengths of the links, and their angles from x towards z where the crank is
// upright: x of the crank, then about the crank, and of the rocker.
constexpr double kCoupler = 0.8, kRocker = 0.7;

Vector3d CalcAssembledAngles() {
  // The pin is where circles about the crank's end and the rocker's hinge meet.
  const Eigen::Vector2d crank_end(0, 0.3), hinge(0.9, 0);
  const Eigen::Vector2d between = hinge - crank_end;
  const double d = between.norm();
  const double along =
      (d * d + kCoupler * kCoupler - kRocker * kRocker) / (2 * d);
  const double across = std::sqrt(kCoupler * kCoupler - along * along);
  const Eigen::Vector2d unit = between / d;
  const Eigen::Vector2d pin =
      crank_end + along * unit + across * Eigen::Vector2d(-unit[1], unit[0]);
  const Eigen::Vector2d coupler = pin - crank_end, rocker = pin - hinge;
  return {M_PI / 2, std::atan2(coupler[1], coupler[0]) - M_PI / 2,
          std::atan2(rocker[1], rocker[0])};
}

void Load(const std::string& models, MultibodyPlant<double>* plant) {
  drake::multibody::Parser parser(plant);
  parser.AddModels(models + "/four_bar.urdf");
}

void Simulate(const char* name, const MultibodyPlant<double>& plant) {
  drake::systems::Simulator<double> simulator(plant);
  if (!plant.is_discrete()) {
    simulator.reset_integrator<drake::systems::RungeKutta3Integrator<double>>();
    simulator.get_mutable_integrator().set_maximum_step_size(1e-3);
    simulator.get_mutable_integrator().set_target_accuracy(1e-8);
  }
  auto& context = simulator.get_mutable_context();
  plant.SetPositions(&context, CalcAssembledAngles());
  simulator.Initialize();
  simulator.AdvanceTo(0.4);
  PrintFigures(name, plant.GetPositionsAndVelocities(context));
}

int DoMain(const std::string& models) {
  MultibodyPlant<double> continuous(0.0);
  Load(models, &continuous);
  // Yaw of the bushing turns about z, which is the pin's axis here.
  const auto axes = drake::math::RotationMatrixd::MakeXRotation(M_PI / 2);
  const auto& end =
      continuous.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
          "coupler_end", continuous.GetFrameByName("coupler"),
          RigidTransformd(axes, Vector3d(kCoupler, 0, 0))));
  const auto& pin =
      continuous.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
          "rocker_end", continuous.GetFrameByName("rocker"),
          RigidTransformd(axes, Vector3d(kRocker, 0, 0))));
  continuous.AddForceElement<LinearBushingRollPitchYaw>(
      end, pin, Vector3d::Zero(), Vector3d::Zero(), Vector3d::Constant(3e4),
      Vector3d::Constant(1.5e2));
  continuous.Finalize();
  Simulate("bushing", continuous);

  MultibodyPlant<double> discrete(1e-3);
  discrete.set_discrete_contact_approximation(
      drake::multibody::DiscreteContactApproximation::kSap);
  Load(models, &discrete);
  discrete.AddBallConstraint(
      discrete.GetBodyByName("coupler"), Vector3d(kCoupler, 0, 0),
      discrete.GetBodyByName("rocker"), Vector3d(kRocker, 0, 0));
  discrete.Finalize();
  Simulate("ball_constraint", discrete);
  return 0;
}

}  // namespace four_bar

int main(int, char* argv[]) { return four_bar::DoMain(argv[1]); }
