#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "wyvern/app/log_files.h"
#include "wyvern/systems/recording/hdf5_recording_reader.h"

namespace wyvern::app {

/** A signal in a log. */
struct SignalReport {
  /** Name of the signal, as "plant/state". */
  std::string name;
  /** Unit of all elements; empty if the log has none. */
  std::string unit;
  /** Names of the elements. */
  std::vector<std::string> element_names;
  /** Number of samples. */
  std::int64_t num_samples{};
  /** Time of the first sample, [s]; NaN without samples. */
  double first_time{};
  /** Time of the last sample, [s]; NaN without samples. */
  double last_time{};
};

/** Content of a log (HDF5). */
struct LogReport {
  /** The file that was read. */
  std::string file;
  /** Whether `wyvern view` replays it: it has a scenario and plant/state. */
  bool can_be_replayed{};
  /** Folder from which the run was started; empty if the log does not say. */
  std::string folder;
  /** Number of bytes of the scenario in the log; 0 without one. */
  std::uint64_t scenario_bytes{};
  /** Why the run ended; empty if it was killed or still goes on. */
  std::string reason;
  /** The signals, by name. */
  std::vector<SignalReport> signals;
  /** Events of the run, in order. */
  std::vector<systems::RecordedEvent> events;
  /** Models, meshes and tables that the run used. */
  std::vector<UsedFile> files;
};

/** Reads a log.
@throws std::runtime_error if it cannot be read, as Hdf5RecordingReader and
ListUsedFiles(). */
LogReport InspectLog(const std::filesystem::path& file);

/** Text for people: how the run ended, tables of signals and files, events. */
std::string ToText(const LogReport& report);
/** One JSON object with the fields of the structs; null for times without
samples. */
std::string ToJson(const LogReport& report);

}  // namespace wyvern::app
