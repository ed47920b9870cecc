#include "wyvern/multibody/tree/fixed_offset_frame.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/multibody_tree.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/systems/common/default_scalars.h"

/* A frame F at a pose X_PF in another frame P. The pose is a parameter of the
Context, twelve numbers: the rotation matrix by columns, then the position;
the element has its default. X_BF = X_BP X_PF, with B the body that P is on
in the end. */

namespace wyvern::multibody {

using math::RigidTransform;
using math::RotationMatrix;

namespace {

// The parameter's layout: the rotation matrix by columns, then the position.
template <typename T, typename U>
VectorX<T> PoseToVector(const RigidTransform<U>& X) {
  VectorX<T> result(12);
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 3; ++i) {
      result[3 * j + i] = T(X.rotation().matrix()(i, j));
    }
    result[9 + j] = T(X.translation()[j]);
  }
  return result;
}

template <typename T>
RigidTransform<T> VectorToPose(const VectorX<T>& values) {
  Matrix3<T> R;
  for (int j = 0; j < 3; ++j) R.col(j) = values.template segment<3>(3 * j);
  return RigidTransform<T>(RotationMatrix<T>::MakeUnchecked(R),
                           values.template tail<3>());
}

}  // namespace

template <typename T>
FixedOffsetFrame<T>::FixedOffsetFrame(
    const std::string& name, const Frame<T>& P,
    const RigidTransform<double>& X_PF,
    std::optional<ModelInstanceIndex> model_instance)
    : Frame<T>(name, P.body(), model_instance.value_or(P.model_instance())),
      parent_frame_(P),
      X_PF_(X_PF) {
  internal::RequireFinite(internal::Caller::Element("FixedOffsetFrame", name),
                          "pose X_PF", PoseToVector<double>(X_PF));
}

template <typename T>
FixedOffsetFrame<T>::FixedOffsetFrame(const std::string& name,
                                      const RigidBody<T>& bodyB,
                                      const RigidTransform<double>& X_BF)
    : FixedOffsetFrame(name, bodyB.body_frame(), X_BF) {}

template <typename T>
FixedOffsetFrame<T>::FixedOffsetFrame(const Frame<T>& P,
                                      const RigidTransform<double>& X_PF)
    : Frame<T>(P.body(), P.model_instance()), parent_frame_(P), X_PF_(X_PF) {
  internal::RequireFinite(
      internal::Caller::Element("FixedOffsetFrame", "(unnamed)"), "pose X_PF",
      PoseToVector<double>(X_PF));
}

template <typename T>
FixedOffsetFrame<T>::FixedOffsetFrame(const RigidBody<T>& bodyB,
                                      const RigidTransform<double>& X_BF)
    : FixedOffsetFrame(bodyB.body_frame(), X_BF) {}

template <typename T>
FixedOffsetFrame<T>::FixedOffsetFrame(const Frame<T>& P,
                                      const Isometry3<double>& X_PF)
    : FixedOffsetFrame(P, RigidTransform<double>(X_PF)) {}

template <typename T>
FixedOffsetFrame<T>::FixedOffsetFrame(const RigidBody<T>& bodyB,
                                      const Isometry3<double>& X_BF)
    : FixedOffsetFrame(bodyB.body_frame(), RigidTransform<double>(X_BF)) {}

template <typename T>
FixedOffsetFrame<T>::~FixedOffsetFrame() = default;

template <typename T>
RigidTransform<T> FixedOffsetFrame<T>::GetPoseInParentFrame(
    const systems::Context<T>& context) const {
  this->ValidateContext(context);
  return VectorToPose<T>(
      context.get_numeric_parameter(X_PF_parameter_).value());
}

template <typename T>
void FixedOffsetFrame<T>::SetPoseInParentFrame(
    systems::Context<T>* context, const RigidTransform<T>& X_PF) const {
  this->ValidateContext(
      internal::Deref(context, "FixedOffsetFrame::SetPoseInParentFrame"));
  const VectorX<T> values = PoseToVector<T>(X_PF);
  internal::RequireFinite(
      internal::Caller::Element("FixedOffsetFrame", this->name()), "pose X_PF",
      values);
  context->get_mutable_numeric_parameter(X_PF_parameter_).SetFromVector(values);
}

template <typename T>
void FixedOffsetFrame<T>::DoDeclareFrameParameters(
    internal::MultibodyTreeSystem<T>* tree_system) {
  X_PF_parameter_ = this->DeclareNumericParameter(
      tree_system, systems::BasicVector<T>(PoseToVector<T>(X_PF_)));
}

template <typename T>
void FixedOffsetFrame<T>::DoSetDefaultFrameParameters(
    systems::Parameters<T>* parameters) const {
  parameters->get_mutable_numeric_parameter(X_PF_parameter_)
      .SetFromVector(PoseToVector<T>(X_PF_));
}

template <typename T>
RigidTransform<T> FixedOffsetFrame<T>::DoCalcPoseInBodyFrame(
    const systems::Parameters<T>& parameters) const {
  return this->PoseInBodyOf(parent_frame_, parameters) *
         VectorToPose<T>(
             parameters.get_numeric_parameter(X_PF_parameter_).value());
}

template <typename T>
RigidTransform<T> FixedOffsetFrame<T>::DoGetFixedPoseInBodyFrame() const {
  return parent_frame_.GetFixedPoseInBodyFrame() * X_PF_.template cast<T>();
}

template <typename T>
template <typename ToScalar>
std::unique_ptr<Frame<ToScalar>> FixedOffsetFrame<T>::TemplatedClone(
    const internal::MultibodyTree<ToScalar>& tree_clone) const {
  return std::make_unique<FixedOffsetFrame<ToScalar>>(
      this->name(), tree_clone.get_frame(parent_frame_.index()), X_PF_,
      this->model_instance());
}

template <typename T>
std::unique_ptr<Frame<double>> FixedOffsetFrame<T>::DoCloneToScalar(
    const internal::MultibodyTree<double>& tree_clone) const {
  return TemplatedClone(tree_clone);
}

template <typename T>
std::unique_ptr<Frame<AutoDiffXd>> FixedOffsetFrame<T>::DoCloneToScalar(
    const internal::MultibodyTree<AutoDiffXd>& tree_clone) const {
  if constexpr (kHasScalar<AutoDiffXd>) return TemplatedClone(tree_clone);
  return nullptr;
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::FixedOffsetFrame);
