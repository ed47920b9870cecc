#include "wyvern/multibody/standalone/standalone_system.h"

#include <stdexcept>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

template <typename T>
StandaloneSystem<T>::StandaloneSystem()
    : MultibodyTreeSystem<T>("MultibodyTree", systems::SystemScalarConverter{},
                             /* time_step */ 0) {
  this->set_name("MultibodyTree");
}

template <typename T>
StandaloneSystem<T>::~StandaloneSystem() = default;

template <typename T>
void StandaloneSystem<T>::Finalize() {
  this->FinalizeTree();
  const dynamics::Model& model = this->model();
  const Vector6<T> zero = Vector6<T>::Zero();
  const std::vector<Vector6<T>> by_node(model.num_nodes(), zero);
  const std::vector<Vector6<T>> by_body(model.num_bodies(), zero);
  Scratch scratch{dynamics::InverseDynamicsScratch<T>(model),
                  by_node,
                  by_node,
                  by_body,
                  by_body,
                  dynamics::VelocityKinematics<T>(model),
                  VectorX<T>::Zero(model.num_v),
                  VectorX<T>::Zero(model.num_v)};
  for (Vector6<T>& V : scratch.at_rest.V) V.setZero();
  for (Vector6<T>& bias : scratch.at_rest.bias) bias.setZero();
  scratch_ = &this->DeclareCacheEntry(
      "scratch",
      systems::ValueProducer(scratch, &systems::ValueProducer::NoopCalc),
      {this->nothing_ticket()});
}

template <typename T>
typename StandaloneSystem<T>::Scratch& StandaloneSystem<T>::scratch(
    const systems::Context<T>& context) const {
  return scratch_->get_mutable_cache_entry_value(context)
      .template GetMutableValueOrThrow<Scratch>();
}

template <typename T>
const std::vector<SpatialAcceleration<T>>&
StandaloneSystem<T>::EvalBodyAccelerations(const systems::Context<T>&) const {
  throw std::logic_error(
      "MultibodyTree: accelerations do not follow from a state without forces; "
      "use MultibodyTree::CalcSpatialAccelerationsFromVdot(), or a "
      "MultibodyPlant.");
}

template <typename T>
std::unique_ptr<systems::LeafContext<T>>
StandaloneSystem<T>::DoMakeLeafContext() const {
  return std::make_unique<MultibodyTreeContext<T>>(this->num_q(),
                                                   this->num_v());
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::StandaloneSystem);
