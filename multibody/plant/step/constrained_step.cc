#include "wyvern/multibody/plant/step/constrained_step.h"

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
#include "wyvern/multibody/dynamics/mass_matrix.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"
#include "wyvern/multibody/plant/parts/call_named.h"
#include "wyvern/multibody/plant/parts/contradictions.h"
#include "wyvern/multibody/plant/step/contact_rows.h"
#include "wyvern/multibody/plant/step/deformable_step.h"
#include "wyvern/multibody/plant/step/solve_accelerations.h"
#include "wyvern/multibody/step/round_off.h"
#include "wyvern/multibody/step/rows/factored_rows.h"
#include "wyvern/multibody/tree/articulated_inertias.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* The step as a convex problem (multibody/step/README.md): A is M by trees,
v* and the impulses of all explicit forces are the right side, and laws are
added by velocity, by row of each active constraint and by contact.
StepSolver finds v. Then impulses over dt are the multipliers and contact
forces, and contradictions.h says whether rigid constraints were met. kTamsi
repeats the solution with the friction of the last normal impulses. */

namespace wyvern::multibody::internal {

using Kind = HolonomicConstraint::Kind;
using systems::Context;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// R / w of a rigid constraint: the share of its load's velocity that it lets
// through.
constexpr double kSoftness = 1e-6;
// Error that a constraint between bodies that cannot move may have, [m] or
// [rad].
constexpr double kStillTolerance = 1e-6;
constexpr int kMaxFrictionIterations = 200;
// Tolerance of a change of normal impulses, relative to the largest.
constexpr double kFrictionTolerance = 1e-7;
constexpr int kTamsiDerivativeRounds = 20;

// Computes the impulse of all forces except laws and constraints in the step,
// at v' = 0: dt (tau + g + applied - C v).
template <typename T>
void CalcImpulse(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                 const StepInputs<T>& inputs, StepScratch<T>* scratch) {
  if (scratch->inverse_dynamics.A.empty()) {
    scratch->inverse_dynamics =
        dynamics::InverseDynamicsScratch<T>(core.model());
  }
  auto p = scratch->problem.impulse().head(core.num_v());
  const VectorX<T> no_vdot;
  dynamics::CalcInverseDynamics<T>(core.EvalMotion(context), no_vdot,
                                   NodeForces(inputs), dynamics::Gravity::kOn,
                                   &scratch->inverse_dynamics, p);
  p = inputs.dt * (inputs.tau - p);
}

template <typename T>
void StartProblem(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                  const StepInputs<T>& inputs, const ContactPart<T>& contact,
                  const DeformableModel<T>& deformables,
                  StepScratch<T>* scratch) {
  StepProblem<T>& problem = scratch->problem;
  std::vector<int>& tree_nv = scratch->tree_nv;
  tree_nv.clear();
  for (const auto& tree : core.model().trees) tree_nv.push_back(tree.nv);
  const int num_rigid = static_cast<int>(tree_nv.size());
  BeginDeformables(deformables, context, contact, &tree_nv);
  problem.Reset(inputs.dt, tree_nv);
  const auto& parameters = core.EvalModelParameters(context);
  const auto& positions = core.EvalNodePositions(context);
  const auto& composites = core.EvalComposites(context);
  for (int t = 0; t < num_rigid; ++t) {
    dynamics::CalcTreeMassMatrix<T>(core.model(), parameters, positions,
                                    composites, t, problem.A(t));
    if (const int n = tree_nv[t]; n > 0) {
      problem.SetBranches(t, std::span<const int>(scratch->parents)
                                 .subspan(problem.v_start(t), n));
    }
  }
  problem.v_star().head(core.num_v()) = inputs.v_star;
  problem.dof_laws() = inputs.laws;
  problem.dof_laws().resize(problem.num_v());
  FillDeformableTrees(deformables, context, &problem);
  if (!inputs.some_locked) return;
  for (int i = 0; i < core.num_v(); ++i) {
    problem.is_locked()[i] = inputs.is_locked[i];
  }
}

// Fills in the two Jacobian blocks of an equal and opposite force on A and B.
template <typename T>
int AddPair(const dynamics::Model& model,
            const dynamics::PositionKinematics<T>& positions,
            dynamics::MobodIndex body_A, dynamics::MobodIndex body_B,
            const Eigen::Ref<const Matrix6X<T>>& F,
            std::span<const RowLaw<T>> rows, StepProblem<T>* problem) {
  const int tree_A = model.bodies[body_A].tree;
  const int tree_B = model.bodies[body_B].tree;
  const bool has_B = tree_B >= 0;
  const int first = has_B ? tree_B : tree_A;
  const int second = has_B && tree_A != tree_B ? tree_A : -1;
  if (first < 0) return -1;  // Neither body moves.
  const int c = problem->AddRows(rows, first, second);
  const auto add = [&](dynamics::MobodIndex body, int tree, double sign) {
    if (tree < 0) return;
    const int side = tree == first ? 0 : 1;
    AddJacobianRows<T>(model, positions, body, F, sign, problem->v_start(tree),
                       problem->J(c, side));
  };
  add(body_B, tree_B, 1.0);
  add(body_A, tree_A, -1.0);
  return c;
}

// A coupler's rows are two coordinates.
template <typename T>
int AddCoupler(const dynamics::Model& model,
               const HolonomicConstraint& constraint,
               std::span<const RowLaw<T>> rows, StepProblem<T>* problem) {
  const int trees[] = {model.tree_of_v[constraint.v[0]],
                       model.tree_of_v[constraint.v[1]]};
  const int columns[] = {constraint.v[0] - problem->v_start(trees[0]),
                         constraint.v[1] - problem->v_start(trees[1])};
  const T coefficients[] = {T(1), T(-constraint.ratio)};
  if (trees[1] != trees[0]) {
    const int c =
        problem->AddRows(rows, trees[0], trees[1], std::span(columns, 1),
                         std::span(columns + 1, 1));
    for (int i = 0; i < 2; ++i) problem->J(c, i)(0, 0) = coefficients[i];
    return c;
  }
  const int low = columns[1] < columns[0];
  const int sorted[] = {columns[low], columns[1 - low]};
  const int c = problem->AddRows(rows, trees[0], -1, sorted);
  for (int i = 0; i < 2; ++i) {
    problem->J(c, 0)(0, i) = coefficients[i == 0 ? low : 1 - low];
  }
  return c;
}

// Throws an error that names the joint, if some joint moves no inertia.
template <typename T>
void RequireInertia(const MultibodyTreeSystem<T>& core,
                    const Context<T>& context) {
  dynamics::ArticulatedInertias<T> articulated(core.model());
  CalcArticulatedInertias<T>(core, core.EvalConfiguration(context),
                             VectorX<T>(), &articulated);
}

// Sets the regularization R of the rows and their target velocity
// v_hat = -error / (dt + tau). For rigid constraints tau is dt, and the
// stabilization time in steps of a continuous plant. There v_hat also has
// -dt J̇ v, so that J v is right at the end of the step to second order: an
// integrator would take what is missing for an error of first order.
template <typename T>
void SetRowLaws(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                const ConstraintRegistry& registry,
                const ConstraintRegistry::Compiled& compiled,
                const Eigen::Ref<const VectorX<T>>& error,
                const Vector6<T>& bias, int c, StepProblem<T>* problem) {
  const double dt = problem->dt();
  const bool is_rigid = compiled.is_rigid();
  // An integrator's steps may be so short that to correct an error within one
  // of them would take any speed.
  const double tau = !is_rigid ? compiled.damping / compiled.stiffness
                     : core.is_discrete() ? dt
                                          : registry.stabilization_time;
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
    if (!std::isfinite(ToDouble(R))) {
      RequireInertia<T>(core, context);
      throw std::runtime_error(fmt::format(
          "what an impulse of it would change in its velocity is {}; correct "
          "its ratio or dimensions, and the masses that it moves.",
          ToDouble(R) / kSoftness));
    }
    // R is 0 if these rows move nothing. Their impulse then has no effect.
    const bool is_still = !(R > 0);
    for (int i = first; i < first + num; ++i) {
      RowLaw<T>& law = problem->row_law(problem->constraint(c).law + i);
      law.R = is_still ? T(1) : R;
      law.v_hat = is_still ? T(0) : T(-error[i] / (dt + tau) - dt * bias[i]);
    }
  }
}

