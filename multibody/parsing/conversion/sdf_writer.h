#pragma once

#include <string>

#include "wyvern/multibody/parsing/conversion/xml_text.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** A model as an SDFormat document, as far as that goes: ReadSdf() reads it. */
std::string WriteSdf(const ParsedModel& model, FileNames* names);

}  // namespace wyvern::multibody::internal
