#include "wyvern/multibody/control/controlled_plant.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::controllers::internal {

using multibody::MultibodyPlant;

namespace {

template <typename T>
const MultibodyPlant<T>& CheckPlant(const std::string& who,
                                    const MultibodyPlant<T>* plant) {
  if (plant == nullptr) {
    throw std::logic_error(
        fmt::format("{}: the plant is null; give a finalized one.", who));
  }
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
      plant_(&CheckPlant(who_, owned_plant_ ? owned_plant_.get() : plant)),
      context_(plant_->CreateDefaultContext()) {
  if (plant_context == nullptr) return;
  plant_->ValidateContext(*plant_context);
  context_->get_mutable_parameters().SetFrom(plant_context->get_parameters());
}

template <typename T>
ControlledPlant<T>::~ControlledPlant() = default;

template <typename T>
void ControlledPlant<T>::CheckGains(const char* name,
                                    const Eigen::VectorXd& gains) const {
  if (!plant_->IsVelocityEqualToQDot()) {
    throw std::logic_error(fmt::format(
        "{}: the plant '{}' has {} positions and {} velocities, which are not "
        "their rates; it must have no floating or quaternion joint, to which "
        "gains on positions mean nothing.",
        who_, plant_->GetSystemPathname(), plant_->num_positions(),
        plant_->num_velocities()));
  }
  if (gains.size() != plant_->num_velocities() || !gains.allFinite()) {
    throw std::logic_error(fmt::format(
        "{}: {} has {} gains, {}; the plant '{}' has {} velocities, each of "
        "which needs one that is finite.",
        who_, name, gains.size(),
        gains.allFinite() ? "all finite" : "not all finite",
        plant_->GetSystemPathname(), plant_->num_velocities()));
  }
}

// An actuator drives one velocity, and no two the same.
template <typename T>
Eigen::SparseMatrix<double> ControlledPlant<T>::MakeInverseOfActuationMatrix()
    const {
  if (plant_->num_actuated_dofs() != plant_->num_velocities()) {
    throw std::logic_error(fmt::format(
        "{}: the plant '{}' has {} velocities and {} actuators; give each "
        "joint one, or let the controller have a plant of its own that is "
        "fully actuated.",
        who_, plant_->GetSystemPathname(), plant_->num_velocities(),
        plant_->num_actuated_dofs()));
  }
  return plant_->MakeActuationMatrixPseudoinverse();
}

template <typename T>
ControlledPlant<T>::AtState::AtState(const ControlledPlant<T>& controlled)
    : context(controlled.context().Clone()),
      forces(controlled.plant()),
      tau(VectorX<T>::Zero(controlled.plant().num_velocities())) {}

template <typename T>
ControlledPlant<T>::AtState::AtState(const AtState& other)
    : context(other.context->Clone()), forces(other.forces), tau(other.tau) {}

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
