#include "examples/support/models_folder.h"

#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

namespace wyvern::examples {

std::optional<std::filesystem::path> FindModelsFolder(int argc, char* argv[]) {
  const char* variable = std::getenv("WYVERN_MODELS_DIR");
  std::filesystem::path folder;
  if (argc > 1) {
    folder = argv[1];
  } else if (variable != nullptr) {
    folder = variable;
  }
  std::error_code ignored;
  if (!folder.empty() &&
      std::filesystem::exists(folder / "package.xml", ignored)) {
    return folder;
  }
  fmt::print(
      "skipped: no package.xml in '{}'; give the folder of the package "
      "drake_models as an argument, or in WYVERN_MODELS_DIR.\n",
      folder.string());
  return {};
}

}  // namespace wyvern::examples
