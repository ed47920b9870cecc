// A spring and damper along the line from P on A to Q on B: the force k (l -
// l0) + c l̇ pulls the ends together, energy is k (l - l0)² / 2. Where the ends
// meet, the line has no direction, and a message says so.
#include "wyvern/multibody/tree/linear_spring_damper.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
LinearSpringDamper<T>::LinearSpringDamper(const RigidBody<T>& bodyA,
                                          const Vector3<double>& p_AP,
                                          const RigidBody<T>& bodyB,
                                          const Vector3<double>& p_BQ,
                                          double free_length, double stiffness,
                                          double damping)
    : internal::TypedForceElement<LinearSpringDamper, T>(
          bodyB.model_instance()),
      bodyA_(bodyA),
      bodyB_(bodyB),
      p_AP_(p_AP),
      p_BQ_(p_BQ),
      free_length_(free_length),
      stiffness_(stiffness),
      damping_(damping) {
  const std::string name = fmt::format("{} to {}", bodyA.name(), bodyB.name());
  constexpr char kKind[] = "LinearSpringDamper";
  internal::RequireFinite(internal::Caller::Element(kKind, name), "point p_AP",
                          p_AP);
  internal::RequireFinite(internal::Caller::Element(kKind, name), "point p_BQ",
                          p_BQ);
  internal::RequireNonNegative(internal::Caller::Element(kKind, name),
                               "stiffness", stiffness);
  internal::RequireNonNegative(internal::Caller::Element(kKind, name),
                               "damping", damping);
  internal::RequireFinite(internal::Caller::Element(kKind, name), "free length",
                          free_length);
  if (free_length > 0) return;
  throw std::logic_error(
      fmt::format("{} '{}': the free length is {}; it must be positive.", kKind,
                  name, free_length));
}

template <typename T>
LinearSpringDamper<T>::~LinearSpringDamper() = default;

template <typename T>
typename LinearSpringDamper<T>::Ends LinearSpringDamper<T>::CalcEnds(
    const internal::ForceState<T>& state) const {
  const auto& system = this->GetParentTreeSystem();
  Ends ends;
  ends.p_WP =
      system.BodyPose(state.pc, bodyA_.index()) * p_AP_.template cast<T>();
  ends.p_WQ =
      system.BodyPose(state.pc, bodyB_.index()) * p_BQ_.template cast<T>();
  const Vector3<T> p_PQ_W = ends.p_WQ - ends.p_WP;
  ends.length = p_PQ_W.norm();
  using wyvern::internal::MayHold;
  if (!MayHold(ends.length >= 1e-6 * free_length_)) {
    throw std::runtime_error(fmt::format(
        "LinearSpringDamper '{} to {}': its ends meet, so that its force has "
        "no direction; keep them apart.",
        bodyA_.name(), bodyB_.name()));
  }
  ends.direction = p_PQ_W / ends.length;
  ends.rate = T(0);
  if (state.vc == nullptr) return ends;
  const auto velocity = [&](BodyIndex body, const Vector3<T>& p_WP) {
    return Vector3<T>(dynamics::CalcPointVelocity<T>(
                          system.model(), state.pc.nodes, state.vc->nodes,
                          system.tree().model_body(body), p_WP)
                          .template tail<3>());
  };
  ends.rate = ends.direction.dot(velocity(bodyB_.index(), ends.p_WQ) -
                                 velocity(bodyA_.index(), ends.p_WP));
  return ends;
}

template <typename T>
T LinearSpringDamper<T>::CalcEnergy(
    const internal::ForceState<T>& state) const {
  const T stretch = CalcEnds(state).length - free_length_;
  return 0.5 * stiffness_ * stretch * stretch;
}

template <typename T>
T LinearSpringDamper<T>::CalcReleasedPower(
    const internal::ForceState<T>& state) const {
  const Ends ends = CalcEnds(state);
  return -stiffness_ * (ends.length - free_length_) * ends.rate;
}

template <typename T>
T LinearSpringDamper<T>::CalcOtherPower(
    const internal::ForceState<T>& state) const {
  const Ends ends = CalcEnds(state);
  return -damping_ * ends.rate * ends.rate;
}

template <typename T>
void LinearSpringDamper<T>::DoRequireMembers(
    const internal::MultibodyTree<T>& tree) const {
  tree.RequireMember(bodyA_, "AddForceElement");
  tree.RequireMember(bodyB_, "AddForceElement");
}

template <typename T>
void LinearSpringDamper<T>::AddForces(const internal::ForceState<T>& state,
                                      MultibodyForces<T>* forces) const {
  const auto& system = this->GetParentTreeSystem();
  const Ends ends = CalcEnds(state);
  const Vector3<T> f_AP_W =
      (stiffness_ * (ends.length - free_length_) + damping_ * ends.rate) *
      ends.direction;
  const auto add = [&](BodyIndex body, const Vector3<T>& p_WP,
                       const Vector3<T>& f_W) {
    const Vector3<T> p_BoP_W =
        p_WP - system.BodyPose(state.pc, body).translation();
    forces->AddBodyForce(body, SpatialForce<T>(p_BoP_W.cross(f_W), f_W));
  };
  add(bodyA_.index(), ends.p_WP, f_AP_W);
  add(bodyB_.index(), ends.p_WQ, -f_AP_W);
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::LinearSpringDamper);
