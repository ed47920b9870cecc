#pragma once

/** @file
Plants to control, and what closes the loop around them. */

#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/multibody/plant/plant_models.h"
#include "wyvern/multibody/tree/linear_spring_damper.h"
#include "wyvern/multibody/tree/revolute_spring.h"
#include "wyvern/systems/framework/diagram_builder.h"

namespace wyvern::multibody::test {

/** `n` numbers between -1 and 1. */
inline VectorX<double> RandomNumbers(int n, std::mt19937* generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  VectorX<double> result(n);
  for (int i = 0; i < n; ++i) result[i] = uniform(*generator);
  return result;
}

/** The derivative by the only variable, on which x may not depend. */
inline double SlopeOf(const AutoDiffXd& x) {
  return x.derivatives().size() == 0 ? 0.0 : x.derivatives()[0];
}

/** A random tree of hinges and sliders about any axes, each with a motor, the
last with the first. */
struct RandomTree {
  static constexpr int kJoints = 6;

  explicit RandomTree(unsigned seed, double time_step = 0,
                      bool has_springs = false)
      : generator(seed + 1),
        plant(std::make_unique<MultibodyPlant<double>>(time_step)) {
    std::vector<const RigidBody<double>*> bodies{&plant->world_body()};
    std::vector<const Joint<double>*> joints;
    for (int i = 0; i < kJoints; ++i) {
      const std::string name = std::to_string(i);
      const auto& body = plant->AddRigidBody(
          name, MakeInertia(1 + 0.2 * i, 0.5 * Numbers(3), 0.1 + 0.02 * i));
      const auto& parent = *bodies[generator() % bodies.size()];
      const math::RigidTransform<double> X_PF(
          math::RollPitchYaw<double>(Vector3<double>(Numbers(3))),
          Vector3<double>(Numbers(3)));
      const double damping = has_springs ? 0.3 + 0.1 * i : 0;
      const Vector3<double> axis = Numbers(3).normalized();
      if (i % 3 == 1) {
        joints.push_back(&plant->AddJoint<PrismaticJoint>(
            name, parent, X_PF, body, {}, axis,
            -std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::infinity(), damping));
      } else {
        joints.push_back(&plant->AddJoint<RevoluteJoint>(
            name, parent, X_PF, body, {}, axis, damping));
      }
      bodies.push_back(&body);
    }
    for (int i = kJoints - 1; i >= 0; --i) {
      plant->AddJointActuator("motor" + std::to_string(i), *joints[i]);
    }
    if (has_springs) {
      plant->AddForceElement<LinearSpringDamper>(
          *bodies[2], Vector3<double>(1, 0, 0), *bodies[5],
          Vector3<double>(0, 2, 0), 0.5, 10.0, 1.0);
      plant->AddForceElement<RevoluteSpring>(
          dynamic_cast<const RevoluteJoint<double>&>(*joints[0]), 0.3, 4.0);
    }
    plant->Finalize();
  }
  VectorX<double> Numbers(int n) { return RandomNumbers(n, &generator); }

  std::mt19937 generator;
  std::unique_ptr<MultibodyPlant<double>> plant;
};

}  // namespace wyvern::multibody::test
