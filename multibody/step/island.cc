#include "wyvern/multibody/step/island.h"

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/kernels/short_vectors.h"
#include "wyvern/multibody/step/round_off.h"

/* The objective of an island's step and its derivatives. No objective is ever
evaluated: its gradient

  r(v) = A (v - v*) - p - J'g(J v) - dt f(v)

is zero at the minimum, and along a line v + alpha dv the slope dv'r and its
derivative dv'H dv are sums over velocities and rows (Castro, Permenter, Han,
"An Unconstrained Convex Formulation of Compliant Contact", IEEE T-RO 2022,
section V). J v and A (v - v*) - p are linear in alpha, so that a search
computes J dv and A dv once. Without constraints and force laws r is linear, and
one Newton step solves the island. Sizes of r are measured in the norm of
diag(A)^-1, whose unit is sqrt(J) for every velocity. */

namespace wyvern::multibody::internal {

namespace {

using Problem = StepProblem<double>;

// y = A x of one tree.
void MultiplyInertia(const Problem& problem, int tree, const VectorX<double>& x,
                     VectorX<double>* y) {
  const int start = problem.v_start(tree), n = problem.nv(tree);
  const auto A = problem.A(tree);
  if (n == 6) {
    y->segment<6>(start).noalias() =
        Eigen::Map<const Matrix6<double>>(A.data()) * x.segment<6>(start);
  } else {
    MultiplyColumns(n, n, A.data(), n, x.data() + start, y->data() + start);
  }
}

// Calls body(n), with a constant for the six velocities of a free body.
template <class Body>
[[gnu::always_inline]] inline void WithSize(int n, const Body& body) {
  if (n == 6) {
    body(Eigen::fix<6>);
  } else {
    body(n);
  }
}

}  // namespace

Island::Island(const Problem& problem, const IslandPartition& partition,
               int index, StepState* state)
    : problem_(&problem),
      partition_(&partition),
      index_(index),
      trees_(state->hessian.cholesky().island(index)),
      constraints_(partition.constraints(index)),
      state_(state) {
  CollectContacts();
}

// Puts contacts with the laws of Hunt and Crossley in the batch.
void Island::CollectContacts() {
  StepState& s = *state_;
  s.batch.Clear();
  s.first_in_batch.clear();
  s.constraints_outside_batch.clear();
  for (const int c : constraints_) {
    const Problem::Constraint& k = problem_->constraint(c);
    // The contacts of a constraint are of one kind.
    if (!k.is_contact ||
        problem_->contact_law(k.law).kind == ContactLaw<double>::Kind::kSap) {
      s.first_in_batch.push_back(-1);
      s.constraints_outside_batch.push_back(c);
      continue;
    }
    s.first_in_batch.push_back(s.batch.size());
    for (int i = k.law; i < k.law + k.num_contacts; ++i) {
      s.batch.Add(problem_->contact_law(i), problem_->contact_row(i));
    }
  }
}

void Island::CalcState() {
  StepState& s = *state_;
  for (const int t : trees_) {
    const int start = problem_->v_start(t);
    WithSize(problem_->nv(t), [&](auto n) {
      s.r.segment(start, n) =
          s.v.segment(start, n) - problem_->v_star().segment(start, n);
      MultiplyInertia(*problem_, t, s.r, &s.p);
      s.p.segment(start, n) -= problem_->impulse().segment(start, n);
    });
  }
  for (const int c : constraints_) {
    problem_->CalcRowVelocities(c, s.v, &s.v_rows);
  }
  for (const int t : trees_) {
    const int start = problem_->v_start(t), n = problem_->nv(t);
    WithSize(n, [&](auto size) {
      s.r.segment(start, size) = s.p.segment(start, size);
    });
    if (!has_force_laws(t)) continue;
    for (int i = start; i < start + n; ++i) {
      s.r[i] -= problem_->dt() * problem_->dof_laws()[i].CalcForce(s.v[i]);
    }
  }
  s.batch.CalcImpulses(s.v_rows.data(), s.g.data());
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    const int c = constraints_[i];
    const Problem::Constraint& k = problem_->constraint(c);
    if (s.first_in_batch[i] < 0) {
      problem_->CalcImpulse(k, s.v_rows, &s.g);
    } else {
      problem_->SumContactImpulses(k, &s.g);
    }
    problem_->AddGeneralizedImpulse(c, -1, s.g.data() + k.row, s.r.data());
  }
  residual_ = CalcResidualNorm();
}

ResidualNorm Island::CalcResidualNorm() const {
  const StepState& s = *state_;
  Eigen::Array2d residuals(0, 0), inertials(0, 0), others(0, 0);
  for (const int t : trees_) {
    const int start = problem_->v_start(t);
    WithSize(problem_->nv(t), [&](auto n) {
      ForPairs(n, [&](int i, auto size) {
        using Numbers = Eigen::Array<double, size.value, 1>;
        const Numbers w = Piece(s.inverse_diagonal.data() + start + i, size);
        const Numbers r = Piece(s.r.data() + start + i, size);
        const Numbers p = Piece(s.p.data() + start + i, size);
        residuals.head<size.value>() += w * r * r;
        inertials.head<size.value>() += w * p * p;
        others.head<size.value>() += w * (p - r) * (p - r);
      });
    });
  }
  const double residual = residuals.sum();
  if (residual == 0) return {};
  return {std::sqrt(residual),
          std::sqrt(residual / std::max(inertials.sum(), others.sum()))};
}

