#pragma once

namespace wyvern::systems {

/** Names a System class template, to say at construction what a System converts
to another scalar type as: `LeafSystem<T>(SystemTypeTag<Gain>{})`. */
template <template <typename> class S>
struct SystemTypeTag {};

}  // namespace wyvern::systems
