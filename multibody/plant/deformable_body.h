#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wyvern/geometry/math/rigid_transform.h"
#include "wyvern/geometry/shapes/geometry_instance.h"
#include "wyvern/multibody/fem/deformable_body_config.h"
#include "wyvern/multibody/plant/constraint_specs.h"
#include "wyvern/multibody/plant/force_density_field.h"
#include "wyvern/multibody/tree/multibody_tree_system.h"
#include "wyvern/multibody/tree/rigid_body.h"
#include "wyvern/multibody/tree/scoped_name.h"

namespace wyvern::multibody {

/** Names a deformable body. */
using DeformableBodyId = Identifier<class DeformableBodyTag>;
/** Its place among a plant's, from 0, in the order of registration. */
using DeformableBodyIndex = TypeSafeIndex<class DeformableBodyElementTag>;

template <typename T>
class DeformableModel;
template <typename T>
class MultibodyPlant;

namespace fem::internal {
class FemModel;
}  // namespace fem::internal

namespace internal {

/** A vertex that is fixed to a point of a rigid body other than the world. */
struct DeformableBond {
  int vertex{};
  BodyIndex body_B;
  Vector3<double> p_BV;
};

/** Vertices of a deformable body A that are fixed to points Q of a rigid body
B. */
struct DeformableRigidFixedConstraintSpec {
  DeformableBodyId body_A;
  BodyIndex body_B;
  std::vector<int> vertices;
  /** The place of each vertex in B [m]. */
  std::vector<Vector3<double>> p_BQs;
  MultibodyConstraintId constraint_id;
};

}  // namespace internal

/** A deformable body of a DeformableModel, which makes it and says how bodies
move. Functions with a Context throw std::logic_error if it is not of the plant
or Finalize() has not been called; those that build throw it after Finalize().
Positions are in the world [m], velocities [m/s], 3 x the number of vertices.

@tparam T double or AutoDiffXd; only plants of double have bodies. */
template <typename T>
class DeformableBody {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DeformableBody);
  ~DeformableBody();

  /** Id of the body, unique in the process. */
  DeformableBodyId body_id() const { return id_; }
  /** Index of the body among those of the model. */
  DeformableBodyIndex index() const { return index_; }
  /** Name of the body, unique in the model instance. */
  const std::string& name() const { return name_; }
  /** Name with that of the model instance. */
  ScopedName scoped_name() const;
  /** Model instance that the body belongs to. */
  ModelInstanceIndex model_instance() const { return model_instance_; }
  /** The plant that owns this body; the caller includes multibody_plant.h. */
  template <typename = void>
  const MultibodyPlant<T>& GetParentPlant() const {
    return static_cast<const MultibodyPlant<T>&>(core_);
  }
  /** Id of the body's geometry. */
  geometry::GeometryId geometry_id() const { return geometry_id_; }
  /** Material and damping that the body was registered with. */
  const fem::DeformableBodyConfig<T>& config() const { return config_; }
  /** Number of degrees of freedom, three a vertex. */
  int num_dofs() const { return static_cast<int>(reference_.size()); }
  /** Without stress: x, y, z of one vertex after the other. */
  const VectorX<T>& reference_positions() const { return reference_; }
  /** Mass of the body, kg. */
  double mass() const;

  /** As DeformableModel::SetWallBoundaryCondition(). */
  void SetWallBoundaryCondition(const Vector3<T>& p_WQ, const Vector3<T>& n_W);
  /** As DeformableModel::AddFixedConstraint(). */
  MultibodyConstraintId AddFixedConstraint(
      const RigidBody<T>& body_B, const math::RigidTransform<double>& X_BA,
      const geometry::Shape& shape_G, const math::RigidTransform<double>& X_BG);
  /** True if AddFixedConstraint() has been called for this body. */
  bool has_fixed_constraint() const { return !fixed_constraints_.empty(); }
  /** Returns the constraints from AddFixedConstraint() in the order of the
  calls. */
  const std::vector<internal::DeformableRigidFixedConstraintSpec>&
  fixed_constraint_specs() const {
    return fixed_constraints_;
  }
  /** Returns the fields that act on the body. From Finalize() on the last is a
  GravityForceField, unless gravity is disabled for the model instance. */
  const std::vector<const ForceDensityFieldBase<T>*>& external_forces() const {
    return gravity_ == nullptr ? *external_forces_ : forces_with_gravity_;
  }

  /** Where a default Context has the geometry, in its reference configuration
  and at rest; at first where it was registered. Vertices that are fixed to the
  world go back to their places with the first step. */
  void set_default_pose(const math::RigidTransform<double>& X_WD) {
    X_WD_ = X_WD;
  }
  /** The pose that set_default_pose() sets. */
  const math::RigidTransform<double>& get_default_pose() const { return X_WD_; }

