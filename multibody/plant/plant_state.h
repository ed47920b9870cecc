#pragma once

#include <vector>

#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {

/** The part of a MultibodyPlant that reads and writes the state x = [q; v],
whole or of one model instance, whose entries are in the order they have in the
whole.

All throw std::logic_error before Finalize(), for a Context of another System,
for a null pointer, for a vector of the wrong size and for a value that is not
finite; std::out_of_range for a model instance that does not exist. */
template <typename T>
class PlantState {
 public:
  /** @name In a Context
  References to the whole stay valid as long as the Context; those to velocities
  until a joint is locked or unlocked. Of a locked joint velocities are 0,
  whatever is set: see Joint::Lock().
  @{ */
  /** x = [q; v], a view into the Context. */
  Eigen::VectorBlock<const VectorX<T>> GetPositionsAndVelocities(
      const systems::Context<T>& context) const;
  /** [q; v] of a model instance. */
  VectorX<T> GetPositionsAndVelocities(const systems::Context<T>& context,
                                       ModelInstanceIndex model_instance) const;
  /** Writes [q; v] of a model instance to `qv_out`, which has its size. */
  void GetPositionsAndVelocities(const systems::Context<T>& context,
                                 ModelInstanceIndex model_instance,
                                 EigenPtr<VectorX<T>> qv_out) const;
  /** Sets x = [q; v]. */
  void SetPositionsAndVelocities(systems::Context<T>* context,
                                 const Eigen::Ref<const VectorX<T>>& q_v) const;
  /** Sets [q; v] of a model instance. */
  void SetPositionsAndVelocities(systems::Context<T>* context,
                                 ModelInstanceIndex model_instance,
                                 const Eigen::Ref<const VectorX<T>>& q_v) const;

  /** q, a view into the Context. */
  Eigen::VectorBlock<const VectorX<T>> GetPositions(
      const systems::Context<T>& context) const;
  /** q of a model instance. */
  VectorX<T> GetPositions(const systems::Context<T>& context,
                          ModelInstanceIndex model_instance) const;
  /** Writes q of a model instance to `q_out`, which has its size. */
  void GetPositions(const systems::Context<T>& context,
                    ModelInstanceIndex model_instance,
                    EigenPtr<VectorX<T>> q_out) const;
  /** Sets q. */
  void SetPositions(systems::Context<T>* context,
                    const Eigen::Ref<const VectorX<T>>& q) const;
  /** Sets q of a model instance. */
  void SetPositions(systems::Context<T>* context,
                    ModelInstanceIndex model_instance,
                    const Eigen::Ref<const VectorX<T>>& q_instance) const;
  /** Sets q of a model instance in `state`, a state of this plant. */
  void SetPositions(const systems::Context<T>& context,
                    systems::State<T>* state, ModelInstanceIndex model_instance,
                    const Eigen::Ref<const VectorX<T>>& q_instance) const;

  /** v, a view into the Context or its cache. */
  Eigen::VectorBlock<const VectorX<T>> GetVelocities(
      const systems::Context<T>& context) const;
  /** v of a model instance. */
  VectorX<T> GetVelocities(const systems::Context<T>& context,
                           ModelInstanceIndex model_instance) const;
  /** Writes v of a model instance to `v_out`, which has its size. */
  void GetVelocities(const systems::Context<T>& context,
                     ModelInstanceIndex model_instance,
                     EigenPtr<VectorX<T>> v_out) const;
  /** Sets v. */
  void SetVelocities(systems::Context<T>* context,
                     const Eigen::Ref<const VectorX<T>>& v) const;
  /** Sets v of a model instance. */
  void SetVelocities(systems::Context<T>* context,
                     ModelInstanceIndex model_instance,
                     const Eigen::Ref<const VectorX<T>>& v_instance) const;
  /** Sets v of a model instance in `state`, a state of this plant. */
  void SetVelocities(const systems::Context<T>& context,
                     systems::State<T>* state,
                     ModelInstanceIndex model_instance,
                     const Eigen::Ref<const VectorX<T>>& v_instance) const;
  /** @} */

