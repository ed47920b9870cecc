#pragma once

#include <array>
#include <vector>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_constants.h"
#include "wyvern/multibody/dynamics/mobilizers/pose.h"
#include "wyvern/multibody/dynamics/model.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::multibody::dynamics {

/** Parameters of one body and its inboard mobilizer. */
template <typename T>
struct BodyParameters {
  /** Pose in the inboard body P of the mobilizer's inboard frame F: the joint's
  frame on P, that is, its child frame if the mobilizer is reversed. */
  Pose<T> X_PF;
  /** Pose in this body B of the mobilizer's outboard frame M. */
  Pose<T> X_BM;
  /** Unit axis of a revolute, prismatic or screw mobilizer, in the joint's
  parent frame (equally its child frame); reversal changes nothing here. */
  Vector3<T> axis{0, 0, 1};
  /** Screw pitch, metres per turn. */
  T pitch{0};
  /** Path of a curvilinear mobilizer; null: a line along Fx. Not owned. */
  const internal::LineAndArcPath<double>* path{nullptr};
  /** Mass, kg. */
  T mass{0};
  /** Centre of mass, p_BoBcm_B. */
  Vector3<T> p_BoBcm_B{Vector3<T>::Zero()};
  /** Rotational inertia about Bo (not about the centre of mass, and not per
  unit mass), in B. Symmetric; kg m². */
  Matrix3<T> I_BBo_B{Matrix3<T>::Zero()};
  /** False: uniform gravity does not act on this body. */
  bool gravity_enabled{true};
};

/** A node's constants as kernels read them; see ModelParameters::Compile(). */
template <typename T>
struct NodeConstants {
  // Pose of F in the parent node's frame, z along the mobilizer's axis.
  Matrix3<T> R_PF;
  /** Position of Fo in the parent node's frame, m. */
  Vector3<T> p_PF;
  // Composite inertia of the node's bodies about the node's origin, in its
  // frame: mass, mass times com, and xx yy zz xy xz yz.
  T mass;
  /** Mass times centre of mass, kg m. */
  Vector3<T> h;
  /** Rotational inertia about the node's origin, kg m². */
  std::array<T, 6> I;
  /** Constants that the mobilizer's class reads: a pitch or a path. */
  MobilizerConstants<T> mobilizer;
  // mass and h of those bodies that gravity acts on.
  T gravity_mass;
  /** Mass times centre of mass of the bodies that gravity acts on, kg m. */
  Vector3<T> gravity_h;
};

/** The numbers of a Model: what a Context's parameters say. Fill the public
inputs, then call Compile(); the rest is derived and read by the kernels. */
template <typename T>
struct ModelParameters {
  ModelParameters() = default;
  /** Sized for a model: identity frames, no mass, no gravity. */
  explicit ModelParameters(const Model& model);

  /** Inputs: by body; entry 0, the world, is not read. */
  IndexedVector<MobodIndex, BodyParameters<T>> bodies;
  /** Uniform gravity, g_W, m/s². */
  Vector3<T> gravity{Vector3<T>::Zero()};
  /** Per velocity: rotor inertia times gear ratio squared, added to the mass
  matrix's diagonal. Empty or zero: none. */
  VectorX<T> reflected_inertia;
  /** Per velocity: viscous damping, read by CalcDampingForces() only. */
  VectorX<T> damping;
  /** Per velocity: dry friction, which no kernel reads. Empty: none. */
  VectorX<T> friction;

  /** Derives what the kernels read. Call it after any change above.
  Allocates nothing when called again.
  @throws std::logic_error if a size does not fit the model, the axis of a
  revolute, prismatic or screw mobilizer is not of unit length or a path has no
  segment. */
  void Compile(const Model& model);

  /** Derived, by node. Frame N of a node: its mobilizer's frame M turned so
  that a single axis becomes z. */
  IndexedVector<NodeIndex, NodeConstants<T>> nodes;
  /** Derived, by body: pose of body B in its node's frame. */
  IndexedVector<MobodIndex, Pose<T>> X_NB;
  /** Derived: false if gravity does not act on some body with mass. */
  bool gravity_is_uniform{true};
  /** Derived: true if reflected_inertia has an entry that is not 0. */
  bool has_reflected_inertia{false};
  /** Derived: false if the mass of some body is NaN or negative. */
  bool masses_are_known{true};
};

}  // namespace wyvern::multibody::dynamics
