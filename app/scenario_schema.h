#pragma once

#include <string>

namespace wyvern::app {

/** What a scenario may have, as a JSON Schema (draft 2020-12), by which editors
complete keys and mark what is wrong. It is made from the structs of scenario.h,
with their defaults. JSON knows no tags: of a `!PdDriver` or a `!Uniform` only
its keys are described, with the tag as the title. */
std::string MakeScenarioSchema();

}  // namespace wyvern::app
