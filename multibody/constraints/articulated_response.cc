#include "wyvern/multibody/constraints/articulated_response.h"

#include <algorithm>
#include <cmath>

#include "wyvern/multibody/algorithms/screw_algebra.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/extract_double.h"

/* With P the response of the nodes that constraints act on to spatial forces on
them, 6m x 6m, and W the unit forces of the rows there, 6m x nc,
  K = W'P W,   K lambda = gamma - W'(A - A_bias),
A being the nodes' accelerations without constraints and A_bias theirs at v̇ = 0.
Two passes over the bodies: without lambda, and with. */

namespace wyvern::multibody {
namespace {

// Which of the points a body is, and the force of a row on it, about O.
template <typename T>
struct RowEnd {
  int point{-1};
  int node{0};
  Vector6<T> F_O;
};

template <typename T>
RowEnd<T> MakeEnd(const engine::Model& model,
                  const engine::PositionKinematics<T>& positions,
                  const ConstrainedSystem<T>& s, int body, int row,
                  double sign) {
  RowEnd<T> end;
  end.node = model.bodies[body].node;
  if (end.node == 0) return end;
  const auto found =
      std::ranges::find_if(s.points, [&](const engine::BodyPoint<T>& point) {
        return model.bodies[point.body].node == end.node;
      });
  end.point = static_cast<int>(found - s.points.begin());
  const Vector3<T>& p_WO = positions.p_WO[model.nodes[end.node].tree];
  end.F_O = sign * s.F.col(row);
  const Vector3<T> f = end.F_O.template tail<3>();
  end.F_O.template head<3>() -= p_WO.cross(f);
  return end;
}

// Calls f(row, end) for both ends of every row that are not the world's.
template <typename T, typename F>
void ForEachEnd(const internal::MultibodyTreeSystem<T>& plant,
                const engine::PositionKinematics<T>& positions,
                const ConstraintSet<T>& set, F&& f) {
  const engine::Model& model = plant.model();
  for (int g = 0; g < set.num_groups(); ++g) {
    const BodyPairConstraint<T>& pair = *set.GetPair(g);
    const int S = plant.tree().model_body(pair.successor());
    const int P = plant.tree().model_body(pair.predecessor());
    for (int row : set.GetGroupRows(g)) {
      const auto on_S = MakeEnd<T>(model, positions, set.system(), S, row, 1);
      const auto on_P = MakeEnd<T>(model, positions, set.system(), P, row, -1);
      if (on_S.node > 0) f(row, on_S);
      if (on_P.node > 0) f(row, on_P);
    }
  }
}

}  // namespace

template <typename T>
void SolveByArticulatedResponse(const internal::MultibodyTreeSystem<T>& plant,
                                const systems::Context<T>& context,
                                std::span<const Vector6<T>> applied,
                                ConstraintSet<T>* set,
                                Eigen::Ref<VectorX<T>> vdot) {
  const engine::Model& model = plant.model();
  const auto& parameters = plant.EvalModelParameters(context);
  const auto& positions = plant.EvalPositions(context).nodes;
  const auto& inertias = plant.EvalInertias(context);
  const auto& velocities = plant.EvalVelocities(context).nodes;
  ConstrainedSystem<T>& s = set->mutable_system();
  const int nc = set->size();
  set->UpdateUnitForces(plant, context);
  set->UpdateGamma(plant, context);

  engine::CalcArticulatedInertias<T>(model, parameters, positions, inertias,
                                     VectorX<T>(), &s.articulated);
  const auto accelerate = [&](std::span<const Vector6<T>> F) {
    engine::CalcForwardDynamics<T>(model, parameters, positions, inertias,
                                   velocities, s.c, F, engine::Gravity::kOn,
                                   &s.articulated, &s.A, vdot);
  };
  accelerate(applied);

  for (engine::BodyPoint<T>& point : s.points) {
    const int node = model.bodies[point.body].node;
    point.p_WQ = positions.p_WO[model.nodes[node].tree];
  }
  engine::CalcInverseOperationalSpaceInertia<T>(
      model, positions, s.articulated, s.points, &s.response, s.point_response);
  MatrixX<T>& PW = s.PW;
  MatrixX<T>& K = s.scratch.K;
  auto free = K.row(nc);  // W'(A - A_bias).
  PW.setZero();
  K.setZero();
  ForEachEnd<T>(plant, positions, *set, [&](int row, const RowEnd<T>& end) {
    PW.col(row).noalias() +=
        s.point_response.template middleCols<6>(6 * end.point) * end.F_O;
    free[row] += end.F_O.dot(s.A[end.node] - s.A_bias[end.node]);
  });
  ForEachEnd<T>(plant, positions, *set, [&](int row, const RowEnd<T>& end) {
    K.row(row).head(row + 1).noalias() +=
        end.F_O.transpose() * PW.block(6 * end.point, 0, 6, row + 1);
  });
  SolveMultipliers<T>(s.gamma, set->solver(), &s.scratch, s.force);

  if (applied.empty()) {
    for (Vector6<T>& F : s.applied) F.setZero();
  }
  ForEachEnd<T>(plant, positions, *set, [&](int row, const RowEnd<T>& end) {
    s.applied[end.node] += end.F_O * s.force[row];
  });
  accelerate(s.applied);
}

#define WYVERN_INSTANTIATE(T)                                              \
  template void SolveByArticulatedResponse(                                \
      const internal::MultibodyTreeSystem<T>&, const systems::Context<T>&, \
      std::span<const Vector6<T>>, ConstraintSet<T>*, Eigen::Ref<VectorX<T>>);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody
