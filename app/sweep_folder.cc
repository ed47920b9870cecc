#include "wyvern/app/sweep_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wyvern/app/sweep_records.h"
#include "wyvern/systems/common/file_paths.h"
#include "wyvern/systems/common/output_file.h"

/* A lock, a description of the study, files of rows, and a table in the end. A
sweep has its folder alone; shards share it, and each has one within it
alone. A study goes on only with the results of the same one. */

namespace wyvern::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kDescriptionFile = "sweep.txt";
constexpr const char* kTableFile = "results.csv";

std::vector<fs::path> FindShards(const fs::path& folder) {
  std::vector<fs::path> shards;
  for (const fs::path& entry : internal::ListFolder("RunSweep()", folder)) {
    std::error_code ignored;
    if (fs::is_directory(entry, ignored) &&
        entry.filename().string().starts_with("shard_")) {
      shards.push_back(entry);
    }
  }
  return shards;
}

std::string ReadText(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

void ThrowSweepSystemError(const std::string& what) {
  throw std::runtime_error(
      fmt::format("RunSweep(): {}: {}.", what, std::strerror(errno)));
}

void SweepFolder::Lock(const fs::path& folder, internal::FileLock::Kind kind) {
  const std::string file = (folder / "lock").string();
  auto lock = std::make_unique<internal::FileLock>(file, kind);
  if (lock->error() == EWOULDBLOCK) {
    throw std::runtime_error(
        fmt::format("RunSweep(): a sweep is running in '{}'; wait for its end, "
                    "or give another folder.",
                    folder.string()));
  }
  if (lock->error() != 0) {
    errno = lock->error();
    ThrowSweepSystemError(file);
  }
  locks_.push_back(std::move(lock));
}

SweepFolder::SweepFolder(const SweepStudy& study, const SweepOptions& options)
    : options_(options), folder_(options.folder) {
  if (options.ranks != nullptr && options.ranks->rank() > 0) return;
  std::string description = study.plan.Describe() + "outputs:";
  for (const std::string& output : study.outputs) {
    description += " " + output;
  }
  description += "\n" + study.description;
  const bool is_shard = options.num_shards > 1;
  internal::MakeFolders("RunSweep()", folder_);
  using Kind = internal::FileLock::Kind;
  Lock(folder_, is_shard ? Kind::kShared : Kind::kExclusive);
  if (is_shard) {
    folder_ /= fmt::format("shard_{}_of_{}", options.shard, options.num_shards);
    internal::MakeFolders("RunSweep()", folder_);
    Lock(folder_, Kind::kExclusive);
    RequireSameStudy(folder_, description);
  } else {
    RequireSameStudy(folder_, description);
    for (const fs::path& shard : FindShards(folder_)) {
      RequireSameStudy(shard, description);
    }
  }
  if (!internal::Exists(folder_ / kDescriptionFile)) {
    internal::WriteWholeFile("RunSweep()", folder_ / kDescriptionFile,
                             description);
  }
}

SweepFolder::~SweepFolder() = default;

std::string SweepFolder::ReadDescription() const {
  return ReadText(folder_ / kDescriptionFile);
}

SweepRanks::Counts SweepFolder::Count() const {
  std::map<std::uint64_t, bool> is_failed;
  Read([&](std::uint64_t sample, std::string_view row) {
    is_failed.try_emplace(sample, SplitCsvRow(row).at(1) != "ok");
  });
  SweepRanks::Counts counts{.num_done = is_failed.size()};
  for (const auto& [sample, failed] : is_failed) counts.num_failed += failed;
  return counts;
}

void SweepFolder::Read(
    const std::function<void(std::uint64_t, std::string_view)>& take) const {
  std::vector<fs::path> folders{folder_};
  if (options_.num_shards == 1) {
    for (const fs::path& shard : FindShards(folder_)) {
      folders.push_back(shard);
    }
  }
  for (const fs::path& folder : folders) {
    for (const fs::path& entry : internal::ListFolder("RunSweep()", folder)) {
      if (entry.extension() != ".rows") continue;
      ReadSweepRecords(entry, take);
    }
  }
}

fs::path SweepFolder::WriteTable(const SweepStudy& study) const {
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  Read([&](std::uint64_t sample, std::string_view row) {
    rows.emplace_back(sample, row);
  });
  std::sort(rows.begin(), rows.end());
  std::string text = "sample,status";
  for (const std::string& output : study.outputs) {
    text += "," + ToCsvField(output);
  }
  text += ",random_seed";
  for (const SweepParameter& parameter : study.plan.parameters()) {
    text += "," + ToCsvField(parameter.path);
  }
  text += ",note\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // A shard's result may be there besides the same of another.
    if (i > 0 && rows[i].first == rows[i - 1].first) continue;
    text += rows[i].second + "\n";
  }
  const fs::path table = folder_ / kTableFile;
  internal::WriteWholeFile("RunSweep()", table, text);
  return table;
}

void SweepFolder::RequireSameStudy(const fs::path& folder,
                                   const std::string& description) const {
  const fs::path file = folder / kDescriptionFile;
  if (!internal::Exists(file)) return;
  if (!options_.resume) {
    throw std::runtime_error(fmt::format(
        "RunSweep(): '{}' has results; resume that sweep (--resume), or give "
        "another folder.",
        folder.string()));
  }
  if (ReadText(file) != description) {
    throw std::runtime_error(fmt::format(
        "RunSweep(): '{}' has results of another sweep: its scenario, "
        "parameters, number of samples, seed or outputs differ (see {}); "
        "give another folder.",
        folder.string(), file.string()));
  }
}

}  // namespace wyvern::app
