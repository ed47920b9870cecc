#include "wyvern/multibody/plant/plant_actuation.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

/* Matrices and vectors of motors and limits. B has a one for each actuator, in
the row of the velocity that it drives, so its pseudoinverse is its
transpose; actuators of tendons have the coefficients of their joints there.
Selectors are rows or columns of an identity. Limits are the joints' own,
gathered in the order of q, v or u. */

namespace wyvern::multibody {

template <typename T>
MatrixX<T> PlantActuation<T>::MakeActuationMatrix() const {
  core_.tree().RequireFinalized("MakeActuationMatrix");
  return MakeMatrix().template cast<T>();
}

template <typename T>
MatrixX<double> PlantActuation<T>::MakeMatrix() const {
  MatrixX<double> B =
      MatrixX<double>::Zero(core_.num_v(), core_.tree().num_actuated_dofs());
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    if (actuator->acts_on_spatial_tendon()) {
      throw std::logic_error(fmt::format(
          "MultibodyPlant: actuator '{}' acts along a spatial tendon, so that "
          "the actuation matrix depends on the positions; call "
          "CalcActuationMatrix().",
          actuator->name()));
    }
    for (const TendonTerm<T>& term : actuator->terms()) {
      B(term.joint->velocity_start(), actuator->input_start()) +=
          term.coefficient;
    }
  }
  return B;
}

template <typename T>
MatrixX<T> PlantActuation<T>::CalcActuationMatrix(
    const systems::Context<T>& context) const {
  core_.tree().RequireFinalized("CalcActuationMatrix");
  core_.ValidateContext(context);
  MatrixX<T> B =
      MatrixX<T>::Zero(core_.num_v(), core_.tree().num_actuated_dofs());
  const internal::ForceState<T> state{context, core_.EvalPositions(context)};
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    actuator->coordinate().AddGeneralizedForce(core_, state, T(1),
                                               B.col(actuator->input_start()));
  }
  return B;
}

template <typename T>
Eigen::SparseMatrix<double>
PlantActuation<T>::MakeActuationMatrixPseudoinverse() const {
  core_.tree().RequireFinalized("MakeActuationMatrixPseudoinverse");
  const MatrixX<double> B = MakeMatrix();
  // Without tendons B picks velocities.
  const bool has_tendon = std::ranges::any_of(
      core_.tree().actuators().elements(),
      [](const auto* actuator) { return actuator->acts_on_tendon(); });
  const MatrixX<double> inverse =
      has_tendon
          ? MatrixX<double>(B.completeOrthogonalDecomposition().pseudoInverse())
          : MatrixX<double>(B.transpose());
  return inverse.sparseView();
}

template <typename T>
MatrixX<double> PlantActuation<T>::MakeActuatorSelectorMatrix(
    const std::vector<JointActuatorIndex>& user_to_actuator_index_map) const {
  core_.tree().RequireFinalized("MakeActuatorSelectorMatrix");
  MatrixX<double> S = MatrixX<double>::Zero(core_.tree().num_actuated_dofs(),
                                            user_to_actuator_index_map.size());
  for (int i = 0; i < S.cols(); ++i) {
    S(core_.tree().actuators().get(user_to_actuator_index_map[i]).input_start(),
      i) = 1;
  }
  return S;
}

template <typename T>
MatrixX<double> PlantActuation<T>::MakeActuatorSelectorMatrix(
    const std::vector<JointIndex>& user_to_joint_index_map) const {
  std::vector<JointActuatorIndex> indices;
  for (JointIndex index : user_to_joint_index_map) {
    const Joint<T>& joint = core_.tree().get_joint(index);
    bool is_actuated = false;
    for (const JointActuator<T>* actuator :
         core_.tree().actuators().elements()) {
      if (std::ranges::count(actuator->FindJoints(), &joint) == 0) continue;
      is_actuated = true;
      if (std::ranges::count(indices, actuator->index()) > 0) continue;
      indices.push_back(actuator->index());
    }
    if (!is_actuated) {
      throw std::logic_error(fmt::format(
          "MultibodyPlant::MakeActuatorSelectorMatrix(): joint '{}' has no "
          "actuator.",
          joint.name()));
    }
  }
  return MakeActuatorSelectorMatrix(indices);
}

