#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "wyvern/systems/recording/recording_sink.h"

namespace wyvern::systems {

/** An HDF5 file:

- `/signals/NAME`, a group a signal: `data`, a row a sample (samples x numbers),
  `time` [s], a row a sample, one for all signals of a period; attributes
`unit`, `element_names`, `period` [s].
- a text signal has `time`; `text`, the bytes of all samples one after another;
  `end`, where each ends in them.
- `/events`: `time`, `text`, `end`, of JSON objects with `level` and `text`.
- `/attributes/KEY`, `/statistics/KEY`: texts; statistics are written when the
  file is closed.

Rows are written at a flush, in SWMR mode, so another program may read the file
meanwhile. A file that was not closed is complete up to the last flush. Open it
with `h5py.File(name, "r", swmr=True)`; `h5clear -s` makes it an ordinary file.

@throws std::logic_error in a library that was built without HDF5;
std::runtime_error also if the name is that of a device or a pipe. */
class Hdf5RecordingSink final : public RecordingSink {
 public:
  /** Opens the partial file. */
  explicit Hdf5RecordingSink(const std::string& filename);
  ~Hdf5RecordingSink() override;

  void Start(const RecordingDescription& description) override;
  void WriteFrame(int group, double time, const double* values) override;
  void WriteText(int signal, double time, std::string_view json) override;
  void WriteEvent(double time, std::string_view level,
                  std::string_view text) override;
  void Flush() override;
  void Close(const std::map<std::string, std::string>& statistics) override;
  void Discard() override;
  const std::string& filename() const override;

  /** Whether the library was built with HDF5. */
  static bool is_available();

 private:
  struct File;
  const std::unique_ptr<File> file_;
};

}  // namespace wyvern::systems
