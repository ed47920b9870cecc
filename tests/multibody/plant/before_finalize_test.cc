// Functions that need a finalized plant are refused by name before Finalize().

#include "tests/multibody/plant/scalar_plants.h"
#include "tests/support/expect_throws.h"

namespace wyvern::multibody {
namespace before_finalize_test {

template <typename T>
class BeforeFinalize : public test::ScalarPlants<T> {};
TYPED_TEST_SUITE(BeforeFinalize, test::Scalars);

// The message names the function that was called.
#define EXPECT_IS_TOO_EARLY(method, ...)                                   \
  EXPECT_THROWS_MESSAGE(this->open_.method(__VA_ARGS__), std::logic_error, \
                        "MultibodyPlant::" #method                         \
                        "(): the model is not finalized")

TYPED_TEST(BeforeFinalize, SizesAreNotKnown) {
  const ModelInstanceIndex i = this->instance_;
  EXPECT_IS_TOO_EARLY(num_positions);
  EXPECT_IS_TOO_EARLY(num_positions, i);
  EXPECT_IS_TOO_EARLY(num_velocities);
  EXPECT_IS_TOO_EARLY(num_velocities, i);
  EXPECT_THROW(this->open_.num_multibody_states(), std::logic_error);
  EXPECT_IS_TOO_EARLY(num_multibody_states, i);
  EXPECT_IS_TOO_EARLY(num_actuated_dofs);
  EXPECT_IS_TOO_EARLY(num_actuated_dofs, i);
  EXPECT_IS_TOO_EARLY(num_actuators, i);
  EXPECT_EQ(this->open_.num_actuators(), 2);
}

TYPED_TEST(BeforeFinalize, NamesOfCoordinatesAreNotKnown) {
  const ModelInstanceIndex i = this->instance_;
  EXPECT_IS_TOO_EARLY(GetPositionNames);
  EXPECT_IS_TOO_EARLY(GetPositionNames, i);
  EXPECT_IS_TOO_EARLY(GetVelocityNames);
  EXPECT_IS_TOO_EARLY(GetVelocityNames, i);
  EXPECT_IS_TOO_EARLY(GetStateNames);
  EXPECT_IS_TOO_EARLY(GetStateNames, i);
  EXPECT_IS_TOO_EARLY(GetActuatorNames);
  EXPECT_IS_TOO_EARLY(GetActuatorNames, i);
}

TYPED_TEST(BeforeFinalize, LimitsAreNotLaidOut) {
  EXPECT_IS_TOO_EARLY(GetPositionLowerLimits);
  EXPECT_IS_TOO_EARLY(GetPositionUpperLimits);
  EXPECT_IS_TOO_EARLY(GetVelocityLowerLimits);
  EXPECT_IS_TOO_EARLY(GetVelocityUpperLimits);
  EXPECT_IS_TOO_EARLY(GetAccelerationLowerLimits);
  EXPECT_IS_TOO_EARLY(GetAccelerationUpperLimits);
  EXPECT_IS_TOO_EARLY(GetEffortLowerLimits);
  EXPECT_IS_TOO_EARLY(GetEffortUpperLimits);
}

TYPED_TEST(BeforeFinalize, MatricesAndMapsOfCoordinatesAreNotKnown) {
  EXPECT_IS_TOO_EARLY(MakeActuationMatrix);
  EXPECT_IS_TOO_EARLY(MakeActuationMatrixPseudoinverse);
  EXPECT_IS_TOO_EARLY(MakeActuatorSelectorMatrix,
                      std::vector<JointActuatorIndex>{});
  EXPECT_IS_TOO_EARLY(MakeStateSelectorMatrix, {});
  EXPECT_IS_TOO_EARLY(IsVelocityEqualToQDot);
}

TYPED_TEST(BeforeFinalize, TopologyIsNotKnown) {
  const auto& stone = this->open_.GetBodyByName("stone");
  const ModelInstanceIndex i = this->instance_;
  EXPECT_IS_TOO_EARLY(GetJointActuatorIndices, i);
  EXPECT_IS_TOO_EARLY(GetActuatedJointIndices, i);
  EXPECT_IS_TOO_EARLY(IsAnchored, stone);
  EXPECT_IS_TOO_EARLY(GetFloatingBaseBodies);
  EXPECT_IS_TOO_EARLY(HasUniqueFreeBaseBody, i);
  EXPECT_IS_TOO_EARLY(GetUniqueFreeBaseBodyOrThrow, i);
  EXPECT_THROW(stone.is_floating(), std::logic_error);
  EXPECT_THROW(stone.has_quaternion_dofs(), std::logic_error);
  EXPECT_THROW(stone.floating_positions_start(), std::logic_error);
  EXPECT_THROW(stone.floating_velocities_start_in_v(), std::logic_error);
  EXPECT_THROW(stone.floating_position_suffix(0), std::logic_error);
}

TYPED_TEST(BeforeFinalize, PortsAreNotThere) {
  EXPECT_IS_TOO_EARLY(get_actuation_input_port);
  EXPECT_IS_TOO_EARLY(get_applied_generalized_force_input_port);
  EXPECT_IS_TOO_EARLY(get_applied_spatial_force_input_port);
  EXPECT_IS_TOO_EARLY(get_state_output_port);
  EXPECT_IS_TOO_EARLY(get_body_poses_output_port);
  EXPECT_IS_TOO_EARLY(get_body_spatial_velocities_output_port);
  EXPECT_IS_TOO_EARLY(get_body_spatial_accelerations_output_port);
  EXPECT_IS_TOO_EARLY(get_generalized_acceleration_output_port);
  EXPECT_IS_TOO_EARLY(get_net_actuation_output_port);
  EXPECT_IS_TOO_EARLY(get_reaction_forces_output_port);
  EXPECT_IS_TOO_EARLY(get_contact_results_output_port);
}

TYPED_TEST(BeforeFinalize, PortsOfModelInstancesAreNotThere) {
  const ModelInstanceIndex i = this->instance_;
  EXPECT_IS_TOO_EARLY(get_actuation_input_port, i);
  EXPECT_IS_TOO_EARLY(get_desired_state_input_port, i);
  EXPECT_IS_TOO_EARLY(get_state_output_port, i);
  EXPECT_IS_TOO_EARLY(get_generalized_acceleration_output_port, i);
  EXPECT_IS_TOO_EARLY(get_net_actuation_output_port, i);
  EXPECT_IS_TOO_EARLY(get_generalized_contact_forces_output_port, i);
}

TYPED_TEST(BeforeFinalize, DefaultsAreNotLaidOut) {
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(2);
  const ModelInstanceIndex i = this->instance_;
  EXPECT_IS_TOO_EARLY(GetDefaultPositions);
  EXPECT_IS_TOO_EARLY(GetDefaultPositions, i);
  EXPECT_IS_TOO_EARLY(SetDefaultPositions, q);
  EXPECT_IS_TOO_EARLY(SetDefaultPositions, i, q);
  const auto state = this->context_->CloneState();
  EXPECT_THROW(this->open_.SetDefaultState(*this->context_, state.get()),
               std::logic_error);
}

TYPED_TEST(BeforeFinalize, DistributionsOfFreeBodiesAreRefused) {
  const auto& stone = this->open_.GetBodyByName("stone");
  using symbolic::Expression;
  const Vector3<Expression> p(0, 0, 0);
  EXPECT_IS_TOO_EARLY(SetFreeBodyRandomTranslationDistribution, stone, p);
  EXPECT_IS_TOO_EARLY(SetFreeBodyRandomRotationDistribution, stone,
                      Eigen::Quaternion<Expression>(1, 0, 0, 0));
  EXPECT_IS_TOO_EARLY(SetFreeBodyRandomRotationDistributionToUniform, stone);
  EXPECT_IS_TOO_EARLY(SetFreeBodyRandomAnglesDistribution, stone,
                      math::RollPitchYaw<Expression>(p));
}

TYPED_TEST(BeforeFinalize, FreeBodiesHaveNoPose) {
  using T = TypeParam;
  const auto& plant = this->open_;
  const auto& stone = plant.GetBodyByName("stone");
  const math::RigidTransform<T> X;
  const SpatialVelocity<T> V = SpatialVelocity<T>::Zero();
  systems::Context<T>* context = this->context_.get();
  const auto state = context->CloneState();
  EXPECT_IS_TOO_EARLY(GetFreeBodyPose, *context, stone);
  EXPECT_IS_TOO_EARLY(SetFreeBodyPose, context, stone, X);
  EXPECT_IS_TOO_EARLY(SetFreeBodyPose, *context, state.get(), stone, X);
  EXPECT_IS_TOO_EARLY(SetFreeBodySpatialVelocity, context, stone, V);
  EXPECT_IS_TOO_EARLY(SetFreeBodySpatialVelocity, *context, state.get(), stone,
                      V);
  EXPECT_IS_TOO_EARLY(SetFreeBodyPoseInWorldFrame, context, stone, X);
  EXPECT_IS_TOO_EARLY(SetFreeBodyPoseInAnchoredFrame, context,
                      plant.world_frame(), stone, X);
}

TYPED_TEST(BeforeFinalize, NothingIsComputedInAContext) {
  using T = TypeParam;
  const auto& plant = this->open_;
  const systems::Context<T>& context = *this->context_;
  const RigidBody<T>& stone = plant.GetBodyByName("stone");
  MatrixX<T> M(8, 8);
  EXPECT_THROW(plant.EvalBodyPoseInWorld(context, stone), std::logic_error);
  EXPECT_THROW(plant.EvalBodySpatialVelocityInWorld(context, stone),
               std::logic_error);
  EXPECT_THROW(plant.EvalBodySpatialAccelerationInWorld(context, stone),
               std::logic_error);
  EXPECT_THROW(plant.CalcMassMatrix(context, &M), std::logic_error);
  EXPECT_THROW(plant.CalcTotalMass(context), std::logic_error);
  EXPECT_THROW(plant.GetPositions(context), std::logic_error);
  EXPECT_THROW(plant.GetConstraintActiveStatus(
                   context, MultibodyConstraintId::get_new_id()),
               std::logic_error);
  EXPECT_THROW(
      plant.SetConstraintActiveStatus(
          this->context_.get(), MultibodyConstraintId::get_new_id(), true),
      std::logic_error);
}

}  // namespace before_finalize_test

#undef EXPECT_IS_TOO_EARLY

}  // namespace wyvern::multibody
