#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/multibody/math/spatial_force.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** Kind of constraint of a group in a ConstraintSet. */
enum class ConstraintType { kContact, kLoop, kCustom };

template <typename T>
class ConstraintSet;

/** One group of rows of a ConstraintSet: `size()` equations e(q) = 0, or
G(q) v = 0 of which no position is kept, on the accelerations

  G v̇ = gamma,   gamma = -Ġ v,   ė = G v.

Derive from it for a constraint of your own (AddCustomConstraint()). `plant` is
a MultibodyPlant, by what it derives from; `context` one of its Contexts.
Columns of G are those of the generalized velocities v.

@tparam T double or AutoDiffXd. */
template <typename T>
class Constraint {
 public:
  /** The system of the plant that is constrained. */
  using Plant = internal::MultibodyTreeSystem<T>;

  virtual ~Constraint();

  /** Kind of constraint. */
  ConstraintType type() const { return type_; }
  /** Number of equations, at least 1 for a custom constraint. */
  int size() const { return size_; }
  /** Name, empty if none was given. */
  const std::string& name() const { return name_; }
  /** User id, if one was given. */
  std::optional<int> user_id() const { return user_id_; }
  /** Returns the constraint's name in messages: its own name, or its kind and
  place. Bodies have their names in `plant`, if it is not null. */
  std::string Describe(const Plant* plant = nullptr) const;

  /** @name Evaluation
  Every argument has size() rows; rows that hold no position have error 0.
  Throw std::logic_error for an argument of the wrong shape, std::runtime_error
  for what comes out not finite.
  @{ */
  /** Computes e; 0 by default. */
  void CalcPositionError(const Plant& plant, const systems::Context<T>& context,
                         Eigen::Ref<VectorX<T>> error) const;
  /** Computes G, size() x nv. */
  void CalcJacobian(const Plant& plant, const systems::Context<T>& context,
                    Eigen::Ref<MatrixX<T>> G) const;
  /** Computes gamma = -Ġ v, without stabilization. */
  void CalcGamma(const Plant& plant, const systems::Context<T>& context,
                 Eigen::Ref<VectorX<T>> gamma) const;
  /** The spatial forces that multipliers make: on each body, at the origin of a
  frame X_BF fixed to it, in that frame's axes. In the world, bodies are all the
  world body and frames have its axes.
  @throws std::logic_error if a custom constraint does not say. */
  void CalcSpatialForces(const Plant& plant, const systems::Context<T>& context,
                         const Eigen::Ref<const VectorX<T>>& multipliers,
                         bool in_world, std::vector<BodyIndex>* bodies,
                         std::vector<math::RigidTransform<T>>* frames,
                         std::vector<SpatialForce<T>>* forces) const;
  /** @} */

 protected:
  /** @param size How many equations; at least 1.
  @throws std::logic_error for another size. */
  explicit Constraint(int size, std::string name = "",
                      std::optional<int> user_id = {});

  /** Called by ConstraintSet::Bind(), to look things up in the model. */
  virtual void DoBind(const Plant&) {}
  /** Describes a constraint without a name, for Describe(). */
  virtual std::string DoDescribe(const Plant* plant) const;
  /** Zero, unless overridden. */
  virtual void DoCalcPositionError(const Plant& plant,
                                   const systems::Context<T>& context,
                                   Eigen::Ref<VectorX<T>> error) const;
  /** All entries of G, size() x nv. */
  virtual void DoCalcJacobian(const Plant& plant,
                              const systems::Context<T>& context,
                              Eigen::Ref<MatrixX<T>> G) const = 0;
  /** Computes -Ġ v, size() entries. */
  virtual void DoCalcGamma(const Plant& plant,
                           const systems::Context<T>& context,
                           Eigen::Ref<VectorX<T>> gamma) const = 0;
  /** As CalcSpatialForces(); appends to the vectors. */
  virtual void DoCalcSpatialForces(
      const Plant& plant, const systems::Context<T>& context,
      const Eigen::Ref<const VectorX<T>>& multipliers, bool in_world,
      std::vector<BodyIndex>* bodies,
      std::vector<math::RigidTransform<T>>* frames,
      std::vector<SpatialForce<T>>* forces) const;

 private:
  template <typename>
  friend class ConstraintSet;
  template <typename>
  friend class BodyPairConstraint;
  Constraint(ConstraintType type, int size, std::string name,
             std::optional<int> user_id);

  ConstraintType type_{ConstraintType::kCustom};
  int size_{};
  std::string name_;
  std::optional<int> user_id_;
};

}  // namespace wyvern::multibody
