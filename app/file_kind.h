#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wyvern::app {

/** Kinds of files that a person may hand to the program. */
enum class FileKind {
  kMissing,
  kFolder,
  kEmpty,
  kScenario,
  kDirectives,
  kUrdf,
  kSdf,
  kMjcf,
  kXacro,
  kHdf5,
  kMcap,
  kCsv,
  kMesh,
  kPage,
  kOtherXml,
  kOtherYaml,
  kOther,
};

/** Returns the kind of a file by its contents, or by its name if the contents
do not tell, as for a YAML file with an error in it. A pipe is taken for a
scenario. */
FileKind FindFileKind(const std::filesystem::path& file);

/** URDF, SDFormat, MJCF or directives. */
bool IsModel(FileKind kind);

/** Does nothing if the kind of the file is one of `wanted`.
@param command "run", the sub-command that was given the file.
@throws std::runtime_error on one line: the kind of the file, and which
sub-command takes it. */
void RequireFileKind(const std::filesystem::path& file,
                     const std::string& command,
                     const std::vector<FileKind>& wanted);

/** A message for a command line whose first word is a file instead of a
sub-command; empty if there is no such file. */
std::string SuggestCommandFor(const std::filesystem::path& file);

}  // namespace wyvern::app
