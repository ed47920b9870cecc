#pragma once

#include <string_view>

namespace wyvern::geometry::internal {

/** The page, HTML with all it needs; empty if the library was built without. It
is made from web/ when the library is built. */
std::string_view ViewerPage();

}  // namespace wyvern::geometry::internal
