#pragma once

#include <vector>

#include "wyvern/multibody/dynamics/inertias_in_world.h"
#include "wyvern/multibody/dynamics/inverse_dynamics.h"

namespace wyvern::multibody::dynamics {

/** M(q), with reflected inertia, both triangles, by composite inertias.
Entries that couple different branches are set to 0.
@param composites From CalcCompositeInertias(). */
template <typename T>
void CalcMassMatrix(const Model& model, const ModelParameters<T>& parameters,
                    const PositionKinematics<T>& positions,
                    const std::vector<RigidInertia<T>>& composites,
                    Eigen::Ref<MatrixX<T>> M);

/** The block of M(q) of one tree, as large as its velocities are many: blocks
between trees are 0. */
template <typename T>
void CalcTreeMassMatrix(const Model& model,
                        const ModelParameters<T>& parameters,
                        const PositionKinematics<T>& positions,
                        const std::vector<RigidInertia<T>>& composites,
                        int tree, Eigen::Ref<MatrixX<T>> M);

/** M(q) column by column, each the tau of a unit v̇ at v = 0: slower, and a
check. `vdot` is written on: num_v entries. */
template <typename T>
void CalcMassMatrixViaInverseDynamics(const Motion<T>& at_rest,
                                      InverseDynamicsScratch<T>* scratch,
                                      VectorX<T>* vdot,
                                      Eigen::Ref<MatrixX<T>> M);

}  // namespace wyvern::multibody::dynamics
