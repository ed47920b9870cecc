#pragma once

#include <optional>
#include <string>

#include "wyvern/geometry/shapes/geometry_instance.h"
#include "wyvern/multibody/parsing/conversion/xml_text.h"
#include "wyvern/multibody/parsing/element_tags.h"
#include "wyvern/multibody/parsing/parsed_model.h"

namespace wyvern::multibody::internal {

/** Base of the writers of model files: it walks visual and collision shapes and
the plant's own elements; a derived class spells them in its format. */
class ModelWriter {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(ModelWriter);

 protected:
  /** Both must outlive this. */
  ModelWriter(const ParsedModel& model, FileNames* names)
      : model_(model), names_(*names) {}
  virtual ~ModelWriter() = default;

  /** @name How the format spells things
  @{ */
  /** Where an element is; nothing for the identity. */
  virtual void WritePlace(const math::RigidTransform<double>& X) = 0;
  /** An element of that name with these values. */
  virtual void WriteValues(const std::string& name,
                           const XmlText::Attributes& values) = 0;
  /** Elements with the prefix of the plant's own. */
  virtual void WriteTagTexts(const TagTexts& tags) = 0;
  /** Whether it has the shape; of those it has not the functions below are not
  called. */
  virtual bool Has(const geometry::Shape& shape) const = 0;
  virtual void WriteCapsule(const geometry::Capsule& capsule) = 0;
  virtual void WriteEllipsoid(const geometry::Ellipsoid& ellipsoid) = 0;
  virtual void WriteHalfSpace() = 0;
  /** The element "mesh", which is left open.
  @param scale nothing: 1. */
  virtual void OpenMesh(const std::string& file,
                        const std::optional<Vector3<double>>& scale) = 0;
  virtual void WriteAppearance(const geometry::GeometryProperties& seen) = 0;
  /** @} */

  void WriteVisual(const geometry::GeometryInstance& visual);
  void WriteCollision(const geometry::GeometryInstance& collision);
  /** Bushings, springs, ball constraints and filter groups. */
  void WriteOwnElements();
  /** Returns the joint's first actuator; null if it has none. */
  const ParsedActuator* FindActuator(const ParsedJoint& joint) const;
  /** Its rotor, its gear and its gains. */
  void WriteRotorAndGains(const ParsedActuator& actuator);

  const ParsedModel& model_;
  FileNames& names_;
  XmlText xml_;

 private:
  template <class Items>
  void WriteAll(const char* name, const Items& items);
  void WriteShape(const geometry::GeometryInstance& instance);
  void WriteSolid(const geometry::Box& box);
  void WriteSolid(const geometry::Sphere& sphere);
  void WriteSolid(const geometry::Cylinder& cylinder);
  void WriteSolid(const geometry::Capsule& x) { WriteCapsule(x); }
  void WriteSolid(const geometry::Ellipsoid& x) { WriteEllipsoid(x); }
  void WriteSolid(const geometry::HalfSpace&) { WriteHalfSpace(); }
  void WriteSolid(const geometry::Mesh& mesh) { WriteMesh(mesh, false); }
  void WriteSolid(const geometry::Convex& mesh) { WriteMesh(mesh, true); }
  void WriteSolid(const geometry::MeshcatCone&) {}
  template <class MeshShape>
  void WriteMesh(const MeshShape& mesh, bool is_convex);
};

}  // namespace wyvern::multibody::internal
