#pragma once

#include <string>

namespace wyvern::app {

/** Returns the JSON Schema (draft 2020-12) of scenarios, with which editors
complete keys and mark errors. It is made from the structs of scenario.h, with
their defaults. JSON has no tags: the schema describes the keys of a `!PdDriver`
or a `!Uniform`, with the tag as the title. */
std::string MakeScenarioSchema();

}  // namespace wyvern::app
