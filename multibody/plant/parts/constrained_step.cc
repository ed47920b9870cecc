#include "wyvern/multibody/plant/parts/constrained_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <stdexcept>
#include <type_traits>

#include <fmt/format.h>

#include "wyvern/geometry/math/autodiff.h"
#include "wyvern/geometry/math/autodiff_gradient.h"
#include "wyvern/multibody/algorithms/mass_matrix.h"
#include "wyvern/multibody/plant/parts/discrete_step.h"
#include "wyvern/multibody/plant/parts/solve_accelerations.h"
#include "wyvern/systems/common/extract_double.h"

namespace wyvern::multibody::internal {

using Kind = engine::HolonomicConstraint::Kind;
using systems::Context;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// How much of its load's velocity a rigid constraint lets through: R / w.
constexpr double kSoftness = 1e-6;
// The same of a contact that sticks: R_t / w.
constexpr double kStictionSoftness = 1e-3;
constexpr int kMaxFrictionIterations = 200;
constexpr double kFrictionTolerance = 1e-7;
constexpr int kTamsiDerivativeRounds = 20;

// The velocities that the step would end with if no law or constraint acted.
template <typename T>
void CalcFreeVelocities(const MultibodyTreeSystem<T>& core,
                        const Context<T>& context,
                        const AppliedForces<T>& applied,
                        const std::vector<bool>& is_locked,
                        DynamicsResult<T>* r, VectorX<T>* v_star) {
  for (int i = 0; i < core.num_v(); ++i) {
    r->diagonal[i] = T(is_locked[i] ? kLockedInertia : 0.0);
  }
  SolveAccelerations<T>(core, context, NodeForces(applied), r->diagonal, r);
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
  const bool is_rigid = compiled.is_rigid();
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

// The contact's law, of a point that is constraint c of the problem.
template <typename T>
ContactLaw<T> MakeLaw(const ContactPoint<T>& point, const ContactConfig& config,
                      const Vector3<T>& velocity, int c,
                      StepProblem<T>* problem) {
  const double dt = problem->dt();
  const T w = problem->CalcDelassusScale(c);
  ContactLaw<T> law;
  law.mu = point.mu;
  if (config.approximation == DiscreteContactApproximation::kSap) {
    law.kind = ContactLaw<T>::Kind::kSap;
    const T time = dt + point.relaxation_time;
    const double beta = config.near_rigid_threshold / (2 * std::numbers::pi);
    const T near_rigid = beta * beta * w;
    law.R_n = 1.0 / (dt * time * point.stiffness);
    if (law.R_n < near_rigid) law.R_n = near_rigid;
    law.R_t = kStictionSoftness * w;
    law.v_hat = point.depth / time;
    return law;
  }
  law.kind = config.approximation == DiscreteContactApproximation::kSimilar
                 ? ContactLaw<T>::Kind::kSimilar
                 : ContactLaw<T>::Kind::kLagged;
  law.dt = dt;
  law.k = point.stiffness;
  law.d = point.dissipation;
  law.f0 = point.stiffness * point.depth;
  const T damping = 1 - law.d * velocity[2];
  law.n0 = damping > 0 ? T(dt * law.f0 * damping) : T(0);
  law.eps = std::max(
      config.stiction_tolerance,
      kStictionSoftness * ExtractDoubleOrThrow(T(law.mu * w * law.n0)));
  return law;
}

template <typename T>
void AddContacts(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                 const ContactPart<T>& contact, DynamicsResult<T>* r) {
  r->contact_index.clear();
  if (!contact.has_geometry()) return;
  const auto& positions = core.EvalPositions(context).nodes;
  const ContactLaw<T> unknown;
  for (const ContactPoint<T>& point : contact.EvalPoints(context)) {
    Eigen::Matrix<T, 6, 3> F;
    for (int i = 0; i < 3; ++i) {
      F.col(i) << point.p_WC.cross(point.R_WC.col(i)), point.R_WC.col(i);
    }
    const int c = AddPair<T>(
        core.model(), positions, core.tree().model_body(point.body_B),
        core.tree().model_body(point.body_A), F, {}, &unknown, &r->problem);
    r->contact_index.push_back(c);
    if (c < 0) continue;
    r->problem.contact_law(r->problem.constraint(c).law) =
        MakeLaw<T>(point, contact.config(),
                   contact.CalcVelocity(context, point), c, &r->problem);
  }
}

// Solves again and again with friction by the normal impulses of the last
// solution.
void SolveWithOwnFriction(StepProblem<double>* problem, StepSolver* solver,
                          VectorX<double>* v) {
  const StepSolver::Solution* solution = &solver->Solve(*problem, *v);
  for (int i = 0; i < kMaxFrictionIterations; ++i) {
    double change = 0, scale = 0;
    for (int c = 0; c < problem->num_constraints(); ++c) {
      const auto& constraint = problem->constraint(c);
      if (!constraint.is_contact) continue;
      double& n0 = problem->contact_law(constraint.law).n0;
      const double n = solution->g[constraint.row + 2];
      change = std::max(change, std::abs(n - n0));
      scale = std::max(scale, n);
      n0 = n;
    }
    *v = solution->v;
    if (change <= kFrictionTolerance * scale) return;
    solution = &solver->Solve(*problem, *v);
  }
  throw std::runtime_error(fmt::format(
      "Friction and the normal forces that it depends on find no balance in {} "
      "iterations; take a smaller step, or another contact approximation.",
      kMaxFrictionIterations));
}

// One solution with derivatives,
//   dv = -H^-1 dr,  r the residual at the solution's value.
template <typename T>
void SolveWithDerivatives(const VectorX<double>& guess, DynamicsResult<T>* r) {
  const StepProblem<double> problem = r->problem.ExtractValues();
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

// v and the rows' impulses.
template <typename T>
void Solve(const MultibodyTreeSystem<T>& core, const Context<T>& context,
           bool is_tamsi, DynamicsResult<T>* r) {
  if constexpr (std::is_same_v<T, double>) {
    r->v_previous = core.VelocitiesOf(context);
    if (is_tamsi) {
      SolveWithOwnFriction(&r->problem, &r->solver, &r->v_previous);
    }
    const StepSolver::Solution& solution =
        r->solver.Solve(r->problem, r->v_previous);
    r->v_next = solution.v;
    r->impulses = solution.g;
  } else {
    VectorX<double> guess =
        ExtractDoubleOrThrow(VectorX<T>(core.VelocitiesOf(context)));
    if (is_tamsi) {
      StepProblem<double> problem = r->problem.ExtractValues();
      SolveWithOwnFriction(&problem, &r->solver, &guess);
    }
    SolveWithDerivatives<T>(guess, r);
    // The derivatives of the fixed point, by as many rounds.
    for (int i = 0; is_tamsi && i < kTamsiDerivativeRounds; ++i) {
      for (int c = 0; c < r->problem.num_constraints(); ++c) {
        const auto& k = r->problem.constraint(c);
        if (k.is_contact) {
          r->problem.contact_law(k.law).n0 = r->impulses[k.row + 2];
        }
      }
      SolveWithDerivatives<T>(guess, r);
    }
  }
}

// Multipliers, and forces of the constraints on bodies, about their origins.
template <typename T>
void CollectForces(const MultibodyTreeSystem<T>& core,
                   const Context<T>& context,
                   const ConstraintRegistry& registry, DynamicsResult<T>* r) {
  const auto& X_WB = core.EvalPositions(context).X_WB;
  r->F_constraints_BBo_W.assign(core.model().num_bodies(), Vector6<T>::Zero());
  r->multipliers.setZero();
  for (std::size_t i = 0; i < registry.compiled.size(); ++i) {
    const int c = r->constraint_index[i];
    const auto& constraint = registry.compiled[i].constraint;
    if (c < 0) continue;
    const int rows = constraint.num_rows();
    auto lambda = r->multipliers.segment(registry.compiled[i].first_row, rows);
    lambda = r->impulses.segment(r->problem.constraint(c).row, rows) /
             core.time_step();
    if (constraint.kind == Kind::kCoupler) continue;
    const Vector6<T> F_Wo =
        r->constraint_kinematics[i].F.leftCols(rows).lazyProduct(lambda);
    r->has_constraint_forces = true;
    engine::AddForcePair<T>(constraint, F_Wo, X_WB, &r->F_constraints_BBo_W);
  }
}

template <typename T>
void CollectContactForces(const MultibodyTreeSystem<T>& core,
                          const Context<T>& context,
                          const ContactPart<T>& contact, DynamicsResult<T>* r) {
  r->contact_forces.clear();
  r->tau_contact.setZero();
  for (const int c : r->contact_index) {
    Vector3<T> f = Vector3<T>::Zero();
    if (c >= 0) {
      f = r->impulses.template segment<3>(r->problem.constraint(c).row) /
          core.time_step();
    }
    r->contact_forces.push_back(f);
  }
  if (r->contact_forces.empty()) return;
  r->has_constraint_forces = true;
  contact.AddForces(context, r->contact_forces, &r->F_constraints_BBo_W,
                    &r->tau_contact);
}

}  // namespace

template <typename T>
void CalcConstrainedStep(
    const MultibodyTreeSystem<T>& core, const Context<T>& context,
    const AppliedForces<T>& applied, const ActuationPart<T>& actuation,
    const ConstraintRegistry& constraints, const ContactPart<T>& contact,
    const std::vector<bool>& is_locked, DynamicsResult<T>* result) {
  DynamicsResult<T>& r = *result;
  StartProblem(core, context, is_locked, &r);
  CalcFreeVelocities(core, context, applied, is_locked, &r,
                     &r.problem.v_star());
  actuation.AddAngleLimitRows(context, &r.problem);
  r.num_limit_rows = r.problem.num_rows();
  AddConstraints(core, context, constraints, &r);
  AddContacts(core, context, contact, &r);
  try {
    Solve(
        core, context,
        contact.config().approximation == DiscreteContactApproximation::kTamsi,
        &r);
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
  CollectContactForces(core, context, contact, &r);
}

template void CalcConstrainedStep(
    const MultibodyTreeSystem<double>&, const Context<double>&,
    const AppliedForces<double>&, const ActuationPart<double>&,
    const ConstraintRegistry&, const ContactPart<double>&,
    const std::vector<bool>&, DynamicsResult<double>*);
template void CalcConstrainedStep(
    const MultibodyTreeSystem<AutoDiffXd>&, const Context<AutoDiffXd>&,
    const AppliedForces<AutoDiffXd>&, const ActuationPart<AutoDiffXd>&,
    const ConstraintRegistry&, const ContactPart<AutoDiffXd>&,
    const std::vector<bool>&, DynamicsResult<AutoDiffXd>*);

}  // namespace wyvern::multibody::internal
