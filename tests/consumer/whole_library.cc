// Uses wyvern::wyvern through the header that includes everything: reads the
// URDF file that it is given and finds the robot's mass, and its mass matrix,
// whose sum over all entries is twice the kinetic energy at unit rates.
// Matrices are allocated on one side of the library's border and freed on the
// other.
#include <cmath>
#include <cstdio>

#include "wyvern/wyvern.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  wyvern::multibody::MultibodyPlant<double> plant(0.0);
  wyvern::multibody::Parser(&plant).AddModels(argv[1]);
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const double mass = plant.CalcTotalMass(*context);
  Eigen::MatrixXd M(7, 7);
  plant.CalcMassMatrix(*context, &M);
  Eigen::VectorXd x = plant.GetPositionsAndVelocities(*context);
  x.tail(7).setOnes();
  plant.SetPositionsAndVelocities(context.get(), x);
  const double energy = plant.CalcKineticEnergy(*context);
  if (!(std::abs(M.sum() - 2 * energy) < 1e-9 * energy)) return 1;
  if (plant.MakeActuationMatrix().rows() != 7) return 1;
  std::printf("%d positions, %.2f kg\n", plant.num_positions(), mass);
  return plant.num_positions() == 7 && mass > 20.0 && mass < 30.0 ? 0 : 1;
}
