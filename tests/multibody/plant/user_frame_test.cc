// Frames of a user's own, and frames and bodies that the model names.

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "tests/support/expect_throws.h"
#include "tests/support/near.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody {
namespace {

using math::RigidTransform;
using wyvern::test::Near;

// A frame at a height over Bo that is a parameter, and a note that is another.
template <typename T>
class Hook final : public Frame<T> {
 public:
  Hook(const std::string& name, const RigidBody<T>& body, double height)
      : Frame<T>(name, body, body.model_instance()), height_(height) {}

  void set_height(systems::Context<T>* context, const T& height) const {
    context->get_mutable_numeric_parameter(parameter_)[0] = height;
  }
  const std::string& note(const systems::Context<T>& context) const {
    return context.get_abstract_parameter(note_)
        .template get_value<std::string>();
  }

 private:
  void DoDeclareFrameParameters(
      internal::MultibodyTreeSystem<T>* tree_system) override {
    parameter_ = this->DeclareNumericParameter(
        tree_system, systems::BasicVector<T>{T(height_)});
    note_ = this->DeclareAbstractParameter(tree_system,
                                           Value<std::string>("a hook"));
  }
  void DoSetDefaultFrameParameters(
      systems::Parameters<T>* parameters) const override {
    parameters->get_mutable_numeric_parameter(parameter_)[0] = height_;
  }
  RigidTransform<T> DoCalcPoseInBodyFrame(
      const systems::Parameters<T>& parameters) const override {
    return RigidTransform<T>(
        Vector3<T>(0, 0, parameters.get_numeric_parameter(parameter_)[0]));
  }
  RigidTransform<T> DoGetFixedPoseInBodyFrame() const override {
    return RigidTransform<T>(Vector3<T>(0, 0, height_));
  }
  std::unique_ptr<Frame<double>> DoCloneToScalar(
      const internal::MultibodyTree<double>& tree_clone) const override {
    return Clone(tree_clone);
  }
  std::unique_ptr<Frame<AutoDiffXd>> DoCloneToScalar(
      const internal::MultibodyTree<AutoDiffXd>& tree_clone) const override {
    return Clone(tree_clone);
  }
  template <typename U>
  std::unique_ptr<Frame<U>> Clone(
      const internal::MultibodyTree<U>& tree_clone) const {
    return std::make_unique<Hook<U>>(
        this->name(), tree_clone.bodies().get(this->body().index()), height_);
  }

  const double height_;
  systems::NumericParameterIndex parameter_;
  systems::AbstractParameterIndex note_;
};

template <typename T>
void ExpectHookMovesWithItsParameter(const MultibodyPlant<T>& plant) {
  const auto& hook = dynamic_cast<const Hook<T>&>(plant.GetFrameByName("hook"));
  const auto context = plant.CreateDefaultContext();
  const auto height = [&]() {
    return ToDouble(hook.CalcPoseInWorld(*context).translation()[2]);
  };
  EXPECT_EQ(height(), 0.5);
  hook.set_height(context.get(), 0.7);
  EXPECT_EQ(height(), 0.7);
  const Vector3<T> up(0, 0, 1);
  EXPECT_EQ(ToDouble(hook.CalcOffsetPoseInBody(context->get_parameters(),
                                               RigidTransform<T>(up))
                         .translation()[2]),
            1.7);
  EXPECT_TRUE(hook.CalcOffsetRotationMatrixInBody(context->get_parameters(),
                                                  math::RotationMatrix<T>())
                  .IsExactlyIdentity());
  EXPECT_TRUE(hook.CalcRotationMatrixInBodyFrame(*context).IsExactlyIdentity());
  EXPECT_EQ(hook.note(*context), "a hook");
  hook.SetDefaultParameters(&context->get_mutable_parameters());
  EXPECT_EQ(height(), 0.5);
}

TEST(UserFrame, MovesWithItsOwnParameters) {
  test::Pendulum pendulum(0);
  pendulum.plant.AddFrame(
      std::make_unique<Hook<double>>("hook", *pendulum.body, 0.5));
  pendulum.plant.Finalize();
  ExpectHookMovesWithItsParameter(pendulum.plant);
  ExpectHookMovesWithItsParameter(MultibodyPlant<AutoDiffXd>(pendulum.plant));
}

TEST(UserFrame, NamesThatAreLeftOutAreMadeOfTheIndex) {
  test::Pendulum pendulum(0);
  MultibodyPlant<double>& plant = pendulum.plant;
  const Isometry3<double> X(Eigen::Translation3d(1, 2, 3));
  const auto& first = plant.AddFrame(
      std::make_unique<FixedOffsetFrame<double>>(*pendulum.body, X));
  const auto& second =
      plant.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
          first, RigidTransform<double>(Eigen::Vector3d(1, 1, 1))));
  EXPECT_EQ(first.name(),
            "frame_" + std::to_string(static_cast<int>(first.index())));
  EXPECT_NE(second.name(), first.name());
  EXPECT_EQ(&plant.GetFrameByName(second.name()), &second);
  plant.Finalize();
  EXPECT_TRUE(Near(second.GetFixedPoseInBodyFrame().translation(),
                   Eigen::Vector3d(2, 3, 4)));
  const MultibodyPlant<AutoDiffXd> copy(plant);
  EXPECT_TRUE(copy.HasFrameNamed(second.name()));
}

TEST(NodeIndices, AreThoseOfArraysInCompiledOrder) {
  test::CartPole model(0);
  EXPECT_THROW(model.pole->get_node_index(), std::logic_error);
  model.plant.Finalize();
  EXPECT_EQ(model.plant.world_body().get_node_index(), 0);
  EXPECT_LT(model.cart->get_node_index(), model.pole->get_node_index());
  EXPECT_EQ(model.cart->mobod_index(), model.cart->get_node_index());
  std::vector<SpatialAcceleration<double>> A(4);
  A[model.pole->get_node_index()].translational() = {1, 2, 3};
  EXPECT_EQ(model.pole->get_from_spatial_acceleration_array(A).translational(),
            Eigen::Vector3d(1, 2, 3));
  A.pop_back();
  EXPECT_THROWS_MESSAGE(model.pole->get_from_spatial_acceleration_array(A),
                        std::logic_error, "must have size 4");
}

}  // namespace
}  // namespace wyvern::multibody
