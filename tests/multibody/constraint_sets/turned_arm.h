#pragma once

/** @file
Arms with rows that nearly repeat one another, or that no velocity feels, for
laws that hold in every frame and in all units. */

#include <array>
#include <memory>
#include <random>
#include <string>

#include "wyvern/geometry/math/random_rotation.h"
#include "wyvern/multibody/constraint_sets/constraint_set.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"

namespace wyvern::multibody::test {

/** Units of length and mass: 1e3 for millimetres and grams. */
struct Units {
  double length{1};
  double mass{1};
};

inline constexpr std::array<Units, 4> kAllUnits{
    {{1, 1}, {1e3, 1e3}, {1e-3, 1e-3}, {1e3, 1e-3}}};

/** A chain of seven joints, the third and the sixth prismatic, on a base that
is rotated and shifted in the world, under gravity and in motion. */
class TurnedArm {
 public:
  static constexpr int kJoints = 7;

  explicit TurnedArm(unsigned seed, const Units& units = {})
      : generator_(seed + 1), units_(units) {
    plant.mutable_gravity_field().set_gravity_vector(
        Vector3<double>(0, 0, -9.81 * units.length));
    const RigidBody<double>* parent = &plant.world_body();
    for (int i = 0; i < kJoints; ++i) {
      const std::string name = "link" + std::to_string(i);
      const auto& link = plant.AddRigidBody(name, AnyInertia());
      const math::RigidTransform<double> X_PF(
          math::UniformlyRandomRotationMatrix<double>(&generator_),
          Vector3<double>((i == 0 ? 3 : 0.5) * units.length * Numbers(3)));
      const Vector3<double> axis = Numbers(3);
      if (i % 3 == 2) {
        plant.AddJoint<PrismaticJoint>(name, *parent, X_PF, link, {}, axis);
      } else {
        plant.AddJoint<RevoluteJoint>(name, *parent, X_PF, link, {}, axis);
      }
      parent = &link;
    }
    tip = parent;
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetPositions(context.get(), InUnits(Numbers(kJoints)));
    plant.SetVelocities(context.get(), InUnits(Numbers(kJoints)));
    p_tip = 0.4 * units.length * Numbers(3);
  }

  VectorX<double> Numbers(int n) {
    return VectorX<double>::NullaryExpr(n, [this]() {
      return std::uniform_real_distribution<double>(-1, 1)(generator_);
    });
  }
  /** Converts velocities, of angles and metres, to the units. */
  VectorX<double> InUnits(VectorX<double> v) const {
    for (int i = 2; i < kJoints; i += 3) v[i] *= units_.length;
    return v;
  }
  /** Converts forces, of newton metres and newtons, to the units. */
  VectorX<double> ForcesInUnits(VectorX<double> tau) const {
    const double newton = units_.mass * units_.length;
    for (int i = 0; i < kJoints; ++i) {
      tau[i] *= i % 3 == 2 ? newton : newton * units_.length;
    }
    return tau;
  }

  /** Constrains the tip along a, b, a turned by `angle` towards c, and a + 2b.
  The rows are contacts, or a stabilized loop that is slightly open. */
  ConstraintSet<double> MakeRows(double angle, bool is_loop) {
    const Matrix3<double> R =
        math::UniformlyRandomRotationMatrix<double>(&generator_).matrix();
    const Vector3<double> a = R.col(0), b = R.col(1), c = R.col(2);
    ConstraintSet<double> set;
    const math::RigidTransform<double> X_WP(
        plant.EvalBodyPoseInWorld(*context, *tip) * p_tip +
        1e-3 * units_.length * Numbers(3));
    for (const Vector3<double>& n :
         {a, b, Vector3<double>(a + angle * c), Vector3<double>(a + 2 * b)}) {
      if (is_loop) {
        Vector6<double> axis = Vector6<double>::Zero();
        axis.tail<3>() = n;
        set.AddLoopConstraint(plant.world_body(), *tip, X_WP,
                              math::RigidTransform<double>(p_tip), axis, true,
                              0.1, "loop");
      } else {
        set.AddContactConstraint(*tip, p_tip, n, "tip");
      }
    }
    return set;
  }
  /** Adds a contact that no velocity feels, at a point on the first joint's
  axis, which passes through the origin of the first link. */
  void AddUnfeltRow(ConstraintSet<double>* set) {
    const auto& joint = dynamic_cast<const RevoluteJoint<double>&>(
        plant.get_joint(JointIndex(0)));
    set->AddContactConstraint(
        joint.child_body(),
        0.7 * units_.length * joint.revolute_axis().normalized(), Numbers(3),
        "unfelt");
  }

  MultibodyPlant<double> plant{0.0};
  std::unique_ptr<systems::Context<double>> context;
  const RigidBody<double>* tip{};
  Vector3<double> p_tip;

 private:
  SpatialInertia<double> AnyInertia() {
    const double m = units_.mass * (1 + 0.5 * Numbers(1)[0]);
    const double I = m * units_.length * units_.length;
    return SpatialInertia<double>::MakeFromCentralInertia(
        m, Vector3<double>(0.3 * units_.length * Numbers(3)),
        RotationalInertia<double>(0.3 * I, 0.2 * I, 0.25 * I));
  }

  RandomGenerator generator_;
  Units units_;
};

}  // namespace wyvern::multibody::test
