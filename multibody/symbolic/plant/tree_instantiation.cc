// The tree and its elements, compiled once more for expressions: the same
// sources. M, C v and g go by the recursion in the bodies' own axes, whose
// expressions are the smaller ones (symbolic_equations.h).

#include "wyvern/multibody/symbolic/plant/symbolic_scalar_private.h"
#include "wyvern/multibody/symbolic/plant/tree_clone_private.h"
#include "wyvern/multibody/symbolic/symbolic_equations.h"

namespace wyvern::multibody {
extern template class Frame<double>;
extern template class Joint<double>;
extern template class RigidBody<double>;
extern template class internal::MultibodyTree<double>;
}  // namespace wyvern::multibody

#include "wyvern/multibody/tree/argument_checks.cc"
#undef WYVERN_INSTANTIATE
#include "wyvern/multibody/tree/basic_force_element.cc"
#include "wyvern/multibody/tree/coordinate_force.cc"
#include "wyvern/multibody/tree/door_hinge.cc"
#include "wyvern/multibody/tree/ellipsoid_drag.cc"
#include "wyvern/multibody/tree/fixed_offset_frame.cc"
#include "wyvern/multibody/tree/fixed_tendon.cc"
#include "wyvern/multibody/tree/fluid_drag.cc"
#include "wyvern/multibody/tree/force_element.cc"
#include "wyvern/multibody/tree/frame.cc"
#include "wyvern/multibody/tree/gravity_compensation.cc"
#include "wyvern/multibody/tree/joint.cc"
#include "wyvern/multibody/tree/joint_actuator.cc"
#include "wyvern/multibody/tree/linear_bushing_roll_pitch_yaw.cc"
#include "wyvern/multibody/tree/linear_coordinate.cc"
#include "wyvern/multibody/tree/linear_spring_damper.cc"
#include "wyvern/multibody/tree/medium_force.cc"
#include "wyvern/multibody/tree/multibody_element.cc"
#include "wyvern/multibody/tree/multibody_forces.cc"
#include "wyvern/multibody/tree/multibody_tree.cc"
#include "wyvern/multibody/tree/multibody_tree_finalize.cc"
#include "wyvern/multibody/tree/multibody_tree_system.cc"
#include "wyvern/multibody/tree/prismatic_spring.cc"
#include "wyvern/multibody/tree/revolute_spring.cc"
#include "wyvern/multibody/tree/rigid_body.cc"
#include "wyvern/multibody/tree/rigid_body_frame.cc"
#include "wyvern/multibody/tree/single_axis_spring.cc"
#include "wyvern/multibody/tree/tendon_force.cc"
#include "wyvern/multibody/tree/uniform_gravity_field_element.cc"

// All joints, from a list that CMake makes; each says what class it is.
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS
#define WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(...)                    \
  template __VA_ARGS__<::wyvern::symbolic::Expression>;               \
  template const bool ::wyvern::multibody::internal::kJointIsOffered< \
      __VA_ARGS__<double>, __VA_ARGS__<::wyvern::symbolic::Expression>>
#include <wyvern_joint_sources.inc>
#undef WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS

namespace wyvern::multibody {

using symbolic::Expression;

namespace internal {

template <>
void MultibodyTreeSystem<Expression>::CalcMassMatrixEntry(
    const Context<Expression>& context, MatrixX<Expression>* M) const {
  *M = CalcSymbolicMassMatrix(model(), EvalModelParameters(context),
                              PositionsOf(context));
}
template <>
void MultibodyTreeSystem<Expression>::CalcMassMatrix(
    const Context<Expression>& context,
    Eigen::Ref<MatrixX<Expression>> M) const {
  M = EvalMassMatrix(context);
}
template <>
void MultibodyTreeSystem<Expression>::CalcGravityForcesEntry(
    const Context<Expression>& context,
    GeneralizedForcesCache<Expression>* gravity) const {
  const VectorX<Expression> zero = VectorX<Expression>::Zero(num_v());
  gravity->tau = -CalcSymbolicForces(model(), EvalModelParameters(context),
                                     PositionsOf(context), zero, zero,
                                     engine::Gravity::kOn);
}
template <>
void MultibodyTreeSystem<Expression>::CalcBiasTermEntry(
    const Context<Expression>& context,
    GeneralizedForcesCache<Expression>* bias) const {
  const VectorX<Expression> zero = VectorX<Expression>::Zero(num_v());
  bias->tau = CalcSymbolicForces(model(), EvalModelParameters(context),
                                 PositionsOf(context), VelocitiesOf(context),
                                 zero, engine::Gravity::kOff);
}

template void MultibodyTree<double>::CloneFrom(
    const MultibodyTree<Expression>&);
template RigidTransform<Expression> MultibodyTree<Expression>::CalcPoseInJoint(
    const Joint<Expression>&, const VectorX<Expression>&);
template class MultibodyTree<Expression>;
template class MultibodyTreeSystem<Expression>;
template class BasicForceElement<Expression>;
template class CoordinateForce<Expression>;
template class LinearCoordinate<Expression>;
template class TendonForce<Expression>;
template class MediumForce<Expression>;
template class SingleAxisSpring<Expression>;

}  // namespace internal

template class DoorHinge<Expression>;
template class FixedOffsetFrame<Expression>;
template class FixedTendon<Expression>;
template class EllipsoidDrag<Expression>;
template class FluidDrag<Expression>;
template class ForceElement<Expression>;
template class Frame<Expression>;
template class GravityCompensation<Expression>;
template class Joint<Expression>;
template class JointActuator<Expression>;
template class LinearBushingRollPitchYaw<Expression>;
template class LinearSpringDamper<Expression>;
template class MultibodyElement<Expression>;
template class MultibodyForces<Expression>;
template class PrismaticSpring<Expression>;
template class RevoluteSpring<Expression>;
template class RigidBody<Expression>;
template class RigidBodyFrame<Expression>;
template class UniformGravityFieldElement<Expression>;
template std::unique_ptr<JointActuator<Expression>> JointActuator<
    double>::MakeCopy(const internal::MultibodyTree<Expression>&) const;
template std::unique_ptr<JointActuator<double>> JointActuator<
    Expression>::MakeCopy(const internal::MultibodyTree<double>&) const;

}  // namespace wyvern::multibody
