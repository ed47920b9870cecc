#include "wyvern/systems/recording/recording_sink.h"

#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/recording/csv_recording_sink.h"
#include "wyvern/systems/recording/hdf5_recording_sink.h"
#include "wyvern/systems/recording/mcap_recording_sink.h"

namespace wyvern::systems {

std::unique_ptr<RecordingSink> OpenRecordingSink(const std::string& filename) {
  const std::string ending =
      std::filesystem::path(filename).extension().string();
  if (ending == ".csv") return std::make_unique<CsvRecordingSink>(filename);
  if (ending == ".mcap") return std::make_unique<McapRecordingSink>(filename);
  if (ending == ".h5" || ending == ".hdf5") {
    return std::make_unique<Hdf5RecordingSink>(filename);
  }
  throw std::logic_error(fmt::format(
      "OpenRecordingSink(): '{}' has the ending '{}'; give a name that ends in "
      ".csv, .h5, .hdf5 or .mcap.",
      filename, ending));
}

}  // namespace wyvern::systems
