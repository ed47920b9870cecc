#pragma once

namespace wyvern::systems {
class BlockRegistry;
}  // namespace wyvern::systems

namespace wyvern::systems::internal {

/** @name The types of the structs in the file of each name
@{ */
void AddSourceBlocks(BlockRegistry* registry);
void AddArithmeticBlocks(BlockRegistry* registry);
void AddSwitchBlocks(BlockRegistry* registry);
void AddDynamicBlocks(BlockRegistry* registry);
void AddSampledBlocks(BlockRegistry* registry);
void AddFilterBlocks(BlockRegistry* registry);
void AddControlBlocks(BlockRegistry* registry);
void AddEstimationBlocks(BlockRegistry* registry);
void AddNestedBlocks(BlockRegistry* registry);
void AddConditionalBlocks(BlockRegistry* registry);
/** @} */

/** Adds all of the above. */
void AddStandardBlocks(BlockRegistry* registry);

}  // namespace wyvern::systems::internal
