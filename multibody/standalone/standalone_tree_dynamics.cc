#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/mass_matrix.h"
#include "wyvern/multibody/dynamics/node_forces.h"
#include "wyvern/multibody/dynamics/reaction_forces.h"
#include "wyvern/multibody/standalone/body_node.h"
#include "wyvern/multibody/standalone/standalone_system.h"
#include "wyvern/multibody/standalone/standalone_tree.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/systems/common/default_scalars.h"

/* Dynamics of a MultibodyTree: arguments are checked here, and
multibody/dynamics computes the results. */

namespace wyvern::multibody {

using internal::Deref;
using systems::Context;

namespace {

template <typename T>
Isometry3<T> ToIsometry(const dynamics::Pose<T>& X) {
  Isometry3<T> result;
  result.linear() = X.R;
  result.translation() = X.p;
  result.makeAffine();
  return result;
}

template <class Output>
Output& RequireResult(Output* output, int wanted, const char* function,
                      const char* what) {
  Deref(output, function);
  internal::RequireSize(function, what, output->size(), wanted);
  return *output;
}

}  // namespace

template <typename T>
void MultibodyTree<T>::RequireComputed(const PositionKinematicsCache<T>& pc,
                                       const char* function) const {
  if (pc.is_computed_ && pc.num_bodies_ == get_num_bodies() &&
      pc.num_velocities_ == get_num_velocities()) {
    return;
  }
  throw std::logic_error(fmt::format(
      "{}(): the position kinematics cache given is not computed, or is "
      "another tree's; call CalcPositionKinematicsCache() first.",
      function));
}

template <typename T>
void MultibodyTree<T>::RequireComputed(const VelocityKinematicsCache<T>& vc,
                                       const char* function) const {
  if (vc.is_computed_ && vc.V_WB_.size() == nodes_.size()) return;
  throw std::logic_error(fmt::format(
      "{}(): the velocity kinematics cache given is not computed, or is "
      "another tree's; call CalcVelocityKinematicsCache() first.",
      function));
}

template <typename T>
void MultibodyTree<T>::CalcPositionKinematicsCache(
    const Context<T>& context, PositionKinematicsCache<T>* pc) const {
  constexpr char kFunction[] = "MultibodyTree::CalcPositionKinematicsCache";
  Deref(pc, kFunction);
  const MultibodyTreeContext<T>& tree_context = CastContext(context);
  internal::RequireSize(kFunction, "the cache", pc->num_bodies_,
                        get_num_bodies());
  internal::RequireSize(kFunction, "the cache's list of frames",
                        pc->X_BF_.size(), get_num_frames());
  internal::RequireFinite(kFunction, "the positions",
                          tree_context.get_positions());
  const dynamics::Model& model = system_->model();
  if (!pc->is_computed_) {
    pc->nodes_ = dynamics::PositionKinematics<T>(model);
    pc->model_X_WB_.resize(model.num_bodies());
    pc->inertias_.resize(model.num_nodes());
  }
  const auto& parameters = system_->EvalModelParameters(context);
  dynamics::CalcPositionKinematics<T>(
      model, parameters, tree_context.get_positions(), &pc->nodes_);
  dynamics::CalcBodyPoses<T>(model, parameters, pc->nodes_, &pc->model_X_WB_);
  dynamics::CalcInertiasInWorld<T>(model, parameters, pc->nodes_,
                                   &pc->inertias_);
  const std::vector<math::RigidTransform<T>>& X_BF =
      system_->EvalFramePoses(context);
  for (int frame = 0; frame < get_num_frames(); ++frame) {
    pc->X_BF_[frame] = X_BF[frame].GetAsIsometry3();
  }
  CopyBodyQuantities(tree_context, pc);
  CopyMobilizerQuantities(tree_context, pc);
  pc->is_computed_ = true;
}

template <typename T>
void MultibodyTree<T>::CopyBodyQuantities(
    const MultibodyTreeContext<T>& context,
    PositionKinematicsCache<T>* pc) const {
  const dynamics::Model& model = system_->model();
  const std::vector<dynamics::Pose<T>>& X_WB = pc->model_X_WB_;
  for (int b = 1; b < model.num_bodies(); ++b) {
    const Body<T>& body = nodes_[b]->body();
    pc->X_WB_[b] = ToIsometry(X_WB[b]);
    pc->X_PB_[b] = ToIsometry(X_WB[model.bodies[b].parent].Inverse() * X_WB[b]);
    pc->M_Bo_W_[b] = body.CalcSpatialInertiaInBodyFrame(context).ReExpress(
        math::RotationMatrix<T>::MakeUnchecked(X_WB[b].R));
    pc->com_W_[b] = X_WB[b] * body.CalcCenterOfMassInBodyFrame(context);
  }
}

// The engine's screws H are of the tree's point O: V_Bo = V_O + w x p_OBo.
template <typename T>
void MultibodyTree<T>::CopyMobilizerQuantities(
    const MultibodyTreeContext<T>& context,
    PositionKinematicsCache<T>* pc) const {
  const dynamics::Model& model = system_->model();
  const dynamics::PositionKinematics<T>& nodes = pc->nodes_;
  Vector6<T> unit = Vector6<T>::Zero();
  for (int b = 1; b < model.num_bodies(); ++b) {
    const dynamics::Model::Body& body = model.bodies[b];
    const Mobilizer<T>& mobilizer = *nodes_[b]->mobilizer();
    pc->X_FM_[b] = mobilizer.CalcAcrossMobilizerTransform(context);
    const Vector3<T> p_OBo = pc->model_X_WB_[b].p - nodes.p_WO[body.tree];
    for (int i = 0; i < body.nv; ++i) {
      unit[i] = 1;
      pc->H_FM_[b].col(i) =
          mobilizer
              .CalcAcrossMobilizerSpatialVelocity(context, unit.head(body.nv))
              .get_coeffs();
      unit[i] = 0;
      const auto screw = nodes.H.col(body.v_start + i);
      const Vector3<T> w = screw.template head<3>();
      pc->H_PB_W_[b].col(i) = screw;
      pc->H_PB_W_[b].col(i).template tail<3>() += w.cross(p_OBo);
    }
  }
}

template <typename T>
void MultibodyTree<T>::CalcVelocityKinematicsCache(
    const Context<T>& context, const PositionKinematicsCache<T>& pc,
    VelocityKinematicsCache<T>* vc) const {
  constexpr char kFunction[] = "MultibodyTree::CalcVelocityKinematicsCache";
  Deref(vc, kFunction);
  const MultibodyTreeContext<T>& tree_context = CastContext(context);
  RequireComputed(pc, kFunction);
  internal::RequireSize(kFunction, "the cache", vc->V_WB_.size(),
                        get_num_bodies());
  const auto v = tree_context.get_velocities();
  internal::RequireFinite(kFunction, "v", v);
  const dynamics::Model& model = system_->model();
  if (!vc->is_computed_) {
    vc->engine_ = {dynamics::VelocityKinematics<T>(model)};
  }
  dynamics::CalcVelocityKinematics<T>(model,
                                      system_->EvalModelParameters(context),
                                      pc.nodes_, v, &vc->engine_.nodes);
  for (int b = 1; b < model.num_bodies(); ++b) {
    const auto v_b = v.segment(model.bodies[b].v_start, model.bodies[b].nv);
    vc->V_WB_[b] = SpatialVelocity<T>(dynamics::CalcPointVelocity<T>(
        model, pc.nodes_, vc->engine_.nodes, b, pc.model_X_WB_[b].p));
    vc->V_PB_W_[b] = SpatialVelocity<T>(Vector6<T>(pc.H_PB_W_[b] * v_b));
    vc->V_FM_[b] = SpatialVelocity<T>(Vector6<T>(pc.H_FM_[b] * v_b));
  }
  vc->is_computed_ = true;
}

template <typename T>
void MultibodyTree<T>::CalcAccelerationKinematicsCache(
    const Context<T>& context, const PositionKinematicsCache<T>& pc,
    const VelocityKinematicsCache<T>& vc, const VectorX<T>& known_vdot,
    AccelerationKinematicsCache<T>* ac) const {
  CalcSpatialAccelerationsFromVdot(
      context, pc, vc, known_vdot,
      &Deref(ac, "MultibodyTree::CalcAccelerationKinematicsCache").A_WB_);
}

template <typename T>
void MultibodyTree<T>::CalcSpatialAccelerationsFromVdot(
    const Context<T>& context, const PositionKinematicsCache<T>& pc,
    const VelocityKinematicsCache<T>& vc, const VectorX<T>& known_vdot,
    std::vector<SpatialAcceleration<T>>* A_WB_array) const {
  constexpr char kFunction[] =
      "MultibodyTree::CalcSpatialAccelerationsFromVdot";
  CastContext(context);
  RequireComputed(pc, kFunction);
  RequireComputed(vc, kFunction);
  internal::RequireSize(kFunction, "known_vdot", known_vdot.size(),
                        get_num_velocities());
  internal::RequireFinite(kFunction, "known_vdot", known_vdot);
  auto& A_WB =
      RequireResult(A_WB_array, get_num_bodies(), kFunction, "A_WB_array");
  const dynamics::Model& model = system_->model();
  auto& scratch = system_->scratch(context);
  dynamics::CalcAccelerationKinematics<T>(model, pc.nodes_, vc.engine_.nodes,
                                          known_vdot, &scratch.A);
  dynamics::CalcBodyAccelerations<T>(model, pc.model_X_WB_, pc.nodes_,
                                     vc.engine_.nodes, scratch.A,
                                     &scratch.body_vectors);
  A_WB[0] = SpatialAcceleration<T>::Zero();
  for (int b = 1; b < model.num_bodies(); ++b) {
    A_WB[b] = SpatialAcceleration<T>(scratch.body_vectors[b]);
  }
}

template <typename T>
void MultibodyTree<T>::CalcInverseDynamics(
    const Context<T>& context, const PositionKinematicsCache<T>& pc,
    const VelocityKinematicsCache<T>& vc, const VectorX<T>& known_vdot,
    const std::vector<SpatialForce<T>>& Fapplied_Bo_W_array,
    const Eigen::Ref<const VectorX<T>>& tau_applied_array,
    std::vector<SpatialAcceleration<T>>* A_WB_array,
    std::vector<SpatialForce<T>>* F_BMo_W_array,
    EigenPtr<VectorX<T>> tau_array) const {
  constexpr char kFunction[] = "MultibodyTree::CalcInverseDynamics";
  const int num_bodies = get_num_bodies();
  if (!Fapplied_Bo_W_array.empty()) {
    internal::RequireSize(kFunction, "Fapplied_Bo_W_array",
                          Fapplied_Bo_W_array.size(), num_bodies);
  }
  if (tau_applied_array.size() != 0) {
    internal::RequireSize(kFunction, "tau_applied_array",
                          tau_applied_array.size(), get_num_velocities());
  }
  auto& F_BMo_W =
      RequireResult(F_BMo_W_array, num_bodies, kFunction, "F_BMo_W_array");
  if (tau_array == nullptr) Deref<const int>(nullptr, kFunction);
  internal::RequireSize(kFunction, "tau_array", tau_array->size(),
                        get_num_velocities());
  CalcSpatialAccelerationsFromVdot(context, pc, vc, known_vdot, A_WB_array);

  const dynamics::Model& model = system_->model();
  const auto& parameters = system_->EvalModelParameters(context);
  auto& scratch = system_->scratch(context);
  std::span<const Vector6<T>> F_bodies;
  for (Vector6<T>& F : scratch.node_forces) F.setZero();
  if (!Fapplied_Bo_W_array.empty()) {
    for (int b = 0; b < num_bodies; ++b) {
      scratch.body_vectors[b] = Fapplied_Bo_W_array[b].get_coeffs();
      internal::RequireFinite(kFunction, "a force of Fapplied_Bo_W_array",
                              scratch.body_vectors[b]);
    }
    F_bodies = scratch.body_vectors;
    dynamics::AddBodyForces<T>(model, pc.model_X_WB_, pc.nodes_, F_bodies,
                               &scratch.node_forces);
  }
  dynamics::CalcReactionForces<T>(model, parameters, pc.nodes_,
                                  vc.engine_.nodes, scratch.A, F_bodies,
                                  dynamics::Gravity::kOff, &scratch.reactions);
  dynamics::CalcInverseDynamics<T>(
      {{model, parameters, pc.nodes_, pc.inertias_}, vc.engine_.nodes},
      known_vdot, scratch.node_forces, dynamics::Gravity::kOff,
      &scratch.inverse_dynamics, scratch.tau);
  // Outputs last: they may be the inputs.
  for (int b = 0; b < num_bodies; ++b) {
    F_BMo_W[b] = SpatialForce<T>(scratch.reactions[b]);
  }
  if (tau_applied_array.size() != 0) scratch.tau -= tau_applied_array;
  *tau_array = scratch.tau;
}

template <typename T>
void MultibodyTree<T>::CalcMassMatrixViaInverseDynamics(
    const Context<T>& context, EigenPtr<MatrixX<T>> H) const {
  constexpr char kFunction[] =
      "MultibodyTree::CalcMassMatrixViaInverseDynamics";
  if (H == nullptr) Deref<const int>(nullptr, kFunction);
  CastContext(context);
  internal::RequireSize(kFunction, "H in rows", H->rows(),
                        get_num_velocities());
  internal::RequireSize(kFunction, "H in columns", H->cols(),
                        get_num_velocities());
  auto& scratch = system_->scratch(context);
  dynamics::CalcMassMatrixViaInverseDynamics<T>(
      {system_->EvalConfiguration(context), scratch.at_rest},
      &scratch.inverse_dynamics, &scratch.vdot, *H);
}

template <typename T>
void MultibodyTree<T>::CalcBiasTerm(const Context<T>& context,
                                    EigenPtr<VectorX<T>> Cv) const {
  constexpr char kFunction[] = "MultibodyTree::CalcBiasTerm";
  if (Cv == nullptr) Deref<const int>(nullptr, kFunction);
  CastContext(context);
  internal::RequireSize(kFunction, "Cv", Cv->size(), get_num_velocities());
  *Cv = system_->EvalBiasTerm(context);
}

#define WYVERN_INSTANTIATE_CALC(T)                                         \
  template void MultibodyTree<T>::RequireComputed(                         \
      const PositionKinematicsCache<T>&, const char*) const;               \
  template void MultibodyTree<T>::RequireComputed(                         \
      const VelocityKinematicsCache<T>&, const char*) const;               \
  template void MultibodyTree<T>::CalcPositionKinematicsCache(             \
      const Context<T>&, PositionKinematicsCache<T>*) const;               \
  template void MultibodyTree<T>::CopyBodyQuantities(                      \
      const MultibodyTreeContext<T>&, PositionKinematicsCache<T>*) const;  \
  template void MultibodyTree<T>::CopyMobilizerQuantities(                 \
      const MultibodyTreeContext<T>&, PositionKinematicsCache<T>*) const;  \
  template void MultibodyTree<T>::CalcVelocityKinematicsCache(             \
      const Context<T>&, const PositionKinematicsCache<T>&,                \
      VelocityKinematicsCache<T>*) const;                                  \
  template void MultibodyTree<T>::CalcAccelerationKinematicsCache(         \
      const Context<T>&, const PositionKinematicsCache<T>&,                \
      const VelocityKinematicsCache<T>&, const VectorX<T>&,                \
      AccelerationKinematicsCache<T>*) const;                              \
  template void MultibodyTree<T>::CalcSpatialAccelerationsFromVdot(        \
      const Context<T>&, const PositionKinematicsCache<T>&,                \
      const VelocityKinematicsCache<T>&, const VectorX<T>&,                \
      std::vector<SpatialAcceleration<T>>*) const;                         \
  template void MultibodyTree<T>::CalcInverseDynamics(                     \
      const Context<T>&, const PositionKinematicsCache<T>&,                \
      const VelocityKinematicsCache<T>&, const VectorX<T>&,                \
      const std::vector<SpatialForce<T>>&,                                 \
      const Eigen::Ref<const VectorX<T>>&,                                 \
      std::vector<SpatialAcceleration<T>>*, std::vector<SpatialForce<T>>*, \
      EigenPtr<VectorX<T>>) const;                                         \
  template void MultibodyTree<T>::CalcMassMatrixViaInverseDynamics(        \
      const Context<T>&, EigenPtr<MatrixX<T>>) const;                      \
  template void MultibodyTree<T>::CalcBiasTerm(const Context<T>&,          \
                                               EigenPtr<VectorX<T>>) const;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE_CALC)
#undef WYVERN_INSTANTIATE_CALC

}  // namespace wyvern::multibody