// Throws unless a constraint between bodies that cannot move is met.
template <typename T>
void RequireMet(const MultibodyTreeSystem<T>& core, const Context<T>& context,
                const ConstraintRegistry::Compiled& compiled,
                const Eigen::Ref<const VectorX<T>>& error) {
  if (!compiled.is_rigid()) return;
  double largest = 0;
  for (int i = 0; i < compiled.constraint.num_rows(); ++i) {
    largest = std::max(largest, std::abs(ToDouble(error[i])));
  }
  if (largest <= kStillTolerance) return;
  throw std::runtime_error(fmt::format(
      "MultibodyPlant '{}': at time {}: {} is off by {}, and its bodies cannot "
      "move; remove or deactivate it, or correct its dimensions.",
      core.GetSystemPathname(), ToDouble(context.get_time()), compiled.name,
      largest));
}

template <typename T>
void AddConstraints(const MultibodyTreeSystem<T>& core,
                    const Context<T>& context,
                    const ConstraintRegistry& registry,
                    StepScratch<T>* scratch) {
  if (registry.compiled.empty()) return;
  const auto positions = core.EvalPositions(context);
  const VectorX<T>& x = core.StateVector(context);
  const auto& is_active = context.get_numeric_parameter(registry.is_active);
  scratch->constraint_index.assign(registry.compiled.size(), -1);
  scratch->constraint_errors.resize(registry.num_rows);
  scratch->constraint_F.resize(6, registry.num_rows);
  const bool is_continuous = !core.is_discrete();
  if (is_continuous) {
    dynamics::CalcBiasAccelerations<T>(
        core.model(), core.EvalVelocities(context).nodes, &scratch->A);
  }
  Vector6<T> bias = Vector6<T>::Zero();
  const RowLaw<T> equality{T(0), T(1), -kInfinity, kInfinity};
  const std::array<RowLaw<T>, 6> rows{equality, equality, equality,
                                      equality, equality, equality};
  for (std::size_t i = 0; i < registry.compiled.size(); ++i) {
    if (is_active[static_cast<int>(i)] == 0) continue;
    const HolonomicConstraint& constraint = registry.compiled[i].constraint;
    const int num_rows = constraint.num_rows();
    const int first = registry.compiled[i].first_row;
    auto errors = scratch->constraint_errors.segment(first, num_rows);
    auto F = scratch->constraint_F.middleCols(first, num_rows);
    CallNamed(core, context, registry.compiled[i], [&] {
      CalcConstraintErrors<T>(constraint, positions.X_WB, x.head(core.num_q()),
                              errors);
      CalcUnitForces<T>(constraint, positions.X_WB, F);
    });
    const auto laws = std::span<const RowLaw<T>>(rows).first(num_rows);
    const int c =
        constraint.kind == Kind::kCoupler
            ? AddCoupler<T>(core.model(), constraint, laws, &scratch->problem)
            : AddPair<T>(core.model(), positions.nodes, constraint.body_A,
                         constraint.body_B, F, laws, &scratch->problem);
    scratch->constraint_index[i] = c;
    if (c < 0) {
      RequireMet<T>(core, context, registry.compiled[i], errors);
      continue;
    }
    if (is_continuous) {
      CalcConstraintBias<T>(constraint, core.model(), positions.nodes,
                            core.EvalVelocities(context).nodes, positions.X_WB,
                            scratch->A, bias.head(num_rows));
    }
    CallNamed(core, context, registry.compiled[i], [&] {
      SetRowLaws<T>(core, context, registry, registry.compiled[i], errors, bias,
                    c, &scratch->problem);
    });
  }
}

