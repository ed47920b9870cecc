#pragma once

#include <string>

#include "wyvern/multibody/parsing/conversion/xml_text.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** A model as a URDF document, as far as URDF goes: ReadUrdf() reads it. A
joint that is not at the origin of its child moves a link without mass that the
child is fixed to. */
std::string WriteUrdf(const ParsedModel& model, FileNames* names);

}  // namespace wyvern::multibody::internal
