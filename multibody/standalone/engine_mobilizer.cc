#include "wyvern/multibody/standalone/engine_mobilizer.h"

#include "wyvern/multibody/dynamics/mobilizers/visit_mobilizer.h"
#include "wyvern/multibody/tree/element_checks.h"
#include "wyvern/multibody/tree/joint.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

namespace {

// No motion here has a pitch or a path.
template <typename T>
const dynamics::MobilizerConstants<T> kNone;

template <typename T>
Eigen::Ref<VectorX<T>>& RequireOutput(const EigenPtr<VectorX<T>>& output,
                                      int size, const char* function) {
  if (output == nullptr) Deref<const int>(nullptr, function);
  internal::RequireSize(function, "the output", output->size(), size);
  return *output;
}

}  // namespace

template <typename T, template <typename> class Motion>
EngineMobilizer<T, Motion>::~EngineMobilizer() = default;

template <typename T, template <typename> class Motion>
void EngineMobilizer<T, Motion>::set_zero_state(
    const systems::Context<T>& context, systems::State<T>* state) const {
  this->set_default_zero_state(context, state);
  Motion<T>::SetZeroPosition(
      this->get_mutable_positions(context, state).data());
}

template <typename T, template <typename> class Motion>
Isometry3<T> EngineMobilizer<T, Motion>::CalcAcrossMobilizerTransform(
    const MultibodyTreeContext<T>& context) const {
  const dynamics::Pose<T> X =
      Motion<T>::CalcX_FM(this->get_positions(context).data(), kNone<T>);
  Isometry3<T> X_FM;
  X_FM.linear() = R_FZ_ * X.R * R_FZ_.transpose();
  X_FM.translation() = R_FZ_ * X.p;
  X_FM.makeAffine();
  return X_FM;
}

template <typename T, template <typename> class Motion>
Eigen::Matrix<T, 6, Motion<T>::kNv> EngineMobilizer<T, Motion>::H_FM(
    const MultibodyTreeContext<T>& context) const {
  Eigen::Matrix<T, 6, Motion<T>::kNv> H =
      Motion<T>::CalcH_FM(this->get_positions(context).data(), kNone<T>);
  H.template topRows<3>() = R_FZ_ * H.template topRows<3>();
  H.template bottomRows<3>() = R_FZ_ * H.template bottomRows<3>();
  return H;
}

template <typename T, template <typename> class Motion>
SpatialVelocity<T>
EngineMobilizer<T, Motion>::CalcAcrossMobilizerSpatialVelocity(
    const MultibodyTreeContext<T>& context,
    const Eigen::Ref<const VectorX<T>>& v) const {
  internal::RequireSize("CalcAcrossMobilizerSpatialVelocity", "v", v.size(),
                        this->kNv);
  return SpatialVelocity<T>(Vector6<T>(H_FM(context) * v));
}

template <typename T, template <typename> class Motion>
SpatialAcceleration<T>
EngineMobilizer<T, Motion>::CalcAcrossMobilizerSpatialAcceleration(
    const MultibodyTreeContext<T>& context,
    const Eigen::Ref<const VectorX<T>>& vdot) const {
  internal::RequireSize("CalcAcrossMobilizerSpatialAcceleration", "vdot",
                        vdot.size(), this->kNv);
  const Vector6<T> bias_Z =
      Motion<T>::CalcHdotTimesV(this->get_positions(context).data(),
                                this->get_velocities(context).data(), kNone<T>);
  Vector6<T> A = H_FM(context) * vdot;
  A.template head<3>() += R_FZ_ * bias_Z.template head<3>();
  A.template tail<3>() += R_FZ_ * bias_Z.template tail<3>();
  return SpatialAcceleration<T>(A);
}

template <typename T, template <typename> class Motion>
void EngineMobilizer<T, Motion>::ProjectSpatialForce(
    const MultibodyTreeContext<T>& context, const SpatialForce<T>& F_Mo_F,
    Eigen::Ref<VectorX<T>> tau) const {
  internal::RequireSize("ProjectSpatialForce", "tau", tau.size(), this->kNv);
  tau = H_FM(context).transpose() * F_Mo_F.get_coeffs();
}

template <typename T, template <typename> class Motion>
void EngineMobilizer<T, Motion>::MapVelocityToQDot(
    const MultibodyTreeContext<T>& context,
    const Eigen::Ref<const VectorX<T>>& v, EigenPtr<VectorX<T>> qdot) const {
  internal::RequireSize("MapVelocityToQDot", "v", v.size(), this->kNv);
  auto& output = RequireOutput<T>(qdot, this->kNq, "MapVelocityToQDot");
  // Not in place: the two may be the same vector.
  Vector<T, Motion<T>::kNq> result;
  Motion<T>::MapVelocityToQDot(this->get_positions(context).data(), v.data(),
                               result.data());
  output = result;
}

template <typename T, template <typename> class Motion>
void EngineMobilizer<T, Motion>::MapQDotToVelocity(
    const MultibodyTreeContext<T>& context,
    const Eigen::Ref<const VectorX<T>>& qdot, EigenPtr<VectorX<T>> v) const {
  internal::RequireSize("MapQDotToVelocity", "qdot", qdot.size(), this->kNq);
  auto& output = RequireOutput<T>(v, this->kNv, "MapQDotToVelocity");
  Vector<T, Motion<T>::kNv> result;
  Motion<T>::MapQDotToVelocity(this->get_positions(context).data(), qdot.data(),
                               result.data());
  output = result;
}

#define WYVERN_INSTANTIATE(T)                                     \
  template class EngineMobilizer<T, dynamics::RevoluteMobilizer>; \
  template class EngineMobilizer<T, dynamics::RpyBallMobilizer>;  \
  template class EngineMobilizer<T, dynamics::QuaternionFloatingMobilizer>;
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)
#undef WYVERN_INSTANTIATE

}  // namespace wyvern::multibody::internal
