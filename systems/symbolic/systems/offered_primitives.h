#pragma once

namespace wyvern::systems::internal {

/** Lets the blocks that README.md lists convert to symbolic::Expression. */
void OfferSymbolicPrimitives();

/** Lets LeafSystem::GetDirectFeedthroughs() ask expressions. */
void OfferSymbolicFeedthroughs();

}  // namespace wyvern::systems::internal
