#pragma once

#include <array>
#include <vector>

#include "wyvern/geometry/deformable/deformable_contact_surface.h"
#include "wyvern/geometry/scene_graph/query_object.h"
#include "wyvern/multibody/fem/fem_stepper.h"
#include "wyvern/multibody/plant/parts/surface_material.h"

namespace wyvern::multibody::internal {

/** Scratch memory of a step of a plant's deformable bodies, an entry of the
Context's cache. Nothing in it outlives the step that wrote it except materials,
which are read again when geometries or the plant's contact model change. */
struct DeformableScratch {
  struct Body {
    fem::internal::FemStepper stepper;
    fem::internal::FemState state;
    bool is_enabled{true};
    /** Vertices that take part in contact, increasing, and each vertex's index
    among them, -1 for the others. */
    std::vector<int> vertices;
    std::vector<int> place;
    /** In the step's problem; -1 if nothing touches the body. */
    int tree{-1};
  };
  /** A point of a contact surface, or a bond, as a constraint of the problem.
   */
  struct Contact {
    int constraint{};
    Vector3<double> p_WC;
    Matrix3<double> R_WC;
    /** The rigid body; invalid if B deforms. */
    BodyIndex body_B;
    /** Its place in shown_surfaces; -1 for a bond. */
    int surface{-1};
  };

  std::vector<Body> bodies;
  std::vector<geometry::internal::DeformableContactSurface> surfaces;
  /** Surfaces between enabled bodies and geometries of the plant. */
  std::vector<int> shown_surfaces;
  std::vector<Contact> contacts;
  std::vector<Contact> bonds;
  std::vector<SurfaceMaterial> materials;
  geometry::GeometryVersion version;
  int revision{-1};
  VectorX<double> forces;
  VectorX<double> positions;
  VectorX<double> impulses;
  std::array<std::vector<int>, 2> columns;
};

}  // namespace wyvern::multibody::internal
