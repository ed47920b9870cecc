/** @file
The initial value problems of tests/published by CVODE of SUNDIALS: BDF with a
dense Jacobian by differences for stiff ones, Adams for others. Rows as those of
published_benchmark. Made and run by compare.py. */

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "tests/published/initial_value_problems.h"

namespace {

using wyvern::test::InitialValueProblem;

int Derivatives(realtype t, N_Vector y, N_Vector ydot, void* problem) {
  static_cast<const InitialValueProblem*>(problem)->f(t, N_VGetArrayPointer(y),
                                                      N_VGetArrayPointer(ydot));
  return 0;
}

struct Row {
  double error;
  long evaluations;
  double time;
};

Row Solve(InitialValueProblem problem, double r) {
  SUNContext context;
  SUNContext_Create(nullptr, &context);
  const auto n = static_cast<sunindextype>(problem.start.size());
  N_Vector y = N_VNew_Serial(n, context);
  N_Vector absolute = N_VNew_Serial(n, context);
  for (sunindextype i = 0; i < n; ++i) {
    NV_Ith_S(y, i) = problem.start[i];
    NV_Ith_S(absolute, i) = r * problem.scale[i];
  }
  const bool is_stiff = problem.name != "Arenstorf";
  void* cvode = CVodeCreate(is_stiff ? CV_BDF : CV_ADAMS, context);
  CVodeInit(cvode, Derivatives, 0, y);
  CVodeSetUserData(cvode, &problem);
  CVodeSVtolerances(cvode, r, absolute);
  CVodeSetMaxNumSteps(cvode, 10000000);
  SUNMatrix matrix = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  SUNNonlinearSolver iteration = nullptr;
  if (is_stiff) {
    CVodeSetLinearSolver(cvode, solver, matrix);
  } else {
    iteration = SUNNonlinSol_FixedPoint(y, 0, context);
    CVodeSetNonlinearSolver(cvode, iteration);
  }
  const std::clock_t start = std::clock();
  CVodeSetStopTime(cvode, problem.end);
  realtype t = 0;
  const int flag = CVode(cvode, problem.end, y, &t, CV_NORMAL);
  Row row{};
  row.time = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  long jacobian = 0;
  CVodeGetNumRhsEvals(cvode, &row.evaluations);
  if (is_stiff) CVodeGetNumLinRhsEvals(cvode, &jacobian);
  row.evaluations += jacobian;
  row.error = flag < 0
                  ? std::nan("")
                  : wyvern::test::CalcError(problem, N_VGetArrayPointer(y));
  CVodeFree(&cvode);
  if (iteration != nullptr) SUNNonlinSolFree(iteration);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(absolute);
  SUNContext_Free(&context);
  return row;
}

}  // namespace

int main() {
  for (const auto& problem : wyvern::test::GetInitialValueProblems()) {
    const bool is_stiff = problem.name != "Arenstorf";
    for (int digits = 3; digits <= 10; ++digits) {
      const double r = std::pow(10, -digits);
      Row best = Solve(problem, r);
      for (int i = 0; i < 2; ++i) {
        best.time = std::min(best.time, Solve(problem, r).time);
      }
      std::printf("%s,CVODE,%s,%.0e,%.3e,%ld,%.4f\n", problem.name.c_str(),
                  is_stiff ? "BDF" : "Adams", r, best.error, best.evaluations,
                  best.time);
    }
  }
}
