/** @file
The initial value problems of tests/published by CVODE of SUNDIALS: BDF with a
dense Jacobian by differences for stiff ones, Adams for others. Rows of
measure.h. Made and run by compare.py. */

#include <cmath>
#include <stdexcept>
#include <string>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_types.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "tests/benchmarks/published/measure.h"
#include "tests/published/initial_value_problems.h"

namespace {

using wyvern::test::InitialValueProblem;

int Derivatives(realtype t, N_Vector y, N_Vector ydot, void* problem) {
  static_cast<const InitialValueProblem*>(problem)->f(t, N_VGetArrayPointer(y),
                                                      N_VGetArrayPointer(ydot));
  return 0;
}

wyvern::test::Outcome Solve(InitialValueProblem problem, double r) {
  SUNContext context;
  SUNContext_Create(nullptr, &context);
  const auto n = static_cast<sunindextype>(problem.start.size());
  N_Vector y = N_VNew_Serial(n, context);
  N_Vector absolute = N_VNew_Serial(n, context);
  for (sunindextype i = 0; i < n; ++i) {
    NV_Ith_S(y, i) = problem.start[i];
    NV_Ith_S(absolute, i) = r * problem.scale[i];
  }
  const bool is_stiff = problem.is_stiff;
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
  const wyvern::test::Stopwatch watch;
  CVodeSetStopTime(cvode, problem.end);
  realtype t = 0;
  const int flag = CVode(cvode, problem.end, y, &t, CV_NORMAL);
  wyvern::test::Outcome row{0, 0, watch.ms()};
  long jacobian = 0;
  CVodeGetNumRhsEvals(cvode, &row.evaluations);
  if (is_stiff) CVodeGetNumLinRhsEvals(cvode, &jacobian);
  row.evaluations += jacobian;
  row.error = wyvern::test::CalcError(problem, N_VGetArrayPointer(y));
  CVodeFree(&cvode);
  if (iteration != nullptr) SUNNonlinSolFree(iteration);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  N_VDestroy(absolute);
  SUNContext_Free(&context);
  if (flag < 0) throw std::runtime_error("flag " + std::to_string(flag));
  return row;
}

}  // namespace

int main() {
  for (const auto& problem : wyvern::test::GetInitialValueProblems()) {
    for (int digits = 3; digits <= 10; ++digits) {
      const double r = std::pow(10, -digits);
      wyvern::test::Measure(problem.name, "CVODE",
                            problem.is_stiff ? "BDF" : "Adams", r,
                            [&]() { return Solve(problem, r); });
    }
  }
}