template <typename T>
MatrixX<double> PlantActuation<T>::MakeStateSelectorMatrix(
    const std::vector<JointIndex>& user_to_joint_index_map) const {
  core_.tree().RequireFinalized("MakeStateSelectorMatrix");
  int nq = 0;
  int nv = 0;
  std::vector<bool> seen(core_.tree().joints().next_index(), false);
  for (JointIndex index : user_to_joint_index_map) {
    const Joint<T>& joint = core_.tree().get_joint(index);
    if (seen[index]) {
      throw std::logic_error(fmt::format(
          "MultibodyPlant::MakeStateSelectorMatrix(): joint '{}' was given "
          "twice.",
          joint.name()));
    }
    seen[index] = true;
    nq += joint.num_positions();
    nv += joint.num_velocities();
  }
  MatrixX<double> S =
      MatrixX<double>::Zero(nq + nv, core_.num_q() + core_.num_v());
  int q_row = 0;
  int v_row = nq;
  for (JointIndex index : user_to_joint_index_map) {
    const Joint<T>& joint = core_.tree().get_joint(index);
    for (int i = 0; i < joint.num_positions(); ++i) {
      S(q_row++, joint.position_start() + i) = 1;
    }
    for (int i = 0; i < joint.num_velocities(); ++i) {
      S(v_row++, core_.num_q() + joint.velocity_start() + i) = 1;
    }
  }
  return S;
}

template <typename T>
template <typename Get>
VectorX<double> PlantActuation<T>::GatherByPosition(const char* function,
                                                    Get get) const {
  core_.tree().RequireFinalized(function);
  VectorX<double> result(core_.num_q());
  for (const Joint<T>* joint : core_.tree().joints().elements()) {
    result.segment(joint->position_start(), joint->num_positions()) =
        get(*joint);
  }
  return result;
}

template <typename T>
template <typename Get>
VectorX<double> PlantActuation<T>::GatherByVelocity(const char* function,
                                                    Get get) const {
  core_.tree().RequireFinalized(function);
  VectorX<double> result(core_.num_v());
  for (const Joint<T>* joint : core_.tree().joints().elements()) {
    result.segment(joint->velocity_start(), joint->num_velocities()) =
        get(*joint);
  }
  return result;
}

template <typename T>
VectorX<double> PlantActuation<T>::GetPositionLowerLimits() const {
  return GatherByPosition("GetPositionLowerLimits", [](const Joint<T>& joint) {
    return joint.position_lower_limits();
  });
}

template <typename T>
VectorX<double> PlantActuation<T>::GetPositionUpperLimits() const {
  return GatherByPosition("GetPositionUpperLimits", [](const Joint<T>& joint) {
    return joint.position_upper_limits();
  });
}

template <typename T>
VectorX<double> PlantActuation<T>::GetVelocityLowerLimits() const {
  return GatherByVelocity("GetVelocityLowerLimits", [](const Joint<T>& joint) {
    return joint.velocity_lower_limits();
  });
}

template <typename T>
VectorX<double> PlantActuation<T>::GetVelocityUpperLimits() const {
  return GatherByVelocity("GetVelocityUpperLimits", [](const Joint<T>& joint) {
    return joint.velocity_upper_limits();
  });
}

template <typename T>
VectorX<double> PlantActuation<T>::GetAccelerationLowerLimits() const {
  return GatherByVelocity(
      "GetAccelerationLowerLimits",
      [](const Joint<T>& joint) { return joint.acceleration_lower_limits(); });
}

template <typename T>
VectorX<double> PlantActuation<T>::GetAccelerationUpperLimits() const {
  return GatherByVelocity(
      "GetAccelerationUpperLimits",
      [](const Joint<T>& joint) { return joint.acceleration_upper_limits(); });
}

template <typename T>
VectorX<double> PlantActuation<T>::GetEffortLowerLimits() const {
  core_.tree().RequireFinalized("GetEffortLowerLimits");
  return -GetEffortUpperLimits();
}

template <typename T>
VectorX<double> PlantActuation<T>::GetEffortUpperLimits() const {
  core_.tree().RequireFinalized("GetEffortUpperLimits");
  VectorX<double> result(core_.tree().num_actuated_dofs());
  for (const JointActuator<T>* actuator : core_.tree().actuators().elements()) {
    result[actuator->input_start()] = actuator->effort_limit();
  }
  return result;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::PlantActuation);
