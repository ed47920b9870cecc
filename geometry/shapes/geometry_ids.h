#pragma once

#include "wyvern/systems/common/identifier.h"

namespace wyvern::geometry {

/** Names whoever registers geometry with a SceneGraph. */
using SourceId = Identifier<class SourceTag>;
/** Names a frame that moves geometries. */
using FrameId = Identifier<class FrameTag>;
/** Names one geometry. */
using GeometryId = Identifier<class GeometryTag>;
/** Names a transient collision filter declaration. */
using FilterId = Identifier<class FilterTag>;

}  // namespace wyvern::geometry
