#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace wyvern::app {

/** Contents of a report about a sweep. */
struct SweepPage {
  /** Heading of the page. */
  std::string title;
  /** Table of RunSweep(), and the number of its outputs. */
  std::filesystem::path table;
  /** Columns behind sample and status that are looked at. */
  int num_outputs{};
  /** Returns the command that runs a sample alone. */
  std::function<std::string(std::uint64_t)> rerun;
  /** Returns a page that plays a sample's motion; may be empty, as may be the
  page. It is not called for samples whose process died or took too long. */
  std::function<std::string(std::uint64_t)> replay{};
};

/** Writes a report about a sweep as one HTML file: statistics, a scatter plot
of any two columns, the distribution of each column, the table, and the worst
runs with replays. At most 500 runs are listed, and 4 are replayed.
@throws std::runtime_error if the table cannot be read, or the file not be
written. */
void SaveSweepPage(const SweepPage& page, const std::filesystem::path& file);

}  // namespace wyvern::app
