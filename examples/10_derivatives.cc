// How an arm's motion depends on its motors' torques, by the plant's analytical
// derivatives, beside moving it again with each torque a little changed.
//
//   world o--- 0.5 m ---o--- 0.4 m ---o- 0.2 m -    x = [q; v], S = dx/dtau
//         | gravity                                 S' = (df/dx) S + df/dtau
#include <cstdlib>
#include <iostream>
#include <string>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace multibody = wyvern::multibody;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Motion = Eigen::Matrix<double, 6, 4>;  // x, then the columns of S.
using Plant = multibody::MultibodyPlant<double>;

void AddArm(Plant* plant) {
  const multibody::RigidBody<double>* parent = &plant->world_body();
  Vector3d p_PJ(0, 0, 0);
  for (const double length : {0.5, 0.4, 0.2}) {  // m
    const auto name = "link" + std::to_string(plant->num_bodies());
    const auto& link = plant->AddRigidBody(
        name, multibody::SpatialInertia<double>::ThinRodWithMassAboutEnd(
                  6 * length, length, Vector3d::UnitX()));  // 6 kg/m
    plant->AddJoint<multibody::RevoluteJoint>(
        name, *parent, wyvern::math::RigidTransformd(p_PJ), link, {},
        length == 0.4 ? Vector3d::UnitZ() : Vector3d::UnitY(), 0.2);  // N m s
    parent = &link;
    p_PJ = Vector3d(length, 0, 0);
  }
  plant->Finalize();
}

// One second from rest.
Motion Move(const Plant& plant, const Vector3d& tau) {
  const auto context = plant.CreateDefaultContext();
  plant.get_applied_generalized_force_input_port().FixValue(
      context.get(), Eigen::VectorXd(tau));
  const multibody::MultibodyForces<double> nothing(plant);
  Matrix3d by_q, by_v, by_tau;
  const auto rate = [&](const Motion& X) {
    plant.SetPositionsAndVelocities(context.get(), X.col(0));
    plant.CalcForwardDynamicsDerivatives(*context, tau, nothing, &by_q, &by_v,
                                         &by_tau);
    const auto S_q = X.topRightCorner<3, 3>();
    const auto S_v = X.bottomRightCorner<3, 3>();
    Motion result;
    result.col(0) = plant.EvalTimeDerivatives(*context).CopyToVector();
    result.rightCols<3>() << S_v, by_q * S_q + by_v * S_v + by_tau;
    return result;
  };
  Motion X = Motion::Zero();
  const double h = 0.002;  // s
  for (int i = 0; i < 500; ++i) {
    const Motion k1 = rate(X), k2 = rate(X + h / 2 * k1);
    const Motion k3 = rate(X + h / 2 * k2), k4 = rate(X + h * k3);
    X += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return X;
}

int main() {
  Plant plant(0.0);
  AddArm(&plant);
  const Vector3d tau(-12, 0.4, 0.1);  // N m
  const Motion X = Move(plant, tau);
  Motion by_differences = X;
  for (int j = 0; j < 3; ++j) {
    const Vector3d step = 1e-4 * Vector3d::Unit(j);
    const Motion change = Move(plant, tau + step) - Move(plant, tau - step);
    by_differences.col(1 + j) = change.col(0) / 2e-4;
  }
  const double error = (X - by_differences).cwiseAbs().maxCoeff();
  std::cout << "dq/dtau after 1 s, rad/(N m):\n"
            << X.topRightCorner<3, 3>() << "\nby differences:\n"
            << by_differences.topRightCorner<3, 3>() << "\n";
  return error < 1e-6 * X.cwiseAbs().maxCoeff() ? EXIT_SUCCESS : EXIT_FAILURE;
}
