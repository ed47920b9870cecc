#pragma once

/** @file
Drake's namespace. Every header of the folder drake/ includes this.

A program that opens the namespace itself (`namespace drake { ... }`), as
Drake's own examples do, defines WYVERN_OPEN_NAMESPACE_DRAKE for all its files:
a namespace cannot be opened by its second name, so the word itself is replaced.
*/

#ifdef WYVERN_OPEN_NAMESPACE_DRAKE
#define drake wyvern
namespace drake {}
#else
namespace wyvern {}
namespace drake = wyvern;
#endif
