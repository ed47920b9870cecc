#include "wyvern/geometry/shapes/mesh_checks.h"

#include <stdexcept>

#include <fmt/format.h>

#include "wyvern/geometry/math/scalar_value.h"
#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::geometry::internal {

namespace {
// So that no area or volume overflows; as for the points of a hull.
constexpr double kFarthest = 1e50;
}  // namespace

void ThrowBadIndex(const char* what, int index, std::size_t size) {
  throw std::out_of_range(
      fmt::format("{} {} was asked for; there are {}, the first being 0.", what,
                  index, size));
}

template <typename T>
void RequireVertices(const char* mesh,
                     const std::vector<Vector3<T>>& vertices) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Eigen::Vector3d p = math::internal::ValuesOf(vertices[i]);
    if (!(p.array().abs() <= kFarthest).all()) {
      throw std::logic_error(
          fmt::format("{}: vertex {} is at ({}, {}, {}); coordinates must be "
                      "finite, and within {:.0e} m.",
                      mesh, i, p[0], p[1], p[2], kFarthest));
    }
  }
}

void RequireElement(const char* mesh, int element,
                    std::span<const int> vertices, std::size_t num_vertices) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (vertices[i] < 0 ||
        static_cast<std::size_t>(vertices[i]) >= num_vertices) {
      throw std::logic_error(fmt::format(
          "{}: element {} has vertex {}; there are {}, the first being 0.",
          mesh, element, vertices[i], num_vertices));
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (vertices[i] == vertices[j]) {
        throw std::logic_error(
            fmt::format("{}: element {} has vertex {} twice; its {} vertices "
                        "must differ.",
                        mesh, element, vertices[i], vertices.size()));
      }
    }
  }
}

template <typename T>
std::pair<Vector3<T>, Vector3<T>> CalcBoundingBox(
    const char* mesh, const std::vector<Vector3<T>>& vertices) {
  if (vertices.empty()) {
    throw std::logic_error(fmt::format(
        "{}: a mesh without vertices has no bounding box; give it some.",
        mesh));
  }
  Vector3<T> lower = vertices[0];
  Vector3<T> upper = lower;
  for (const Vector3<T>& p : vertices) {
    for (int i = 0; i < 3; ++i) {
      if (p[i] < lower[i]) lower[i] = p[i];
      if (p[i] > upper[i]) upper[i] = p[i];
    }
  }
  return {(lower + upper) / 2.0, upper - lower};
}

template <typename T>
bool AreNear(const std::vector<Vector3<T>>& a, const std::vector<Vector3<T>>& b,
             double tolerance) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Eigen::Vector3d d =
        math::internal::ValuesOf(a[i]) - math::internal::ValuesOf(b[i]);
    if (!(d.norm() <= tolerance)) return false;
  }
  return true;
}

#define WYVERN_INSTANTIATE(T)                                       \
  template void RequireVertices<T>(const char*,                     \
                                   const std::vector<Vector3<T>>&); \
  template std::pair<Vector3<T>, Vector3<T>> CalcBoundingBox<T>(    \
      const char*, const std::vector<Vector3<T>>&);                 \
  template bool AreNear<T>(const std::vector<Vector3<T>>&,          \
                           const std::vector<Vector3<T>>&, double);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::geometry::internal
