#pragma once

namespace wyvern::multibody::internal {
template <typename T>
class LineAndArcPath;
}  // namespace wyvern::multibody::internal

namespace wyvern::multibody::engine {

/** What a mobilizer is made of besides its frames. */
template <typename T>
struct MobilizerConstants {
  /** Of a screw, metres per radian. */
  T pitch{0};
  /** Of a curvilinear mobilizer; not owned. */
  const internal::LineAndArcPath<double>* path{nullptr};
};

}  // namespace wyvern::multibody::engine
