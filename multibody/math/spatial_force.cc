#include "wyvern/multibody/math/spatial_force.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

template <typename T>
void SpatialForce<T>::Shift(const Eigen::Ref<const Matrix6X<T>>& spatial_forces,
                            const Vector3<T>& offset,
                            EigenPtr<Matrix6X<T>> shifted_forces) {
  if (shifted_forces == nullptr ||
      shifted_forces->cols() != spatial_forces.cols()) {
    throw std::logic_error(fmt::format(
        "SpatialForce::Shift(): shifted_forces {}; pass a 6x{} matrix, the "
        "shape of spatial_forces.",
        shifted_forces == nullptr
            ? std::string("is null")
            : fmt::format("is 6x{}", shifted_forces->cols()),
        spatial_forces.cols()));
  }
  *shifted_forces = spatial_forces;
  ShiftInPlace(shifted_forces, offset);
}

template <typename T>
void SpatialForce<T>::ShiftInPlace(EigenPtr<Matrix6X<T>> spatial_forces,
                                   const Vector3<T>& offset) {
  if (spatial_forces == nullptr) {
    throw std::logic_error(
        "SpatialForce::ShiftInPlace(): spatial_forces is null; pass a matrix "
        "of 6 rows.");
  }
  for (int j = 0; j < spatial_forces->cols(); ++j) {
    auto F = spatial_forces->col(j);
    const Vector3<T> f = F.template tail<3>();
    F.template head<3>() -= offset.cross(f);
  }
}

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::multibody::SpatialForce);
