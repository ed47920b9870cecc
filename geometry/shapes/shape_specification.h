#pragma once

#include <concepts>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include <Eigen/Core>

#include <fmt/core.h>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/mesh_source.h"
#include "wyvern/geometry/shapes/polygon_surface_mesh.h"

namespace wyvern::geometry {

class Box;
class Capsule;
class Convex;
class Cylinder;
class Ellipsoid;
class HalfSpace;
class Mesh;
class MeshcatCone;
class Sphere;

/** Does something with a shape according to its type: see Shape::Reify(). What
a derived class does not override throws std::logic_error naming the shape. */
class ShapeReifier {
 public:
  virtual ~ShapeReifier();
  /** Called with a box. */
  virtual void ImplementGeometry(const Box& box, void* user_data);
  /** Called with a capsule. */
  virtual void ImplementGeometry(const Capsule& capsule, void* user_data);
  /** Called with a convex shape. */
  virtual void ImplementGeometry(const Convex& convex, void* user_data);
  /** Called with a cylinder. */
  virtual void ImplementGeometry(const Cylinder& cylinder, void* user_data);
  /** Called with an ellipsoid. */
  virtual void ImplementGeometry(const Ellipsoid& ellipsoid, void* user_data);
  /** Called with a half space. */
  virtual void ImplementGeometry(const HalfSpace& half_space, void* user_data);
  /** Called with a mesh. */
  virtual void ImplementGeometry(const Mesh& mesh, void* user_data);
  /** Called with a cone. */
  virtual void ImplementGeometry(const MeshcatCone& cone, void* user_data);
  /** Called with a sphere. */
  virtual void ImplementGeometry(const Sphere& sphere, void* user_data);

 protected:
  ShapeReifier() = default;
  /** Handles every shape whose function is not overridden. */
  virtual void DefaultImplementGeometry(const class Shape& shape);
};

/** The shape of a geometry, in its own frame G. Lengths in metres.

Constructors throw std::logic_error unless every dimension is positive and
finite. */
class Shape {
 public:
  virtual ~Shape();

  /** Calls the overload of `reifier` for this shape. */
  void Reify(ShapeReifier* reifier, void* user_data = nullptr) const;
  /** A copy of the same derived type. */
  std::unique_ptr<Shape> Clone() const { return DoClone(); }
  /** The class name, as in "Sphere". */
  std::string_view type_name() const { return do_type_name(); }
  /** How the shape would be made, as in "Sphere(radius=0.5)". */
  std::string to_string() const { return do_to_string(); }
  /** Calls `visitor` with this shape as its own type. All overloads must return
  the same type, or ReturnType. */
  template <typename ReturnType = void, typename Visitor>
  decltype(auto) Visit(Visitor&& visitor) const {
    return std::visit(
        [&visitor](const auto* shape) -> decltype(auto) {
          if constexpr (std::is_same_v<ReturnType, void>) {
            return visitor(*shape);
          } else {
            return static_cast<ReturnType>(visitor(*shape));
          }
        },
        get_variant_this());
  }

 protected:
  using VariantShapeConstPtr =
      std::variant<const Box*, const Capsule*, const Convex*, const Cylinder*,
                   const Ellipsoid*, const HalfSpace*, const Mesh*,
                   const MeshcatCone*, const Sphere*>;
  Shape() = default;
  Shape(const Shape&) = default;
  Shape& operator=(const Shape&) = default;

  virtual std::unique_ptr<Shape> DoClone() const = 0;
  virtual void DoReify(ShapeReifier* reifier, void* user_data) const = 0;
  virtual std::string_view do_type_name() const = 0;
  virtual std::string do_to_string() const = 0;
  virtual VariantShapeConstPtr get_variant_this() const = 0;
};

namespace internal {
/** Implements the functions that all shapes share, given the shape's type. */
template <class Derived>
class ShapeOf : public Shape {
 protected:
  std::unique_ptr<Shape> DoClone() const final {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
  void DoReify(ShapeReifier* reifier, void* user_data) const final {
    reifier->ImplementGeometry(static_cast<const Derived&>(*this), user_data);
  }
  VariantShapeConstPtr get_variant_this() const final {
    return static_cast<const Derived*>(this);
  }
};
}  // namespace internal

/** A box centred on Go, its edges along Gx (width), Gy (depth), Gz (height). */
class Box final : public internal::ShapeOf<Box> {
 public:
  /** Takes the lengths along Gx, Gy and Gz. */
  Box(double width, double depth, double height);
  /** Overload for a vector of the three lengths. */
  explicit Box(const Eigen::Vector3d& measures);
  /** Makes a cube with edges of this length. */
  static Box MakeCube(double edge_size);
  /** Length along Gx. */
  double width() const { return size_[0]; }
  /** Length along Gy. */
  double depth() const { return size_[1]; }
  /** Length along Gz. */
  double height() const { return size_[2]; }
  /** All three lengths. */
  const Eigen::Vector3d& size() const { return size_; }

