#include "wyvern/multibody/standalone/mobilizer_impl.h"

#include <stdexcept>

#include "wyvern/multibody/standalone/body_node.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

namespace {

template <int size, typename T>
Eigen::VectorBlock<VectorX<T>, size> Segment(Eigen::VectorBlock<VectorX<T>> x,
                                             int start) {
  return x.nestedExpression().template segment<size>(x.startRow() + start);
}

template <int size, typename T>
Eigen::VectorBlock<const VectorX<T>, size> Segment(
    Eigen::VectorBlock<const VectorX<T>> x, int start) {
  return x.nestedExpression().template segment<size>(x.startRow() + start);
}

}  // namespace

template <typename T, int nq, int nv>
MobilizerImpl<T, nq, nv>::~MobilizerImpl() = default;

template <typename T, int nq, int nv>
std::unique_ptr<internal::BodyNode<T>> MobilizerImpl<T, nq, nv>::CreateBodyNode(
    const internal::BodyNode<T>* parent_node, const Body<T>* body,
    const Mobilizer<T>* mobilizer) const {
  internal::Deref(body, "Mobilizer::CreateBodyNode");
  return std::make_unique<internal::BodyNode<T>>(parent_node, body, mobilizer);
}

template <typename T, int nq, int nv>
const MultibodyTreeContext<T>&
MobilizerImpl<T, nq, nv>::GetMultibodyTreeContextOrThrow(
    const systems::Context<T>& context) {
  const auto* result = dynamic_cast<const MultibodyTreeContext<T>*>(&context);
  if (result == nullptr) {
    throw std::logic_error(
        "Mobilizer: the Context given is not that of a MultibodyTree; use one "
        "that MultibodyTree::CreateDefaultContext() made.");
  }
  return *result;
}

template <typename T, int nq, int nv>
MultibodyTreeContext<T>&
MobilizerImpl<T, nq, nv>::GetMutableMultibodyTreeContextOrThrow(
    systems::Context<T>* context) const {
  internal::Deref(context, "Mobilizer: a setter");
  this->RequireContextOfTree(GetMultibodyTreeContextOrThrow(*context));
  return static_cast<MultibodyTreeContext<T>&>(*context);
}

template <typename T, int nq, int nv>
auto MobilizerImpl<T, nq, nv>::get_positions(
    const MultibodyTreeContext<T>& context) const
    -> Eigen::VectorBlock<const VectorX<T>, kNq> {
  this->RequireContextOfTree(context);
  return Segment<kNq, T>(context.get_positions(), this->position_start_in_q());
}

template <typename T, int nq, int nv>
auto MobilizerImpl<T, nq, nv>::get_mutable_positions(
    MultibodyTreeContext<T>* context) const
    -> Eigen::VectorBlock<VectorX<T>, kNq> {
  return Segment<kNq, T>(
      GetMutableMultibodyTreeContextOrThrow(context).get_mutable_positions(),
      this->position_start_in_q());
}

template <typename T, int nq, int nv>
auto MobilizerImpl<T, nq, nv>::get_mutable_positions(
    const systems::Context<T>& context, systems::State<T>* state) const
    -> Eigen::VectorBlock<VectorX<T>, kNq> {
  return Segment<kNq, T>(get_mutable_state_vector(context, state),
                         this->position_start_in_q());
}

template <typename T, int nq, int nv>
auto MobilizerImpl<T, nq, nv>::get_velocities(
    const MultibodyTreeContext<T>& context) const
    -> Eigen::VectorBlock<const VectorX<T>, kNv> {
  this->RequireContextOfTree(context);
  return Segment<kNv, T>(context.get_velocities(), this->velocity_start_in_v());
}

template <typename T, int nq, int nv>
auto MobilizerImpl<T, nq, nv>::get_mutable_velocities(
    MultibodyTreeContext<T>* context) const
    -> Eigen::VectorBlock<VectorX<T>, kNv> {
  return Segment<kNv, T>(
      GetMutableMultibodyTreeContextOrThrow(context).get_mutable_velocities(),
      this->velocity_start_in_v());
}

template <typename T, int nq, int nv>
auto MobilizerImpl<T, nq, nv>::get_mutable_velocities(
    const systems::Context<T>& context, systems::State<T>* state) const
    -> Eigen::VectorBlock<VectorX<T>, kNv> {
  const int nq_of_tree =
      GetMultibodyTreeContextOrThrow(context).num_positions();
  return Segment<kNv, T>(get_mutable_state_vector(context, state),
                         nq_of_tree + this->velocity_start_in_v());
}

template <typename T, int nq, int nv>
Eigen::VectorBlock<VectorX<T>>
MobilizerImpl<T, nq, nv>::get_mutable_state_vector(
    const systems::Context<T>& context, systems::State<T>* state) const {
  this->RequireContextOfTree(GetMultibodyTreeContextOrThrow(context));
  systems::VectorBase<T>& x = internal::Deref(state, "Mobilizer: a setter")
                                  .get_mutable_continuous_state()
                                  .get_mutable_vector();
  internal::RequireSize("Mobilizer: a setter", "the state", x.size(),
                        context.num_continuous_states());
  return static_cast<systems::BasicVector<T>&>(x).get_mutable_value();
}

template <typename T, int nq, int nv>
void MobilizerImpl<T, nq, nv>::set_default_zero_state(
    const systems::Context<T>& context, systems::State<T>* state) const {
  get_mutable_positions(context, state).setZero();
  get_mutable_velocities(context, state).setZero();
}

#define WYVERN_INSTANTIATE(T)            \
  template class MobilizerImpl<T, 1, 1>; \
  template class MobilizerImpl<T, 3, 3>; \
  template class MobilizerImpl<T, 7, 6>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace wyvern::multibody
