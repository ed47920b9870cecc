#include "wyvern/multibody/parsing/root_element.h"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace wyvern::multibody::internal {

std::string ReadBeginning(const std::filesystem::path& file) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  std::error_code error;
  // Reading a pipe or a device might never end.
  if (!std::filesystem::is_regular_file(file, error)) return {};
  const auto size = std::filesystem::file_size(file, error);
  if (error) return {};
  std::string text(std::min<std::size_t>(size, kMost), '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

std::string_view FindRootElement(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  const auto skip = [&text](std::string_view begin, std::string_view end) {
    if (!text.starts_with(begin)) return false;
    const std::size_t at = text.find(end, begin.size());
    text.remove_prefix(at == text.npos ? text.size() : at + end.size());
    return true;
  };
  do {
    text.remove_prefix(
        std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  } while (skip("<!--", "-->") || skip("<?", "?>") || skip("<!", ">"));
  if (!text.starts_with('<')) return {};
  text.remove_prefix(1);
  return text.substr(0, text.find_first_of(" \t\r\n/>"));
}

}  // namespace wyvern::multibody::internal
