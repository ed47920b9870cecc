#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wyvern/geometry/scene_graph/kinematics_vector.h"
#include "wyvern/geometry/scene_graph/scene_graph.h"
#include "wyvern/multibody/plant/deformable_body.h"
#include "wyvern/systems/common/parallelism.h"

namespace wyvern::internal {
class WorkerThreads;
}  // namespace wyvern::internal

namespace wyvern::multibody {

namespace internal {
struct DeformableScratch;
}  // namespace internal

/** The deformable bodies of a discrete MultibodyPlant: meshes of tetrahedra
whose vertices move under elasticity, gravity and given force densities; see
multibody/fem/README.md. A step of a body is that of Newmark's family with
gamma = 1 and beta = 1/2: implicit, v+ = v + dt a+, q+ = q + dt (v + v+) / 2; of
bodies that can touch q+ = q + dt v+.

Bodies whose geometry has the proximity role touch the plant's rigid bodies and
each other, if the plant is registered as the source of a SceneGraph: see
plant/step/deformable_step.h for the law. They are registered there by
Finalize(), and the SceneGraph's configuration port of the plant's source has to
be connected to the plant's port, as AddMultibodyPlantSceneGraph() does.

The plant's energies, momenta and masses are of its rigid bodies; those of a
deformable body are its own (DeformableBody).

Building functions throw std::logic_error after Finalize(), of a plant that is
continuous, and of one whose scalar is not double; those with an id or an index
throw std::logic_error if no body has it, and those with a Context if it is not
of the plant or Finalize() has not been called. Positions are in the world, [m].

@tparam T double or AutoDiffXd; only plants of double have bodies, and they are
not converted to AutoDiffXd. */
template <typename T>
class DeformableModel {
 public:
  WYVERN_NO_COPY_NO_MOVE_NO_ASSIGN(DeformableModel);
  /** For MultibodyPlant: makes a model without bodies for the plant `core`. */
  explicit DeformableModel(const internal::MultibodyTreeSystem<T>& core);
  ~DeformableModel();

  /** Number of deformable bodies. */
  int num_bodies() const { return static_cast<int>(bodies_.size()); }
  /** How many threads a step may use: 1 at first. It changes no bit of any
  result. Threads are shared by all Contexts of the plant, one step at a time;
  others meanwhile take their own alone. Not while another thread uses the
  plant. */
  void SetParallelism(Parallelism parallelism);
  /** The number of threads that SetParallelism() sets. */
  Parallelism parallelism() const { return parallelism_; }

  /** Neither bodies nor external forces. */
  bool is_empty() const { return bodies_.empty() && forces_.empty(); }

  /** Adds a body. Its stress-free shape is the geometry's, at its pose in the
  world: a box, a sphere, or a Mesh of a .vtk file with tetrahedra. If the plant
  has a SceneGraph, the geometry is registered there at once, otherwise by
  MultibodyPlant::RegisterAsSourceForSceneGraph().
  @param resolution_hint [m] the longest edges of a box's or sphere's mesh
  @throws std::logic_error if the geometry is null or has another shape, if a
  body of the instance has its name, or if the hint is not positive. It also
  throws if a mesh is in pieces or has more than 100,000 tetrahedra. */
  DeformableBodyId RegisterDeformableBody(
      std::unique_ptr<geometry::GeometryInstance> geometry_instance,
      const fem::DeformableBodyConfig<T>& config, double resolution_hint) {
    return RegisterDeformableBody(std::move(geometry_instance),
                                  default_model_instance(), config,
                                  resolution_hint);
  }
  /** Overload for a body of a model instance. */
  DeformableBodyId RegisterDeformableBody(
      std::unique_ptr<geometry::GeometryInstance> geometry_instance,
      ModelInstanceIndex model_instance,
      const fem::DeformableBodyConfig<T>& config, double resolution_hint);

