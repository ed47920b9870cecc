#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace wyvern::fuzz {

/** Outcomes of the inputs so far. */
struct Tally {
  int64_t accepted{};
  int64_t refused{};
  // How often each text, cut short, was the reason; if wanted.
  bool keeps_reasons{};
  std::map<std::string, int64_t> reasons;
};
Tally& tally();

}  // namespace wyvern::fuzz
