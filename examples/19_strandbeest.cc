// A leg of a Strandbeest, Theo Jansen's linkage with his lengths ("The Great
// Pretender", 2007), mm: put together from a bad guess, then walking.
//            2
//        e /  | b '. j         0 crank's axis, 1 its end, m = 15 from 0
//        3--d-B . a, l .0-1    B fixed, 38 to the left of 0 and 7.8 below
//       f|    |c      .' k     rigid: B23 and 456; three loops, at 2, 4 and 5
//        5--g-4-----'
//         '.h |i
//            '6  foot
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "examples/support/planar_linkage.h"

using namespace wyvern::examples;   // NOLINT(build/namespaces)
using namespace wyvern::multibody;  // NOLINT(build/namespaces)
using Eigen::Vector3d;
using Complex = std::complex<double>;

constexpr double b = 41.5, c = 39.3, d = 40.1, e = 55.8, f = 39.4, g = 36.7,
                 h = 65.7, i = 49.0, j = 50.0, k = 61.9, m = 15.0;
const Complex B(-38, -7.8);

Vector3d ToMeters(Complex z) { return 1e-3 * Vector3d(z.real(), z.imag(), 0); }

// The foot of a crank angle, circle by circle.
Complex Foot(double t) {
  const Complex p1 = std::polar(m, t), p2 = Meet(B, b, p1, j);
  const Complex p3 = Meet(B, d, p2, e), p4 = Meet(p1, k, B, c);
  const Complex p5 = Meet(p4, g, p3, f);
  return Meet(p4, i, p5, h);
}

int main() {
  MultibodyPlant<double> plant(0);
  const auto& world = plant.world_body();
  const auto rod = [&](const char* name, const RigidBody<double>& parent,
                       Complex at, double length) -> const auto& {
    return AddRod(&plant, name, parent, ToMeters(at), 1e-3 * length, 0.1);
  };
  const auto& crank = rod("m", world, 0, m);
  const auto& link_j = rod("j", crank, m, j);
  const auto& link_k = rod("k", crank, m, k);
  const auto& upper = rod("b", world, B, b);  // x to 2.
  const auto& link_f = rod("f", upper, Meet(0, d, b, e), f);
  const auto& link_c = rod("c", world, B, c);
  const auto& lower = rod("g", link_c, c, g);  // At 4, x to 5.
  plant.Finalize();
  ConstraintSet<double> set;
  AddPin(&set, "2", upper, ToMeters(b), link_j, ToMeters(j));
  AddPin(&set, "4", link_c, ToMeters(c), link_k, ToMeters(k));
  AddPin(&set, "5", lower, ToMeters(g), link_f, ToMeters(f));
  set.Bind(plant);

  const auto context = plant.CreateDefaultContext();
  Eigen::VectorXd keep_crank = Eigen::VectorXd::Zero(7), guess = keep_crank;
  keep_crank[0] = 1;
  guess << 0, 2, -2, 1.6, -2, -1.6, -2;  // rad
  const Vector3d foot = ToMeters(Meet(0, i, g, h));
  double error = 0, highest = -1e9, lowest = 1e9;
  for (double t = 0; t < 6.28; t += 0.04) {
    guess[0] = t;
    Assemble(plant, guess, 6 * keep_crank, keep_crank, &set, context.get());
    guess = plant.GetPositions(*context);
    const Vector3d p =
        1e3 * (plant.EvalBodyPoseInWorld(*context, lower) * foot);
    error = std::max(error, (p - 1e3 * ToMeters(Foot(t))).norm());
    highest = std::max(highest, p.y()), lowest = std::min(lowest, p.y());
  }
  fmt::print("the foot rises {:.2f} mm\n", highest - lowest);
  fmt::print("off the closed form by {:.1e} mm at most\n", error);
  return error < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