// Returns whether friction used the solution's normal impulses. They may differ
// by kFrictionTolerance, or by the impulse's own round-off: where springs are
// deep and damped, adjacent numbers v have impulses that differ by more.
bool IsFrictionBalanced(const StepProblem<double>& problem,
                        const StepSolver::Solution& solution) {
  const auto normal = [&](int contact) {
    return solution.g[problem.contact_row(contact) + 2];
  };
  double scale = 0;
  for (int i = 0; i < problem.num_contacts(); ++i) {
    scale = std::max(scale, normal(i));
  }
  for (int c = 0; c < problem.num_constraints(); ++c) {
    const auto& k = problem.constraint(c);
    for (int i = 0; i < k.num_contacts; ++i) {
      const double change =
          std::abs(normal(k.law + i) - problem.contact_law(k.law + i).n0);
      if (change > kFrictionTolerance * scale &&
          change > CalcNormalRoundOff(problem, c, i, solution.v)) {
        return false;
      }
    }
  }
  return true;
}

// Solves again and again with friction by the normal impulses of the last
// solution. Starts from *v and leaves the solution there.
const StepSolver::Solution& SolveWithOwnFriction(StepProblem<double>* problem,
                                                 StepSolver* solver,
                                                 VectorX<double>* v) {
  for (int i = 0; i < kMaxFrictionIterations; ++i) {
    const StepSolver::Solution& solution = solver->Solve(*problem, *v);
    *v = solution.v;
    if (IsFrictionBalanced(*problem, solution)) return solution;
    for (int c = 0; c < problem->num_contacts(); ++c) {
      problem->contact_law(c).n0 = solution.g[problem->contact_row(c) + 2];
    }
  }
  throw std::runtime_error(fmt::format(
      "Friction and the normal forces that it depends on find no balance in {} "
      "iterations; take a smaller step, or another contact approximation.",
      kMaxFrictionIterations));
}

