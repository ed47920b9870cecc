#include "wyvern/systems/primitives/linear/matrix_gain.h"

#include "wyvern/systems/common/check_argument.h"

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

namespace {

Eigen::MatrixXd Identity(int size) {
  wyvern::internal::RequireAtLeast("MatrixGain", "size", size, 0);
  return Eigen::MatrixXd::Identity(size, size);
}

}  // namespace

template <typename T>
MatrixGain<T>::MatrixGain(int size) : MatrixGain(Identity(size)) {}

template <typename T>
MatrixGain<T>::MatrixGain(const Eigen::MatrixXd& D)
    : LinearSystem<T>(SystemTypeTag<MatrixGain>{}, Eigen::MatrixXd(0, 0),
                      Eigen::MatrixXd(0, D.cols()),
                      Eigen::MatrixXd(D.rows(), 0), D, 0.0) {}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::MatrixGain);
