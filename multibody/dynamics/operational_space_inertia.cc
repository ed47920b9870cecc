#include "wyvern/multibody/dynamics/operational_space_inertia.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/dispatch_by_dof.h"
#include "wyvern/systems/common/default_scalars.h"

/* Wensing, Featherstone and Orin, "A reduced-order recursive algorithm for the
computation of the operational-space inertia matrix", ICRA 2012: extended force
propagators. At rest and without tau, a parent's acceleration Y_P gives node i
  Y = X Y_P,   X = 1 - H D⁻¹ Uᵀ,
and Xᵀ takes a force on i to P. The response of i to a force on itself is
  R_i = X R_P Xᵀ + H D⁻¹ Hᵀ,   R_world = 0,
and of a to a force on b, g their last common ancestor: X_ag R_g X_bgᵀ, X_ag the
product of X from a to below g. Allocates nothing. */

namespace wyvern::multibody::dynamics {
namespace {

// E X for a node.
template <typename T>
void Propagate(const PositionKinematics<T>& positions,
               const ArticulatedInertias<T>& articulated,
               const Model::Node& node, Matrix6<T>* E) {
  DispatchByDof<T>(node.nv, [&](auto nv) {
    const int k = node.v_start, n = NvOf<nv>(node);
    const NodeMatrix<T, 6, nv> EH = *E * NodeColumns<nv, T>(positions.H, k, n);
    const NodeMatrix<T, 6, nv> EHD =
        EH * NodeBlock<nv, T>(articulated.D_inverse, k, n);
    *E -= EHD * NodeColumns<nv, T>(articulated.U, k, n).transpose();
  });
}

template <typename T>
void CalcResponse(const PositionKinematics<T>& positions,
                  const ArticulatedInertias<T>& articulated,
                  const Model::Node& node, const Matrix6<T>& R_P,
                  Matrix6<T>* R) {
  Matrix6<T> X = Matrix6<T>::Identity();
  Propagate(positions, articulated, node, &X);
  const Matrix6<T> XR = X * R_P;
  R->noalias() = XR * X.transpose();
  DispatchByDof<T>(node.nv, [&](auto nv) {
    const int k = node.v_start, n = NvOf<nv>(node);
    const auto H = NodeColumns<nv, T>(positions.H, k, n);
    const NodeMatrix<T, 6, nv> HD =
        H * NodeBlock<nv, T>(articulated.D_inverse, k, n);
    *R += HD * H.transpose();
  });
}

// (w; v_Q) from the motion about O.
template <typename T>
Matrix6<T> ShiftToPoint(const Model& model,
                        const PositionKinematics<T>& positions, int node,
                        const Vector3<T>& p_WQ) {
  const Vector3<T> r = p_WQ - positions.p_WO[model.nodes[node].tree];
  Matrix6<T> S = Matrix6<T>::Identity();
  S(3, 1) = r[2];
  S(3, 2) = -r[1];
  S(4, 0) = -r[2];
  S(4, 2) = r[0];
  S(5, 0) = r[1];
  S(5, 1) = -r[0];
  return S;
}

}  // namespace

template <typename T>
OperationalSpaceInertiaScratch<T>::OperationalSpaceInertiaScratch(
    const Model& model, int max_points)
    : level(model.num_nodes(), 0),
      is_wanted(model.num_nodes()),
      response(model.num_nodes(), Matrix6<T>::Zero()) {
  for (int i = 1; i < model.num_nodes(); ++i) {
    level[i] = level[model.nodes[i].parent] + 1;
    num_levels = std::max(num_levels, level[i] + 1);
  }
  propagator.resize(static_cast<size_t>(max_points) * num_levels);
}

template <typename T>
void CalcInverseOperationalSpaceInertia(
    const Model& model, const PositionKinematics<T>& positions,
    const ArticulatedInertias<T>& articulated,
    std::span<const BodyPoint<T>> points,
    OperationalSpaceInertiaScratch<T>* scratch,
    Eigen::Ref<MatrixX<T>> Lambda_inverse) {
  auto& [num_levels, level, is_wanted, response, propagator] = *scratch;
  const int m = static_cast<int>(points.size());
  if (points.size() * num_levels > propagator.size()) {
    throw std::logic_error(fmt::format(
        "CalcInverseOperationalSpaceInertia(): {} points were given, more than "
        "the scratch was made for; make it for more.",
        m));
  }
  Lambda_inverse.setZero();
  std::fill(is_wanted.begin(), is_wanted.end(), false);

  // Inward from each point: what a motion of each ancestor makes of it.
  for (int a = 0; a < m; ++a) {
    int i = model.bodies[points[a].body].node;
    if (i == 0) continue;
    Matrix6<T> E = ShiftToPoint(model, positions, i, points[a].p_WQ);
    for (; i > 0; i = model.nodes[i].parent) {
      propagator[a * num_levels + level[i]] = E;
      is_wanted[i] = true;
      if (model.nodes[i].parent > 0) {
        Propagate(positions, articulated, model.nodes[i], &E);
      }
    }
  }

  // Outward: responses.
  for (int i = 1; i < model.num_nodes(); ++i) {
    if (!is_wanted[i]) continue;
    CalcResponse(positions, articulated, model.nodes[i],
                 response[model.nodes[i].parent], &response[i]);
  }

  // Pairs, at their last common ancestor.
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b <= a; ++b) {
      int i = model.bodies[points[a].body].node;
      int j = model.bodies[points[b].body].node;
      while (i != j) (i > j ? i : j) = model.nodes[std::max(i, j)].parent;
      if (i == 0) continue;
      const Matrix6<T> ER = propagator[a * num_levels + level[i]] * response[i];
      const Matrix6<T> ERE =
          ER * propagator[b * num_levels + level[i]].transpose();
      Lambda_inverse.template block<6, 6>(6 * a, 6 * b) = ERE;
      Lambda_inverse.template block<6, 6>(6 * b, 6 * a) = ERE.transpose();
    }
  }
}

#define WYVERN_INSTANTIATE(T)                              \
  template struct OperationalSpaceInertiaScratch<T>;       \
  template decltype(CalcInverseOperationalSpaceInertia<T>) \
      CalcInverseOperationalSpaceInertia<T>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::dynamics
