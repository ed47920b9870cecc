#include "wyvern/multibody/control/inverse_dynamics.h"

#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::controllers {

using multibody::MultibodyPlant;

namespace {
constexpr char kName[] = "InverseDynamics";
}  // namespace

template <typename T>
InverseDynamics<T>::InverseDynamics(const MultibodyPlant<T>* plant,
                                    InverseDynamicsMode mode,
                                    const Context<T>* plant_context)
    : InverseDynamics(kName, nullptr, plant, mode, plant_context) {}

template <typename T>
InverseDynamics<T>::InverseDynamics(std::unique_ptr<MultibodyPlant<T>> plant,
                                    InverseDynamicsMode mode,
                                    const Context<T>* plant_context)
    : InverseDynamics(kName, std::move(plant), nullptr, mode, plant_context) {}

template <typename T>
template <typename U>
InverseDynamics<T>::InverseDynamics(const InverseDynamics<U>& other)
    : InverseDynamics(
          other.controlled_.who().c_str(),
          System<U>::template ToScalarType<T>(other.controlled_.plant()),
          nullptr, static_cast<InverseDynamicsMode>(other.mode_), nullptr) {
  controlled_.SetParametersFrom(other.controlled_);
}

template <typename T>
InverseDynamics<T>::InverseDynamics(const char* who,
                                    std::unique_ptr<MultibodyPlant<T>> owned,
                                    const MultibodyPlant<T>* plant,
                                    InverseDynamicsMode mode,
                                    const Context<T>* plant_context)
    : LeafSystem<T>(SystemTypeTag<InverseDynamics>{}),
      controlled_(who, std::move(owned), plant, plant_context),
      mode_(mode) {
  if (mode != kInverseDynamics && mode != kGravityCompensation) {
    throw std::logic_error(
        fmt::format("InverseDynamics: there is no mode {}; give "
                    "kInverseDynamics or kGravityCompensation.",
                    static_cast<int>(mode)));
  }
  this->FollowSettingsOf(controlled_.plant());
  const int nq = controlled_.plant().num_positions();
  const int nv = controlled_.plant().num_velocities();
  this->DeclareVectorInputPort("estimated_state", nq + nv);
  at_state_ = &this->DeclareCacheEntry(
      "plant at the estimated state",
      ValueProducer(this, &InverseDynamics::AllocateAtState,
                    &InverseDynamics::CalcAtState),
      {this->input_port_ticket(InputPortIndex(0)), this->time_ticket()});
  std::set<DependencyTicket> prerequisites{at_state_->ticket()};
  if (mode == kInverseDynamics) {
    this->DeclareVectorInputPort("desired_acceleration", nv);
    vdot_ = &this->DeclareCacheEntry(
        "acceleration", VectorX<T>(VectorX<T>::Zero(nv)),
        &InverseDynamics::CalcAcceleration,
        {this->input_port_ticket(InputPortIndex(1))});
    prerequisites.insert(vdot_->ticket());
  }
  this->DeclareVectorOutputPort("generalized_force", nv,
                                &InverseDynamics::CalcForce, prerequisites);
}

template <typename T>
InverseDynamics<T>::~InverseDynamics() = default;

template <typename T>
const InputPort<T>& InverseDynamics<T>::get_input_port_desired_acceleration()
    const {
  if (is_pure_gravity_compensation()) {
    throw std::logic_error(fmt::format(
        "InverseDynamics::get_input_port_desired_acceleration(): '{}' "
        "compensates gravity alone and takes no acceleration; construct it "
        "with kInverseDynamics.",
        this->GetSystemPathname()));
  }
  return this->get_input_port(1);
}

template <typename T>
void InverseDynamics<T>::CalcAtState(const Context<T>& context,
                                     AtState* at) const {
  at->x = get_input_port_estimated_state().Eval(context);
  auto v = at->x.tail(controlled_.plant().num_velocities());
  controlled_.Follow(v);
  controlled_.Move(context.get_time(), at->x, at);
  if (is_pure_gravity_compensation()) return;
  controlled_.plant().CalcForceElementsContribution(
      *at->context, &at->forces, multibody::dynamics::Gravity::kOff);
  controlled_.AddDryFriction(v, &at->forces);
}

template <typename T>
void InverseDynamics<T>::CalcAcceleration(const Context<T>& context,
                                          VectorX<T>* vdot) const {
  *vdot = get_input_port_desired_acceleration().Eval(context);
  controlled_.Follow(*vdot);
}

template <typename T>
void InverseDynamics<T>::CalcForce(const Context<T>& context,
                                   BasicVector<T>* force) const {
  const auto& at = at_state_->template Eval<AtState>(context);
  auto tau = force->get_mutable_value();
  if (is_pure_gravity_compensation()) {
    tau = -controlled_.plant().EvalGravityGeneralizedForces(*at.context);
  } else {
    controlled_.plant().CalcInverseDynamics(
        *at.context, vdot_->template Eval<VectorX<T>>(context), at.forces, &tau,
        multibody::dynamics::Gravity::kOn);
  }
  controlled_.PassToLeaders(&tau);
}

#if WYVERN_AUTODIFF
template InverseDynamics<double>::InverseDynamics(
    const InverseDynamics<AutoDiffXd>&);
template InverseDynamics<AutoDiffXd>::InverseDynamics(
    const InverseDynamics<double>&);
#endif

}  // namespace wyvern::systems::controllers

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::InverseDynamics);
