#include "wyvern/multibody/parsing/sdf_places.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>

#include "wyvern/multibody/parsing/parse_number.h"

namespace wyvern::multibody::internal {

namespace {

using IsWanted = std::function<bool(const XmlElement&)>;

std::optional<std::string> FindPlace(const XmlElement& element,
                                     const IsWanted& is_wanted) {
  if (is_wanted(element)) return element.place();
  for (const XmlElement& child : element.children()) {
    auto place = FindPlace(child, is_wanted);
    if (place.has_value()) return place;
  }
  return {};
}

std::optional<std::string> FindPlace(
    const std::vector<const XmlDocument*>& documents,
    const IsWanted& is_wanted) {
  for (const XmlDocument* const document : documents) {
    auto place = FindPlace(document->root(), is_wanted);
    if (place.has_value()) return place;
  }
  return {};
}

// Returns the last tag that `words` names; empty if it names none.
std::string_view LastTag(std::string_view words) {
  std::string_view result;
  std::size_t last = 0;
  for (const std::string_view tag :
       {"link", "joint", "frame", "model", "visual", "collision", "sensor",
        "light", "world"}) {
    const std::size_t at = words.rfind(tag);
    if (at == words.npos || (!result.empty() && at < last)) continue;
    result = tag;
    last = at;
  }
  return result;
}

bool IsZeroAxis(const XmlElement& element) {
  if (!element.IsNamed("xyz")) return false;
  const auto numbers = ParseNumbers(element.text());
  return numbers.has_value() &&
         std::ranges::all_of(*numbers, [](double x) { return x == 0; });
}

}  // namespace

std::string FindSdfPlace(std::string_view message,
                         const std::vector<const XmlDocument*>& documents) {
  std::string words(message);
  for (char& c : words) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  // Elements are listed as "... joint with name[elbow] ...", one after another.
  std::size_t begin = 0;
  for (std::size_t open = words.find('['); open != words.npos;
       open = words.find('[', begin)) {
    const std::size_t end = words.find(']', open);
    if (end == words.npos) break;
    const std::string_view tag =
        LastTag(std::string_view(words).substr(begin, open - begin));
    std::string_view name = message.substr(open + 1, end - open - 1);
    const std::size_t scope = name.rfind("::");
    if (scope != name.npos) name = name.substr(scope + 2);
    begin = end + 1;
    if (tag.empty()) continue;
    const auto place = FindPlace(documents, [&](const XmlElement& element) {
      return element.IsNamed(tag) && element.Attribute("name") == name;
    });
    if (place.has_value()) return *place;
  }
  if (words.find("xyz") != words.npos) {
    const auto place = FindPlace(documents, IsZeroAxis);
    if (place.has_value()) return *place;
  }
  return documents.at(0)->root().place();
}

}  // namespace wyvern::multibody::internal
