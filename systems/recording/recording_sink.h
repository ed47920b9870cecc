#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/recording/recording_description.h"

namespace wyvern::systems {

/** Where a recording goes. A Recording calls it from one thread at a time:
Start() once, writes with times that do not go back in their group or signal,
Flush() now and then, Close() at the end. Without Close(), as after an error, a
file keeps the name `<filename>.partial`. All throw std::runtime_error with the
file's name if it cannot be written. */
class RecordingSink {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(RecordingSink);
  RecordingSink() = default;
  virtual ~RecordingSink() = default;

  /** Begins a recording; it is called once, before everything else.
  @throws std::logic_error also if the sink cannot hold such a recording. */
  virtual void Start(const RecordingDescription& description) = 0;
  /** The numbers of the signals of a group, one after another. Finite. */
  virtual void WriteFrame(int group, double time, const double* values) = 0;
  /** A sample of a text signal: a JSON object. */
  virtual void WriteText(int signal, double time, std::string_view json) = 0;
  /** Something that happened: a warning, the end of a phase. */
  virtual void WriteEvent(double time, std::string_view level,
                          std::string_view text) = 0;
  /** Makes all written data readable, whatever happens to this process. */
  virtual void Flush() = 0;
  /** Ends the file and gives it its name. Nothing is called afterwards. */
  virtual void Close(const std::map<std::string, std::string>& statistics) = 0;

  /** Removes the file that was begun, instead of Start(). No function is called
  afterwards. */
  virtual void Discard() {}

  /** The name that Close() gives to the file. */
  virtual const std::string& filename() const = 0;
};

/** Makes the sink of a file, chosen by the extension of its name: .csv, .h5 or
.hdf5, .mcap. The file `<filename>.partial` is open afterwards.
@throws std::logic_error for another extension, for .h5 in a library that was
built without HDF5, or for a file that this process is writing already.
@throws std::runtime_error if the file cannot be opened, or another process is
writing it. */
std::unique_ptr<RecordingSink> OpenRecordingSink(const std::string& filename);

}  // namespace wyvern::systems
