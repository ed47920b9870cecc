#include "wyvern/geometry/proximity/contact_surface.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::geometry {

template <typename T>
ContactSurface<T>::ContactSurface(GeometryId id_M, GeometryId id_N,
                                  std::unique_ptr<PolygonSurfaceMesh<T>> mesh_W)
    : id_M_(id_M), id_N_(id_N) {
  if (mesh_W == nullptr || !(id_M < id_N)) {
    throw std::logic_error(fmt::format(
        "ContactSurface: was given {} mesh for geometries {} and {}; give one, "
        "and the lower id first.",
        mesh_W ? "a" : "no", id_M, id_N));
  }
  mesh_W_ = std::move(*mesh_W);
}

WYVERN_INSTANTIATE_ON_DEFAULT_SCALARS(class ContactSurface);

}  // namespace wyvern::geometry
