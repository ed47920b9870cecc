#pragma once

/** @file
What the library asks of std::filesystem, with its own words where that would
throw a "filesystem error". */

#include <filesystem>
#include <string>
#include <vector>

namespace wyvern::internal {

/** The path from the root; a relative path is one from the working folder.
@param who as messages begin: "Parser::AddModels()"
@throws std::runtime_error if the path is relative and the working folder is
gone. */
std::filesystem::path MakeAbsolute(const std::string& who,
                                   const std::filesystem::path& path);

/** MakeAbsolute() without symbolic links, "." and ".." as far as the path
exists.
@throws as MakeAbsolute(). */
std::filesystem::path MakeCanonical(const std::string& who,
                                    const std::filesystem::path& path);

/** Whether something is there; false if that cannot be found out. */
bool Exists(const std::filesystem::path& path);

/** Makes a folder and those above it, as far as they are not there.
@returns whether it was made.
@throws std::runtime_error naming the folder if it cannot be made. */
bool MakeFolders(const std::string& who, const std::filesystem::path& folder);

/** What is in a folder, in the order of the names.
@throws std::runtime_error naming the folder if it cannot be read. */
std::vector<std::filesystem::path> ListFolder(
    const std::string& who, const std::filesystem::path& folder);

}  // namespace wyvern::internal
