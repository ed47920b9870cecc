#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/geometry_ids.h"
#include "wyvern/geometry/shapes/geometry_roles.h"
#include "wyvern/geometry/shapes/shape_specification.h"

namespace wyvern::geometry {

/** A geometry to be registered with a SceneGraph: a shape G, its pose in the
frame or geometry P that carries it, a name, and the properties of each role it
is to have. */
class GeometryInstance {
 public:
  /** Takes a shape, its pose in the parent frame P, and a name, whose white
  space at the ends is removed.
  @throws std::logic_error if the shape is null, or the name is empty once
  white space at its ends is taken off. */
  GeometryInstance(const math::RigidTransform<double>& X_PG,
                   std::unique_ptr<Shape> shape, const std::string& name);
  /** Overload that copies the shape. */
  GeometryInstance(const math::RigidTransform<double>& X_PG, const Shape& shape,
                   const std::string& name)
      : GeometryInstance(X_PG, shape.Clone(), name) {}
  /** A deep copy with the id of `other`. */
  GeometryInstance(const GeometryInstance& other);
  /** Becomes a deep copy with the id of `other`. */
  GeometryInstance& operator=(const GeometryInstance& other);
  GeometryInstance(GeometryInstance&&) = default;
  GeometryInstance& operator=(GeometryInstance&&) = default;

  /** Id that the geometry has once it is registered. */
  GeometryId id() const { return id_; }
  /** The pose X_PG. */
  const math::RigidTransform<double>& pose() const { return X_PG_; }
  /** Sets the pose X_PG. */
  void set_pose(const math::RigidTransform<double>& X_PG) { X_PG_ = X_PG; }
  /** Returns the shape; the reference is valid until release_shape().
  @throws std::logic_error if the shape was released. */
  const Shape& shape() const;
  /** Gives the shape away; null if it was given away before. */
  std::unique_ptr<Shape> release_shape() { return std::move(shape_); }
  /** Name, without white space at its ends. */
  const std::string& name() const { return name_; }
  /** Sets the name.
  @throws std::logic_error as the constructor. */
  void set_name(const std::string& name);

  /** Lets the geometry have the proximity role, with these properties. */
  void set_proximity_properties(ProximityProperties properties) {
    proximity_ = std::move(properties);
  }
  /** Lets the geometry have the illustration role, with these properties. */
  void set_illustration_properties(IllustrationProperties properties) {
    illustration_ = std::move(properties);
  }
  /** Lets the geometry have the perception role, with these properties. */
  void set_perception_properties(PerceptionProperties properties) {
    perception_ = std::move(properties);
  }
  /** Null if the geometry is not to have the role. */
  const ProximityProperties* proximity_properties() const {
    return proximity_ ? &*proximity_ : nullptr;
  }
  /** Null if the geometry is not to have the illustration role. */
  const IllustrationProperties* illustration_properties() const {
    return illustration_ ? &*illustration_ : nullptr;
  }
  /** Null if the geometry is not to have the perception role. */
  const PerceptionProperties* perception_properties() const {
    return perception_ ? &*perception_ : nullptr;
  }
  /** Properties to be changed; null without the role. */
  ProximityProperties* mutable_proximity_properties() {
    return proximity_ ? &*proximity_ : nullptr;
  }
  /** Properties to be changed; null without the role. */
  IllustrationProperties* mutable_illustration_properties() {
    return illustration_ ? &*illustration_ : nullptr;
  }
  /** Properties to be changed; null without the role. */
  PerceptionProperties* mutable_perception_properties() {
    return perception_ ? &*perception_ : nullptr;
  }

 private:
  GeometryId id_;
  math::RigidTransform<double> X_PG_;
  std::string name_;
  std::unique_ptr<Shape> shape_;
  std::optional<ProximityProperties> proximity_;
  std::optional<IllustrationProperties> illustration_;
  std::optional<PerceptionProperties> perception_;
};

}  // namespace wyvern::geometry
