#include "wyvern/systems/primitives/linear/linear_system.h"

#include <utility>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::systems {

template <typename T>
LinearSystem<T>::LinearSystem(const Eigen::Ref<const Eigen::MatrixXd>& A,
                              const Eigen::Ref<const Eigen::MatrixXd>& B,
                              const Eigen::Ref<const Eigen::MatrixXd>& C,
                              const Eigen::Ref<const Eigen::MatrixXd>& D,
                              double time_period)
    : LinearSystem(SystemTypeTag<LinearSystem>{}, A, B, C, D, time_period) {}

template <typename T>
LinearSystem<T>::LinearSystem(SystemScalarConverter converter,
                              const Eigen::MatrixXd& A,
                              const Eigen::MatrixXd& B,
                              const Eigen::MatrixXd& C,
                              const Eigen::MatrixXd& D, double time_period)
    : AffineSystem<T>(std::move(converter),
                      internal::AffineCoefficients{A, B, {}, C, D, {}},
                      time_period) {}

}  // namespace wyvern::systems

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ::wyvern::systems::LinearSystem);
