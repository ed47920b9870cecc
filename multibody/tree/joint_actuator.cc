#include "wyvern/multibody/tree/joint_actuator.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/spatial_tendon.h"
#include "wyvern/multibody/tree/tendon_force.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

/* A motor at a joint or a tendon. A rotor of inertia I behind a gear of ratio r
is felt by the joint as r² I on the diagonal of M; rotor inertia and ratio
are parameters of the Context. The effort limit, at the joint, bounds what a
PD controller gives with its feed-forward, not an input without a controller. */

namespace wyvern::multibody {

using internal::Deref;
using systems::Context;

namespace {
constexpr int kRotorInertia = 0;
constexpr int kGearRatio = 1;
}  // namespace

template <typename T>
JointActuator<T>::JointActuator(const std::string& name,
                                ModelInstanceIndex model_instance,
                                std::vector<TendonTerm<T>> terms,
                                const internal::TendonForce<T>* tendon,
                                bool acts_on_tendon, double effort_limit)
    : MultibodyElement<T>(model_instance),
      name_(internal::RequireName(name, "joint actuator")),
      effort_limit_(effort_limit),
      linear_(std::move(terms)),
      tendon_(tendon),
      acts_on_tendon_(acts_on_tendon) {
  RequireEffortLimit();
}

template <typename T>
JointActuator<T>::JointActuator(const std::string& name, const Joint<T>& joint,
                                double effort_limit)
    : JointActuator(name, joint.model_instance(),
                    std::vector<TendonTerm<T>>{{&joint, 1.0}}, nullptr, false,
                    effort_limit) {}

template <typename T>
JointActuator<T>::JointActuator(const std::string& name,
                                std::vector<TendonTerm<T>> terms,
                                double effort_limit)
    : JointActuator(
          name,
          internal::RequireTendonTerms("JointActuator", name, terms)[0]
              .joint->model_instance(),
          terms, nullptr, true, effort_limit) {}

template <typename T>
JointActuator<T>::JointActuator(const std::string& name,
                                const SpatialTendon<T>& tendon,
                                double effort_limit)
    : JointActuator(name, tendon.model_instance(), {}, &tendon, true,
                    effort_limit) {}

template <typename T>
const Joint<T>& JointActuator<T>::joint() const {
  if (!terms().empty()) return *terms()[0].joint;
  throw std::logic_error(fmt::format(
      "JointActuator::joint(): actuator '{}' acts along a spatial tendon, "
      "which "
      "belongs to no joint; ask FindJoints() for the joints that it moves.",
      name_));
}

template <typename T>
std::vector<const Joint<T>*> JointActuator<T>::FindJoints() const {
  std::vector<const Joint<T>*> joints;
  for (const Joint<T>* joint :
       coordinate().FindJoints(this->get_parent_tree())) {
    if (std::ranges::count(joints, joint) == 0) joints.push_back(joint);
  }
  return joints;
}

template <typename T>
const internal::ScalarCoordinate<T>& JointActuator<T>::coordinate() const {
  if (tendon_ != nullptr) return tendon_->coordinate();
  return linear_;
}

template <typename T>
void JointActuator<T>::RequireEffortLimit() const {
  // False for NaN as well.
  if (effort_limit_ > 0) return;
  throw std::logic_error(fmt::format(
      "JointActuator(): the effort limit of actuator '{}' is {}; a positive "
      "number is wanted, infinity for none.",
      name_, effort_limit_));
}

template <typename T>
void JointActuator<T>::RequireNoRotor(double rotor_inertia) const {
  if (!acts_on_tendon_ || rotor_inertia == 0) return;
  throw std::logic_error(fmt::format(
      "JointActuator '{}': the rotor inertia {} is not supported, because the "
      "actuator acts on a tendon; give it to the joints as armature.",
      name_, rotor_inertia));
}

template <typename T>
JointActuator<T>::~JointActuator() = default;

template <typename T>
int JointActuator<T>::num_inputs() const {
  return acts_on_tendon_ ? 1 : joint().num_velocities();
}

template <typename T>
int JointActuator<T>::input_start() const {
  if (input_start_ < 0) {
    throw std::logic_error(fmt::format(
        "JointActuator::input_start(): actuator '{}' gets its place among the "
        "inputs at Finalize(), which was not called yet.",
        name_));
  }
  return input_start_;
}

template <typename T>
void JointActuator<T>::RequireModelSize(int given, const char* function) const {
  internal::RequireSize({"JointActuator", function},
                        "the actuation of the model", given,
                        this->get_parent_tree().num_actuated_dofs());
}

template <typename T>
const Eigen::Ref<const VectorX<T>> JointActuator<T>::get_actuation_vector(
    const VectorX<T>& u) const {
  RequireModelSize(u.size(), "get_actuation_vector");
  return u.segment(input_start(), num_inputs());
}

template <typename T>
void JointActuator<T>::set_actuation_vector(
    const Eigen::Ref<const VectorX<T>>& u_actuator,
    EigenPtr<VectorX<T>> u) const {
  wyvern::internal::RequireNotNull("JointActuator::set_actuation_vector", "u",
                                   u, "pass a vector of the model's actuation");
  RequireModelSize(u->size(), "set_actuation_vector");
  internal::RequireSize("JointActuator::set_actuation_vector", "u_actuator",
                        u_actuator.size(), num_inputs());
  u->segment(input_start(), num_inputs()) = u_actuator;
}

template <typename T>
void JointActuator<T>::AddInOneForce(const Context<T>& context, int joint_dof,
                                     const T& tau,
                                     MultibodyForces<T>* forces) const {
  for (const TendonTerm<T>& term : terms()) {
    term.joint->AddInOneForce(context, joint_dof, term.coefficient * tau,
                              forces);
  }
  if (tendon_ == nullptr) return;
  const auto& system = this->GetParentTreeSystem();
  coordinate().AddForce(system, {context, system.EvalPositions(context)}, tau,
                        &Deref(forces, "JointActuator::AddInOneForce"));
}

namespace {

// Throws unless the reflected inertia of the rotor is a number that a double
// can hold.
void RequireReflectedInertia(double rotor_inertia, double gear_ratio,
                             const std::string& name) {
  if (std::isfinite(gear_ratio * gear_ratio * rotor_inertia)) return;
  throw std::logic_error(fmt::format(
      "JointActuator '{}': the rotor inertia {} times the square of the gear "
      "ratio {} is more than a double holds; give smaller ones.",
      name, rotor_inertia, gear_ratio));
}

}  // namespace

template <typename T>
void JointActuator<T>::set_default_rotor_inertia(double rotor_inertia) {
  internal::RequireNonNegative(
      internal::Caller::Element("JointActuator", name_), "rotor inertia",
      rotor_inertia);
  RequireReflectedInertia(rotor_inertia, default_gear_ratio_, name_);
  RequireNoRotor(rotor_inertia);
  default_rotor_inertia_ = rotor_inertia;
}

template <typename T>
void JointActuator<T>::set_default_gear_ratio(double gear_ratio) {
  internal::RequireFinite(internal::Caller::Element("JointActuator", name_),
                          "gear ratio", gear_ratio);
  RequireReflectedInertia(default_rotor_inertia_, gear_ratio, name_);
  default_gear_ratio_ = gear_ratio;
}

template <typename T>
const VectorX<T>& JointActuator<T>::parameter(const Context<T>& context) const {
  this->ValidateContext(context);
  return context.get_numeric_parameter(parameter_).value();
}

template <typename T>
void JointActuator<T>::SetParameter(Context<T>* context, int index,
                                    const T& value, const char* what) const {
  this->ValidateContext(Deref(context, "JointActuator: a setter"));
  internal::RequireFinite(internal::Caller::Element("JointActuator", name_),
                          what, value);
  const VectorX<T>& old = parameter(*context);
  const T& rotor_inertia = index == kRotorInertia ? value : old[kRotorInertia];
  const T& gear_ratio = index == kGearRatio ? value : old[kGearRatio];
  RequireReflectedInertia(wyvern::internal::NumberIn(rotor_inertia),
                          wyvern::internal::NumberIn(gear_ratio), name_);
  RequireNoRotor(wyvern::internal::NumberIn(rotor_inertia));
  context->get_mutable_numeric_parameter(parameter_)[index] = value;
}

template <typename T>
const T& JointActuator<T>::rotor_inertia(const Context<T>& context) const {
  return parameter(context)[kRotorInertia];
}

template <typename T>
const T& JointActuator<T>::gear_ratio(const Context<T>& context) const {
  return parameter(context)[kGearRatio];
}

template <typename T>
void JointActuator<T>::SetRotorInertia(Context<T>* context,
                                       const T& rotor_inertia) const {
  internal::RequireNonNegative(
      internal::Caller::Element("JointActuator", name_), "rotor inertia",
      rotor_inertia);
  SetParameter(context, kRotorInertia, rotor_inertia, "rotor inertia");
}

template <typename T>
void JointActuator<T>::SetGearRatio(Context<T>* context,
                                    const T& gear_ratio) const {
  SetParameter(context, kGearRatio, gear_ratio, "gear ratio");
}

template <typename T>
T JointActuator<T>::calc_reflected_inertia(const Context<T>& context) const {
  const VectorX<T>& p = parameter(context);
  return p[kGearRatio] * p[kGearRatio] * p[kRotorInertia];
}

template <typename T>
void JointActuator<T>::set_controller_gains(PdControllerGains gains) {
  if (input_start_ >= 0 && !gains_.has_value()) {
    throw std::logic_error(fmt::format(
        "JointActuator::set_controller_gains(): actuator '{}' belongs to a "
        "model that was already finalized, without a controller; set its first "
        "gains before calling Finalize().",
        name_));
  }
  internal::RequireNonNegative(
      internal::Caller::Element("JointActuator", name_), "proportional gain",
      gains.p);
  internal::RequireNonNegative(
      internal::Caller::Element("JointActuator", name_), "derivative gain",
      gains.d);
  gains_ = gains;
  if (input_start_ >= 0) this->GetParentTreeSystem().NoteSettingsChange();
}

template <typename T>
const PdControllerGains& JointActuator<T>::get_controller_gains() const {
  if (!gains_.has_value()) {
    throw std::logic_error(fmt::format(
        "JointActuator::get_controller_gains(): actuator '{}' has no PD "
        "controller; give it gains with set_controller_gains().",
        name_));
  }
  return *gains_;
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<JointActuator<ToScalar>> JointActuator<T>::MakeCopy(
    const internal::MultibodyTree<ToScalar>& cloned_tree) const {
  std::vector<TendonTerm<ToScalar>> copies;
  for (const TendonTerm<T>& term : terms()) {
    copies.push_back(
        {&cloned_tree.get_joint(term.joint->index()), term.coefficient});
  }
  const internal::TendonForce<ToScalar>* tendon = nullptr;
  if (tendon_ != nullptr) {
    tendon = dynamic_cast<const internal::TendonForce<ToScalar>*>(
        cloned_tree.force_elements()[tendon_->index()].get());
  }
  return std::unique_ptr<JointActuator<ToScalar>>(new JointActuator<ToScalar>(
      name_, this->model_instance(), std::move(copies), tendon, acts_on_tendon_,
      effort_limit_));
}

template <typename T>
void JointActuator<T>::DoDeclareParameters(
    internal::MultibodyTreeSystem<T>* tree_system) {
  parameter_ =
      this->DeclareNumericParameter(tree_system, systems::BasicVector<T>(2));
}

template <typename T>
void JointActuator<T>::DoSetDefaultParameters(
    systems::Parameters<T>* parameters) const {
  auto& p = parameters->get_mutable_numeric_parameter(parameter_);
  p[kRotorInertia] = default_rotor_inertia_;
  p[kGearRatio] = default_gear_ratio_;
}

template std::unique_ptr<JointActuator<double>> JointActuator<double>::MakeCopy(
    const internal::MultibodyTree<double>&) const;
#if WYVERN_AUTODIFF
template std::unique_ptr<JointActuator<AutoDiffXd>> JointActuator<
    double>::MakeCopy(const internal::MultibodyTree<AutoDiffXd>&) const;
template std::unique_ptr<JointActuator<double>> JointActuator<
    AutoDiffXd>::MakeCopy(const internal::MultibodyTree<double>&) const;
template std::unique_ptr<JointActuator<AutoDiffXd>> JointActuator<
    AutoDiffXd>::MakeCopy(const internal::MultibodyTree<AutoDiffXd>&) const;
#endif

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::JointActuator);
