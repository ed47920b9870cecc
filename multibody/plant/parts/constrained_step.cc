#include "wyvern/multibody/plant/parts/constrained_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/multibody/algorithms/mass_matrix.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

using Kind = engine::HolonomicConstraint::Kind;
using systems::Context;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Large against any inertia: what it is added to does not accelerate.
constexpr double kLocked = 1e30;
// How much of its load's velocity a rigid constraint lets through: R / w.
constexpr double kSoftness = 1e-6;

// The velocities that the step would end with if no law or constraint acted.
template <typename T>
void CalcFreeVelocities(const MultibodyTreeSystem<T>& core,
                        const Context<T>& context,
                        const AppliedForces<T>& applied,
                        const std::vector<bool>& is_locked,
                        DynamicsResult<T>* r, VectorX<T>* v_star) {
  for (int i = 0; i < core.num_v(); ++i) {
    r->diagonal[i] = T(is_locked[i] ? kLocked : 0.0);
  }
  const auto& parameters = core.EvalModelParameters(context);
  const auto& positions = core.EvalPositions(context).nodes;
  const auto& inertias = core.EvalInertias(context);
  engine::CalcArticulatedInertias<T>(core.model(), parameters, positions,
                                     inertias, r->diagonal, &r->articulated);
  const std::span<const Vector6<T>> F =
      applied.has_body_forces ? std::span<const Vector6<T>>(applied.F_nodes)
                              : std::span<const Vector6<T>>();
  engine::CalcForwardDynamics<T>(core.model(), parameters, positions, inertias,
                                 core.EvalVelocities(context).nodes, r->tau, F,
                                 engine::Gravity::kOn, &r->articulated, &r->A,
                                 r->vdot);
  *v_star = core.VelocitiesOf(context) + core.time_step() * r->vdot;
}

template <typename T>
void StartProblem(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                  const std::vector<bool>& is_locked, DynamicsResult<T>* r) {
  StepProblem<T>& problem = r->problem;
  r->tree_nv.clear();
  for (const auto& tree : core.model().trees) r->tree_nv.push_back(tree.nv);
  problem.Reset(core.time_step(), r->tree_nv);
  for (int t = 0; t < problem.num_trees(); ++t) {
    engine::CalcTreeMassMatrix<T>(
        core.model(), core.EvalModelParameters(context),
        core.EvalPositions(context).nodes, core.EvalComposites(context), t,
        problem.A(t));
  }
  problem.FactorInertia();
  problem.dof_laws() = r->laws;
  for (int i = 0; i < core.num_v(); ++i) problem.is_locked()[i] = is_locked[i];
}

// Fills in the two Jacobian blocks of an equal and opposite force on A and B.
template <typename T>
int AddPair(const engine::Model& model,
            const engine::PositionKinematics<T>& positions, int body_A,
            int body_B, const Eigen::Ref<const Matrix6X<T>>& F,
            std::span<const RowLaw<T>> rows, const ContactLaw<T>* contact,
            StepProblem<T>* problem) {
  const int tree_A = model.bodies[body_A].tree;
  const int tree_B = model.bodies[body_B].tree;
  const bool has_B = tree_B >= 0;
  const int first = has_B ? tree_B : tree_A;
  const int second = has_B && tree_A != tree_B ? tree_A : -1;
  if (first < 0) return -1;  // Neither body moves.
  const int c = contact ? problem->AddContact(*contact, first, second)
                        : problem->AddRows(rows, first, second);
  const auto add = [&](int body, int tree, double sign) {
    if (tree < 0) return;
    const int side = tree == first ? 0 : 1;
    engine::AddJacobianRows<T>(model, positions, body, F, sign,
                               problem->v_start(tree), problem->J(c, side));
  };
  add(body_B, tree_B, 1.0);
  add(body_A, tree_A, -1.0);
  return c;
}