// One solution with derivatives,
//   dv = -H^-1 dr,  r the residual at the solution's value.
template <typename T>
void SolveWithDerivatives(const VectorX<double>& guess, StepScratch<T>* scratch,
                          VectorX<T>* v_next) {
  const StepProblem<double> problem = scratch->problem.ExtractValues();
  const VectorX<double> v = scratch->solver.Solve(problem, guess).v;
  const VectorX<T> residual =
      scratch->problem.CalcResidual(v.template cast<T>().eval());
  MatrixX<double> gradient = math::ExtractGradient(residual);
  for (int j = 0; j < gradient.cols(); ++j) {
    scratch->solver.SolveSensitivity(problem, gradient.col(j));
  }
  *v_next = gradient.cols() == 0 ? v.template cast<T>().eval()
                                 : math::InitializeAutoDiff(v, gradient);
  VectorX<T> v_rows;
  scratch->problem.CalcRowVelocities(*v_next, &v_rows);
  scratch->problem.CalcImpulses(v_rows, &scratch->impulses);
}

// v and the rows' impulses.
template <typename T>
void Solve(bool is_tamsi, const VectorX<T>* vdot_before,
           StepScratch<T>* scratch, VectorX<T>* v_next) {
  const VectorX<T>& v_star = scratch->problem.v_star();
  if constexpr (std::is_same_v<T, double>) {
    scratch->guess = v_star;
    if (vdot_before != nullptr) {
      scratch->guess.head(vdot_before->size()) +=
          scratch->problem.dt() * *vdot_before;
    }
    const StepSolver::Solution& solution =
        is_tamsi ? SolveWithOwnFriction(&scratch->problem, &scratch->solver,
                                        &scratch->guess)
                 : scratch->solver.Solve(scratch->problem, scratch->guess);
    *v_next = solution.v.head(v_next->size());
    scratch->impulses = solution.g;
  } else {
    VectorX<double> guess = ToDouble(v_star);
    if (is_tamsi) {
      StepProblem<double> problem = scratch->problem.ExtractValues();
      SolveWithOwnFriction(&problem, &scratch->solver, &guess);
    }
    SolveWithDerivatives<T>(guess, scratch, v_next);
    // The derivatives of the fixed point, by as many rounds.
    for (int i = 0; is_tamsi && i < kTamsiDerivativeRounds; ++i) {
      StepProblem<T>& problem = scratch->problem;
      for (int c = 0; c < problem.num_contacts(); ++c) {
        problem.contact_law(c).n0 =
            scratch->impulses[problem.contact_row(c) + 2];
      }
      SolveWithDerivatives<T>(guess, scratch, v_next);
    }
  }
}

