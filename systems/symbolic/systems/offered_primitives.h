#pragma once

namespace wyvern::systems::internal {

/** Lets the blocks that README.md lists convert to symbolic::Expression. */
void OfferSymbolicPrimitives();

}  // namespace wyvern::systems::internal
