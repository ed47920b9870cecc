#pragma once

#include "wyvern/multibody/parsing/sdf_tree.h"
#include "wyvern/multibody/parsing/warning_log.h"

namespace wyvern::multibody::internal {

/** Nests the flattened models of a document before SDFormat 1.8. There, a link,
joint or frame of `model` that is called `arm::hand` is the part `hand` of a
model `arm` in it. Each such model is made, with a warning. Its frame is the
`<frame>` called `arm::__model__`, or else the frame of `model`.
@throws std::runtime_error "file:line: ..." if a part of a name is not valid, if
`model` has a model of that name already, if there is no link in it, if models
are nested more than 300 deep, or if a part is posed in the frame of `model`
although that of its own model is elsewhere. */
void NestFlattenedParts(SdfScope* model, WarningLog* log);

}  // namespace wyvern::multibody::internal