// A coupler's rows are two coordinates.
template <typename T>
int AddCoupler(const engine::Model& model,
               const engine::HolonomicConstraint& constraint,
               std::span<const RowLaw<T>> rows, StepProblem<T>* problem) {
  const int trees[] = {model.tree_of_v[constraint.v[0]],
                       model.tree_of_v[constraint.v[1]]};
  const int second = trees[1] == trees[0] ? -1 : trees[1];
  const int c = problem->AddRows(rows, trees[0], second);
  const double coefficients[] = {1.0, -constraint.ratio};
  for (int i = 0; i < 2; ++i) {
    auto J = problem->J(c, i == 1 && second >= 0 ? 1 : 0);
    J(0, constraint.v[i] - problem->v_start(trees[i])) += coefficients[i];
  }
  return c;
}

// Regularizes the rows and says what velocity they are pulled to.
template <typename T>
void SetRowLaws(const ConstraintRegistry::Compiled& compiled,
                const Vector6<T>& error, int c, StepProblem<T>* problem) {
  const double dt = problem->dt();
  const bool is_rigid = !std::isfinite(compiled.stiffness);
  const double tau = is_rigid ? dt : compiled.damping / compiled.stiffness;
  const int num_rows = compiled.constraint.num_rows();
  // The three rotations of a weld and its three translations have units of
  // their own.
  for (int first = 0; first < num_rows; first += 3) {
    const int num = std::min(3, num_rows - first);
    T R = kSoftness * problem->CalcDelassusScale(c, first, num);
    if (!is_rigid) {
      const double soft = 1 / (dt * (dt + tau) * compiled.stiffness);
      if (R < soft) R = T(soft);
    }
    for (int i = first; i < first + num; ++i) {
      RowLaw<T>& law = problem->row_law(problem->constraint(c).law + i);
      law.R = R;
      law.v_hat = -error[i] / (dt + tau);
    }
  }
}

template <typename T>
void AddConstraints(const MultibodyTreeSystem<T>& core,
                    const Context<T>& context,
                    const ConstraintRegistry& registry, DynamicsResult<T>* r) {
  const auto& positions = core.EvalPositions(context);
  const VectorX<T>& x = core.StateVector(context);
  const auto& is_active = context.get_numeric_parameter(registry.is_active);
  r->constraint_index.assign(registry.compiled.size(), -1);
  r->constraint_kinematics.resize(registry.compiled.size());
  const RowLaw<T> equality{T(0), T(1), -kInfinity, kInfinity};
  const std::array<RowLaw<T>, 6> rows{equality, equality, equality,
                                      equality, equality, equality};
  for (std::size_t i = 0; i < registry.compiled.size(); ++i) {
    if (is_active[static_cast<int>(i)] == 0) continue;
    const engine::HolonomicConstraint& constraint =
        registry.compiled[i].constraint;
    engine::ConstraintKinematics<T>& kinematics = r->constraint_kinematics[i];
    engine::CalcConstraintPosition<T>(constraint, positions.X_WB,
                                      x.head(core.num_q()), &kinematics);
    const int num_rows = constraint.num_rows();
    const auto laws = std::span<const RowLaw<T>>(rows).first(num_rows);
    const int c =
        constraint.kind == Kind::kCoupler
            ? AddCoupler<T>(core.model(), constraint, laws, &r->problem)
            : AddPair<T>(core.model(), positions.nodes, constraint.body_A,
                         constraint.body_B, kinematics.F.leftCols(num_rows),
                         laws, nullptr, &r->problem);
    r->constraint_index[i] = c;
    if (c < 0) continue;
    SetRowLaws<T>(registry.compiled[i], kinematics.error, c, &r->problem);
  }
}

