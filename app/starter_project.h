#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wyvern::app {

/** Makes a folder to start from, for `wyvern new`: `scenario.yaml`,
`model.urdf` (an arm with two joints) and a `README.md` that explains each key
of both files. `wyvern run scenario.yaml` works in it at once.
@param folder the new folder; missing parents are made, too. Its last word
becomes the title: letters, digits, '-', '_' and '.'.
@returns the files, in the order above.
@throws std::runtime_error if the name is not such a word, if something exists
there, or if a file cannot be written; then nothing is left behind. */
std::vector<std::filesystem::path> MakeStarterProject(
    const std::filesystem::path& folder);

}  // namespace wyvern::app
