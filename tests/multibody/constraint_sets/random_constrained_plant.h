#pragma once

/** @file
Random plants under random constraints, for tests of identities. */

#include <memory>
#include <random>
#include <string>
#include <vector>

#include <Eigen/QR>

#include "wyvern/geometry/math/random_rotation.h"
#include "wyvern/multibody/constraint_sets/constrained_dynamics.h"
#include "wyvern/multibody/dynamics/generalized_coordinates.h"
#include "wyvern/multibody/plant/multibody_plant.h"
#include "wyvern/multibody/tree/ball_rpy_joint.h"
#include "wyvern/multibody/tree/planar_joint.h"
#include "wyvern/multibody/tree/prismatic_joint.h"
#include "wyvern/multibody/tree/quaternion_ball_joint.h"
#include "wyvern/multibody/tree/quaternion_floating_joint.h"
#include "wyvern/multibody/tree/revolute_joint.h"
#include "wyvern/multibody/tree/rpy_floating_joint.h"
#include "wyvern/multibody/tree/screw_joint.h"
#include "wyvern/multibody/tree/universal_joint.h"
#include "wyvern/multibody/tree/weld_joint.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::test {

/** Velocities i and j of the user's own kind: v_i - ratio v_j = 0, twice the
speed of i with a sine of the positions in it, so that gamma is not 0. */
template <typename T>
class Gear final : public Constraint<T> {
 public:
  Gear(int i, int j, std::string name)
      : Constraint<T>(1, std::move(name)), i_(i), j_(j) {}

 private:
  void DoCalcJacobian(const internal::MultibodyTreeSystem<T>& plant,
                      const systems::Context<T>& context,
                      Eigen::Ref<MatrixX<T>> G) const override {
    using std::sin;
    const auto q = plant.PositionsOf(context);
    G.setZero();
    G(0, i_) = 2.0 + sin(q[0]);
    G(0, j_) = -0.7;
  }
  void DoCalcGamma(const internal::MultibodyTreeSystem<T>& plant,
                   const systems::Context<T>& context,
                   Eigen::Ref<VectorX<T>> gamma) const override {
    using std::cos;
    const auto q = plant.PositionsOf(context);
    const auto v = plant.VelocitiesOf(context);
    VectorX<T> qdot(plant.num_q());
    dynamics::MapVelocityToQDot<T>(plant.model(), q, v, qdot);
    gamma[0] = -cos(q[0]) * qdot[0] * v[i_];
  }

  int i_, j_;
};

/** Ten joints of every type on a tree that floats, and constraints. */
class RandomConstrainedPlant {
 public:
  static constexpr int kJoints = 10;

  explicit RandomConstrainedPlant(unsigned seed)
      : seed_(seed), generator_(seed + 1) {
    std::vector<const RigidBody<double>*> bodies;
    for (int i = 0; i < kJoints; ++i) {
      const std::string name = std::to_string(i);
      const auto& body = plant.AddRigidBody(name, AnyInertia());
      if (i == 0) {
        AddJoint(7, name, plant.world_body(), body);
      } else {
        const auto& other = *bodies[Below(i)];
        const bool reversed = Below(2) == 0;
        AddJoint((i + static_cast<int>(seed)) % kJoints, name,
                 reversed ? body : other, reversed ? other : body);
      }
      bodies.push_back(&body);
    }
    plant.Finalize();
    context = plant.CreateDefaultContext();
    plant.SetPositions(context.get(), Numbers(plant.num_positions()));
    plant.SetVelocities(context.get(), Numbers(plant.num_velocities()));
    tau = Numbers(plant.num_velocities());
    forces = std::make_unique<MultibodyForces<double>>(plant);
    forces->mutable_generalized_forces() = Numbers(plant.num_velocities());
    for (auto& F : forces->mutable_body_forces()) {
      F = SpatialForce<double>(Numbers(6));
    }
  }

  int Below(int n) {
    return std::uniform_int_distribution<int>(0, n - 1)(generator_);
  }
  VectorX<double> Numbers(int n) {
    return VectorX<double>::NullaryExpr(n, [this]() {
      return std::uniform_real_distribution<double>(-1, 1)(generator_);
    });
  }
  math::RigidTransform<double> AnyPose() {
    return math::RigidTransform<double>(
        math::UniformlyRandomRotationMatrix<double>(&generator_),
        Vector3<double>(Numbers(3)));
  }

