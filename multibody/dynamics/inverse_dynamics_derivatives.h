#pragma once

#include <span>
#include <vector>

#include "wyvern/multibody/dynamics/configuration.h"
#include "wyvern/multibody/dynamics/dead_loads.h"
#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/screw_derivatives.h"
#include "wyvern/multibody/dynamics/velocity_kinematics.h"

namespace wyvern::multibody::dynamics {

/** Scratch that derivatives of inverse dynamics are computed in. */
template <typename T>
struct InverseDynamicsDerivativesScratch {
  InverseDynamicsDerivativesScratch() = default;
  /** Allocates for a model. */
  explicit InverseDynamicsDerivativesScratch(const Model& model);

  /** A node with all outboard of it; sums over its particles of mass m at p
  (from O) and velocity u. */
  struct Composite {
    /** Their rigid-body inertia about O in W. */
    RigidInertia<T> inertia;
    Matrix3<T> Z;      // Sum of m u pᵀ.
    Vector3<T> mu;     // Linear momentum.
    Vector6<T> F;      // Force across the mobilizer.
    DeadLoad<T> load;  // What is applied.
  };
  std::vector<Vector6<T>> A;          // By node.
  std::vector<Composite> composites;  // By node.
  std::vector<DeadLoad<T>> loads;     // By node.
  std::vector<ScrewRates<T>> rates;   // By velocity.
  MatrixX<T> rows;                    // By velocity, padded; a figure a column.
};

/** A matrix that is written in place, by columns. */
template <typename T>
struct MatrixTarget {
  /** The first entry; null for a matrix that is not wanted. */
  T* data{};
  /** How many entries column j + 1 begins after column j. */
  Eigen::Index stride{};
  /** Returns the place of entry (i, j), which is not checked. */
  T* at(int i, int j) const { return data + i + j * stride; }
};

/** Where the partial derivatives go. */
template <typename T>
struct InverseDynamicsPartials {
  /** Derivatives of tau with respect to q (tangent space) and v. */
  MatrixTarget<T> dtau_dq, dtau_dv;
  MatrixTarget<T> M;  // Null data: not wanted.
};

/** Where the derivatives go, each nv x nv. */
template <typename T>
struct InverseDynamicsDerivatives {
  /** Derivatives of tau with respect to q (tangent space), v and v̇. */
  Eigen::Ref<MatrixX<T>> dtau_dq, dtau_dv, M;
};

/** Derivatives of the generalized forces of inverse dynamics,

  tau = M(q) v̇ + C(q, v) v - g(q) - sum J(q)ᵀ F,

with respect to q, v and v̇, each nv x nv: column k is the derivative in the
direction of velocity k. That with respect to q is taken in the tangent space:
the derivative along q̇ = N(q) e_k at constant v and v̇. With respect to the
entries of q it is dtau_dq N⁺(q), see generalized_coordinates.h. The last one is
the mass matrix, with reflected inertia. g = 0 if gravity is off.
@param loads Applied forces F, by node, constant in W; empty for none. */
template <typename T>
void CalcInverseDynamicsDerivatives(
    const Motion<T>& motion, const Eigen::Ref<const VectorX<T>>& v,
    const Eigen::Ref<const VectorX<T>>& vdot,
    std::span<const DeadLoad<T>> loads, Gravity gravity,
    InverseDynamicsDerivativesScratch<T>* scratch,
    InverseDynamicsDerivatives<T> result);

/** Variant that writes only entries (i, j) where one of the two velocities'
nodes is outboard of the other's or the same; the others are 0. */
template <typename T>
void CalcInverseDynamicsPartials(const Motion<T>& motion,
                                 const Eigen::Ref<const VectorX<T>>& v,
                                 const Eigen::Ref<const VectorX<T>>& vdot,
                                 std::span<const DeadLoad<T>> loads,
                                 Gravity gravity,
                                 InverseDynamicsDerivativesScratch<T>* scratch,
                                 const InverseDynamicsPartials<T>& result);

}  // namespace wyvern::multibody::dynamics