void Island::SetStepToMinusResidual() {
  StepState& s = *state_;
  for (const int t : trees_) {
    const int start = problem_->v_start(t), n = problem_->nv(t);
    WithSize(n, [&](auto size) {
      s.dv.segment(start, size) = -s.r.segment(start, size);
    });
    if (!has_locked(t)) continue;
    for (int i = start; i < start + n; ++i) {
      if (problem_->is_locked()[i]) s.dv[i] = 0;
    }
  }
}

bool Island::IsResidualRoundOff() const {
  StepState& s = *state_;
  return residual_.absolute <= CalcRoundOff(*problem_, constraints_, trees_,
                                            s.v_rows, s.v, s.inverse_diagonal,
                                            &s.dv);
}

LineDerivatives Island::StartLine(double* slope_0) {
  StepState& s = *state_;
  // dv is 0 for locked velocities.
  LineDerivatives inertial;
  *slope_0 = 0;
  for (const int t : trees_) {
    MultiplyInertia(*problem_, t, s.dv, &s.A_dv);
    const int start = problem_->v_start(t);
    const double* dv = s.dv.data() + start;
    WithSize(problem_->nv(t), [&](auto n) {
      *slope_0 += Dot(n, dv, s.r.data() + start);
      inertial.slope += Dot(n, dv, s.p.data() + start);
      inertial.curvature += Dot(n, dv, s.A_dv.data() + start);
    });
  }
  for (const int c : constraints_) {
    problem_->CalcRowVelocities(c, s.dv, &s.dv_rows);
  }
  StartConstraintLine();
  return inertial;
}

void Island::StartConstraintLine() {
  state_->batch.StartLine(state_->v_rows.data(), state_->dv_rows.data());
}

void Island::AddForceLaws(double alpha, LineDerivatives* line) const {
  const StepState& s = *state_;
  const double dt = problem_->dt();
  for (const int t : trees_) {
    if (!has_force_laws(t)) continue;
    const int start = problem_->v_start(t), n = problem_->nv(t);
    for (int i = start; i < start + n; ++i) {
      double intercept, slope;
      const double v = s.v[i] + alpha * s.dv[i];
      problem_->dof_laws()[i].CalcLine(v, &intercept, &slope);
      line->slope -= s.dv[i] * dt * (intercept - slope * v);
      line->curvature += s.dv[i] * s.dv[i] * dt * slope;
    }
  }
}

void Island::AddConstraints(double alpha, LineDerivatives* line) const {
  const StepState& s = *state_;
  double impulse = 0;
  s.batch.AddAlong(alpha, &impulse, &line->curvature);
  line->slope -= impulse;
  for (const int c : s.constraints_outside_batch) {
    const Problem::Constraint& k = problem_->constraint(c);
    for (int i = k.law; i < k.law + k.num_contacts; ++i) {
      const int row = problem_->contact_row(i);
      const Vector3<double> dv = s.dv_rows.segment<3>(row);
      const Vector3<double> v = s.v_rows.segment<3>(row) + alpha * dv;
      double curvature;
      line->slope -= problem_->contact_law(i).CalcAlong(v, dv, &curvature);
      line->curvature += curvature;
    }
    if (k.is_contact) continue;
    for (int row = 0; row < k.num_rows; ++row) {
      const RowLaw<double>& law = problem_->row_law(k.law + row);
      const double dv = s.dv_rows[k.row + row];
      const double v = s.v_rows[k.row + row] + alpha * dv;
      line->slope -= dv * law.CalcImpulse(v);
      line->curvature += dv * dv * law.CalcSlope(v);
    }
  }
}

double Island::Move(double alpha) {
  StepState& s = *state_;
  Eigen::Array2d steps(0, 0), speeds(0, 0);
  for (const int t : trees_) {
    const int start = problem_->v_start(t);
    WithSize(problem_->nv(t), [&](auto n) {
      ForPairs(n, [&](int i, auto size) {
        using Numbers = Eigen::Array<double, size.value, 1>;
        const Numbers dv = Piece(s.dv.data() + start + i, size);
        auto v = MutablePiece(s.v.data() + start + i, size).array();
        v += alpha * dv;
        auto step = steps.head<size.value>();
        auto speed = speeds.head<size.value>();
        step = step.max(dv.abs());
        speed = speed.max(v.abs());
      });
    });
  }
  return alpha * steps.maxCoeff() / std::max(speeds.maxCoeff(), 1e-6);
}

}  // namespace wyvern::multibody::internal