  /** Vertices V with n_W . p_QV < 0 in the reference configuration keep their
  place: those behind the wall through Q, not those on it.
  @throws std::logic_error if a number is not finite, n_W is zero, or no vertex
  would be left that can move. */
  void SetWallBoundaryCondition(DeformableBodyId id, const Vector3<T>& p_WQ,
                                const Vector3<T>& n_W);
  /** Fixes the vertices of body A that are in or on a shape G which is fixed to
  body B, when A's mesh is put at X_BA, at their places there. A's frame is that
  of its geometry instance's shape, so that X_BA = X_BW X_WA, with the
  instance's pose X_WA, is where it is. What is in a Mesh is said by its own
  triangles, not by their hull. To the world they are fixed exactly; to another
  body by forces on both, as rigid as other constraints of a step, which halves
  an error at a time. Contact between A and B is not left out: that is for
  collision filters.
  @throws std::logic_error if body B is not the plant's, no vertex is in the
  shape, or all would be fixed to the world. */
  MultibodyConstraintId AddFixedConstraint(
      DeformableBodyId body_A_id, const RigidBody<T>& body_B,
      const math::RigidTransform<double>& X_BA, const geometry::Shape& shape_G,
      const math::RigidTransform<double>& X_BG);
  /** True if AddFixedConstraint() has been called for the body. */
  bool HasConstraint(DeformableBodyId id) const;
  /** The field acts on all deformable bodies, as it is at the start of a step,
  at the centroids of elements.
  @throws std::logic_error if it is null. */
  void AddExternalForce(
      std::unique_ptr<ForceDensityFieldBase<T>> external_force);
  /** Returns a constraint from AddFixedConstraint().
  @throws std::logic_error if no deformable body has one of this id. */
  const internal::DeformableRigidFixedConstraintSpec& fixed_constraint_spec(
      MultibodyConstraintId id) const;
  /** Returns the ids of a body's constraints in the order of the calls. */
  std::vector<MultibodyConstraintId> fixed_constraint_ids(
      DeformableBodyId id) const;
  /** Returns the fields that act on a body: those of AddExternalForce(), then a
  GravityForceField, unless gravity is disabled for the body's model instance.
  @throws std::logic_error for a bad id, or before Finalize(). */
  const std::vector<const ForceDensityFieldBase<T>*>& GetExternalForces(
      DeformableBodyId id) const;

  /** A body that is disabled keeps its place, without velocity. */
  void Disable(DeformableBodyId id, systems::Context<T>* context) const;
  /** Undoes Disable(). */
  void Enable(DeformableBodyId id, systems::Context<T>* context) const;
  /** False after Disable(), until Enable(). */
  bool is_enabled(DeformableBodyId id,
                  const systems::Context<T>& context) const;

  /** The group with positions, velocities and accelerations, x, y, z of one
  vertex after the other in each. @throws std::logic_error before Finalize(). */
  systems::DiscreteStateIndex GetDiscreteStateIndex(DeformableBodyId id) const;
  /** Returns the index of the plant's port deformable_body_configuration, which
  has the vertex positions of all bodies. */
  systems::OutputPortIndex configuration_output_port_index() const;
  /** Vertex positions without stress: x, y, z of one vertex after the other. */
  const VectorX<T>& GetReferencePositions(DeformableBodyId id) const;
  /** Id of the body with this index.
  @throws std::out_of_range if there is none. */
  DeformableBodyId GetBodyId(DeformableBodyIndex index) const;
  /** Id of the body with this geometry. */
  DeformableBodyId GetBodyId(geometry::GeometryId geometry_id) const;
  /** Index of the body with this id. */
  DeformableBodyIndex GetBodyIndex(DeformableBodyId id) const;
  /** Id of the geometry of the body. */
  geometry::GeometryId GetGeometryId(DeformableBodyId id) const;
  /** Ids of the bodies of a model instance, in the order of registration. */
  std::vector<DeformableBodyId> GetBodyIds(
      ModelInstanceIndex model_instance) const;
  /** The body with this id. */
  const DeformableBody<T>& GetBody(DeformableBodyId id) const;
  /** Returns the body of an index.
  @throws std::out_of_range */
  const DeformableBody<T>& GetBody(DeformableBodyIndex index) const;
  /** The body with this id, to be changed before Finalize(). */
  DeformableBody<T>& GetMutableBody(DeformableBodyId id);
  /** True if a body of any model instance has this name. */
  bool HasBodyNamed(const std::string& name) const;
  /** True if a body of this model instance has this name.
  @throws std::out_of_range if there is no such model instance. */
  bool HasBodyNamed(const std::string& name,
                    ModelInstanceIndex model_instance) const;
  /** Returns the body with this name, in whichever model instance.
  @throws std::logic_error if no body has the name, or several instances
  have one that does. */
  const DeformableBody<T>& GetBodyByName(const std::string& name) const;
  /** The body of a model instance with this name.
  @throws std::logic_error if there is none. */
  const DeformableBody<T>& GetBodyByName(
      const std::string& name, ModelInstanceIndex model_instance) const;

