#pragma once

/** @file
Planar mechanisms of the IFToMM library of computational benchmark problems
(https://www.iftomm-multibody.org/benchmark; M. Gonzalez, D. Dopico, U. Lugris,
J. Cuadrado, "A benchmarking system for MBS simulation software", Multibody
System Dynamics 16, 2006), as plain numbers for all simulators. Bodies turn
about z; gravity acts along -y. */

#include <cmath>
#include <string>
#include <vector>

namespace wyvern::test {

struct PlanarBody {
  std::string name;
  int parent{-1};   // Index; -1 is the ground.
  double x{}, y{};  // The pin, in the parent's frame.
  double mass{};
  double cx{}, cy{};  // The center of mass.
  double moment{};    // About the center of mass.
  double q{}, v{};    // Angle and rate at the start.
};

struct PlanarPoint {
  int body{-1};
  double x{}, y{};
};

/** A spring from `a` to `b`; a loop has two points that coincide. */
struct PlanarSpring {
  PlanarPoint a, b;
  double rest{}, stiffness{};
};

struct PlanarMechanism {
  std::string name;
  double end{};  // [s]
  double gravity{};
  double torque{};  // On the first body.
  std::vector<PlanarBody> bodies{};
  std::vector<std::vector<PlanarPoint>> loops{};
  std::vector<PlanarSpring> springs{};
  /** Angles and rates of the first bodies at `end`. */
  std::vector<double> q_end{}, v_end{};
};

/** The largest error of an angle, as the chord between both, and of a rate. */
inline double CalcError(const PlanarMechanism& mechanism,
                        const std::vector<double>& q,
                        const std::vector<double>& v) {
  double error = 0;
  for (size_t i = 0; i < mechanism.q_end.size(); ++i) {
    error = std::fmax(
        error, std::abs(2 * std::sin(0.5 * (q[i] - mechanism.q_end[i]))));
  }
  for (size_t i = 0; i < mechanism.v_end.size(); ++i) {
    error = std::fmax(error, std::abs(v[i] - mechanism.v_end[i]));
  }
  return error;
}

/** K(m), the complete elliptic integral of the first kind, by the
arithmetic-geometric mean (Abramowitz, Stegun, 17.6). */
inline double EllipticK(double m) {
  double a = 1, b = std::sqrt(1 - m);
  for (int i = 0; i < 10; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return M_PI / (2 * a);
}

/** A01, the simple pendulum of 1 m and 1 kg, which starts at rest and
horizontal. After four periods of 4 K(1/2) sqrt(L / g) it is there again. */
inline PlanarMechanism MakePendulum() {
  return {.name = "A01 pendulum",
          .end = 16 * EllipticK(0.5) / std::sqrt(9.81),
          .gravity = 9.81,
          .bodies = {{"rod", -1, 0, 0, 1, 1, 0, 0, 0, 0}},
          .q_end = {0},
          .v_end = {0}};
}

/** A02 of two windows: five rods of 1 m and 1 kg, three of them upright at the
start with 1 m/s at the upper ends. All rods are collinear twice per turn. With
the angle a of the uprights from the vertical, 3 a'' = 3.5 g sin a, by
quadrature the tip is at (0.32845811154, 0.94451853818) after 10 s, with the
velocity (1.42305147020, -0.49486884547). */
inline PlanarMechanism MakeFourBars() {
  constexpr double kUp = M_PI / 2;
  const auto crank = [](const char* name, double x) {
    return PlanarBody{name, -1, x, 0, 1, 0.5, 0, 1.0 / 12, kUp, -1};
  };
  const auto coupler = [](const char* name, int parent) {
    return PlanarBody{name, parent, 1, 0, 1, 0.5, 0, 1.0 / 12, -kUp, 1};
  };
  return {.name = "A02 four-bars",
          .end = 10,
          .gravity = 9.81,
          .bodies = {crank("crank0", 0), crank("crank1", 1), crank("crank2", 2),
                     coupler("coupler0", 0), coupler("coupler1", 1)},
          .loops = {{{3, 1, 0}, {1, 1, 0}}, {{4, 1, 0}, {2, 1, 0}}},
          .q_end = {std::atan2(0.94451853818, 0.32845811154)},
          .v_end = {-std::hypot(1.42305147020, 0.49486884547)}};
}

/** A03, Andrews' squeezer: seven bodies, three loops, a spring and a motor. The
test set for initial value problem solvers, "Andrews' squeezing mechanism", has
the same numbers, as a differential-algebraic system of index 3 or 2, and the
solution. */
inline PlanarMechanism MakeSqueezer() {
  constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273;
  constexpr double d = 28e-3, e = 2e-2, kStart = 0.0617138900142764496358948;
  constexpr double kTurn4 = 0.222668390165885884674473;
  return {
      .name = "A03 Andrews",
      .end = 0.03,
      .torque = 0.033,
      .bodies = {{"K1", -1, 0, 0, 0.04325, 92e-5, 0, 2.194e-6, -kStart, 0},
                 {"K2", 0, 7e-3, 0, 0.00365, -115e-4, 0, 4.410e-7, 0, 0},
                 {"K3", -1, xb, yb, 0.02373, 1043e-5, -1874e-5, 5.255e-6,
                  0.455279819163070380255912, 0},
                 {"K5", -1, xa, ya, 0.07050, 2308e-5, 916e-5, 1.169e-5,
                  0.487364979543842550225599, 0},
                 {"K4", 3, 4e-2, 0, 0.00706, 0, 1421e-5 - e, 5.667e-7, kTurn4,
                  0},
                 {"K7", -1, xa, ya, 0.05498, -449e-5, -1228e-5, 1.912e-5,
                  1.23054744454982119249736, 0},
                 {"K6", 5, 0, -4e-2, 0.00706, 2e-2 - 1421e-5, 0, 5.667e-7,
                  -kTurn4, 0}},
      .loops = {{{1, -d, 0}, {2, 0, -35e-3}},
                {{1, -d, 0}, {4, 0, -e}},
                {{1, -d, 0}, {6, 2e-2, 0}}},
      .springs = {{{2, 2e-2, -18e-3}, {-1, 0.014, 0.072}, 0.07785, 4530}},
      .q_end = {0.1581077119629904e2, -0.1575637105984298e2,
                0.4082224013073101e-1, 0.5244099658805304, -0.5347301163226948,
                0.1048080741042263e1, 0.5347301163226948}};
}

inline std::vector<PlanarMechanism> GetPlanarMechanisms() {
  return {MakePendulum(), MakeFourBars(), MakeSqueezer()};
}

}  // namespace wyvern::test
