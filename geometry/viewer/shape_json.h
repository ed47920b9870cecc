#pragma once

#include <string>

#include <Eigen/Core>

#include "wyvern/geometry/shapes/rgba.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry::internal {

/** A shape as a JSON object that a page can draw: its parameters, or triangles
of a mesh. @throws std::runtime_error if a mesh cannot be read. */
std::string ShapeJson(const Shape& shape);

/** Vertices, 3 x n [m], and faces, 3 x m, in base64; `colors`, 3 x n, may be
empty. */
std::string TrianglesJson(const Eigen::Ref<const Eigen::Matrix3Xd>& vertices,
                          const Eigen::Ref<const Eigen::Matrix3Xi>& faces,
                          const Eigen::Ref<const Eigen::Matrix3Xd>& colors);

/** Segments, whose ends are columns 2 k and 2 k + 1; `width` in pixels. */
std::string SegmentsJson(const Eigen::Ref<const Eigen::Matrix3Xd>& ends,
                         double width);

/** Arrows from the columns of `start` along those of `arrows`, both 3 x n [m];
`width` in pixels. */
std::string ArrowsJson(const Eigen::Ref<const Eigen::Matrix3Xd>& start,
                       const Eigen::Ref<const Eigen::Matrix3Xd>& arrows,
                       double width);

/** Returns a colour as "[r,g,b,a]". */
std::string RgbaJson(const Rgba& rgba);

/** Bytes in base64, as RFC 4648 has it, with its quotation marks. */
std::string Base64Json(const void* data, size_t size);

}  // namespace wyvern::geometry::internal
