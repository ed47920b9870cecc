#include "wyvern/multibody/plant/step/surface_numbers.h"

#include <stdexcept>
#include <utility>

#include "wyvern/systems/common/default_scalars.h"

namespace wyvern::multibody::internal {

using geometry::ContactSurface;
using geometry::SurfaceTriangle;

namespace {

template <typename T, class Field>
void CopyField(const Field& field, SurfaceNumbers<T>* result) {
  const auto& mesh = field.mesh();
  result->vertices = mesh.vertices();
  result->pressures = field.values();
  for (int f = 0; f < mesh.num_elements(); ++f) {
    const auto& face = mesh.element(f);
    result->face_data.push_back(face.num_vertices());
    for (int i = 0; i < face.num_vertices(); ++i) {
      result->face_data.push_back(face.vertex(i));
    }
    result->gradients.push_back(field.EvaluateGradient(f));
  }
}

template <typename T>
std::unique_ptr<std::vector<Vector3<T>>> CopyUnlessEmpty(
    const std::vector<Vector3<T>>& list) {
  if (list.empty()) return nullptr;
  return std::make_unique<std::vector<Vector3<T>>>(list);
}

std::vector<SurfaceTriangle> ToTriangles(const std::vector<int>& face_data) {
  std::vector<SurfaceTriangle> triangles;
  for (std::size_t i = 0; i < face_data.size(); i += 4) {
    if (face_data[i] != 3 || i + 3 >= face_data.size()) {
      throw std::logic_error(
          "ContactSurface: a surface of triangles has a face that is none.");
    }
    triangles.emplace_back(&face_data[i + 1]);
  }
  return triangles;
}

template <class Surface, class Mesh, class Field, typename T>
std::shared_ptr<const Surface> MakeOf(std::unique_ptr<Mesh> mesh,
                                      const SurfaceNumbers<T>& numbers,
                                      const Field*) {
  auto field =
      std::make_unique<Field>(numbers.pressures, mesh.get(), numbers.gradients);
  return std::make_shared<const Surface>(numbers.id_M, numbers.id_N,
                                         std::move(mesh), std::move(field),
                                         CopyUnlessEmpty(numbers.gradients_M),
                                         CopyUnlessEmpty(numbers.gradients_N));
}

}  // namespace

template <typename T>
SurfaceNumbers<T> NumbersOf(const ContactSurface<T>& surface) {
  SurfaceNumbers<T> result;
  result.id_M = surface.id_M();
  result.id_N = surface.id_N();
  result.is_triangle = surface.is_triangle();
  if (surface.is_triangle()) {
    CopyField(surface.tri_e_MN(), &result);
  } else {
    CopyField(surface.poly_e_MN(), &result);
  }
  for (int f = 0; f < surface.num_faces(); ++f) {
    if (surface.HasGradE_M()) {
      result.gradients_M.push_back(surface.EvaluateGradE_M_W(f));
    }
    if (surface.HasGradE_N()) {
      result.gradients_N.push_back(surface.EvaluateGradE_N_W(f));
    }
  }
  return result;
}

template <typename T>
std::shared_ptr<const ContactSurface<T>> MakeSurface(
    const SurfaceNumbers<T>& numbers) {
  using Surface = ContactSurface<T>;
  if (numbers.is_triangle) {
    return MakeOf<Surface>(
        std::make_unique<geometry::TriangleSurfaceMesh<T>>(
            ToTriangles(numbers.face_data), numbers.vertices),
        numbers, static_cast<const typename Surface::TriangleField*>(nullptr));
  }
  return MakeOf<Surface>(
      std::make_unique<geometry::PolygonSurfaceMesh<T>>(numbers.face_data,
                                                        numbers.vertices),
      numbers, static_cast<const typename Surface::PolygonField*>(nullptr));
}

#define WYVERN_INSTANTIATE(T)                                     \
  template SurfaceNumbers<T> NumbersOf(const ContactSurface<T>&); \
  template std::shared_ptr<const ContactSurface<T>> MakeSurface(  \
      const SurfaceNumbers<T>&);
WYVERN_FOR_EACH_DEFAULT_SCALAR(WYVERN_INSTANTIATE)

}  // namespace wyvern::multibody::internal
