#include "wyvern/multibody/tree/medium_force.h"

#include "wyvern/multibody/dynamics/body_kinematics.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

template <typename T>
MediumForce<T>::MediumForce(const char* kind, const RigidBody<T>& body,
                            const math::RigidTransform<double>& X_BD,
                            const FluidMedium& medium)
    : BasicForceElement<T>(body.model_instance()),
      body_(body),
      X_BD_(X_BD),
      medium_(medium) {
  const auto caller = Caller::Element(kind, body.name());
  RequireFinite(caller, "place of the shape", X_BD.translation());
  RequireNonNegative(caller, "density", medium.density);
  RequireNonNegative(caller, "viscosity", medium.viscosity);
  RequireFinite(caller, "wind", medium.wind);
}

template <typename T>
MediumForce<T>::~MediumForce() = default;

template <typename T>
typename MediumForce<T>::Motion MediumForce<T>::CalcMotion(
    const ForceState<T>& state) const {
  const auto& system = this->GetParentTreeSystem();
  const math::RigidTransform<T> X_WD =
      system.BodyPose(state.pc, body_.index()) * X_BD_.template cast<T>();
  Motion motion;
  motion.p_WD = X_WD.translation();
  motion.V_WD = dynamics::CalcPointVelocity<T>(
      system.model(), state.pc.nodes, state.vc->nodes,
      system.tree().model_body(body_.index()), motion.p_WD);
  const math::RotationMatrix<T>& R_WD = X_WD.rotation();
  const math::RotationMatrix<T> R_DW = R_WD.inverse();
  const Load load_D =
      CalcLoad(R_DW * Vector3<T>(motion.V_WD.template head<3>()),
               R_DW * Vector3<T>(motion.V_WD.template tail<3>() -
                                 medium_.wind.template cast<T>()));
  motion.load_W = {R_WD * load_D.t, R_WD * load_D.f};
  return motion;
}

template <typename T>
T MediumForce<T>::CalcOtherPower(const ForceState<T>& state) const {
  const Motion motion = CalcMotion(state);
  return motion.load_W.t.dot(motion.V_WD.template head<3>()) +
         motion.load_W.f.dot(motion.V_WD.template tail<3>());
}

template <typename T>
void MediumForce<T>::DoRequireMembers(const MultibodyTree<T>& tree) const {
  tree.RequireMember(body_, "AddForceElement");
}

template <typename T>
void MediumForce<T>::AddForces(const ForceState<T>& state,
                               MultibodyForces<T>* forces) const {
  const Motion motion = CalcMotion(state);
  const auto& [t_W, f_W] = motion.load_W;
  const Vector3<T> p_BoD_W =
      motion.p_WD - this->GetParentTreeSystem()
                        .BodyPose(state.pc, body_.index())
                        .translation();
  forces->AddBodyForce(body_.index(),
                       SpatialForce<T>(t_W + p_BoD_W.cross(f_W), f_W));
}

}  // namespace wyvern::multibody::internal

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::internal::MediumForce);
