// Changes HDF5 recordings anywhere. Each is read as samples of a run or refused
// with a plain message, in bounded time. One recording was closed; the writer
// of the other was killed, which takes a different path through the reader.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "wyvern/systems/recording/hdf5_recording_reader.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"

namespace wyvern {
namespace {

using systems::Hdf5RecordingReader;
using systems::Hdf5RecordingSink;
using systems::RecordingDescription;

/** A temporary folder of its own, removed by the destructor. HDF5 needs files
with names. */
class Folder {
 public:
  Folder() {
    fuzz::Require(mkdtemp(name_.data()) != nullptr, "/tmp can be written to");
  }
  Folder(const Folder&) = delete;
  ~Folder() {
    unlink(file().c_str());
    rmdir(name_.c_str());
  }
  std::string file() const { return name_ + "/run.h5"; }

 private:
  std::string name_{"/tmp/h5_fuzz_XXXXXX"};
};

std::string Contents(const std::string& name) {
  std::ifstream stream(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct Originals {
  Originals() {
    const std::string file = folder.file();
    RecordingDescription description;
    description.AddSignal({.name = "arm/state",
                           .unit = "rad",
                           .element_names = {"elbow", "wrist"},
                           .period = 0.01},
                          2);
    description.AddSignal({.name = "force", .period = 0.01}, 1);
    description.attributes["scenario"] = "a: 1\n";
    Hdf5RecordingSink sink(file);
    sink.Start(description);
    for (int i = 0; i < 20; ++i) {
      const double row[3] = {0.5 * i, -1.0 * i, 3.0 / (i + 1)};
      sink.WriteFrame(0, 0.01 * i, row);
    }
    sink.WriteEvent(0.1, "info", "bang");
    sink.Flush();
    killed = Contents(file + ".partial");
    sink.Close({{"reason", "it was over"}});
    closed = Contents(file);
  }

  Folder folder;
  std::string closed;
  std::string killed;
};

// Most bytes of a file are rows that do not exist yet, so half of the changes
// go to the structure.
std::string ChangeBytes(std::string bytes, fuzz::Choices* choices) {
  for (int i = choices->Below(8); i >= 0 && !bytes.empty(); --i) {
    const size_t reach =
        choices->Coin() ? std::min<size_t>(bytes.size(), 8192) : bytes.size();
    const size_t high = choices->Below(256), low = choices->Below(256);
    const size_t at = (256 * high + low) * reach / 65536;
    switch (choices->Below(16)) {
      case 0:
        bytes.resize(at);
        break;
      case 1:
        bytes.erase(at, 1 + choices->Below(16));
        break;
      case 2:
        bytes.insert(at, 1 + choices->Below(16),
                     static_cast<char>(choices->Below(256)));
        break;
      default:
        bytes[at] = static_cast<char>(choices->Below(256));
    }
  }
  return bytes;
}

void ReadAll(const std::string& name) {
  const Hdf5RecordingReader reader(name);
  reader.GetAttribute("scenario");
  reader.GetStatistic("reason");
  for (const std::string& signal : reader.GetSignalNames()) {
    const systems::RecordedSignal read = reader.ReadSignal(signal);
    fuzz::Require(read.values.cols() == read.times.size(),
                  "there is a time for each sample");
    fuzz::Require(read.values.allFinite() && read.times.allFinite(),
                  "samples are finite");
  }
  reader.ReadEvents();
}

}  // namespace
}  // namespace wyvern

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace wyvern;  // NOLINT(build/namespaces)
  if (!Hdf5RecordingSink::is_available()) return 0;
  static const Originals originals;
  fuzz::Choices choices(data, size);
  const bool is_closed = choices.Coin();
  const std::string file = originals.folder.file();
  std::ofstream(file, std::ios::binary)
      << ChangeBytes(is_closed ? originals.closed : originals.killed, &choices);
  try {
    ReadAll(file);
  } catch (const std::runtime_error& error) {
    fuzz::Refused(error);
    return 0;
  }
  fuzz::Accepted();
  return 0;
}
