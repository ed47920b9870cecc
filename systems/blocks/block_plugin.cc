#include "wyvern/systems/blocks/block_plugin.h"

#include <dlfcn.h>

#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/file_paths.h"

namespace wyvern::systems {

void LoadBlockPlugin(const std::string& filename) {
  const std::string path =
      wyvern::internal::MakeCanonical("LoadBlockPlugin", filename).string();
  const auto fail = [&filename](const std::string& what) {
    throw std::runtime_error(
        fmt::format("LoadBlockPlugin(): the plug-in '{}' {}.", filename, what));
  };
  if (!wyvern::internal::Exists(path)) {
    fail("does not exist; give the path of a shared library");
  }
  static std::set<std::string> loaded;
  if (loaded.contains(path)) return;
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = dlerror();
    fail(
        fmt::format("cannot be loaded ({}); compile it with the headers of "
                    "this version",
                    reason == nullptr ? "no reason is known" : reason));
  }
  const void* const layout = dlsym(library, "wyvern_plugin_layout");
  void* const function = dlsym(library, "wyvern_register_blocks");
  if (layout == nullptr || function == nullptr) {
    dlclose(library);
    fail("registers no blocks; let its source end in WYVERN_BLOCK_PLUGIN");
  }
  if (*static_cast<const std::size_t*>(layout) != internal::kPluginLayout) {
    dlclose(library);
    fail("was compiled with headers of another version; compile it again");
  }
  reinterpret_cast<void (*)(BlockRegistry*)>(function)(
      &BlockRegistry::GetMutable());
  loaded.insert(path);
}

}  // namespace wyvern::systems
