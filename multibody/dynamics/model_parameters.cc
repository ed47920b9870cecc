#include "wyvern/multibody/dynamics/model_parameters.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/dynamics/mobilizers/mobilizer_traits.h"
#include "wyvern/multibody/math/line_and_arc_path.h"
#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"

/* From parameters of bodies to constants of nodes. Bodies that are welded to
each other are one node: poses are multiplied through the welds, and masses,
first moments and inertias about the node's origin are added up. Frames F and
M of a mobilizer with an axis are turned so that the axis is z, which kernels
rely on. */

namespace wyvern::multibody::dynamics {

using wyvern::internal::MayHold;
namespace {

// A rotation whose z is `axis`. Exact if the axis is a coordinate axis.
template <typename T>
Matrix3<T> RotationWithZ(const Vector3<T>& axis) {
  int k = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(ToDouble(axis[i])) < std::abs(ToDouble(axis[k]))) k = i;
  }
  Vector3<T> x = Vector3<T>::Unit(k) - axis[k] * axis;
  x /= x.norm();
  Matrix3<T> R;
  R.col(0) = x;
  R.col(1) = axis.cross(x);
  R.col(2) = axis;
  return R;
}

void RequireFittingSize(const char* what, int given, int wanted,
                        bool may_be_empty) {
  if (given == wanted || (may_be_empty && given == 0)) return;
  throw std::logic_error(fmt::format(
      "ModelParameters::Compile(): {} has {} entries; the model wants {}.",
      what, given, wanted));
}

template <typename T>
void RequireUnitAxis(const Vector3<T>& axis, int body) {
  const double error = ToDouble(axis.squaredNorm()) - 1;
  if (std::abs(error) <= 1e-10) return;
  throw std::logic_error(
      fmt::format("ModelParameters::Compile(): the axis of body {}'s mobilizer "
                  "is of length "
                  "{}; give a unit vector.",
                  body, std::sqrt(error + 1)));
}

// The path of a curvilinear mobilizer.
const internal::LineAndArcPath<double>* FindPath(
    const internal::LineAndArcPath<double>* given, int body) {
  static const internal::LineAndArcPath<double> line(
      {0, 1}, {0}, Matrix3<double>::Identity(), {0, 0, 0}, false);
  if (given == nullptr) return &line;
  if (given->num_segments() > 0) return given;
  throw std::logic_error(
      fmt::format("ModelParameters::Compile(): the path of body {}'s mobilizer "
                  "has no segment; give it one.",
                  body));
}

// Turns the mobilizer's F and M so that its axis, if it has one, becomes z.
template <typename T>
Matrix3<T> Turn(const Model::Body& body, const BodyParameters<T>& parameters) {
  if (!TraitsOf(body.type).has_axis) return Matrix3<T>::Identity();
  // The inverse of a motion about an axis is the same about its opposite.
  return RotationWithZ<T>(body.is_reversed ? Vector3<T>(-parameters.axis)
                                           : parameters.axis);
}

// Adds a body at X_NB to its node's composite inertia about No.
template <typename T>
void AddBody(const BodyParameters<T>& body, const Pose<T>& X_NB,
             NodeConstants<T>* node) {
  const Vector3<T> h = X_NB.R * (body.mass * body.p_BoBcm_B);
  const Matrix3<T> I = X_NB.R * body.I_BBo_B * X_NB.R.transpose();
  const Vector3<T>& r = X_NB.p;
  const Vector3<T> a = h + (0.5 * body.mass) * r;
  node->I[0] += I(0, 0) + 2.0 * (r[1] * a[1] + r[2] * a[2]);
  node->I[1] += I(1, 1) + 2.0 * (r[0] * a[0] + r[2] * a[2]);
  node->I[2] += I(2, 2) + 2.0 * (r[0] * a[0] + r[1] * a[1]);
  node->I[3] += I(0, 1) - (r[0] * a[1] + a[0] * r[1]);
  node->I[4] += I(0, 2) - (r[0] * a[2] + a[0] * r[2]);
  node->I[5] += I(1, 2) - (r[1] * a[2] + a[1] * r[2]);
  const Vector3<T> h_N = h + body.mass * r;
  node->mass += body.mass;
  node->h += h_N;
  if (body.gravity_enabled) {
    node->gravity_mass += body.mass;
    node->gravity_h += h_N;
  }
}

template <typename T>
NodeConstants<T> EmptyNode() {
  NodeConstants<T> node;
  node.R_PF.setIdentity();
  node.p_PF.setZero();
  node.mass = node.gravity_mass = T(0);
  node.h.setZero();
  node.gravity_h.setZero();
  node.I.fill(T(0));
  return node;
}

}  // namespace

template <typename T>
ModelParameters<T>::ModelParameters(const Model& model)
    : bodies(model.num_bodies()) {
  Compile(model);
}

template <typename T>
void ModelParameters<T>::Compile(const Model& model) {
  RequireFittingSize("bodies", bodies.size(), model.num_bodies(), false);
  RequireFittingSize("reflected_inertia", reflected_inertia.size(), model.num_v,
                     true);
  RequireFittingSize("damping", damping.size(), model.num_v, true);
  RequireFittingSize("friction", friction.size(), model.num_v, true);
  nodes.assign(model.num_nodes(), EmptyNode<T>());
  X_NB.resize(model.num_bodies());
  X_NB[0] = Pose<T>{};
  gravity_is_uniform = true;
  masses_are_known = true;
  for (int i = 1; i < model.num_bodies(); ++i) {
    const Model::Body& body = model.bodies[i];
    const BodyParameters<T>& given = bodies[i];
    if (TraitsOf(body.type).has_axis) RequireUnitAxis(given.axis, i);
    const Pose<T> X_NF = X_NB[body.parent] * given.X_PF;
    NodeConstants<T>& node = nodes[body.node];
    if (body.nv == 0) {
      X_NB[i] = X_NF * given.X_BM.Inverse();
    } else {
      const Pose<T> X_MN{Turn(body, given), Vector3<T>::Zero()};
      node.R_PF = X_NF.R * X_MN.R;
      node.p_PF = X_NF.p;
      node.mobilizer = {given.pitch / (2 * std::numbers::pi),
                        FindPath(given.path, i)};
      X_NB[i] = (given.X_BM * X_MN).Inverse();
    }
    AddBody(given, X_NB[i], &node);
    // The comparison is false for NaN.
    if (!MayHold(given.mass >= 0)) masses_are_known = false;
    if (!given.gravity_enabled && MayHold(given.mass != T(0))) {
      gravity_is_uniform = false;
    }
  }
  has_reflected_inertia = false;
  for (int i = 0; i < reflected_inertia.size(); ++i) {
    if (MayHold(reflected_inertia[i] != T(0))) has_reflected_inertia = true;
  }
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(struct ModelParameters);

}  // namespace wyvern::multibody::dynamics