 private:
  std::string_view do_type_name() const final { return "Box"; }
  std::string do_to_string() const final;
  Eigen::Vector3d size_;
};

/** A cylinder along Gz with a half ball at each end, centred on Go; `length` is
that of the cylinder. */
class Capsule final : public internal::ShapeOf<Capsule> {
 public:
  /** Takes the radius, and the length of the cylinder alone. */
  Capsule(double radius, double length);
  /** Overload for a vector of radius and length. */
  explicit Capsule(const Eigen::Vector2d& measures);
  /** Radius of the cylinder and of the half balls. */
  double radius() const { return radius_; }
  /** Length of the cylinder, without the half balls. */
  double length() const { return length_; }

 private:
  std::string_view do_type_name() const final { return "Capsule"; }
  std::string do_to_string() const final;
  double radius_;
  double length_;
};

namespace internal {

/** A mesh file and a scale, and the convex hull of the mesh, which is found
when it is first asked for and shared by copies. */
class ScaledMesh {
 public:
  ScaledMesh(const char* shape, MeshSource source, double scale);
  const MeshSource& source() const { return source_; }
  double scale() const { return scale_; }
  std::string filename() const;
  const PolygonSurfaceMesh<double>& GetConvexHull() const;
  std::string to_string() const;

 private:
  struct Hull;
  const char* shape_;  // Class name.
  MeshSource source_;
  double scale_;
  std::shared_ptr<Hull> hull_;
};

}  // namespace internal

/** The convex hull of a mesh or of points. Mesh files: those of Mesh. Errors of
the file are thrown when it is first read. */
class Convex final : public internal::ShapeOf<Convex> {
 public:
  /** The convex hull of the vertices in a mesh file, which is scaled by
  `scale`.
  @throws std::logic_error unless the scale is positive and finite. */
  explicit Convex(const std::filesystem::path& filename, double scale = 1.0);
  /** Overload for a mesh in memory. */
  explicit Convex(InMemoryMesh mesh_data, double scale = 1.0);
  /** Overload for either. */
  explicit Convex(MeshSource source, double scale = 1.0);
  /** The hull of the columns of `points`, named `label` in messages.
  @throws std::runtime_error if it has no volume. */
  Convex(const Eigen::Matrix3Xd& points, const std::string& label,
         double scale = 1.0);
  /** The file; for points, a file in memory with their hull. */
  const MeshSource& source() const { return mesh_.source(); }
  /** The path. @throws std::logic_error if the mesh is in memory. */
  std::string filename() const { return mesh_.filename(); }
  /** Extension of the file in lower case, with the dot. */
  const std::string& extension() const { return mesh_.source().extension(); }
  /** Factor on all lengths of the file. */
  double scale() const { return mesh_.scale(); }
  /** Scaled, in G.
  @throws std::runtime_error naming the file if it cannot be read or the hull
  has no volume. */
  const PolygonSurfaceMesh<double>& GetConvexHull() const {
    return mesh_.GetConvexHull();
  }

 private:
  std::string_view do_type_name() const final { return "Convex"; }
  std::string do_to_string() const final { return mesh_.to_string(); }
  internal::ScaledMesh mesh_;
};

/** A cylinder along Gz, centred on Go. */
class Cylinder final : public internal::ShapeOf<Cylinder> {
 public:
  /** Takes radius and length. */
  Cylinder(double radius, double length);
  /** Overload for a vector of radius and length. */
  explicit Cylinder(const Eigen::Vector2d& measures);
  /** Radius. */
  double radius() const { return radius_; }
  /** Length along Gz. */
  double length() const { return length_; }

 private:
  std::string_view do_type_name() const final { return "Cylinder"; }
  std::string do_to_string() const final;
  double radius_;
  double length_;
};

/** An ellipsoid centred on Go with semi-axes a, b, c along Gx, Gy, Gz. */
class Ellipsoid final : public internal::ShapeOf<Ellipsoid> {
 public:
  /** Takes the semi-axes along Gx, Gy and Gz. */
  Ellipsoid(double a, double b, double c);
  /** Overload for a vector of the three semi-axes. */
  explicit Ellipsoid(const Eigen::Vector3d& measures);
  /** Semi-axis along Gx. */
  double a() const { return radii_[0]; }
  /** Semi-axis along Gy. */
  double b() const { return radii_[1]; }
  /** Semi-axis along Gz. */
  double c() const { return radii_[2]; }

