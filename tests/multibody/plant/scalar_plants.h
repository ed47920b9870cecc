#pragma once

/** @file
A plant on either scalar, for typed tests. */

#include <memory>
#include <type_traits>

#include <gtest/gtest.h>

#include "tests/multibody/plant/plant_models.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/multibody/tree/weld_joint.h"

namespace wyvern::multibody::test {

using Scalars = ::testing::Types<double, AutoDiffXd>;

/** A copy on scalar T, which may be double. */
template <typename T>
MultibodyPlant<T> CopyOn(const MultibodyPlant<double>& plant) {
  if constexpr (std::is_same_v<T, double>) {
    return MultibodyPlant<double>(MultibodyPlant<AutoDiffXd>(plant));
  } else {
    return MultibodyPlant<T>(plant);
  }
}

/** The cart-pole and the stone, with a flag welded to the pole, a frame "tip"
on that, and a frame "mark" in the world; not finalized. */
struct FlaggedCartPole : CartPole {
  explicit FlaggedCartPole(double time_step = 0) : CartPole(time_step) {
    const math::RigidTransform<double> X(math::RollPitchYaw<double>(1, 2, 3),
                                         Vector3<double>(0.1, 0.2, 0.3));
    flag = &plant.AddRigidBody("flag", instance,
                               MakeInertia(0.2, {0, 0.1, 0}, 0.01));
    weld = &plant.WeldFrames(pole->body_frame(), flag->body_frame(), X);
    plant.AddFrame(std::make_unique<FixedOffsetFrame<double>>("tip", *flag, X));
    plant.AddFrame(std::make_unique<FixedOffsetFrame<double>>(
        "mark", plant.world_frame(), X));
  }
  const RigidBody<double>* flag{};
  const WeldJoint<double>* weld{};
};

/** Copies of it, on scalar T: one that is open to changes, and a finalized one
with a Context. */
template <typename T>
class ScalarPlants : public ::testing::Test {
 public:
  ScalarPlants() : open_(CopyOn<T>(model_.plant)) {
    model_.plant.Finalize();
    plant_.reset(new MultibodyPlant<T>(CopyOn<T>(model_.plant)));
    context_ = plant_->CreateDefaultContext();
  }

  FlaggedCartPole model_;
  MultibodyPlant<T> open_;
  std::unique_ptr<MultibodyPlant<T>> plant_;
  std::unique_ptr<systems::Context<T>> context_;
  const ModelInstanceIndex instance_{model_.instance};
  const ModelInstanceIndex nowhere_{17};
};

}  // namespace wyvern::multibody::test
