// A bar of soft rubber, clamped behind a wall, sags under its weight and comes
// to rest. Its tip is compared with beam theory, on finer and finer meshes.
//
//   wall ||=================== L ==================|
//        ||  h x h, E, rho                         |  tip
#include <cmath>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/simulator/simulator.h"

using namespace wyvern;             // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;

constexpr double L = 1, h = 0.2;            // m
constexpr double E = 2e7, kDensity = 1000;  // Pa, kg/m³

// How far the tip is below its place, m, when the bar rests.
double FindSag(int elements_across) {
  MultibodyPlant<double> plant(1 /* time step, s */);
  DeformableModel<double>& model = plant.mutable_deformable_model();
  fem::DeformableBodyConfig<double> rubber;
  rubber.set_youngs_modulus(E);
  rubber.set_poissons_ratio(0);
  rubber.set_mass_density(kDensity);
  rubber.set_mass_damping_coefficient(10);  // 1/s, so that it comes to rest.
  const DeformableBodyId bar = model.RegisterDeformableBody(
      std::make_unique<geometry::GeometryInstance>(
          math::RigidTransformd(Vector3d(L / 2, 0, 0)), geometry::Box(L, h, h),
          "bar"),
      rubber, 1.0001 * h / elements_across);
  model.SetWallBoundaryCondition(bar, Vector3d(1e-6, 0, 0), Vector3d(1, 0, 0));
  plant.Finalize();
  systems::Simulator<double> simulator(plant);
  simulator.AdvanceTo(12);
  const Eigen::Matrix3Xd p = model.GetPositions(simulator.get_context(), bar);
  const Eigen::Map<const Eigen::Matrix3Xd> start(
      model.GetReferencePositions(bar).data(), 3, p.cols());
  double sag = 0;
  int count = 0;
  for (int v = 0; v < p.cols(); ++v) {
    if (start(0, v) < L - 1e-6) continue;
    sag += start(2, v) - p(2, v);
    ++count;
  }
  return sag / count;
}

int main() {
  // Timoshenko's beam: bending and, with 5/6 of the section, shear.
  const double w = kDensity * 9.81 * h * h, I = h * h * h * h / 12;
  const double theory =
      w * std::pow(L, 4) / (8 * E * I) + w * L * L / (5.0 / 6 * E * h * h);
  fmt::print("elements across  sag of the tip [m]  theory [m]  error\n");
  double coarse = 0, fine = 0;
  for (const int n : {2, 4, 8}) {
    coarse = fine;
    fine = FindSag(n);
    fmt::print("{:15d}  {:18.5f}  {:10.5f}  {:4.1f} %\n", n, fine, theory,
               100 * (fine / theory - 1));
  }
  // Errors fall nearly with the square of the elements' size.
  const double limit = (4 * fine - coarse) / 3;
  fmt::print("  extrapolated  {:18.5f}  {:10.5f}  {:4.1f} %\n", limit, theory,
             100 * (limit / theory - 1));
  return std::abs(limit / theory - 1) < 0.02 ? EXIT_SUCCESS : EXIT_FAILURE;
}
