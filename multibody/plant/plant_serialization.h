#pragma once

namespace wyvern::multibody::internal {

/** Makes the types of abstract states and ports of this folder known to
ValueSerialization, so that Contexts that hold them can be saved and resumed.
Called by the constructors of the Systems that use them. */
void RegisterPlantSerialization();

}  // namespace wyvern::multibody::internal
