#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/fem/block_cholesky3.h"
#include "wyvern/multibody/fem/fem_model.h"
#include "wyvern/systems/common/worker_threads.h"

namespace wyvern::multibody::fem::internal {

/** How velocities v+ at the end of a step give positions and accelerations:

  a+ = (v+ - v) / (gamma dt) - (1 - gamma) / gamma a
  q+ = q + dt (w v+ + (1 - w) v) + dt² c a. */
struct TimeScheme {
  double gamma{1};
  double w{1};
  double c{0};

  /** q+ = q + dt v+: loses energy at high frequencies, never gains any. */
  static TimeScheme ImplicitEuler() { return {}; }
  /** Newmark's family by velocities: w = beta / gamma, c = 1/2 - w. Stable for
  all time steps; (1/2, 1/4) keeps the energy of linear motion.
  @throws std::logic_error unless 1/2 <= gamma <= 1 and
  gamma / 2 <= beta <= gamma */
  static TimeScheme Newmark(double gamma, double beta);
};

/** Positions, m, velocities and accelerations of a body's vertices: x, y, z of
one vertex after the other. */
struct FemState {
  VectorX<double> q, v, a;
};

/** At rest in the reference configuration. */
FemState MakeDefaultState(const FemModel& model);

/** Returns the kinetic energy ½ v'M v, J. */
double CalcKineticEnergy(const FemModel& model, const VectorX<double>& v);

/** Advances one body by steps of time. A step finds v+ with

  M a+ + (alpha M + beta C) v+ + dE/dq(q+) = f,

E the elastic energy and C the viscosity at the start of the step, which is the
stiffness where there is no strain (CalcBatchViscosity()). For the linear
materials that is one linear system; for the others Newton's method with a line
search on the potential whose gradient this is. What comes out depends on what
goes in alone, bit for bit; the stepper keeps memory and no state. After the
first step it allocates nothing. */
class FemStepper {
 public:
  /** @param dt s. The model must outlive the stepper, unchanged but for fixed
  vertices. @throws std::logic_error unless dt is positive. */
  FemStepper(const FemModel* model, double dt,
             const TimeScheme& scheme = TimeScheme::ImplicitEuler());

  /** @param f forces on the vertices during the step, N; see
  FemModel::AddGravity(). Fixed vertices are put where they belong.
  @throws std::logic_error if a size is wrong or a number not finite, and
  std::runtime_error naming the body if no v+ is found; the state then is what
  it was. */
  void Step(const VectorX<double>& f, FemState* state);

  /** @name A step that others have a say in
  BeginStep() finds the velocities that Step() would. Impulses j [N s] on
  vertices then change them by (dt T)^-1 j, T the derivative of the equation
  above by v+: exact for the linear materials, for others that at the beginning
  of the step. EndStep() takes what has become of them. Fixed vertices do not
  move. @{ */
  /** As Step(). @param participants vertices, none of them fixed, that impulses
  are going to act on. The order of elimination ends with them: it is found anew
  whenever they are others than in the step before, which allocates.
  @param workers threads that may help, or null; they change no bits */
  void BeginStep(const VectorX<double>& f, const FemState& state,
                 std::span<const int> participants = {},
                 wyvern::internal::WorkerThreads* workers = nullptr);
  /** Velocities of all vertices, m/s. */
  const VectorX<double>& velocities() const { return v_; }
  /** The participants' inertia A, kg, the inverse of their part of (dt T)^-1:
  impulses j on them change their velocities by A^-1 j. Rows and columns are x,
  y, z of one participant after the other; entries above the diagonal, too. */
  void CalcInertia(Eigen::Ref<MatrixX<double>> A) const;
  /** @param impulses on some vertices */
  void AddImpulses(std::span<const int> vertices,
                   const Eigen::Ref<const VectorX<double>>& impulses);
  /** Writes the new positions, velocities and accelerations.
  @throws std::runtime_error naming the body if a number is not finite */
  void EndStep(FemState* state) const;
  /** @} */

  /** Linear systems solved in the last step. */
  int num_iterations() const { return num_iterations_; }

 private:
  class Iteration;

  void Start(const FemState& state);
  void CalcPositions(const VectorX<double>& v);
  double CalcPotential(const VectorX<double>& v, const VectorX<double>& f,
                       Wanted wanted);
  void CalcResidual(const VectorX<double>& f);
  void MakeMatrix();
  void SolveDirection(const VectorX<double>& f, double before);
  bool SolveByLastFactor(double before);
  double CalcTolerance() const;
  void FindVelocities(const VectorX<double>& f);
  [[noreturn]] void ThrowFailure(const char* what) const;

  const FemModel* model_;
  double dt_;
  TimeScheme scheme_;
  int num_iterations_{};
  double energy_{};           // Elastic, at q_.
  bool must_project_{};       // Since in this step a matrix was not positive.
  double direction_error_{};  // Of direction_, m/s, if it was not solved for.
  FemState start_;
  VectorX<double> q_, v_, trial_, direction_, residual_, gradient_, work_,
      product_;
  VectorX<double> cg_residual_, cg_step_;
  std::vector<Block> K_, C_, A_;
  BlockCholesky3 cholesky_;
  std::vector<int> participants_;
  wyvern::internal::WorkerThreads* workers_{};  // Of the step.
};

}  // namespace wyvern::multibody::fem::internal
