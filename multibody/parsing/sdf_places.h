#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wyvern/multibody/parsing/xml_document.h"

namespace wyvern::multibody::internal {

/** Returns the place, "file:line", of the element that an error of libsdformat
is about. Its errors about frames, poses and axes have no line, but name the
element, as "joint with name[elbow]".
@param documents Documents to search, in this order.
@returns the root of the first document if there is no such element. */
std::string FindSdfPlace(std::string_view message,
                         const std::vector<const XmlDocument*>& documents);

}  // namespace wyvern::multibody::internal
