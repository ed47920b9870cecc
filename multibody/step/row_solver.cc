#include "wyvern/multibody/step/row_solver.h"

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/kernels/short_vectors.h"

/* Newton's method for the impulses of an island whose contacts have few rows,
as a robot on its feet has. Only the contact laws are nonlinear in v, and they
see v through y = J v alone, if force laws are taken for the lines f + f'(v -
v0) that they follow at the first velocities v0. With

  H_0 = A - dt f' = L L',  b = dt f(v0) - (A (v0 - v*) - p),

the balance of impulses (equation (2) of velocity_solver.cc) is H_0 (v - v0) =
b + J'g(y). Its solution is, with X = L^-1 J', z = L^-1 b, and W = X'X = J
H_0^-1 J', the Delassus operator,

  v = v0 + L^-T (z + X xi),   xi = g(y),   y = J v0 + X'z + W xi.           (7)

W (xi - g(y)) is the gradient of a convex function of xi, and its minimum
satisfies (7). A Newton step solves

  (I + G W) dxi = g(y) - xi,  G = -dg/dy,                                   (8)

and the search along dxi is that of the velocities. Near the solution steps
square the residual and need no search; where the square is negligible, the end
of a step is not evaluated. Kinks of force laws that v passes on the way, and
round-off, show in the residual of v, which VelocitySolver evaluates. If nothing
touches, g = 0, and xi = 0 after one step. */

namespace wyvern::multibody::internal {

using wyvern::internal::FindLineMinimum;
using wyvern::internal::MinimizeByNewton;

namespace {

using Problem = StepProblem<double>;

constexpr int kMaxRowIterations = 20;
// A relative residual of xi that is negligible against the tolerance of v.
constexpr double kNegligible = 1e-3 * ResidualNorm::kRelativeTolerance;
// Below this relative residual, steps that square it need no line search.
constexpr double kNear = 0.01;

}  // namespace

bool RowSolver::HasFewRows(const Island& island) {
  const Problem& problem = island.problem();
  const int num_rows = 3 * static_cast<int>(island.constraints().size());
  if (num_rows == 0 || num_rows > 3 * kMaxRowContacts) return false;
  int num_v = 0;
  for (const int t : island.trees()) {
    if (island.has_locked(t)) return false;
    num_v += problem.nv(t);
  }
  if (2 * num_rows > num_v) return false;
  for (const int c : island.constraints()) {
    const Problem::Constraint& k = problem.constraint(c);
    if (!k.is_contact || k.has_shared_rows()) return false;
  }
  return true;
}

// The iteration on xi; y is in the rows' velocities of the island's state.
class RowSolver::Iteration {
 public:
  Iteration(Island* island, RowSolver* memory)
      : island_(*island), s_(island->state()), m_(*memory) {
    // Start from the impulses at v0.
    for (int i = 0; i < m_.num_contacts_; ++i) {
      m_.xi_.segment<3>(3 * i) = s_.g.segment<3>(m_.first_row_[i]);
    }
    scale_ = m_.MultiplyDelassus(m_.xi_, &s_);
    MoveRows(1);
  }

  // Tests g(y) = xi. The error is |g(y) - xi|_W / |xi|_W, since x'W x is the
  // squared norm of J'x in the metric of H_0^-1.
  bool IsSolved() {
    if (is_last_) return true;
    CalcLaws();
    left_ = std::sqrt(m_.MultiplyDelassus(m_.residual_, &s_) / scale_);
    return !(left_ > kNegligible);
  }

  // Solves (I + G W) dxi = g(y) - xi, equation (8).
  bool CalcNewtonStep() {
    m_.d_xi_.head(m_.size_) = m_.residual_.head(m_.size_);
    SolveDelassusBlocks(m_.num_contacts_, m_.slopes_.data(), m_.W_.data(),
                        m_.blocks_.data(), m_.d_xi_.data());
    // Newton's errors obey e_next = c e^2; c is estimated from the last step,
    // and taken as 1 at least.
    const double ratio = std::max(1.0, left_ / (previous_ * previous_));
    is_last_ = ratio * left_ * left_ < kNegligible;
    is_near_ = left_ < kNear && ratio * left_ < kNear;
    return true;
  }

