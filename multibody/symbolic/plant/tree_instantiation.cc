// The tree and its elements, compiled once more for expressions. M, C v and g
// go by the recursion in the bodies' own axes, whose expressions are the
// smaller ones (symbolic_equations.h).

#include "wyvern/multibody/symbolic/plant/symbolic_scalar_private.h"
#include "wyvern/multibody/symbolic/plant/tree_clone_private.h"
#include "wyvern/multibody/symbolic/symbolic_equations.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"

namespace wyvern::multibody {
extern template class Frame<double>;
extern template class Joint<double>;
extern template class RigidBody<double>;
extern template class internal::MultibodyTree<double>;

using symbolic::Expression;

namespace internal {

template <>
void MultibodyTreeSystem<Expression>::CalcMassMatrixEntry(
    const systems::Context<Expression>& context, MatrixX<Expression>* M) const {
  *M = CalcSymbolicMassMatrix(model(), EvalModelParameters(context),
                              PositionsOf(context));
}
template <>
void MultibodyTreeSystem<Expression>::CalcMassMatrix(
    const systems::Context<Expression>& context,
    Eigen::Ref<MatrixX<Expression>> M) const {
  M = EvalMassMatrix(context);
}
template <>
void MultibodyTreeSystem<Expression>::CalcGravityForcesEntry(
    const systems::Context<Expression>& context,
    GeneralizedForcesCache<Expression>* gravity) const {
  const VectorX<Expression> zero = VectorX<Expression>::Zero(num_v());
  gravity->tau = -CalcSymbolicForces(model(), EvalModelParameters(context),
                                     PositionsOf(context), zero, zero,
                                     dynamics::Gravity::kOn);
}
template <>
void MultibodyTreeSystem<Expression>::CalcBiasTermEntry(
    const systems::Context<Expression>& context,
    GeneralizedForcesCache<Expression>* bias) const {
  const VectorX<Expression> zero = VectorX<Expression>::Zero(num_v());
  bias->tau = CalcSymbolicForces(model(), EvalModelParameters(context),
                                 PositionsOf(context), VelocitiesOf(context),
                                 zero, dynamics::Gravity::kOff);
}

}  // namespace internal
}  // namespace wyvern::multibody

#include <wyvern_tree_sources.inc>

// Each joint says what class it is.
#undef WYVERN_INSTANTIATE_CLASSES
#define WYVERN_INSTANTIATE_CLASSES(...)                               \
  template __VA_ARGS__<::wyvern::symbolic::Expression>;               \
  template const bool ::wyvern::multibody::internal::kJointIsOffered< \
      __VA_ARGS__<double>, __VA_ARGS__<::wyvern::symbolic::Expression>>
#include <wyvern_joint_sources.inc>

namespace wyvern::multibody {

template void internal::MultibodyTree<double>::CloneFrom(
    const internal::MultibodyTree<Expression>&);
template math::RigidTransform<Expression>
internal::MultibodyTree<Expression>::CalcPoseInJoint(
    const Joint<Expression>&, const VectorX<Expression>&);
template std::unique_ptr<JointActuator<Expression>> JointActuator<
    double>::MakeCopy(const internal::MultibodyTree<Expression>&) const;
template std::unique_ptr<JointActuator<double>> JointActuator<
    Expression>::MakeCopy(const internal::MultibodyTree<double>&) const;

}  // namespace wyvern::multibody
