#include "tests/fuzz/fuzz.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <typeinfo>

#include "tests/fuzz/tally.h"

namespace wyvern::fuzz {

Tally& tally() {
  static Tally result;
  return result;
}

void Require(bool law, std::string_view what) {
  if (law) return;
  std::fprintf(stderr, "A law does not hold: %.*s\n",
               static_cast<int>(what.size()), what.data());
  std::abort();
}

void Refused(const std::exception& error, std::string_view input) {
  const std::string_view text = error.what();
  const bool is_about_memory =
      dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
  const bool is_about_types =
      dynamic_cast<const std::bad_cast*>(&error) != nullptr;
  bool is_plain = !is_about_memory && !is_about_types && text.size() > 10;
  for (const char* words :
       {"vector::", "basic_string", "std::", "bad_", "map::at",
        "array::", "optional access", "_M_", "max_size", "filesystem error"}) {
    if (text.find(words) == std::string_view::npos) continue;
    if (input.find(words) == std::string_view::npos) is_plain = false;
  }
  for (const char* words : {"stoi", "stod"}) {
    if (!text.ends_with(words)) continue;
    if (input.find(words) == std::string_view::npos) is_plain = false;
  }
  Require(is_plain, "an error speaks to users: " + std::string(text));
  ++tally().refused;
  if (tally().keeps_reasons) ++tally().reasons[std::string(text.substr(0, 90))];
}

void Accepted() { ++tally().accepted; }

}  // namespace wyvern::fuzz
