#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::systems {

/** Samples of a signal of numbers. */
struct RecordedSignal {
  /** Name of the signal. */
  std::string name;
  /** Unit of all elements; may be empty. */
  std::string unit;
  /** Names of the elements. */
  std::vector<std::string> element_names;
  Eigen::VectorXd times;   // n [s]
  Eigen::MatrixXd values;  // numbers x n, a column a time.
};

/** Something that happened during a run. */
struct RecordedEvent {
  double time{};  // [s]
  /** "info", "warning" or "error". */
  std::string level;
  /** The words of the event. */
  std::string text;
};

/** Reads what an Hdf5RecordingSink wrote: also of a run that was killed, up to
its last flush, and of one that still goes on.

@throws std::logic_error in a library that was built without HDF5;
std::runtime_error if the file cannot be read, or an Hdf5RecordingSink did not
write it: so do all functions. */
class Hdf5RecordingReader {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(Hdf5RecordingReader);

  /** Opens the file. */
  explicit Hdf5RecordingReader(const std::string& filename);
  ~Hdf5RecordingReader();

  /** Such as "scenario"; empty if there is none of that name. */
  std::string GetAttribute(const std::string& name) const;
  /** Such as "reason"; empty if there is none, as in a run that was killed. */
  std::string GetStatistic(const std::string& name) const;
  /** Returns the names of numeric signals in alphabetical order. */
  std::vector<std::string> GetSignalNames() const;
  /** Reads all samples of a signal.
  @throws std::runtime_error naming those there are, if there is no such
  signal of numbers. */
  RecordedSignal ReadSignal(const std::string& name) const;
  /** Returns all events, in the order in which they were written. */
  std::vector<RecordedEvent> ReadEvents() const;
  /** Returns the contents of the files in the recording, by name. */
  std::map<std::string, std::string> ReadFiles() const;

 private:
  struct File;
  std::string FindText(const std::string& path) const;

  const std::unique_ptr<File> file_;
};

}  // namespace wyvern::systems
