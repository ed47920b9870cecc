#include "wyvern/multibody/tree/curvilinear_joint.h"

#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

}  // namespace

template <typename T>
CurvilinearJoint<T>::CurvilinearJoint(const std::string& name,
                                      const Frame<T>& frame_on_parent,
                                      const Frame<T>& frame_on_child,
                                      const Path& curvilinear_path,
                                      double damping)
    : CurvilinearJoint(name, frame_on_parent, frame_on_child, curvilinear_path,
                       curvilinear_path.is_periodic() ? -kUnbounded : 0.0,
                       curvilinear_path.is_periodic()
                           ? kUnbounded
                           : curvilinear_path.length(),
                       damping) {}

template <typename T>
CurvilinearJoint<T>::CurvilinearJoint(const std::string& name,
                                      const Frame<T>& frame_on_parent,
                                      const Frame<T>& frame_on_child,
                                      const Path& curvilinear_path,
                                      double pos_lower_limit,
                                      double pos_upper_limit, double damping)
    : internal::TypedJoint<CurvilinearJoint, T, internal::SingleAxisJoint<T>>(
          dynamics::MobilizerType::kCurvilinear, name, frame_on_parent,
          frame_on_child, Vector3<double>::UnitZ(), pos_lower_limit,
          pos_upper_limit, damping),
      path_(curvilinear_path) {
  if (path_.path().num_segments() > 0) return;
  throw std::logic_error(fmt::format(
      "CurvilinearJoint: joint '{}' was given a path without segments; give "
      "one with breaks and turning rates.",
      name));
}

template <typename T>
CurvilinearJoint<T>::~CurvilinearJoint() = default;

}  // namespace wyvern::multibody

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(
    class ::wyvern::multibody::CurvilinearJoint);