 private:
  std::string_view do_type_name() const final { return "Ellipsoid"; }
  std::string do_to_string() const final;
  Eigen::Vector3d radii_;
};

/** All points with negative z in G: Gz points out of it, Go is on its
boundary. */
class HalfSpace final : public internal::ShapeOf<HalfSpace> {
 public:
  HalfSpace() = default;
  /** The pose X_FH of a half space in frame F whose outward normal is along
  `Hz_dir_F` (any length) and whose boundary passes through `p_FB`; its origin
  is the point of the boundary nearest to Fo.
  @throws std::logic_error if the direction is too short to be one. */
  static math::RigidTransform<double> MakePose(const Eigen::Vector3d& Hz_dir_F,
                                               const Eigen::Vector3d& p_FB);

 private:
  std::string_view do_type_name() const final { return "HalfSpace"; }
  std::string do_to_string() const final { return "HalfSpace()"; }
};

/** A surface mesh from a file: .obj, .gltf, .glb, .stl, .dae or MuJoCo's .msh,
or tetrahedra from a legacy .vtk file, its lengths times a scale. Collision
queries take its convex hull. A glTF file's y axis, up, is Gz. Errors of the
file are thrown when it is first read. */
class Mesh final : public internal::ShapeOf<Mesh> {
 public:
  /** The surface of a mesh file, which is scaled by `scale`.
  @throws std::logic_error unless the scale is positive and finite. */
  explicit Mesh(const std::filesystem::path& filename, double scale = 1.0);
  /** Overload for a mesh in memory. */
  explicit Mesh(InMemoryMesh mesh_data, double scale = 1.0);
  /** Overload for either. */
  explicit Mesh(MeshSource source, double scale = 1.0);
  /** The file. */
  const MeshSource& source() const { return mesh_.source(); }
  /** The path. @throws std::logic_error if the mesh is in memory. */
  std::string filename() const { return mesh_.filename(); }
  /** Extension of the file in lower case, with the dot. */
  const std::string& extension() const { return mesh_.source().extension(); }
  /** Factor on all lengths of the file. */
  double scale() const { return mesh_.scale(); }
  /** Scaled, in G.
  @throws std::runtime_error naming the file if it cannot be read or the hull
  has no volume. */
  const PolygonSurfaceMesh<double>& GetConvexHull() const {
    return mesh_.GetConvexHull();
  }

 private:
  std::string_view do_type_name() const final { return "Mesh"; }
  std::string do_to_string() const final { return mesh_.to_string(); }
  internal::ScaledMesh mesh_;
};

/** For visualisation only: a cone with its point at Go and its axis along Gz,
`height` long, ending in an ellipse with semi-axes a, b along Gx, Gy. */
class MeshcatCone final : public internal::ShapeOf<MeshcatCone> {
 public:
  /** Takes the height and the semi-axes of the ellipse. */
  explicit MeshcatCone(double height, double a = 1.0, double b = 1.0);
  /** Overload for a vector of height, a and b. */
  explicit MeshcatCone(const Eigen::Vector3d& measures);
  /** Height along Gz. */
  double height() const { return height_; }
  /** Semi-axis along Gx. */
  double a() const { return a_; }
  /** Semi-axis along Gy. */
  double b() const { return b_; }

 private:
  std::string_view do_type_name() const final { return "MeshcatCone"; }
  std::string do_to_string() const final;
  double height_;
  double a_;
  double b_;
};

/** A ball centred on Go. A radius of zero, a point, is allowed. */
class Sphere final : public internal::ShapeOf<Sphere> {
 public:
  /** Takes the radius, which may be 0. */
  explicit Sphere(double radius);
  /** Radius. */
  double radius() const { return radius_; }

 private:
  std::string_view do_type_name() const final { return "Sphere"; }
  std::string do_to_string() const final;
  double radius_;
};

/** The volume [m^3]; infinite for a HalfSpace. Of a Mesh, what its surface
encloses; of a Convex, of its hull.
@throws std::runtime_error if a mesh cannot be read, or a Mesh is not closed. */
double CalcVolume(const Shape& shape);

}  // namespace wyvern::geometry

/// @cond  Doxygen does not see what it specializes.
// Every shape prints as Shape::to_string().
template <std::derived_from<wyvern::geometry::Shape> AnyShape>
struct fmt::formatter<AnyShape> : fmt::formatter<std::string_view> {
  template <typename FormatContext>
  auto format(const AnyShape& shape, FormatContext& context) const {
    return fmt::formatter<std::string_view>::format(shape.to_string(), context);
  }
};
/// @endcond
