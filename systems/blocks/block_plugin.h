#pragma once

#include <cstddef>
#include <string>

#include "wyvern/systems/blocks/block_registry.h"
#include "wyvern/systems/framework/leaf_system.h"

/** @file
Blocks from shared libraries. A plug-in is a shared library with one source that
ends in `WYVERN_BLOCK_PLUGIN(registry) { registry->Add<Wobble>(); }`.
It is compiled with the headers of this library and links nothing of it: the
program that loads the plug-in has the library. */

namespace wyvern::systems {

namespace internal {
/** A number that differs between versions whose classes differ in size. */
constexpr std::size_t kPluginLayout =
    (sizeof(LeafSystem<double>) * 1009 + sizeof(BlockType)) * 1009 +
    sizeof(Context<double>);
}  // namespace internal

/** Loads a plug-in, which stays until the program ends. A plug-in that is
loaded already is not loaded again.
@throws std::runtime_error if the file is no shared library, needs a function
that this program does not have, has no WYVERN_BLOCK_PLUGIN, or was compiled
with headers of another version; std::logic_error as BlockRegistry::Add(). */
void LoadBlockPlugin(const std::string& filename);

}  // namespace wyvern::systems

/** Defines the function that adds the blocks of a plug-in to `registry`. */
#define WYVERN_BLOCK_PLUGIN(registry)                                     \
  extern "C" {                                                            \
  extern const std::size_t wyvern_plugin_layout                           \
      __attribute__((visibility("default")));                             \
  const std::size_t wyvern_plugin_layout =                                \
      ::wyvern::systems::internal::kPluginLayout;                         \
  void wyvern_register_blocks(::wyvern::systems::BlockRegistry* registry) \
      __attribute__((visibility("default")));                             \
  }                                                                       \
  void wyvern_register_blocks(::wyvern::systems::BlockRegistry* registry)
