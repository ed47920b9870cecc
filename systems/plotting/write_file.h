#pragma once

#include <filesystem>
#include <string>

namespace wyvern::plotting {

/** Writes a file all at once: the content goes to `<path>.partial`, which then
replaces `path`, so that no half-written file is found. Makes missing parent
folders. Links are followed; a device or a pipe is written to.
@throws std::logic_error if the path is empty, or this process is already
writing that file.
@throws std::runtime_error naming the file if it cannot be written, or another
process is writing it. */
void WriteFile(const std::filesystem::path& path, const std::string& content);

/** Makes the folder and tries it with a file of a byte, before long work whose
results go there.
@throws std::runtime_error as WriteFile(). */
void RequireWritable(const std::filesystem::path& folder);

}  // namespace wyvern::plotting
