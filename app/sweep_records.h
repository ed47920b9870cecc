#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "wyvern/systems/common/class_macros.h"
#include "wyvern/systems/primitives/csv_table.h"

namespace wyvern::app {

/** A file of rows, each with a checksum in front, that one process appends to.
A row is in the file once Append() returns, whatever then happens to the
process; the last row may be torn if the disk was full or the machine stopped.
*/
class SweepRecords {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(SweepRecords);

  /** Goes on behind what is there; a torn row is closed off.
  @throws std::runtime_error naming the file and why it cannot be opened. */
  explicit SweepRecords(const std::filesystem::path& file);
  ~SweepRecords();

  /** Appends a row to the file.
  @param row begins with the sample's number and a comma; no line end.
  @throws std::runtime_error naming the file and why, a full disk for one. */
  void Append(std::string_view row);

 private:
  const std::filesystem::path file_;
  int descriptor_{-1};
};

/** Calls `take` with the number of the sample and the row, for each row of the
file that is whole. What is torn is passed over.
@param tail how many bytes at the end to look at, at most.
@throws std::runtime_error if the file cannot be read. */
void ReadSweepRecords(
    const std::filesystem::path& file,
    const std::function<void(std::uint64_t, std::string_view)>& take,
    std::uint64_t tail = ~std::uint64_t{0});

/** Calls `take` with the fields of each row of a table, the names first, until
it returns false. @throws std::runtime_error if the file cannot be read. */
void ReadSweepTable(
    const std::filesystem::path& table,
    const std::function<bool(const std::vector<std::string>&)>& take);

/** The text as a field of a table: one line, in quotes if need be. */
std::string ToCsvField(std::string_view text);
using systems::SplitCsvRow;

/** How notes begin of samples that exceeded the time limit, or whose process
died. */
inline constexpr std::string_view kNoteOfTimeout = "it took more than ";
/** Begins the note of a sample whose process died. */
inline constexpr std::string_view kNoteOfDeath = "its process ";

/** Returns true for notes that begin so. */
inline bool IsNoteOfKilledProcess(std::string_view note) {
  return note.starts_with(kNoteOfTimeout) || note.starts_with(kNoteOfDeath);
}

}  // namespace wyvern::app
