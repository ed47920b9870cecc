#pragma once

namespace wyvern {

/** Says that the arguments are there on purpose, though nobody reads them. */
template <typename... Args>
void unused(const Args&...) {}

}  // namespace wyvern
