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
  Eigen::VectorBlock<const VectorX<T>> GetPositionsAndVelocities(
      const systems::Context<T>& context) const;
  VectorX<T> GetPositionsAndVelocities(const systems::Context<T>& context,
                                       ModelInstanceIndex model_instance) const;
  void GetPositionsAndVelocities(const systems::Context<T>& context,
                                 ModelInstanceIndex model_instance,
                                 EigenPtr<VectorX<T>> qv_out) const;
  void SetPositionsAndVelocities(systems::Context<T>* context,
                                 const Eigen::Ref<const VectorX<T>>& q_v) const;
  void SetPositionsAndVelocities(systems::Context<T>* context,
                                 ModelInstanceIndex model_instance,
                                 const Eigen::Ref<const VectorX<T>>& q_v) const;

  Eigen::VectorBlock<const VectorX<T>> GetPositions(
      const systems::Context<T>& context) const;
  VectorX<T> GetPositions(const systems::Context<T>& context,
                          ModelInstanceIndex model_instance) const;
  void GetPositions(const systems::Context<T>& context,
                    ModelInstanceIndex model_instance,
                    EigenPtr<VectorX<T>> q_out) const;
  void SetPositions(systems::Context<T>* context,
                    const Eigen::Ref<const VectorX<T>>& q) const;
  void SetPositions(systems::Context<T>* context,
                    ModelInstanceIndex model_instance,
                    const Eigen::Ref<const VectorX<T>>& q_instance) const;
  void SetPositions(const systems::Context<T>& context,
                    systems::State<T>* state, ModelInstanceIndex model_instance,
                    const Eigen::Ref<const VectorX<T>>& q_instance) const;

  Eigen::VectorBlock<const VectorX<T>> GetVelocities(
      const systems::Context<T>& context) const;
  VectorX<T> GetVelocities(const systems::Context<T>& context,
                           ModelInstanceIndex model_instance) const;
  void GetVelocities(const systems::Context<T>& context,
                     ModelInstanceIndex model_instance,
                     EigenPtr<VectorX<T>> v_out) const;
  void SetVelocities(systems::Context<T>* context,
                     const Eigen::Ref<const VectorX<T>>& v) const;
  void SetVelocities(systems::Context<T>* context,
                     ModelInstanceIndex model_instance,
                     const Eigen::Ref<const VectorX<T>>& v_instance) const;
  void SetVelocities(const systems::Context<T>& context,
                     systems::State<T>* state,
                     ModelInstanceIndex model_instance,
                     const Eigen::Ref<const VectorX<T>>& v_instance) const;
  /** @} */

  /** @name Defaults
  What a new Context starts with; velocities are zero.
  @{ */
  VectorX<T> GetDefaultPositions() const;
  VectorX<T> GetDefaultPositions(ModelInstanceIndex model_instance) const;
  void SetDefaultPositions(const Eigen::Ref<const Eigen::VectorXd>& q);
  void SetDefaultPositions(ModelInstanceIndex model_instance,
                           const Eigen::Ref<const Eigen::VectorXd>& q_instance);
  /** @} */

  /** @name In plain vectors
  @{ */
  VectorX<T> GetPositionsFromArray(ModelInstanceIndex model_instance,
                                   const Eigen::Ref<const VectorX<T>>& q) const;
  void GetPositionsFromArray(ModelInstanceIndex model_instance,
                             const Eigen::Ref<const VectorX<T>>& q,
                             EigenPtr<VectorX<T>> q_out) const;
  void SetPositionsInArray(ModelInstanceIndex model_instance,
                           const Eigen::Ref<const VectorX<T>>& q_instance,
                           EigenPtr<VectorX<T>> q) const;
  VectorX<T> GetVelocitiesFromArray(
      ModelInstanceIndex model_instance,
      const Eigen::Ref<const VectorX<T>>& v) const;
  void GetVelocitiesFromArray(ModelInstanceIndex model_instance,
                              const Eigen::Ref<const VectorX<T>>& v,
                              EigenPtr<VectorX<T>> v_out) const;
  void SetVelocitiesInArray(ModelInstanceIndex model_instance,
                            const Eigen::Ref<const VectorX<T>>& v_instance,
                            EigenPtr<VectorX<T>> v) const;
  VectorX<T> GetActuationFromArray(ModelInstanceIndex model_instance,
                                   const Eigen::Ref<const VectorX<T>>& u) const;
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
