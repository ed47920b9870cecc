#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/multibody/dynamics/model_parameters.h"

namespace wyvern::multibody::dynamics {

/** Scratch of CalcInverseDynamicsFromState(), by node, each in the node's axes.
 */
template <typename T>
struct NewtonEulerScratch {
  /** A node at the given q, v and v̇. */
  struct Node {
    Matrix3<T> R_PN;  // The pose in the parent node.
    /** Position of No in the parent node's frame, m. */
    Vector3<T> p_PN;
    Matrix3<T> S;  // a(r) = a + S r for a point at r.
    /** Angular velocity, its rate, and the acceleration of No. */
    Vector3<T> w, alpha, a;
    Vector3<T> t, f;  // What crosses the mobilizer, about No.
    Vector3<T> g;     // Gravity; kept if not all bodies feel it.
  };

  NewtonEulerScratch() = default;
  /** Allocates for a model. */
  explicit NewtonEulerScratch(const Model& model);

  /** By node; entry 0 is the world's. */
  std::vector<Node> nodes;
  VectorX<T> sine, cosine;  // By position; read of the angles of single axes.
};

/** tau = M v̇ + C(q, v) v - g(q), from q and v on in two sweeps: for callers
that want tau alone. It takes about two thirds of the time of
inverse_dynamics.h's with the kinematics that that one needs. g = 0 if gravity
is off. */
template <typename T>
void CalcInverseDynamicsFromState(const Model& model,
                                  const ModelParameters<T>& parameters,
                                  const Eigen::Ref<const VectorX<T>>& q,
                                  const Eigen::Ref<const VectorX<T>>& v,
                                  const Eigen::Ref<const VectorX<T>>& vdot,
                                  Gravity gravity,
                                  NewtonEulerScratch<T>* scratch,
                                  Eigen::Ref<VectorX<T>> tau);

}  // namespace wyvern::multibody::dynamics
