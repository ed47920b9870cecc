#pragma once

/** @file
Functions of std::filesystem that the library uses, with messages of its own
instead of a "filesystem error". */

#include <filesystem>
#include <string>
#include <vector>

namespace wyvern::internal {

/** Returns the path from the root; a relative path starts at the working
folder.
@param who subject of messages: "Parser::AddModels()"
@throws std::runtime_error if the path is relative and the working folder is
gone. */
std::filesystem::path MakeAbsolute(const std::string& who,
                                   const std::filesystem::path& path);

/** Returns MakeAbsolute() without symbolic links, "." and "..", as far as the
path exists.
@throws as MakeAbsolute(). */
std::filesystem::path MakeCanonical(const std::string& who,
                                    const std::filesystem::path& path);

/** Returns whether the path exists; false if that cannot be found out. */
bool Exists(const std::filesystem::path& path);

/** Makes a folder and its missing parents.
@returns whether it was made.
@throws std::runtime_error naming the folder if it cannot be made. */
bool MakeFolders(const std::string& who, const std::filesystem::path& folder);

/** Returns the contents of a folder, in the order of the names.
@throws std::runtime_error naming the folder if it cannot be read. */
std::vector<std::filesystem::path> ListFolder(
    const std::string& who, const std::filesystem::path& folder);

}  // namespace wyvern::internal
