#include "wyvern/multibody/control/controlled_plant.h"

#include <map>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/step/laws/dof_force_law.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* Parts that controllers with a plant share. A copy of the plant's Context is
set to the state that the controller receives, and caches kinematics. B⁻¹
maps generalized forces to motors, one motor per velocity. A joint that
follows another by a coupler has v_f = r v_l and hands its force on, tau_l +
r tau_f, along chains from the follower to the one leader. */

namespace wyvern::systems::controllers::internal {

using multibody::MultibodyPlant;

namespace {

template <typename T>
const MultibodyPlant<T>& RequirePlant(const std::string& who,
                                      const MultibodyPlant<T>* plant) {
  wyvern::internal::RequireNotNull(who, "plant", plant, "give a finalized one");
  if (!plant->is_finalized()) {
    throw std::logic_error(
        fmt::format("{}: the plant '{}' is not finalized; call its Finalize() "
                    "first.",
                    who, plant->GetSystemPathname()));
  }
  return *plant;
}

}  // namespace

template <typename T>
ControlledPlant<T>::ControlledPlant(std::string who,
                                    std::unique_ptr<MultibodyPlant<T>> owned,
                                    const MultibodyPlant<T>* plant,
                                    const Context<T>* plant_context)
    : who_(std::move(who)),
      owned_plant_(std::move(owned)),
      plant_(&RequirePlant(who_, owned_plant_ ? owned_plant_.get() : plant)),
      context_(plant_->CreateDefaultContext()) {
  for (const auto index : plant_->GetJointIndices()) {
    const auto& joint = plant_->get_joint(index);
    if (joint.num_velocities() > 0) joints_.push_back(&joint);
  }
  if (plant_context != nullptr) {
    plant_->ValidateContext(*plant_context);
    context_->get_mutable_parameters().SetFrom(plant_context->get_parameters());
  }
  FindFollowers();
}

template <typename T>
ControlledPlant<T>::~ControlledPlant() = default;

template <typename T>
void ControlledPlant<T>::RequireGains(const char* name,
                                      const Eigen::VectorXd& gains) const {
  if (!plant_->IsVelocityEqualToQDot()) {
    throw std::logic_error(fmt::format(
        "{}: the plant '{}' has {} positions and {} velocities, which are not "
        "their rates; it must have no floating or quaternion joint, to which "
        "gains on positions mean nothing.",
        who_, plant_->GetSystemPathname(), plant_->num_positions(),
        plant_->num_velocities()));
  }
  wyvern::internal::RequireSize(who_, name, gains.size(),
                                plant_->num_velocities(),
                                "give a gain for each velocity of the plant");
  wyvern::internal::RequireFinite(who_, name, gains);
}

// The actuators, with the followers that their leaders bear, must drive all
// velocities.
template <typename T>
Eigen::SparseMatrix<double> ControlledPlant<T>::MakeInverseOfActuationMatrix(
    bool bears_followers) const {
  const int nv = plant_->num_velocities();
  const Eigen::SparseMatrix<double> inverse =
      plant_->MakeActuationMatrixPseudoinverse();
  // Columns that span the forces of the actuators and of the leaders.
  const int num_borne =
      bears_followers ? static_cast<int>(followers_.size()) : 0;
  MatrixX<double> driven =
      MatrixX<double>::Zero(nv, inverse.rows() + num_borne);
  driven.leftCols(inverse.rows()) = inverse.transpose();
  for (int i = 0; i < num_borne; ++i) {
    driven(followers_[i].follower, inverse.rows() + i) = 1;
  }
  const bool is_driven =
      nv == 0 || (driven.cols() >= nv &&
                  Eigen::FullPivLU<MatrixX<double>>(driven).rank() == nv);
  if (!is_driven) {
    throw std::logic_error(fmt::format(
        "{}: the plant '{}' has {} velocities and {} actuators; give each "
        "joint one, or let the controller have a plant of its own that is "
        "fully actuated.",
        who_, plant_->GetSystemPathname(), nv, plant_->num_actuated_dofs()));
  }
  return inverse;
}

// The leader of a leader leads its followers. Of two couplers that one joint
// follows by, and of those that close a circle, one counts as cut.
template <typename T>
void ControlledPlant<T>::FindFollowers() {
  std::map<int, Follower> by_follower;
  for (const auto& [id, spec] : plant_->get_coupler_constraint_specs()) {
    if (!plant_->GetConstraintActiveStatus(*context_, id)) continue;
    const int follower = plant_->get_joint(spec.joint0_index).velocity_start();
    Follower next{follower,
                  plant_->get_joint(spec.joint1_index).velocity_start(),
                  spec.gear_ratio};
    while (by_follower.contains(next.leader)) {
      const Follower& above = by_follower.at(next.leader);
      next.leader = above.leader;
      next.ratio *= above.ratio;
    }
    if (next.leader == follower || by_follower.contains(follower)) continue;
    for (auto& [v, other] : by_follower) {
      if (other.leader != follower) continue;
      other.leader = next.leader;
      other.ratio *= next.ratio;
    }
    by_follower.emplace(follower, next);
  }
  followers_.clear();
  for (const auto& [v, follower] : by_follower) followers_.push_back(follower);
}

template <typename T>
void ControlledPlant<T>::Follow(Eigen::Ref<VectorX<T>> v) const {
  for (const Follower& f : followers_) v[f.follower] = f.ratio * v[f.leader];
}

template <typename T>
void ControlledPlant<T>::PassToLeaders(EigenPtr<VectorX<T>> tau) const {
  for (const Follower& f : followers_) {
    (*tau)[f.leader] += f.ratio * (*tau)[f.follower];
    (*tau)[f.follower] = T(0);
  }
}

template <typename T>
void ControlledPlant<T>::AddDryFriction(
    const Eigen::Ref<const VectorX<T>>& v,
    multibody::MultibodyForces<T>* forces) const {
  multibody::internal::DofForceLaw<T> law;
  law.has_friction = true;
  for (const auto* joint : joints_) {
    const VectorX<T>& friction = joint->GetFrictionVector(*context_);
    for (int i = 0; i < joint->num_velocities(); ++i) {
      if (!(friction[i] > 0)) continue;
      law.friction = friction[i];
      law.b_friction = friction[i] / plant_->stiction_tolerance();
      const int k = joint->velocity_start() + i;
      forces->mutable_generalized_forces()[k] += law.CalcFrictionForce(v[k]);
    }
  }
}

template <typename T>
ControlledPlant<T>::AtState::AtState(const ControlledPlant<T>& controlled)
    : context(controlled.context().Clone()),
      x(VectorX<T>::Zero(controlled.plant().num_multibody_states())),
      forces(controlled.plant()),
      tau(VectorX<T>::Zero(controlled.plant().num_velocities())) {}

template <typename T>
ControlledPlant<T>::AtState::AtState(const AtState& other)
    : context(other.context->Clone()),
      x(other.x),
      forces(other.forces),
      tau(other.tau) {}

template <typename T>
ControlledPlant<T>::AtState::~AtState() = default;

template <typename T>
void ControlledPlant<T>::Move(const T& time, const VectorX<T>& x,
                              AtState* at) const {
  at->context->SetTime(time);
  plant_->SetPositionsAndVelocities(at->context.get(), x);
}

}  // namespace wyvern::systems::controllers::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::internal::ControlledPlant);
