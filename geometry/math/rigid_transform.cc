#include "wyvern/geometry/math/rigid_transform.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/scalar_value.h"

namespace wyvern::math {

using internal::MaxAbs;
using internal::ValueOf;

template <typename T>
RigidTransform<T>::RigidTransform(const Matrix4<T>& pose)
    : RigidTransform(Eigen::Matrix<T, 3, 4>(pose.template topRows<3>())) {
  const Eigen::RowVector4d last = internal::ValuesOf(pose.row(3));
  if (last != Eigen::RowVector4d(0, 0, 0, 1)) {
    throw std::logic_error(
        fmt::format("RigidTransform: the last row of the 4x4 matrix is [{}, "
                    "{}, {}, {}]; it must be [0, 0, 0, 1].",
                    last(0), last(1), last(2), last(3)));
  }
}

template <typename T>
RigidTransform<T>::RigidTransform(const Eigen::Matrix<T, 3, 4>& pose)
    : R_AB_(Matrix3<T>(pose.template leftCols<3>())), p_AoBo_A_(pose.col(3)) {}

template <typename T>
bool RigidTransform<T>::IsNearlyIdentity(double translation_tolerance) const {
  return R_AB_.IsNearlyIdentity() && MaxAbs(p_AoBo_A_) <= translation_tolerance;
}

template <typename T>
T RigidTransform<T>::GetMaximumAbsoluteDifference(
    const RigidTransform<T>& other) const {
  return MaxAbs(GetAsMatrix34() - other.GetAsMatrix34());
}

template <typename T>
T RigidTransform<T>::GetMaximumAbsoluteTranslationDifference(
    const RigidTransform<T>& other) const {
  return MaxAbs(p_AoBo_A_ - other.p_AoBo_A_);
}

template <typename T>
void RigidTransform<T>::ThrowShape(int rows, int cols) {
  throw std::logic_error(
      fmt::format("RigidTransform: no pose is made from a {}x{} matrix; pass a "
                  "3x1 position, a 3x4 [R p] or a 4x4 homogeneous matrix.",
                  rows, cols));
}

template <typename T>
std::ostream& operator<<(std::ostream& out, const RigidTransform<T>& X) {
  const RigidTransform<double> value = RigidTransform<double>::MakeUnchecked(
      internal::ValuesOf(X.GetAsMatrix34()));
  const Eigen::Vector3d& p = value.translation();
  return out << value.rotation().ToRollPitchYaw() << " "
             << fmt::format("xyz = {} {} {}", p(0), p(1), p(2));
}

template std::ostream& operator<<(std::ostream&, const RigidTransform<double>&);
#if WYVERN_AUTODIFF
template std::ostream& operator<<(std::ostream&,
                                  const RigidTransform<AutoDiffXd>&);
#endif

}  // namespace wyvern::math

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::math::RigidTransform);