// v and the rows' impulses. In double the solver's; derivatives besides are
//   dv = -H^-1 dr,  r the residual at the solution's value.
template <typename T>
void Solve(const MultibodyTreeSystem<T>& core, const Context<T>& context,
           DynamicsResult<T>* r) {
  if constexpr (std::is_same_v<T, double>) {
    r->v_previous = core.VelocitiesOf(context);
    const StepSolver::Solution& solution =
        r->solver.Solve(r->problem, r->v_previous);
    r->v_next = solution.v;
    r->impulses = solution.g;
  } else {
    const StepProblem<double> problem = r->problem.ExtractValues();
    const VectorX<double> guess =
        ExtractDoubleOrThrow(VectorX<T>(core.VelocitiesOf(context)));
    const VectorX<double> v = r->solver.Solve(problem, guess).v;
    const VectorX<T> residual =
        r->problem.CalcResidual(v.template cast<T>().eval());
    MatrixX<double> gradient = math::ExtractGradient(residual);
    for (int j = 0; j < gradient.cols(); ++j) {
      r->solver.SolveSensitivity(problem, gradient.col(j));
    }
    r->v_next = gradient.cols() == 0 ? v.template cast<T>().eval()
                                     : math::InitializeAutoDiff(v, gradient);
    VectorX<T> v_rows;
    r->problem.CalcRowVelocities(r->v_next, &v_rows);
    r->problem.CalcImpulses(v_rows, &r->impulses);
  }
}

// Forces of the constraints on bodies, about their origins.
template <typename T>
void CollectForces(const MultibodyTreeSystem<T>& core,
                   const Context<T>& context,
                   const ConstraintRegistry& registry, DynamicsResult<T>* r) {
  const auto& X_WB = core.EvalPositions(context).X_WB;
  r->F_constraints_BBo_W.assign(core.model().num_bodies(), Vector6<T>::Zero());
  for (std::size_t i = 0; i < registry.compiled.size(); ++i) {
    const int c = r->constraint_index[i];
    const auto& constraint = registry.compiled[i].constraint;
    if (c < 0 || constraint.kind == Kind::kCoupler) continue;
    const int rows = constraint.num_rows();
    const Vector6<T> F_Wo =
        r->constraint_kinematics[i].F.leftCols(rows).lazyProduct(
            r->impulses.segment(r->problem.constraint(c).row, rows)) /
        core.time_step();
    r->has_constraint_forces = true;
    const Vector3<T> f = F_Wo.template tail<3>();
    const auto add = [&](int body, double sign) {
      Vector6<T> F = F_Wo;
      F.template head<3>() -= X_WB[body].p.cross(f);
      r->F_constraints_BBo_W[body] += sign * F;
    };
    add(constraint.body_B, 1.0);
    add(constraint.body_A, -1.0);
  }
}

}  // namespace

template <typename T>
void CalcConstrainedStep(const MultibodyTreeSystem<T>& core,
                         const Context<T>& context,
                         const AppliedForces<T>& applied,
                         const ConstraintRegistry& constraints,
                         const std::vector<bool>& is_locked,
                         DynamicsResult<T>* result) {
  DynamicsResult<T>& r = *result;
  StartProblem(core, context, is_locked, &r);
  CalcFreeVelocities(core, context, applied, is_locked, &r,
                     &r.problem.v_star());
  AddConstraints(core, context, constraints, &r);
  try {
    Solve(core, context, &r);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format(
        "MultibodyPlant '{}': the step from time {} found no velocities. {}",
        core.GetSystemPathname(), ExtractDoubleOrThrow(context.get_time()),
        error.what()));
  }
  r.vdot = (r.v_next - core.VelocitiesOf(context)) / core.time_step();
  engine::CalcAccelerationKinematics<T>(
      core.model(), core.EvalPositions(context).nodes,
      core.EvalVelocities(context).nodes, r.vdot, &r.A);
  CollectForces(core, context, constraints, &r);
}

template void CalcConstrainedStep(const MultibodyTreeSystem<double>&,
                                  const Context<double>&,
                                  const AppliedForces<double>&,
                                  const ConstraintRegistry&,
                                  const std::vector<bool>&,
                                  DynamicsResult<double>*);
template void CalcConstrainedStep(const MultibodyTreeSystem<AutoDiffXd>&,
                                  const Context<AutoDiffXd>&,
                                  const AppliedForces<AutoDiffXd>&,
                                  const ConstraintRegistry&,
                                  const std::vector<bool>&,
                                  DynamicsResult<AutoDiffXd>*);

}  // namespace wyvern::multibody::internal