  double SearchLine() {
    if (is_last_) return 1;
    LineDerivatives quadratic;
    quadratic.curvature = m_.MultiplyDelassus(m_.d_xi_, &s_);
    if (is_near_) {
      island_.StartConstraintLine();
      return 1;
    }
    double slope_0 = 0;
    for (int i = 0; i < m_.num_contacts_; ++i) {
      const Vector3<double> dy = s_.dv_rows.segment<3>(m_.first_row_[i]);
      slope_0 -= dy.dot(m_.residual_.segment<3>(3 * i));
      quadratic.slope += dy.dot(m_.xi_.segment<3>(3 * i));
    }
    if (!(slope_0 < 0)) return 0;
    island_.StartConstraintLine();
    const double alpha = FindLineMinimum(slope_0, [&](double a) {
      LineDerivatives line{quadratic.slope + a * quadratic.curvature,
                           quadratic.curvature};
      island_.AddConstraints(a, &line);
      return line;
    });
    // xi'W xi for xi + alpha dxi.
    scale_ += alpha * (2 * quadratic.slope + alpha * quadratic.curvature);
    return alpha;
  }

  void Move(double alpha) {
    if (!is_last_) {
      s_.batch.UpdateFrictionDirections(alpha);
      MoveRows(alpha);
    }
    AddScaled(m_.size_, alpha, m_.d_xi_.data(), m_.xi_.data());
    previous_ = left_;
  }

 private:
  // Computes G = -dg/dy and the residual g(y) - xi.
  void CalcLaws() {
    const Problem& problem = island_.problem();
    s_.batch.CalcSlopes(s_.v_rows.data(), s_.g.data());
    for (int i = 0; i < m_.num_contacts_; ++i) {
      const int row = m_.first_row_[i];
      Vector3<double> g;
      Matrix3<double> G;
      if (s_.first_in_batch[i] < 0) {
        const auto& k = problem.constraint(island_.constraints()[i]);
        problem.contact_law(k.law).Calc(s_.v_rows.segment<3>(row), &g, &G);
      } else {
        s_.batch.GetSlopes(s_.first_in_batch[i], &G);
        g = s_.g.segment<3>(row);
      }
      m_.slopes_[i].topRows<3>() = G;
      m_.residual_.segment<3>(3 * i) = g - m_.xi_.segment<3>(3 * i);
    }
  }

  // y += alpha W dxi; W dxi is in dv_rows.
  void MoveRows(double alpha) {
    for (int i = 0; i < m_.num_contacts_; ++i) {
      const int row = m_.first_row_[i];
      s_.v_rows.segment<3>(row) += alpha * s_.dv_rows.segment<3>(row);
    }
  }

