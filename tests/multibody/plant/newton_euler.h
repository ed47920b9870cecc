#pragma once

/** @file
Newton's and Euler's laws on every body of a plant. */

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/near.h"
#include "wyvern/multibody/plant/multibody_plant.h"

namespace wyvern::multibody::test {

/** A force f at a point p, about Wo: (moment, force). */
inline Vector6<double> ForceAtPoint(const Vector3<double>& p,
                                    const Vector3<double>& f) {
  Vector6<double> F;
  F << p.cross(f), f;
  return F;
}

/** Expects that reaction forces, weights and what else acts give each body the
acceleration it has, all by the output ports at `output`, relative to
`tolerance`.
@param at The state that the outputs are of.
@param others Forces on bodies about Wo, in W, besides joints and gravity. */
inline void ExpectNewtonEuler(
    const MultibodyPlant<double>& plant, const systems::Context<double>& at,
    const systems::Context<double>& output,
    const std::map<BodyIndex, Vector6<double>>& others = {},
    double tolerance = 1e-9) {
  const auto& F = plant.get_reaction_forces_output_port()
                      .Eval<std::vector<SpatialForce<double>>>(output);
  const auto& A = plant.get_body_spatial_accelerations_output_port()
                      .Eval<std::vector<SpatialAcceleration<double>>>(output);
  std::vector<Vector6<double>> load(plant.num_bodies(),
                                    Vector6<double>::Zero());
  double scale = 1;
  for (const auto& [body, force] : others) load[body] += force;
  for (JointIndex i : plant.GetJointIndices()) {
    const Joint<double>& joint = plant.get_joint(i);
    const auto X = joint.frame_on_child().CalcPoseInWorld(at);
    const Vector6<double> F_Wo = (X.rotation() * F[joint.ordinal()])
                                     .Shift(-X.translation())
                                     .get_coeffs();
    load[joint.child_body().index()] += F_Wo;
    load[joint.parent_body().index()] -= F_Wo;
    scale = std::max(scale, F_Wo.norm());
  }
  for (BodyIndex i(1); i < plant.num_bodies(); ++i) {
    const RigidBody<double>& body = plant.get_body(i);
    const auto X = body.EvalPoseInWorld(at);
    const Vector3<double> w = body.EvalSpatialVelocityInWorld(at).rotational();
    const Vector3<double> alpha = A[i].rotational();
    const SpatialInertia<double> M =
        body.CalcSpatialInertiaInBodyFrame(at).ReExpress(X.rotation());
    const Vector3<double> r = M.get_com();
    const Vector3<double> a =
        A[i].translational() + alpha.cross(r) + w.cross(w.cross(r));
    const Eigen::Matrix3d I = M.Shift(r).get_mass() *
                              M.Shift(r).get_unit_inertia().CopyToFullMatrix3();
    Vector6<double> needed = ForceAtPoint(
        X.translation() + r,
        M.get_mass() * (a - plant.gravity_field().gravity_vector()));
    needed.head<3>() += I * alpha + w.cross(Vector3<double>(I * w));
    EXPECT_TRUE(wyvern::test::Near(load[i], needed,
                                   tolerance * (scale + needed.norm())))
        << body.name();
  }
}

}  // namespace wyvern::multibody::test
