#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "wyvern/app/scenario.h"
#include "wyvern/systems/framework/leaf_system.h"

namespace wyvern::app {

/** A reference as a block: output ports `desired_state` [q; v], and
`desired_acceleration`, which is that of the curve between way-points. */
class ReferenceSource final : public systems::LeafSystem<double> {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ReferenceSource);

  /** @param size how many joints. @param folder that of the scenario.
  @throws std::logic_error if a size does not fit, a number is not finite, or
  times do not rise; std::runtime_error "file:line: ..." of a CSV file. */
  ReferenceSource(const Reference& reference, int size,
                  const std::filesystem::path& folder);
  ~ReferenceSource() override;

 private:
  /** q and its first two derivatives, as columns. */
  using Motion = Eigen::Matrix<double, Eigen::Dynamic, 3>;
  struct Law {
    std::function<void(double t, Motion* motion)> calc_motion;
    // Returns the next break after a time; empty if there is none.
    std::function<double(double after)> calc_next_break;
  };
  friend class ReferenceLaw;

  void CalcMotion(const systems::Context<double>& context,
                  Motion* motion) const;
  void DoCalcNextBreakTime(const systems::Context<double>& context,
                           const double& after, double* time) const final;

  const int size_;
  Law law_;
  const systems::CacheEntry* motion_{};
};

}  // namespace wyvern::app
