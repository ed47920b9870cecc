#pragma once

#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>

namespace wyvern::internal {

/** Writes `content` so that ReadSealed() can tell that nothing is missing and
nothing has changed: `kind`, which says what it is, a line end, the version of
its format, its size, itself, and a checksum of all that. */
void WriteSealed(std::string_view kind, int version, const std::string& content,
                 std::ostream* stream);

/** Returns the content, and leaves the stream behind it.
@throws std::runtime_error that begins with `function` and says what is wrong:
the stream holds something else, was written in another version of the format,
ends early, or has been changed. Every change of a single byte is noticed. */
std::string ReadSealed(std::string_view function, std::string_view kind,
                       int version, std::istream* stream);

/** The 64-bit FNV-1a hash of `bytes` [Fowler, Noll, Vo; RFC 9923]. Every step
is one-to-one, so that strings that differ in a single byte never agree. */
uint64_t HashBytes(std::string_view bytes);

}  // namespace wyvern::internal