  /** The group with positions, velocities and accelerations, x, y, z of one
  vertex after the other in each. @throws std::logic_error before Finalize(). */
  systems::DiscreteStateIndex discrete_state_index() const;
  /** Positions of all vertices. */
  Matrix3X<T> GetPositions(const systems::Context<T>& context) const;
  /** Velocities of all vertices. */
  Matrix3X<T> GetVelocities(const systems::Context<T>& context) const;
  /** Positions of all vertices, and then velocities. */
  Matrix3X<T> GetPositionsAndVelocities(
      const systems::Context<T>& context) const;
  /** Sets the positions of all vertices in the world, m.
  @throws std::logic_error if the size is wrong or a number not finite. */
  void SetPositions(systems::Context<T>* context,
                    const Eigen::Ref<const Matrix3X<T>>& q) const;
  /** Sets the velocities of all vertices; throws as SetPositions() does. */
  void SetVelocities(systems::Context<T>* context,
                     const Eigen::Ref<const Matrix3X<T>>& v) const;
  /** Sets positions and velocities of all vertices; throws as SetPositions()
  does. */
  void SetPositionsAndVelocities(systems::Context<T>* context,
                                 const Eigen::Ref<const Matrix3X<T>>& q,
                                 const Eigen::Ref<const Matrix3X<T>>& v) const;

  /** A body that is disabled keeps its place, without velocity. */
  void Disable(systems::Context<T>* context) const;
  /** Undoes Disable(). */
  void Enable(systems::Context<T>* context) const;
  /** False after Disable(), until Enable(). */
  bool is_enabled(const systems::Context<T>& context) const;
  /** The abstract parameter, a bool, that says it: to declare what depends on
  it. To change it, use Disable(), which stops the body too.
  @throws std::logic_error before Finalize(). */
  systems::AbstractParameterIndex is_enabled_parameter_index() const;

  /** Center of mass, in the world, [m]. */
  Vector3<T> CalcCenterOfMassPositionInWorld(
      const systems::Context<T>& context) const;
  /** Velocity of the center of mass, in the world, [m/s]. */
  Vector3<T> CalcCenterOfMassTranslationalVelocityInWorld(
      const systems::Context<T>& context) const;
  /** rad/s: that of a rigid body of the same mass distribution and angular
  momentum about the center of mass.
  @throws std::runtime_error naming the body if it is on a line. */
  Vector3<T> CalcEffectiveAngularVelocity(
      const systems::Context<T>& context) const;

 private:
  friend class DeformableModel<T>;

  DeformableBody(
      const internal::MultibodyTreeSystem<T>& core,
      const std::vector<const ForceDensityFieldBase<T>*>* external_forces,
      std::unique_ptr<geometry::GeometryInstance> geometry,
      ModelInstanceIndex model_instance,
      const fem::DeformableBodyConfig<T>& config, double resolution_hint);

  void RequireOpen(const char* function) const;
  // Errors unless a vertex is left that is neither fixed nor among these.
  void RequireFreeVertexBut(const char* function,
                            const std::vector<int>& vertices) const;
  const VectorX<T>& StateOf(const char* function,
                            const systems::Context<T>& context) const;
  Matrix3X<T> Part(const char* function, const systems::Context<T>& context,
                   int first, int num) const;
  void SetPart(const char* function, systems::Context<T>* context, int part,
               const Eigen::Ref<const Matrix3X<T>>& value) const;
  void SetEnabled(const char* function, bool is_enabled,
                  systems::Context<T>* context) const;
  bool IsEnabled(const systems::Context<T>& context) const {
    return context.get_abstract_parameter(enabled_).template get_value<bool>();
  }
  // sum_ij m_ij x_j of its mass matrix, by vertex i.
  Matrix3X<T> CalcMassProduct(const Matrix3X<T>& x) const;
  VectorX<T> CalcDefaultPositions() const;

  const internal::MultibodyTreeSystem<T>& core_;
  const std::vector<const ForceDensityFieldBase<T>*>* external_forces_;
  DeformableBodyId id_{DeformableBodyId::get_new_id()};
  DeformableBodyIndex index_;
  geometry::GeometryId geometry_id_;
  ModelInstanceIndex model_instance_;
  std::string name_;
  fem::DeformableBodyConfig<T> config_;
  bool has_proximity_{};
  std::vector<internal::DeformableBond> bonds_;
  // Until it is registered.
  std::unique_ptr<geometry::GeometryInstance> geometry_;
  double resolution_hint_{};
  math::RigidTransform<double> X_WG_, X_WD_;
  std::unique_ptr<fem::internal::FemModel> fem_;
  VectorX<T> reference_;
  systems::DiscreteStateIndex state_;
  systems::AbstractParameterIndex enabled_;
  std::vector<internal::DeformableRigidFixedConstraintSpec> fixed_constraints_;
  // Set by Finalize() if gravity acts on the body; a step adds the weight by
  // the mass matrix instead.
  std::unique_ptr<const ForceDensityFieldBase<T>> gravity_;
  std::vector<const ForceDensityFieldBase<T>*> forces_with_gravity_;
};

}  // namespace wyvern::multibody
