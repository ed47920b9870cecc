#pragma once

/** @file
Problems of the test set for initial value problems (F. Mazzia, C. Magherini,
Test Set for Initial Value Problem Solvers, release 2.4, 2008), with the
reference solutions printed there, except for E5. Plain C++, so that other
solvers can be given the same functions. The car axis problem of the set is a
differential-algebraic one of index 3, which an explicit System cannot state,
and is left out. */

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

/** E5: a chemical pyrolysis with elements from 1e-3 down to 1e-26. The solution
is that of scipy's Radau at 1e-10 and 1e-12, which agree to 9 digits; the set
prints one for 1e13 s, which does not keep y[1] - y[2] - y[3] = 0. */
inline void E5(double, const double* y, double* ydot) {
  const double a = 7.89e-10 * y[0];
  const double b = 1.1e7 * y[0] * y[2];
  const double c = 1.13e9 * y[1] * y[2];
  const double d = 1.13e3 * y[3];
  ydot[0] = -a - b;
  ydot[1] = a - c;
  ydot[3] = b - d;
  ydot[2] = ydot[1] - ydot[3];
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
      {"E5",
       1e9,
       {1.76e-3, 0, 0, 0},
       {3.13171483e-14, 1.484095794e-16, 1.484095794e-16, 4.524372826e-26},
       {1e-14, 1e-16, 1e-16, 1e-26},
       E5},
      {"Arenstorf",
       17.0652165601579625588917206249,
       {0.994, 0, 0, -2.00158510637908252240537862224},
       {0.994, 0, 0, -2.00158510637908252240537862224},
       {1, 1, 1, 1},
       Arenstorf},
  };
}

}  // namespace wyvern::test