  Island& island_;
  StepState& s_;
  RowSolver& m_;
  double scale_{};      // xi'W xi
  double left_{};       // The relative residual,
  double previous_{1};  // and before the last step.
  bool is_near_{false};
  bool is_last_{false};
};

NewtonResult RowSolver::SolveIsland(Island* island) {
  if (!Start(island)) return {false, 0};
  Iteration iteration(island, this);
  const NewtonResult result = MinimizeByNewton(kMaxRowIterations, &iteration);
  SetVelocities(island);
  island->CalcState();
  return result;
}

// Computes X, z, W and y at xi = 0, J v0 + X'z. Returns false if H_0 is not
// positive definite.
bool RowSolver::Start(Island* island) {
  const Problem& problem = island->problem();
  if (X_.cols() < problem.num_v()) X_.resize(kDelassusStride, problem.num_v());
  if (W_.rows() < kDelassusStride) {
    W_.resize(kDelassusStride, kDelassusStride);
    blocks_.resize(kMaxRowContacts * kMaxRowContacts);
    slopes_.resize(kMaxRowContacts);
    for (VectorX<double>* x : {&xi_, &d_xi_, &residual_}) {
      x->setZero(kDelassusStride);
    }
  }
  num_contacts_ = static_cast<int>(island->constraints().size());
  size_ = 3 * num_contacts_;
  for (int i = 0; i < num_contacts_; ++i) {
    first_row_[i] = problem.constraint(island->constraints()[i]).row;
  }
  if (!island->hessian().FactorWithoutConstraints(*island)) return false;
  GatherJacobian(*island);
  AddRightSide(*island);
  const int num_packs = size_ / 4 + 1;
  island->hessian().cholesky().SolveForward(island->index(), num_packs,
                                            kDelassusStride, X_.data());
  CalcDelassusOperator(*island);
  StepState& s = island->state();
  for (int i = 0; i < size_; ++i) {
    s.v_rows[first_row_[i / 3] + i % 3] += W_(size_, i);
  }
  return true;
}

// Writes J' into X_, a column for each velocity.
void RowSolver::GatherJacobian(const Island& island) {
  const Problem& problem = island.problem();
  const int num_columns = 4 * (size_ / 4 + 1);
  for (const int t : island.trees()) {
    double* x = X_.col(problem.v_start(t)).data();
    for (int i = 0; i < problem.nv(t); ++i, x += kDelassusStride) {
      for (int j = 0; j < num_columns; j += 4) {
        Eigen::Map<Eigen::Vector4d>(x + j).setZero();
      }
    }
  }
  int row = 0;
  for (const int c : island.constraints()) {
    const Problem::Constraint& k = problem.constraint(c);
    for (int side = 0; side < 2 && k.tree[side] >= 0; ++side) {
      const double* J = problem.block(k, side);
      for (const auto& range : problem.ranges(c, side)) {
        double* x = X_.col(problem.v_start(k.tree[side]) + range.start).data();
        for (int j = 0; j < range.size; ++j, J += 3, x += kDelassusStride) {
          std::copy_n(J, 3, x + row);
        }
      }
    }
    row += 3;
  }
}

// Writes b into the row of X_ after those of J.
void RowSolver::AddRightSide(const Island& island) {
  const Problem& problem = island.problem();
  const StepState& s = island.state();
  for (const int t : island.trees()) {
    const int start = problem.v_start(t), n = problem.nv(t);
    X_.row(size_).segment(start, n) = -s.p.segment(start, n);
    if (!island.has_force_laws(t)) continue;
    for (int i = start; i < start + n; ++i) {
      X_(size_, i) += problem.dt() * problem.dof_laws()[i].CalcForce(s.v[i]);
    }
  }
}

void RowSolver::CalcDelassusOperator(const Island& island) {
  const int num_packs = size_ / 4 + 1;
  W_.leftCols(4 * num_packs).setZero();
  for (const int t : island.trees()) {
    const double* X = X_.col(island.problem().v_start(t)).data();
    AddGramMatrix(island.problem().nv(t), num_packs, X, W_.data());
  }
  for (int i = 0; i < size_; ++i) {
    for (int j = 0; j < i; ++j) W_(j, i) = W_(i, j);
  }
}

// dv_rows = W x. Returns x'W x.
double RowSolver::MultiplyDelassus(const VectorX<double>& x,
                                   StepState* state) const {
  const int num_columns = 4 * (size_ / 4 + 1);
  double W_x[kDelassusStride];
  MultiplyColumns(num_columns, size_, W_.data(), kDelassusStride, x.data(),
                  W_x);
  for (int i = 0; i < num_contacts_; ++i) {
    std::copy_n(W_x + 3 * i, 3, state->dv_rows.data() + first_row_[i]);
  }
  return Dot(size_, W_x, x.data());
}

// v = v0 + L^-T (z + X xi)
void RowSolver::SetVelocities(Island* island) {
  const Problem& problem = island->problem();
  StepState& s = island->state();
  xi_[size_] = 1;  // The coefficient of z.
  for (const int t : island->trees()) {
    const int start = problem.v_start(t);
    for (int i = start; i < start + problem.nv(t); ++i) {
      s.dv[i] = Dot(size_ + 1, X_.col(i).data(), xi_.data());
    }
  }
  island->hessian().cholesky().SolveBackward(island->index(), s.dv.data());
  for (const int t : island->trees()) {
    const int start = problem.v_start(t), n = problem.nv(t);
    s.v.segment(start, n) += s.dv.segment(start, n);
  }
}

}  // namespace wyvern::multibody::internal
