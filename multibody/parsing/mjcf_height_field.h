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
  /** Half the extent in x and y, the height of 1, the depth of the base, [m].
   */
  Vector4<double> size;
  /** From 0 to 1, row by row from the lowest y, each from the lowest x. */
  std::vector<double> heights;

  bool IsFlat() const;
  /** In the frame of the geom. */
  Vector3<double> point(int row, int column) const;
};

/** A convex part of a height field, posed in the frame of its geom. */
struct MjcfHeightPart {
  math::RigidTransform<double> X_GP;
  std::unique_ptr<geometry::Shape> shape;
};

/** @param file of the heights, in MuJoCo's binary format; empty for none, where
`elevation` has them or they are 0.
@throws std::runtime_error "file:line: ..." if something is not valid. */
MjcfHeightField ReadMjcfHeightField(const MjcfElement& element,
                                    const std::filesystem::path& file);

/** Returns the solid under the heights: a box if all are 0, and else a prism
under each of the two triangles of a cell. @param label what messages call it.
@throws std::runtime_error if there are too many. */
std::vector<MjcfHeightPart> MakeHeightParts(const MjcfHeightField& field,
                                            const std::string& label);

/** Returns the surface, to be seen. */
std::unique_ptr<geometry::Shape> MakeHeightSurface(const MjcfHeightField& field,
                                                   const std::string& label);

}  // namespace wyvern::multibody::internal
