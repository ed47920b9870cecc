// Uses wyvern::wyvern through the header that includes everything: reads the
// URDF file that it is given and finds the robot's mass.
#include <cstdio>

#include "wyvern/wyvern.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  wyvern::multibody::MultibodyPlant<double> plant(0.0);
  wyvern::multibody::Parser(&plant).AddModels(argv[1]);
  plant.Finalize();
  const auto context = plant.CreateDefaultContext();
  const double mass = plant.CalcTotalMass(*context);
  std::printf("%d positions, %.2f kg\n", plant.num_positions(), mass);
  return plant.num_positions() == 7 && mass > 20.0 && mass < 30.0 ? 0 : 1;
}
