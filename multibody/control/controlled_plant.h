#pragma once

#include <memory>
#include <string>
#include <vector>

#include <Eigen/SparseCore>

#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/multibody_forces.h"

namespace wyvern::systems::controllers::internal {

/** The plant that a controller models its robot by, its own or another's, and
the parameters to model it with: masses, frames, damping, locks. */
template <typename T>
class ControlledPlant {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ControlledPlant);

  /** Either `owned` or `plant` is given; the latter must outlive this.
  `plant_context` has the parameters, and is copied; null means the defaults.
  @throws std::logic_error in the name of `who`, the controller, if there is no
  plant, it is not finalized, or the Context is not its own. */
  ControlledPlant(std::string who,
                  std::unique_ptr<multibody::MultibodyPlant<T>> owned,
                  const multibody::MultibodyPlant<T>* plant,
                  const Context<T>* plant_context);
  ~ControlledPlant();

  const std::string& who() const { return who_; }
  const multibody::MultibodyPlant<T>& plant() const { return *plant_; }
  /** The parameters; its state and time mean nothing. */
  const Context<T>& context() const { return *context_; }

  /** Takes over the parameters of the same plant on another scalar. */
  template <typename U>
  void SetParametersFrom(const ControlledPlant<U>& other) {
    context_->get_mutable_parameters().SetFrom(
        other.context().get_parameters());
    FindFollowers();
  }

  /** @throws std::logic_error unless there is a finite gain for each velocity,
  and each velocity is the rate of a position. */
  void RequireGains(const char* name, const Eigen::VectorXd& gains) const;

  /** From generalized forces to actuation, B⁻¹.
  @param bears_followers whether the force of a joint that follows another by a
  coupler is with its leader, so that it needs no actuator.
  @throws std::logic_error unless there is an actuator for each velocity that
  needs one. */
  Eigen::SparseMatrix<double> MakeInverseOfActuationMatrix(
      bool bears_followers) const;

  /** The plant at the state that the controller is told, and memory for what it
  works out there: what it keeps in its cache, so that nothing is allocated
  later. */
  struct AtState {
    explicit AtState(const ControlledPlant<T>& controlled);
    AtState(const AtState& other);
    ~AtState();
    std::unique_ptr<AtState> Clone() const {
      return std::make_unique<AtState>(*this);
    }

    std::unique_ptr<Context<T>> context;
    VectorX<T> x;
    multibody::MultibodyForces<T> forces;
    VectorX<T> tau;
  };
  std::unique_ptr<AtState> Allocate() const {
    return std::make_unique<AtState>(*this);
  }
  /** Sets the plant's state to x = [q; v] at `time`, in seconds. */
  void Move(const T& time, const VectorX<T>& x, AtState* at) const;

  /** Gives each joint that follows another by a coupler the velocity, or
  acceleration, that the coupler says: v_follower = ratio v_leader. */
  void Follow(Eigen::Ref<VectorX<T>> v) const;
  /** Moves the followers' forces to their leaders: a coupler passes a force on
  without work, so that tau_leader + ratio tau_follower does what both did. */
  void PassToLeaders(EigenPtr<VectorX<T>> tau) const;
  /** Adds the joints' dry friction at the velocities v: the force that it has
  in a continuous plant. */
  void AddDryFriction(const Eigen::Ref<const VectorX<T>>& v,
                      multibody::MultibodyForces<T>* forces) const;

 private:
  struct Follower {
    int follower{};
    int leader{};
    double ratio{};
  };
  void FindFollowers();

  const std::string who_;
  const std::unique_ptr<multibody::MultibodyPlant<T>> owned_plant_;
  const multibody::MultibodyPlant<T>* const plant_;
  std::unique_ptr<Context<T>> context_;
  // By index in v; no leader follows.
  std::vector<Follower> followers_;
  // Joints that move.
  std::vector<const multibody::Joint<T>*> joints_;
};

}  // namespace wyvern::systems::controllers::internal
