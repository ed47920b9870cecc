#pragma once

#include <set>
#include <utility>

namespace wyvern::systems {

template <typename T>
class System;

namespace internal {

/** Pairs of input and output ports. */
using FeedthroughPairs = std::set<std::pair<int, int>>;

/** Takes away pairs whose output does not depend on the input, by the System's
expressions; leaves what cannot be told. Null in a program that links no
expressions: those set it before main(). */
template <typename T>
inline void (*remove_false_feedthroughs)(const System<T>& system,
                                         FeedthroughPairs* pairs) = nullptr;

}  // namespace internal
}  // namespace wyvern::systems
