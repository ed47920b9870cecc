#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/shape_specification.h"
#include "wyvern/multibody/parsing/mjcf_element.h"

namespace wyvern::multibody::internal {

/** An <hfield>: heights over a grid, on a base. */
struct MjcfHeightField {
  int num_rows{};
  int num_columns{};
  /** Half the extent in x and y, the height for a value of 1, and the depth of
  the base, [m]. */
  Vector4<double> size;
  /** Values from 0 to 1, row by row from the lowest y, each from the lowest
  x. */
  std::vector<double> heights{};

  bool IsFlat() const;
  /** Pose in the frame of the geom. */
  Vector3<double> point(int row, int column) const;
};

/** A convex part of a height field, posed in the frame of its geom. */
struct MjcfHeightPart {
  math::RigidTransform<double> X_GP;
  std::unique_ptr<geometry::Shape> shape;
};

/** Reads a height field.
@param file of the heights, a PNG image or in MuJoCo's binary format. If it is
empty,
`elevation` has the heights, or they are 0.
@throws std::runtime_error "file:line: ..." if something is not valid. */
MjcfHeightField ReadMjcfHeightField(const MjcfElement& element,
                                    const std::filesystem::path& file);

/** Leaves out points between rows and columns of a field that has more
triangles than can touch.
@returns the largest difference of heights that it makes, [m]. */
double CoarsenHeights(MjcfHeightField* field);

/** Returns the solid under the heights: a box if all heights are 0, otherwise a
prism under each of the two triangles of a cell. @param label Name for messages.
@throws std::runtime_error if a field that is not flat has one row or
column. */
std::vector<MjcfHeightPart> MakeHeightParts(const MjcfHeightField& field,
                                            const std::string& label);

/** Returns the surface for display. */
std::unique_ptr<geometry::Shape> MakeHeightSurface(const MjcfHeightField& field,
                                                   const std::string& label);

}  // namespace wyvern::multibody::internal
