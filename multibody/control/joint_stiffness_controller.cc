#include "wyvern/multibody/control/joint_stiffness_controller.h"

#include <set>
#include <utility>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems::controllers {

using multibody::MultibodyPlant;

template <typename T>
JointStiffnessController<T>::JointStiffnessController(
    const MultibodyPlant<T>& plant, const Eigen::Ref<const Eigen::VectorXd>& kp,
    const Eigen::Ref<const Eigen::VectorXd>& kd)
    : JointStiffnessController(nullptr, &plant, kp, kd) {}

template <typename T>
JointStiffnessController<T>::JointStiffnessController(
    std::unique_ptr<MultibodyPlant<T>> plant,
    const Eigen::Ref<const Eigen::VectorXd>& kp,
    const Eigen::Ref<const Eigen::VectorXd>& kd)
    : JointStiffnessController(std::move(plant), nullptr, kp, kd) {}

template <typename T>
template <typename U>
JointStiffnessController<T>::JointStiffnessController(
    const JointStiffnessController<U>& other)
    : JointStiffnessController(
          System<U>::template ToScalarType<T>(other.controlled_.plant()),
          other.kp_, other.kd_) {}

template <typename T>
JointStiffnessController<T>::JointStiffnessController(
    std::unique_ptr<MultibodyPlant<T>> owned, const MultibodyPlant<T>* plant,
    const Eigen::Ref<const Eigen::VectorXd>& kp,
    const Eigen::Ref<const Eigen::VectorXd>& kd)
    : LeafSystem<T>(SystemTypeTag<JointStiffnessController>{}),
      controlled_("JointStiffnessController", std::move(owned), plant, nullptr),
      kp_(kp),
      kd_(kd),
      no_acceleration_(VectorX<T>::Zero(controlled_.plant().num_velocities())) {
  controlled_.RequireGains("kp", kp_);
  controlled_.RequireGains("kd", kd_);
  const int n = controlled_.plant().num_velocities();
  B_inverse_ =
      controlled_.MakeInverseOfActuationMatrix(false /* bears_followers */);
  this->DeclareVectorInputPort("estimated_state", 2 * n);
  this->DeclareVectorInputPort("desired_state", 2 * n);
  at_state_ = &this->DeclareCacheEntry(
      "plant at the estimated state",
      ValueProducer(this, &JointStiffnessController::AllocateAtState,
                    &JointStiffnessController::CalcAtState),
      {this->input_port_ticket(InputPortIndex(0)), this->time_ticket()});
  const std::set<DependencyTicket> prerequisites{
      at_state_->ticket(), this->all_input_ports_ticket()};
  this->DeclareVectorOutputPort(
      "actuation", n, &JointStiffnessController::CalcActuation, prerequisites);
  const auto& force = this->DeclareVectorOutputPort(
      "generalized_force", n, &JointStiffnessController::CalcForce,
      prerequisites);
  this->DeprecateOutputPort(force, "use 'actuation'");
}

template <typename T>
JointStiffnessController<T>::~JointStiffnessController() = default;

template <typename T>
void JointStiffnessController<T>::CalcAtState(const Context<T>& context,
                                              AtState* at) const {
  const MultibodyPlant<T>& plant = controlled_.plant();
  controlled_.Move(context.get_time(),
                   get_input_port_estimated_state().Eval(context), at);
  using multibody::dynamics::Gravity;
  plant.CalcForceElementsContribution(*at->context, &at->forces, Gravity::kOff);
  plant.CalcInverseDynamics(*at->context, no_acceleration_, at->forces,
                            &at->tau, Gravity::kOn);
  at->tau -= plant.EvalBiasTerm(*at->context);
}

template <typename T>
void JointStiffnessController<T>::CalcForce(const Context<T>& context,
                                            BasicVector<T>* force) const {
  const auto& at = at_state_->template Eval<AtState>(context);
  const VectorX<T>& x = get_input_port_estimated_state().Eval(context);
  const VectorX<T>& x_d = get_input_port_desired_state().Eval(context);
  const int n = static_cast<int>(kp_.size());
  for (int i = 0; i < n; ++i) {
    (*force)[i] =
        at.tau[i] + kp_[i] * (x_d[i] - x[i]) + kd_[i] * (x_d[n + i] - x[n + i]);
  }
}

template <typename T>
void JointStiffnessController<T>::CalcActuation(
    const Context<T>& context, BasicVector<T>* actuation) const {
  const VectorX<T>& tau = get_output_port_generalized_force().Eval(context);
  actuation->SetZero();
  for (int k = 0; k < B_inverse_.outerSize(); ++k) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(B_inverse_, k); it;
         ++it) {
      (*actuation)[static_cast<int>(it.row())] += it.value() * tau[it.col()];
    }
  }
}

#if WYVERN_AUTODIFF
template JointStiffnessController<double>::JointStiffnessController(
    const JointStiffnessController<AutoDiffXd>&);
template JointStiffnessController<AutoDiffXd>::JointStiffnessController(
    const JointStiffnessController<double>&);
#endif

}  // namespace wyvern::systems::controllers

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::systems::controllers::JointStiffnessController);
