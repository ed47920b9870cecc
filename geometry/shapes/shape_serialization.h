#pragma once

#include <istream>
#include <memory>
#include <ostream>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/geometry_properties.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry::internal {

/** @file
Poses, shapes and properties written to a stream and read back, for
saved Contexts. A mesh file on disk is written as its path, one in memory whole.
*/

void WritePose(const math::RigidTransform<double>& X, std::ostream* stream);
/** Reads a pose, bit-identical to the one that was written.
@throws std::runtime_error if the stream holds none. */
math::RigidTransform<double> ReadPose(std::istream* stream);

void WriteShape(const Shape& shape, std::ostream* stream);
/** Reads a shape that WriteShape() wrote.
@throws std::runtime_error or std::logic_error if the stream does not hold a
shape. */
std::unique_ptr<Shape> ReadShape(std::istream* stream);

/** Values are written by ValueSerialization.
@throws std::logic_error naming a type that it does not know. */
void WriteProperties(const GeometryProperties& properties,
                     std::ostream* stream);
/** Adds what was written. */
void ReadProperties(GeometryProperties* properties, std::istream* stream);

/** Makes the types of this folder known to ValueSerialization. */
void RegisterShapeSerialization();

}  // namespace wyvern::geometry::internal