  /** Contacts of two points, a loop of up to five axes, a ball, and, if wanted,
  a custom constraint. The same of any scalar for one `draw`. */
  template <typename T>
  ConstraintSet<T> DrawConstraints(unsigned draw, bool has_custom) const {
    RandomConstrainedPlant random(seed_, 1000 * draw + seed_);
    ConstraintSet<T> set;
    const auto body = [&] { return BodyIndex(1 + random.Below(kJoints)); };
    const BodyIndex foot = body(), hand = body();
    const Vector3<double> heel = random.Numbers(3), palm = random.Numbers(3);
    const int num_normals = 1 + random.Below(3);
    for (int i = 0; i < num_normals; ++i) {
      set.AddContactConstraint(foot, heel, random.Numbers(3), "heel");
    }
    const auto X_AP = random.AnyPose(), X_BS = random.AnyPose();
    const BodyIndex A = body(), B = world_index();
    const int num_axes = 1 + random.Below(4);
    const int kind = static_cast<int>(draw + seed_) % 3;
    for (int i = 0; i < num_axes; ++i) {
      Vector6<double> axis = random.Numbers(6);
      if (kind == 1) axis.tail<3>().setZero();
      if (kind == 2) axis.head<3>().setZero();
      set.AddLoopConstraint(A, B, X_AP, X_BS, axis, true, 0.2, "loop");
      if (kind > 0 && i == 2) break;
    }
    // The first group goes on after the second.
    set.AddContactConstraint(foot, heel, random.Numbers(3));
    const BodyIndex P = body();
    if (P != hand) {
      const auto X_PP = random.AnyPose(), X_SS = random.AnyPose();
      for (int i = 0; i < 3; ++i) {
        set.AddLoopConstraint(P, hand, X_PP, X_SS, Vector6<double>::Unit(3 + i),
                              false, 0.1, "ball");
      }
    }
    set.AddContactConstraint(hand, palm, random.Numbers(3), "palm");
    if (has_custom) {
      const int nv = plant.num_velocities();
      set.AddCustomConstraint(std::make_shared<Gear<T>>(6, nv - 1, "gear"));
    }
    return set;
  }

  /** The first drawn whose rows are far from dependent, of what is not locked;
  bound. */
  ConstraintSet<double> DrawIndependentConstraints(bool has_custom,
                                                   unsigned* drawn = nullptr) {
    for (unsigned draw = 1;; ++draw) {
      ConstraintSet<double> set = DrawConstraints<double>(draw, has_custom);
      set.Bind(plant);
      MatrixX<double> G(set.size(), plant.num_velocities());
      CalcConstraintsJacobian<double>(plant, *context, &set, &G);
      const auto& is_locked = plant.EvalLockedVelocities(*context).is_locked;
      for (int i = 0; i < G.cols(); ++i) G.col(i) *= is_locked[i] ? 0 : 1;
      G.rowwise().normalize();
      if (!G.allFinite()) continue;
      Eigen::ColPivHouseholderQR<MatrixX<double>> qr(G.transpose());
      if (set.size() > plant.num_velocities()) continue;
      const double last =
          std::abs(qr.matrixR()(set.size() - 1, set.size() - 1));
      if (last < 0.05) continue;
      if (drawn != nullptr) *drawn = draw;
      return set;
    }
  }

  MultibodyPlant<double> plant{0};
  std::unique_ptr<systems::Context<double>> context;
  VectorX<double> tau;
  std::unique_ptr<MultibodyForces<double>> forces;

 private:
  // For drawing alone.
  RandomConstrainedPlant(unsigned seed, unsigned generator_seed)
      : seed_(seed), generator_(generator_seed) {}

  SpatialInertia<double> AnyInertia() {
    const double m = 1 + 0.5 * Numbers(1)[0];
    return SpatialInertia<double>::MakeFromCentralInertia(
        m, Vector3<double>(0.5 * Numbers(3)),
        RotationalInertia<double>(0.3 * m, 0.2 * m, 0.25 * m));
  }
  void AddJoint(int type, const std::string& name, const RigidBody<double>& P,
                const RigidBody<double>& C) {
    const auto X_PF = AnyPose(), X_CM = AnyPose();
    const Vector3<double> axis = Numbers(3);
    switch (type) {
      case 1:
        plant.AddJoint<PrismaticJoint>(name, P, X_PF, C, X_CM, axis);
        return;
      case 2:
        plant.AddJoint<ScrewJoint>(name, P, X_PF, C, X_CM, axis, 0.4, 0.0);
        return;
      case 3:
        plant.AddJoint<UniversalJoint>(name, P, X_PF, C, X_CM);
        return;
      case 4:
        plant.AddJoint<PlanarJoint>(name, P, X_PF, C, X_CM,
                                    Vector3<double>::Zero());
        return;
      case 5:
        plant.AddJoint<BallRpyJoint>(name, P, X_PF, C, X_CM);
        return;
      case 6:
        plant.AddJoint<RpyFloatingJoint>(name, P, X_PF, C, X_CM);
        return;
      case 7:
        plant.AddJoint<QuaternionFloatingJoint>(name, P, X_PF, C, X_CM);
        return;
      case 8:
        plant.AddJoint<WeldJoint>(name, P, X_PF, C, X_CM, AnyPose());
        return;
      case 9:
        plant.AddJoint<QuaternionBallJoint>(name, P, X_PF, C, X_CM);
        return;
      default:
        plant.AddJoint<RevoluteJoint>(name, P, X_PF, C, X_CM, axis);
    }
  }

  unsigned seed_;
  RandomGenerator generator_;
};

}  // namespace wyvern::multibody::test
