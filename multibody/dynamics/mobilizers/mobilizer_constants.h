#pragma once

namespace wyvern::multibody::internal {
template <typename T>
class LineAndArcPath;
}  // namespace wyvern::multibody::internal

namespace wyvern::multibody::dynamics {

/** Parameters of a mobilizer besides its frames. */
template <typename T>
struct MobilizerConstants {
  /** Pitch of a screw, [m/rad]. */
  T pitch{0};
  /** Path of a curvilinear mobilizer; not owned. */
  const internal::LineAndArcPath<double>* path{nullptr};
};

}  // namespace wyvern::multibody::dynamics
