#include "wyvern/systems/blocks/standard_blocks.h"

namespace wyvern::systems::internal {

void AddStandardBlocks(BlockRegistry* registry) {
  AddSourceBlocks(registry);
  AddArithmeticBlocks(registry);
  AddSwitchBlocks(registry);
  AddDynamicBlocks(registry);
  AddSampledBlocks(registry);
  AddFilterBlocks(registry);
  AddControlBlocks(registry);
  AddEstimationBlocks(registry);
  AddNestedBlocks(registry);
  AddConditionalBlocks(registry);
}

}  // namespace wyvern::systems::internal
