#pragma once

/** @file
The tree without a plant, on symbolic::Expression: what a program includes that
uses one. */

#include <memory>

#include "wyvern/multibody/standalone/quaternion_floating_mobilizer.h"
#include "wyvern/multibody/standalone/space_xyz_mobilizer.h"
#include "wyvern/multibody/standalone/standalone_revolute_mobilizer.h"
#include "wyvern/multibody/standalone/standalone_tree.h"
#include "wyvern/multibody/symbolic/plant/symbolic_plant.h"

namespace wyvern::multibody {

/** A tree with expressions for numbers: angles, velocities and forces may have
variables in them, and so may the masses and poses of its Context.
@code
MultibodyTree<double> tree;
const auto& arm = tree.AddBody<RigidBody>("arm", M_AAo_A);
const auto& shoulder = tree.AddMobilizer<SpaceXYZMobilizer>(
    tree.get_world_frame(), arm.body_frame());
tree.Finalize();
const auto formulas = ToSymbolic(tree);
const auto at = formulas->CreateDefaultContext();
const Vector3<Expression> angles(Variable("a"), Variable("b"), Variable("c"));
formulas->get_variant(shoulder).set_angles(at.get(), angles);
MatrixX<Expression> M(3, 3);
formulas->CalcMassMatrixViaInverseDynamics(*at, &M);
@endcode
A tree may also be built of expressions from the start, as one of numbers is.
CloneToScalar<double>() is the way back. */
std::unique_ptr<MultibodyTree<symbolic::Expression>> ToSymbolic(
    const MultibodyTree<double>& tree);

// Elements hold numbers, variables are in the Context alone: copies go by
// double.
template <>
template <>
std::unique_ptr<MultibodyTree<symbolic::Expression>> MultibodyTree<
    symbolic::Expression>::CloneToScalar<symbolic::Expression>() const;
template <>
template <>
std::unique_ptr<MultibodyTree<AutoDiffXd>>
MultibodyTree<symbolic::Expression>::CloneToScalar<AutoDiffXd>() const;

extern template class MultibodyTree<symbolic::Expression>;
extern template class SpaceXYZMobilizer<symbolic::Expression>;
extern template class RevoluteMobilizer<symbolic::Expression>;
extern template class QuaternionFloatingMobilizer<symbolic::Expression>;

}  // namespace wyvern::multibody