  /** @name Defaults
  What a new Context starts with; velocities are zero.
  @{ */
  /** Default q, from the joints. */
  VectorX<T> GetDefaultPositions() const;
  /** Default q of a model instance. */
  VectorX<T> GetDefaultPositions(ModelInstanceIndex model_instance) const;
  /** Sets default q: the default positions of all joints. */
  void SetDefaultPositions(const Eigen::Ref<const Eigen::VectorXd>& q);
  /** Sets default q of a model instance. */
  void SetDefaultPositions(ModelInstanceIndex model_instance,
                           const Eigen::Ref<const Eigen::VectorXd>& q_instance);
  /** @} */

  /** @name In plain vectors
  @{ */
  /** The entries of q that belong to a model instance. */
  VectorX<T> GetPositionsFromArray(ModelInstanceIndex model_instance,
                                   const Eigen::Ref<const VectorX<T>>& q) const;
  /** Writes those entries to `q_out`, which has their number. */
  void GetPositionsFromArray(ModelInstanceIndex model_instance,
                             const Eigen::Ref<const VectorX<T>>& q,
                             EigenPtr<VectorX<T>> q_out) const;
  /** Replaces the entries of q that belong to a model instance. */
  void SetPositionsInArray(ModelInstanceIndex model_instance,
                           const Eigen::Ref<const VectorX<T>>& q_instance,
                           EigenPtr<VectorX<T>> q) const;
  /** The entries of v that belong to a model instance. */
  VectorX<T> GetVelocitiesFromArray(
      ModelInstanceIndex model_instance,
      const Eigen::Ref<const VectorX<T>>& v) const;
  /** Writes those entries to `v_out`, which has their number. */
  void GetVelocitiesFromArray(ModelInstanceIndex model_instance,
                              const Eigen::Ref<const VectorX<T>>& v,
                              EigenPtr<VectorX<T>> v_out) const;
  /** Replaces the entries of v that belong to a model instance. */
  void SetVelocitiesInArray(ModelInstanceIndex model_instance,
                            const Eigen::Ref<const VectorX<T>>& v_instance,
                            EigenPtr<VectorX<T>> v) const;
  /** The entries of u that belong to a model instance. */
  VectorX<T> GetActuationFromArray(ModelInstanceIndex model_instance,
                                   const Eigen::Ref<const VectorX<T>>& u) const;
  /** Replaces the entries of u that belong to a model instance. */
  void SetActuationInArray(ModelInstanceIndex model_instance,
                           const Eigen::Ref<const VectorX<T>>& u_instance,
                           EigenPtr<VectorX<T>> u) const;
  /** @} */

 protected:
  explicit PlantState(internal::MultibodyTreeSystem<T>& core) : core_(core) {}
  ~PlantState() = default;

 private:
  enum class Quantity { kPositions, kVelocities, kActuation };

  // Where a quantity of a model instance is in that of the whole model.
  const std::vector<int>& indices(ModelInstanceIndex model_instance,
                                  Quantity quantity,
                                  const char* function) const;
  int whole_size(Quantity quantity) const;
  void Gather(const char* function, ModelInstanceIndex model_instance,
              Quantity quantity, const Eigen::Ref<const VectorX<T>>& whole,
              EigenPtr<VectorX<T>> part) const;
  void Scatter(const char* function, ModelInstanceIndex model_instance,
               Quantity quantity, const Eigen::Ref<const VectorX<T>>& part,
               EigenPtr<VectorX<T>> whole) const;
  void RequireFiniteState(const char* function,
                          const Eigen::Ref<const VectorX<T>>& x) const;

  internal::MultibodyTreeSystem<T>& core_;
};

}  // namespace wyvern::multibody
