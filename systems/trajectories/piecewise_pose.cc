#include "wyvern/systems/trajectories/piecewise_pose.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"
#include "wyvern/systems/common/to_double.h"
#include "wyvern/systems/trajectories/derivative_trajectory.h"

namespace wyvern::trajectories {
namespace {

template <typename T>
std::vector<MatrixX<T>> PositionsOf(
    const std::vector<math::RigidTransform<T>>& poses) {
  std::vector<MatrixX<T>> positions;
  for (const auto& X : poses) positions.push_back(X.translation());
  return positions;
}

template <typename T>
std::vector<math::RotationMatrix<T>> RotationsOf(
    const std::vector<math::RigidTransform<T>>& poses) {
  std::vector<math::RotationMatrix<T>> rotations;
  for (const auto& X : poses) rotations.push_back(X.rotation());
  return rotations;
}

}  // namespace

template <typename T>
PiecewisePose<T>::PiecewisePose() = default;

template <typename T>
PiecewisePose<T>::PiecewisePose(
    const PiecewisePolynomial<T>& position_trajectory,
    const PiecewiseQuaternionSlerp<T>& orientation_trajectory)
    : PiecewiseTrajectory<T>(position_trajectory.get_segment_times()),
      position_(position_trajectory),
      orientation_(orientation_trajectory) {
  if (position_.rows() != 3 || position_.cols() != 1) {
    throw std::logic_error(
        fmt::format("PiecewisePose(): the position is {} x {}; give one of "
                    "3 x 1.",
                    position_.rows(), position_.cols()));
  }
  if (position_.start_time() != orientation_.start_time() ||
      position_.end_time() != orientation_.end_time()) {
    throw std::logic_error(fmt::format(
        "PiecewisePose(): the position goes from {} to {} s and the "
        "orientation from {} to {} s; they must start and end together.",
        ToDouble(position_.start_time()), ToDouble(position_.end_time()),
        ToDouble(orientation_.start_time()),
        ToDouble(orientation_.end_time())));
  }
}

template <typename T>
PiecewisePose<T>::~PiecewisePose() = default;

template <typename T>
PiecewisePose<T> PiecewisePose<T>::MakeLinear(
    const std::vector<T>& times,
    const std::vector<math::RigidTransform<T>>& poses) {
  return PiecewisePose(
      PiecewisePolynomial<T>::FirstOrderHold(times, PositionsOf(poses)),
      PiecewiseQuaternionSlerp<T>(times, RotationsOf(poses)));
}

template <typename T>
PiecewisePose<T> PiecewisePose<T>::MakeCubicLinearWithEndLinearVelocity(
    const std::vector<T>& times,
    const std::vector<math::RigidTransform<T>>& poses,
    const Vector3<T>& start_vel, const Vector3<T>& end_vel) {
  return PiecewisePose(
      PiecewisePolynomial<T>::CubicWithContinuousSecondDerivatives(
          times, PositionsOf(poses), MatrixX<T>(start_vel),
          MatrixX<T>(end_vel)),
      PiecewiseQuaternionSlerp<T>(times, RotationsOf(poses)));
}

template <typename T>
math::RigidTransform<T> PiecewisePose<T>::GetPose(const T& time) const {
  return math::RigidTransform<T>(orientation_.orientation(time),
                                 Vector3<T>(position_.value(time)));
}

template <typename T>
Vector6<T> PiecewisePose<T>::GetVelocity(const T& time) const {
  return DoEvalDerivative(time, 1);
}

template <typename T>
Vector6<T> PiecewisePose<T>::GetAcceleration(const T& time) const {
  return DoEvalDerivative(time, 2);
}

template <typename T>
bool PiecewisePose<T>::IsApprox(const PiecewisePose& other, double tol) const {
  return position_.isApprox(other.position_, tol) &&
         orientation_.is_approx(other.orientation_, tol);
}

template <typename T>
MatrixX<T> PiecewisePose<T>::value(const T& t) const {
  return GetPose(t).GetAsMatrix4();
}

template <typename T>
MatrixX<T> PiecewisePose<T>::DoEvalDerivative(const T& t,
                                              int derivative_order) const {
  MatrixX<T> result = MatrixX<T>::Zero(6, 1);
  this->get_segment_index(t);  // Throws if there is none.
  if (!this->is_time_in_range(t)) return result;
  result.topRows(3) = orientation_.EvalDerivative(t, derivative_order);
  result.bottomRows(3) = position_.EvalDerivative(t, derivative_order);
  return result;
}

template <typename T>
std::unique_ptr<Trajectory<T>> PiecewisePose<T>::DoMakeDerivative(
    int derivative_order) const {
  return std::make_unique<DerivativeTrajectory<T>>(*this, derivative_order);
}

template <typename T>
std::unique_ptr<Trajectory<T>> PiecewisePose<T>::DoClone() const {
  return std::make_unique<PiecewisePose<T>>(*this);
}

}  // namespace wyvern::trajectories

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::trajectories::PiecewisePose);
