#pragma once

/** @file
Problems of the test set for initial value problems (F. Mazzia, C. Magherini,
Test Set for Initial Value Problem Solvers, release 2.4, 2008), with the
reference solutions printed there, and an orbit. Plain C++, so that other
solvers get the same functions. */

#include <cmath>
#include <string>
#include <vector>

namespace wyvern::test {

struct InitialValueProblem {
  std::string name;
  double end{};  // [s]; time starts at 0.
  std::vector<double> start;
  std::vector<double> solution;  // At `end`.
  /** The size below which errors of an element are absolute. */
  std::vector<double> scale;
  void (*f)(double t, const double* y, double* ydot){};
  bool is_stiff{true};
};

/** The largest error relative to max(|solution|, scale). */
inline double CalcError(const InitialValueProblem& problem, const double* y) {
  double result = 0;
  for (size_t i = 0; i < problem.solution.size(); ++i) {
    const double size =
        std::fmax(std::abs(problem.solution[i]), problem.scale[i]);
    const double error = std::abs(y[i] - problem.solution[i]) / size;
    if (!(error <= result)) result = error;
  }
  return result;
}

/** Van der Pol's oscillator with eps = 1e-6, two jumps. */
inline void VanDerPol(double, const double* y, double* ydot) {
  ydot[0] = y[1];
  ydot[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) * 1e6;
}

/** OREGO: the Belousov-Zhabotinskii reaction. */
inline void Oregonator(double, const double* y, double* ydot) {
  ydot[0] = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
  ydot[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
  ydot[2] = 0.161 * (y[0] - y[2]);
}

/** ROBER: H.H. Robertson's reactions, with rates from 0.04 to 3e7. */
inline void Robertson(double, const double* y, double* ydot) {
  const double slow = 0.04 * y[0];
  const double back = 1e4 * y[1] * y[2];
  const double fast = 3e7 * y[1] * y[1];
  ydot[0] = back - slow;
  ydot[1] = slow - back - fast;
  ydot[2] = fast;
}

/** HIRES: the high irradiance response of plants, eight reactants. */
inline void Hires(double, const double* y, double* ydot) {
  ydot[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
  ydot[1] = 1.71 * y[0] - 8.75 * y[1];
  ydot[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
  ydot[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
  ydot[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
  ydot[5] = -280 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] +
            0.69 * y[6];
  ydot[6] = 280 * y[5] * y[7] - 1.81 * y[6];
  ydot[7] = -ydot[6];
}

/** The car axis: a bar of length 1 between two masses of M / 2 = 5 on springs,
whose axle is tilted by a rough road. The set has it as a differential-algebraic
system of index 3 in eight coordinates and two multipliers. This is the same
motion in coordinates that fulfil both constraints: y = [s, phi, s', phi'], with
the left mass at s n, n upright on the axle, and the bar at the angle phi. */
inline void CarAxis(double t, const double* y, double* ydot) {
  constexpr double kRest = 0.5, kRough = 0.1, kRate = 10;
  constexpr double kMass = 1e-4 * 5;  // eps^2 M / 2.
  // The axle's direction b = (cos, sin), its normal n, and its turning.
  const double b_y = kRough * std::sin(kRate * t);
  const double b_x = std::sqrt(1 - b_y * b_y);
  const double turn = kRough * kRate * std::cos(kRate * t) / b_x;
  const double turn2 = b_y * (turn * turn - kRate * kRate) / b_x;
  const double u_x = std::cos(y[1]), u_y = std::sin(y[1]);
  // Springs from the wheels, which are at the axle's ends, and weights.
  const double l_x = -y[0] * b_y, l_y = y[0] * b_x;
  const double r_x = l_x + u_x - b_x, r_y = l_y + u_y - b_y;
  const double left = kRest / std::hypot(l_x, l_y) - 1;
  const double right = kRest / std::hypot(r_x, r_y) - 1;
  const double fl_x = left * l_x / kMass, fl_y = left * l_y / kMass - 1;
  const double fr_x = right * r_x / kMass, fr_y = right * r_y / kMass - 1;
  // The left mass has the acceleration s'' n + a.
  const double a_b = -2 * y[2] * turn - y[0] * turn2;
  const double a_n = -y[0] * turn * turn;
  const double a_x = a_b * b_x - a_n * b_y, a_y = a_b * b_y + a_n * b_x;
  // The bar turns along e = (-u_y, u_x).
  const double c = u_y * b_y + u_x * b_x;
  const double bar = -u_y * (fr_x - a_x) + u_x * (fr_y - a_y);
  const double sum = -b_y * (fl_x + fr_x) + b_x * (fl_y + fr_y);
  const double u_n = -u_x * b_y + u_y * b_x;
  ydot[0] = y[2];
  ydot[1] = y[3];
  ydot[2] = (sum - 2 * a_n - c * bar + y[3] * y[3] * u_n) / (2 - c * c);
  ydot[3] = bar - c * ydot[2];
}

/** Arenstorf's orbit: a satellite of earth and moon that returns after a
period, not stiff (Hairer, Norsett, Wanner, Solving ODEs I, II.0). */
inline void Arenstorf(double, const double* y, double* ydot) {
  constexpr double mu = 0.012277471;
  const double d1 = std::pow((y[0] + mu) * (y[0] + mu) + y[1] * y[1], 1.5);
  const double d2 =
      std::pow((y[0] - 1 + mu) * (y[0] - 1 + mu) + y[1] * y[1], 1.5);
  ydot[0] = y[2];
  ydot[1] = y[3];
  ydot[2] =
      y[0] + 2 * y[3] - (1 - mu) * (y[0] + mu) / d1 - mu * (y[0] - 1 + mu) / d2;
  ydot[3] = y[1] - 2 * y[2] - (1 - mu) * y[1] / d1 - mu * y[1] / d2;
}

inline std::vector<InitialValueProblem> GetInitialValueProblems() {
  return {
      {"van der Pol",
       2,
       {2, 0},
       {0.1706167732170483e1, -0.8928097010247975e0},
       {1e-2, 1e-2},
       VanDerPol},
      {"OREGO",
       360,
       {1, 2, 3},
       {0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3},
       {1, 1, 1},
       Oregonator},
      {"ROBER",
       1e11,
       {1, 0, 0},
       {0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050},
       {1e-8, 1e-14, 1},
       Robertson},
      {"HIRES",
       321.8122,
       {1, 0, 0, 0, 0, 0, 0, 0.0057},
       {0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4,
        0.1175651343283149e-2, 0.2386356198831331e-2, 0.6238968252742796e-2,
        0.2849998395185769e-2, 0.2850001604814231e-2},
       std::vector<double>(8, 1e-4),
       Hires},
      // From the printed coordinates 0.04934557842755629, 0.4969894602303324,
      // 1.0417425248854, 0.3739110272652214 and their rates.
      {"car axis",
       3,
       {0.5, 0, 0, 0},
       {0.499433188415014, -0.123391308668427, -0.2031814340296e-3,
        0.768738940507166},
       {1, 1, 1, 1},
       CarAxis,
       false},
      {"Arenstorf",
       17.0652165601579625588917206249,
       {0.994, 0, 0, -2.00158510637908252240537862224},
       {0.994, 0, 0, -2.00158510637908252240537862224},
       {1, 1, 1, 1},
       Arenstorf,
       false},
  };
}

}  // namespace wyvern::test