// Collects the forces of limits, which are the first constraints of the
// problem, a row each.
template <typename T>
void CollectLimitForces(int num_limits, const StepScratch<T>& scratch,
                        VectorX<T>* tau) {
  const StepProblem<T>& problem = scratch.problem;
  tau->setZero();
  for (int c = 0; c < num_limits; ++c) {
    const auto& k = problem.constraint(c);
    const Eigen::Matrix<T, 1, 1> force(scratch.impulses[k.row] / problem.dt());
    problem.AddGeneralizedImpulse(c, force, *tau);
  }
}

// Multipliers, and forces of the constraints on bodies, about their origins.
template <typename T>
void CollectForces(const MultibodyTreeSystem<T>& core,
                   const Context<T>& context,
                   const ConstraintRegistry& registry,
                   const StepScratch<T>& scratch, StepOutputs<T>* outputs) {
  if (registry.compiled.empty()) return;
  const auto& X_WB = core.EvalPositions(context).X_WB;
  outputs->multipliers.setZero();
  for (std::size_t i = 0; i < registry.compiled.size(); ++i) {
    const int c = scratch.constraint_index[i];
    const auto& constraint = registry.compiled[i].constraint;
    if (c < 0) continue;
    const int rows = constraint.num_rows();
    const int first = registry.compiled[i].first_row;
    auto lambda = outputs->multipliers.segment(first, rows);
    lambda = scratch.impulses.segment(scratch.problem.constraint(c).row, rows) /
             scratch.problem.dt();
    if (constraint.kind == Kind::kCoupler) continue;
    const Vector6<T> F_Wo =
        scratch.constraint_F.middleCols(first, rows).lazyProduct(lambda);
    outputs->BeginBodyForces();
    AddForcePair<T>(constraint, F_Wo, X_WB, &outputs->F_BBo_W);
  }
}

}  // namespace

template <typename T>
void CalcConstrainedStep(const MultibodyTreeSystem<T>& core,
                         const Context<T>& context, const StepInputs<T>& inputs,
                         const ActuationPart<T>& actuation,
                         const ConstraintRegistry& constraints,
                         const ContactPart<T>& contact,
                         const DeformableModel<T>& deformables,
                         const VectorX<T>* vdot_before, StepScratch<T>* scratch,
                         StepOutputs<T>* outputs) {
  StepProblem<T>& problem = scratch->problem;
  StartProblem(core, context, inputs, contact, deformables, scratch);
  CalcImpulse(core, context, inputs, scratch);
  actuation.AddLimitRows(context, &problem);
  const int num_limits = problem.num_constraints();
  actuation.AddDriveRows(context, &problem);
  AddConstraints(core, context, constraints, scratch);
  AddContactRows(core, context, contact, scratch);
  AddDeformableRows(core, deformables, context, contact, scratch);
  try {
    Solve(
        contact.config().approximation == DiscreteContactApproximation::kTamsi,
        vdot_before, scratch, &outputs->v_next);
  } catch (const std::runtime_error& error) {
    RequireFiniteAccelerations<T>(
        core, context, problem.impulse().head(core.num_v()) / inputs.dt);
    RequireInertia(core, context);
    RequireConstraintsMet<T>(core, context, constraints, nullptr, scratch);
    ThrowNoVelocities(core, context, inputs.dt,
                      error.what() + DescribeOpenConstraint(
                                         core, context, constraints, *scratch),
                      inputs.v_star);
  }
  RequireConstraintsMet(core, context, constraints, &outputs->v_next, scratch);
  outputs->vdot = (outputs->v_next - inputs.v_star) / inputs.dt;
  if (actuation.has_limit_rows()) {
    CollectLimitForces(num_limits, *scratch, &outputs->tau_limit_rows);
  }
  CollectForces(core, context, constraints, *scratch, outputs);
  CollectContactForces(core, context, contact, *scratch, outputs);
  EndDeformables(core, deformables, context, *scratch, outputs);
}

#define WYVERN_INSTANTIATE(T) \
  template decltype(CalcConstrainedStep<T>) CalcConstrainedStep<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