  /** 3 x the number of vertices. */
  Matrix3X<T> GetPositions(const systems::Context<T>& context,
                           DeformableBodyId id) const;
  /** Velocities of all vertices of a body in the world, 3 x the number of
  vertices, m/s. */
  Matrix3X<T> GetVelocities(const systems::Context<T>& context,
                            DeformableBodyId id) const;
  /** Positions of all vertices, and then velocities. */
  Matrix3X<T> GetPositionsAndVelocities(const systems::Context<T>& context,
                                        DeformableBodyId id) const;
  /** Sets the positions of all vertices of a body, m.
  @throws std::logic_error if the size is wrong or a number not finite. */
  void SetPositions(systems::Context<T>* context, DeformableBodyId id,
                    const Eigen::Ref<const Matrix3X<T>>& q) const;
  /** Sets the velocities of all vertices; throws as SetPositions() does. */
  void SetVelocities(systems::Context<T>* context, DeformableBodyId id,
                     const Eigen::Ref<const Matrix3X<T>>& v) const;
  /** Sets positions and velocities of all vertices; throws as SetPositions()
  does. */
  void SetPositionsAndVelocities(systems::Context<T>* context,
                                 DeformableBodyId id,
                                 const Eigen::Ref<const Matrix3X<T>>& q,
                                 const Eigen::Ref<const Matrix3X<T>>& v) const;

  /** @name For the plant
  @{ */
  /** Registers the geometries of all existing bodies; later bodies are
  registered when they are added. */
  void SetSceneGraph(geometry::SceneGraph<T>* scene_graph,
                     geometry::SourceId source);
  /** Declares parameters and the memory of a step. What `declare_state`
  declares, given its default, is a body's state. */
  void Finalize(
      internal::MultibodyTreeSystem<T>* core,
      const std::function<systems::DiscreteStateIndex(const VectorX<T>&)>&
          declare_state);
  /** The bodies' default poses, at rest. */
  void SetDefaultState(systems::DiscreteValues<T>* states) const;
  /** Whether bodies can touch anything. */
  bool has_contact() const { return has_contact_; }
  /** The body with the geometry, by its index; -1 if it is none of them. */
  int FindBodyOf(geometry::GeometryId id) const;
  /** Mass of a body, kg. */
  double CalcMass(int body) const;
  /** A vertex that is fixed to a point of a rigid body. */
  using Bond = internal::DeformableBond;
  /** Vertices of a body, by its index, that are fixed to rigid bodies other
  than the world. */
  const std::vector<Bond>& bonds(int body) const;
  /** By vertex of a body, by its index. */
  const std::vector<char>& fixed_vertices(int body) const;
  /** Writes the bodies' states, and whether they are enabled, to the memory of
  the step. */
  internal::DeformableScratch& ReadStates(
      const systems::Context<T>& context) const;
  /** Begins the steps of the bodies that are enabled: their velocities without
  contact. The vertices that take part in contact have been found.
  @throws std::runtime_error naming a body whose step is not found. */
  void BeginSteps(const systems::Context<T>& context) const;
  /** Memory of a step. */
  internal::DeformableScratch& scratch(
      const systems::Context<T>& context) const;
  /** Copies the bodies' states after a step. */
  void CopyNextStates(const std::vector<VectorX<T>>& next,
                      systems::DiscreteValues<T>* states) const;
  /** Computes the value of the configuration port. */
  void CalcConfigurations(
      const systems::Context<T>& context,
      geometry::GeometryConfigurationVector<T>* configurations) const;
  /** @} */

 private:
  using Body = DeformableBody<T>;

  void RequireOpen(const char* function) const;
  void RegisterGeometry(Body* body);
  Body& FindBody(const char* function, DeformableBodyId id) const;
  const Body& FindBody(const std::string& name,
                       const ModelInstanceIndex* model_instance) const;

  const internal::MultibodyTreeSystem<T>& core_;
  std::vector<std::unique_ptr<Body>> bodies_;
  std::vector<std::unique_ptr<ForceDensityFieldBase<T>>> forces_;
  std::vector<const ForceDensityFieldBase<T>*> force_pointers_;
  const systems::CacheEntry* scratch_entry_{};
  // Null without a SceneGraph, and after Finalize().
  geometry::SceneGraph<T>* scene_graph_{};
  geometry::SourceId source_;
  bool has_contact_{};
  Parallelism parallelism_;
  std::unique_ptr<wyvern::internal::WorkerThreads> workers_;
};

}  // namespace wyvern::multibody
