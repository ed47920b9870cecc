#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

namespace wyvern::geometry::internal {

/** A bounded convex polytope as collision queries want it: flat arrays in its
own frame, lengths in meter. Faces are convex polygons whose vertices run
counter-clockwise seen from outside. */
class ConvexPolytope {
 public:
  /** `faces` lists, face after face, the number of vertices and their indices.
  @throws std::logic_error if there are fewer than four faces or a face has
  fewer than three vertices, has no area, or has the others in front of it. */
  ConvexPolytope(std::vector<Eigen::Vector3d> vertices,
                 const std::vector<int>& faces);
  /** The box with corners (±h₀, ±h₁, ±h₂). */
  static ConvexPolytope MakeBox(const Eigen::Vector3d& half_size);

  int num_vertices() const { return static_cast<int>(vertices_.size()); }
  int num_faces() const { return static_cast<int>(normals_.size()); }
  const Eigen::Vector3d& vertex(int i) const { return vertices_[i]; }
  /** Vertex indices of a face. */
  std::span<const int> face(int f) const {
    return {face_vertices_.data() + face_begin_[f],
            static_cast<size_t>(face_begin_[f + 1] - face_begin_[f])};
  }
  /** Unit, outward. */
  const Eigen::Vector3d& normal(int f) const { return normals_[f]; }
  /** normal(f)·x of the points x of the face. */
  double offset(int f) const { return offsets_[f]; }
  /** Corners of the axis-aligned box that bounds it. */
  const Eigen::Vector3d& lower() const { return lower_; }
  const Eigen::Vector3d& upper() const { return upper_; }

  /** A vertex farthest along `direction`; of equals, the same on every call.
  Walks along edges from a vertex to a better one, so it is much less than
  linear in the number of vertices. Allocates nothing. */
  int SupportVertex(const Eigen::Vector3d& direction) const;
  /** The face whose normal is the nearest to `direction`; the first of equals.
  Linear in the number of faces. */
  int FaceAlong(const Eigen::Vector3d& direction) const;

 private:
  void FindNeighbours();
  void ListByFour();

  std::vector<Eigen::Vector3d> vertices_;
  // Coordinates x, y and z of four vertices at a time, the last four filled up
  // with the first vertex; empty if there are many vertices.
  std::vector<double> by_four_;
  std::vector<int> face_begin_;
  std::vector<int> face_vertices_;
  std::vector<Eigen::Vector3d> normals_;
  std::vector<double> offsets_;
  std::vector<int> neighbour_begin_;
  std::vector<int> neighbours_;
  Eigen::Vector3d lower_;
  Eigen::Vector3d upper_;
};

}  // namespace wyvern::geometry::internal
