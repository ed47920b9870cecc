#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "wyvern/geometry/meshes/mesh_builder.h"
#include "wyvern/geometry/meshes/shape_meshes.h"
#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"

namespace wyvern::geometry::internal {
namespace {

using Ring = std::vector<int>;

Ring AddRing(VolumeBuilder* builder, int n, double radius, double z) {
  Ring ring(n);
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    ring[k] = builder->AddVertex(radius * std::cos(angle),
                                 radius * std::sin(angle), z);
  }
  return ring;
}

// Fills the space between two bands around Gz, each of two rings; a ring of
// equal numbers is a point. The directions are: around, from the first ring to
// the second, from outside to inside.
void AddBand(VolumeBuilder* builder, const std::array<Ring, 2>& outer,
             const std::array<Ring, 2>& inner) {
  const std::size_t n = outer[0].size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t l = (k + 1) % n;
    builder->AddHexahedron({outer[0][k], outer[0][l], outer[1][k], outer[1][l],
                            inner[0][k], inner[0][l], inner[1][k],
                            inner[1][l]});
  }
}

// Sides around a circle.
int CountSides(const std::string& shape, double radius, double hint,
               double elements_a_side) {
  const double n = CountParts(shape, 2 * std::numbers::pi * radius, hint, 3);
  RequireElementCount(shape, hint, elements_a_side * n);
  return static_cast<int>(n);
}

// Returns zero for a length that would make elements flat to rounding.
double OrZero(double length, double scale) {
  return length < 1e-12 * scale ? 0 : length;
}

}  // namespace

// The medial axis is the cylinder less min(R, L/2) on all sides: a segment, a
// disc or a point.
VolumeMesh<double> MakeCylinderVolumeMeshWithMa(const Cylinder& cylinder,
                                                double resolution_hint) {
  const double radius = cylinder.radius(), h = cylinder.length() / 2;
  const int n =
      CountSides(cylinder.to_string(), radius, resolution_hint, 3 + 2 * 3);
  const double core_radius = OrZero(radius - h, radius);
  const double core_h = OrZero(h - radius, h);
  VolumeBuilder builder;
  const std::array<Ring, 2> rims = {AddRing(&builder, n, radius, -h),
                                    AddRing(&builder, n, radius, h)};
  std::array<Ring, 2> core_rims, core_centres;
  for (int side : {0, 1}) {
    if (side == 1 && core_h == 0) {
      core_rims[1] = core_rims[0];
      core_centres[1] = core_centres[0];
      continue;
    }
    const double z = core_h == 0 ? 0 : (side == 0 ? -core_h : core_h);
    core_centres[side] = Ring(n, builder.AddVertex(0, 0, z));
    core_rims[side] = core_radius == 0 ? core_centres[side]
                                       : AddRing(&builder, n, core_radius, z);
  }
  AddBand(&builder, rims, core_rims);
  for (int side : {0, 1}) {
    const Ring centre(n, builder.AddVertex(0, 0, side == 0 ? -h : h));
    AddBand(&builder, {centre, rims[side]},
            {core_centres[side], core_rims[side]});
  }
  return std::move(builder).Build();
}

TriangleSurfaceMesh<double> MakeCylinderSurfaceMesh(const Cylinder& cylinder,
                                                    double resolution_hint) {
  return ConvertVolumeToSurfaceMesh(
      MakeCylinderVolumeMeshWithMa(cylinder, resolution_hint));
}

VolumeMesh<double> MakeCapsuleVolumeMesh(const Capsule& capsule,
                                         double resolution_hint) {
  const double radius = capsule.radius(), h = capsule.length() / 2;
  const double sides = CountParts(
      capsule.to_string(), 2 * std::numbers::pi * radius, resolution_hint, 3);
  const double rows = std::ceil(sides / 4);
  const int n = CountSides(capsule.to_string(), radius, resolution_hint,
                           3 + 2 * 2 * rows);
  const int num_rows = static_cast<int>(rows);
  VolumeBuilder builder;
  const std::array<Ring, 2> core = {Ring(n, builder.AddVertex(0, 0, -h)),
                                    Ring(n, builder.AddVertex(0, 0, h))};
  const std::array<Ring, 2> rims = {AddRing(&builder, n, radius, -h),
                                    AddRing(&builder, n, radius, h)};
  AddBand(&builder, rims, core);
  for (int side : {0, 1}) {
    const double sign = side == 0 ? -1 : 1;
    Ring below = rims[side];
    for (int row = 1; row <= num_rows; ++row) {
      const double angle = std::numbers::pi / 2 * row / num_rows;
      Ring above = row == num_rows
                       ? Ring(n, builder.AddVertex(0, 0, sign * (h + radius)))
                       : AddRing(&builder, n, radius * std::cos(angle),
                                 sign * (h + radius * std::sin(angle)));
      AddBand(&builder, {below, above}, {core[side], core[side]});
      below = std::move(above);
    }
  }
  return std::move(builder).Build();
}

TriangleSurfaceMesh<double> MakeCapsuleSurfaceMesh(const Capsule& capsule,
                                                   double resolution_hint) {
  return ConvertVolumeToSurfaceMesh(
      MakeCapsuleVolumeMesh(capsule, resolution_hint));
}

}  // namespace wyvern::geometry::internal
