#include "wyvern/multibody/math/spatial_force.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/check_argument.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
void SpatialForce<T>::Shift(const Eigen::Ref<const Matrix6X<T>>& spatial_forces,
                            const Vector3<T>& offset,
                            EigenPtr<Matrix6X<T>> shifted_forces) {
  constexpr const char* kFunction = "SpatialForce::Shift";
  wyvern::internal::RequireNotNull(kFunction, "shifted_forces", shifted_forces,
                                   "pass a matrix");
  wyvern::internal::RequireShape(kFunction, "shifted_forces", *shifted_forces,
                                 6, spatial_forces.cols());
  *shifted_forces = spatial_forces;
  ShiftInPlace(shifted_forces, offset);
}

template <typename T>
void SpatialForce<T>::ShiftInPlace(EigenPtr<Matrix6X<T>> spatial_forces,
                                   const Vector3<T>& offset) {
  wyvern::internal::RequireNotNull("SpatialForce::ShiftInPlace",
                                   "spatial_forces", spatial_forces,
                                   "pass a matrix of 6 rows");
  for (int j = 0; j < spatial_forces->cols(); ++j) {
    auto F = spatial_forces->col(j);
    const Vector3<T> f = F.template tail<3>();
    F.template head<3>() -= offset.cross(f);
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::SpatialForce);
