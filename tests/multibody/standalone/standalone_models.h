#pragma once

/** @file
Trees for tests. */

#include <memory>
#include <random>

#include "wyvern/multibody/standalone/quaternion_floating_mobilizer.h"
#include "wyvern/multibody/standalone/space_xyz_mobilizer.h"
#include "wyvern/multibody/standalone/standalone_revolute_mobilizer.h"
#include "wyvern/multibody/standalone/standalone_tree.h"
#include "wyvern/multibody/tree/fixed_offset_frame.h"
#include "wyvern/systems/common/to_double.h"

namespace wyvern::multibody::test {

inline SpatialInertia<double> MakeInertia(double mass,
                                          const Vector3<double>& p_BoBcm,
                                          double moment) {
  return SpatialInertia<double>::MakeFromCentralInertia(
      mass, p_BoBcm,
      RotationalInertia<double>(moment, 1.2 * moment, 1.4 * moment));
}

/** A gimbal at the world, a hinge on it, a gimbal whose mobilizer points the
other way on that, and a free body: every kind of mobilizer. */
template <typename T>
struct Mixed {
  Mixed() {
    using Eigen::Vector3d;
    arm = &tree.template AddBody<RigidBody>(
        "arm", MakeInertia(2, Vector3d(0.1, 0.2, -0.5), 0.1));
    hand = &tree.template AddBody<RigidBody>(
        "hand", MakeInertia(1, Vector3d(0.3, 0, 0.1), 0.05));
    tip = &tree.template AddBody<RigidBody>(
        "tip", MakeInertia(0.5, Vector3d(0, 0.2, 0.1), 0.02));
    stone = &tree.template AddBody<RigidBody>(
        MakeInertia(3, Vector3d(0.1, 0.1, 0.1), 0.4));
    const Isometry3<double> X(Eigen::Translation3d(0, 0.1, -1) *
                              Eigen::AngleAxisd(0.3, Vector3d::UnitX()));
    elbow = &tree.template AddFrame<FixedOffsetFrame>(*arm, X);
    shoulder = &tree.template AddMobilizer<SpaceXYZMobilizer>(
        tree.get_world_frame(), arm->body_frame());
    hinge = &tree.template AddMobilizer<RevoluteMobilizer>(
        *elbow, hand->body_frame(), Vector3d(1, 2, -2));
    wrist = &tree.template AddMobilizer<SpaceXYZMobilizer>(
        tip->body_frame(),
        tree.template AddFrame<FixedOffsetFrame>(hand->body_frame(), X));
  }
  /** Finalizes, and makes a Context at a random state. */
  std::unique_ptr<systems::LeafContext<T>> RandomContext(unsigned seed) {
    if (!tree.topology_is_valid()) tree.Finalize();
    auto context = tree.CreateDefaultContext();
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    auto& x = context->get_mutable_continuous_state_vector();
    for (int i = 0; i < x.size(); ++i) x.SetAtIndex(i, T(number(engine)));
    return context;
  }

  BodyNodeIndex Node(const Body<T>& body) const {
    return tree.get_topology().bodies[body.index()].body_node;
  }

  MultibodyTree<T> tree;
  const Body<T>* arm{};
  const Body<T>* hand{};
  const Body<T>* tip{};
  const Body<T>* stone{};
  const Frame<T>* elbow{};
  const SpaceXYZMobilizer<T>* shoulder{};
  const RevoluteMobilizer<T>* hinge{};
  const SpaceXYZMobilizer<T>* wrist{};
};

/** The caches of a Context's state. */
template <typename T>
struct Caches {
  Caches(const MultibodyTree<T>& tree, const systems::Context<T>& context)
      : pc(tree.get_topology()), vc(tree.get_topology()) {
    tree.CalcPositionKinematicsCache(context, &pc);
    tree.CalcVelocityKinematicsCache(context, pc, &vc);
  }
  PositionKinematicsCache<T> pc;
  VelocityKinematicsCache<T> vc;
};

template <typename Derived>
Eigen::MatrixXd Value(const Eigen::MatrixBase<Derived>& m) {
  return ToDouble(m.eval());
}

}  // namespace wyvern::multibody::test
