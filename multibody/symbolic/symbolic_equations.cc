#include "wyvern/multibody/symbolic/symbolic_equations.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/newton_euler.h"
#include "wyvern/multibody/dynamics/singular_inertia.h"
#include "wyvern/multibody/symbolic/base_parameters.h"

namespace wyvern::multibody::internal {

using dynamics::Gravity;
using symbolic::Expression;
using ConstVector = Eigen::Ref<const VectorX<Expression>>;

VectorX<Expression> CalcSymbolicForces(
    const dynamics::Model& model,
    const dynamics::ModelParameters<Expression>& parameters,
    const ConstVector& q, const ConstVector& v, const ConstVector& vdot,
    Gravity gravity) {
  dynamics::NewtonEulerScratch<Expression> scratch(model);
  VectorX<Expression> tau(model.num_v);
  dynamics::CalcInverseDynamicsFromState<Expression>(
      model, ToBaseParameters(model, parameters), q, v, vdot, gravity, &scratch,
      tau);
  return tau;
}

namespace {

// Where the inertia that a velocity moves is a number, it is looked at.
void RequirePivot(const dynamics::Model& model, int velocity,
                  const Expression& pivot, const Expression& before) {
  constexpr double kRounding = 1e-13;
  const double known =
      KnownNumberOr(pivot, std::numeric_limits<double>::infinity());
  if (known > kRounding * KnownNumberOr(before, 0)) return;
  int node = 1;
  while (model.nodes[node].v_start + model.nodes[node].nv <= velocity) ++node;
  throw dynamics::SingularInertia(
      dynamics::NodeIndex(node),
      fmt::format(
          "SymbolicDynamics: the inertia that moves with velocity {} is "
          "{}; give the bodies outboard of it mass and rotational "
          "inertia.",
          velocity, known));
}

}  // namespace

VectorX<Expression> SolveSymbolicMassMatrix(const dynamics::Model& model,
                                            MatrixX<Expression> M,
                                            VectorX<Expression> x) {
  const int n = static_cast<int>(x.size());
  const VectorX<Expression> before = M.diagonal();
  for (int k = n - 1; k >= 0; --k) {
    RequirePivot(model, k, M(k, k), before[k]);
    for (int i = 0; i < k; ++i) {
      const Expression factor = M(k, i) / M(k, k);
      for (int j = 0; j <= i; ++j) M(i, j) -= factor * M(k, j);
      x[i] -= factor * x[k];
    }
  }
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < k; ++j) x[k] -= M(k, j) * x[j];
    x[k] /= M(k, k);
  }
  return x;
}

}  // namespace wyvern::multibody::internal
