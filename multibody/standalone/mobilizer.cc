#include "wyvern/multibody/standalone/mobilizer.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/standalone/standalone_tree.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

namespace {

// An array of the whole model's, which has as many entries as `wanted`.
template <typename T>
Eigen::Ref<VectorX<T>>& RequireArray(const EigenPtr<VectorX<T>>& array,
                                     int wanted, const char* function) {
  if (array == nullptr) {
    throw std::logic_error(fmt::format(
        "Mobilizer::{}(): a null pointer was given; a vector of {} entries, "
        "those of the whole model, is wanted.",
        function, wanted));
  }
  internal::RequireSize(function, "the whole model's array", array->size(),
                        wanted);
  return *array;
}

}  // namespace

template <typename T>
Mobilizer<T>::Mobilizer(const Frame<T>& inboard_frame,
                        const Frame<T>& outboard_frame)
    : inboard_frame_(inboard_frame), outboard_frame_(outboard_frame) {
  if (&inboard_frame == &outboard_frame) {
    throw std::runtime_error(fmt::format(
        "Mobilizer(): frame '{}' was given both as inboard and as outboard "
        "frame; a mobilizer connects frames of two bodies.",
        inboard_frame.name()));
  }
}

template <typename T>
Mobilizer<T>::~Mobilizer() = default;

template <typename T>
const MobilizerTopology& Mobilizer<T>::get_topology() const {
  if (tree_ == nullptr || !tree_->topology_is_valid()) {
    throw std::logic_error(fmt::format(
        "Mobilizer::get_topology(): the mobilizer between the frames '{}' and "
        "'{}' is not part of a finalized tree; call "
        "MultibodyTree::AddMobilizer() and Finalize() first.",
        inboard_frame_.name(), outboard_frame_.name()));
  }
  return tree_->get_topology().mobilizers[index_];
}

template <typename T>
void Mobilizer<T>::RequireContextOfTree(
    const systems::Context<T>& context) const {
  get_topology();
  tree_->RequireContextOfThisTree(context);
}

template <typename T>
void Mobilizer<T>::set_zero_configuration(systems::Context<T>* context) const {
  internal::Deref(context, "Mobilizer::set_zero_configuration");
  RequireContextOfTree(*context);
  set_zero_state(*context, &context->get_mutable_state());
}

template <typename T>
typename Mobilizer<T>::ConstPiece Mobilizer<T>::get_positions_from_array(
    const Eigen::Ref<const VectorX<T>>& q_array) const {
  const MobilizerTopology& topology = get_topology();
  internal::RequireSize("get_positions_from_array", "q_array", q_array.size(),
                        tree_->get_num_positions());
  return q_array.segment(topology.positions_start, topology.num_positions);
}

template <typename T>
typename Mobilizer<T>::MutablePiece
Mobilizer<T>::get_mutable_positions_from_array(
    EigenPtr<VectorX<T>> q_array) const {
  const MobilizerTopology& topology = get_topology();
  return RequireArray<T>(q_array, tree_->get_num_positions(),
                         "get_mutable_positions_from_array")
      .segment(topology.positions_start, topology.num_positions);
}

template <typename T>
typename Mobilizer<T>::ConstPiece Mobilizer<T>::get_velocities_from_array(
    const Eigen::Ref<const VectorX<T>>& v_array) const {
  const MobilizerTopology& topology = get_topology();
  internal::RequireSize("get_velocities_from_array", "the array",
                        v_array.size(), tree_->get_num_velocities());
  return v_array.segment(topology.velocities_start, topology.num_velocities);
}

template <typename T>
typename Mobilizer<T>::MutablePiece
Mobilizer<T>::get_mutable_velocities_from_array(
    EigenPtr<VectorX<T>> v_array) const {
  const MobilizerTopology& topology = get_topology();
  return RequireArray<T>(v_array, tree_->get_num_velocities(),
                         "get_mutable_velocities_from_array")
      .segment(topology.velocities_start, topology.num_velocities);
}

// Accelerations and generalized forces are laid out as velocities are.
template <typename T>
typename Mobilizer<T>::ConstPiece Mobilizer<T>::get_accelerations_from_array(
    const Eigen::Ref<const VectorX<T>>& vdot_array) const {
  return get_velocities_from_array(vdot_array);
}

template <typename T>
typename Mobilizer<T>::MutablePiece
Mobilizer<T>::get_mutable_accelerations_from_array(
    EigenPtr<VectorX<T>> vdot_array) const {
  return get_mutable_velocities_from_array(vdot_array);
}

template <typename T>
typename Mobilizer<T>::ConstPiece
Mobilizer<T>::get_generalized_forces_from_array(
    const Eigen::Ref<const VectorX<T>>& tau_array) const {
  return get_velocities_from_array(tau_array);
}

template <typename T>
typename Mobilizer<T>::MutablePiece
Mobilizer<T>::get_mutable_generalized_forces_from_array(
    EigenPtr<VectorX<T>> tau_array) const {
  return get_mutable_velocities_from_array(tau_array);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::Mobilizer);
