#include "wyvern/systems/common/sealed_record.h"

#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/systems/common/value_serialization.h"

namespace wyvern::internal {
namespace {

[[noreturn]] void Fail(std::string_view function, const std::string& why) {
  throw std::runtime_error(fmt::format("{}(): {}", function, why));
}

std::string FormatStart(std::string_view kind) {
  return fmt::format("wyvern {}\n", kind);
}

std::string FormatSealed(std::string_view kind, int version,
                         const std::string& content) {
  std::ostringstream sealed;
  sealed << FormatStart(kind);
  WriteBinary(version, &sealed);
  WriteBinary(content, &sealed);
  return sealed.str();
}

}  // namespace

uint64_t HashBytes(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return hash;
}

void WriteSealed(std::string_view kind, int version, const std::string& content,
                 std::ostream* stream) {
  const std::string sealed = FormatSealed(kind, version, content);
  stream->write(sealed.data(), static_cast<std::streamsize>(sealed.size()));
  WriteBinary(HashBytes(sealed), stream);
}

std::string ReadSealed(std::string_view function, std::string_view kind,
                       int version, std::istream* stream) {
  std::string start(FormatStart(kind).size(), ' ');
  stream->read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start != FormatStart(kind)) {
    Fail(function, fmt::format("the stream does not start as a saved {} does; "
                               "pass one that is.",
                               kind));
  }
  std::string content;
  uint64_t checksum{};
  try {
    int written{};
    ReadBinary(&written, stream);
    if (written != version) {
      Fail(function,
           fmt::format("the saved {} is in version {} of the format, and "
                       "only version {} can be read; save it anew.",
                       kind, written, version));
    }
    ReadBinary(&content, stream);
    ReadBinary(&checksum, stream);
  } catch (const std::runtime_error& e) {
    if (std::string_view(e.what()).starts_with(function)) throw;
    Fail(function,
         fmt::format("the saved {} is not whole: {}", kind, e.what()));
  }
  const uint64_t expected = HashBytes(FormatSealed(kind, version, content));
  if (checksum != expected) {
    Fail(function, fmt::format("the saved {} has been changed since: "
                               "its checksum is {:016x}, and that of its {} "
                               "bytes is {:016x}; save it anew.",
                               kind, checksum, content.size(), expected));
  }
  return content;
}

}  // namespace wyvern::internal
