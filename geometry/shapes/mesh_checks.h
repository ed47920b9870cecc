#pragma once

/** @file
What the constructors and the accessors of all meshes check. */

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/systems/common/autodiff.h"
#include "wyvern/systems/common/eigen_types.h"

namespace wyvern::geometry::internal {

/** The scalar of a product of A and B: AutoDiffXd if one of them is. */
template <typename A, typename B>
using Promoted = std::common_type_t<A, B>;

[[noreturn]] void ThrowBadIndex(const char* what, int index, std::size_t size);

/** The index, as one of a vector.
@throws std::out_of_range unless 0 <= index < size, naming `what`. */
inline std::size_t CheckedIndex(const char* what, int index, std::size_t size) {
  const std::size_t i = static_cast<std::size_t>(index);
  if (i >= size) ThrowBadIndex(what, index, size);
  return i;
}

/** @throws std::logic_error naming `mesh` and the first vertex that is not
finite or farther than 1e50 m along an axis. */
template <typename T>
void RequireVertices(const char* mesh, const std::vector<Vector3<T>>& vertices);

/** The positions in another frame. @throws std::logic_error as RequireVertices.
 */
template <typename T>
std::vector<Vector3<T>> Transformed(const char* mesh,
                                    const math::RigidTransform<T>& X_NM,
                                    std::vector<Vector3<T>> vertices) {
  for (Vector3<T>& p : vertices) p = X_NM * p;
  RequireVertices(mesh, vertices);
  return vertices;
}

/** @throws std::logic_error naming `mesh` and the element, if one of its
vertices is out of range or there twice. */
void RequireElement(const char* mesh, int element,
                    std::span<const int> vertices, std::size_t num_vertices);

/** The box along the axes that just holds all vertices: its centre and its
size. @throws std::logic_error naming `mesh` if there are none. */
template <typename T>
std::pair<Vector3<T>, Vector3<T>> CalcBoundingBox(
    const char* mesh, const std::vector<Vector3<T>>& vertices);

/** True if both have the same number of vertices and no two of the same number
are farther apart than the tolerance, meter; false if one is not a number. */
template <typename T>
bool AreNear(const std::vector<Vector3<T>>& a, const std::vector<Vector3<T>>& b,
             double tolerance);

}  // namespace wyvern::geometry::internal
