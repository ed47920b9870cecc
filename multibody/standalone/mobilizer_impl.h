#pragma once

#include <memory>

#include "wyvern/multibody/standalone/mobilizer.h"

namespace wyvern::multibody {

/** Base of mobilizers with given numbers of coordinates. */
template <typename T, int compile_time_num_positions,
          int compile_time_num_velocities>
class MobilizerImpl : public Mobilizer<T> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(MobilizerImpl);

  /** As the constructor of Mobilizer. */
  MobilizerImpl(const Frame<T>& inboard_frame, const Frame<T>& outboard_frame)
      : Mobilizer<T>(inboard_frame, outboard_frame) {}
  ~MobilizerImpl() override;

  int num_positions() const final { return kNq; }
  int num_velocities() const final { return kNv; }
  std::unique_ptr<internal::BodyNode<T>> CreateBodyNode(
      const internal::BodyNode<T>* parent_node, const Body<T>* body,
      const Mobilizer<T>* mobilizer) const final;

 protected:
  enum : int {
    kNq = compile_time_num_positions,
    kNv = compile_time_num_velocities
  };

  /** Returns the Context as the type that a tree makes.
  @throws std::logic_error if `context` is not a MultibodyTreeContext. */
  static const MultibodyTreeContext<T>& GetMultibodyTreeContextOrThrow(
      const systems::Context<T>& context);
  MultibodyTreeContext<T>& GetMutableMultibodyTreeContextOrThrow(
      systems::Context<T>* context) const;

  /** @name This mobilizer's part of the state
  @{ */
  Eigen::VectorBlock<const VectorX<T>, kNq> get_positions(
      const MultibodyTreeContext<T>& context) const;
  Eigen::VectorBlock<VectorX<T>, kNq> get_mutable_positions(
      MultibodyTreeContext<T>* context) const;
  Eigen::VectorBlock<VectorX<T>, kNq> get_mutable_positions(
      const systems::Context<T>& context, systems::State<T>* state) const;
  Eigen::VectorBlock<const VectorX<T>, kNv> get_velocities(
      const MultibodyTreeContext<T>& context) const;
  Eigen::VectorBlock<VectorX<T>, kNv> get_mutable_velocities(
      MultibodyTreeContext<T>* context) const;
  Eigen::VectorBlock<VectorX<T>, kNv> get_mutable_velocities(
      const systems::Context<T>& context, systems::State<T>* state) const;
  /** The whole x = [q; v]. */
  Eigen::VectorBlock<VectorX<T>> get_mutable_state_vector(
      const systems::Context<T>& context, systems::State<T>* state) const;
  /** Sets q and v to zero. */
  void set_default_zero_state(const systems::Context<T>& context,
                              systems::State<T>* state) const;
  /** @} */
};

}  // namespace wyvern::multibody
