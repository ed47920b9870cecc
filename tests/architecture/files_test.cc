// No source of the library calls std::filesystem in a way that throws, because
// those errors are not sentences for users. It passes a std::error_code, or
// uses systems/common/file_paths.h. Only systems/common/output_file.h and the
// few sources named here open files for writing.
#include <filesystem>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/architecture/include_law.h"

namespace wyvern::tests {
namespace files_test {

const std::filesystem::path kTop = WYVERN_SOURCE_DIR;

// Returns the calls of a source that pass no std::error_code to
// std::filesystem. The library's error codes are named `error` or `ignored`.
std::vector<std::string> ThrowingCalls(const std::string& source) {
  static const std::regex call(
      R"(\b(fs|std::filesystem)::(absolute|canonical|copy|copy_file|)"
      R"(create_director\w+|current_path|(recursive_)?directory_iterator|)"
      R"(equivalent|exists|file_size|is_directory|is_empty|is_regular_file|)"
      R"(is_symlink|last_write_time|proximate|read_symlink|relative|remove|)"
      R"(remove_all|rename|status|symlink_status|temp_directory_path|)"
      R"(weakly_canonical)\b[^(;]*\()");
  std::vector<std::string> result;
  if (source.find("fs::") == source.npos &&
      source.find("filesystem::") == source.npos) {
    return result;
  }
  for (std::sregex_iterator it(source.begin(), source.end(), call), end;
       it != end; ++it) {
    const auto begin = static_cast<size_t>(it->position());
    size_t at = begin + static_cast<size_t>(it->length());
    for (int depth = 1; depth > 0 && at < source.size(); ++at) {
      depth += (source[at] == '(') - (source[at] == ')');
    }
    const std::string text = source.substr(begin, at - begin);
    if (text.find("error") == text.npos && text.find("ignored") == text.npos) {
      result.push_back(text);
    }
  }
  return result;
}

TEST(Files, ThrowingCallsAreFound) {
  EXPECT_EQ(ThrowingCalls("if (fs::exists(a / b(c))) x;"),
            std::vector<std::string>{"fs::exists(a / b(c))"});
  EXPECT_EQ(ThrowingCalls("for (fs::directory_iterator it(folder), end;;)"),
            std::vector<std::string>{"fs::directory_iterator it(folder)"});
  EXPECT_TRUE(ThrowingCalls("fs::exists(a, error); fs::path x(b);").empty());
}

TEST(Files, NoSourceLetsStdFilesystemThrow) {
  for (const std::string& path : LibrarySources(kTop)) {
    for (const std::string& call : ThrowingCalls(ReadFile(kTop / path))) {
      ADD_FAILURE() << path << ": " << call
                    << "; give it a std::error_code, or take a function of "
                       "systems/common/file_paths.h";
    }
  }
}

// Sources that open files for writing themselves, and the reason.
const std::vector<std::pair<std::string, std::string>> kWriters = {
    {"systems/common/file_lock.cc", "what OutputFile is made of"},
    {"systems/common/output_file.cc", "the one"},
    // Uses the partial name of an OutputFile.
    {"systems/recording/hdf5_recording_sink.cc", "HDF5 opens files itself"},
    {"systems/recording/hdf5_table.cc", "HDF5 opens files itself"},
    // Writes beside a locked file.
    {"systems/recording/csv_recording_sink.cc", "events are appended"},
    // Writes in a locked folder.
    {"app/sweep.cc", "what workers say on stderr is appended"},
    {"app/sweep_records.cc", "rows are appended"},
};

TEST(Files, AreWrittenThroughAnOutputFileAlone) {
  for (const std::string& path : LibrarySources(kTop)) {
    bool is_named = false;
    for (const auto& writer : kWriters) is_named |= writer.first == path;
    if (is_named || path == "systems/common/standard_output.cc") continue;
    const std::string text = ReadFile(kTop / path);
    for (const char* opens :
         {"ofstream", "fopen(", "O_WRONLY", "O_CREAT", "H5Fcreate("}) {
      EXPECT_EQ(text.find(opens), text.npos)
          << path << " opens a file for writing; take an OutputFile, or "
          << "WriteWholeFile()";
    }
  }
}

}  // namespace files_test
}  // namespace wyvern::tests
