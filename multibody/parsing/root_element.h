#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace wyvern::multibody::internal {

/** The first bytes of a file, at most a mebibyte; empty if it cannot be read or
is no regular file. */
std::string ReadBeginning(const std::filesystem::path& file);

/** The name of the first element of an XML text, past declarations, comments
and a byte order mark; empty if the text does not begin like XML. */
std::string_view FindRootElement(std::string_view text);

}  // namespace wyvern::multibody::internal
