#include "wyvern/multibody/plant/deformable_body.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <Eigen/Cholesky>

#include "wyvern/geometry/deformable/deformable_geometry.h"
#include "wyvern/geometry/deformable/rigid_surface.h"
#include "wyvern/multibody/fem/fem_model.h"
#include "wyvern/systems/common/default_scalars.h"

/* A body's mesh becomes a FemModel, which has everything that no step changes;
its positions, velocities and accelerations are a discrete state, and whether
it is enabled is a parameter, both declared by DeformableModel::Finalize(). */

namespace wyvern::multibody {

using systems::Context;
using wyvern::internal::Caller;

namespace {

Caller CallerOf(const char* function, const std::string& name) {
  return Caller("DeformableBody", function).Of("deformable body", name);
}

geometry::VolumeMesh<double> MakeMesh(
    const geometry::GeometryInstance& geometry, double resolution_hint) {
  try {
    geometry::VolumeMesh<double> mesh = geometry::internal::MakeDeformableMesh(
        geometry.shape(), resolution_hint);
    mesh.TransformVertices(geometry.pose());
    return mesh;
  } catch (const std::exception& error) {
    const std::string message = fmt::format(
        "DeformableModel::RegisterDeformableBody(): geometry '{}': {}",
        geometry.name(), error.what());
    // A file is at fault, or the arguments.
    if (dynamic_cast<const std::logic_error*>(&error) == nullptr) {
      throw std::runtime_error(message);
    }
    throw std::logic_error(message);
  }
}

}  // namespace

template <typename T>
DeformableBody<T>::DeformableBody(
    const internal::MultibodyTreeSystem<T>& core,
    const std::vector<const ForceDensityFieldBase<T>*>* external_forces,
    std::unique_ptr<geometry::GeometryInstance> geometry,
    ModelInstanceIndex model_instance,
    const fem::DeformableBodyConfig<T>& config, double resolution_hint)
    : core_(core),
      external_forces_(external_forces),
      geometry_id_(geometry->id()),
      model_instance_(model_instance),
      name_(geometry->name()),
      config_(config),
      has_proximity_(geometry->proximity_properties() != nullptr),
      geometry_(std::move(geometry)),
      resolution_hint_(resolution_hint),
      X_WG_(geometry_->pose()),
      X_WD_(X_WG_) {
  if constexpr (std::is_same_v<T, double>) {
    fem_ = std::make_unique<fem::internal::FemModel>(
        name_, MakeMesh(*geometry_, resolution_hint), config);
    reference_ = fem_->reference_positions();
  }
}

template <typename T>
DeformableBody<T>::~DeformableBody() = default;

template <typename T>
ScopedName DeformableBody<T>::scoped_name() const {
  return ScopedName(core_.tree().GetModelInstanceName(model_instance_), name_);
}

template <typename T>
double DeformableBody<T>::mass() const {
  return fem_->total_mass();
}

template <typename T>
void DeformableBody<T>::RequireOpen(const char* function) const {
  core_.tree().RequireNotFinalized(function, "a deformable body was changed");
}

template <typename T>
void DeformableBody<T>::SetWallBoundaryCondition(const Vector3<T>& p_WQ,
                                                 const Vector3<T>& n_W) {
  RequireOpen("SetWallBoundaryCondition");
  if constexpr (std::is_same_v<T, double>) {
    const std::vector<int> vertices = fem_->FindBehindWall(p_WQ, n_W);
    RequireFreeVertexBut("SetWallBoundaryCondition", vertices);
    for (const int v : vertices) fem_->FixVertex(v);
  }
}

template <typename T>
void DeformableBody<T>::RequireFreeVertexBut(
    const char* function, const std::vector<int>& vertices) const {
  std::vector<char> is_fixed = fem_->is_fixed();
  for (const int v : vertices) is_fixed[v] = true;
  if (std::ranges::find(is_fixed, false) != is_fixed.end()) return;
  throw std::logic_error(fmt::format(
      "DeformableModel::{}(): all {} vertices of deformable body '{}' would be "
      "fixed to the world, so that nothing of it could move; leave some out, "
      "or make it a rigid geometry of the world.",
      function, is_fixed.size(), name_));
}

template <typename T>
MultibodyConstraintId DeformableBody<T>::AddFixedConstraint(
    const RigidBody<T>& body_B, const math::RigidTransform<double>& X_BA,
    const geometry::Shape& shape_G, const math::RigidTransform<double>& X_BG) {
  const char* const function = "AddFixedConstraint";
  RequireOpen(function);
  core_.tree().RequireMember(body_B, function);
  const geometry::internal::CollisionShape shape =
      geometry::internal::MakeCollisionShape(shape_G);
  const geometry::internal::RigidSurface surface(shape_G.Clone(), 0, nullptr);
  // A's frame is that of its shape, which X_WG_ puts into the world. What stays
  // where it is does so to the bit.
  const math::RigidTransform<double> X_BW = X_BA.IsExactlyEqualTo(X_WG_)
                                                ? math::RigidTransform<double>()
                                                : X_BA * X_WG_.inverse();
  const math::RigidTransform<double> X_GW = X_BG.InvertAndCompose(X_BW);
  std::vector<int> vertices;
  const auto reference = [this](int v) {
    return Vector3<double>(
        fem_->reference_positions().template segment<3>(3 * v));
  };
  for (int v = 0; v < fem_->num_vertices(); ++v) {
    const Vector3<double> p_GV = X_GW * reference(v);
    const double distance = surface.CalcDistance(
        shape, p_GV, std::numeric_limits<double>::infinity());
    if (distance <= 0) vertices.push_back(v);
  }
  if (vertices.empty()) {
    throw std::logic_error(fmt::format(
        "DeformableModel::{}(): no vertex of deformable body '{}' is in the "
        "shape, so that nothing would be fixed; look at X_BA and X_BG.",
        function, name_));
  }
  const bool is_world = body_B.index() == world_index();
  if (is_world) RequireFreeVertexBut(function, vertices);
  internal::DeformableRigidFixedConstraintSpec spec{
      .body_A = id_,
      .body_B = body_B.index(),
      .vertices = vertices,
      .p_BQs = {},
      .constraint_id = MultibodyConstraintId::get_new_id()};
  for (const int v : vertices) {
    const Vector3<double> p_BV = X_BW * reference(v);
    spec.p_BQs.push_back(p_BV);
    if (is_world) {
      fem_->FixVertex(v, p_BV);
    } else {
      bonds_.push_back({v, body_B.index(), p_BV});
    }
  }
  fixed_constraints_.push_back(std::move(spec));
  return fixed_constraints_.back().constraint_id;
}

template <typename T>
systems::DiscreteStateIndex DeformableBody<T>::discrete_state_index() const {
  core_.tree().RequireFinalized("GetDiscreteStateIndex");
  return state_;
}

template <typename T>
const VectorX<T>& DeformableBody<T>::StateOf(const char* function,
                                             const Context<T>& context) const {
  core_.tree().RequireFinalized(function);
  core_.ValidateContext(context);
  return context.get_discrete_state(state_).value();
}

template <typename T>
Matrix3X<T> DeformableBody<T>::Part(const char* function,
                                    const Context<T>& context, int first,
                                    int num) const {
  const VectorX<T>& x = StateOf(function, context);
  return Eigen::Map<const Matrix3X<T>>(x.data() + first * num_dofs(), 3,
                                       num * num_dofs() / 3);
}

template <typename T>
void DeformableBody<T>::SetPart(
    const char* function, Context<T>* context, int part,
    const Eigen::Ref<const Matrix3X<T>>& value) const {
  const Caller who = CallerOf(function, name_);
  wyvern::internal::RequireNotNull(who, "context", context);
  VectorX<T> x = StateOf(function, *context);
  wyvern::internal::RequireSize(who, "the list of vertices", value.cols(),
                                num_dofs() / 3);
  wyvern::internal::RequireFinite(who, "the value", value);
  Eigen::Map<Matrix3X<T>>(x.data() + part * num_dofs(), 3, num_dofs() / 3) =
      value;
  context->SetDiscreteState(state_, x);
}

template <typename T>
Matrix3X<T> DeformableBody<T>::GetPositions(const Context<T>& context) const {
  return Part("GetPositions", context, 0, 1);
}

template <typename T>
Matrix3X<T> DeformableBody<T>::GetVelocities(const Context<T>& context) const {
  return Part("GetVelocities", context, 1, 1);
}

template <typename T>
Matrix3X<T> DeformableBody<T>::GetPositionsAndVelocities(
    const Context<T>& context) const {
  return Part("GetPositionsAndVelocities", context, 0, 2);
}

template <typename T>
void DeformableBody<T>::SetPositions(
    Context<T>* context, const Eigen::Ref<const Matrix3X<T>>& q) const {
  SetPart("SetPositions", context, 0, q);
}

template <typename T>
void DeformableBody<T>::SetVelocities(
    Context<T>* context, const Eigen::Ref<const Matrix3X<T>>& v) const {
  SetPart("SetVelocities", context, 1, v);
}

template <typename T>
void DeformableBody<T>::SetPositionsAndVelocities(
    Context<T>* context, const Eigen::Ref<const Matrix3X<T>>& q,
    const Eigen::Ref<const Matrix3X<T>>& v) const {
  const char* const function = "SetPositionsAndVelocities";
  const Caller who = CallerOf(function, name_);
  // An error in v leaves q unchanged.
  wyvern::internal::RequireSize(who, "the list of velocities", v.cols(),
                                num_dofs() / 3);
  wyvern::internal::RequireFinite(who, "v", v);
  SetPart(function, context, 0, q);
  SetPart(function, context, 1, v);
}

template <typename T>
void DeformableBody<T>::SetEnabled(const char* function, bool is_enabled,
                                   Context<T>* context) const {
  wyvern::internal::RequireNotNull(CallerOf(function, name_), "context",
                                   context);
  VectorX<T> x = StateOf(function, *context);
  if (is_enabled == IsEnabled(*context)) return;
  context->get_mutable_abstract_parameter(enabled_)
      .template get_mutable_value<bool>() = is_enabled;
  x.tail(2 * num_dofs()).setZero();
  context->SetDiscreteState(state_, x);
}

template <typename T>
void DeformableBody<T>::Disable(Context<T>* context) const {
  SetEnabled("Disable", false, context);
}

template <typename T>
void DeformableBody<T>::Enable(Context<T>* context) const {
  SetEnabled("Enable", true, context);
}

template <typename T>
bool DeformableBody<T>::is_enabled(const Context<T>& context) const {
  StateOf("is_enabled", context);
  return IsEnabled(context);
}

template <typename T>
systems::AbstractParameterIndex DeformableBody<T>::is_enabled_parameter_index()
    const {
  core_.tree().RequireFinalized("is_enabled_parameter_index");
  return enabled_;
}

template <typename T>
Matrix3X<T> DeformableBody<T>::CalcMassProduct(const Matrix3X<T>& x) const {
  Matrix3X<T> result = Matrix3X<T>::Zero(3, x.cols());
  if constexpr (std::is_same_v<T, double>) {
    const VectorX<double> from =
        Eigen::Map<const VectorX<double>>(x.data(), x.size());
    VectorX<double> to = VectorX<double>::Zero(x.size());
    fem_->AddMassProduct(from, &to);
    result = Eigen::Map<const Matrix3X<double>>(to.data(), 3, x.cols());
  }
  return result;
}

template <typename T>
Vector3<T> DeformableBody<T>::CalcCenterOfMassPositionInWorld(
    const Context<T>& context) const {
  const Matrix3X<T> q = Part("CalcCenterOfMassPositionInWorld", context, 0, 1);
  return CalcMassProduct(q).rowwise().sum() / mass();
}

template <typename T>
Vector3<T> DeformableBody<T>::CalcCenterOfMassTranslationalVelocityInWorld(
    const Context<T>& context) const {
  const Matrix3X<T> v =
      Part("CalcCenterOfMassTranslationalVelocityInWorld", context, 1, 1);
  return CalcMassProduct(v).rowwise().sum() / mass();
}

// With r from the center of mass, H = sum_ij m_ij r_i x v_j and
// I = sum_ij m_ij (r_i . r_j 1 - r_i r_j').
template <typename T>
Vector3<T> DeformableBody<T>::CalcEffectiveAngularVelocity(
    const Context<T>& context) const {
  const char* const function = "CalcEffectiveAngularVelocity";
  if constexpr (!std::is_same_v<T, double>) return Vector3<T>::Zero();
  const Matrix3X<T> v = Part(function, context, 1, 1);
  const Matrix3X<T> r = Part(function, context, 0, 1).colwise() -
                        CalcCenterOfMassPositionInWorld(context);
  const Matrix3X<T> p = CalcMassProduct(v), m_r = CalcMassProduct(r);
  Vector3<T> H = Vector3<T>::Zero();
  for (int i = 0; i < r.cols(); ++i) {
    H += Vector3<T>(r.col(i)).cross(Vector3<T>(p.col(i)));
  }
  const Matrix3<T> second = r * m_r.transpose();
  const Matrix3<T> I = second.trace() * Matrix3<T>::Identity() - second;
  const Eigen::LLT<Matrix3<T>> factor(I);
  // About its axis, a line has no inertia but rounding's.
  const bool is_solid = factor.info() == Eigen::Success &&
                        I.diagonal().minCoeff() > 0 &&
                        factor.matrixLLT().diagonal().minCoeff() >
                            1e-7 * factor.matrixLLT().diagonal().maxCoeff();
  if (!is_solid) {
    throw std::runtime_error(fmt::format(
        "DeformableBody::{}(): all of deformable body '{}' is on a line, about "
        "which it has no inertia.",
        function, name_));
  }
  return factor.solve(H);
}

template <typename T>
VectorX<T> DeformableBody<T>::CalcDefaultPositions() const {
  VectorX<T> q = reference_;
  if constexpr (std::is_same_v<T, double>) {
    if (X_WD_.IsExactlyEqualTo(X_WG_)) return q;
    const math::RigidTransform<double> X = X_WD_ * X_WG_.inverse();
    for (int i = 0; i < q.size(); i += 3) {
      auto p = q.template segment<3>(i);
      p = X * Vector3<double>(p);
    }
  }
  return q;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::DeformableBody);
