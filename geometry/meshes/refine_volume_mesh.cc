#include "wyvern/geometry/meshes/refine_volume_mesh.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "wyvern/geometry/meshes/volume_to_surface_mesh.h"

// A new vertex in an edge, a face or an element splits every element that has
// it, in two, three or four: each part has the new vertex in place of one of
// those split. All elements around are split alike, so that the mesh stays
// conforming, and every part has a share of the volume, so that none is flat.
//
// Edges come first, then faces, then elements. A split makes no new simplex of
// surface vertices alone: whatever is new has the new vertex, which is inside.

namespace wyvern::geometry {
namespace {

using Tet = std::array<int, 4>;

class Refiner {
 public:
  explicit Refiner(const VolumeMesh<double>& mesh)
      : vertices_(mesh.vertices()), elements_of_(vertices_.size()) {
    for (const VolumeElement& e : mesh.tetrahedra()) {
      AddElement({e.vertex(0), e.vertex(1), e.vertex(2), e.vertex(3)});
    }
    is_on_surface_.resize(vertices_.size(), false);
    for (std::array<int, 3> face :
         internal::FindBoundaryFaces(mesh.tetrahedra())) {
      for (const int v : face) is_on_surface_[v] = true;
      std::ranges::sort(face);
      surface_.insert({face[0], face[1], face[2]});
      for (const auto& [i, j] : {std::pair(0, 1), {0, 2}, {1, 2}}) {
        surface_.insert({face[i], face[j]});
      }
    }
  }

  // Simplices of `size` vertices, all on the surface, that are not of it.
  std::set<std::vector<int>> FindBad(int size) const {
    std::set<std::vector<int>> result;
    for (const Tet& tet : elements_) {
      for (unsigned mask = 0; mask < 16; ++mask) {
        std::vector<int> simplex;
        for (int i = 0; i < 4; ++i) {
          if ((mask >> i & 1) && IsOnSurface(tet[i])) simplex.push_back(tet[i]);
        }
        if (std::popcount(mask) != size || std::ssize(simplex) != size) {
          continue;
        }
        std::ranges::sort(simplex);
        if (!surface_.contains(simplex)) result.insert(simplex);
      }
    }
    return result;
  }

  void Split(const std::vector<int>& simplex) {
    const int middle = static_cast<int>(vertices_.size());
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (const int v : simplex) {
      mean += vertices_[v] / static_cast<double>(simplex.size());
    }
    vertices_.push_back(mean);
    elements_of_.emplace_back();
    const std::vector<int> around = elements_of_[simplex[0]];
    for (const int e : around) {
      const Tet old = elements_[e];
      if (!std::ranges::all_of(simplex, [&old](int v) {
            return std::ranges::find(old, v) != old.end();
          })) {
        continue;
      }
      for (std::size_t i = 0; i < simplex.size(); ++i) {
        Tet part = old;
        std::ranges::replace(part, simplex[i], middle);
        if (i > 0) {
          AddElement(part);
          continue;
        }
        // The first takes the place of the old one.
        std::erase(elements_of_[simplex[0]], e);
        elements_of_[middle].push_back(e);
        elements_[e] = part;
      }
    }
  }

  VolumeMesh<double> Build() const {
    std::vector<VolumeElement> elements;
    elements.reserve(elements_.size());
    for (const Tet& tet : elements_) elements.emplace_back(tet.data());
    return {std::move(elements), vertices_};
  }

 private:
  bool IsOnSurface(int v) const {
    return v < std::ssize(is_on_surface_) && is_on_surface_[v];
  }
  void AddElement(const Tet& tet) {
    for (const int v : tet) {
      elements_of_[v].push_back(static_cast<int>(elements_.size()));
    }
    elements_.push_back(tet);
  }

  std::vector<Eigen::Vector3d> vertices_;
  std::vector<Tet> elements_;
  std::vector<std::vector<int>> elements_of_;  // Of each vertex.
  std::vector<bool> is_on_surface_;            // Of the first vertices.
  std::set<std::vector<int>> surface_;         // Its edges and faces, sorted.
};

}  // namespace

VolumeMesh<double> RefineVolumeMesh(const VolumeMesh<double>& mesh) {
  Refiner refiner(mesh);
  for (const int size : {2, 3, 4}) {
    for (const std::vector<int>& bad : refiner.FindBad(size)) {
      refiner.Split(bad);
    }
  }
  return refiner.Build();
}

}  // namespace wyvern::geometry
