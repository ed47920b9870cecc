#pragma once

#include <memory>
#include <vector>

#include "wyvern/geometry/hydroelastic/contact_surface.h"

namespace wyvern::multibody::internal {

/** A contact surface as plain numbers: to convert it to another scalar, and to
save it. */
template <typename T>
struct SurfaceNumbers {
  geometry::GeometryId id_M;
  geometry::GeometryId id_N;
  bool is_triangle{};
  /** Face after face, the number of vertices and their indices. */
  std::vector<int> face_data;
  /** p_WV, and by vertex the pressure, [m], [Pa]. */
  std::vector<Vector3<T>> vertices;
  std::vector<T> pressures;
  /** By face, [Pa/m], in W: in its plane, and of M and N, empty if not known.
   */
  std::vector<Vector3<T>> gradients;
  std::vector<Vector3<T>> gradients_M;
  std::vector<Vector3<T>> gradients_N;
};

template <typename T>
SurfaceNumbers<T> NumbersOf(const geometry::ContactSurface<T>& surface);

/** The surface that has these numbers.
@throws std::logic_error as the constructors of ContactSurface, its mesh and its
field do. */
template <typename T>
std::shared_ptr<const geometry::ContactSurface<T>> MakeSurface(
    const SurfaceNumbers<T>& numbers);

}  // namespace wyvern::multibody::internal
