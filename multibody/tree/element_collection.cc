#include "wyvern/multibody/tree/element_collection.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wyvern::multibody::internal {

void ThrowNoElementNamed(std::string_view model, std::string_view kind,
                         std::string_view name, std::string_view where,
                         const std::vector<std::string>& known) {
  constexpr int kMaxListed = 40;
  const int listed = std::min<int>(kMaxListed, static_cast<int>(known.size()));
  throw std::logic_error(fmt::format(
      "{}: there is no {} named '{}' in {}; its names are: {}{}.", model, kind,
      name, where, fmt::join(known.begin(), known.begin() + listed, ", "),
      listed < static_cast<int>(known.size()) ? ", ..." : ""));
}

void ThrowAmbiguousName(std::string_view model, std::string_view kind,
                        std::string_view name,
                        const std::vector<std::string>& where) {
  throw std::logic_error(
      fmt::format("{}: the {} name '{}' occurs in several model instances "
                  "({}); say which one.",
                  model, kind, name, fmt::join(where, ", ")));
}

void ThrowDuplicateName(std::string_view model, std::string_view kind,
                        std::string_view name,
                        std::string_view model_instance) {
  throw std::runtime_error(
      fmt::format("{}: model instance '{}' already has a {} named '{}'; names "
                  "must be unique in a model instance.",
                  model, model_instance, kind, name));
}

void ThrowNoElementAt(std::string_view model, std::string_view kind, int index,
                      int size) {
  throw std::out_of_range(
      fmt::format("{}: there is no {} with index {}; indices run from 0 to "
                  "{}, without those removed.",
                  model, kind, index, size - 1));
}

}  // namespace wyvern::multibody::internal
