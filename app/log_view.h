#pragma once

#include <filesystem>
#include <memory>

#include "wyvern/app/log_files.h"
#include "wyvern/app/scenario_simulation.h"
#include "wyvern/geometry/viewer/viewer.h"
#include "wyvern/systems/recording/hdf5_recording_reader.h"

namespace wyvern::app {

/** A log of a run, an HDF5 file that has the port `plant/state`, as something
to look at: the scene comes from the scenario that is in the log. */
class LogView {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(LogView);

  /** Reads it. The log has the files of its models; those of an older log are
  looked for where the run found them.
  @throws std::runtime_error if the file is no log of a scenario or has no
  states, and as the scenario does that it has, and as UnpackedFiles. */
  explicit LogView(const std::filesystem::path& file);
  ~LogView();

  /** Shows the scene, all signals over time, of which at most 4096 samples, and
  makes a recording of the motion with the events of the log; to be published.
   */
  void Show(const std::shared_ptr<geometry::Viewer>& viewer) const;

 private:
  const std::filesystem::path file_;
  const systems::Hdf5RecordingReader reader_;
  systems::RecordedSignal states_;
  Scenario scenario_;
  std::filesystem::path folder_;
  std::unique_ptr<const UnpackedFiles> files_;
};

}  // namespace wyvern::app
