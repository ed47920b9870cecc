#pragma once

#include <string>
#include <vector>

#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

#include "tests/benchmarks/multibody/model_description.h"

/* A free base of Pinocchio's moves by (v_WB_B, w_WB_B), Wyvern's by (w_WB_W,
v_WB_W): v_p = T v_w, vdot_p = T vdot_w - (w_B x v_B, 0), tau_w = Tᵀ tau_p. */

namespace wyvern::bench {

inline pinocchio::JointIndex AddBody(const BodyDescription& body,
                                     pinocchio::JointIndex parent,
                                     const std::string& name,
                                     pinocchio::Model* model) {
  const pinocchio::SE3 X(body.rotation, body.position);
  const auto is = [&body](int i) {
    return body.axis == Eigen::Vector3d::Unit(i);
  };
  if (body.type == 'F') {
    return model->addJoint(parent, pinocchio::JointModelFreeFlyer(), X, name);
  }
  if (body.type == 'P') {
    return model->addJoint(
        parent, pinocchio::JointModelPrismaticUnaligned(body.axis), X, name);
  }
  if (is(0)) return model->addJoint(parent, pinocchio::JointModelRX(), X, name);
  if (is(1)) return model->addJoint(parent, pinocchio::JointModelRY(), X, name);
  if (is(2)) return model->addJoint(parent, pinocchio::JointModelRZ(), X, name);
  return model->addJoint(
      parent, pinocchio::JointModelRevoluteUnaligned(body.axis), X, name);
}

inline pinocchio::Model MakeModel(const ModelDescription& description) {
  pinocchio::Model model;
  std::vector<pinocchio::JointIndex> indices;
  for (const BodyDescription& body : description.bodies) {
    const auto joint = AddBody(body, body.parent < 0 ? 0 : indices[body.parent],
                               "j" + std::to_string(indices.size()), &model);
    model.appendBodyToJoint(
        joint, pinocchio::Inertia(body.mass, body.com, body.inertia),
        pinocchio::SE3::Identity());
    indices.push_back(joint);
  }
  return model;
}

inline Eigen::VectorXd MakePositions(const ModelDescription& description,
                                     const Sample& sample) {
  const int base = description.is_floating() ? 7 : 0;
  Eigen::VectorXd q(base + sample.joint_q.size());
  if (base > 0) {
    q.head<7>() << sample.base_position, sample.base_quaternion.tail<3>(),
        sample.base_quaternion[0];
  }
  q.tail(sample.joint_q.size()) = sample.joint_q;
  return q;
}

/** v of Pinocchio's free base is T times Wyvern's. */
inline Eigen::MatrixXd BaseMap(const Eigen::VectorXd& q) {
  const Eigen::Quaterniond base(q[6], q[3], q[4], q[5]);
  const Eigen::Matrix3d R_BW = base.toRotationMatrix().transpose();
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(6, 6);
  T.topRightCorner<3, 3>() = R_BW;
  T.bottomLeftCorner<3, 3>() = R_BW;
  return T;
}
inline Eigen::Vector3d BaseTurn(const Eigen::VectorXd& v) {
  return v.segment<3>(3).cross(v.head<3>());
}

}  // namespace wyvern::bench
