#pragma once

#include <filesystem>
#include <optional>

namespace wyvern::examples {

/** The exit code by which an example says that it had nothing to run on; the
tests count it as skipped. */
inline constexpr int kSkipped = 77;

/** The folder with other people's robots, a package.xml in it: the program's
first argument, or else the environment variable WYVERN_MODELS_DIR. If there is
none, prints in one line what to do. */
std::optional<std::filesystem::path> FindModelsFolder(int argc, char* argv[]);

}  // namespace wyvern::examples
